/* SPDX-License-Identifier: MIT
 *
 * MRPB without its bypass half (Jia, Shaw, Martonosi, HPCA 2014): line requests of loads wait in
 * queues of warps and go to the L1 in fixed priority, so that those of one warp go together.
 * Nothing is merged. A store waits until the queues are empty. */
#include <stddef.h>

#include "base/arena.h"
#include "base/bits.h"
#include "sim/machine.h"

struct queue {
    struct access *at;
    uint32_t first, n;
};

struct state {
    struct sm *sm;
    uint32_t depth, warps_each;
    uint32_t op; /* being expanded, or OP_NONE */
    uint32_t next, n;
    bool is_load;
    uint32_t n_waiting;
    struct queue *queues;
    uint64_t has_any[2];
    struct access accesses[ACCESS_MAX];
    struct pool_stats stats;
};

static void *make(const struct coalescer_params *p, struct sm *sm, struct arena *mem)
{
    struct state *s = arena_new(mem, struct state);
    s->sm = sm;
    s->op = OP_NONE;
    s->depth = p->mrpb_depth;
    s->warps_each = (sm->gpu->cfg.sm->warps + p->mrpb_queues - 1) / p->mrpb_queues;
    s->queues = arena_many(mem, struct queue, p->mrpb_queues);
    for (uint32_t q = 0; q < p->mrpb_queues; q++)
        s->queues[q].at = arena_many(mem, struct access, p->mrpb_depth);
    return s;
}

static bool can_take(void *state, uint32_t op)
{
    (void)op;
    return ((struct state *)state)->op == OP_NONE;
}

static void take(void *state, uint32_t op, uint64_t now)
{
    struct state *s = state;
    struct sm *sm = s->sm;
    struct op *o = &sm->ops[op];
    const struct warp *w = &sm->warps[o->warp];
    s->op = op;
    s->next = 0;
    s->is_load = o->stat->cls == TC_LOAD;
    s->n =
        coalesce_lanes(&sm->gpu->rule, o->stat, o->inst, w->addresses, w->base, s->accesses, NULL);
    for (uint32_t i = 0; i < s->n; i++) {
        s->accesses[i].tag = op;
        s->accesses[i].warp = o->warp;
    }
    sm->stats.global_insts++;
    sm->stats.global_accesses += s->n;
    if (o->stat->cls != TC_STORE)
        o->pending = (uint16_t)s->n;
    (void)now;
}

/* The head of the first queue that is not empty. */
static bool drain(struct state *s, uint64_t now)
{
    uint32_t i = s->has_any[0] ? bits_lowest(s->has_any[0]) : 64 + bits_lowest(s->has_any[1]);
    struct queue *q = &s->queues[i];
    if (!l1_offer(s->sm, &q->at[q->first], now)) {
        s->stats.stalls[POOL_L1_BUSY]++;
        return false;
    }
    q->first = q->first + 1 == s->depth ? 0 : q->first + 1;
    if (--q->n == 0)
        s->has_any[i / 64] &= ~((uint64_t)1 << (i % 64));
    s->n_waiting--;
    s->stats.sent++;
    s->stats.reads[POOL_REORDER]++;
    return true;
}

/* One access of the instruction: into its queue, or to the L1 behind everything. */
static bool expand(struct state *s, bool is_sent, uint64_t now)
{
    const struct access *a = &s->accesses[s->next];
    if (!s->is_load) {
        if (s->n_waiting || is_sent || !l1_offer(s->sm, a, now)) {
            s->stats.stalls[POOL_STORE_WAITS]++;
            return false;
        }
        s->stats.stores++;
        return true;
    }
    uint32_t i = a->warp / s->warps_each;
    struct queue *q = &s->queues[i];
    if (q->n == s->depth) {
        s->stats.stalls[POOL_NO_TAG]++;
        return false;
    }
    uint32_t end = q->first + q->n++;
    q->at[end >= s->depth ? end - s->depth : end] = *a;
    s->has_any[i / 64] |= (uint64_t)1 << (i % 64);
    s->n_waiting++;
    s->stats.asked++;
    s->stats.writes[POOL_REORDER]++;
    return true;
}

static uint64_t cycle(void *state, uint64_t now)
{
    struct state *s = state;
    s->stats.cycles++;
    bool is_sent = s->n_waiting && drain(s, now);
    if (s->op != OP_NONE && expand(s, is_sent, now) && ++s->next == s->n) {
        uint32_t op = s->op;
        s->op = OP_NONE;
        sm_op_expanded(s->sm, op, now);
    }
    return s->n_waiting || s->op != OP_NONE ? now + 1 : NEVER;
}

static bool done(void *state, uint32_t tag, uint64_t now)
{
    sm_op_part_done(((struct state *)state)->sm, tag, now);
    return true;
}

static void kernel_end(void *state)
{
    (void)state;
}

static const struct pool_stats *stats(const void *state)
{
    return &((const struct state *)state)->stats;
}

const struct coalescer coalesce_mrpb = {
    .name = "mrpb",
    .meaning = "requests are reordered by warp before the L1 (MRPB without bypassing)",
    .make = make,
    .can_take = can_take,
    .take = take,
    .cycle = cycle,
    .done = done,
    .kernel_end = kernel_end,
    .stats = stats,
};
