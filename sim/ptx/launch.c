/* SPDX-License-Identifier: MIT
 *
 * A launch: CTAs in order, warps in turns, barriers, faults. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/exec.h"

#define QUANTUM                                                                                    \
    100000u /* instructions of a warp without an access before the next has its turn               \
             */
#define DEFAULT_MAX_STEPS ((uint64_t)1 << 28)
#define MAX_FILE_BYTES ((uint64_t)1 << 30) /* register files and local memory of one CTA */
#define MAX_GRID_BYTES ((uint64_t)1 << 32) /* … and of all CTAs of a cooperative grid */

uint64_t ptx_max_steps(const struct ptx_launch *l)
{
    return l->max_warp_insts ? l->max_warp_insts : DEFAULT_MAX_STEPS;
}

bool ptx_fault(struct ptx_exec *x, const struct ptx_warp *w, const struct ptx_code *c,
               uint32_t lane, const char *fmt, ...)
{
    struct arena mem;
    va_list ap;
    uint32_t t = w->id * PTX_LANES + lane;
    const struct trace_dim *b = &x->launch->block;

    arena_init(&mem, NULL, NULL);
    va_start(ap, fmt);
    const char *what = arena_vprintf(&mem, fmt, ap);
    va_end(ap);
    const struct ptx_module *m = x->kernel->module;
    struct ptx_source source = x->kernel->sources[c - x->kernel->codes];
    const char *source_file = source.line ? ptx_find_source(m, source.file) : NULL;
    err_add(x->err, ERR_INPUT,
            source_file ? AT_LINE(source_file, (int)source.line) : AT_LINE(m->file, c->line),
            "kernel %s, CTA (%u,%u,%u), thread (%u,%u,%u): %s: %s", x->kernel->name, x->cta.x,
            x->cta.y, x->cta.z, t % b->x, t / b->x % b->y, t / (b->x * b->y), c->text, what);
    arena_free(&mem);
    x->failed = true;
    if (x->device->fault == PTX_NO_FAULT)
        x->device->fault = PTX_OTHER_FAULT;
    return false;
}

bool ptx_grow_insts(struct ptx_exec *x, struct ptx_warp *w)
{
    uint64_t cap = w->cap_insts ? (uint64_t)w->cap_insts * 2 : 1024;
    struct trace_inst *more =
        cap > UINT32_MAX ? NULL : realloc(w->insts, (size_t)cap * sizeof *more);
    if (!more) {
        x->failed = true;
        return err_add(x->err, ERR_MACHINE, NOWHERE, "no memory for a warp's trace");
    }
    w->insts = more;
    w->cap_insts = (uint32_t)cap;
    return true;
}

/* ---- barriers -------------------------------------------------------------------------------- */

static uint32_t live_warps(const struct ptx_exec *x)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < x->n_warps; i++)
        if (x->warps[i].state != PW_DONE)
            set |= 1u << i;
    return set;
}

/* Lets the warps go once all that are expected have come. */
static void release_if_complete(struct ptx_exec *x, uint32_t id)
{
    struct ptx_barrier_state *b = &x->barriers[id];
    if (b->arrived == 0)
        return;
    bool complete =
        b->expected ? b->arrived * PTX_LANES >= b->expected : (live_warps(x) & ~b->warps) == 0;
    if (!complete)
        return;
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < x->n_warps; i++) {
        struct ptx_warp *w = &x->warps[i];
        if (w->state != PW_WAITS || w->barrier != id)
            continue;
        const struct ptx_code *c = w->waits;
        uint32_t mask = w->waits_mask;
        if (c->sub == PBAR_RED_POPC) {
            lane_u32 *d = (void *)(w->file + c->d);
            for (uint32_t m = mask; m; m &= m - 1)
                d[__builtin_ctz(m)] = b->count;
        } else if (c->sub == PBAR_RED_AND || c->sub == PBAR_RED_OR) {
            uint32_t v = (c->sub == PBAR_RED_AND ? b->all : b->any) ? PTX_ALL : 0;
            w->preds[c->d] = (w->preds[c->d] & ~mask) | (v & mask);
        }
        w->state = PW_READY;
        waiting |= 1u << i;
    }
    if (x->is_watched)
        ptx_races_release(x->races, b->warps, waiting, (live_warps(x) & ~waiting) == 0);
    *b = (struct ptx_barrier_state){.all = 1};
}

