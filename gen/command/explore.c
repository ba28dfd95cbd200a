/* SPDX-License-Identifier: MIT
 *
 * `crosswatt explore`: a space of descriptions, constraints, objectives -> the Pareto front. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/pool.h"
#include "base/table.h"
#include "gen/command.h"
#include "gen/explore/front_band.h"
#include "gen/explore/obstacles.h"
#include "gen/explore/outcome.h"
#include "gen/explore/slurm.h"
#include "gen/out.h"
#include "gen/report/band_print.h"
#include "gen/run/pairs.h"

enum {
    MOST_PRINTED = 60, /* points of the front */
    MOST_FOR_ESTIMATE = 8,
    LEAST_FOR_MANY = 64 /* points of a space of which so many are a small part */
};
#define TELL_PRICES_S 10.0

struct exploration {
    struct app *app;
    const struct options *o;
    struct space space;
    struct store *store;
    struct search search;
    const char *dir, *file;  /* of results */
    const char *assumptions; /* each, all or none */
    struct front_band band;
    double begun_s, round_s; /* when it began, and its last round or what is before the first */
    unsigned n_threads;
    bool prices_told;
};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *duration(double s, struct arena *mem)
{
    if (s < 90)
        return arena_printf(mem, "%.0f s", ceil(s));
    return s < 5400 ? arena_printf(mem, "%.0f min", ceil(s / 60))
                    : arena_printf(mem, "%.1f h", s / 3600);
}

/* "3/8" */
static bool read_shard(const struct options *o, struct search *s, struct err *err)
{
    const char *text = option_get(o, "shard");
    char end;
    if (!text)
        return true;
    if (sscanf(text, "%u/%u%c", &s->shard, &s->n_shards, &end) != 2 || s->shard < 1 ||
        s->shard > s->n_shards || s->n_shards > 100000)
        return err_add(err, ERR_INPUT, (struct where){NULL, 0, "--shard"},
                       "'%s' is not I/N with I from 1 to N", text);
    return true;
}

/* ---- telling how far it is ------------------------------------------------------------------- */

static void tell_begin(struct exploration *x)
{
    struct search *s = &x->search;
    struct arena *mem = &x->app->mem;
    struct evaluation_counts c;
    evaluation_counts(s->evaluation, &c);
    if (x->o->quiet || x->o->json)
        return;
    printf("%zu points%s of %.0f combinations%s: %zu cannot be made, %zu break a constraint on "
           "figures, %zu may run\n",
           s->n, s->is_sampled ? " drawn" : "", s->combinations,
           s->n_shards ? arena_printf(mem, " (shard %u of %u)", s->shard, s->n_shards) : "",
           s->n_broken, s->n_forbidden, s->n_allowed);
    if (s->n_broken && s->n_allowed) /* where none is allowed, more is said at the end */
        out_table(obstacles_reasons(s, 3, mem), false, OUT_ALL_DIGITS, mem);
    printf("priced in %.1f s (%llu designs, %llu kept from before; %llu parts of %llu asked for)\n",
           now_s() - x->begun_s, (unsigned long long)c.n_designs_priced,
           (unsigned long long)c.n_designs_taken, (unsigned long long)c.n_parts_priced,
           (unsigned long long)c.n_parts_asked);
    fflush(stdout);
}

/* Before all are priced: a space of large routers takes its time. */
static void tell_prices(void *ctx, size_t n, double seconds)
{
    struct exploration *x = ctx;
    struct search *s = &x->search;
    size_t later = search_later(s);
    struct arena *mem = &x->app->mem;
    if (seconds < TELL_PRICES_S || x->prices_told || x->o->quiet || x->o->json)
        return;
    x->prices_told = true;
    printf("%zu points%s of %.0f combinations; their prices take about %s", n,
           s->is_sampled ? " drawn" : "", s->combinations, duration(seconds, mem));
    if (later) /* near the front, where points cost something else: told with the rounds */
        printf("; up to %zu more follow in rounds", later);
    printf("\n");
    fflush(stdout);
}

