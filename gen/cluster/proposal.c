/* SPDX-License-Identifier: MIT */
#include "gen/cluster/proposal.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "gen/config/arch.h"
#include "gen/run/pairs.h"
#include "gen/workload/trace_front.h"
#include "sim/study/direction.h"

enum { BASE, ROWS, COLUMNS, WITHOUT_L1, ONE, AGENTS, CLASSIFYING };

struct work {
    const struct cluster_request *q;
    struct cluster_study *out;
    struct arena *mem;
    const struct sim_setup *base;
    struct store *store;
    struct sim_setup *setups[CLUSTER_MAX_RUNS];
};

/* ---- the machine in its variants: only CTAs and the L1's rule differ ---- */

static struct arch *variant(struct work *w, const char *name, const char *settings)
{
    struct cluster_study *s = w->out;
    struct arch *arch = arena_new(w->mem, struct arch);
    struct sim_setup *setup = arena_new(w->mem, struct sim_setup);
    *arch = *w->base->arch;
    *setup = *w->base;
    setup->arch = arch;
    setup->config.cta = &arch->cta;
    setup->config.l1 = &arch->l1;
    w->setups[s->n_variants] = setup;
    s->variants[s->n_variants++] = (struct cluster_variant){.name = name, .settings = settings};
    return arch;
}

static struct arch *agents(struct work *w, const char *name, const char *more, uint32_t active,
                           bool is_static)
{
    const char *settings = arena_printf(w->mem, "cta.clustering.mode=agent%s", more);
    struct arch *a = variant(w, name, settings);
    a->cta.clustering.mode = CTA_CLUSTERING_agent;
    a->cta.clustering.index = CTA_INDEX_auto;
    a->cta.clustering.active_agents = active;
    w->out->variants[w->out->n_variants - 1].agents = active;
    w->out->variants[w->out->n_variants - 1].is_static = is_static;
    return a;
}

static void add_classifying(struct work *w)
{
    variant(w, "as they come", "");
    struct arch *rows =
        variant(w, "redirected by rows", "cta.clustering.mode=redirect cta.clustering.index=row");
    rows->cta.clustering.mode = CTA_CLUSTERING_redirect;
    rows->cta.clustering.index = CTA_INDEX_row;
    struct arch *columns = variant(w, "redirected by columns",
                                   "cta.clustering.mode=redirect cta.clustering.index=column");
    columns->cta.clustering.mode = CTA_CLUSTERING_redirect;
    columns->cta.clustering.index = CTA_INDEX_column;
    variant(w, "without the L1", "l1.bypass_global_loads=true")->l1.bypass_global_loads = true;
    variant(w, "one at a time", "cta.limit=1")->cta.limit = 1;
    agents(w, "agents", "", 0, true);
}

/* For classes with locality: agents, from all down to one by halves, a vote, streams past the L1.
 * For the others the order only serves to prefetch. */
static void add_proposals(struct work *w)
{
    uint32_t places = w->out->places;
    if (!cluster_is_exploitable(w->out->found.kind)) {
        struct arch *a = agents(w, "agents that prefetch", " cta.clustering.prefetch=4", 0, true);
        a->cta.clustering.prefetch = 4;
        return;
    }
    for (uint32_t n = places / 2; n; n /= 2)
        agents(w, arena_printf(w->mem, "%u agent%s", n, n > 1 ? "s" : ""),
               arena_printf(w->mem, " cta.clustering.active_agents=%u", n), n, true);
    agents(w, "agents by vote", " 'cta.clustering.active_agents=\"vote\"'", CTA_AGENTS_VOTE, false);
    struct arch *b = agents(w, "agents, streams past the L1", " l1.bypass_loads=streams", 0, false);
    b->l1.bypass_loads = "streams";
}

/* ---- running them ---- */

/* The same from a later start. */
static struct sim_setup *started(struct work *w, const struct sim_setup *from, uint32_t start)
{
    struct arch *arch = arena_new(w->mem, struct arch);
    struct sim_setup *setup = arena_new(w->mem, struct sim_setup);
    *arch = *from->arch;
    arch->sim.start += start;
    *setup = *from;
    setup->arch = arch;
    setup->config.cta = &arch->cta;
    setup->config.l1 = &arch->l1;
    setup->config.sim = &arch->sim;
    return setup;
}

static void take_result(struct cluster_variant *v, const struct result *r)
{
    double accesses = result_get(r, "l1d_accesses");
    double hits = result_get(r, "l1d_hits") + result_get(r, "l1d_pending_hits");
    v->error = v->error ? v->error : r->error;
    if (r->error)
        return;
    stat_add(&v->run.cycles, result_get(r, "cycles"));
    stat_add(&v->run.hit_rate, accesses > 0 ? hits / accesses : 0);
    stat_add(&v->run.transactions, result_get(r, "l2_transactions"));
}

static bool run_from(struct work *w, uint32_t first, struct err *err)
{
    struct cluster_study *s = w->out;
    const char *workloads[] = {w->q->workload};
    uint32_t starts = w->q->n_starts, n = (s->n_variants - first) * starts;
    struct pairs_design *designs = arena_many(w->mem, struct pairs_design, n);
    struct result *results;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = first + i / starts;
        designs[i] = (struct pairs_design){.name = s->variants[v].name,
                                           .setup = started(w, w->setups[v], i % starts)};
    }
    struct pairs_request q = {.designs = designs,
                              .n_designs = n,
                              .workloads = workloads,
                              .n_workloads = 1,
                              .preset = w->q->preset,
                              .data_dir = w->q->data_dir,
                              .store = w->store,
                              .without_links = true,
                              .n_threads = w->q->n_threads,
                              .quiet = w->q->quiet,
                              .cancel = pairs_watch_interrupt()};
    if (!pairs_run(&q, w->mem, &results, err))
        return false;
    for (uint32_t i = 0; i < n; i++)
        take_result(&s->variants[first + i / starts], &results[i]);
    if (first == BASE && !s->variants[BASE].error)
        s->places = (uint32_t)result_get(&results[0], "cta_places");
    const struct cluster_variant *base = &s->variants[BASE];
    return !base->error || err_add(err, ERR_INPUT, AT_FILE(s->workload), "%s", base->error);
}

