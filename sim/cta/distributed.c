/* SPDX-License-Identifier: MIT
 *
 * Distributed: every cluster has its own contiguous range of CTAs and gives it to its SMs in turn.
 * What a cluster does not finish nobody else takes. */
#include <stddef.h>

#include "sim/cta/sched.h"

static bool next(void *state, const uint32_t *room, struct cta_place *out)
{
    return cta_pools_next(state, room, 1, out);
}

const struct cta_sched cta_distributed = {
    .meaning = "a contiguous range of CTAs per cluster, its SMs in turn",
    .begin = cta_pools_begin,
    .next = next,
    .retired = cta_retired_nothing,
    .idled = cta_idled_none,
};
