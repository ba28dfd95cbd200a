/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "sim/ptx/interpreter.h"

#define SEGMENT_ALIGN 256u
#define MAX_PTX_BYTES ((size_t)64 << 20)
#define MAX_DEVICE_BYTES ((uint64_t)8 << 30)
#define MAX_MODULE_BYTES ((uint64_t)1 << 30) /* of variables in the PTX file */

static uint64_t align_up(uint64_t v, uint64_t a)
{
    return (v + a - 1) / a * a;
}

/* Host memory comes from calloc, so that pages never touched cost nothing. */
static uint32_t add_segment(struct ptx_device *d, struct ptx_segment s, struct where at,
                            struct err *err)
{
    if (s.size > d->max_bytes - d->bytes) {
        err_add(err, ERR_INPUT, at, "'%s' of %llu bytes makes more than the %llu MB allowed",
                s.name, (unsigned long long)s.size, (unsigned long long)(d->max_bytes >> 20));
        return UINT32_MAX;
    }
    s.host = calloc(s.size + 16, 1);
    if (!s.host) {
        err_add(err, ERR_MACHINE, at, "no memory for '%s' of %llu bytes", s.name,
                (unsigned long long)s.size);
        return UINT32_MAX;
    }
    if (d->n_segments == d->cap_segments) {
        uint32_t cap = d->cap_segments ? d->cap_segments * 2 : 16;
        struct ptx_segment *more = arena_many(&d->mem, struct ptx_segment, cap);
        if (d->n_segments)
            memcpy(more, d->segments, d->n_segments * sizeof *more);
        d->segments = more;
        d->cap_segments = cap;
    }
    d->bytes += s.size;
    d->segments[d->n_segments] = s;
    return d->n_segments++;
}

/* A gap of at least one alignment unit follows every segment. */
static uint64_t take_range(uint64_t *next, uint64_t bytes, uint64_t align)
{
    uint64_t base = align_up(*next, align > SEGMENT_ALIGN ? align : SEGMENT_ALIGN);
    *next = base + align_up(bytes, SEGMENT_ALIGN) + SEGMENT_ALIGN;
    return base;
}

static bool place_variables(struct ptx_device *d, struct err *err)
{
    const struct ptx_module *m = &d->module;
    uint64_t *addresses = arena_many(&d->mem, uint64_t, m->n_vars + 1);
    uint64_t next_const = PTX_CONST_BASE;
    /* constants first: segments ascend */
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < m->n_vars; i++) {
            const struct ptx_var *v = m->vars[i];
            if (v->space != (pass ? PS_GLOBAL : PS_CONST))
                continue;
            struct ptx_segment s = {.size = v->bytes, .name = v->name, .writable = pass == 1};
            s.base = take_range(pass ? &d->next_global : &next_const, v->bytes, v->align);
            if (!pass && next_const > PTX_GLOBAL_BASE)
                return err_add(err, ERR_INPUT, AT_LINE(m->file, v->line),
                               "constants take more than %llu bytes",
                               (unsigned long long)(PTX_GLOBAL_BASE - PTX_CONST_BASE));
            addresses[i] = s.base;
            uint32_t k = add_segment(d, s, AT_LINE(m->file, v->line), err);
            if (k == UINT32_MAX)
                return false;
            if (v->init)
                memcpy(d->segments[k].host, v->init, v->bytes);
        }
    d->layout =
        (struct ptx_layout){.module = m, .addresses = addresses, .param_base = PTX_PARAM_BASE};
    return true;
}

/* Addresses of variables inside initial values. */
static bool fix_values(struct ptx_device *d, struct err *err)
{
    const struct ptx_module *m = &d->module;
    for (uint32_t i = 0; i < m->n_vars; i++)
        for (size_t k = 0; k < m->vars[i]->n_fixups; k++) {
            const struct ptx_fixup *f = &m->vars[i]->fixups[k];
            uint32_t to = ptx_device_symbol(d, f->symbol);
            uint32_t in = ptx_device_symbol(d, m->vars[i]->name);
            if (to == UINT32_MAX || in == UINT32_MAX)
                return err_add(err, ERR_INPUT, AT_LINE(m->file, f->line),
                               "'%s' is not a global or constant variable", f->symbol);
            uint64_t address = d->segments[to].base + (uint64_t)f->addend;
            for (uint32_t b = 0; b < f->bytes; b++)
                d->segments[in].host[f->offset + b] = (uint8_t)(b < 8 ? address >> (8 * b) : 0);
        }
    return true;
}

bool ptx_device_load(struct ptx_device *d, const char *file, const char *text, size_t n,
                     struct err *err)
{
    *d = (struct ptx_device){.next_global = PTX_GLOBAL_BASE, .max_bytes = MAX_MODULE_BYTES};
    arena_init(&d->mem, NULL, NULL);
    struct ptx_segment params = {
        .base = PTX_PARAM_BASE, .size = PTX_PARAM_BYTES, .name = "kernel parameters"};
    if (ptx_parse(file, text, n, &d->mem, &d->module, err) &&
        add_segment(d, params, AT_FILE(file), err) == 0 && place_variables(d, err) &&
        fix_values(d, err)) {
        d->max_bytes = MAX_DEVICE_BYTES;
        return true;
    }
    ptx_device_close(d);
    return false;
}

bool ptx_device_open(struct ptx_device *d, const char *path, struct err *err)
{
    struct arena text_mem;
    char *text;
    size_t n;
    arena_init(&text_mem, NULL, NULL);
    struct err_entry *before = err->last;
    bool ok = file_read(path, MAX_PTX_BYTES, &text_mem, &text, &n, err);
    if (ok && !ptx_device_load(d, path, text, n, err)) {
        ok = false;
        if (!strstr(text, ".version")) /* every PTX says it first */
            err_is_foreign(err, before);
    }
    arena_free(&text_mem);
    return ok;
}

void ptx_device_close(struct ptx_device *d)
{
    for (uint32_t i = 0; i < d->n_segments; i++)
        free(d->segments[i].host);
    arena_free(&d->mem);
    *d = (struct ptx_device){0};
}

uint32_t ptx_device_alloc(struct ptx_device *d, const char *name, uint64_t bytes, struct where at,
                          struct err *err)
{
    if (bytes > d->max_bytes)
        bytes = d->max_bytes + 1; /* refused below, without overflow */
    struct ptx_segment s = {.size = bytes, .name = arena_strdup(&d->mem, name), .writable = true};
    s.base = take_range(&d->next_global, bytes, SEGMENT_ALIGN);
    return add_segment(d, s, at, err);
}

uint32_t ptx_device_symbol(const struct ptx_device *d, const char *name)
{
    for (uint32_t i = 0; i < d->module.n_vars; i++) {
        const struct ptx_var *v = d->module.vars[i];
        if (strcmp(v->name, name) != 0 || (v->space != PS_GLOBAL && v->space != PS_CONST))
            continue;
        for (uint32_t k = 0; k < d->n_segments; k++)
            if (d->segments[k].base == d->layout.addresses[i])
                return k;
    }
    return UINT32_MAX;
}
