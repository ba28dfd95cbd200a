/* SPDX-License-Identifier: MIT */
#include "tests/unit/test.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/proc.h"
#include "gen/report/report.h"

/* Three designs on three workloads; one pair failed. */
struct fixture {
    struct arena mem;
    struct err err;
    struct result results[9];
    struct report_design designs[3];
    struct report report;
};

static const char *const workloads[] = {"mm", "bfs", "hs"};
static const char *const parts[] = {"buffers", "crossbars", "repeaters"};
static const char *const names[] = {"mesh", "CD-Xbar", "crossbar <b>"};

static void add_result(struct fixture *f, size_t d, size_t w, double performance, double watts)
{
    struct result *r = &f->results[d * 3 + w];
    *r = (struct result){
        .design = names[d], .workload = workloads[w], .n_values = 11, .n_groups = 3};
    r->values = arena_many(&f->mem, struct result_value, 11);
    size_t i = 0;
    r->values[i++] = (struct result_value){"performance_gips", "G instr/s", performance};
    r->values[i++] = (struct result_value){"noc_power_w", "W", watts};
    r->values[i++] = (struct result_value){"power_w", "W", watts + 80};
    r->values[i++] = (struct result_value){"perf_per_watt.noc", "instr/s/W", performance / watts};
    r->values[i++] =
        (struct result_value){"perf_per_watt.system", "instr/s/W", performance / (watts + 80)};
    r->values[i++] = (struct result_value){"energy_j", "J", 1e-3 * (watts + 80)};
    r->values[i++] = (struct result_value){"edp_js", "J s", 1e-6 * (watts + 80)};
    r->values[i++] = (struct result_value){"latency_queue", "cycle", 40};
    r->values[i++] = (struct result_value){"latency_request", "cycle", 60};
    r->values[i++] = (struct result_value){"latency_l2", "cycle", 80};
    r->values[i++] = (struct result_value){"latency_dram", "cycle", 150};
    r->groups = arena_many(&f->mem, struct result_group, 3);
    r->groups[0] = (struct result_group){"noc.request", 1e-3, 1e-3, 2e-3 * watts, 1, 2};
    r->groups[1] = (struct result_group){"core", 3e-3, 0, 30e-3, 0, 0};
    r->groups[2] = (struct result_group){"l2", 1e-3, 1e-3, 4e-3, 9, 0};
}

static int set_up(void **state)
{
    static struct fixture f;
    memset(&f, 0, sizeof f);
    arena_init(&f.mem, NULL, NULL);
    err_init(&f.err);
    static const struct report_fact facts[] = {{"NoC clock", "GHz", 1.4, 2},
                                               {"routers", "", 18, 0}};
    static const double performance[] = {100, 140, 150}, watts[] = {20, 10, 30};
    for (size_t d = 0; d < 3; d++) {
        f.designs[d] = (struct report_design){.name = names[d],
                                              .file = "cfg/x.cfg",
                                              .hash = "0123",
                                              .note = d == 2 ? "clock not limited" : "",
                                              .area_mm2 = {3 - (double)d, 1, 2},
                                              .facts = facts,
                                              .n_facts = 2,
                                              .engines = "native, 22 nm"};
        for (size_t w = 0; w < 3; w++)
            add_result(&f, d, w, performance[d] * (1 + (double)w), watts[d]);
    }
    f.results[2 * 3 + 1].error = "the network stopped: packet 7 & others";
    static const double x[] = {0.1, 0.2}, y[] = {20, 30};
    static const struct plot_line curves[] = {{"mesh", x, y, 2}};
    static const char *values[] = {"\"mesh\"", "\"cdxbar\"", "\"crossbar\""};
    static const struct report_key keys[] = {{"noc.topology", values}};
    f.report = (struct report){.title = "Networks of an 80-SM GPU",
                               .subtitle = "test",
                               .command_line = "crosswatt compare a b c",
                               .version = "1",
                               .designs = f.designs,
                               .n_designs = 3,
                               .workloads = workloads,
                               .n_workloads = 3,
                               .results = f.results,
                               .part_names = parts,
                               .n_parts = 3,
                               .keys = keys,
                               .n_keys = 1,
                               .curves = curves,
                               .n_curves = 1,
                               .curves_title = "Load and latency"};
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    arena_free(&f->mem);
    err_free(&f->err);
    return 0;
}

