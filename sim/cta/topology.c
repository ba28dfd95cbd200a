/* SPDX-License-Identifier: MIT
 *
 * Topology-aware (CD-Xbar paper): local crossbars in turn, and the SMs of a local crossbar in turn:
 * CTA k goes to crossbar k mod G and there to SM (k / G) mod (S / G). With clusters in the place of
 * local crossbars it is two-level round-robin. */
#include <stddef.h>

#include "base/arena.h"
#include "sim/cta/sched.h"

struct state {
    const struct cta_machine *m;
    uint32_t next_cta, n_ctas, crossbar;
    uint32_t *sms;     /* by crossbar */
    uint32_t *first;   /* [crossbar + 1] into sms */
    uint32_t *next_sm; /* [crossbar] */
};

static void *begin(const struct cta_params *params, const struct cta_machine *m,
                   const struct cta_grid *grid, struct arena *mem)
{
    (void)params;
    struct state *s = arena_new(mem, struct state);
    *s = (struct state){.m = m,
                        .n_ctas = grid->n_ctas,
                        .crossbar = m->start % m->n_crossbars,
                        .sms = arena_many(mem, uint32_t, m->n_sms),
                        .first = arena_many(mem, uint32_t, m->n_crossbars + 1),
                        .next_sm = arena_many(mem, uint32_t, m->n_crossbars)};
    uint32_t n = 0;
    for (uint32_t x = 0; x < m->n_crossbars; x++) {
        s->first[x] = n;
        for (uint32_t sm = 0; sm < m->n_sms; sm++)
            if (m->crossbar_of[sm] == x)
                s->sms[n++] = sm;
    }
    s->first[m->n_crossbars] = n;
    return s;
}

static bool next(void *state, const uint32_t *room, struct cta_place *out)
{
    struct state *s = state;
    if (s->next_cta == s->n_ctas)
        return false;
    for (uint32_t i = 0; i < s->m->n_crossbars; i++) {
        uint32_t x = (s->crossbar + i) % s->m->n_crossbars;
        uint32_t n = s->first[x + 1] - s->first[x];
        for (uint32_t j = 0; j < n; j++) {
            uint32_t k = (s->next_sm[x] + j) % n, sm = s->sms[s->first[x] + k];
            if (!room[sm])
                continue;
            *out = (struct cta_place){.sm = sm, .n = 1, .cta = {s->next_cta++}};
            s->next_sm[x] = (k + 1) % n;
            s->crossbar = (x + 1) % s->m->n_crossbars;
            return true;
        }
    }
    return false;
}

const struct cta_sched cta_topology = {
    .meaning = "local crossbars in turn, and the SMs of a local crossbar in turn",
    .begin = begin,
    .next = next,
    .retired = cta_retired_nothing,
    .idled = cta_idled_none,
};
