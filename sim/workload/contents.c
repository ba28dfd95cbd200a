/* SPDX-License-Identifier: MIT
 *
 * Expressions of a running workload, and what its buffers hold before the first launch. */
#include <inttypes.h>
#include <string.h>

#include "sim/workload/run_impl.h"

/* ---- expressions ----------------------------------------------------------------------------- */

struct workload_real_scope wl_real_scope(const struct run *r)
{
    return (struct workload_real_scope){.whole = &r->scope,
                                        .params = r->w->params,
                                        .n_params = r->w->n_params,
                                        .buffers = r->w->buffers,
                                        .n_buffers = r->w->n_buffers};
}

struct workload_contents wl_contents(struct run *r)
{
    for (size_t i = 0; i < r->w->n_buffers; i++)
        r->now[i] = wl_host(r, (uint32_t)i);
    return (struct workload_contents){r->now, r->before};
}

bool wl_eval_real(struct run *r, const char *text, struct where at, double *out)
{
    struct arena scratch;
    struct workload_real_scope scope = wl_real_scope(r);
    struct workload_contents all = wl_contents(r);
    arena_init(&scratch, NULL, NULL);
    const struct workload_real *e = workload_real_read(text + 1, &scope, at, &scratch, r->err);
    bool ok = e && workload_real_value(e, 0, &all, out, r->err);
    arena_free(&scratch);
    return ok;
}

bool wl_eval(struct run *r, const struct workload_expr *e, int64_t *out)
{
    double v;
    if (!e->text) {
        *out = e->value;
        return true;
    }
    if (e->text[0] != '=')
        return workload_eval(e->text, &r->scope, e->at, out, r->err);
    if (!wl_eval_real(r, e->text, e->at, &v))
        return false;
    if (!(v >= -9e15 && v <= 9e15) || v != (double)(int64_t)v)
        return err_add(r->err, ERR_INPUT, e->at, "\"%s\" is %.9g, not a whole number", e->text, v);
    *out = (int64_t)v;
    return true;
}

/* ---- before the first launch ----------------------------------------------------------------- */

static uint32_t find_symbol(const struct run *r, const char *name)
{
    uint32_t s = UINT32_MAX;
    for (size_t i = 0; i < wl_modules(r) && s == UINT32_MAX; i++)
        s = ptx_device_symbol(&r->device, wl_layout(r, i), name);
    return s;
}

bool wl_address(struct run *r, const struct workload_arg *a, int64_t more, uint64_t *out)
{
    const struct workload_buffer *b = &r->w->buffers[a->buffer];
    int64_t v = 0;
    if (!wl_eval(r, &a->integer, &v))
        return false;
    if (__builtin_add_overflow(v, more, &v) || v < 0 || (uint64_t)v > b->count)
        return err_add(r->err, ERR_INPUT, a->at, "element %" PRId64 " of '%s', which has %" PRIu64,
                       v, b->name, b->count);
    *out = r->device.segments[r->segments[a->buffer]].base +
           (uint64_t)v * workload_type_bytes(b->type);
    return true;
}

static bool fill_addresses(struct run *r, const struct workload_buffer *b, uint8_t *to)
{
    for (uint64_t i = 0; i < b->count; i++) {
        uint64_t address = 0;
        int64_t more;
        if (__builtin_mul_overflow((int64_t)(i / b->n_addresses), b->address_step, &more))
            more = INT64_MAX;
        if (!wl_address(r, &b->addresses[i % b->n_addresses], more, &address))
            return false;
        memcpy(to + i * sizeof address, &address, sizeof address);
    }
    return true;
}

/* Room for what the type can hold, as a C cast needs it. */
static bool fits_type(enum ref_type type, double v)
{
    unsigned bits = workload_type_bytes(type) * 8;
    bool is_signed = type == REF_S8 || type == REF_S16 || type == REF_S32 || type == REF_S64;
    if (type == REF_F32 || type == REF_F64)
        return true;
    double top = 1;
    for (unsigned i = is_signed; i < bits; i++)
        top *= 2;
    return v > (is_signed ? -top - 1 : -1) && v < top && v < 9.2e18;
}

static bool fill_formula(struct run *r, uint32_t buffer, uint8_t *to)
{
    const struct workload_buffer *b = &r->w->buffers[buffer];
    struct workload_real_scope scope = wl_real_scope(r);
    struct workload_contents all = wl_contents(r);
    scope.n_buffers = buffer;
    scope.has_element = true;
    const struct workload_real *e =
        workload_real_read(b->formula + 1, &scope, b->at, &r->mem, r->err);
    for (uint64_t i = 0; e && i < b->count; i++) {
        double v;
        if (!workload_real_value(e, i, &all, &v, r->err))
            return false;
        if (!fits_type(b->type, v))
            return err_add(r->err, ERR_INPUT, b->at,
                           "\"%s\" is %.9g for element %" PRIu64 ", which type %s cannot hold",
                           b->formula, v, i, workload_type_name(b->type));
        bool is_real = b->type == REF_F32 || b->type == REF_F64;
        workload_put(b->type, to, i,
                     (struct workload_number){is_real, is_real ? 0 : (int64_t)v, v});
    }
    return e != NULL;
}

static bool fill_buffer(struct run *r, uint32_t buffer)
{
    const struct workload_buffer *b = &r->w->buffers[buffer];
    uint8_t *to = wl_host(r, buffer);
    if (b->init == WI_ADDRESSES)
        return fill_addresses(r, b, to);
    if (b->init == WI_FORMULA)
        return fill_formula(r, buffer, to);
    /* fresh memory is zero already, and need not be touched */
    return (b->init == WI_ZERO && !b->symbol) || workload_fill(b, to, r->err);
}

bool wl_make_buffers(struct run *r)
{
    r->segments = arena_many(&r->mem, uint32_t, r->w->n_buffers + 1);
    bool ok = true;
    for (size_t i = 0; i < r->w->n_buffers; i++) {
        const struct workload_buffer *b = &r->w->buffers[i];
        uint32_t s = b->symbol ? find_symbol(r, b->symbol)
                               : ptx_device_alloc(&r->device, b->name, wl_bytes(b), b->at, r->err);
        if (b->symbol && s == UINT32_MAX)
            ok = err_add(r->err, ERR_INPUT, b->at, "'%s' has no .global or .const variable '%s'",
                         r->w->ptx, b->symbol);
        else if (s == UINT32_MAX)
            ok = false;
        else if (wl_bytes(b) > r->device.segments[s].size)
            ok = err_add(r->err, ERR_INPUT, b->at,
                         "buffer '%s' needs %" PRIu64 " bytes, variable '%s' has %" PRIu64, b->name,
                         wl_bytes(b), b->symbol, r->device.segments[s].size);
        else
            r->segments[i] = s;
    }
    for (size_t i = 0; i < r->w->n_buffers && ok; i++)
        ok = fill_buffer(r, (uint32_t)i);
    return ok;
}
