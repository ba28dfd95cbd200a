/* SPDX-License-Identifier: MIT
 *
 * Explorations: expressions, spaces, points, fronts, guesses, and prices that many designs share.
 */
#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "base/rng.h"
#include "gen/config/read.h"
#include "gen/explore/front_band.h"
#include "gen/explore/gaussian.h"
#include "gen/explore/pareto.h"
#include "gen/explore/points.h"
#include "gen/price/cost_figures.h"
#include "gen/price/shared.h"
#include "gen/run/identity.h"
#include "tests/unit/fixture.h"

/* ---- expressions ----------------------------------------------------------------------------- */

static size_t figure(const char *name)
{
    size_t i = 0;
    while (strcmp(figures[i].name, name) != 0)
        i++;
    return i;
}

struct example {
    struct expr_names names;
    struct expr_values values;
    double figures[64];
    struct result results[2];
    struct result_value stats[2][2];
};

static const char *const workloads[] = {"mm", "hs"};

static void make_example(struct example *x, struct arena *mem)
{
    memset(x, 0, sizeof *x);
    x->names.stats = stat_names(mem, &x->names.n_stats);
    x->names.workloads = workloads;
    x->names.n_workloads = 2;
    x->figures[figure("noc.area_mm2")] = 6;
    x->figures[figure("noc.fmax_ghz")] = 1.5;
    for (int w = 0; w < 2; w++) {
        x->stats[w][0] = (struct result_value){"power_w", "W", w ? 8 : 2};
        x->stats[w][1] = (struct result_value){"cycles", "cycle", w ? -1 : 3};
        x->results[w] = (struct result){.values = x->stats[w], .n_values = 2};
    }
    x->values = (struct expr_values){x->figures, x->results, 2};
}

static void expressions_have_the_values_that_they_say(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *text;
        double value;
        bool is_figure;
    } cases[] = {
        {"1 + 2 * 3", 7, true},
        {"(1 + 2) * -3", -9, true},
        {"8 / 4 / 2", 1, true},
        {"10 - 3 - 2", 5, true},
        {"noc.area_mm2 * 2", 12, true},
        {"noc.area_mm2/noc.fmax_ghz", 4, true},
        {"power_w", 4, false}, /* geometric mean of 2 and 8 */
        {"mean(power_w)", 5, false},
        {"min(power_w)", 2, false},
        {"max( power_w ) - 1", 7, false},
        {"sum(power_w)", 10, false},
        {"geomean(power_w * 2)", 8, false},
        {"power_w@hs", 8, false},
        {"power_w@hs - power_w@mm", 6, false},
        {"power_w * noc.area_mm2", 24, false},
        {"cycles", NAN, false}, /* no geometric mean: one is below zero */
        {"mean(cycles)", 1, false},
        {"1 / 0", NAN, true},
    };
    struct example x;
    make_example(&x, &f->mem);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expr *e = expr_parse(cases[i].text, &x.names, NOWHERE, &f->mem, &f->err);
        assert_non_null(e);
        double v = expr_value(e, &x.values);
        if (isnan(cases[i].value))
            assert_true(isnan(v));
        else
            assert_true(fabs(v - cases[i].value) < 1e-9);
        assert_int_equal(expr_is_figure(e), cases[i].is_figure);
    }
    x.values.results = NULL; /* before it runs */
    assert_true(
        isnan(expr_value(expr_parse("power_w", &x.names, NOWHERE, &f->mem, &f->err), &x.values)));
}

static void wrong_expressions_are_refused_with_what_was_meant(void **state)
{
    struct fixture *f = *state;
    static const char *const cases[][2] = {
        {"noc.area_mm", "there is no statistic 'noc.area_mm'; did you mean 'noc.area_mm2'?"},
        {"power_w@nn", "'nn' is not one of the workloads"},
        {"(1 + 2", "expected ')' at 'the end'"},
        {"1 +", "expected a number, a statistic or '(' at 'the end'"},
        {"1 2", "did not expect more at '2'"},
        {"power_w; 1", "did not expect more at '; 1'"},
        {"", "expected a number"},
    };
    struct example x;
    make_example(&x, &f->mem);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err;
        err_init(&err);
        assert_null(expr_parse(cases[i][0], &x.names, NOWHERE, &f->mem, &err));
        assert_non_null(strstr(err.first->text, cases[i][1]));
        err_free(&err);
    }
    char deep[1000];
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    assert_null(expr_parse(deep, &x.names, NOWHERE, &f->mem, &f->err));
}

