/* SPDX-License-Identifier: MIT
 *
 * Runs a workload: memory, launches and host steps in their order, and the judgement. */
#include "sim/workload/workload.h"

#include <inttypes.h>
#include <string.h>

#include "base/vec.h"
#include "sim/ptx/interpreter.h"

#define MAX_LOOPS 16

struct run {
    const struct workload *w;
    struct arena mem;
    struct ptx_device device;
    const struct workload_wishes *wishes;
    const struct trace_sink *sink;
    struct workload_stats *stats;
    struct err *err;
    uint32_t *segments; /* [buffer]: exchanged by swap */
    VEC(struct ptx_kernel *) kernels;
    /* names of whole numbers: parameters, then the indices of the loops we are in */
    const char **names;
    int64_t *values;
    struct workload_scope scope;
    /* for the judgement */
    const struct reference *reference;
    uint8_t **before; /* [buffer] */
    bool has_before;
};

static bool eval(struct run *r, const struct workload_expr *e, int64_t *out)
{
    if (!e->text) {
        *out = e->value;
        return true;
    }
    return workload_eval(e->text, &r->scope, e->at, out, r->err);
}

static uint64_t bytes_of(const struct workload_buffer *b)
{
    return b->count * workload_type_bytes(b->type);
}

static uint8_t *host_of(const struct run *r, uint32_t buffer)
{
    return r->device.segments[r->segments[buffer]].host;
}

/* ---- before the first launch ----------------------------------------------------------------- */

static bool make_buffers(struct run *r)
{
    r->segments = arena_many(&r->mem, uint32_t, r->w->n_buffers + 1);
    bool ok = true;
    for (size_t i = 0; i < r->w->n_buffers; i++) {
        const struct workload_buffer *b = &r->w->buffers[i];
        uint32_t s = b->symbol ? ptx_device_symbol(&r->device, b->symbol)
                               : ptx_device_alloc(&r->device, b->name, bytes_of(b), b->at, r->err);
        if (b->symbol && s == UINT32_MAX)
            ok = err_add(r->err, ERR_INPUT, b->at, "'%s' has no .global or .const variable '%s'",
                         r->w->ptx, b->symbol);
        else if (s == UINT32_MAX)
            ok = false;
        else if (bytes_of(b) > r->device.segments[s].size)
            ok = err_add(r->err, ERR_INPUT, b->at,
                         "buffer '%s' needs %" PRIu64 " bytes, variable '%s' has %" PRIu64, b->name,
                         bytes_of(b), b->symbol, r->device.segments[s].size);
        else
            r->segments[i] = s;
    }
    for (size_t i = 0; i < r->w->n_buffers && ok; i++) {
        const struct workload_buffer *b = &r->w->buffers[i];
        /* fresh memory is zero already, and need not be touched */
        if (!(b->init == WI_ZERO && !b->symbol))
            ok = workload_fill(b, host_of(r, (uint32_t)i), r->err);
    }
    return ok;
}

static const struct ptx_kernel *find_kernel(const struct run *r, const char *entry)
{
    for (size_t i = 0; i < r->kernels.n; i++)
        if (strcmp(r->kernels.at[i]->name, entry) == 0)
            return r->kernels.at[i];
    return NULL;
}