bool ptx_arrive(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    uint32_t id = ((const lane_u32 *)(const void *)(w->file + c->a))[lane];
    uint32_t expected = c->b ? ((const lane_u32 *)(const void *)(w->file + c->b))[lane] : 0;
    if (id >= PTX_BARRIERS)
        return ptx_fault(x, w, c, lane, "barrier %u is not in 0..%u", id, PTX_BARRIERS - 1);
    if (c->b && (expected == 0 || expected % PTX_LANES != 0))
        return ptx_fault(x, w, c, lane, "%u threads at a barrier are not a multiple of %u",
                         expected, PTX_LANES);
    struct ptx_barrier_state *b = &x->barriers[id];
    if (b->arrived && b->expected != expected)
        return ptx_fault(x, w, c, lane, "barrier %u is used with %u and with %u threads at once",
                         id, b->expected, expected);
    b->expected = expected;
    b->arrived++;
    b->warps |= 1u << w->id;
    if (c->sub >= PBAR_RED_POPC) {
        uint32_t p = (c->c_negated ? ~w->preds[c->c] : w->preds[c->c]) & mask;
        b->count += (uint32_t)__builtin_popcount(p);
        b->all &= p == mask;
        b->any |= p != 0;
    }
    if (c->sub != PBAR_ARRIVE) {
        w->state = PW_WAITS;
        w->barrier = id;
        w->waits = c;
        w->waits_mask = mask;
    }
    release_if_complete(x, id);
    return true;
}

static bool report_deadlock(struct ptx_exec *x)
{
    for (uint32_t i = 0; i < x->n_warps; i++) {
        const struct ptx_warp *w = &x->warps[i];
        if (w->state == PW_WAITS) {
            const struct ptx_barrier_state *b = &x->barriers[w->barrier];
            return ptx_fault(x, w, w->waits, (uint32_t)__builtin_ctz(w->waits_mask),
                             "deadlock at barrier %u: %u of the CTA's %u warps have come and no "
                             "other can run",
                             w->barrier, b->arrived, x->n_warps);
        }
    }
    return false;
}

/* ---- one CTA --------------------------------------------------------------------------------- */

static void fill32(uint8_t *place, uint32_t v)
{
    lane_u32 *d = (void *)place;
    for (int i = 0; i < PTX_LANES; i++)
        d[i] = v;
}

static uint32_t n_sms(const struct ptx_launch *l)
{
    return l->n_sms ? l->n_sms : 1;
}

/* Does it ask which SM it runs on, or how many there are? */
static bool asks_for_sm(const struct ptx_kernel *k)
{
    for (uint32_t i = 0; i < k->n_specials; i++)
        if (k->specials[i].which == SR_SMID || k->specials[i].which == SR_NSMID)
            return true;
    return false;
}

static uint32_t special_value(const struct ptx_exec *x, const struct ptx_warp *w,
                              enum ptx_special which, uint32_t lane)
{
    const struct trace_dim *g = &x->launch->grid, *b = &x->launch->block;
    uint32_t t = w->id * PTX_LANES + lane;
    switch (which) {
    case SR_TID_X: return t % b->x;
    case SR_TID_Y: return t / b->x % b->y;
    case SR_TID_Z: return t / (b->x * b->y);
    case SR_NTID_X: return b->x;
    case SR_NTID_Y: return b->y;
    case SR_NTID_Z: return b->z;
    case SR_CTAID_X: return x->cta.x;
    case SR_CTAID_Y: return x->cta.y;
    case SR_CTAID_Z: return x->cta.z;
    case SR_NCTAID_X: return g->x;
    case SR_NCTAID_Y: return g->y;
    case SR_NCTAID_Z: return g->z;
    case SR_LANEID: return lane;
    case SR_WARPID: return w->id;
    case SR_NWARPID: return x->n_warps;
    case SR_NSMID: return n_sms(x->launch);
    case SR_SMID: return (uint32_t)(x->cta_id % n_sms(x->launch));
    case SR_LANEMASK_EQ: return 1u << lane;
    case SR_LANEMASK_LE: return (uint32_t)(((uint64_t)2 << lane) - 1);
    case SR_LANEMASK_LT: return (1u << lane) - 1;
    case SR_LANEMASK_GE: return ~((1u << lane) - 1);
    case SR_LANEMASK_GT: return ~(uint32_t)(((uint64_t)2 << lane) - 1);
    case SR_TOTAL_SMEM_SIZE: return x->shared_bytes;
    case SR_DYNAMIC_SMEM_SIZE: return x->launch->dynamic_shared;
    case SR_ENVREG1: return x->grid ? (uint32_t)(x->grid->workspace >> 32) : 0;
    case SR_ENVREG2: return x->grid ? (uint32_t)x->grid->workspace : 0;
    case SR_GRIDID:
    case SR_CLOCK:
    case SR_CLOCK_HI:
    case SR_CLOCK64:
    case SR_GLOBALTIMER:
    case SR_GLOBALTIMER_LO:
    case SR_GLOBALTIMER_HI:
    case SR_COUNT: break;
    }
    return 0;
}