static void constraints_tell_by_how_much_they_hold(void **state)
{
    struct fixture *f = *state;
    struct example x;
    struct expr_constraint c;
    make_example(&x, &f->mem);
    assert_true(
        expr_parse_constraint("noc.area_mm2 <= 12", &x.names, NOWHERE, &f->mem, &c, &f->err));
    assert_true(c.is_figure && fabs(expr_slack(&c, &x.values) - 0.5) < 1e-12);
    assert_true(expr_parse_constraint("power_w > 4", &x.names, NOWHERE, &f->mem, &c, &f->err));
    assert_true(!c.is_figure && expr_slack(&c, &x.values) < 1e-9);
    assert_true(
        expr_parse_constraint("6 >= noc.area_mm2", &x.names, NOWHERE, &f->mem, &c, &f->err));
    assert_true(expr_slack(&c, &x.values) == 0);
    assert_true(expr_parse_constraint("6 > noc.area_mm2", &x.names, NOWHERE, &f->mem, &c, &f->err));
    assert_true(expr_slack(&c, &x.values) < 0);
    assert_false(expr_parse_constraint("noc.area_mm2", &x.names, NOWHERE, &f->mem, &c, &f->err));
    assert_false(expr_parse_constraint("1 = 1", &x.names, NOWHERE, &f->mem, &c, &f->err));
}

/* ---- spaces and points ----------------------------------------------------------------------- */

static const char space_text[] =
    "base = \"cfg/paper/cdxbar/20-cdxbar.cfg\";\n"
    "vary = ( { key = \"noc.cdxbar.ports\"; values = [2, 3, 4]; },\n"
    "         { key = \"noc.topology\"; values = [\"mesh\", \"cdxbar\", \"crossbar\"]; },\n"
    "         { key = \"noc.mesh.placement\"; values = [\"bottom\", \"diamond\"]; },\n"
    "         { key = \"noc.width\"; values = [\"16 B\", \"32 B\"]; } );\n"
    "constraint = \"noc.area_mm2 <= 6\";\n"
    "objective = ( \"max noc.bisection_gbs\", \"min noc.area_mm2\" );\n";

static bool read_space(const char *text, struct fixture *f, struct space *out)
{
    const struct space_request q = {.file = "space.cfg", .text = text, .data_dir = "."};
    return space_read(&q, &f->mem, out, &f->err);
}

static void keys_without_effect_do_not_multiply_points(void **state)
{
    struct fixture *f = *state;
    struct space s;
    point_choice *rows;
    size_t n;
    bool ok = read_space(space_text, f, &s);
    if (!ok)
        fail_msg("%s", f->err.first->text);
    assert_int_equal(s.n_keys, 4);
    assert_string_equal(s.keys[0].path, "noc.topology"); /* decides about others: first */
    struct points_walker *w = points_walker(&s, &f->mem);
    assert_true(points_all(w, 1000, &f->mem, &rows, &n));
    assert_int_equal(n, (2 + 3 + 1) * 2); /* mesh: placements; cdxbar: ports; crossbar: neither */
    assert_true(points_combinations(&s) == 36);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++)
            assert_memory_not_equal(rows + i * 4, rows + j * 4, 4 * sizeof *rows);
    }
    assert_false(points_all(w, n - 1, &f->mem, &rows, &n));
}

static void drawn_and_mixed_points_are_points_of_the_space(void **state)
{
    struct fixture *f = *state;
    struct space s;
    point_choice *rows, a[SPACE_MOST_KEYS], b[SPACE_MOST_KEYS], c[SPACE_MOST_KEYS];
    size_t n;
    struct rng rng;
    assert_true(read_space(space_text, f, &s));
    struct points_walker *w = points_walker(&s, &f->mem);
    assert_true(points_all(w, 1000, &f->mem, &rows, &n));
    bool *seen = arena_many(&f->mem, bool, n);
    rng_seed(&rng, 1, "test", 0);
    points_random(w, &rng, a);
    for (int i = 0; i < 500; i++) {
        points_random(w, &rng, b);
        points_cross(w, a, b, &rng, c);
        size_t at = 0;
        while (at < n && memcmp(rows + at * 4, c, 4 * sizeof *c) != 0)
            at++;
        assert_true(at < n);
        seen[at] = true;
        memcpy(a, c, sizeof a);
    }
    for (size_t i = 0; i < n; i++)
        assert_true(seen[i]);
}

