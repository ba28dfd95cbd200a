/* SPDX-License-Identifier: MIT
 *
 * Agents: every SM holds as many persistent CTAs as fit and works through a cluster of its own;
 * agent a of n does tasks a, a + n, a + 2n, … of it. Nothing is stolen: an SM that is through
 * idles. A task begins when the one before it of the same agent has ended and the agent has worked
 * out the next (cta.clustering.task_cycles; at first also cta.clustering.start_cycles, in which it
 * learns which agent it is).
 *
 * With active_agents = "vote" nobody knows how many are best. SMs begin with different numbers,
 * from all down to one by halves, and take tasks in order. When the SMs of one number are, in their
 * mean, through with twice as many tasks as an SM can hold, the number whose SMs have done most by
 * then wins everywhere.
 * Where the vote would come too late, with fewer than three times as many, all agents work. */
#include <stddef.h>

#include "base/arena.h"
#include "sim/cta/partition.h"
#include "sim/cta/sched.h"

#define NOTHING UINT32_MAX
#define SAMPLE_TURNS 2u /* of an SM's places, before it votes */
#define LEAST_TURNS 6u  /* of an SM's places, that make a vote worth while */

struct agent {
    uint32_t task; /* next, counted in the cluster */
    uint32_t cta;  /* at work on it; NOTHING: idle */
    bool has_begun;
};

struct sm_agents {
    uint32_t base, n_tasks; /* its cluster */
    uint32_t n_active;
    uint32_t n_taken, n_done;
    uint32_t n_ready; /* idle agents with a task left (static numbers) */
    struct agent *agents;
};

struct state {
    const struct cta_clustering_params *params;
    const struct cta_machine *m;
    const uint32_t *order; /* [v] CTA of the trace; NULL: v itself */
    struct sm_agents *sms;
    uint32_t n_agents; /* places of an SM */
    uint32_t turn, n_left;
    bool is_voting, has_queue; /* queue: tasks of a cluster are taken in order by whoever is free */
};

static uint32_t candidate(uint32_t n_agents, uint32_t k)
{
    uint32_t n = n_agents >> k;
    return n ? n : 1;
}

static uint32_t n_candidates(uint32_t n_agents)
{
    uint32_t n = 1;
    while (n_agents >> n)
        n++;
    return n;
}

static void begin_sm(struct state *s, struct sm_agents *a, const struct cta_partition *p,
                     uint32_t rank, struct arena *mem)
{
    uint32_t active = s->params->active_agents;
    a->base = cta_at_position(p, (struct cta_position){.w = 0, .i = rank});
    a->n_tasks = cta_cluster_size(p, rank);
    if (s->is_voting)
        a->n_active = candidate(s->n_agents, rank % n_candidates(s->n_agents));
    else
        a->n_active = active && active < s->n_agents ? active : s->n_agents;
    a->agents = arena_many(mem, struct agent, s->n_agents);
    for (uint32_t k = 0; k < s->n_agents; k++)
        a->agents[k] = (struct agent){.task = k, .cta = NOTHING};
    a->n_ready = a->n_active < a->n_tasks ? a->n_active : a->n_tasks;
}

static bool has_own(const struct cta_machine *m)
{
    bool any = false;
    for (uint32_t sm = 0; m->is_own && sm < m->n_sms; sm++)
        any |= m->is_own[sm];
    return any;
}

static void *begin(const struct cta_params *params, const struct cta_machine *m,
                   const struct cta_grid *grid, struct arena *mem)
{
    struct state *s = arena_new(mem, struct state);
    /* a program without an SM of its own has clusters on all, for when their owners are through */
    const bool *own = has_own(m) ? m->is_own : NULL;
    uint32_t n_agents = grid->max_per_sm ? grid->max_per_sm : 1;
    uint32_t n_own = cta_own_sms(m);
    bool votes = params->clustering.active_agents == CTA_AGENTS_VOTE &&
                 grid->n_ctas / n_own >= LEAST_TURNS * n_agents;
    *s = (struct state){.params = &params->clustering,
                        .m = m,
                        .order = cta_order(&params->clustering, grid, mem),
                        .sms = arena_many(mem, struct sm_agents, m->n_sms),
                        .n_agents = n_agents,
                        .n_left = grid->n_ctas,
                        .is_voting = votes,
                        .has_queue = votes};
    struct cta_partition p = cta_partition_of(grid->n_ctas, n_own);
    for (uint32_t sm = 0, rank = 0; sm < m->n_sms; sm++)
        if (!own || own[sm])
            begin_sm(s, &s->sms[sm], &p, rank++, mem);
    return s;
}