static bool check_args(struct run *r, const struct workload_step *s, const struct ptx_kernel *k)
{
    bool ok = true;
    if (s->n_args != k->func->n_params)
        return err_add(r->err, ERR_INPUT, s->at, "kernel '%s' takes %u arguments, not %zu",
                       s->entry, k->func->n_params, s->n_args);
    for (size_t i = 0; i < s->n_args; i++) {
        const struct ptx_var *p = k->func->params[i];
        const struct workload_arg *a = &s->args[i];
        bool is_real = p->type == PT_F32 || p->type == PT_F64;
        if (p->is_array && p->bytes > 8)
            ok = err_add(r->err, ERR_INPUT, a->at,
                         "parameter %zu of '%s' is a structure of %" PRIu64
                         " bytes, which a workload file cannot give",
                         i, s->entry, p->bytes);
        else if (a->kind == WA_BUFFER && p->bytes != 8)
            ok = err_add(r->err, ERR_INPUT, a->at,
                         "parameter %zu of '%s' has type .%s and cannot take an address", i,
                         s->entry, ptx_type_name(p->type));
        else if (a->kind == WA_REAL && !is_real)
            ok = err_add(r->err, ERR_INPUT, a->at,
                         "parameter %zu of '%s' has type .%s and cannot take a real number", i,
                         s->entry, ptx_type_name(p->type));
    }
    return ok;
}

/* Decodes every kernel that may be launched, so that what we cannot run is refused now. */
static bool decode_all(struct run *r, const struct workload_step *steps, size_t n)
{
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        const struct workload_step *s = &steps[i];
        if (s->kind == WS_REPEAT || s->kind == WS_WHILE)
            ok = decode_all(r, s->body, s->n_body) && ok;
        if (s->kind != WS_LAUNCH)
            continue;
        const struct ptx_kernel *k = find_kernel(r, s->entry);
        if (!k) {
            struct ptx_kernel *fresh = arena_new(&r->mem, struct ptx_kernel);
            if (!ptx_decode(&r->device.layout, s->entry, &r->mem, fresh, r->err)) {
                err_note(r->err, s->at, "'%s' is launched here", s->entry);
                ok = false;
                continue;
            }
            vec_push(&r->mem, &r->kernels, fresh);
            k = fresh;
        }
        ok = check_args(r, s, k) && ok;
    }
    return ok;
}