static void mistakes_in_a_space_have_their_line(void **state)
{
    (void)state;
    static const char head[] = "base = \"cfg/paper/cdxbar/20-cdxbar.cfg\";\n";
    static const char *const cases[][2] = {
        {"vary = ( { key = \"noc.vsc\"; values = [1]; } );\nobjective = \"min noc.area_mm2\";",
         "space.cfg:2: unknown key 'noc.vsc'; did you mean 'noc.vcs'?"},
        {"vary = ( { key = \"noc.vcs\"; values = [1,\n 99]; } );\nobjective = \"min "
         "noc.area_mm2\";",
         "space.cfg:3: noc.vcs: 99 is not in 1..64"},
        {"vary = ( { key = \"noc.vcs\"; values = [1, 1]; } );\nobjective = \"min noc.area_mm2\";",
         "noc.vcs: the value 1 stands there twice"},
        {"vary = ( { key = \"noc.vcs\"; values = [1]; }, { key = \"noc.vcs\"; values = [2]; } );",
         "noc.vcs varies twice"},
        {"vary = ( { key = \"noc.vcs\"; } );", "needs values"},
        {"vary = ( { key = \"noc.vcs\"; values = [1]; } );", "has no objective"},
        {"vary = ( { key = \"noc.vcs\"; values = [1]; } );\nobjective = \"noc.area_mm2\";",
         "space.cfg:3: objective: 'noc.area_mm2': expected 'max …' or 'min …'"},
        {"vary = ( { key = \"noc.vcs\"; values = [1]; } );\nobjective = \"min power_w\";",
         "has no workloads"},
        {"vary = ( { key = \"noc.vcs\"; values = [1]; } );\nobjective = \"min power_w\";\n"
         "workloads = \"mmm\";",
         "space.cfg:4: workloads: there is no workload 'mmm'"},
        {"vary = ( { key = \"noc.vcs\"; values = [1]; } );\nobjective = \"min noc.area_mm2\";\n"
         "windov = 3;",
         "space.cfg:4: a space has no setting 'windov'; did you mean 'window'?"},
        {"vary = ( { key = \"noc.vcs\"; values = [1]; } );\nobjective = \"min noc.area_mm2\";\n"
         "margin = -1;",
         "space.cfg:4: margin: expected a number in 0..10"},
        {"vary = 3;", "needs vary"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture own;
        struct space s;
        arena_init(&own.mem, NULL, NULL);
        err_init(&own.err);
        assert_false(read_space(arena_printf(&own.mem, "%s%s", head, cases[i][0]), &own, &s));
        bool is_said = false;
        for (const struct err_entry *e = own.err.first; e; e = e->next)
            is_said |= strstr(err_entry_text(e, &own.mem), cases[i][1]) != NULL;
        if (!is_said)
            fail_msg("'%s' was not said, but '%s'", cases[i][1],
                     err_entry_text(own.err.first, &own.mem));
        arena_free(&own.mem);
        err_free(&own.err);
    }
}

/* ---- fronts ---------------------------------------------------------------------------------- */

static void a_front_is_what_nothing_dominates(void **state)
{
    (void)state;
    const double rows[] = {1, 5, 2, 3, 3, 3, 4, 1, 2, 3, 5, 5};
    bool is_front[6];
    pareto_front(rows, 6, 2, is_front);
    const bool expected[6] = {true, true, false, true, true, false};
    for (int i = 0; i < 6; i++)
        assert_int_equal(is_front[i], expected[i]);
    assert_true(pareto_dominates(rows + 2, rows + 4, 2));
    assert_false(pareto_dominates(rows + 2, rows + 8, 2)); /* equal */
}

static void a_front_is_the_same_looked_at_pair_by_pair(void **state)
{
    enum { N = 60 };
    (void)state;
    struct rng rng;
    rng_seed(&rng, 1, "fronts", 0);
    for (size_t round = 0; round < 200; round++) {
        double rows[N * 4];
        bool is_front[N];
        size_t m = 1 + round % 4, n = rng_below(&rng, N + 1);
        for (size_t i = 0; i < n * m; i++) /* few values: many are equal */
            rows[i] = rng_below(&rng, round % 3 ? 6 : 1000);
        pareto_front(rows, n, m, is_front);
        for (size_t i = 0; i < n; i++) {
            bool is_best = true;
            for (size_t j = 0; j < n; j++)
                is_best &= !pareto_dominates(&rows[j * m], &rows[i * m], m);
            assert_int_equal(is_front[i], is_best);
        }
    }
}

/* Share of drawn vectors that some row dominates. */
static double drawn_volume(const double *rows, size_t n, size_t m, struct rng *rng)
{
    enum { DRAWS = 40000 };
    double v[PARETO_MOST];
    size_t hit = 0;
    for (int d = 0; d < DRAWS; d++) {
        for (size_t k = 0; k < m; k++)
            v[k] = rng_unit(rng);
        bool is_in = false;
        for (size_t i = 0; i < n && !is_in; i++) {
            is_in = true;
            for (size_t k = 0; k < m; k++)
                is_in &= rows[i * m + k] <= v[k];
        }
        hit += is_in;
    }
    return (double)hit / DRAWS;
}

static void volumes_agree_with_drawn_points(void **state)
{
    (void)state;
    const double worst[PARETO_MOST] = {1, 1, 1, 1, 1, 1, 1, 1};
    struct rng rng;
    rng_seed(&rng, 7, "volumes", 0);
    for (size_t m = 1; m <= 5; m++) {
        double rows[12 * PARETO_MOST];
        for (size_t i = 0; i < 12 * m; i++)
            rows[i] = rng_unit(&rng) * 1.1; /* some lie beyond the worst */
        double v = pareto_volume(rows, 12, m, worst);
        assert_true(fabs(v - drawn_volume(rows, 12, m, &rng)) < 0.015);
        for (size_t i = 0; i < 12; i++) { /* what the last one adds */
            double gain = pareto_gain(rows, i, m, worst, rows + i * m);
            assert_true(fabs(pareto_volume(rows, i + 1, m, worst) -
                             pareto_volume(rows, i, m, worst) - gain) < 1e-12);
        }
    }
    const double two[] = {0.25, 0.5, 0.5, 0.25};
    assert_true(fabs(pareto_volume(two, 2, 2, worst) - (0.375 + 0.125)) < 1e-12);
}

/* ---- guesses --------------------------------------------------------------------------------- */

static double truth(const double *x)
{
    return exp(0.5 * x[0] - 0.3 * x[1] * x[1]);
}

static void a_model_learns_a_smooth_function_and_which_feature_matters(void **state)
{
    struct fixture *f = *state;
    enum { N = 60, M = 3 };
    double x[N * M], y[N], work[N], at[M], mean, deviation, worst = 0;
    struct rng rng;
    struct model m;
    rng_seed(&rng, 3, "model", 0);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < M; k++)
            x[i * M + k] = 4 * rng_unit(&rng) - 2;
        y[i] = truth(x + i * M);
    }
    model_fit(x, y, N, M, &f->mem, &m);
    assert_true(m.is_log);
    assert_true(m.weights[2] < 0.1 * m.weights[1]); /* the third is noise */
    for (int i = 0; i < 200; i++) {
        for (int k = 0; k < M; k++)
            at[k] = 3 * rng_unit(&rng) - 1.5;
        model_guess(&m, at, work, &mean, &deviation);
        worst = fmax(worst, fabs(exp(mean) / truth(at) - 1));
    }
    assert_true(worst < 0.05);
    for (int i = 0; i < N; i++) { /* what is known is known */
        model_guess(&m, x + i * M, work, &mean, &deviation);
        assert_true(fabs(exp(mean) / y[i] - 1) < 1e-2 && deviation < 0.02);
    }
    at[0] = at[1] = at[2] = 40;
    model_guess(&m, at, work, &mean, &deviation);
    assert_true(deviation > 0.1); /* far away nothing is */
    y[3] = -1;
    model_fit(x, y, N, M, &f->mem, &m);
    assert_false(m.is_log);
}

