/* SPDX-License-Identifier: MIT
 *
 * Demand driven, as hardware was seen to do: all SMs in turn until they are full, afterwards the
 * next CTA goes to whichever SM freed a place first. */
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "sim/cta/sched.h"

struct state {
    uint32_t n_sms, next_sm, next_cta, n_ctas;
    uint32_t *freed; /* SMs in the order in which they freed a place that was not filled yet */
    uint32_t n_freed, cap;
};

static void *begin(const struct cta_params *params, const struct cta_machine *m,
                   const struct cta_grid *grid, struct arena *mem)
{
    (void)params;
    struct state *s = arena_new(mem, struct state);
    uint32_t cap = m->n_sms * (grid->max_per_sm ? grid->max_per_sm : 1);
    *s = (struct state){.n_sms = m->n_sms,
                        .n_ctas = grid->n_ctas,
                        .next_sm = m->start % m->n_sms,
                        .freed = arena_many(mem, uint32_t, cap),
                        .cap = cap};
    return s;
}

static bool next(void *state, const uint32_t *room, struct cta_place *out)
{
    struct state *s = state;
    if (s->next_cta == s->n_ctas)
        return false;
    for (uint32_t i = 0; i < s->n_freed; i++) {
        uint32_t sm = s->freed[i];
        if (!room[sm])
            continue;
        memmove(s->freed + i, s->freed + i + 1, (s->n_freed - i - 1) * sizeof *s->freed);
        s->n_freed--;
        *out = (struct cta_place){.sm = sm, .n = 1, .cta = {s->next_cta++}};
        return true;
    }
    for (uint32_t i = 0; i < s->n_sms; i++) {
        uint32_t sm = (s->next_sm + i) % s->n_sms;
        if (!room[sm])
            continue;
        *out = (struct cta_place){.sm = sm, .n = 1, .cta = {s->next_cta++}};
        s->next_sm = (sm + 1) % s->n_sms;
        return true;
    }
    return false;
}

static void retired(void *state, uint32_t sm, uint32_t cta)
{
    struct state *s = state;
    (void)cta;
    if (s->n_freed < s->cap)
        s->freed[s->n_freed++] = sm;
}

const struct cta_sched cta_demand = {
    .meaning = "all SMs in turn, then whichever frees a place first",
    .begin = begin,
    .next = next,
    .retired = retired,
    .idled = cta_idled_none,
};