/* Points that run anyway, for the estimate: from all parts of a space that runs whole, the first
 * one where a search begins with that. */
static size_t choose_for_estimate(const struct search *s, struct explored **out)
{
    size_t n = 0, met = 0,
           step = s->runs_all && s->n_allowed >= LEAST_FOR_MANY ? s->n_allowed / MOST_FOR_ESTIMATE
                                                                : s->n_allowed;
    for (size_t i = 0; i < s->n && n < MOST_FOR_ESTIMATE; i++) {
        if (s->points[i].figures && s->points[i].is_allowed && met++ % step == 0)
            out[n++] = &s->points[i];
    }
    return n;
}

static bool run_for_estimate(struct exploration *x, struct explored **points, size_t n)
{
    enum fidelity f = x->space.window ? FIDELITY_WINDOW : FIDELITY_FULL;
    for (size_t i = 0; i < n; i++) {
        if (!store_keep_promotion(x->store, x->space.hash, points[i]->id, 0, fidelity_names[f],
                                  "one of the first, for the estimate of time", &x->app->err))
            return false;
    }
    return evaluation_run(x->search.evaluation, points, n, f, &x->app->err);
}

static bool tell_estimate(struct exploration *x)
{
    struct search *s = &x->search;
    struct evaluation_counts c;
    struct explored *first[MOST_FOR_ESTIMATE];
    if (!s->n_allowed || x->space.n_workloads == 0 || s->is_frozen)
        return true;
    size_t n_first = choose_for_estimate(s, first);
    if (!run_for_estimate(x, first, n_first))
        return false;
    evaluation_counts(s->evaluation, &c);
    size_t n = s->runs_all ? s->n_allowed : s->budget;
    n = n < s->n_allowed ? n : s->n_allowed;
    if (x->o->quiet || x->o->json)
        return true;
    printf("%zu of them %s on %zu workloads%s", n,
           s->runs_all ? "run, all" : "run, as the search chooses,", x->space.n_workloads,
           x->space.window ? arena_printf(&x->app->mem, ", cut off after %llu cycles",
                                          (unsigned long long)x->space.window)
                           : "");
    if (c.n_runs) { /* fewer runs than threads leave some of these idle */
        double threads = x->n_threads ? x->n_threads : pool_cores();
        double each_s = c.run_s / (double)c.n_runs * fmin(1, (double)c.n_runs / threads);
        printf(": about %s\n", duration(each_s * (double)(n * x->space.n_workloads), &x->app->mem));
    } else {
        printf("; some are kept from before\n");
    }
    fflush(stdout);
    return true;
}

/* If the rounds to come are as the last one. */
static const char *time_left(struct exploration *x, const struct search *s, struct arena *mem)
{
    double now = now_s(), left_s = search_rounds_left(s) * (now - x->round_s);
    x->round_s = now;
    return left_s < TELL_PRICES_S ? ""
                                  : arena_printf(mem, ", at most %s more", duration(left_s, mem));
}

static void tell_round(void *ctx, const struct search *s)
{
    struct exploration *x = ctx;
    struct arena mem;
    size_t n;
    struct err ignored;
    arena_init(&mem, NULL, NULL);
    err_init(&ignored);
    if (x->dir)
        outcome_write_front(s, x->dir, &mem, &ignored);
    search_front(s, &mem, &n);
    if (!x->o->quiet)
        fprintf(stderr, "round %u: front of %zu points, %.1f %% of the room seen, %s%s\n", s->round,
                n, 100 * search_volume(s), duration(now_s() - x->begun_s, &mem),
                time_left(x, s, &mem));
    err_free(&ignored);
    arena_free(&mem);
}

/* ---- ask and tell ---------------------------------------------------------------------------- */

