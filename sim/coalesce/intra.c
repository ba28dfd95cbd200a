/* SPDX-License-Identifier: MIT
 *
 * The plain load/store unit: one instruction at a time, its lanes merged within the warp. Either
 * one access goes to each L1 bank in a cycle; or, with l1.tags_per_cycle, as many lines as tags are
 * compared, and the instruction stays as long as its words take turns at the banks of words. */
#include <stddef.h>

#include "base/arena.h"
#include "sim/coalesce/expander.h"
#include "sim/sm/l1.h"
#include "sim/sm/lsu.h"
#include "sim/sm/sm.h"

struct intra {
    struct expander e; /* first: expander.h */
    uint64_t until;    /* its words take turns */
};

static void *make(const struct coalescer_params *params, struct sm *sm, struct arena *mem)
{
    (void)params;
    struct intra *c = arena_new(mem, struct intra);
    expander_init(&c->e, sm);
    return c;
}

static void take(void *state, uint32_t op, uint64_t now)
{
    struct intra *c = state;
    struct sm *sm = c->e.sm;
    expander_take(state, op, now);
    c->until = 0;
    if (sm->gpu->cfg.l1->tags_per_cycle)
        c->until = now + sm_word_turns(sm, &sm->ops[op]);
}

static uint64_t cycle(void *state, uint64_t now)
{
    struct intra *c = state;
    struct expander *e = &c->e;
    if (e->op == OP_NONE)
        return NEVER;
    uint32_t tags = e->sm->gpu->cfg.l1->tags_per_cycle, n_lines = 0;
    uint32_t banks = e->sm->common->l1_pipes, shift = e->sm->l1.line_bits;
    uint64_t line = UINT64_MAX;
    for (uint32_t i = 0; i < banks && e->next < e->n; i++) {
        const struct access *a = &e->accesses[e->n - 1 - e->next];
        n_lines += a->address >> shift != line;
        line = a->address >> shift;
        if ((tags && n_lines > tags) || !l1_offer(e->sm, a, now))
            break;
        e->next++;
    }
    if (e->next < e->n)
        return l1_is_stuck(e->sm, &e->accesses[e->n - 1 - e->next]) ? NEVER : now + 1;
    if (now < c->until)
        return c->until;
    expander_end(e, now);
    return NEVER;
}

const struct coalescer coalesce_intra = {
    .meaning = "lanes of one warp are merged, one instruction at a time",
    .make = make,
    .can_take = expander_can_take,
    .take = take,
    .cycle = cycle,
    .done = expander_done,
    .tags_are_ops = true,
};