/* The same by the inverse of the whole matrix instead of by its factor. */
enum { ROWS = 7, FEATURES = 2 };

struct direct {
    double inverse[ROWS][ROWS], scale, likelihood;
};

static double matern(const double *a, const double *b, const double *weights)
{
    double d2 = 0;
    for (int k = 0; k < FEATURES; k++)
        d2 += weights[k] * (a[k] - b[k]) * (a[k] - b[k]);
    return (1 + sqrt(5 * d2) + 5 * d2 / 3) * exp(-sqrt(5 * d2));
}

static void solve_directly(const double x[ROWS][FEATURES], const double *y, const double *weights,
                           struct direct *out)
{
    double a[ROWS][2 * ROWS] = {{0}}, determinant = 1, fit = 0;
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < ROWS; j++)
            a[i][j] = matern(x[i], x[j], weights) + (i == j ? 1e-6 : 0);
        a[i][ROWS + i] = 1;
    }
    for (int p = 0; p < ROWS; p++) {
        double pivot = a[p][p];
        determinant *= pivot;
        for (int j = 0; j < 2 * ROWS; j++)
            a[p][j] /= pivot;
        for (int i = 0; i < ROWS; i++) {
            double f = a[i][p];
            for (int j = 0; i != p && j < 2 * ROWS; j++)
                a[i][j] -= f * a[p][j];
        }
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++) {
            out->inverse[i][j] = a[i][ROWS + j];
            fit += y[i] * a[i][ROWS + j] * y[j];
        }
    out->scale = fit / ROWS;
    out->likelihood = -0.5 * ROWS * log(out->scale) - 0.5 * log(determinant);
}

