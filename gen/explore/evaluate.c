/* SPDX-License-Identifier: MIT */
#include "gen/explore/evaluate.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/pool.h"
#include "gen/config/read.h"
#include "gen/explore/pareto.h"
#include "gen/price/cost_figures.h"
#include "gen/price/shared.h"
#include "gen/progress.h"
#include "gen/run/identity.h"
#include "gen/run/pairs.h"

const char *const fidelity_names[FIDELITIES] = {"price", "window", "full"};

enum { CHUNK_LEAST = 16, CHUNK = 256, BATCH = 32 };
#define CHUNK_S 0.5 /* larger ones while they take less */

/* An estimate needs this many points, since some cost a hundred times what others do, or that much
 * time; and takes what all but the first third of them took, since these pay for parts that they
 * share with the rest. */
enum { ESTIMATE_POINTS = 96, PACE_MARKS = 32 };
#define ESTIMATE_LEAST_S 2.0 /* shorter pricing needs none */
#define ESTIMATE_MOST_S 10.0

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct evaluation {
    struct evaluation_request q;
    struct arena *mem;
    struct price_shared *shared;
    struct arch base; /* finished, if it can be: what changes are told against */
    uint64_t description;
    struct pairs_request pairs_request;
    struct pairs *pairs; /* opened with the first run */
    struct progress bar;
    struct evaluation_counts counts;
};

struct evaluation *evaluation_new(const struct evaluation_request *request, struct arena *mem,
                                  struct err *err)
{
    struct evaluation *e = arena_new(mem, struct evaluation);
    const struct space *s = request->space;
    struct err ignored;
    e->q = *request;
    e->mem = mem;
    e->shared = price_shared_new(request->data_dir, mem, err);
    if (!e->shared)
        return NULL;
    const struct read_request r = {.data_dir = request->data_dir,
                                   .allow_tools = request->allow_tools};
    err_init(&ignored);
    if (!arch_finish(&s->draft, &r, mem, &e->base, &ignored))
        e->base = s->draft; /* the base alone need not be legal */
    err_free(&ignored);
    const char *text = identity_description(&e->base, mem);
    e->description = map_hash_bytes(text, strlen(text), 0);
    if (request->store && !store_keep_description(request->store, e->description, text, err))
        return NULL;
    return e;
}

void evaluation_free(struct evaluation *e)
{
    if (!e)
        return;
    if (e->pairs)
        pairs_close(e->pairs);
    if (e->shared)
        price_shared_free(e->shared);
}

/* ---- prices ---------------------------------------------------------------------------------- */

struct pricing {
    struct evaluation *e;
    struct explored *const *points;
    struct arena *mems; /* [point of the chunk] */
    struct store_design *designs;
    bool *is_new;
};

static bool finish(struct evaluation *e, const struct explored *p, struct arena *mem,
                   struct arch *out, struct err *err)
{
    const char *sets[SPACE_MOST_KEYS];
    const struct read_request r = {.sets = sets,
                                   .n_sets = points_sets(e->q.space, p->choice, mem, sets),
                                   .data_dir = e->q.data_dir,
                                   .allow_tools = e->q.allow_tools};
    return arch_finish(&e->q.space->draft, &r, mem, out, err);
}

static const char *first_text(const struct err *err, struct arena *mem)
{
    for (const struct err_entry *x = err->first; x; x = x->next) {
        if (x->kind == ERR_INPUT || x->kind == ERR_MACHINE)
            return err_entry_text(x, mem);
    }
    return "failed and said nothing";
}

static bool is_native(const struct arch *a)
{
    return a->energy.network == NETWORK_BY_native && a->energy.arrays == ARRAYS_BY_native;
}

