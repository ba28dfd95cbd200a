/* SPDX-License-Identifier: MIT
 *
 * Global (one-level) round-robin: all SMs in turn, cluster by cluster. */
#include <stddef.h>

#include "base/arena.h"
#include "sim/cta/sched.h"

struct state {
    uint32_t n_sms, next_sm, next_cta, n_ctas;
};

static void *begin(const struct cta_params *params, const struct cta_machine *m, uint32_t n_ctas,
                   uint32_t max_per_sm, struct arena *mem)
{
    (void)params;
    (void)max_per_sm;
    struct state *s = arena_new(mem, struct state);
    *s = (struct state){.n_sms = m->n_sms, .n_ctas = n_ctas};
    return s;
}

static bool next(void *state, const uint32_t *room, struct cta_place *out)
{
    struct state *s = state;
    if (s->next_cta == s->n_ctas)
        return false;
    for (uint32_t i = 0; i < s->n_sms; i++) {
        uint32_t sm = s->next_sm + i;
        sm -= sm >= s->n_sms ? s->n_sms : 0;
        if (!room[sm])
            continue;
        *out = (struct cta_place){.sm = sm, .n = 1, .cta = {s->next_cta++}};
        s->next_sm = sm + 1 == s->n_sms ? 0 : sm + 1;
        return true;
    }
    return false;
}

const struct cta_sched cta_global = {
    .meaning = "all SMs in turn",
    .begin = begin,
    .next = next,
    .retired = cta_retired_nothing,
    .idled = cta_idled_none,
};
