/* SPDX-License-Identifier: MIT */
#include "gen/report/band_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/table.h"
#include "gen/run/tie.h"
#include "gen/template.h"

/* ---- who wins where -------------------------------------------------------------------------- */

/* so many cases are named one by one; more are told by what they share */
enum { FEW_CASES = 2 };

static size_t wins(const struct band *b, int goal, size_t design, bool ties)
{
    size_t n = 0;
    for (size_t c = 0; c < b->n_cases; c++)
        n += b->cases[c].best[goal] == design && b->cases[c].is_tie[goal] == ties;
    return n;
}

/* "timing mode ck, clock limit none": what is not as described; "as described" where all is. */
static const char *case_name(const struct band *b, const struct band_case *c, struct arena *mem)
{
    struct buf t;
    buf_init(&t, mem, BUF_NO_MAX);
    for (int k = 0; k < BAND_N; k++)
        if (c->value[k])
            buf_printf(&t, "%s%s %s", t.len ? ", " : "", b->assumptions[k].name,
                       b->assumptions[k].values[c->value[k]]);
    return t.len ? t.data : "as described";
}

static bool is_win(const struct band *b, size_t c, int goal, size_t design)
{
    return b->cases[c].best[goal] == design && !b->cases[c].is_tie[goal];
}

/* One assumption at a time: "timing mode all or ck; clock limit none". */
static void add_each(const struct band *b, int goal, size_t design, struct buf *out)
{
    size_t shown = 0;
    if (is_win(b, 0, goal, design)) { /* the first case is the one described */
        buf_add(out, "all is as described");
        shown++;
    }
    for (int k = 0; k < BAND_N; k++) {
        bool is_first = true;
        for (size_t c = 1; c < b->n_cases; c++) {
            uint32_t v = b->cases[c].value[k];
            if (!v || !is_win(b, c, goal, design))
                continue;
            if (is_first)
                buf_printf(out, "%s%s", shown++ ? "; " : "", b->assumptions[k].name);
            buf_printf(out, "%s %s", is_first ? "" : " or", b->assumptions[k].values[v]);
            is_first = false;
        }
    }
}

/* Cases with this value: all of them, or those that a design wins (`goal` >= 0). */
static size_t with_value(const struct band *b, int k, uint32_t v, int goal, size_t design)
{
    size_t n = 0;
    for (size_t c = 0; c < b->n_cases; c++)
        n += b->cases[c].value[k] == v && (goal < 0 || is_win(b, c, goal, design));
    return n;
}

/* What most of the cases share that a design wins, and few of the others. */
static void add_most(const struct band *b, int goal, size_t design, size_t n, struct buf *out)
{
    double best = 1.5;
    int which = -1;
    uint32_t value = 0;
    for (int k = 0; k < BAND_N; k++) {
        for (uint32_t v = 0; v < b->assumptions[k].n; v++) {
            double here = (double)with_value(b, k, v, goal, design) / (double)n;
            double all = (double)with_value(b, k, v, -1, 0) / (double)b->n_cases;
            if (here < 0.6 || here <= best * all)
                continue;
            best = here / all;
            which = k;
            value = v;
        }
    }
    if (which >= 0)
        buf_printf(out, ", %.0f %% of them with %s %s",
                   100 * (double)with_value(b, which, value, goal, design) / (double)n,
                   b->assumptions[which].name, b->assumptions[which].values[value]);
}

/* Where a design wins: the cases themselves if they are few, else what all or most share. */
static void add_where(const struct band *b, int goal, size_t design, struct buf *out)
{
    size_t n = wins(b, goal, design, false), shown = 0;
    if (b->is_each) {
        add_each(b, goal, design, out);
        return;
    }
    for (size_t c = 0; n <= FEW_CASES && c < b->n_cases; c++)
        if (is_win(b, c, goal, design))
            buf_printf(out, "%s%s", shown++ ? "; or " : "", case_name(b, &b->cases[c], out->mem));
    if (n <= FEW_CASES)
        return;
    buf_printf(out, "%zu cases", n);
    for (int k = 0; k < BAND_N; k++)
        for (uint32_t v = 0; v < b->assumptions[k].n; v++)
            if (b->assumptions[k].n > 1 && with_value(b, k, v, goal, design) == n)
                buf_printf(out, "%s %s %s", shown++ ? " and" : ", all of them with",
                           b->assumptions[k].name, b->assumptions[k].values[v]);
    if (!shown)
        add_most(b, goal, design, n, out);
}