static void price_one(void *ctx, size_t i)
{
    struct pricing *w = ctx;
    struct evaluation *e = w->e;
    struct arena *mem = &w->mems[i], scratch;
    struct store_design *d = &w->designs[i];
    struct arch *arch = arena_new(mem, struct arch);
    struct sim_setup setup;
    struct err err;
    uint64_t files;
    double values[64];
    err_init(&err);
    arena_init(&scratch, mem->out_of_memory, mem->ctx);
    *d = (struct store_design){.name = "", .changes = "", .description = e->description};
    const char *json = points_json(e->q.space, w->points[i]->choice, mem);
    d->id = map_hash_bytes(json, strlen(json), e->q.space->hash); /* until it is known better */
    bool ok = finish(e, w->points[i], &scratch, arch, &err) &&
              price_shared_files(e->shared, arch, &scratch, &files, &err);
    w->points[i]->as_ptx = ok && arch->compat.ptx_as_is;
    if (ok) {
        d->id = identity_inputs(arch, files, &scratch);
        w->is_new[i] =
            !(e->q.store && is_native(arch) && store_take_design(e->q.store, d->id, mem, d) &&
              (d->error || d->n_figures == n_figures));
    } else {
        w->is_new[i] = true;
    }
    if (ok && w->is_new[i]) {
        d->changes = identity_changes(&e->base, arch, mem);
        ok = sim_setup_shared(arch, e->q.data_dir, e->shared, &scratch, &setup, &err) &&
             cost_figures_of(setup.priced, values, &err);
        if (ok) {
            d->hash = identity_design(&setup, &scratch);
            d->figures = arena_many(mem, struct store_value, n_figures);
            d->n_figures = n_figures;
            for (size_t k = 0; k < n_figures; k++)
                d->figures[k] = (struct store_value){figures[k].name, values[k]};
        }
    }
    if (!ok)
        d->error = first_text(&err, mem);
    err_free(&err);
    arena_free(&scratch);
}

/* Values and constraints that need no run, or that the results give. */
static void work_out(const struct space *s, const struct result *results, struct arena *mem,
                     enum fidelity f, struct explored *p)
{
    const struct expr_values v = {p->figures, results, s->n_workloads};
    bool is_allowed = true, meets = true;
    p->values[f] = arena_many(mem, double, s->n_objectives);
    p->slacks[f] = arena_many(mem, double, 2 * s->n_constraints + 1);
    for (size_t i = 0; i < s->n_objectives; i++) {
        double x = expr_value(s->objectives[i].expr, &v);
        p->values[f][i] = s->objectives[i].is_max ? -x : x;
        meets &= isfinite(x);
    }
    for (size_t i = 0; i < s->n_constraints; i++) {
        p->slacks[f][i] = expr_slack(&s->constraints[i], &v);
        p->slacks[f][s->n_constraints + i] = expr_value(s->constraints[i].left, &v);
        bool is_met = p->slacks[f][i] >= 0;
        is_allowed &= is_met || !s->constraints[i].is_figure;
        meets &= is_met;
    }
    if (f == FIDELITY_PRICE)
        p->is_allowed = is_allowed;
    p->meets[f] = meets;
    p->has[f] = true;
}

static double figure_of(const struct store_design *d, const char *name)
{
    for (size_t i = 0; i < d->n_figures; i++) {
        if (strcmp(d->figures[i].name, name) == 0)
            return d->figures[i].value;
    }
    return NAN;
}

static void settle_price(struct evaluation *e, struct explored *p, const struct store_design *d)
{
    p->is_priced = true;
    p->id = d->id;
    p->hash = d->hash;
    if (d->error) {
        p->error = arena_strdup(e->mem, d->error);
        return;
    }
    double *values = arena_many(e->mem, double, n_figures);
    for (size_t k = 0; k < n_figures; k++)
        values[k] = k < d->n_figures && strcmp(d->figures[k].name, figures[k].name) == 0
                        ? d->figures[k].value
                        : figure_of(d, figures[k].name);
    p->figures = values;
    work_out(e->q.space, NULL, e->mem, FIDELITY_PRICE, p);
}

static bool keep_chunk(struct evaluation *e, const struct pricing *w, size_t n, struct err *err)
{
    struct store *s = e->q.store;
    if (!s)
        return true;
    bool ok = store_open_batch(s, err);
    for (size_t i = 0; ok && i < n; i++) {
        ok = !w->is_new[i] || store_keep_design(s, &w->designs[i], err);
        ok =
            ok && store_keep_point(s, e->q.space->hash, w->designs[i].id,
                                   points_json(e->q.space, w->points[i]->choice, &w->mems[i]), err);
    }
    return store_close_batch(s, err) && ok;
}

static bool is_cancelled(const struct evaluation *e, struct err *err)
{
    return e->q.cancel && atomic_load(e->q.cancel) &&
           !err_add(err, ERR_MACHINE, NOWHERE,
                    "interrupted; what was finished is kept, the same command goes on from there");
}

/* A step through n points that meets each once and comes early to all parts of the list: what the
 * first ones took says what the rest will take. */
static size_t step_through(size_t n)
{
    size_t step = (size_t)(0.618 * (double)n) + 1;
    for (;; step--) {
        size_t a = n, b = step;
        while (b) {
            size_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1)
            return step;
    }
}

