/* SPDX-License-Identifier: MIT
 *
 * Distributed-block: a contiguous range of CTAs per cluster, and inside the cluster neighbouring
 * CTAs (cta.block of them, two in the ICC paper) go to one SM together, which must have places for
 * all of them. The last, smaller group waits for as many places too. */
#include <stddef.h>

#include "sim/cta/sched.h"

static bool next(void *state, const uint32_t *room, struct cta_place *out)
{
    struct cta_pools *s = state;
    return cta_pools_next(s, room, s->block, out);
}

static uint32_t idled(void *state, const uint32_t *room)
{
    const struct cta_pools *s = state;
    const struct cta_machine *m = s->m;
    uint32_t n = 0;
    for (uint32_t sm = 0; sm < m->n_sms; sm++) {
        uint32_t from = cta_pools_source(s, m->cluster_of[sm]);
        uint32_t left = s->end[from] - s->next[from];
        if (left && room[sm] < s->block)
            n += room[sm] < left ? room[sm] : left;
    }
    return n;
}

const struct cta_sched cta_distributed_block = {
    .meaning = "a contiguous range of CTAs per cluster, several neighbours at a time to an SM",
    .begin = cta_pools_begin,
    .next = next,
    .retired = cta_retired_nothing,
    .idled = idled,
};