static size_t most_wins(const struct band *b, int goal)
{
    size_t best = 0;
    for (size_t d = 1; d < b->n_designs; d++)
        if (wins(b, goal, d, false) > wins(b, goal, best, false))
            best = d;
    return best;
}

/* ", giving up to 44 % less performance there than v100-butterfly": a slow network that saves power
 * is not simply the winner. Over the cases that a design wins. */
static void add_throttled(const struct band *b, int goal, size_t design, struct buf *out)
{
    double least = INFINITY, most = 0;
    size_t than = SIZE_MAX;
    bool is_same = true;
    for (size_t c = 0; goal != BAND_PERFORMANCE && c < b->n_cases; c++) {
        size_t fastest = b->cases[c].best[BAND_PERFORMANCE];
        if (!is_win(b, c, goal, design) || fastest == SIZE_MAX)
            continue;
        const double *r = b->cases[c].ratio;
        double less = 1 - r[design * BAND_GOALS + BAND_PERFORMANCE] /
                              r[fastest * BAND_GOALS + BAND_PERFORMANCE];
        least = fmin(least, less);
        most = fmax(most, less);
        if (fastest == design)
            continue;
        is_same &= than == SIZE_MAX || than == fastest;
        than = fastest;
    }
    if (most <= TIE)
        return;
    if (round(100 * least) < 1)
        buf_printf(out, ", giving up to %.0f", 100 * most);
    else if (round(100 * least) == round(100 * most))
        buf_printf(out, ", giving %.0f", 100 * most);
    else
        buf_printf(out, ", giving %.0f to %.0f", 100 * least, 100 * most);
    buf_printf(out, " %% less performance there than %s", is_same ? b->names[than] : "the fastest");
}

static size_t n_run(const struct band *b)
{
    size_t n = 0;
    for (size_t d = 0; d < b->n_designs; d++)
        n += b->has_run[d];
    return n;
}

/* Whether there is anything to tell; else why not. */
static bool is_told(const struct band *b, struct buf *out)
{
    bool is_counted = false;
    for (size_t i = 0; i < b->n_workloads; i++)
        is_counted |= b->is_counted[i];
    if (!b->has_run[0])
        buf_printf(out, "No band: %s, the first, finished no workload.", b->names[0]);
    else if (n_run(b) < 2)
        buf_printf(out, "No band: there is nothing to compare %s with.", b->names[0]);
    else if (!is_counted)
        buf_add(out, "No band: there is no workload that all designs finished in every case.");
    else
        return true;
    return false;
}

void band_sentence(const struct band *b, int goal, struct buf *out)
{
    static const char *const what[BAND_GOALS] = {"performance", "performance per Watt of the NoC",
                                                 "performance per Watt of the system",
                                                 "energy-delay product", "NoC area"};
    size_t best = most_wins(b, goal), ties = 0;
    if (!is_told(b, out))
        return;
    for (size_t c = 0; c < b->n_cases; c++)
        ties += b->cases[c].is_tie[goal];
    if (ties == b->n_cases) {
        buf_printf(out, "Nobody wins on %s: in all %zu cases the first two are equal.", what[goal],
                   ties);
        return;
    }
    buf_printf(out, "%s wins on %s in %zu of %zu cases", b->names[best], what[goal],
               wins(b, goal, best, false), b->n_cases);
    add_throttled(b, goal, best, out);
    for (size_t d = 0; d < b->n_designs; d++) {
        if (d == best || !wins(b, goal, d, false))
            continue;
        buf_printf(out, "; %s wins %s ", b->names[d],
                   !b->is_each && wins(b, goal, d, false) > FEW_CASES ? "in" : "where");
        add_where(b, goal, d, out);
        add_throttled(b, goal, d, out);
    }
    if (ties)
        buf_printf(out, "; in %zu the first two are equal", ties);
    buf_putc(out, '.');
}

/* ---- what moves it --------------------------------------------------------------------------- */

#define MOVED 1.005 /* what is printed with two digits does not show less */

struct swing {
    int which;
    double least, most;
};