static bool price_chunk(struct evaluation *e, struct explored *const *points, size_t n,
                        struct err *err)
{
    struct arena mem;
    arena_init(&mem, e->mem->out_of_memory, e->mem->ctx);
    struct pricing w = {e, points, arena_many(&mem, struct arena, n),
                        arena_many(&mem, struct store_design, n), arena_many(&mem, bool, n)};
    for (size_t i = 0; i < n; i++)
        arena_init(&w.mems[i], e->mem->out_of_memory, e->mem->ctx);
    size_t done = pool_run(e->q.n_threads, n, price_one, &w, e->q.cancel);
    bool ok = keep_chunk(e, &w, done, err);
    for (size_t i = 0; i < done; i++) {
        settle_price(e, points[i], &w.designs[i]);
        e->counts.n_designs_priced += w.is_new[i];
        e->counts.n_designs_taken += !w.is_new[i];
    }
    for (size_t i = 0; i < n; i++)
        arena_free(&w.mems[i]);
    arena_free(&mem);
    progress_add(&e->bar, (double)done, "prices");
    return ok && done == n;
}

struct pace { /* of pricing, until it is told */
    struct {
        size_t done;
        double s;
    } marks[PACE_MARKS];
    size_t n;
    bool is_told;
};

static void tell_pace(struct evaluation *e, struct pace *p, size_t done, double took_s, size_t n)
{
    if (p->is_told || p->n == PACE_MARKS || !e->q.estimated)
        return;
    p->marks[p->n].done = done;
    p->marks[p->n++].s = took_s;
    if (took_s < ESTIMATE_LEAST_S || (done < ESTIMATE_POINTS && took_s < ESTIMATE_MOST_S))
        return;
    size_t from = 0, skipped = 0;
    double skipped_s = 0;
    for (; 3 * p->marks[from].done <= done; from++) {
        skipped = p->marks[from].done;
        skipped_s = p->marks[from].s;
    }
    p->is_told = true;
    e->q.estimated(e->q.ctx, n,
                   took_s + (took_s - skipped_s) / (double)(done - skipped) * (double)(n - done));
}

bool evaluation_price(struct evaluation *e, struct explored *points, size_t n, struct err *err)
{
    bool ok = true;
    struct pace pace = {0};
    size_t step = step_through(n ? n : 1), size = CHUNK_LEAST;
    double begun_s = now_s();
    progress_begin(&e->bar, (double)n, e->q.quiet);
    for (size_t from = 0, at = 0; ok && from < n;) {
        struct explored *chunk[CHUNK];
        size_t count = n - from < size ? n - from : size;
        double chunk_s = now_s();
        for (size_t i = 0; i < count; i++, at = (at + step) % n)
            chunk[i] = &points[at];
        ok = price_chunk(e, chunk, count, err);
        from += count;
        double now = now_s(), took_s = now - begun_s;
        if (now - chunk_s < CHUNK_S && 2 * size <= CHUNK)
            size *= 2; /* kept together: few are lost with the power, few wait for the disk */
        else if (now - chunk_s > 4 * CHUNK_S && size > CHUNK_LEAST)
            size /= 2;
        if (ok)
            tell_pace(e, &pace, from, took_s, n);
    }
    progress_end(&e->bar);
    return !is_cancelled(e, err) && ok;
}

/* ---- runs ------------------------------------------------------------------------------------ */

struct pairs_request evaluation_pairs(const struct evaluation *e)
{
    return (struct pairs_request){.workloads = e->q.space->workloads,
                                  .n_workloads = e->q.space->n_workloads,
                                  .synth = &e->q.space->draft.synth,
                                  .preset = e->q.space->preset,
                                  .data_dir = e->q.data_dir,
                                  .without_links = true,
                                  .n_threads = e->q.n_threads,
                                  .quiet = e->q.quiet,
                                  .cancel = e->q.cancel};
}

static struct pairs *open_pairs(struct evaluation *e)
{
    if (e->pairs)
        return e->pairs;
    e->pairs_request = evaluation_pairs(e);
    e->pairs_request.store = e->q.store;
    e->pairs_request.must_keep = true;
    e->pairs_request.bar = &e->bar;
    e->pairs = pairs_open(&e->pairs_request, e->mem);
    return e->pairs;
}

