/* SPDX-License-Identifier: MIT
 *
 * Distributed: every cluster has its own contiguous range of CTAs and gives it to its SMs in turn.
 * What a cluster does not finish nobody else takes. */
#include <stddef.h>

#include "base/arena.h"
#include "sim/cta/sched.h"

static void *begin(const struct cta_params *params, const struct cta_machine *m, uint32_t n_ctas,
                   uint32_t max_per_sm, struct arena *mem)
{
    (void)params;
    (void)max_per_sm;
    struct cta_pools *p = arena_new(mem, struct cta_pools);
    cta_pools_make(p, m, n_ctas, mem);
    return p;
}

static bool next(void *state, const uint32_t *room, struct cta_place *out)
{
    return cta_pools_next(state, room, 1, out);
}

const struct cta_sched cta_distributed = {
    .meaning = "a contiguous range of CTAs per cluster, its SMs in turn",
    .begin = begin,
    .next = next,
    .retired = cta_retired_nothing,
    .idled = cta_idled_none,
};
