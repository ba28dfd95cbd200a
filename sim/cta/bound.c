/* SPDX-License-Identifier: MIT
 *
 * Bound: CTA u runs on SM u mod M, whatever else would be said. For kernels that asked which SM
 * they are on (%smid) when their trace was made: their work follows from it. */
#include "base/arena.h"
#include "sim/cta/sched.h"

struct state {
    uint32_t n_sms, n_ctas, turn;
    uint32_t *next; /* [sm] its next CTA */
};

static void *begin(const struct cta_params *params, const struct cta_machine *m,
                   const struct cta_grid *grid, struct arena *mem)
{
    (void)params;
    struct state *s = arena_new(mem, struct state);
    *s = (struct state){
        .n_sms = m->n_sms, .n_ctas = grid->n_ctas, .next = arena_many(mem, uint32_t, m->n_sms)};
    for (uint32_t sm = 0; sm < m->n_sms; sm++)
        s->next[sm] = sm;
    return s;
}

static bool next(void *state, const uint32_t *room, struct cta_place *out)
{
    struct state *s = state;
    for (uint32_t i = 0; i < s->n_sms; i++) {
        uint32_t sm = s->turn + i;
        sm -= sm >= s->n_sms ? s->n_sms : 0;
        if (!room[sm] || s->next[sm] >= s->n_ctas)
            continue;
        *out = (struct cta_place){.sm = sm, .n = 1, .cta = {s->next[sm]}};
        s->next[sm] += s->n_sms;
        s->turn = sm + 1 == s->n_sms ? 0 : sm + 1;
        return true;
    }
    return false;
}

const struct cta_sched cta_bound = {
    .meaning = "each CTA on the SM that its trace was told",
    .begin = begin,
    .next = next,
    .retired = cta_retired_nothing,
    .idled = cta_idled_none,
};
