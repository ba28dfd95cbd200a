/* SPDX-License-Identifier: MIT */
#include "tests/unit/test.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "gen/plot.h"

static void plots_are_drawn_with_data_and_script_beside_them(void **state)
{
    (void)state;
    static const char *const workloads[] = {"mm", "it's <odd>", "mean"};
    static const char *const designs[] = {"mesh", "CD-Xbar"};
    static const double values[] = {1, 1.5, 1, NAN, 1, 1.4};
    static const double changes[] = {-1, 1.5, 1, NAN, 1, 1.4}, losses[] = {-1, -2, -3, -4, -5, NAN};
    static const double x[] = {0.1, 0.2, 0.3}, y[] = {20, 22, 60};
    static const struct plot_line lines[] = {{"mesh", x, y, 3}, {"CD-Xbar", x, y, 2}};
    struct plot plots[] = {
        {.kind = PLOT_BARS,
         .name = "bars",
         .title = "IPC",
         .x_label = "workload",
         .y_label = "IPC over mesh",
         .categories = workloads,
         .n_categories = 3,
         .series = designs,
         .n_series = 2,
         .values = values,
         .baseline = 1},
        {.kind = PLOT_STACKED,
         .name = "stack",
         .title = "area",
         .x_label = "design",
         .y_label = "mm²",
         .categories = workloads,
         .n_categories = 3,
         .series = designs,
         .n_series = 2,
         .values = values,
         .baseline = NAN},
        {.kind = PLOT_LINES,
         .name = "lines",
         .title = "latency",
         .x_label = "offered",
         .y_label = "cycles",
         .lines = lines,
         .n_lines = 2,
         .y_max = 50},
    };
    struct plot below[] = {plots[0], plots[0]}; /* bars on both sides of zero, and all below it */
    below[0].values = changes;
    below[1].values = losses;
    struct arena mem;
    struct err err;
    struct proc_result r;
    char dir[] = "/tmp/cw-plot-XXXXXX";
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    assert_non_null(mkdtemp(dir));
    for (size_t i = 0; i < 3; i++) {
        const char *svg;
        bool ok = plot_write(&plots[i], dir, ".", &mem, &svg, &err);
        if (!ok)
            print_error("%s\n", err_entry_text(err.first, &mem));
        assert_true(ok);
        assert_true(file_exists(path_join(&mem, dir, arena_printf(&mem, "%s.csv", plots[i].name))));
        assert_true(file_exists(path_join(&mem, dir, arena_printf(&mem, "%s.gp", plots[i].name))));
        assert_memory_equal(svg, "<svg", 4);
        assert_non_null(strstr(svg, "currentColor"));
        assert_non_null(strstr(svg, "CD-Xbar"));
        assert_true(file_exists(path_join(&mem, dir, arena_printf(&mem, "%s.pdf", plots[i].name))));
    }
    for (size_t i = 0; i < 2; i++) {
        const char *svg;
        assert_true(plot_write(&below[i], dir, ".", &mem, &svg, &err));
        assert_memory_equal(svg, "<svg", 4);
    }
    assert_true(proc_run((const char *[]){"rm", "-r", dir, NULL}, NULL, 5, 10, &mem, &r, &err));
    err_free(&err);
    arena_free(&mem);
}

static void marks_stand_in_the_middle_of_their_bars(void **state)
{
    (void)state;
    static const char *const rows[] = {"mm", "mean"}, *const columns[] = {"a", "b", "c"};
    static const double values[] = {1, 2, 3, 4, 5, 6}, marks[] = {NAN, 2.5, NAN, NAN, NAN, 7};
    const struct plot plot = {.kind = PLOT_BARS,
                              .name = "bars",
                              .title = "IPC",
                              .x_label = "workload",
                              .y_label = "IPC",
                              .categories = rows,
                              .n_categories = 2,
                              .series = columns,
                              .n_series = 3,
                              .values = values,
                              .baseline = 1,
                              .last_is_mean = true,
                              .is_ordered = true,
                              .marks = marks,
                              .mark_name = "paper"};
    struct arena mem;
    struct err err;
    struct proc_result r;
    const char *svg;
    char dir[] = "/tmp/cw-plot-XXXXXX", *text;
    size_t n;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    assert_non_null(mkdtemp(dir));
    assert_true(plot_write(&plot, dir, ".", &mem, &svg, &err));
    assert_true(file_read(path_join(&mem, dir, "bars-marks.csv"), 1000, &mem, &text, &n, &err));
    assert_string_equal(text, "0,2.5\n1.25,7\n"); /* four places for three bars and a gap */
    assert_non_null(strstr(svg, "paper"));
    assert_null(strstr(svg, "color='rgb(  0,   0,   0)'")); /* ink follows the page */
    assert_true(proc_run((const char *[]){"rm", "-r", dir, NULL}, NULL, 5, 10, &mem, &r, &err));
    err_free(&err);
    arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plots_are_drawn_with_data_and_script_beside_them),
        cmocka_unit_test(marks_stand_in_the_middle_of_their_bars)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