struct making { /* setups of the points that have to run */
    struct evaluation *e;
    struct explored **chosen;
    uint64_t window;
    const bool *is_known; /* [point] */
    struct arena *mems;
    struct sim_setup *setups;
    const char **errors;
};

static void make_setup(void *ctx, size_t i)
{
    struct making *m = ctx;
    struct err err;
    if (m->is_known[i])
        return;
    struct arch *arch = arena_new(&m->mems[i], struct arch);
    err_init(&err);
    if (!finish(m->e, m->chosen[i], &m->mems[i], arch, &err) ||
        !sim_setup_shared(arch, m->e->q.data_dir, m->e->shared, &m->mems[i], &m->setups[i], &err))
        m->errors[i] = first_text(&err, m->e->mem);
    else if (m->window)
        arch->sim.max_cycles = m->window;
    err_free(&err);
}

/* What was told from outside takes the place of runs. */
static bool take_told(struct evaluation *e, struct explored *p)
{
    const struct space *s = e->q.space;
    double values[PARETO_MOST] = {0};
    if (!e->q.store || s->n_objectives > PARETO_MOST)
        return false;
    for (size_t i = 0; i < s->n_objectives; i++) {
        if (!store_take_told(e->q.store, s->hash, p->id, s->objectives[i].text, &values[i]))
            return false;
    }
    work_out(s, NULL, e->mem, FIDELITY_FULL, p);
    p->meets[FIDELITY_FULL] = p->is_allowed;
    for (size_t i = 0; i < s->n_objectives; i++)
        p->values[FIDELITY_FULL][i] = s->objectives[i].is_max ? -values[i] : values[i];
    return true;
}

static void settle_run(struct evaluation *e, struct explored *p, const struct result *results,
                       enum fidelity f)
{
    for (size_t w = 0; w < e->q.space->n_workloads; w++) {
        if (results[w].error) {
            p->error = arena_printf(e->mem, "%s: %s", results[w].workload, results[w].error);
            p->has[f] = true;
            p->meets[f] = false;
            return;
        }
    }
    work_out(e->q.space, results, e->mem, f, p);
}

/* Results of one point out of the store. */
static bool take_results(struct evaluation *e, const struct explored *p, uint64_t window,
                         struct arena *mem, struct result *out)
{
    const char *error;
    for (size_t w = 0; w < e->q.space->n_workloads; w++) {
        uint64_t workload = pairs_workload(e->pairs, w, p->as_ptx, &error);
        if (error || !e->q.store ||
            !store_take(e->q.store, identity_pair(p->hash, workload, window), mem, &out[w]))
            return false;
    }
    return true;
}

static bool run_batch(struct evaluation *e, struct explored **chosen, size_t n, enum fidelity f,
                      struct arena *mem, struct err *err)
{
    const struct space *s = e->q.space;
    size_t nw = s->n_workloads, n_run = 0;
    uint64_t window = f == FIDELITY_WINDOW ? s->window : 0;
    bool *is_known = arena_many(mem, bool, n), ok = true;
    struct result *kept = arena_many(mem, struct result, nw), *results = NULL;
    struct making m = {e,
                       chosen,
                       window,
                       is_known,
                       arena_many(mem, struct arena, n),
                       arena_many(mem, struct sim_setup, n),
                       arena_many(mem, const char *, n)};
    for (size_t i = 0; i < n; i++) {
        arena_init(&m.mems[i], mem->out_of_memory, mem->ctx);
        is_known[i] = chosen[i]->has[f];
        if (is_known[i])
            continue;
        is_known[i] = (f == FIDELITY_FULL && take_told(e, chosen[i])) ||
                      take_results(e, chosen[i], window, mem, kept);
        if (is_known[i] && !chosen[i]->has[f])
            settle_run(e, chosen[i], kept, f);
        e->counts.n_taken += is_known[i] ? nw : 0;
    }
    pool_run(e->q.n_threads, n, make_setup, &m, e->q.cancel);
    struct pairs_design *designs = arena_many(mem, struct pairs_design, n);
    size_t *at = arena_many(mem, size_t, n);
    for (size_t i = 0; i < n; i++) {
        if (is_known[i])
            progress_add(&e->bar, (double)nw, "kept");
        else if (m.setups[i].priced && !m.errors[i])
            at[n_run] = i,
            designs[n_run++] = (struct pairs_design){"", &m.setups[i], chosen[i]->hash};
        else if (m.errors[i])
            chosen[i]->error = m.errors[i], chosen[i]->has[f] = true;
    }
    for (size_t i = 0; i < n_run; i++)
        designs[i].name = arena_printf(mem, "%016llx", (unsigned long long)designs[i].hash);
    double begun_s = now_s();
    if (n_run) {
        e->pairs_request.designs = designs;
        e->pairs_request.n_designs = n_run;
        e->pairs_request.window = window;
        ok = pairs_step(e->pairs, mem, &results, err);
        e->counts.n_runs += n_run * nw;
        e->counts.run_s += now_s() - begun_s;
    }
    for (size_t i = 0; ok && i < n_run; i++)
        settle_run(e, chosen[at[i]], &results[i * nw], f);
    for (size_t i = 0; i < n; i++)
        arena_free(&m.mems[i]);
    return ok;
}

