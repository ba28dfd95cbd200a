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

/* The number of the first segment above the address. */
static uint32_t first_above(const struct ptx_device *d, uint64_t address)
{
    uint32_t low = 0, high = d->n_segments;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (d->segments[mid].base <= address)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static uint32_t insert_segment(struct ptx_device *d, struct ptx_segment s)
{
    if (d->n_segments == d->cap_segments) {
        uint32_t cap = d->cap_segments ? d->cap_segments * 2 : 16;
        struct ptx_segment *more = arena_many(&d->mem, struct ptx_segment, cap);
        if (d->n_segments)
            memcpy(more, d->segments, d->n_segments * sizeof *more);
        d->segments = more;
        d->cap_segments = cap;
    }
    uint32_t at = first_above(d, s.base);
    memmove(d->segments + at + 1, d->segments + at, (d->n_segments - at) * sizeof s);
    d->segments[at] = s;
    d->n_segments++;
    d->bytes += s.size;
    return at;
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
    return insert_segment(d, s);
}

/* A gap of at least one alignment unit follows every segment. */
static uint64_t take_range(uint64_t *next, uint64_t bytes, uint64_t align)
{
    uint64_t base = align_up(*next, align > SEGMENT_ALIGN ? align : SEGMENT_ALIGN);
    *next = base + align_up(bytes, SEGMENT_ALIGN) + SEGMENT_ALIGN;
    return base;
}

static bool place_variables(struct ptx_device *d, const struct ptx_module *m,
                            struct ptx_layout *layout, struct err *err)
{
    uint64_t *addresses = arena_many(&d->mem, uint64_t, m->n_vars + 1);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < m->n_vars; i++) {
            const struct ptx_var *v = m->vars[i];
            if (v->space != (pass ? PS_GLOBAL : PS_CONST))
                continue;
            struct ptx_segment s = {.size = v->bytes, .name = v->name, .writable = pass == 1};
            s.base = take_range(pass ? &d->next_global : &d->next_const, v->bytes, v->align);
            if (!pass && d->next_const > PTX_GLOBAL_BASE)
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
    *layout = (struct ptx_layout){.module = m,
                                  .addresses = addresses,
                                  .param_base = PTX_PARAM_BASE,
                                  .code_base = d->next_code};
    d->next_code += ((uint64_t)m->n_funcs + 1) * PTX_CODE_STEP;
    return true;
}

/* Addresses of variables inside initial values. An address of anything else leaves the variable
 * unusable. */
static void fix_values(struct ptx_device *d, struct ptx_layout *layout)
{
    const struct ptx_module *m = layout->module;
    const char **unresolved = arena_many(&d->mem, const char *, m->n_vars + 1);
    layout->unresolved = unresolved;
    for (uint32_t i = 0; i < m->n_vars; i++)
        for (size_t k = 0; k < m->vars[i]->n_fixups; k++) {
            const struct ptx_fixup *f = &m->vars[i]->fixups[k];
            uint64_t to = ptx_symbol_address(layout, f->symbol);
            to = to ? to : ptx_function_address(layout, f->symbol);
            const struct ptx_segment *in = ptx_device_at(d, layout->addresses[i]);
            if (!to || !in) {
                unresolved[i] = f->symbol;
                continue;
            }
            to += (uint64_t)f->addend;
            for (uint32_t b = 0; b < f->bytes; b++)
                in->host[f->offset + b] = (uint8_t)(b < 8 ? to >> (8 * b) : 0);
        }
}

bool ptx_device_relocate(struct ptx_device *d, struct ptx_layout *layout, const char *name,
                         uint64_t address)
{
    const struct ptx_module *m = layout->module;
    uint64_t *addresses = arena_many(&d->mem, uint64_t, m->n_vars + 1);
    memcpy(addresses, layout->addresses, m->n_vars * sizeof *addresses);
    for (uint32_t i = 0; i < m->n_vars; i++) {
        const struct ptx_segment *to = ptx_device_at(d, address);
        if (m->vars[i]->space != PS_GLOBAL || strcmp(m->vars[i]->name, name) != 0 || !to ||
            to->size - (address - to->base) < m->vars[i]->bytes)
            continue;
        uint8_t *host = to->host + (address - to->base);
        if (m->vars[i]->init)
            memcpy(host, m->vars[i]->init, m->vars[i]->bytes);
        else
            memset(host, 0, m->vars[i]->bytes);
        ptx_device_unmap(d, addresses[i]);
        addresses[i] = address;
        layout->addresses = addresses;
        fix_values(d, layout);
        return true;
    }
    return false;
}

bool ptx_device_begin(struct ptx_device *d, uint64_t global_base, struct err *err)
{
    *d = (struct ptx_device){.next_global = global_base,
                             .next_const = PTX_CONST_BASE,
                             .next_code = PTX_CODE_BASE,
                             .max_bytes = MAX_DEVICE_BYTES};
    arena_init(&d->mem, NULL, NULL);
    struct ptx_segment params = {
        .base = PTX_PARAM_BASE, .size = PTX_PARAM_BYTES, .name = "kernel parameters"};
    uint32_t s = add_segment(d, params, NOWHERE, err);
    if (s == UINT32_MAX)
        return false;
    d->params = d->segments[s].host;
    return true;
}

bool ptx_device_add_module(struct ptx_device *d, const char *file, const char *text, size_t n,
                           struct ptx_module *module, struct ptx_layout *layout, struct err *err)
{
    uint64_t most = d->max_bytes;
    if (!ptx_parse(file, text, n, &d->mem, module, err))
        return false;
    d->max_bytes = d->bytes + MAX_MODULE_BYTES < most ? d->bytes + MAX_MODULE_BYTES : most;
    bool ok = place_variables(d, module, layout, err);
    d->max_bytes = most;
    if (ok)
        fix_values(d, layout);
    return ok;
}

bool ptx_device_load(struct ptx_device *d, const char *file, const char *text, size_t n,
                     struct err *err)
{
    if (!ptx_device_begin(d, PTX_GLOBAL_BASE, err))
        return false;
    if (ptx_device_add_module(d, file, text, n, &d->module, &d->layout, err))
        return true;
    ptx_device_close(d);
    return false;
}

bool ptx_device_open_module(struct ptx_device *d, const char *path, struct ptx_module *module,
                            struct ptx_layout *layout, struct err *err)
{
    struct arena text_mem;
    char *text;
    size_t n;
    arena_init(&text_mem, NULL, NULL);
    struct err_entry *before = err->last;
    bool ok = file_read(path, MAX_PTX_BYTES, &text_mem, &text, &n, err);
    if (ok && !ptx_device_add_module(d, path, text, n, module, layout, err)) {
        ok = false;
        if (!strstr(text, ".version")) /* every PTX says it first */
            err_is_foreign(err, before);
    }
    arena_free(&text_mem);
    return ok;
}

bool ptx_device_open(struct ptx_device *d, const char *path, struct err *err)
{
    if (!ptx_device_begin(d, PTX_GLOBAL_BASE, err))
        return false;
    if (ptx_device_open_module(d, path, &d->module, &d->layout, err))
        return true;
    ptx_device_close(d);
    return false;
}

void ptx_device_close(struct ptx_device *d)
{
    for (uint32_t i = 0; i < d->n_segments; i++)
        if (!d->segments[i].borrowed)
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

uint64_t ptx_symbol_address(const struct ptx_layout *layout, const char *name)
{
    const struct ptx_module *m = layout->module;
    for (uint32_t i = 0; i < m->n_vars; i++)
        if (strcmp(m->vars[i]->name, name) == 0 &&
            (m->vars[i]->space == PS_GLOBAL || m->vars[i]->space == PS_CONST))
            return layout->addresses[i];
    return 0;
}

uint64_t ptx_function_address(const struct ptx_layout *layout, const char *name)
{
    const struct ptx_module *m = layout->module;
    for (uint32_t i = 0; i < m->n_funcs; i++)
        if (m->funcs[i]->has_body && !m->funcs[i]->is_entry && strcmp(m->funcs[i]->name, name) == 0)
            return layout->code_base + (uint64_t)i * PTX_CODE_STEP;
    return 0;
}

uint32_t ptx_device_symbol(const struct ptx_device *d, const struct ptx_layout *layout,
                           const char *name)
{
    uint64_t address = ptx_symbol_address(layout, name);
    uint32_t k = first_above(d, address);
    return address && k && d->segments[k - 1].base == address ? k - 1 : UINT32_MAX;
}

const struct ptx_segment *ptx_device_at(const struct ptx_device *d, uint64_t address)
{
    uint32_t k = first_above(d, address);
    if (k == 0)
        return NULL;
    const struct ptx_segment *s = &d->segments[k - 1];
    return address - s->base < s->size || address == s->base ? s : NULL;
}

bool ptx_device_map(struct ptx_device *d, const struct ptx_segment *s, struct err *err)
{
    uint32_t k = first_above(d, s->base);
    bool below = k > 0 && s->base - d->segments[k - 1].base < d->segments[k - 1].size;
    bool above = k < d->n_segments && d->segments[k].base - s->base < s->size;
    if (below || above || s->size > d->max_bytes - d->bytes)
        return err_add(err, ERR_INPUT, NOWHERE, "'%s' of %llu bytes at 0x%llx %s", s->name,
                       (unsigned long long)s->size, (unsigned long long)s->base,
                       below || above ? "overlaps other memory" : "does not fit the device");
    struct ptx_segment own = *s;
    own.borrowed = true;
    insert_segment(d, own);
    return true;
}

bool ptx_device_unmap(struct ptx_device *d, uint64_t base)
{
    uint32_t k = first_above(d, base);
    if (k == 0 || d->segments[k - 1].base != base)
        return false;
    struct ptx_segment *s = &d->segments[k - 1];
    d->bytes -= s->size;
    if (!s->borrowed)
        free(s->host);
    d->n_segments--;
    memmove(s, s + 1, (d->n_segments - (k - 1)) * sizeof *s);
    return true;
}
