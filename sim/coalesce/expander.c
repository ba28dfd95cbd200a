/* SPDX-License-Identifier: MIT */
#include "sim/coalesce/expander.h"

#include <stddef.h>

#include "sim/sm/l1.h"
#include "sim/sm/sm.h"

void expander_init(struct expander *e, struct sm *sm)
{
    e->sm = sm;
    e->op = OP_NONE;
}

void expander_begin(struct expander *e, uint32_t op, uint32_t *lanes)
{
    struct sm *sm = e->sm;
    struct op *o = &sm->ops[op];
    const struct warp *w = &sm->warps[o->warp];
    e->op = op;
    e->next = 0;
    e->is_load = o->stat->cls == TC_LOAD;
    e->n = coalesce_lanes(&sm->common->rule, o->stat, o->inst, w->addresses, w->base, e->accesses,
                          lanes);
    for (uint32_t i = 0; i < e->n; i++) {
        e->accesses[i].tag = op;
        e->accesses[i].warp = o->warp;
    }
    sm->stats.global_insts++;
    sm->stats.global_accesses += e->n;
    if (o->stat->cls != TC_STORE)
        o->pending = (uint16_t)e->n;
}

void expander_end(struct expander *e, uint64_t now)
{
    uint32_t op = e->op;
    e->op = OP_NONE;
    sm_op_expanded(e->sm, op, now);
}

bool expander_can_take(void *state, uint32_t op)
{
    (void)op;
    return ((struct expander *)state)->op == OP_NONE;
}

void expander_take(void *state, uint32_t op, uint64_t now)
{
    (void)now;
    expander_begin(state, op, NULL);
}

bool expander_done(void *state, uint32_t tag, uint64_t now)
{
    sm_op_part_done(((struct expander *)state)->sm, tag, now);
    return true;
}
