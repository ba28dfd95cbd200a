/* SPDX-License-Identifier: MIT
 *
 * Random: the next CTA goes to an SM drawn among those with room (stream "cta" of sim.seed). If it
 * was given one in this cycle already the CTA waits for it. */
#include <stddef.h>

#include "base/arena.h"
#include "base/rng.h"
#include "sim/cta/sched.h"

#define NOBODY UINT32_MAX

struct state {
    const struct cta_machine *m;
    uint32_t next_cta, n_ctas, drawn;
    struct rng rng;
};

static void *begin(const struct cta_params *params, const struct cta_machine *m,
                   const struct cta_grid *grid, struct arena *mem)
{
    (void)params;
    struct state *s = arena_new(mem, struct state);
    *s = (struct state){.m = m, .n_ctas = grid->n_ctas, .drawn = NOBODY};
    rng_seed(&s->rng, m->seed, "cta", 0);
    return s;
}

static bool next(void *state, const uint32_t *room, struct cta_place *out)
{
    struct state *s = state;
    const uint32_t *later = s->m->later;
    if (s->next_cta == s->n_ctas)
        return false;
    if (s->drawn == NOBODY || !later[s->drawn]) {
        uint32_t n = 0;
        s->drawn = NOBODY;
        for (uint32_t sm = 0; sm < s->m->n_sms; sm++)
            n += later[sm] > 0;
        if (!n)
            return false;
        uint32_t k = rng_below(&s->rng, n);
        for (uint32_t sm = 0; sm < s->m->n_sms && s->drawn == NOBODY; sm++)
            if (later[sm] > 0 && k-- == 0)
                s->drawn = sm;
    }
    if (!room[s->drawn])
        return false;
    *out = (struct cta_place){.sm = s->drawn, .n = 1, .cta = {s->next_cta++}};
    s->drawn = NOBODY;
    return true;
}

const struct cta_sched cta_random = {
    .meaning = "an SM drawn at random among those with room",
    .begin = begin,
    .next = next,
    .retired = cta_retired_nothing,
    .idled = cta_idled_none,
};
