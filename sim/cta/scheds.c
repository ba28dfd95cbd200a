/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "sim/cta/sched.h"

#define X(word) &cta_##word,
const struct cta_sched *const cta_scheds[CTA_POLICY_COUNT] = {CTA_POLICIES(X)};
#undef X

const struct cta_sched *cta_sched_of(const struct cta_params *params)
{
    switch (params->clustering.mode) {
    case CTA_CLUSTERING_redirect: return &cta_redirect;
    case CTA_CLUSTERING_agent: return &cta_agents;
    case CTA_CLUSTERING_off: break;
    }
    return cta_scheds[params->scheduler];
}

uint32_t cta_own_sms(const struct cta_machine *m)
{
    uint32_t n = 0;
    for (uint32_t sm = 0; sm < m->n_sms; sm++)
        n += !m->is_own || m->is_own[sm];
    return n ? n : m->n_sms;
}

void cta_retired_nothing(void *state, uint32_t sm, uint32_t cta)
{
    (void)state;
    (void)sm;
    (void)cta;
}

uint32_t cta_idled_none(void *state, const uint32_t *room)
{
    (void)state;
    (void)room;
    return 0;
}

/* CTAs launched together: cta.block, or what an SM can hold if that is less. */
static uint32_t block_size(const struct cta_params *params, uint32_t max_per_sm)
{
    uint32_t n = params->block < max_per_sm ? params->block : max_per_sm;
    n = n > CTA_MAX_BLOCK ? CTA_MAX_BLOCK : n;
    return n ? n : 1;
}

void *cta_queue_begin(const struct cta_params *params, const struct cta_machine *m,
                      const struct cta_grid *grid, struct arena *mem)
{
    struct cta_queue *q = arena_new(mem, struct cta_queue);
    *q = (struct cta_queue){.m = m,
                            .n_ctas = grid->n_ctas,
                            .next_sm = arena_many(mem, uint32_t, m->n_clusters),
                            .turn = m->start % m->n_clusters,
                            .block = block_size(params, grid->max_per_sm)};
    for (uint32_t c = 0; m->next_sm && c < m->n_clusters; c++)
        q->next_sm[c] = m->next_sm[c] % m->sms_of[c];
    return q;
}

/* ---- pools ---- */

void *cta_pools_begin(const struct cta_params *params, const struct cta_machine *m,
                      const struct cta_grid *grid, struct arena *mem)
{
    uint32_t n_ctas = grid->n_ctas, n_own = 0, given = 0, k = 0;
    struct cta_pools *p = arena_new(mem, struct cta_pools);
    *p = (struct cta_pools){.m = m,
                            .turn = m->start % m->n_clusters,
                            .block = block_size(params, grid->max_per_sm),
                            .next = arena_many(mem, uint32_t, m->n_clusters),
                            .end = arena_many(mem, uint32_t, m->n_clusters),
                            .next_sm = arena_many(mem, uint32_t, m->n_clusters),
                            .has_own = arena_many(mem, bool, m->n_clusters)};
    for (uint32_t c = 0; c < m->n_clusters; c++) {
        for (uint32_t i = 0; i < m->sms_of[c]; i++)
            p->has_own[c] |= !m->is_own || m->is_own[m->first_sm[c] + i];
        n_own += p->has_own[c];
    }
    for (uint32_t c = 0; c < m->n_clusters && !n_own; c++)
        p->has_own[c] =
            true; /* nothing is its own: ranges for all, once their owners are through */
    n_own = n_own ? n_own : m->n_clusters;
    for (uint32_t c = 0; c < m->n_clusters; c++) {
        uint32_t n = p->has_own[c] ? n_ctas / n_own + (k < n_ctas % n_own) : 0;
        k += p->has_own[c];
        p->next[c] = given;
        given += n;
        p->end[c] = given;
    }
    return p;
}

uint32_t cta_pools_source(const struct cta_pools *p, uint32_t cluster)
{
    uint32_t best = cluster;
    if (p->has_own[cluster])
        return cluster;
    for (uint32_t c = 0; c < p->m->n_clusters; c++)
        if (p->end[c] - p->next[c] > p->end[best] - p->next[best])
            best = c;
    return best;
}

bool cta_pools_next(struct cta_pools *p, const uint32_t *room, uint32_t block,
                    struct cta_place *out)
{
    const struct cta_machine *m = p->m;
    for (uint32_t i = 0; i < m->n_clusters; i++) {
        uint32_t c = (p->turn + i) % m->n_clusters, from = cta_pools_source(p, c);
        if (p->next[from] == p->end[from])
            continue;
        for (uint32_t j = 0; j < m->sms_of[c]; j++) {
            uint32_t k = (p->next_sm[c] + j) % m->sms_of[c], sm = m->first_sm[c] + k;
            if (room[sm] < block)
                continue;
            *out = (struct cta_place){.sm = sm};
            while (out->n < block && p->next[from] < p->end[from])
                out->cta[out->n++] = p->next[from]++;
            p->next_sm[c] = (k + 1) % m->sms_of[c];
            p->turn = (c + 1) % m->n_clusters;
            return true;
        }
    }
    return false;
}