static void ratios_are_to_the_first_design_and_leave_failures_out(void **state)
{
    struct fixture *f = *state;
    const struct report_metric *m = &report_metrics[0];
    assert_close(report_ratio(&f->report, m, 1, 0), 1.4, 1e-12);
    assert_true(isnan(report_ratio(&f->report, m, 2, 1)));
    assert_close(report_geomean(&f->report, m, 2), 1.5, 1e-12);
    assert_close(report_mean(&f->report, m, 0), 1, 1e-12);
}

static void no_two_means_are_of_different_programs(void **state)
{
    struct fixture *f = *state;
    struct report *r = &f->report;
    const struct report_metric *m = &report_metrics[0];
    struct buf b;
    buf_init(&b, &f->mem, 4096);
    f->results[0].values[0].value = 50; /* mm: CD-Xbar 2.8 x, crossbar 3 x */
    f->results[1].values[0].value = 10; /* bfs, which one design did not finish: CD-Xbar 28 x */
    report_count(r, &f->mem);
    assert_close(report_geomean(r, m, 1), sqrt(2.8 * 1.4), 1e-12);
    assert_close(report_mean(r, m, 2), (3 + 1.5) / 2, 1e-12);
    assert_close(report_ratio(r, m, 1, 1), 28, 1e-9); /* it is shown nevertheless */
    report_counted_text(r, &b);
    assert_string_equal(b.data,
                        "means over 2 of 3 workloads, those that all designs finished: mm hs\n");
}

static void a_design_that_finished_nothing_is_the_best_at_nothing(void **state)
{
    struct fixture *f = *state;
    struct report *r = &f->report;
    struct buf b;
    buf_init(&b, &f->mem, 4096);
    for (size_t w = 0; w < 3; w++)
        f->results[2 * 3 + w].error = "no room";
    report_count(r, &f->mem);
    assert_int_equal(report_winner(r, REPORT_BY_AREA, &f->mem).best, 1); /* crossbar is smaller */
    assert_close(report_geomean(r, &report_metrics[0], 1), 1.4, 1e-12);
    report_counted_text(r, &b);
    assert_string_equal(b.data, "");
    f->results[0].error = f->results[3 + 1].error = f->results[3 + 2].error = "no room";
    report_count(r, &f->mem);
    report_counted_text(r, &b);
    report_verdict(r, &b);
    assert_string_equal(b.data,
                        "no means: there is no workload that all designs finished that finished "
                        "any\nNo design can be named best: there is no workload that all "
                        "finished.");
}

static void the_verdict_names_the_winner_and_why(void **state)
{
    struct fixture *f = *state;
    struct buf b;
    buf_init(&b, &f->mem, 4096);
    report_verdict(&f->report, &b);
    assert_string_equal(
        b.data, "CD-Xbar wins on performance per Watt of the NoC: 2.80 x that of mesh, because it "
                "gives 40 % more performance for 50 % less NoC power and 17 % less NoC area than "
                "mesh. It is not the fastest: crossbar <b> gives 7 % more performance.");
}

