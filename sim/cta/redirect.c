/* SPDX-License-Identifier: MIT
 *
 * Redirection: CTA u of the new kernel does the work of another one, so that an SM that gets every
 * M-th CTA works on neighbours. A permutation in front of any policy; it keeps neighbours together
 * as far as the policy gives CTAs to the SMs in turn. */
#include <stddef.h>

#include "base/arena.h"
#include "sim/cta/partition.h"
#include "sim/cta/sched.h"

struct state {
    const struct cta_sched *policy;
    void *inner;
    uint32_t *work_of; /* [u] CTA whose work it does */
    uint32_t *done_by; /* [CTA] u */
};

static void *begin(const struct cta_params *params, const struct cta_machine *m,
                   const struct cta_grid *grid, struct arena *mem)
{
    struct state *s = arena_new(mem, struct state);
    *s = (struct state){.policy = cta_scheds[params->scheduler],
                        .work_of = arena_many(mem, uint32_t, grid->n_ctas),
                        .done_by = arena_many(mem, uint32_t, grid->n_ctas)};
    s->inner = s->policy->begin(params, m, grid, mem);
    struct cta_partition p = cta_partition_of(grid->n_ctas, cta_own_sms(m));
    for (uint32_t u = 0; u < grid->n_ctas; u++) {
        uint32_t v = cta_at_position(&p, cta_bind_in_turn(&p, u));
        uint32_t cta = cta_of_index(params->clustering.index, params->clustering.tile, grid, v);
        s->work_of[u] = cta;
        s->done_by[cta] = u;
    }
    return s;
}

static bool next(void *state, const uint32_t *room, struct cta_place *out)
{
    struct state *s = state;
    if (!s->policy->next(s->inner, room, out))
        return false;
    for (uint32_t k = 0; k < out->n; k++)
        out->cta[k] = s->work_of[out->cta[k]];
    return true;
}

static void retired(void *state, uint32_t sm, uint32_t cta)
{
    struct state *s = state;
    s->policy->retired(s->inner, sm, s->done_by[cta]);
}

static uint32_t idled(void *state, const uint32_t *room)
{
    struct state *s = state;
    return s->policy->idled(s->inner, room);
}

const struct cta_sched cta_redirect = {
    .meaning = "a permutation of the CTAs in front of a policy",
    .begin = begin,
    .next = next,
    .retired = retired,
    .idled = idled,
};
