/* SPDX-License-Identifier: MIT
 *
 * What is said of a band: cases made by hand. */
#include "tests/unit/test.h"

#include "base/arena.h"
#include "base/buf.h"
#include "gen/report/band_print.h"

enum { MESH, CROSSBAR, CDXBAR, DESIGNS, CASES = 4 };

struct fixture {
    struct arena mem;
    struct band band;
    struct band_case cases[CASES];
    double ratios[CASES][DESIGNS * BAND_GOALS];
    bool has_run[DESIGNS], is_counted[2];
};

static const char *const names[] = {"mesh", "crossbar", "cdxbar"};
static const char *const workloads[] = {"hs", "mm"};

static void set_ratio(struct fixture *f, size_t c, size_t d, double performance, double per_watt)
{
    double *r = &f->ratios[c][d * BAND_GOALS];
    r[BAND_PERFORMANCE] = performance;
    r[BAND_NOC] = r[BAND_SYSTEM] = per_watt;
    r[BAND_EDP] = r[BAND_AREA] = 1 / per_watt;
}

static void find_best(struct fixture *f)
{
    for (size_t c = 0; c < CASES; c++)
        for (int g = 0; g < BAND_GOALS; g++) {
            const double *r = f->ratios[c];
            size_t best = SIZE_MAX;
            for (size_t d = 0; d < DESIGNS; d++) {
                double x = r[d * BAND_GOALS + (size_t)g];
                double y = best == SIZE_MAX ? NAN : r[best * BAND_GOALS + (size_t)g];
                if (isfinite(x) && (isnan(y) || (band_more_is_better(g) ? x > y : x < y)))
                    best = d;
            }
            f->cases[c].best[g] = best;
        }
}

/* Timing mode stage, all, ck; then clock limit none. The crossbar wins where it is slow. */
static int set_up(void **state)
{
    static struct fixture f;
    memset(&f, 0, sizeof f);
    arena_init(&f.mem, NULL, NULL);
    static const uint8_t mode[CASES] = {0, 1, 2, 0}, limit[CASES] = {0, 0, 0, 1};
    for (size_t c = 0; c < CASES; c++) {
        f.cases[c].ratio = f.ratios[c];
        f.cases[c].value[BAND_MODE] = mode[c];
        f.cases[c].value[BAND_LIMIT] = limit[c];
        set_ratio(&f, c, MESH, 1, 1);
        set_ratio(&f, c, CROSSBAR, 1.2, 2);
        set_ratio(&f, c, CDXBAR, 1.14, 3);
    }
    set_ratio(&f, 1, CROSSBAR, 0.6, 6);
    set_ratio(&f, 1, CDXBAR, 0.8, 4);
    set_ratio(&f, 2, CROSSBAR, 0.9, 3.5);
    for (size_t d = 0; d < DESIGNS; d++)
        f.has_run[d] = true;
    f.is_counted[0] = f.is_counted[1] = true;
    f.band = (struct band){.cases = f.cases,
                           .n_cases = CASES,
                           .n_designs = DESIGNS,
                           .is_each = true,
                           .names = names,
                           .is_counted = f.is_counted,
                           .workloads = workloads,
                           .n_workloads = 2,
                           .has_run = f.has_run};
    for (int k = 0; k < BAND_N; k++)
        f.band.assumptions[k] = (struct band_assumption){"other", {"as it is"}, 1};
    f.band.assumptions[BAND_MODE] =
        (struct band_assumption){"timing mode", {"stage", "all", "ck"}, 3};
    f.band.assumptions[BAND_LIMIT] = (struct band_assumption){"clock limit", {"fmax", "none"}, 2};
    find_best(&f);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    arena_free(&f->mem);
    return 0;
}

static const char *sentence(struct fixture *f)
{
    struct buf b;
    buf_init(&b, &f->mem, 4096);
    band_sentence(&f->band, BAND_NOC, &b);
    return b.data;
}

static void a_winner_that_is_slow_where_it_wins_is_said_to_be(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(
        sentence(f), "crossbar wins on performance per Watt of the NoC in 2 of 4 cases, giving 21 "
                     "to 40 % less performance there than the fastest; cdxbar wins where all is as "
                     "described; clock limit none, giving 5 % less performance there than "
                     "crossbar.");
    set_ratio(f, 1, CDXBAR, 1.14, 4);
    set_ratio(f, 1, MESH, 0.9, 1); /* the same is the fastest in both */
    find_best(f);
    assert_non_null(strstr(sentence(f), "giving 21 to 47 % less performance there than cdxbar;"));
    set_ratio(f, 2, CROSSBAR, 1.14, 3.5);
    find_best(f);
    assert_non_null(strstr(sentence(f), "giving up to 47 % less performance there than cdxbar;"));
    set_ratio(f, 1, CROSSBAR, 1.14, 6);
    find_best(f);
    assert_non_null(strstr(sentence(f), "2 of 4 cases; cdxbar"));
}

static void each_range_names_what_moves_it_most(void **state)
{
    struct fixture *f = *state;
    struct buf b;
    buf_init(&b, &f->mem, BUF_NO_MAX);
    set_ratio(f, 3, CDXBAR, 1.14, 4.5);
    find_best(f);
    band_text(&f->band, &f->mem, &b);
    assert_non_null(strstr(b.data, "2.00..6.00 timing mode"));
    assert_non_null(strstr(b.data, "3.00..4.50 clock limit"));
    assert_non_null(strstr(b.data, "1.00..1.00  "));
    json_t *j = band_json(&f->band, &f->mem);
    json_t *one = json_object_get(json_object_get(json_object_get(j, "over_first"), "perf/W NoC"),
                                  "crossbar");
    assert_close(json_number_value(json_object_get(one, "most")), 6, 1e-12);
    assert_string_equal(json_string_value(json_object_get(one, "moved_most_by")), "timing mode");
    assert_int_equal(json_integer_value(json_object_get(one, "best_in")), 2);
    one = json_object_get(j, "moves");
    assert_string_equal(json_string_value(json_object_get(one, "design")), "cdxbar");
    assert_close(json_number_value(json_object_get(one, "as_described")), 1.5, 1e-12);
    json_decref(j);
}

static void a_design_without_numbers_has_no_range(void **state)
{
    struct fixture *f = *state;
    struct buf b;
    buf_init(&b, &f->mem, BUF_NO_MAX);
    for (size_t c = 0; c < CASES; c++)
        set_ratio(f, c, CROSSBAR, NAN, NAN);
    f->has_run[CROSSBAR] = false;
    f->is_counted[1] = false;
    find_best(f);
    band_text(&f->band, &f->mem, &b);
    assert_null(strstr(b.data, "inf"));
    assert_null(strstr(b.data, "nan"));
    assert_non_null(strstr(b.data, "means over 1 of 2 workloads"));
    assert_non_null(strstr(b.data, "cdxbar wins on performance per Watt of the NoC in 4 of 4"));
    f->has_run[MESH] = false;
    assert_string_equal(sentence(f), "No band: mesh, the first, finished no workload.");
    f->has_run[MESH] = true;
    f->has_run[CDXBAR] = false;
    assert_string_equal(sentence(f), "No band: there is nothing to compare mesh with.");
    f->has_run[CDXBAR] = true;
    f->is_counted[0] = false;
    assert_string_equal(sentence(f), "No band: there is no workload that all designs finished in "
                                     "every case.");
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(a_winner_that_is_slow_where_it_wins_is_said_to_be),
        T(each_range_names_what_moves_it_most),
        T(a_design_without_numbers_has_no_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