static bool open_workloads(struct evaluation *e, bool as_ptx, struct err *err)
{
    bool ok = true;
    open_pairs(e);
    for (size_t w = 0; w < e->q.space->n_workloads; w++) {
        const char *error;
        pairs_workload(e->pairs, w, as_ptx, &error);
        if (error)
            ok = err_add(err, ERR_INPUT, NOWHERE, "%s", error);
    }
    return ok;
}

bool evaluation_run(struct evaluation *e, struct explored **chosen, size_t n, enum fidelity f,
                    struct err *err)
{
    bool ok = true;
    if (e->q.space->n_workloads == 0) { /* prices say it all */
        for (size_t i = 0; i < n; i++) {
            if (!chosen[i]->has[f] && !(f == FIDELITY_FULL && take_told(e, chosen[i])))
                work_out(e->q.space, NULL, e->mem, f, chosen[i]);
        }
        return true;
    }
    progress_begin(&e->bar, (double)(n * e->q.space->n_workloads), e->q.quiet);
    ok = open_workloads(e, n ? chosen[0]->as_ptx : false, err);
    for (size_t from = 0; ok && from < n; from += BATCH) {
        struct arena mem;
        arena_init(&mem, e->mem->out_of_memory, e->mem->ctx);
        ok = run_batch(e, chosen + from, n - from < BATCH ? n - from : BATCH, f, &mem, err);
        arena_free(&mem);
    }
    progress_end(&e->bar);
    return ok;
}

bool evaluation_take(struct evaluation *e, struct explored **chosen, size_t n, enum fidelity f,
                     struct err *err)
{
    const struct space *s = e->q.space;
    uint64_t window = f == FIDELITY_WINDOW ? s->window : 0;
    if (s->n_workloads == 0)
        return evaluation_run(e, chosen, n, f, err);
    progress_begin(&e->bar, (double)n, e->q.quiet);
    bool ok = open_workloads(e, n ? chosen[0]->as_ptx : false, err);
    for (size_t i = 0; ok && i < n; i++) {
        struct arena mem;
        arena_init(&mem, e->mem->out_of_memory, e->mem->ctx);
        struct result *kept = arena_many(&mem, struct result, s->n_workloads);
        if (!(f == FIDELITY_FULL && take_told(e, chosen[i])) &&
            take_results(e, chosen[i], window, &mem, kept))
            settle_run(e, chosen[i], kept, f);
        arena_free(&mem);
        progress_add(&e->bar, 1, "kept");
    }
    progress_end(&e->bar);
    return ok;
}

void evaluation_counts(struct evaluation *e, struct evaluation_counts *out)
{
    price_shared_counts(e->shared, &e->counts.n_parts_priced, &e->counts.n_parts_asked);
    *out = e->counts;
}

const struct arch *evaluation_arch(struct evaluation *e, const struct explored *p,
                                   struct arena *mem, struct err *err)
{
    struct arch *arch = arena_new(mem, struct arch);
    return finish(e, p, mem, arch, err) ? arch : NULL;
}

const struct priced *evaluation_priced(struct evaluation *e, const struct explored *p,
                                       struct arena *mem, struct err *err)
{
    const struct arch *arch = evaluation_arch(e, p, mem, err);
    struct sim_setup *setup = arena_new(mem, struct sim_setup);
    return arch && sim_setup_shared(arch, e->q.data_dir, e->shared, mem, setup, err) ? setup->priced
                                                                                     : NULL;
}

const char *evaluation_description(struct evaluation *e, const struct explored *p,
                                   struct arena *mem)
{
    struct err ignored;
    err_init(&ignored);
    const struct arch *arch = evaluation_arch(e, p, mem, &ignored);
    err_free(&ignored);
    return arch ? identity_description(arch, mem) : "";
}