static int larger_first(const void *a, const void *b)
{
    const struct swing *x = a, *y = b;
    double dx = x->most / x->least, dy = y->most / y->least;
    return dx != dy ? (dx < dy ? 1 : -1) : x->which - y->which;
}

/* The best design, as described, over the one that comes next. */
static void leaders(const struct band *b, int goal, size_t *best, size_t *next)
{
    const struct band_case *c = &b->cases[0];
    *best = c->best[goal] == SIZE_MAX ? 0 : c->best[goal];
    *next = SIZE_MAX;
    for (size_t d = 0; d < b->n_designs; d++) {
        double x = c->ratio[d * BAND_GOALS + (size_t)goal];
        double y = *next == SIZE_MAX ? NAN : c->ratio[*next * BAND_GOALS + (size_t)goal];
        if (d != *best && isfinite(x) &&
            (!isfinite(y) || (band_more_is_better(goal) ? x > y : x < y)))
            *next = d;
    }
    if (*next == SIZE_MAX)
        *next = *best;
}

static size_t find_swings(const struct band *b, int goal, size_t best, size_t next,
                          struct swing out[BAND_N])
{
    size_t n = 0;
    for (int k = 0; k < BAND_N; k++) {
        out[n] = (struct swing){.which = k};
        band_range(b, goal, best, next, k, &out[n].least, &out[n].most);
        n += b->assumptions[k].n > 1;
    }
    qsort(out, n, sizeof *out, larger_first);
    return n;
}

static const char *values_text(const struct band_assumption *a, struct arena *mem)
{
    struct buf t;
    buf_init(&t, mem, BUF_NO_MAX);
    for (uint32_t v = 0; v < a->n; v++)
        buf_printf(&t, "%s%s", v ? ", " : "", a->values[v]);
    return t.data;
}

static void add_tornado(const struct band *b, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {{"assumption", "", 0},
                                                  {"from", "x", 3},
                                                  {"to", "x", 3},
                                                  {"values, the first as described", "", 0}};
    struct swing swings[BAND_N];
    size_t best, next;
    leaders(b, BAND_NOC, &best, &next);
    size_t n = find_swings(b, BAND_NOC, best, next, swings);
    struct table *t = table_new(mem, columns, 4);
    for (size_t i = 0; i < n; i++) {
        table_row(t);
        table_text(t, b->assumptions[swings[i].which].name);
        table_num(t, swings[i].least);
        table_num(t, swings[i].most);
        table_text(t, values_text(&b->assumptions[swings[i].which], mem));
    }
    double r = b->cases[0].ratio[best * BAND_GOALS + BAND_NOC] /
               b->cases[0].ratio[next * BAND_GOALS + BAND_NOC];
    buf_printf(out,
               "What moves perf/W of the NoC of %s over %s, %.3f x as described, one at a time\n",
               b->names[best], b->names[next], r);
    table_write_text(t, out);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* The assumption that moves a design's ratio to the first one most, alone; BAND_N: none does. */
static int mover(const struct band *b, int goal, size_t d)
{
    struct swing swings[BAND_N];
    size_t n = find_swings(b, goal, d, 0, swings);
    return n && swings[0].most > MOVED * swings[0].least ? swings[0].which : BAND_N;
}

/* "2.46..7.15 timing mode" */
static const char *range_text(const struct band *b, int goal, size_t d, struct arena *mem)
{
    double least, most;
    int which = mover(b, goal, d);
    if (!band_range(b, goal, d, 0, BAND_N, &least, &most))
        return "-";
    return arena_printf(mem, "%.2f..%.2f%s%s", least, most, which < BAND_N ? " " : "",
                        which < BAND_N ? b->assumptions[which].name : "");
}

static const char *wins_text(const struct band *b, int goal, size_t d, struct arena *mem)
{
    if (!b->has_run[d])
        return "-";
    size_t ties = wins(b, goal, d, true);
    return ties ? arena_printf(mem, "%zu (+%zu equal)", wins(b, goal, d, false), ties)
                : arena_printf(mem, "%zu", wins(b, goal, d, false));
}

static void add_counted(const struct band *b, struct buf *out)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n_workloads; i++)
        n += b->is_counted[i];
    if (n < b->n_workloads)
        buf_printf(out, "means over %zu of %zu workloads, those that finished in every case\n", n,
                   b->n_workloads);
}

