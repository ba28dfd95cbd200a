/* SPDX-License-Identifier: MIT
 *
 * The plain load/store unit: one instruction at a time, its lanes merged within the warp, one
 * access per L1 bank and cycle. */
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
    uint32_t banks = e->sm->gpu->cfg.l1->banks;
    for (uint32_t i = 0; i < banks && e->next < e->n; i++) {
        if (!l1_offer(e->sm, &e->accesses[e->n - 1 - e->next], now))
            break;
        e->next++;
    }
    if (e->next < e->n)
        return l1_is_stuck(e->sm, &e->accesses[e->n - 1 - e->next]) ? NEVER : now + 1;
    expander_end(e, now);
    return NEVER;
}

const struct coalescer coalesce_intra = {
    .meaning = "lanes of one warp are merged, one instruction at a time",
    .make = make,
    .can_take = expander_can_take,
    .take = expander_take,
    .cycle = cycle,
    .done = expander_done,
    .tags_are_ops = true,
};