static void fill_special(const struct ptx_exec *x, struct ptx_warp *w,
                         const struct ptx_special_use *s)
{
    lane_u32 *d = (void *)(w->file + s->place);
    for (uint32_t l = 0; l < PTX_LANES; l++)
        d[l] = special_value(x, w, s->which, l);
}

/* What stays the same for all CTAs. */
static void prepare_warp(const struct ptx_exec *x, struct ptx_warp *w)
{
    const struct ptx_kernel *k = x->kernel;
    for (uint32_t i = 0; i < k->n_constants; i++) {
        const struct ptx_constant *c = &k->constants[i];
        if (!c->wide) {
            fill32(w->file + c->place, (uint32_t)c->bits);
            continue;
        }
        lane_u64 *d = (void *)(w->file + c->place);
        for (int l = 0; l < PTX_LANES; l++)
            d[l] = c->bits;
    }
    for (uint32_t i = 0; i < k->n_specials; i++)
        fill_special(x, w, &k->specials[i]);
}

/* Registers begin as zero, so that a run does not depend on what ran before. */
static void begin_warp(const struct ptx_exec *x, struct ptx_warp *w)
{
    const struct ptx_kernel *k = x->kernel;
    uint32_t first = w->id * PTX_LANES, n = x->n_threads - first;
    memset(w->file, 0, k->register_bytes);
    for (uint32_t i = 0; i < k->n_specials; i++) {
        enum ptx_special s = k->specials[i].which;
        if (s == SR_CTAID_X || s == SR_CTAID_Y || s == SR_CTAID_Z || s == SR_SMID)
            fill32(w->file + k->specials[i].place, special_value(x, w, s, 0));
    }
    memset(w->preds, 0, k->n_preds * sizeof *w->preds);
    w->preds[0] = PTX_ALL;
    for (uint32_t l = 0; l < PTX_LANES && w->stack_used; l++)
        memset(w->frame + (size_t)l * x->stack_bytes, 0, w->stack_used);
    w->entry_end = w->call_end = w->stack_used = k->frame_bytes;
    w->frame_base = w->n_calls = 0;
    w->n_saved = 0;
    memset(w->active, 0, k->n_slots * sizeof *w->active);
    w->alive = n >= PTX_LANES ? PTX_ALL : (1u << n) - 1;
    w->carry = 0;
    w->state = PW_READY;
    w->steps = 0;
    w->n_insts = 0;
    w->n_paths = 1;
    w->paths[0] = (struct ptx_path){0, PTX_NO_PC, w->alive, false};
}

void ptx_cta_begin(struct ptx_exec *x, uint64_t id)
{
    const struct trace_dim *g = &x->launch->grid;
    x->cta_id = id;
    x->cta = (struct trace_dim){(uint32_t)(id % g->x), (uint32_t)(id / g->x % g->y),
                                (uint32_t)(id / ((uint64_t)g->x * g->y))};
    memset(x->shared, 0, x->shared_bytes);
    memset(x->barriers, 0, sizeof x->barriers);
    for (uint32_t i = 0; i < PTX_BARRIERS; i++)
        x->barriers[i].all = 1;
    for (uint32_t i = 0; i < x->n_warps; i++)
        begin_warp(x, &x->warps[i]);
    x->n_addresses = 0;
    ptx_races_new_cta(x);
}

enum ptx_cta_state ptx_cta_run(struct ptx_exec *x)
{
    for (;;) {
        bool any_ran = false, all_done = true, any_waits = false;
        for (uint32_t i = 0; i < x->n_warps; i++) {
            struct ptx_warp *w = &x->warps[i];
            if (w->state == PW_READY) {
                any_ran = true;
                if (!ptx_run_warp(x, w, QUANTUM))
                    return PCTA_FAILED;
                if (w->state == PW_DONE)
                    for (uint32_t b = 0; b < PTX_BARRIERS; b++)
                        release_if_complete(x, b);
            }
            all_done = all_done && w->state == PW_DONE;
            any_waits = any_waits || w->state == PW_GRID;
        }
        if (all_done)
            return PCTA_DONE;
        if (!any_ran && any_waits)
            return PCTA_WAITS;
        if (!any_ran) {
            report_deadlock(x);
            return PCTA_FAILED;
        }
    }
}