static void choose(struct cluster_study *s)
{
    s->base = &s->variants[BASE];
    for (uint32_t i = ROWS; i < s->n_variants; i++) {
        const struct cluster_variant *v = &s->variants[i];
        if (v->error)
            continue;
        if (v->agents == CTA_AGENTS_VOTE)
            s->vote = v;
        if (!s->best || v->run.cycles.mean < s->best->run.cycles.mean)
            s->best = v;
        if (v->is_static &&
            (!s->best_static || v->run.cycles.mean < s->best_static->run.cycles.mean))
            s->best_static = v;
    }
    if (s->best)
        s->best_noise = stat_difference_95(&s->best->run.cycles, &s->base->run.cycles) /
                        s->base->run.cycles.mean;
}

/* ---- what the trace says ---- */

static bool study_kernels(struct work *w, const struct trace_source *src, struct err *err)
{
    struct cluster_study *s = w->out;
    s->kernels = arena_many(w->mem, struct cluster_direction, src->n_kernels + 1);
    for (uint32_t k = 0; k < src->n_kernels; k++) {
        const struct trace_kernel *t = &src->kernels[k];
        struct direction d;
        bool is_known = false;
        if (t->n_sms)
            return err_add(err, ERR_INPUT, AT_FILE(src->file),
                           "kernel %u (%s) chooses its work by %%smid itself: its CTAs have no "
                           "other order that could be tried",
                           k + 1, t->name);
        for (uint32_t i = 0; i < s->n_kernels; i++)
            is_known |= strcmp(s->kernels[i].kernel, t->name) == 0;
        if (is_known)
            continue;
        if (!study_direction(src, k, w->q->arch->l1.line_bytes, &d, err))
            return false;
        bool is_whole = t->grid.x && t->n_ctas % t->grid.x == 0;
        uint32_t columns = is_whole ? t->grid.x : t->n_ctas;
        s->kernels[s->n_kernels++] = (struct cluster_direction){
            .kernel = arena_strdup(w->mem, t->name),
            .columns = columns,
            .rows = t->n_ctas / columns,
            .is_column = direction_is_column(&d),
            .row_share = d.lines ? (double)d.row_lines / (double)d.lines : 0,
            .column_share = d.lines ? (double)d.column_lines / (double)d.lines : 0};
    }
    return true;
}

static bool study_trace(struct work *w, struct err *err)
{
    struct cluster_evidence *e = &w->out->evidence;
    struct trace_request q = {.workload = w->q->workload,
                              .preset = w->q->preset,
                              .as_ptx = w->q->arch->compat.ptx_as_is,
                              .data_dir = w->q->data_dir};
    struct trace_source src;
    struct trace_info info;
    if (!trace_front_open(&q, w->mem, &src, err))
        return false;
    bool ok = study_sharing(&src, w->q->arch->gpu.n_sms, &e->sharing, err) &&
              trace_info_make(&src, SHARING_LINE, w->mem, &info, err) &&
              study_kernels(w, &src, err);
    if (ok && e->sharing.kernel)
        e->sharing.kernel = arena_strdup(w->mem, e->sharing.kernel);
    src.close(&src);
    if (!ok)
        return false;
    double reuse = (double)(info.reuse_warp + info.reuse_cta + info.reuse_other);
    e->inter_cta = reuse > 0 ? (double)info.reuse_other / reuse : 0;
    return true;
}

static bool run_all(struct work *w, struct err *err)
{
    struct cluster_study *s = w->out;
    add_classifying(w);
    if (!run_from(w, 0, err))
        return false;
    struct cluster_run *runs[] = {
        [BASE] = &s->evidence.base,       [ROWS] = &s->evidence.rows,
        [COLUMNS] = &s->evidence.columns, [WITHOUT_L1] = &s->evidence.without_l1,
        [ONE] = &s->evidence.one,         [AGENTS] = &s->evidence.agents};
    for (uint32_t i = 0; i < CLASSIFYING; i++)
        if (!s->variants[i].error)
            *runs[i] = s->variants[i].run;
    cluster_classify(&s->evidence, w->mem, &s->found);
    if (w->q->classify_only) {
        s->base = &s->variants[BASE];
        return true;
    }
    add_proposals(w);
    if (!run_from(w, CLASSIFYING, err))
        return false;
    choose(s);
    return true;
}

bool cluster_study(const struct cluster_request *q, struct arena *mem, struct cluster_study *out,
                   struct err *err)
{
    struct arch *arch = arena_new(mem, struct arch);
    struct sim_setup *setup = arena_new(mem, struct sim_setup);
    *out = (struct cluster_study){.workload = q->workload, .machine = q->arch->file};
    *arch = *q->arch;
    arch->cta.clustering.mode = CTA_CLUSTERING_off;
    struct work w = {.q = q, .out = out, .mem = mem, .base = setup};
    if (!study_trace(&w, err) ||
        !sim_setup_make(arch, q->data_dir, false, q->n_threads, mem, setup, err))
        return false;
    w.store = q->fresh ? NULL : pairs_user_store(q->command, mem, err);
    bool ok = run_all(&w, err);
    store_close(w.store);
    if (ok)
        pairs_unwatch_interrupt();
    return ok;
}