static void a_model_is_the_gaussian_process_of_its_rows(void **state)
{
    static const double x[ROWS][FEATURES] = {{0, 0}, {1, 0.5}, {2, -1},    {0.5, 2},
                                             {3, 1}, {-1, 1},  {1.5, -0.5}};
    static const double at[][FEATURES] = {{0.25, 0.5}, {2, 1}, {-3, 4}, {1, 0.5}};
    static const double factors[2][4] = {{1e-4, 0.1, 4, 20}, {0.25, 0.5, 2, 4}};
    for (int is_log = 0; is_log < 2; is_log++) {
        struct fixture *f = *state;
        struct model m;
        struct direct d;
        double y[ROWS], c[ROWS], mean = 0, work[ROWS], weights[FEATURES] = {0.5, 0.5}, best;
        for (int i = 0; i < ROWS; i++) {
            y[i] = sin(x[i][0]) + 0.3 * x[i][1] * x[i][1] + (is_log ? 2 : 0);
            mean += (is_log ? log(y[i]) : y[i]) / ROWS;
        }
        for (int i = 0; i < ROWS; i++)
            c[i] = (is_log ? log(y[i]) : y[i]) - mean;
        model_fit(&x[0][0], y, ROWS, FEATURES, &f->mem, &m);
        assert_int_equal(m.is_log, is_log);
        assert_true(m.noise == 1e-6);
        assert_close(m.mean, mean, 1e-12);
        /* each weight in turn, twice */
        solve_directly(x, c, weights, &d);
        best = d.likelihood;
        for (int round = 0; round < 2; round++)
            for (int k = 0; k < FEATURES; k++) {
                double start = weights[k], chosen = start;
                for (int s = 0; s < 4; s++) {
                    weights[k] = start * factors[round][s];
                    solve_directly(x, c, weights, &d);
                    if (d.likelihood > best + 1e-9) {
                        best = d.likelihood;
                        chosen = weights[k];
                    }
                }
                weights[k] = chosen;
            }
        solve_directly(x, c, weights, &d);
        for (int k = 0; k < FEATURES; k++)
            assert_close(m.weights[k], weights[k], 1e-12);
        assert_close(m.scale, d.scale, 1e-6);
        for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
            double guess, deviation, sum = mean, left = 1 + 1e-6;
            for (int i = 0; i < ROWS; i++)
                for (int j = 0; j < ROWS; j++) {
                    double near = matern(at[k], x[i], weights);
                    sum += near * d.inverse[i][j] * c[j];
                    left -= near * d.inverse[i][j] * matern(at[k], x[j], weights);
                }
            model_guess(&m, at[k], work, &guess, &deviation);
            assert_close(guess, sum, 1e-6);
            assert_close(deviation * deviation, left * d.scale, 1e-4);
        }
    }
}

/* ---- shared prices --------------------------------------------------------------------------- */

struct shared_work {
    struct price_shared *shared;
    const char *const *files;
    uint64_t hashes[16];
};

static uint64_t hash_of(const char *file, struct price_shared *shared)
{
    struct arena mem;
    struct err err;
    struct arch arch;
    struct sim_setup setup;
    const char *sets[] = {"noc.vcs=2"};
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    const struct read_request r = {.file = file, .sets = sets, .n_sets = 1, .data_dir = "."};
    bool ok = arch_read(&r, &mem, &arch, &err) &&
              (shared ? sim_setup_shared(&arch, ".", shared, &mem, &setup, &err)
                      : sim_setup_make(&arch, ".", true, 1, &mem, &setup, &err));
    uint64_t hash = ok ? identity_design(&setup, &mem) : 0;
    err_free(&err);
    arena_free(&mem);
    return hash;
}

