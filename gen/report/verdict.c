/* SPDX-License-Identifier: MIT
 *
 * Who wins by what: a small table, ties said as ties, and one sentence. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/table.h"
#include "gen/report/report.h"
#include "gen/run/tie.h"

static const struct {
    const char *id, *title; /* id NULL: area of the networks */
} goals[REPORT_GOALS] = {{"performance", "performance"},
                         {"perf-watt-noc", "perf/W NoC"},
                         {"perf-watt-system", "perf/W system"},
                         {"edp", "EDP"},
                         {NULL, "NoC area"}};

static bool more_is_better(int goal)
{
    return goals[goal].id && report_metric(goals[goal].id)->more_is_better;
}

/* Over the first design. */
static double value(const struct report *r, int goal, size_t d)
{
    return goals[goal].id ? report_geomean(r, report_metric(goals[goal].id), d)
                          : report_area_mm2(r, d) / report_area_mm2(r, 0);
}

/* How much better a is than b: 1.1 is ten percent, whichever direction is good. */
static double lead(const struct report *r, int goal, size_t a, size_t b)
{
    double x = value(r, goal, a) / value(r, goal, b);
    return more_is_better(goal) ? x : 1 / x;
}

bool report_is_tie(const struct report *r, int goal, size_t a, size_t b)
{
    const char *id = goals[goal].id;
    double x = lead(r, goal, a, b);
    if (!id || r->n_seeds < 2)
        return fabs(x - 1) <= TIE;
    double least = INFINITY, most = 0;
    for (size_t s = 0; s < r->n_seeds; s++) { /* the same start on both */
        const struct report_metric *m = report_metric(id);
        double y = report_geomean_of_seed(r, m, a, s) / report_geomean_of_seed(r, m, b, s);
        least = fmin(least, y);
        most = fmax(most, y);
    }
    return fabs(x - 1) <= most - least || (least <= 1 && most >= 1);
}

struct report_win report_winner(const struct report *r, int goal, struct arena *mem)
{
    struct report_win w = {.title = goals[goal].title, .best = SIZE_MAX, .next = SIZE_MAX};
    w.equal = arena_many(mem, size_t, r->n_designs);
    for (size_t d = 0; d < r->n_designs; d++) {
        if (report_ran(r, d) && isfinite(value(r, goal, d)) && value(r, goal, d) > 0 &&
            (w.best == SIZE_MAX || lead(r, goal, d, w.best) > 1))
            w.best = d;
    }
    for (size_t d = 0; d < r->n_designs && w.best != SIZE_MAX; d++) {
        if (d == w.best || !report_ran(r, d) || !(value(r, goal, d) > 0))
            continue;
        if (report_is_tie(r, goal, w.best, d))
            w.equal[w.n_equal++] = d;
        else if (w.next == SIZE_MAX || lead(r, goal, d, w.next) > 1)
            w.next = d;
    }
    w.lead = w.next == SIZE_MAX ? NAN : lead(r, goal, w.best, w.next);
    return w;
}

void report_verdict_table(const struct report *r, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {
        {"best by", "", 0}, {"design", "", 0}, {"next", "", 0}, {"lead", "x", 3}};
    struct table *t = table_new(mem, columns, 4);
    for (int g = 0; g < REPORT_GOALS; g++) {
        struct report_win w = report_winner(r, g, mem);
        struct buf b;
        buf_init(&b, mem, BUF_NO_MAX);
        if (w.best == SIZE_MAX)
            continue;
        buf_add(&b, r->designs[w.best].name);
        for (size_t i = 0; i < w.n_equal; i++)
            buf_printf(&b, " = %s", r->designs[w.equal[i]].name);
        table_row(t);
        table_text(t, w.title);
        table_text(t, b.data);
        if (w.next != SIZE_MAX)
            table_text(t, r->designs[w.next].name);
        else
            table_none(t);
        table_num(t, w.lead);
    }
    table_write_text(t, out);
    if (r->n_seeds > 1)
        buf_printf(out, "= : within the spread of the %zu starts; areas: within %g %%\n",
                   r->n_seeds, 100 * TIE);
    else
        buf_printf(out, "= : within %g %% (--seeds measures the noise)\n", 100 * TIE);
}

/* ---- the sentence ---------------------------------------------------------------------------- */