bool ptx_cta_hand_over(struct ptx_exec *x, const struct trace_sink *sink)
{
    struct trace_warp warps[PTX_MAX_CTA_WARPS];
    for (uint32_t i = 0; i < x->n_warps; i++)
        warps[i] = (struct trace_warp){x->warps[i].insts, x->warps[i].n_insts};
    struct trace_cta cta = {.id = (uint32_t)x->cta_id,
                            .n_warps = x->n_warps,
                            .warps = warps,
                            .addresses = x->addresses};
    return sink->add_cta(sink->ctx, &cta, x->err);
}

/* ---- the launch ------------------------------------------------------------------------------ */

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/* Local memory of a thread: the kernel's own variables, and room for functions where it calls some
 * whose depth is not known. */
static uint32_t stack_bytes(const struct ptx_launch *l)
{
    const struct ptx_kernel *k = l->kernel;
    uint32_t more = l->stack_bytes ? l->stack_bytes : PTX_DEFAULT_STACK;
    if (k->n_slots == 0)
        return k->frame_bytes;
    more = more > PTX_MAX_FRAME ? PTX_MAX_FRAME : more;
    return (k->frame_bytes + more + 15) / 16 * 16;
}

uint64_t ptx_max_threads(const struct ptx_func *f)
{
    const uint32_t *max = f->maxntid;
    return max[0] ? (uint64_t)max[0] * (max[1] ? max[1] : 1) * (max[2] ? max[2] : 1)
                  : PTX_MAX_CTA_THREADS;
}

static bool check_launch(const struct ptx_launch *l, struct err *err)
{
    const struct ptx_kernel *k = l->kernel;
    struct where at = AT_LINE(k->module->file, k->func->line);
    uint64_t threads = (uint64_t)l->block.x * l->block.y * l->block.z;
    uint64_t ctas = (uint64_t)l->grid.x * l->grid.y;

    if (!is_little_endian())
        return err_add(err, ERR_MACHINE, NOWHERE, "PTX runs on little-endian hosts only");
    if (l->block.x > 1024 || l->block.y > 1024 || l->block.z > 1024 || threads == 0 ||
        threads > PTX_MAX_CTA_THREADS)
        return err_add(err, ERR_INPUT, at,
                       "kernel %s: a block of %u x %u x %u threads is not in "
                       "1..%u",
                       k->name, l->block.x, l->block.y, l->block.z, PTX_MAX_CTA_THREADS);
    if (ctas == 0 || l->grid.z == 0 || ctas > UINT32_MAX / l->grid.z)
        return err_add(err, ERR_INPUT, at, "kernel %s: a grid of %u x %u x %u CTAs", k->name,
                       l->grid.x, l->grid.y, l->grid.z);
    const uint32_t *req = k->func->reqntid, *max = k->func->maxntid;
    if (req[0] && (req[0] != l->block.x || req[1] != l->block.y || req[2] != l->block.z))
        return err_add(err, ERR_INPUT, at, "kernel %s is compiled for blocks of %u x %u x %u",
                       k->name, req[0], req[1], req[2]);
    if (threads > ptx_max_threads(k->func))
        return err_add(err, ERR_INPUT, at, "kernel %s is compiled for at most %u x %u x %u threads",
                       k->name, max[0], max[1], max[2]);
    if (k->param_bytes > PTX_PARAM_BYTES)
        return err_add(err, ERR_INPUT, at, "kernel %s has %u bytes of parameters", k->name,
                       k->param_bytes);
    if ((uint64_t)k->shared_bytes + l->dynamic_shared > PTX_MAX_SHARED)
        return err_add(err, ERR_INPUT, at, "kernel %s wants %llu bytes of shared memory", k->name,
                       (unsigned long long)k->shared_bytes + l->dynamic_shared);
    uint64_t warps = (threads + PTX_LANES - 1) / PTX_LANES;
    uint64_t bytes = warps * (k->file_bytes + (uint64_t)stack_bytes(l) * PTX_LANES);
    uint64_t at_once = l->cooperative ? ctas * l->grid.z : 1;
    if (at_once > MAX_GRID_BYTES / (bytes + k->shared_bytes + l->dynamic_shared + 1))
        return err_add(err, ERR_INPUT, at,
                       "kernel %s: a cooperative grid of %llu CTAs takes more than %llu bytes",
                       k->name, (unsigned long long)at_once, (unsigned long long)MAX_GRID_BYTES);
    if (bytes > MAX_FILE_BYTES)
        return err_add(err, ERR_INPUT, at, "kernel %s has too many registers or local variables",
                       k->name);
    return true;
}