void band_text(const struct band *b, struct arena *mem, struct buf *out)
{
    struct table_column columns[1 + BAND_GOALS] = {{"design", "", 0}};
    struct buf why;
    buf_init(&why, mem, BUF_NO_MAX);
    if (!is_told(b, &why)) {
        buf_printf(out, "%s\n", why.data);
        return;
    }
    for (int g = 0; g < BAND_GOALS; g++)
        columns[1 + g] = (struct table_column){band_goal_names[g], "", 0};
    struct table *ranges = table_new(mem, columns, 1 + BAND_GOALS);
    struct table *won = table_new(mem, columns, 1 + BAND_GOALS);
    for (size_t d = 0; d < b->n_designs; d++) {
        table_row(ranges);
        table_text(ranges, b->names[d]);
        table_row(won);
        table_text(won, b->names[d]);
        for (int g = 0; g < BAND_GOALS; g++) {
            table_text(ranges, range_text(b, g, d, mem));
            table_text(won, wins_text(b, g, d, mem));
        }
    }
    buf_printf(out, "The band: ratios to %s in %zu cases (%s), %zu simulations%s%s\n", b->names[0],
               b->n_cases,
               b->is_each ? "one assumption at a time" : "all combinations of the assumptions",
               b->n_runs, b->preset ? ", all at preset " : "", b->preset ? b->preset : "");
    buf_add(out, "(behind a range stands what alone moves it most)\n");
    table_write_text(ranges, out);
    add_counted(b, out);
    buf_add(out, "\nCases in which each is best; equal: another is within 2 %\n");
    table_write_text(won, out);
    buf_putc(out, '\n');
    add_tornado(b, mem, out);
    buf_putc(out, '\n');
    band_sentence(b, BAND_NOC, out);
    buf_putc(out, '\n');
    band_sentence(b, BAND_SYSTEM, out);
    buf_putc(out, '\n');
}

void band_cases(const struct band *b, int goal, struct arena *mem, struct buf *out)
{
    struct table_column *columns = arena_many(mem, struct table_column, b->n_designs + 2);
    columns[0] = (struct table_column){"case", "", 0};
    for (size_t d = 0; d < b->n_designs; d++)
        columns[d + 1] = (struct table_column){b->names[d], "x", 3};
    columns[b->n_designs + 1] = (struct table_column){"best", "", 0};
    struct table *t = table_new(mem, columns, b->n_designs + 2);
    for (size_t c = 0; c < b->n_cases; c++) {
        const struct band_case *x = &b->cases[c];
        table_row(t);
        table_text(t, case_name(b, x, mem));
        for (size_t d = 0; d < b->n_designs; d++)
            table_num(t, x->ratio[d * BAND_GOALS + (size_t)goal]);
        table_text(t, x->best[goal] == SIZE_MAX ? "-"
                      : x->is_tie[goal]         ? "equal"
                                                : b->names[x->best[goal]]);
    }
    buf_printf(out, "%s over %s, case by case\n", band_goal_names[goal], b->names[0]);
    table_write_text(t, out);
}

static json_t *ranges_json(const struct band *b)
{
    json_t *o = json_object();
    for (int g = 0; g < BAND_GOALS; g++) {
        json_t *goal = json_object();
        for (size_t d = 0; d < b->n_designs; d++) {
            json_t *one = json_object();
            double least, most;
            int which = mover(b, g, d);
            if (band_range(b, g, d, 0, BAND_N, &least, &most)) {
                json_object_set_new(one, "least", json_num(least));
                json_object_set_new(one, "most", json_num(most));
                json_object_set_new(one, "moved_most_by",
                                    which < BAND_N ? json_string(b->assumptions[which].name)
                                                   : json_null());
                json_object_set_new(one, "best_in", json_integer((json_int_t)wins(b, g, d, false)));
                json_object_set_new(one, "equal_to_another_in",
                                    json_integer((json_int_t)wins(b, g, d, true)));
            }
            json_object_set_new(goal, b->names[d], one);
        }
        json_object_set_new(o, band_goal_names[g], goal);
    }
    return o;
}

