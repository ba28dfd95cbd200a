/* SPDX-License-Identifier: MIT
 *
 * An L1 of several banks: one instruction at a time as in the plain unit, but in each cycle every
 * bank picks one of its lines. All may hit at once; misses go one by one (l1.misses_per_cycle). */
#include <stddef.h>

#include "base/arena.h"
#include "sim/coalesce/expander.h"
#include "sim/sm/l1.h"
#include "sim/sm/sm.h"

static void *make(const struct coalescer_params *params, struct sm *sm, struct arena *mem)
{
    (void)params;
    struct expander *e = arena_new(mem, struct expander);
    expander_init(e, sm);
    return e;
}

static uint64_t cycle(void *state, uint64_t now)
{
    struct expander *e = state;
    if (e->op == OP_NONE)
        return NEVER;
    uint32_t left = 0;
    for (uint32_t i = 0; i < e->n; i++) /* a bank takes one in a cycle: its first */
        if (!l1_offer(e->sm, &e->accesses[i], now))
            e->accesses[left++] = e->accesses[i];
    e->n = left;
    if (left)
        return now + 1;
    expander_end(e, now);
    return NEVER;
}

const struct coalescer coalesce_banked = {
    .meaning = "lanes of one warp are merged; every bank of the L1 takes one of the lines",
    .make = make,
    .can_take = expander_can_take,
    .take = expander_take,
    .cycle = cycle,
    .done = expander_done,
    .tags_are_ops = true,
    .banks_by_set = true,
};