static void take_before(struct run *r)
{
    if (r->has_before || !r->reference)
        return;
    r->has_before = true;
    for (size_t i = 0; i < r->w->n_buffers; i++) {
        uint64_t n = bytes_of(&r->w->buffers[i]);
        r->before[i] = arena_alloc(&r->mem, n + 16);
        memcpy(r->before[i], host_of(r, (uint32_t)i), n);
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

static bool put_integer(struct run *r, const struct workload_arg *a, const struct ptx_var *p,
                        int64_t v, uint8_t *to)
{
    if (p->type == PT_F32) {
        float f = (float)v;
        memcpy(to, &f, sizeof f);
        return true;
    }
    if (p->type == PT_F64) {
        double f = (double)v;
        memcpy(to, &f, sizeof f);
        return true;
    }
    unsigned bits = (unsigned)p->bytes * 8;
    if (bits < 64 && (v < -((int64_t)1 << (bits - 1)) || v >= (int64_t)1 << bits))
        return err_add(r->err, ERR_INPUT, a->at, "%" PRId64 " does not fit %u bits", v, bits);
    memcpy(to, &v, p->bytes);
    return true;
}

static bool put_arg(struct run *r, const struct workload_arg *a, const struct ptx_var *p,
                    uint8_t *to)
{
    int64_t v;
    if (a->kind == WA_REAL) {
        float f = (float)a->real;
        memcpy(to, p->type == PT_F32 ? (void *)&f : (const void *)&a->real, p->bytes);
        return true;
    }
    if (!eval(r, &a->integer, &v))
        return false;
    if (a->kind == WA_INTEGER)
        return put_integer(r, a, p, v, to);
    const struct workload_buffer *b = &r->w->buffers[a->buffer];
    if (v < 0 || (uint64_t)v > b->count)
        return err_add(r->err, ERR_INPUT, a->at, "element %" PRId64 " of '%s', which has %" PRIu64,
                       v, b->name, b->count);
    uint64_t address = r->device.segments[r->segments[a->buffer]].base +
                       (uint64_t)v * workload_type_bytes(b->type);
    memcpy(to, &address, sizeof address);
    return true;
}

static bool eval_dim(struct run *r, const struct workload_expr e[3], struct trace_dim *out,
                     bool *is_zero)
{
    uint32_t *const to[] = {&out->x, &out->y, &out->z};
    *is_zero = false;
    for (int i = 0; i < 3; i++) {
        int64_t v;
        if (!eval(r, &e[i], &v))
            return false;
        if (v < 0 || v > INT32_MAX)
            return err_add(r->err, ERR_INPUT, e[i].at,
                           "a grid or block of %" PRId64 " is not in 0..%d", v, INT32_MAX);
        *to[i] = (uint32_t)v;
        *is_zero |= v == 0;
    }
    return true;
}

static uint32_t registers_of(const struct workload *w, const char *entry)
{
    for (size_t i = 0; i < w->n_registers; i++)
        if (strcmp(w->registers[i].entry, entry) == 0)
            return w->registers[i].n;
    return 0;
}

static bool launch(struct run *r, const struct workload_step *s)
{
    const struct ptx_kernel *k = find_kernel(r, s->entry);
    uint8_t *params = arena_alloc(&r->mem, k->param_bytes + 16);
    struct ptx_launch l = {.kernel = k,
                           .params = params,
                           .registers = registers_of(r->w, s->entry),
                           .max_warp_insts = r->w->max_warp_insts,
                           .reads_outside = r->w->reads_outside,
                           .n_sms = r->w->n_sms,
                           .races = r->wishes->all_races ? PTX_RACES_ALL : PTX_RACES_NOTE};
    bool no_grid, no_block;
    int64_t shared;
    if (!eval_dim(r, s->grid, &l.grid, &no_grid) || !eval_dim(r, s->block, &l.block, &no_block) ||
        !eval(r, &s->shared, &shared))
        return false;
    if (no_grid)
        return true;
    if (shared < 0 || shared > (int64_t)PTX_MAX_SHARED)
        return err_add(r->err, ERR_INPUT, s->at, "%" PRId64 " bytes of shared memory", shared);
    l.dynamic_shared = (uint32_t)shared;
    for (size_t i = 0; i < s->n_args; i++)
        if (!put_arg(r, &s->args[i], k->func->params[i], params + k->param_offsets[i]))
            return false;
    struct ptx_counts counts = {0};
    if (s->record)
        take_before(r);
    if (!ptx_run(&r->device, &l, s->record ? r->sink : NULL, &counts, r->err)) {
        err_note(r->err, s->at, "'%s' is launched here", s->entry);
        return false;
    }
    r->stats->races += counts.races;
    r->stats->all_thread_insts += counts.thread_insts;
    if (s->record) {
        r->stats->kernels++;
        r->stats->ctas += counts.ctas;
        r->stats->warp_insts += counts.warp_insts;
        r->stats->thread_insts += counts.thread_insts;
    }
    return true;
}

static bool run_steps(struct run *r, const struct workload_step *steps, size_t n);

static bool repeat(struct run *r, const struct workload_step *s)
{
    int64_t n;
    if (!eval(r, &s->repeat, &n))
        return false;
    if (n < 0)
        return err_add(r->err, ERR_INPUT, s->at, "repeat %" PRId64 " times", n);
    size_t slot = r->scope.n;
    if (s->index) {
        r->names[slot] = s->index;
        r->scope.n++;
    }
    bool ok = true;
    for (int64_t i = 0; i < n && ok; i++) {
        if (s->index)
            r->values[slot] = i;
        ok = run_steps(r, s->body, s->n_body);
    }
    r->scope.n = slot;
    return ok;
}

static bool element_of(struct run *r, uint32_t buffer, const struct workload_expr *e,
                       uint64_t *offset)
{
    const struct workload_buffer *b = &r->w->buffers[buffer];
    int64_t v;
    if (!eval(r, e, &v))
        return false;
    if (v < 0 || (uint64_t)v >= b->count)
        return err_add(r->err, ERR_INPUT, e->at, "element %" PRId64 " of '%s', which has %" PRIu64,
                       v, b->name, b->count);
    *offset = (uint64_t)v * workload_type_bytes(b->type);
    return true;
}

static bool loop_while(struct run *r, const struct workload_step *s)
{
    const struct workload_buffer *b = &r->w->buffers[s->buffer];
    for (int64_t round = 0; round < s->limit; round++) {
        uint64_t offset, word = 0;
        if (!run_steps(r, s->body, s->n_body) || !element_of(r, s->buffer, &s->element, &offset))
            return false;
        memcpy(&word, host_of(r, s->buffer) + offset, workload_type_bytes(b->type));
        if (word == 0)
            return true;
    }
    return err_add(r->err, ERR_INPUT, s->at, "'%s' is still not zero after %" PRId64 " rounds",
                   b->name, s->limit);
}

static bool copy(struct run *r, const struct workload_step *s)
{
    const struct workload_buffer *to = &r->w->buffers[s->buffer], *from = &r->w->buffers[s->other];
    uint64_t offset;
    if (!element_of(r, s->other, &s->element, &offset))
        return false;
    if (bytes_of(to) > bytes_of(from) - offset)
        return err_add(r->err, ERR_INPUT, s->at,
                       "'%s' has %" PRIu64 " bytes from there, '%s' %" PRIu64, from->name,
                       bytes_of(from) - offset, to->name, bytes_of(to));
    memmove(host_of(r, s->buffer), host_of(r, s->other) + offset, bytes_of(to));
    return true;
}

static bool run_step(struct run *r, const struct workload_step *s)
{
    switch (s->kind) {
    case WS_LAUNCH: return launch(r, s);
    case WS_REPEAT: return repeat(r, s);
    case WS_WHILE: return loop_while(r, s);
    case WS_FILL:
        for (uint64_t i = 0; i < r->w->buffers[s->buffer].count; i++)
            workload_put(r->w->buffers[s->buffer].type, host_of(r, s->buffer), i, s->value);
        return true;
    case WS_COPY: return copy(r, s);
    case WS_SWAP: {
        uint32_t t = r->segments[s->buffer];
        r->segments[s->buffer] = r->segments[s->other];
        r->segments[s->other] = t;
        return true;
    }
    }
    return false;
}

static bool run_steps(struct run *r, const struct workload_step *steps, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!run_step(r, &steps[i]))
            return false;
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool judge(struct run *r)
{
    const struct workload *w = r->w;
    if (!r->reference)
        return true;
    take_before(r); /* nothing was recorded: before is after */
    struct arena scratch;
    arena_init(&scratch, NULL, NULL);
    struct ref_buffer *buffers = arena_many(&scratch, struct ref_buffer, w->n_buffers + 1);
    struct ref_param *params = arena_many(&scratch, struct ref_param, w->n_params + 1);
    for (size_t i = 0; i < w->n_buffers; i++)
        buffers[i] = (struct ref_buffer){.name = w->buffers[i].name,
                                         .type = w->buffers[i].type,
                                         .count = w->buffers[i].count,
                                         .before = r->before[i],
                                         .after = host_of(r, (uint32_t)i)};
    for (size_t i = 0; i < w->n_params; i++)
        params[i] = (struct ref_param){w->params[i].name, w->params[i].real};
    struct ref ref = {.buffers = buffers,
                      .n_buffers = w->n_buffers,
                      .params = params,
                      .n_params = w->n_params,
                      .mem = &scratch};
    r->reference->check(&ref);
    bool ok = !ref.wrong ||
              err_add(r->err, ERR_INPUT, AT_FILE(w->file),
                      "the result is wrong, says reference '%s': %s", w->expected, ref.wrong);
    r->stats->judged = ok;
    arena_free(&scratch);
    return ok;
}

/* The first element of a buffer that is not what its file says. */
static bool judge_buffer(struct run *r, const struct workload_buffer *b, const void *data)
{
    struct workload_buffer as_file = *b;
    as_file.init = WI_FILE;
    as_file.file = b->expect;
    void *want = arena_alloc(&r->mem, bytes_of(b) + 16);
    if (!workload_fill(&as_file, want, r->err))
        return false;
    for (uint64_t i = 0; i < b->count; i++) {
        double is = workload_get(b->type, data, i), must = workload_get(b->type, want, i);
        double room = b->tolerance * (must < -1 ? -must : must > 1 ? must : 1);
        bool same =
            is == must || (is != is && must != must) || (is - must <= room && must - is <= room);
        if (!same)
            return err_add(r->err, ERR_INPUT, b->at,
                           "the result is wrong: '%s[%" PRIu64 "]' is %.9g, '%s' has %.9g", b->name,
                           i, is, b->expect, must);
    }
    r->stats->judged = true;
    return true;
}

static bool judge_buffers(struct run *r)
{
    bool ok = true;
    for (size_t i = 0; i < r->w->n_buffers; i++) {
        const struct workload_buffer *b = &r->w->buffers[i];
        const void *data = host_of(r, (uint32_t)i);
        if (r->wishes->result)
            ok = r->wishes->result(r->wishes->ctx, b, data, r->err) && ok;
        if (b->expect)
            ok = judge_buffer(r, b, data) && ok;
    }
    return ok;
}

static bool prepare(struct run *r)
{
    const struct workload *w = r->w;
    r->names = arena_many(&r->mem, const char *, w->n_params + MAX_LOOPS);
    r->values = arena_many(&r->mem, int64_t, w->n_params + MAX_LOOPS);
    r->before = arena_many(&r->mem, uint8_t *, w->n_buffers + 1);
    for (size_t i = 0; i < w->n_params; i++)
        if (!w->params[i].is_real) {
            r->names[r->scope.n] = w->params[i].name;
            r->values[r->scope.n++] = w->params[i].integer;
        }
    r->scope.names = r->names;
    r->scope.values = r->values;
    if (w->expected)
        r->reference = reference_find(w->expected);
    if (w->expected && !r->reference)
        return err_add(r->err, ERR_INPUT, AT_FILE(w->file), "there is no reference '%s'",
                       w->expected);
    return true;
}

static size_t loop_depth(const struct workload_step *steps, size_t n)
{
    size_t most = 0;
    for (size_t i = 0; i < n; i++)
        if (steps[i].n_body) {
            size_t d = 1 + loop_depth(steps[i].body, steps[i].n_body);
            most = d > most ? d : most;
        }
    return most;
}

bool workload_run(const struct workload *w, const struct workload_wishes *wishes,
                  const struct trace_sink *sink, struct workload_stats *stats, struct err *err)
{
    static const struct workload_wishes none;
    struct run r = {
        .w = w, .wishes = wishes ? wishes : &none, .sink = sink, .stats = stats, .err = err};
    *stats = (struct workload_stats){0};
    if (loop_depth(w->steps, w->n_steps) > MAX_LOOPS)
        return err_add(err, ERR_INPUT, AT_FILE(w->file), "loops are nested more than %d deep",
                       MAX_LOOPS);
    if (!ptx_device_open(&r.device, w->ptx, err)) {
        err_note(err, AT_FILE(w->file), "it is the 'ptx' of this workload");
        return false;
    }
    r.device.layout.as_ptx = r.wishes->as_ptx || w->as_ptx;
    arena_init(&r.mem, NULL, NULL);
    bool ok = prepare(&r) && decode_all(&r, w->steps, w->n_steps) && make_buffers(&r) &&
              run_steps(&r, w->steps, w->n_steps) && judge_buffers(&r) && judge(&r);
    arena_free(&r.mem);
    ptx_device_close(&r.device);
    return ok;
}