/* The tornado chart in numbers. */
static json_t *moves_json(const struct band *b)
{
    struct swing swings[BAND_N];
    size_t best, next;
    leaders(b, BAND_NOC, &best, &next);
    size_t n = find_swings(b, BAND_NOC, best, next, swings);
    json_t *o = json_object(), *all = json_array();
    json_object_set_new(o, "design", json_text(b->names[best]));
    json_object_set_new(o, "over", json_text(b->names[next]));
    json_object_set_new(o, "as_described",
                        json_num(b->cases[0].ratio[best * BAND_GOALS + BAND_NOC] /
                                 b->cases[0].ratio[next * BAND_GOALS + BAND_NOC]));
    for (size_t i = 0; i < n; i++) {
        json_t *one = json_object();
        json_object_set_new(one, "name", json_string(b->assumptions[swings[i].which].name));
        json_object_set_new(one, "from", json_num(swings[i].least));
        json_object_set_new(one, "to", json_num(swings[i].most));
        json_array_append_new(all, one);
    }
    json_object_set_new(o, "assumptions", all);
    return o;
}

json_t *band_json(const struct band *b, struct arena *mem)
{
    json_t *o = json_object(), *cases = json_array();
    json_object_set_new(o, "one_at_a_time", json_boolean(b->is_each));
    json_object_set_new(o, "simulations", json_integer((json_int_t)b->n_runs));
    if (b->preset)
        json_object_set_new(o, "preset", json_text(b->preset));
    for (size_t c = 0; c < b->n_cases; c++) {
        json_t *x = json_object(), *values = json_object(), *ratios = json_object(),
               *best = json_object();
        for (int k = 0; k < BAND_N; k++)
            json_object_set_new(values, b->assumptions[k].name,
                                json_string(b->assumptions[k].values[b->cases[c].value[k]]));
        for (int g = 0; g < BAND_GOALS; g++) {
            json_t *one = json_object();
            for (size_t d = 0; d < b->n_designs; d++)
                json_object_set_new(one, b->names[d],
                                    json_num(b->cases[c].ratio[d * BAND_GOALS + (size_t)g]));
            json_object_set_new(ratios, band_goal_names[g], one);
            if (b->cases[c].best[g] != SIZE_MAX)
                json_object_set_new(best, band_goal_names[g],
                                    b->cases[c].is_tie[g]
                                        ? json_string("equal")
                                        : json_text(b->names[b->cases[c].best[g]]));
        }
        json_object_set_new(x, "assumptions", values);
        json_object_set_new(x, "over_first", ratios);
        json_object_set_new(x, "best", best);
        json_array_append_new(cases, x);
    }
    json_object_set_new(o, "cases", cases);
    struct buf t, system;
    buf_init(&t, mem, BUF_NO_MAX);
    buf_init(&system, mem, BUF_NO_MAX);
    if (is_told(b, &t)) {
        json_object_set_new(o, "over_first", ranges_json(b));
        json_object_set_new(o, "moves", moves_json(b));
        band_sentence(b, BAND_NOC, &t);
        band_sentence(b, BAND_SYSTEM, &system);
        json_object_set_new(o, "sentence_system", json_text(system.data));
    }
    json_object_set_new(o, "sentence", json_text(t.data));
    json_t *of = json_array();
    for (size_t i = 0; i < b->n_workloads; i++)
        if (b->is_counted[i])
            json_array_append_new(of, json_text(b->workloads[i]));
    json_object_set_new(o, "means_over", of);
    return o;
}

/* ---- the chart ------------------------------------------------------------------------------- */

enum { LEFT = 150, WIDTH = 520, RIGHT = 110, ROW = 26, TOP = 34 }; /* RIGHT: "12.08 to 12.34" */

