/* SPDX-License-Identifier: MIT
 *
 * Greedy clustering: the SMs of one cluster in turn until the cluster is full, then the next
 * cluster; a freed place takes the next CTA of the one queue. Small grids leave clusters empty. */
#include <stddef.h>

#include "sim/cta/sched.h"

static bool next(void *state, const uint32_t *room, struct cta_place *out)
{
    struct cta_queue *s = state;
    if (s->next_cta == s->n_ctas)
        return false;
    for (uint32_t c = 0; c < s->m->n_clusters; c++) {
        uint32_t n = s->m->sms_of[c], first = s->m->first_sm[c];
        bool has_room = false;
        for (uint32_t j = 0; j < n; j++) {
            uint32_t k = (s->next_sm[c] + j) % n;
            has_room |= s->m->later[first + k] > 0;
            if (!room[first + k])
                continue;
            *out = (struct cta_place){.sm = first + k, .n = 1, .cta = {s->next_cta++}};
            s->next_sm[c] = (k + 1) % n;
            return true;
        }
        if (has_room) /* full only for this cycle */
            return false;
    }
    return false;
}

const struct cta_sched cta_greedy = {
    .meaning = "one cluster is filled before the next",
    .begin = cta_queue_begin,
    .next = next,
    .retired = cta_retired_nothing,
    .idled = cta_idled_none,
};
