/* SPDX-License-Identifier: MIT
 *
 * Two-level round-robin: clusters in turn, and inside a cluster its SMs in turn. At the start CTA k
 * goes to cluster k mod NC and there to SM (k / NC) mod NS; a freed place takes the next CTA of the
 * one queue. */
#include <stddef.h>

#include "sim/cta/sched.h"

static bool next(void *state, const uint32_t *room, struct cta_place *out)
{
    struct cta_queue *s = state;
    if (s->next_cta == s->n_ctas)
        return false;
    for (uint32_t i = 0; i < s->m->n_clusters; i++) {
        uint32_t c = s->turn + i;
        c -= c >= s->m->n_clusters ? s->m->n_clusters : 0;
        for (uint32_t j = 0; j < s->m->sms_of[c]; j++) {
            uint32_t k = s->next_sm[c] + j;
            k -= k >= s->m->sms_of[c] ? s->m->sms_of[c] : 0;
            uint32_t sm = s->m->first_sm[c] + k;
            if (!room[sm])
                continue;
            *out = (struct cta_place){.sm = sm, .n = 1, .cta = {s->next_cta++}};
            s->next_sm[c] = k + 1 == s->m->sms_of[c] ? 0 : k + 1;
            s->turn = c + 1 == s->m->n_clusters ? 0 : c + 1;
            return true;
        }
    }
    return false;
}

const struct cta_sched cta_two_level = {
    .meaning = "clusters in turn, and the SMs of a cluster in turn",
    .begin = cta_queue_begin,
    .next = next,
    .retired = cta_retired_nothing,
    .idled = cta_idled_none,
};
