/* SPDX-License-Identifier: MIT
 *
 * Distributed-block: a contiguous range of CTAs per cluster, and inside the cluster neighbouring
 * CTAs (cta.block of them, two in the ICC paper) go to one SM together, which must have places for
 * all of them. The last, smaller group waits for as many places too. */
#include <stddef.h>

#include "base/arena.h"
#include "sim/cta/sched.h"

struct state {
    struct cta_pools pools;
    uint32_t block;
};

static void *begin(const struct cta_params *params, const struct cta_machine *m, uint32_t n_ctas,
                   uint32_t max_per_sm, struct arena *mem)
{
    struct state *s = arena_new(mem, struct state);
    cta_pools_make(&s->pools, m, n_ctas, mem);
    s->block = cta_block_size(params, max_per_sm);
    return s;
}

static bool next(void *state, const uint32_t *room, struct cta_place *out)
{
    struct state *s = state;
    return cta_pools_next(&s->pools, room, s->block, out);
}

static uint32_t idled(void *state, const uint32_t *room)
{
    const struct state *s = state;
    const struct cta_machine *m = s->pools.m;
    uint32_t n = 0;
    for (uint32_t sm = 0; sm < m->n_sms; sm++) {
        uint32_t from = cta_pools_source(&s->pools, m->cluster_of[sm]);
        uint32_t left = s->pools.end[from] - s->pools.next[from];
        if (left && room[sm] < s->block)
            n += room[sm] < left ? room[sm] : left;
    }
    return n;
}

const struct cta_sched cta_distributed_block = {
    .meaning = "a contiguous range of CTAs per cluster, several neighbours at a time to an SM",
    .begin = begin,
    .next = next,
    .retired = cta_retired_nothing,
    .idled = idled,
};