const char *band_svg(const struct band *b, int goal, struct arena *mem)
{
    struct swing swings[BAND_N];
    size_t best, next;
    leaders(b, goal, &best, &next);
    size_t n = find_swings(b, goal, best, next, swings);
    double low, high;
    band_range(b, goal, best, next, BAND_N, &low, &high);
    low = fmin(low, 1);
    high = fmax(high, 1);
    double scale = WIDTH / log(fmax(high / low, 1.01));
    double centre = b->cases[0].ratio[best * BAND_GOALS + (size_t)goal] /
                    b->cases[0].ratio[next * BAND_GOALS + (size_t)goal];
    struct buf s;
    buf_init(&s, mem, BUF_NO_MAX);
    int height = TOP + ROW * (int)(n + 1) + 24;
    buf_printf(&s,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-size=\"12\" "
               "font-family=\"sans-serif\">",
               LEFT + WIDTH + RIGHT, height);
    for (size_t i = 0; i <= n; i++) {
        double from = i < n ? swings[i].least : low, to = i < n ? swings[i].most : high;
        if (i == n)
            band_range(b, goal, best, next, BAND_N, &from, &to);
        double x0 = LEFT + scale * log(from / low), x1 = LEFT + scale * log(to / low);
        int y = TOP + ROW * (int)i;
        buf_printf(&s,
                   "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
                   "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>"
                   "<text x=\"%.1f\" y=\"%d\">%.2f to %.2f</text>",
                   LEFT - 8, y + 14, i < n ? b->assumptions[swings[i].which].name : "all cases", x0,
                   y + 3, fmax(x1 - x0, 1.5), ROW - 8, i < n ? "#4878a8" : "#a0a0a0", x1 + 5,
                   y + 14, from, to);
    }
    buf_printf(&s,
               "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#c04030\" "
               "stroke-dasharray=\"4 3\"/><text x=\"%.1f\" y=\"%d\" fill=\"#c04030\">1 x</text>",
               LEFT + scale * log(1 / low), LEFT + scale * log(1 / low), TOP - 6, height - 20,
               LEFT + scale * log(1 / low) - 8, height - 6);
    buf_printf(&s,
               "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#303030\"/>"
               "<text x=\"%.1f\" y=\"%d\">as described %.2f x</text></svg>",
               LEFT + scale * log(centre / low), LEFT + scale * log(centre / low), TOP - 6,
               height - 20, LEFT + scale * log(centre / low) - 40, TOP - 12, centre);
    return s.data;
}

/* ---- a page ---------------------------------------------------------------------------------- */

static const char *winner_text(const struct band *b, const struct band_case *c, int goal)
{
    return c->best[goal] == SIZE_MAX ? "–" : c->is_tie[goal] ? "equal" : b->names[c->best[goal]];
}

void band_scope(const struct band *b, struct scope *out, struct arena *mem)
{
    struct buf sentence;
    buf_init(&sentence, mem, BUF_NO_MAX);
    bool told = is_told(b, &sentence);
    if (told) {
        band_sentence(b, BAND_NOC, &sentence);
        buf_putc(&sentence, ' ');
        band_sentence(b, BAND_SYSTEM, &sentence);
    }
    scope_text(out, "sentence", sentence.data);
    scope_text(out, "svg", told ? band_svg(b, BAND_NOC, mem) : "");
    scope_text(out, "how",
               arena_printf(mem, "%s%s%s",
                            b->is_each ? "one assumption at a time" : "all combinations",
                            b->preset ? ", all at preset " : "", b->preset ? b->preset : ""));
    scope_text(out, "first", b->names[0]);
    scope_int(out, "n_cases", (long long)b->n_cases);
    for (int g = 0; g < BAND_GOALS; g++)
        scope_text(scope_item(out, "heads"), "head", band_goal_names[g]);
    for (size_t d = 0; d < b->n_designs; d++) {
        struct scope *row = scope_item(out, "rows");
        scope_text(row, "design", b->names[d]);
        for (int g = 0; g < BAND_GOALS; g++) {
            struct scope *cell = scope_item(row, "cells");
            double least, most;
            bool any = band_range(b, g, d, 0, BAND_N, &least, &most);
            int which = any ? mover(b, g, d) : BAND_N;
            scope_text(cell, "range", any ? arena_printf(mem, "%.2f to %.2f", least, most) : "–");
            scope_text(cell, "mover", which < BAND_N ? b->assumptions[which].name : "");
            scope_text(cell, "wins", wins_text(b, g, d, mem));
        }
    }
    for (size_t c = 0; c < b->n_cases; c++) {
        struct scope *row = scope_item(out, "cases");
        scope_text(row, "case", case_name(b, &b->cases[c], mem));
        for (int g = 0; g < BAND_GOALS; g++)
            scope_text(scope_item(row, "winners"), "winner", winner_text(b, &b->cases[c], g));
    }
}
