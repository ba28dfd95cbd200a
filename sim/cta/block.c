/* SPDX-License-Identifier: MIT
 *
 * Block CTA scheduling: neighbouring CTAs of the one queue (cta.block of them) go to one SM
 * together, the SMs in turn; an SM must have places for all of them. */
#include <stddef.h>

#include "base/arena.h"
#include "sim/cta/sched.h"

struct state {
    uint32_t n_sms, next_sm, next_cta, n_ctas, block;
};

static void *begin(const struct cta_params *params, const struct cta_machine *m, uint32_t n_ctas,
                   uint32_t max_per_sm, struct arena *mem)
{
    struct state *s = arena_new(mem, struct state);
    *s = (struct state){
        .n_sms = m->n_sms, .n_ctas = n_ctas, .block = cta_block_size(params, max_per_sm)};
    return s;
}

static bool next(void *state, const uint32_t *room, struct cta_place *out)
{
    struct state *s = state;
    if (s->next_cta == s->n_ctas)
        return false;
    for (uint32_t i = 0; i < s->n_sms; i++) {
        uint32_t sm = (s->next_sm + i) % s->n_sms;
        if (room[sm] < s->block)
            continue;
        *out = (struct cta_place){.sm = sm};
        while (out->n < s->block && s->next_cta < s->n_ctas)
            out->cta[out->n++] = s->next_cta++;
        s->next_sm = (sm + 1) % s->n_sms;
        return true;
    }
    return false;
}

static uint32_t idled(void *state, const uint32_t *room)
{
    const struct state *s = state;
    uint32_t n = 0, left = s->n_ctas - s->next_cta;
    for (uint32_t sm = 0; sm < s->n_sms; sm++)
        if (room[sm] < s->block)
            n += room[sm];
    return n < left ? n : left;
}

const struct cta_sched cta_block = {
    .meaning = "several neighbouring CTAs at a time, the SMs in turn",
    .begin = begin,
    .next = next,
    .retired = cta_retired_nothing,
    .idled = idled,
};