static void equal_designs_are_called_equal(void **state)
{
    struct fixture *f = *state;
    struct report_win w = report_winner(&f->report, REPORT_BY_PERF_WATT_NOC, &f->mem);
    assert_int_equal(w.best, 1);
    assert_int_equal(w.n_equal, 0);
    assert_int_equal(w.next, 0);
    assert_close(w.lead, 2.8, 1e-9);
    /* half a percent is noise; the others are as far as before */
    for (size_t i = 0; i < 3; i++)
        for (size_t v = 0; v < f->results[i].n_values; v++)
            if (strcmp(f->results[i].values[v].name, "perf_per_watt.noc") == 0)
                f->results[i].values[v].value *= 2.79;
    w = report_winner(&f->report, REPORT_BY_PERF_WATT_NOC, &f->mem);
    assert_int_equal(w.best, 1);
    assert_int_equal(w.n_equal, 1);
    assert_int_equal(w.equal[0], 0);
    struct buf b;
    buf_init(&b, &f->mem, 4096);
    report_verdict(&f->report, &b);
    assert_non_null(strstr(b.data, "CD-Xbar and mesh are equal on performance per Watt"));
}

static void seeds_say_what_is_noise(void **state)
{
    struct fixture *f = *state;
    /* five percent apart, but the order changes with the start */
    static struct result other[9];
    const struct result *seeds[2] = {f->results, other};
    memcpy(other, f->results, sizeof other);
    for (size_t i = 3; i < 6; i++) {
        other[i].values = arena_many(&f->mem, struct result_value, other[i].n_values);
        memcpy(other[i].values, f->results[i].values, other[i].n_values * sizeof *other[i].values);
        for (size_t v = 0; v < other[i].n_values; v++)
            if (strcmp(other[i].values[v].name, "performance_gips") == 0)
                other[i].values[v].value *= 0.7;
    }
    f->report.seeds = seeds;
    f->report.n_seeds = 2;
    assert_true(report_is_tie(&f->report, REPORT_BY_PERFORMANCE, 1, 0));
    assert_false(report_is_tie(&f->report, REPORT_BY_PERFORMANCE, 2, 0));
    assert_close(report_geomean(&f->report, &report_metrics[0], 1), 1.4 * sqrt(0.7), 1e-9);
}

static void results_read_back_from_json(void **state)
{
    struct fixture *f = *state;
    struct result again;
    json_t *j = result_json(&f->results[4]);
    assert_true(result_from_json(j, "x.json", &f->mem, &again, &f->err));
    json_decref(j);
    assert_int_equal(again.n_values, 11);
    assert_true(result_get(&again, "noc_power_w") == 10);
    assert_true(result_group(&again, "l2")->total_j == 4e-3);
    j = json_object();
    assert_false(result_from_json(j, "x.json", &f->mem, &again, &f->err));
    json_decref(j);
}

static void the_page_is_whole_and_escapes_what_users_wrote(void **state)
{
    struct fixture *f = *state;
    char dir[] = "/tmp/cw-report-XXXXXX";
    const char *keep = getenv("KEEP_REPORT");
    char *text;
    size_t n;
    struct proc_result r;
    assert_non_null(mkdtemp(dir));
    const char *out = keep ? keep : dir;
    bool ok = report_write(&f->report, out, ".", &f->mem, &f->err);
    if (!ok)
        print_error("%s\n", err_entry_text(f->err.first, &f->mem));
    assert_true(ok);
    assert_true(
        file_read(path_join(&f->mem, out, "report.html"), 1 << 24, &f->mem, &text, &n, &f->err));
    assert_non_null(strstr(text, "crossbar &lt;b&gt;"));
    assert_null(strstr(text, "crossbar <b>"));
    assert_non_null(strstr(text, "the network stopped: packet 7 &amp; others"));
    assert_null(strstr(text, "src=\"http"));
    assert_null(strstr(text, "{{"));
    assert_true(
        proc_run((const char *[]){"rm", "-r", dir, NULL}, NULL, 5, 10, &f->mem, &r, &f->err));
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(ratios_are_to_the_first_design_and_leave_failures_out),
        T(no_two_means_are_of_different_programs),
        T(a_design_that_finished_nothing_is_the_best_at_nothing),
        T(the_verdict_names_the_winner_and_why),
        T(equal_designs_are_called_equal),
        T(seeds_say_what_is_noise),
        T(results_read_back_from_json),
        T(the_page_is_whole_and_escapes_what_users_wrote),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
