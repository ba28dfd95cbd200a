/* SPDX-License-Identifier: MIT
 *
 * Global (one-level) round-robin: all SMs in turn, cluster by cluster. */
#include <stddef.h>

#include "sim/cta/sched.h"

static bool next(void *state, const uint32_t *room, struct cta_place *out)
{
    struct cta_queue *s = state;
    if (s->next_cta == s->n_ctas)
        return false;
    for (uint32_t i = 0; i < s->m->n_sms; i++) {
        uint32_t sm = s->turn + i;
        sm -= sm >= s->m->n_sms ? s->m->n_sms : 0;
        if (!room[sm])
            continue;
        *out = (struct cta_place){.sm = sm, .n = 1, .cta = {s->next_cta++}};
        s->turn = sm + 1 == s->m->n_sms ? 0 : sm + 1;
        return true;
    }
    return false;
}

const struct cta_sched cta_global = {
    .meaning = "all SMs in turn",
    .begin = cta_queue_begin,
    .next = next,
    .retired = cta_retired_nothing,
    .idled = cta_idled_none,
};