static int print_points(struct exploration *x, struct explored **points, size_t n)
{
    struct buf b;
    struct table *t = outcome_table(&x->search, points, n, &x->app->mem);
    if (x->o->json) {
        out_table(t, true, OUT_ALL_DIGITS, &x->app->mem);
        return EXIT_DONE;
    }
    buf_init(&b, &x->app->mem, BUF_NO_MAX);
    table_write_csv(t, &b);
    fputs(b.data, stdout);
    return EXIT_DONE;
}

static int ask(struct exploration *x, long long wanted)
{
    struct explored **points = arena_many(&x->app->mem, struct explored *, (size_t)wanted);
    size_t n = 0;
    if (!search_begin(&x->search, &x->app->err) ||
        !search_ask(&x->search, (size_t)wanted, points, &n, &x->app->err))
        return exit_status_of(&x->app->err);
    return print_points(x, points, n);
}

static int tell(struct exploration *x, const char *file)
{
    struct arena *mem = &x->app->mem;
    struct err *err = &x->app->err;
    struct outcome_told told;
    const struct space *s = &x->space;
    if (!outcome_read_told(s, file, mem, &told, err) ||
        !evaluation_price(x->search.evaluation, told.points, told.n, err))
        return exit_status_of(err);
    struct explored **run = arena_many(mem, struct explored *, told.n),
                    **all = arena_many(mem, struct explored *, told.n);
    size_t n_run = 0, n_failed = 0;
    for (size_t i = 0; i < told.n; i++) {
        bool is_told = true;
        for (size_t k = 0; k < s->n_objectives; k++)
            is_told &= isfinite(told.values[i][k]);
        for (size_t k = 0; is_told && k < s->n_objectives; k++) {
            if (!store_keep_told(x->store, s->hash, told.points[i].id, s->objectives[k].text,
                                 told.values[i][k], err))
                return exit_status_of(err);
        }
        all[i] = &told.points[i];
        if (told.points[i].figures)
            run[n_run++] = all[i];
    }
    if (!evaluation_run(x->search.evaluation, run, n_run, FIDELITY_FULL, err))
        return exit_status_of(err);
    for (size_t i = 0; i < told.n; i++) {
        n_failed += told.points[i].error != NULL;
        if (told.points[i].error)
            err_warn(err, AT_FILE(file), "row %zu: %s", i + 1, told.points[i].error);
    }
    print_points(x, all, told.n);
    return n_failed ? EXIT_NO : EXIT_DONE;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool open_all(struct exploration *x)
{
    struct app *app = x->app;
    const struct options *o = x->o;
    long long threads = 0;
    const struct space_request q = {.file = o->words[0],
                                    .preset = option_get(o, "preset"),
                                    .data_dir = app->data_dir,
                                    .allow_tools = option_has(o, "allow-tools")};
    x->dir = option_get(o, "output");
    x->assumptions = option_get(o, "assumptions");
    if (!x->assumptions)
        x->assumptions = "each";
    if (strcmp(x->assumptions, "each") != 0 && strcmp(x->assumptions, "all") != 0 &&
        strcmp(x->assumptions, "none") != 0)
        return err_add(&app->err, ERR_INPUT, NOWHERE,
                       "--assumptions: '%s' is not one of each, all, none", x->assumptions);
    if (!x->dir)
        return err_add(&app->err, ERR_INPUT, NOWHERE, "give a folder with -o");
    if (!option_int(o, "threads", 1, 256, &threads, &app->err) ||
        !read_shard(o, &x->search, &app->err) || !space_read(&q, &app->mem, &x->space, &app->err) ||
        !file_make_dirs(x->dir, &app->err))
        return false;
    x->n_threads = (unsigned)threads;
    x->file = x->search.n_shards ? arena_printf(&app->mem, "shard-%u-of-%u.sqlite", x->search.shard,
                                                x->search.n_shards)
                                 : "results.sqlite";
    x->file = path_join(&app->mem, x->dir, x->file);
    x->store = store_open(x->file, x->search.n_shards ? STORE_ALONE : STORE_SHARED, &app->err);
    if (!x->store || !store_begin(x->store, app_command_line(app), &app->err))
        return false;
    const struct evaluation_request e = {.space = &x->space,
                                         .store = x->store,
                                         .data_dir = app->data_dir,
                                         .n_threads = x->n_threads,
                                         .quiet = o->quiet,
                                         .allow_tools = q.allow_tools,
                                         .cancel = pairs_watch_interrupt(),
                                         .estimated = tell_prices,
                                         .ctx = x};
    x->search.space = &x->space;
    x->search.store = x->store;
    x->search.mem = &app->mem;
    x->search.is_exhaustive = option_has(o, "exhaustive");
    x->search.is_frozen = option_has(o, "no-run");
    x->search.takes_kept = x->search.is_frozen || option_has(o, "ask");
    x->search.told = tell_round;
    x->search.ctx = x;
    x->search.evaluation = evaluation_new(&e, &app->mem, &app->err);
    return x->search.evaluation != NULL;
}

static void print_part(const char *title, const struct table *t, struct arena *mem)
{
    printf("\n%s\n", title);
    out_table(t, false, OUT_ALL_DIGITS, mem);
}

/* Nothing is left: what stands in the way. */
static void print_obstacles(const struct search *s, struct arena *mem)
{
    size_t n_errors = 0, n_figures_known = 0;
    for (size_t i = 0; i < s->n; i++) {
        n_errors += s->points[i].error != NULL;
        n_figures_known += s->points[i].figures != NULL;
    }
    if (n_errors)
        print_part("why points cannot be made or run:", obstacles_reasons(s, 5, mem), mem);
    if (s->space->n_constraints && n_figures_known) {
        print_part("the constraints, and who breaks them:", obstacles_table(s, mem), mem);
        print_part("the points that come closest:", obstacles_points(s, 5, mem), mem);
    }
}

/* Those with other values than all before them, as many as one cares to read. */
static size_t choose_shown(const struct space *s, struct explored **front, size_t n,
                           struct explored **out)
{
    size_t k = 0;
    for (size_t i = 0; i < n && k < MOST_PRINTED; i++) {
        bool is_new = true;
        for (size_t j = 0; j < k && is_new; j++)
            is_new = memcmp(out[j]->values[FIDELITY_FULL], front[i]->values[FIDELITY_FULL],
                            s->n_objectives * sizeof(double)) != 0;
        if (is_new)
            out[k++] = front[i];
    }
    return k;
}

/* Objectives that keep points out of the front since they have no value there, and those that tell
 * no points apart. */
static void print_objectives(const struct search *s)
{
    for (size_t k = 0; k < s->space->n_objectives; k++) {
        size_t n = 0, n_none = 0;
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < s->n; i++) {
            const double *values =
                s->points[i].has[FIDELITY_FULL] ? s->points[i].values[FIDELITY_FULL] : NULL;
            if (!values)
                continue;
            n++;
            n_none += !isfinite(values[k]);
            least = fmin(least, values[k]); /* of a NaN: the other */
            most = fmax(most, values[k]);
        }
        const char *text = s->space->objectives[k].text;
        if (n_none)
            printf("\n%s: no value at %zu of %zu points, which are not in the front\n", text,
                   n_none, n);
        else if (n > 1 && least == most)
            printf("\n%s: the same at all %zu points\n", text, n);
    }
}

