/* SPDX-License-Identifier: MIT
 *
 * Block CTA scheduling: neighbouring CTAs of the one queue (cta.block of them) go to one SM
 * together, the SMs in turn; an SM must have places for all of them. */
#include <stddef.h>

#include "sim/cta/sched.h"

static bool next(void *state, const uint32_t *room, struct cta_place *out)
{
    struct cta_queue *s = state;
    if (s->next_cta == s->n_ctas)
        return false;
    for (uint32_t i = 0; i < s->m->n_sms; i++) {
        uint32_t sm = (s->turn + i) % s->m->n_sms;
        if (room[sm] < s->block)
            continue;
        *out = (struct cta_place){.sm = sm};
        while (out->n < s->block && s->next_cta < s->n_ctas)
            out->cta[out->n++] = s->next_cta++;
        s->turn = (sm + 1) % s->m->n_sms;
        return true;
    }
    return false;
}

static uint32_t idled(void *state, const uint32_t *room)
{
    const struct cta_queue *s = state;
    uint32_t n = 0, left = s->n_ctas - s->next_cta;
    for (uint32_t sm = 0; sm < s->m->n_sms; sm++)
        if (room[sm] < s->block)
            n += room[sm];
    return n < left ? n : left;
}

const struct cta_sched cta_block = {
    .meaning = "several neighbouring CTAs at a time, the SMs in turn",
    .begin = cta_queue_begin,
    .next = next,
    .retired = cta_retired_nothing,
    .idled = idled,
};