/* Is there an agent of this SM that can begin a task? */
static bool has_work(const struct state *s, const struct sm_agents *a)
{
    if (s->has_queue)
        return a->n_taken < a->n_tasks && a->n_taken - a->n_done < a->n_active;
    return a->n_ready > 0;
}

static struct agent *idle_agent(const struct state *s, struct sm_agents *a)
{
    uint32_t n = s->has_queue ? s->n_agents : a->n_active;
    for (uint32_t k = 0; k < n; k++)
        if (a->agents[k].cta == NOTHING && (s->has_queue || a->agents[k].task < a->n_tasks))
            return &a->agents[k];
    return NULL;
}

static bool next(void *state, const uint32_t *room, struct cta_place *out)
{
    struct state *s = state;
    for (uint32_t i = 0; i < s->m->n_sms && s->n_left; i++) {
        uint32_t sm = s->turn + i;
        sm -= sm >= s->m->n_sms ? s->m->n_sms : 0;
        struct sm_agents *a = &s->sms[sm];
        if (!room[sm] || !has_work(s, a))
            continue;
        struct agent *g = idle_agent(s, a);
        uint32_t task = s->has_queue ? a->n_taken : g->task;
        uint32_t v = a->base + task;
        g->cta = s->order ? s->order[v] : v;
        *out = (struct cta_place){.sm = sm, .n = 1, .cta = {g->cta}};
        out->wait_cycles = s->params->task_cycles + (g->has_begun ? 0 : s->params->start_cycles);
        g->has_begun = true;
        g->task += a->n_active;
        if (!s->has_queue && g->task < a->n_tasks) /* else whoever is free takes it */
            out->followed_by = 1 + (s->order ? s->order[a->base + g->task] : a->base + g->task);
        a->n_taken++;
        a->n_ready -= !s->has_queue;
        s->n_left--;
        s->turn = sm + 1 == s->m->n_sms ? 0 : sm + 1;
        return true;
    }
    return false;
}

/* The number of agents whose SMs have done most tasks each; the larger one where two have done as
 * many. */
static uint32_t winner(const struct state *s)
{
    uint32_t best = s->n_agents, n = n_candidates(s->n_agents);
    uint64_t best_done = 0, best_sms = 1;
    for (uint32_t k = 0; k < n; k++) {
        uint64_t done = 0, sms = 0;
        for (uint32_t sm = 0; sm < s->m->n_sms; sm++)
            if (s->sms[sm].n_tasks && s->sms[sm].n_active == candidate(s->n_agents, k)) {
                done += s->sms[sm].n_done;
                sms++;
            }
        if (sms && done * best_sms > best_done * sms) {
            best = candidate(s->n_agents, k);
            best_done = done;
            best_sms = sms;
        }
    }
    return best;
}

/* Have the SMs that began with so many agents done enough in the mean? One of them may be far
 * ahead: agents that began together end together. */
static bool is_sampled(const struct state *s, uint32_t n_active)
{
    uint64_t done = 0, enough = 0;
    for (uint32_t sm = 0; sm < s->m->n_sms; sm++)
        if (s->sms[sm].n_tasks && s->sms[sm].n_active == n_active) {
            done += s->sms[sm].n_done;
            enough += SAMPLE_TURNS * s->n_agents;
        }
    return done >= enough;
}

/* Asked at each task that ends; the SM of that task being through with its turns saves looking at
 * all of them each time. */
static void vote(struct state *s, const struct sm_agents *first)
{
    if (first->n_done < SAMPLE_TURNS * s->n_agents || !is_sampled(s, first->n_active))
        return;
    uint32_t n = winner(s);
    for (uint32_t sm = 0; sm < s->m->n_sms; sm++)
        s->sms[sm].n_active = n;
    s->is_voting = false;
}

static void retired(void *state, uint32_t sm, uint32_t cta)
{
    struct state *s = state;
    struct sm_agents *a = &s->sms[sm];
    struct agent *g = a->agents;
    while (g->cta != cta)
        g++;
    g->cta = NOTHING;
    a->n_done++;
    if (!s->has_queue)
        a->n_ready += g->task < a->n_tasks;
    else if (s->is_voting)
        vote(s, a);
}

/* Places that throttled agents and SMs that are through leave empty while others have tasks. */
static uint32_t idled(void *state, const uint32_t *room)
{
    const struct state *s = state;
    uint32_t n = 0;
    for (uint32_t sm = 0; sm < s->m->n_sms; sm++)
        if (s->sms[sm].agents && !has_work(s, &s->sms[sm]))
            n += room[sm];
    return n < s->n_left ? n : s->n_left;
}

const struct cta_sched cta_agents = {
    .meaning = "persistent CTAs, each SM works through neighbours of its own",
    .begin = begin,
    .next = next,
    .retired = retired,
    .idled = idled,
};