static int print_outcome(struct exploration *x)
{
    struct arena *mem = &x->app->mem;
    struct search *s = &x->search;
    struct evaluation_counts c;
    size_t n, n_full = 0, n_failed = 0;
    struct explored **front = search_front(s, mem, &n);
    evaluation_counts(s->evaluation, &c);
    for (size_t i = 0; i < s->n; i++) {
        n_full += s->points[i].has[FIDELITY_FULL] && s->points[i].values[FIDELITY_FULL];
        n_failed += s->points[i].figures && s->points[i].error;
    }
    bool says_more = !x->o->quiet && !x->o->json;
    struct explored **shown = arena_many(mem, struct explored *, MOST_PRINTED);
    size_t n_shown = choose_shown(&x->space, front, n, shown);
    if (!says_more)
        out_table(outcome_table(s, front, n, mem), x->o->json, OUT_ALL_DIGITS, mem);
    else if (n)
        out_table(outcome_table(s, shown, n_shown, mem), false, OUT_ALL_DIGITS, mem);
    if (says_more && n_shown < n)
        printf("\n%zu more of the front%s: front.csv\n", n - n_shown,
               n_shown < MOST_PRINTED ? ", each with the values of one above" : "");
    if (says_more && !n && !s->is_frozen)
        print_obstacles(s, mem);
    if (says_more) {
        print_objectives(s);
        const char *assumed = outcome_assumptions(s, mem);
        if (*assumed)
            printf("assumes %s\n", assumed);
        printf("\nfront of %zu among %zu points%s", n, n_full,
               x->space.n_workloads ? " that ran whole" : "");
        if (n_failed)
            printf(", %zu failed (crosswatt results %s --failures)", n_failed, x->file);
        printf("; %llu runs made, %llu kept from before; %s\n", (unsigned long long)c.n_runs,
               (unsigned long long)c.n_taken, duration(now_s() - x->begun_s, mem));
        if (x->band.is_there) {
            struct buf sentence;
            buf_init(&sentence, mem, BUF_NO_MAX);
            band_sentence(&x->band.band, BAND_SYSTEM, &sentence);
            printf("assumptions, %s: %s\n",
                   x->band.band.is_each ? "one at a time" : "all combinations", sentence.data);
        }
        if (!s->n_shards)
            printf("report: %s\n", path_join(mem, x->dir, "report.html"));
    }
    return n ? EXIT_DONE : EXIT_NO;
}

