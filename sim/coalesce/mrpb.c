/* SPDX-License-Identifier: MIT
 *
 * MRPB without its bypass half (Jia, Shaw, Martonosi, HPCA 2014): line requests of loads wait in
 * queues of warps and go to the L1 in fixed priority, so that those of one warp go together.
 * Nothing is merged. A store waits until the queues are empty. */
#include <stddef.h>

#include "base/arena.h"
#include "base/bits.h"
#include "sim/coalesce/expander.h"
#include "sim/frame/array_events.h"
#include "sim/sm/l1.h"
#include "sim/sm/sm.h"

struct queue {
    struct access *at;
    uint32_t first, n;
};

struct state {
    struct expander e; /* first: sim/coalesce/expander.h */
    uint32_t depth, warps_each;
    uint32_t n_waiting;
    struct queue *queues;
    uint64_t has_any[2];
    struct pool_stats stats;
    struct array_counts counts; /* of the queues */
};

static void *make(const struct coalescer_params *p, struct sm *sm, struct arena *mem)
{
    struct state *s = arena_new(mem, struct state);
    expander_init(&s->e, sm);
    s->depth = p->mrpb_depth;
    s->warps_each = (sm->gpu->cfg.sm->warps + p->mrpb_queues - 1) / p->mrpb_queues;
    s->queues = arena_many(mem, struct queue, p->mrpb_queues);
    for (uint32_t q = 0; q < p->mrpb_queues; q++)
        s->queues[q].at = arena_many(mem, struct access, p->mrpb_depth);
    return s;
}

/* The head of the first queue that is not empty; it stays where it is until the L1 has all it
 * needs, so that a warp of higher priority can still go before it. */
static bool drain(struct state *s, uint64_t now)
{
    uint32_t i = s->has_any[0] ? bits_lowest(s->has_any[0]) : 64 + bits_lowest(s->has_any[1]);
    struct queue *q = &s->queues[i];
    const struct access *a = &q->at[q->first];
    if (!l1_accepts(s->e.sm, a, now) || !l1_offer(s->e.sm, a, now)) {
        s->stats.stalls[POOL_L1_BUSY]++;
        return false;
    }
    q->first = q->first + 1 == s->depth ? 0 : q->first + 1;
    if (--q->n == 0)
        s->has_any[i / 64] &= ~((uint64_t)1 << (i % 64));
    s->n_waiting--;
    s->stats.sent++;
    s->counts.reads++;
    return true;
}

/* One access of the instruction: into its queue, or to the L1 behind everything. */
static bool expand(struct state *s, bool is_sent, uint64_t now)
{
    const struct access *a = &s->e.accesses[s->e.next];
    if (!s->e.is_load) {
        if (s->n_waiting || is_sent || !l1_offer(s->e.sm, a, now)) {
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
    s->counts.writes++;
    return true;
}

static uint64_t cycle(void *state, uint64_t now)
{
    struct state *s = state;
    s->stats.cycles++;
    bool is_sent = s->n_waiting && drain(s, now);
    if (s->e.op != OP_NONE && expand(s, is_sent, now) && ++s->e.next == s->e.n)
        expander_end(&s->e, now);
    return s->n_waiting || s->e.op != OP_NONE ? now + 1 : NEVER;
}

static const struct pool_stats *stats(const void *state)
{
    return &((const struct state *)state)->stats;
}

const struct coalescer coalesce_mrpb = {
    .meaning = "requests are reordered by warp before the L1 (MRPB without bypassing)",
    .make = make,
    .can_take = expander_can_take,
    .take = expander_take,
    .cycle = cycle,
    .done = expander_done,
    .tags_are_ops = true,
    .stats = stats,
};

struct array_counts mrpb_queues_events(const struct gpu *g, uint32_t sm)
{
    bool is_there = g->sm_common->coalescer == &coalesce_mrpb;
    return is_there ? ((const struct state *)g->sms[sm].coalescer)->counts
                    : (struct array_counts){0};
}