/* "31 % less", "1.4 x"; true if it is "the same". */
static bool add_change(struct buf *out, double ratio, const char *what)
{
    if (ratio >= 2)
        buf_printf(out, "%.2f x the %s", ratio, what);
    else if (ratio >= 1.005)
        buf_printf(out, "%.0f %% more %s", 100 * (ratio - 1), what);
    else if (ratio <= 0.995)
        buf_printf(out, "%.0f %% less %s", 100 * (1 - ratio), what);
    else
        buf_printf(out, "the same %s", what);
    return ratio > 0.995 && ratio < 1.005;
}

/* The largest mean but that of one design. */
static size_t best_but(const struct report *r, const struct report_metric *m, size_t but)
{
    size_t best = SIZE_MAX;
    for (size_t d = 0; d < r->n_designs; d++) {
        double v = report_geomean(r, m, d);
        if (d != but && isfinite(v) && (best == SIZE_MAX || v > report_geomean(r, m, best)))
            best = d;
    }
    return best;
}

size_t report_best(const struct report *r)
{
    return best_but(r, report_metric("perf-watt-noc"), SIZE_MAX);
}

/* A network that saves power by being slow is not simply the winner. */
static void add_throttled(const struct report *r, size_t best, struct buf *out)
{
    const struct report_metric *perf = report_metric("performance");
    size_t fastest = best_but(r, perf, SIZE_MAX);
    if (fastest != SIZE_MAX && fastest != best &&
        !report_is_tie(r, REPORT_BY_PERFORMANCE, best, fastest)) {
        bool is_far = report_geomean(r, perf, best) < 0.9 * report_geomean(r, perf, fastest);
        buf_printf(out, " It is %s the fastest: %s gives ", is_far ? "far from" : "not",
                   r->designs[fastest].name);
        add_change(out, report_geomean(r, perf, fastest) / report_geomean(r, perf, best),
                   "performance");
        buf_putc(out, '.');
    }
    for (size_t i = 0; i < r->designs[best].n_notes; i++)
        if (strncmp(r->designs[best].notes[i], "noc", 3) ==
            0) /* a lowered clock, wires that do not fit */
            buf_printf(out, " %s.", r->designs[best].notes[i]);
}

static void add_nobody(const struct report *r, struct buf *out)
{
    size_t n_ran = 0, ran = 0;
    for (size_t d = 0; d < r->n_designs; d++)
        if (report_ran(r, d)) {
            n_ran++;
            ran = d;
        }
    if (r->n_designs == 1)
        buf_add(out, "One design: there is nothing to compare it with.");
    else if (n_ran == 1)
        buf_printf(out, "No design can be named best: %s alone finished a workload.",
                   r->designs[ran].name);
    else if (!report_ran(r, 0))
        buf_printf(out,
                   "No design can be named best: %s, the first, finished no workload, and the "
                   "others are measured by it.",
                   r->designs[0].name);
    else
        buf_add(out, "No design can be named best: there is no workload that all finished.");
}

void report_verdict(const struct report *r, struct buf *out)
{
    const struct report_metric *m = report_metric("perf-watt-noc");
    size_t best = report_best(r), second = best_but(r, m, best);
    if (best == SIZE_MAX || second == SIZE_MAX) {
        add_nobody(r, out);
        return;
    }
    double top = report_geomean(r, m, best);
    const struct report_metric *perf = report_metric("performance"),
                               *power = report_metric("noc-power");
    bool tie = report_is_tie(r, REPORT_BY_PERF_WATT_NOC, best, second);
    if (tie)
        buf_printf(out, "%s and %s are equal on performance per Watt of the NoC",
                   r->designs[best].name, r->designs[second].name);
    else
        buf_printf(out, "%s wins on performance per Watt of the NoC: %.2f x that of %s",
                   r->designs[best].name, top / report_geomean(r, m, second),
                   r->designs[second].name);
    if (second != 0 && best != 0)
        buf_printf(out, "%s %.2f x that of %s", tie ? ":" : " and", top, r->designs[0].name);
    buf_printf(out, "%s gives ", tie ? "; the first" : ", because it");
    add_change(out, report_geomean(r, perf, best) / report_geomean(r, perf, second), "performance");
    buf_add(out, " for ");
    bool same = add_change(out, report_geomean(r, power, best) / report_geomean(r, power, second),
                           "NoC power");
    double a = report_area_mm2(r, second);
    if (a > 0) {
        buf_add(out, " and ");
        same = add_change(out, report_area_mm2(r, best) / a, "NoC area");
    }
    buf_printf(out, " %s %s.", same ? "as" : "than", tie ? "the second" : r->designs[second].name);
    add_throttled(r, best, out);
}