static void price_shared_one(void *ctx, size_t i)
{
    struct shared_work *w = ctx;
    w->hashes[i] = hash_of(w->files[i % 4], w->shared);
}

static void shared_prices_are_the_same_and_made_once(void **state)
{
    struct fixture *f = *state;
    static const char *const files[] = {"cfg/paper/cdxbar/20-mesh.cfg",
                                        "cfg/paper/cdxbar/20-cdxbar.cfg",
                                        "cfg/paper/cdxbar/20-clos.cfg", "cfg/paper/icc/icc.cfg"};
    struct shared_work w = {price_shared_new(".", &f->mem, &f->err), files, {0}};
    uint64_t priced, again, asked;
    assert_non_null(w.shared);
    pool_run(4, 8, price_shared_one, &w, NULL);
    price_shared_counts(w.shared, &priced, &asked);
    for (int i = 0; i < 8; i++) {
        assert_true(w.hashes[i] != 0);
        assert_true(w.hashes[i] == hash_of(files[i % 4], NULL));
    }
    assert_true(asked >= 2 * priced);
    pool_run(4, 8, price_shared_one, &w, NULL);
    price_shared_counts(w.shared, &again, &asked);
    assert_true(again == priced);
    price_shared_free(w.shared);
}

/* ---- the front under assumptions ------------------------------------------------------------- */

static void a_long_front_is_thinned_and_keeps_its_ends(void **state)
{
    (void)state;
    struct explored points[23], *front[23], *out[8];
    for (size_t i = 0; i < 23; i++)
        front[i] = &points[i];
    assert_int_equal(front_band_choose(front, 23, 8, out), 8);
    assert_ptr_equal(out[0], front[0]);
    assert_ptr_equal(out[7], front[22]);
    for (size_t i = 1; i < 8; i++)
        assert_true(out[i] > out[i - 1]); /* in order, none twice */
    assert_int_equal(front_band_choose(front, 5, 8, out), 5);
    for (size_t i = 0; i < 5; i++)
        assert_ptr_equal(out[i], front[i]);
    assert_int_equal(front_band_choose(front, 1, 8, out), 1);
    assert_int_equal(front_band_choose(front, 0, 8, out), 0);
}

static void points_are_named_by_what_tells_them_apart(void **state)
{
    struct fixture *f = *state;
    const char *nets[] = {"mesh", "cdxbar"}, *ports[] = {"2", "3"}, *widths[] = {"16 B", "32 B"};
    struct space space = {.keys = {{.path = "noc.topology", .values = nets},
                                   {.path = "noc.cdxbar.ports", .values = ports},
                                   {.path = "noc.width", .values = widths}},
                          .n_keys = 3};
    point_choice a[] = {0, POINT_NONE, 1}, b[] = {1, 1, 1};
    struct explored p = {.choice = a}, q = {.choice = b}, *points[] = {&p, &q};
    assert_string_equal(front_band_name(&space, points, 2, 0, &f->mem), "mesh");
    assert_string_equal(front_band_name(&space, points, 2, 1, &f->mem), "cdxbar, ports 3");
    assert_string_equal(front_band_name(&space, points, 1, 0, &f->mem), "base");
    space.keys[2].path = "llc.ports"; /* two keys that end alike */
    a[2] = 0;
    assert_string_equal(front_band_name(&space, points, 2, 1, &f->mem),
                        "cdxbar, noc.cdxbar.ports 3, llc.ports 32 B");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(expressions_have_the_values_that_they_say, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(wrong_expressions_are_refused_with_what_was_meant, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(constraints_tell_by_how_much_they_hold, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keys_without_effect_do_not_multiply_points, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(drawn_and_mixed_points_are_points_of_the_space, set_up,
                                        tear_down),
        cmocka_unit_test(mistakes_in_a_space_have_their_line),
        cmocka_unit_test(a_front_is_what_nothing_dominates),
        cmocka_unit_test(a_front_is_the_same_looked_at_pair_by_pair),
        cmocka_unit_test(volumes_agree_with_drawn_points),
        cmocka_unit_test_setup_teardown(a_model_learns_a_smooth_function_and_which_feature_matters,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_model_is_the_gaussian_process_of_its_rows, set_up,
                                        tear_down),
        cmocka_unit_test(a_long_front_is_thinned_and_keeps_its_ends),
        cmocka_unit_test_setup_teardown(points_are_named_by_what_tells_them_apart, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(shared_prices_are_the_same_and_made_once, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
