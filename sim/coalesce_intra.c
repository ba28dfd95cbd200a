/* SPDX-License-Identifier: MIT
 *
 * The plain load/store unit: one instruction at a time, its lanes merged within the warp, one
 * access per L1 bank and cycle. */
#include <stddef.h>

#include "base/arena.h"
#include "sim/machine.h"

struct state {
    struct sm *sm;
    uint32_t op; /* being worked on, or OP_NONE */
    uint32_t next, n;
    struct access accesses[ACCESS_MAX];
};

static void *make(const struct coalescer_params *params, struct sm *sm, struct arena *mem)
{
    (void)params;
    struct state *s = arena_new(mem, struct state);
    s->sm = sm;
    s->op = OP_NONE;
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

static uint64_t cycle(void *state, uint64_t now)
{
    struct state *s = state;
    if (s->op == OP_NONE)
        return NEVER;
    uint32_t banks = s->sm->gpu->cfg.l1->banks;
    for (uint32_t i = 0; i < banks && s->next < s->n; i++) {
        if (!l1_offer(s->sm, &s->accesses[s->n - 1 - s->next], now))
            break;
        s->next++;
    }
    if (s->next < s->n)
        return l1_is_stuck(s->sm, &s->accesses[s->n - 1 - s->next]) ? NEVER : now + 1;
    uint32_t op = s->op;
    s->op = OP_NONE;
    sm_op_expanded(s->sm, op, now);
    return NEVER;
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

const struct coalescer coalesce_intra = {
    .name = "intra",
    .meaning = "lanes of one warp are merged, one instruction at a time",
    .make = make,
    .can_take = can_take,
    .take = take,
    .cycle = cycle,
    .done = done,
    .kernel_end = kernel_end,
};