/* Who wins on the front if what nobody can settle is otherwise. */
static bool try_assumptions(struct exploration *x)
{
    if (x->search.is_frozen || strcmp(x->assumptions, "none") == 0)
        return true;
    return front_band_make(&x->search, strcmp(x->assumptions, "each") == 0, &x->app->mem, &x->band,
                           &x->app->err);
}

static int explore(struct exploration *x)
{
    struct app *app = x->app;
    long long wanted = 0;
    if (option_get(x->o, "ask"))
        return option_int(x->o, "ask", 1, 100000, &wanted, &app->err) ? ask(x, wanted) : EXIT_INPUT;
    if (option_get(x->o, "tell"))
        return tell(x, option_get(x->o, "tell"));
    if (!search_begin(&x->search, &app->err))
        return exit_status_of(&app->err);
    tell_begin(x);
    bool may_run = tell_estimate(x);
    x->round_s = now_s();
    if (!may_run || !search_run(&x->search, &app->err))
        return exit_status_of(&app->err);
    const struct outcome_page page = {x->dir, app->data_dir, app_command_line(app), CW_VERSION,
                                      &x->band};
    bool has_page = !x->search.n_shards;
    bool ok = !has_page ||
              (outcome_write_front(&x->search, x->dir, &app->mem, &app->err) && try_assumptions(x));
    pairs_unwatch_interrupt();
    if (!ok || (has_page && !outcome_write_page(&x->search, &page, &app->mem, &app->err)))
        return exit_status_of(&app->err);
    return print_outcome(x);
}

/* Points that run, of so many; prices alone count as a hundredth of a run. */
static double worth(const struct space *s, uint64_t n, bool is_exhaustive)
{
    if (s->n_workloads == 0)
        return (double)n / 100;
    uint64_t budget = search_budget(s, n);
    return (double)(is_exhaustive || n <= s->limit || n < budget ? n : budget);
}

