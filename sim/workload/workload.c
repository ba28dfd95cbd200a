/* SPDX-License-Identifier: MIT
 *
 * Runs a workload: memory, launches and host steps in their order, and the judgement. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/workload/run_impl.h"

/* ---- before the first launch ----------------------------------------------------------------- */

static const struct ptx_kernel *find_kernel(const struct run *r, const char *entry)
{
    for (size_t i = 0; i < r->kernels.n; i++)
        if (strcmp(r->kernels.at[i]->name, entry) == 0)
            return r->kernels.at[i];
    return NULL;
}

/* Where a structure's next member of so many bytes begins. */
static uint64_t member_offset(uint64_t end, uint32_t bytes)
{
    return (end + bytes - 1) / bytes * bytes;
}

static uint64_t structure_bytes(const struct workload_arg *a)
{
    uint64_t end = 0;
    uint32_t widest = 1;
    for (size_t i = 0; i < a->n_members; i++) {
        uint32_t bytes = workload_type_bytes(a->members[i].type);
        end = member_offset(end, bytes) + bytes;
        widest = bytes > widest ? bytes : widest;
    }
    return member_offset(end, widest);
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
        if (a->kind == WA_STRUCTURE && (!p->is_array || structure_bytes(a) != p->bytes))
            ok = err_add(r->err, ERR_INPUT, a->at,
                         "parameter %zu of '%s' has %" PRIu64 " bytes%s, the structure %" PRIu64, i,
                         s->entry, p->bytes, p->is_array ? "" : " and is none", structure_bytes(a));
        else if (a->kind == WA_STRUCTURE)
            continue;
        else if (p->is_array && p->bytes > 8)
            ok = err_add(r->err, ERR_INPUT, a->at,
                         "parameter %zu of '%s' is a structure of %" PRIu64
                         " bytes: its members stand in a list, (\"u64 a\", \"f32 1.5\")",
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

/* The module that has the kernel; the first one where none has it. */
static const struct ptx_layout *find_layout(struct run *r, const struct workload_step *s)
{
    const struct ptx_layout *found = NULL;
    for (size_t i = 0; i < wl_modules(r); i++) {
        const struct ptx_func *f = ptx_find_func(wl_layout(r, i)->module, s->entry);
        if (!f || !f->is_entry || !f->has_body)
            continue;
        if (found) {
            err_add(r->err, ERR_INPUT, s->at, "kernel '%s' is in '%s' and in '%s'", s->entry,
                    found->module->file, wl_layout(r, i)->module->file);
            return NULL;
        }
        found = wl_layout(r, i);
    }
    return found ? found : wl_layout(r, 0);
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
            const struct ptx_layout *layout = find_layout(r, s);
            if (!layout || !ptx_decode(layout, s->entry, &r->mem, fresh, r->err)) {
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
    if (r->has_before || !(r->reference || r->wants_before))
        return;
    r->has_before = true;
    for (size_t i = 0; i < r->w->n_buffers; i++) {
        uint64_t n = wl_bytes(&r->w->buffers[i]);
        r->before[i] = arena_alloc(&r->mem, n + 16);
        memcpy(r->before[i], wl_host(r, (uint32_t)i), n);
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

static bool put_real(const struct ptx_var *p, double v, uint8_t *to)
{
    float f = (float)v;
    memcpy(to, p->type == PT_F32 ? (const void *)&f : (const void *)&v, p->bytes);
    return true;
}

static bool put_arg(struct run *r, const struct workload_arg *a, const struct ptx_var *p,
                    uint8_t *to);

static bool put_structure(struct run *r, const struct workload_arg *a, uint8_t *to)
{
    static const enum ptx_type types[] = {
        [REF_U8] = PT_U8,   [REF_S8] = PT_S8,   [REF_U16] = PT_U16, [REF_S16] = PT_S16,
        [REF_U32] = PT_U32, [REF_S32] = PT_S32, [REF_U64] = PT_U64, [REF_S64] = PT_S64,
        [REF_F32] = PT_F32, [REF_F64] = PT_F64};
    uint64_t end = 0;
    for (size_t i = 0; i < a->n_members; i++) {
        const struct workload_member *m = &a->members[i];
        uint32_t bytes = workload_type_bytes(m->type);
        struct ptx_var as_param = {.type = types[m->type], .bytes = bytes};
        end = member_offset(end, bytes);
        if (!put_arg(r, &m->arg, &as_param, to + end))
            return false;
        end += bytes;
    }
    return true;
}

static bool put_arg(struct run *r, const struct workload_arg *a, const struct ptx_var *p,
                    uint8_t *to)
{
    int64_t v;
    double real;
    bool is_real = p->type == PT_F32 || p->type == PT_F64;
    uint64_t address;
    if (a->kind == WA_STRUCTURE)
        return put_structure(r, a, to);
    if (a->kind == WA_REAL)
        return put_real(p, a->real, to);
    if (a->kind == WA_INTEGER && is_real && a->integer.text && a->integer.text[0] == '=')
        return wl_eval_real(r, a->integer.text, a->at, &real) && put_real(p, real, to);
    if (a->kind == WA_INTEGER)
        return wl_eval(r, &a->integer, &v) && put_integer(r, a, p, v, to);
    if (!wl_address(r, a, 0, &address))
        return false;
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
        if (!wl_eval(r, &e[i], &v))
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
                           .cooperative = s->cooperative,
                           .reads_outside = r->w->reads_outside,
                           .n_sms = r->w->n_sms,
                           .races = r->wishes->all_races ? PTX_RACES_ALL : PTX_RACES_NOTE};
    bool no_grid, no_block;
    int64_t shared;
    if (!eval_dim(r, s->grid, &l.grid, &no_grid) || !eval_dim(r, s->block, &l.block, &no_block) ||
        !wl_eval(r, &s->shared, &shared))
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
    if (!wl_eval(r, &s->repeat, &n))
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
    if (!wl_eval(r, e, &v))
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
        uint64_t offset = 0, word = 0;
        double v = 0;
        if (s->condition) {
            if (!run_steps(r, s->body, s->n_body) || !wl_eval_real(r, s->condition, s->at, &v))
                return false;
            if (v == 0)
                return true;
            continue;
        }
        if (!run_steps(r, s->body, s->n_body) || !element_of(r, s->buffer, &s->element, &offset))
            return false;
        memcpy(&word, wl_host(r, s->buffer) + offset, workload_type_bytes(b->type));
        if (word == 0)
            return true;
    }
    return err_add(r->err, ERR_INPUT, s->at, "'%s' is still not zero after %" PRId64 " rounds",
                   s->condition ? s->condition : b->name, s->limit);
}

static bool copy(struct run *r, const struct workload_step *s)
{
    const struct workload_buffer *to = &r->w->buffers[s->buffer], *from = &r->w->buffers[s->other];
    uint64_t offset = 0;
    if (!element_of(r, s->other, &s->element, &offset))
        return false;
    if (wl_bytes(to) > wl_bytes(from) - offset)
        return err_add(r->err, ERR_INPUT, s->at,
                       "'%s' has %" PRIu64 " bytes from there, '%s' %" PRIu64, from->name,
                       wl_bytes(from) - offset, to->name, wl_bytes(to));
    memmove(wl_host(r, s->buffer), wl_host(r, s->other) + offset, wl_bytes(to));
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
            workload_put(r->w->buffers[s->buffer].type, wl_host(r, s->buffer), i, s->value);
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
    struct arena scratch;
    arena_init(&scratch, NULL, NULL);
    struct ref_buffer *buffers = arena_many(&scratch, struct ref_buffer, w->n_buffers + 1);
    struct ref_param *params = arena_many(&scratch, struct ref_param, w->n_params + 1);
    for (size_t i = 0; i < w->n_buffers; i++)
        buffers[i] = (struct ref_buffer){.name = w->buffers[i].name,
                                         .type = w->buffers[i].type,
                                         .count = w->buffers[i].count,
                                         .before = r->before[i],
                                         .after = wl_host(r, (uint32_t)i)};
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

static const struct workload_real *expected_formula(struct run *r, const struct workload_buffer *b)
{
    struct workload_real_scope scope = wl_real_scope(r);
    scope.has_element = scope.has_results = true;
    return workload_real_read(b->expect_formula + 1, &scope, b->at, &r->mem, r->err);
}

/* The first element of a buffer that is not what its file, or its expression, says. */
static bool judge_buffer(struct run *r, const struct workload_buffer *b, const void *data)
{
    struct workload_buffer as_file = *b;
    struct workload_contents all = wl_contents(r);
    const struct workload_real *e = b->expect_formula ? expected_formula(r, b) : NULL;
    void *want = b->expect ? arena_alloc(&r->mem, wl_bytes(b) + 16) : NULL;
    as_file.file = b->expect;
    if (b->expect ? !workload_fill_file(&as_file, true, want, r->err) : !e)
        return false;
    for (uint64_t i = 0; i < b->count; i++) {
        double is = workload_get(b->type, data, i), must;
        if (!e)
            must = workload_get(b->type, want, i);
        else if (!workload_real_value(e, i, &all, &must, r->err))
            return false;
        double room = b->tolerance * (must < -1 ? -must : must > 1 ? must : 1);
        bool same = is == must || (is != is && must != must) ||
                    (isfinite(must) && is - must <= room && must - is <= room);
        /* whole numbers that a real does not hold */
        if (!e && room == 0 && workload_type_bytes(b->type) == 8 && b->type != REF_F64)
            same = memcmp((const char *)data + i * 8, (const char *)want + i * 8, 8) == 0;
        if (same)
            continue;
        char got[32], wanted[32];
        workload_text(b->type, data, i, got);
        if (e)
            snprintf(wanted, sizeof wanted, "%.9g", must);
        else
            workload_text(b->type, want, i, wanted);
        return err_add(r->err, ERR_INPUT, b->at,
                       "the result is wrong: '%s[%" PRIu64 "]' is %s, '%s' has %s", b->name, i, got,
                       e ? b->expect_formula : b->expect, wanted);
    }
    r->stats->judged = true;
    return true;
}

static bool judge_buffers(struct run *r)
{
    bool ok = true;
    for (size_t i = 0; i < r->w->n_buffers; i++) {
        const struct workload_buffer *b = &r->w->buffers[i];
        const void *data = wl_host(r, (uint32_t)i);
        if (r->wishes->result)
            ok = r->wishes->result(r->wishes->ctx, b, data, r->err) && ok;
        if (b->expect || b->expect_formula)
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
    r->now = arena_many(&r->mem, uint8_t *, w->n_buffers + 1);
    for (size_t i = 0; i < w->n_params; i++)
        if (!w->params[i].is_real) {
            r->names[r->scope.n] = w->params[i].name;
            r->values[r->scope.n++] = w->params[i].integer;
        }
    r->scope.names = r->names;
    r->scope.values = r->values;
    for (size_t i = 0; i < w->n_buffers; i++)
        if (w->buffers[i].expect_formula) {
            const struct workload_real *e = expected_formula(r, &w->buffers[i]);
            if (!e)
                return false;
            r->wants_before |= workload_real_asks_before(e);
        }
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

static bool open_more(struct run *r)
{
    size_t n = r->w->n_more_ptx;
    r->more = arena_many(&r->mem, struct ptx_module, n + 1);
    r->layouts = arena_many(&r->mem, struct ptx_layout, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (!ptx_device_open_module(&r->device, r->w->more_ptx[i], &r->more[i], &r->layouts[i],
                                    r->err)) {
            err_note(r->err, AT_FILE(r->w->file), "it is a 'ptx' of this workload");
            return false;
        }
        r->layouts[i].as_ptx = r->device.layout.as_ptx;
    }
    return true;
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
    bool ok = open_more(&r) && prepare(&r) && decode_all(&r, w->steps, w->n_steps) &&
              wl_make_buffers(&r) && run_steps(&r, w->steps, w->n_steps);
    if (ok)
        take_before(&r); /* nothing was recorded: before is after */
    ok = ok && judge_buffers(&r) && judge(&r);
    arena_free(&r.mem);
    ptx_device_close(&r.device);
    return ok;
}