void ptx_exec_free(struct ptx_exec *x)
{
    for (uint32_t i = 0; x->warps && i < x->n_warps; i++) {
        free(x->warps[i].file);
        free(x->warps[i].preds);
        free(x->warps[i].frame);
        free(x->warps[i].paths);
        free(x->warps[i].calls);
        free(x->warps[i].active);
        free(x->warps[i].saved);
        free(x->warps[i].insts);
    }
    free(x->warps);
    free(x->shared);
    free(x->hints);
    free(x->addresses);
    ptx_races_end(x);
}

bool ptx_exec_make(struct ptx_exec *x)
{
    const struct ptx_kernel *k = x->kernel;
    bool ok = true;
    x->warps = calloc(x->n_warps, sizeof *x->warps);
    x->shared = calloc(x->shared_bytes + 16, 1);
    x->hints = calloc(k->n_codes, sizeof *x->hints);
    for (uint32_t i = 0; x->warps && i < x->n_warps; i++) {
        struct ptx_warp *w = &x->warps[i];
        w->id = i;
        w->file = aligned_alloc(64, (k->file_bytes + 63u) / 64 * 64 + 64);
        w->preds = calloc(k->n_preds, sizeof *w->preds);
        w->frame = calloc((size_t)x->stack_bytes * PTX_LANES + 16, 1);
        w->active = calloc(k->n_slots + 1, sizeof *w->active);
        w->paths = calloc(32, sizeof *w->paths);
        w->cap_paths = 32;
        ok = ok && w->file && w->preds && w->frame && w->paths && w->active;
    }
    ok = ptx_races_begin(x) && ok;
    if (ok && x->warps && x->shared && x->hints) {
        for (uint32_t i = 0; i < x->n_warps; i++)
            prepare_warp(x, &x->warps[i]);
        return true;
    }
    return err_add(x->err, ERR_MACHINE, NOWHERE, "no memory to run kernel %s", k->name);
}

static bool run_all(struct ptx_exec *x, const struct trace_sink *sink)
{
    const struct trace_dim *g = &x->launch->grid;
    uint64_t n = (uint64_t)g->x * g->y * g->z;
    for (uint64_t i = 0; i < n; i++) {
        ptx_cta_begin(x, i);
        if (ptx_cta_run(x) != PCTA_DONE || (sink && !ptx_cta_hand_over(x, sink)))
            return false;
    }
    return true;
}

bool ptx_run(struct ptx_device *d, const struct ptx_launch *l, const struct trace_sink *sink,
             struct ptx_counts *counts, struct err *err)
{
    const struct ptx_kernel *k = l->kernel;
    d->fault = PTX_NO_FAULT;
    if (!check_launch(l, err))
        return false;
    uint32_t threads = l->block.x * l->block.y * l->block.z;
    struct ptx_exec x = {.device = d,
                         .kernel = k,
                         .launch = l,
                         .err = err,
                         .recording = sink != NULL,
                         .stack_bytes = stack_bytes(l),
                         .n_threads = threads,
                         .n_warps = (threads + PTX_LANES - 1) / PTX_LANES,
                         .max_steps = ptx_max_steps(l)};
    if (l->tell_after && l->tell_after < x.max_steps)
        x.max_steps = l->tell_after;
    /* the dynamic part begins at a multiple of its alignment */
    x.shared_bytes = k->shared_bytes;
    if (l->dynamic_shared)
        x.shared_bytes =
            (k->shared_bytes + k->shared_align - 1) / k->shared_align * k->shared_align +
            l->dynamic_shared;
    struct trace_kernel head = {.name = k->name,
                                .grid = l->grid,
                                .block = l->block,
                                .n_ctas = l->grid.x * l->grid.y * l->grid.z,
                                .warps_per_cta = x.n_warps,
                                .regs_per_thread = l->registers ? l->registers : k->max_live,
                                .regs_estimated = l->registers == 0,
                                .shared_bytes = x.shared_bytes,
                                .n_sms = asks_for_sm(k) ? l->n_sms : 0};
    memcpy(d->params, l->params, k->param_bytes);
    bool ok = (l->cooperative || ptx_exec_make(&x)) &&
              (!sink || sink->begin_kernel(sink->ctx, &head, err)) &&
              (l->cooperative ? ptx_run_grid(&x, sink) : run_all(&x, sink)) &&
              (!sink || sink->end_kernel(sink->ctx, k->statics, k->n_statics, err));
    ptx_exec_free(&x);
    counts->ctas += head.n_ctas;
    counts->warp_insts += x.warp_insts;
    counts->thread_insts += x.thread_insts;
    counts->races += x.n_races;
    return ok;
}