/* The space is read here, so that its mistakes are said before anything is submitted. */
static int on_slurm(struct app *app, const struct options *o)
{
    struct space space;
    point_choice *rows;
    size_t n;
    long long shards = 0;
    const struct space_request q = {.file = o->words[0],
                                    .preset = option_get(o, "preset"),
                                    .data_dir = app->data_dir,
                                    .allow_tools = option_has(o, "allow-tools")};
    if (!option_get(o, "output"))
        err_add(&app->err, ERR_INPUT, NOWHERE, "give a folder with -o");
    if (err_any(&app->err) || !option_int(o, "shards", 1, 100000, &shards, &app->err) ||
        !space_read(&q, &app->mem, &space, &app->err))
        return exit_status_of(&app->err);
    struct points_walker *w = points_walker(&space, &app->mem);
    if (!points_have_effect(w, &app->err))
        return exit_status_of(&app->err);
    bool is_listed = points_all(w, space.listed, &app->mem, &rows, &n);
    if (!is_listed && option_has(o, "exhaustive")) {
        search_refuse_exhaustive(&space, &app->err);
        return exit_status_of(&app->err);
    }
    const char *more = option_get(o, "sbatch");
    const struct slurm_request r = {
        .space = o->words[0],
        .dir = option_get(o, "output"),
        .preset = option_get(o, "preset"),
        .sbatch_options = more ? more : "",
        .space_hash = space.hash,
        .is_exhaustive = option_has(o, "exhaustive"),
        .allow_tools = option_has(o, "allow-tools"),
        .waits = option_has(o, "wait"),
        .is_quiet = o->quiet,
        .n_shards = shards ? (unsigned)shards
                           : slurm_shards(worth(&space, is_listed ? n : space.drawn,
                                                option_has(o, "exhaustive")))};
    bool is_absent;
    if (!slurm_submit(&r, &app->mem, &is_absent, &app->err))
        return exit_status_of(&app->err);
    return is_absent ? EXIT_MACHINE : EXIT_DONE;
}

static int run(struct app *app, const struct options *o)
{
    struct exploration x = {.app = app, .o = o, .begun_s = now_s()};
    if (option_has(o, "slurm"))
        return on_slurm(app, o);
    bool ok = open_all(&x);
    int status = ok ? explore(&x) : exit_status_of(&app->err);
    evaluation_free(x.search.evaluation);
    store_close(x.store);
    return status;
}

static const struct option_def options[] = {
    {"output", 'o', "DIR", "results.sqlite, front.csv and report.html go there"},
    {"preset", 'p', "NAME", "problem size of the workloads: tiny, small or paper"},
    {"threads", 0, "N", "runs at once; default: all cores"},
    {"exhaustive", 0, NULL, "run every point that the constraints allow"},
    {"assumptions", 0, "each|all|none",
     "run the front again under other assumptions: who wins then; default: each, one at a time"},
    {"no-run", 0, NULL, "run nothing: front and report of what is in DIR"},
    {"shard", 0, "I/N", "the I-th of N parts of the points, into DIR/shard-I-of-N.sqlite"},
    {"ask", 0, "N", "print the next N points to run, as CSV, and run nothing"},
    {"tell", 0, "FILE",
     "run the points of a CSV file and print their objectives; take those given"},
    {"slurm", 0, NULL, "submit shards to Slurm, merge them, write the report"},
    {"shards", 0, "N", "with --slurm: how many; default: one for every 100 points that run"},
    {"sbatch", 0, "TEXT", "with --slurm: options for sbatch, such as \"--partition=long\""},
    {"wait", 0, NULL, "with --slurm: wait for the end"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_explore = {
    .name = "explore",
    .args = "SPACE -o DIR",
    .meaning = "a space of descriptions, constraints and objectives: the Pareto front",
    .text =
        "SPACE says base, keys that vary, constraints, objectives and workloads "
        "(docs/explore.md).\n"
        "Every point is priced; a small space is run whole, of a larger one a search chooses. The\n"
        "same command goes on where it was stopped; results do not depend on the number of "
        "threads.\n"
        "Exit status 1: no point meets the constraints.\n",
    .options = options,
    .least_words = 1,
    .most_words = 1,
    .reads_no_config = true,
    .run = run,
};
