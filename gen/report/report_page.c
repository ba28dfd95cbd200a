/* SPDX-License-Identifier: MIT
 *
 * The HTML form of a report: plots drawn into plots/, then everything put into
 * templates/report.html. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "gen/report/band_print.h"
#include "gen/report/page.h"
#include "gen/report/report.h"

struct writer {
    const struct report *r;
    struct page page;
    struct arena *mem;
    struct scope *scope;
};

static const struct result *at(const struct report *r, size_t design, size_t workload)
{
    return &r->results[design * r->n_workloads + workload];
}

/* A number for reading: three digits and more. */
static const char *nice(struct arena *mem, double v)
{
    if (!isfinite(v))
        return "–";
    double a = fabs(v);
    int decimals = a == 0 ? 0 : a >= 100 ? 0 : a >= 10 ? 1 : a >= 1 ? 2 : a >= 0.01 ? 3 : 5;
    return arena_printf(mem, "%.*f", decimals, v);
}

static bool add_figure(struct writer *p, const char *list, const struct plot *plot,
                       const char *caption)
{
    struct scope *s = scope_item(p->scope, list);
    scope_text(s, "title", plot->title);
    scope_text(s, "caption", caption);
    return page_plot(&p->page, plot, s);
}

static const char *const *design_names(const struct writer *p)
{
    const char **names = arena_many(p->mem, const char *, p->r->n_designs);
    for (size_t d = 0; d < p->r->n_designs; d++)
        names[d] = p->r->designs[d].name;
    return names;
}

/* ---- one metric: bars and a table ------------------------------------------------------------ */

static bool add_metric(struct writer *p, const struct report_metric *m)
{
    const struct report *r = p->r;
    size_t nw = r->n_workloads, nd = r->n_designs;
    const char **categories = arena_many(p->mem, const char *, nw + 1);
    double *values = arena_many(p->mem, double, (nw + 1) * nd);
    struct scope *s = scope_item(p->scope, "metrics");
    scope_text(s, "id", m->id);
    scope_text(s, "title", m->title);
    scope_text(s, "short_title", m->short_title);
    scope_text(s, "unit", m->unit);
    scope_text(s, "direction", m->more_is_better ? "more is better" : "less is better");
    scope_text(s, "base", r->designs[0].name);
    for (size_t d = 0; d < nd; d++)
        scope_text(scope_item(s, "heads"), "head", r->designs[d].name);
    for (size_t w = 0; w <= nw; w++) {
        bool is_mean = w == nw;
        categories[w] = is_mean ? "geomean" : r->workloads[w];
        struct scope *row = scope_item(s, "rows");
        scope_text(row, "workload", categories[w]);
        scope_text(row, "is_mean", is_mean ? "mean" : "");
        for (size_t d = 0; d < nd; d++) {
            double ratio = is_mean ? report_geomean(r, m, d) : report_ratio(r, m, d, w);
            const struct result *x = is_mean ? NULL : at(r, d, w);
            values[w * nd + d] = ratio;
            struct scope *cell = scope_item(row, "cells");
            scope_text(cell, "ratio", nice(p->mem, ratio));
            scope_text(cell, "absolute",
                       !x || x->error ? "" : nice(p->mem, result_get(x, m->value) * m->factor));
            scope_text(cell, "unit", m->unit);
            scope_text(cell, "error", x && x->error ? x->error : "");
        }
    }
    struct plot plot = {
        .kind = PLOT_BARS,
        .name = m->id,
        .title = m->title,
        .x_label = "workload",
        .y_label = arena_printf(p->mem, "over %s", r->designs[0].name),
        .categories = categories,
        .n_categories = nw + 1,
        .series = design_names(p),
        .n_series = nd,
        .values = values,
        .baseline = 1,
        .last_is_mean = true,
    };
    return page_plot(&p->page, &plot, s);
}

/* The whole comparison in one picture: means of everything, over the first design. */
static bool add_overview(struct writer *p)
{
    static const struct {
        const char *id, *title;
    } shown[] = {{"performance", "performance"},
                 {"perf-watt-noc", "per Watt of the NoC"},
                 {"perf-watt-system", "per Watt of the GPU"},
                 {"noc-power", "NoC power"},
                 {NULL, "NoC area"},
                 {"edp", "energy-delay product"}};
    enum { N = sizeof shown / sizeof *shown };
    const struct report *r = p->r;
    const char *categories[N];
    double *values = arena_many(p->mem, double, N * r->n_designs);
    for (size_t i = 0; i < N; i++) {
        categories[i] = shown[i].title;
        for (size_t d = 0; d < r->n_designs; d++)
            values[i * r->n_designs + d] = shown[i].id
                                               ? report_geomean(r, report_metric(shown[i].id), d)
                                               : report_area_mm2(r, d) / report_area_mm2(r, 0);
    }
    struct plot plot = {.kind = PLOT_BARS,
                        .name = "overview",
                        .title =
                            arena_printf(p->mem, "Geometric means over %s, area of the networks",
                                         r->designs[0].name),
                        .x_label = "metric",
                        .y_label = arena_printf(p->mem, "over %s", r->designs[0].name),
                        .categories = categories,
                        .n_categories = N,
                        .series = design_names(p),
                        .n_series = r->n_designs,
                        .values = values,
                        .baseline = 1};
    struct scope *s = scope_item(p->scope, "overviews");
    scope_text(s, "title", plot.title);
    return page_plot(&p->page, &plot, s);
}

/* ---- breakdowns ------------------------------------------------------------------------------ */

static bool add_area(struct writer *p)
{
    const struct report *r = p->r;
    double *values = arena_many(p->mem, double, r->n_designs * r->n_parts);
    for (size_t d = 0; d < r->n_designs; d++)
        memcpy(values + d * r->n_parts, r->designs[d].area_mm2, r->n_parts * sizeof *values);
    struct plot plot = {.kind = PLOT_STACKED,
                        .name = "area",
                        .title = "NoC area by part",
                        .x_label = "design",
                        .y_label = "active area, mm²",
                        .categories = design_names(p),
                        .n_categories = r->n_designs,
                        .series = r->part_names,
                        .n_series = r->n_parts,
                        .values = values,
                        .baseline = NAN};
    return add_figure(
        p, "breakdowns", &plot,
        "Active silicon of both networks; global wires lie above it and are not added.");
}

#define MOST_GROUPS 64u
#define SHOWN_GROUPS 8u /* as many as there are colours; the last gathers the rest */

struct group_sum {
    const char *name;
    double *joules; /* [design], over the workloads that ran on every design */
    double all;
};

static int larger_first(const void *a, const void *b)
{
    double x = ((const struct group_sum *)a)->all, y = ((const struct group_sum *)b)->all;
    return (x < y) - (x > y);
}

static bool ran_everywhere(const struct report *r, size_t w)
{
    for (size_t d = 0; d < r->n_designs; d++) {
        if (at(r, d, w)->error)
            return false;
    }
    return true;
}

static size_t sum_groups(const struct writer *p, struct group_sum sums[MOST_GROUPS], double *base)
{
    const struct report *r = p->r;
    size_t n = 0;
    for (size_t d = 0; d < r->n_designs; d++) {
        for (size_t w = 0; w < r->n_workloads; w++) {
            const struct result *x = at(r, d, w);
            for (size_t g = 0; g < x->n_groups && ran_everywhere(r, w); g++) {
                size_t k = 0;
                while (k < n && strcmp(sums[k].name, x->groups[g].name) != 0)
                    k++;
                if (k == MOST_GROUPS)
                    continue;
                if (k == n)
                    sums[n++] = (struct group_sum){x->groups[g].name,
                                                   arena_many(p->mem, double, r->n_designs), 0};
                sums[k].joules[d] += x->groups[g].total_j;
                sums[k].all += x->groups[g].total_j;
                *base += d == 0 ? x->groups[g].total_j : 0;
            }
        }
    }
    qsort(sums, n, sizeof *sums, larger_first);
    return n;
}

static bool add_energy(struct writer *p)
{
    const struct report *r = p->r;
    struct group_sum sums[MOST_GROUPS] = {{0}};
    double base = 0;
    size_t n = sum_groups(p, sums, &base), shown = n < SHOWN_GROUPS ? n : SHOWN_GROUPS;
    if (n == 0 || base <= 0)
        return true;
    const char **names = arena_many(p->mem, const char *, shown);
    double *values = arena_many(p->mem, double, r->n_designs *shown);
    for (size_t k = 0; k < n; k++) {
        size_t place = k < shown ? k : shown - 1;
        names[place] = n > shown && place == shown - 1 ? "all others" : sums[k].name;
        for (size_t d = 0; d < r->n_designs; d++)
            values[d * shown + place] += sums[k].joules[d] / base;
    }
    struct plot plot = {.kind = PLOT_STACKED,
                        .name = "energy-parts",
                        .title = "Energy by component",
                        .x_label = "design",
                        .y_label = arena_printf(p->mem, "energy over %s", r->designs[0].name),
                        .categories = design_names(p),
                        .n_categories = r->n_designs,
                        .series = (const char *const *)names,
                        .n_series = shown,
                        .values = values,
                        .baseline = 1};
    return add_figure(p, "breakdowns", &plot,
                      "Dynamic energy and leakage of all workloads together, GPU and DRAM.");
}

static bool add_latency(struct writer *p)
{
    static const char *const names[] = {"latency_queue", "latency_request", "latency_l2",
                                        "latency_dram", "latency_reply"};
    static const char *const titles[] = {"SM and port", "request network", "L2", "DRAM",
                                         "reply network"};
    const size_t n_parts = sizeof names / sizeof *names;
    const struct report *r = p->r;
    double *values = arena_many(p->mem, double, r->n_designs *n_parts);
    bool any = false;
    for (size_t d = 0; d < r->n_designs; d++) {
        for (size_t k = 0; k < n_parts; k++) {
            double sum = 0;
            size_t n = 0;
            for (size_t w = 0; w < r->n_workloads; w++) {
                double v = at(r, d, w)->error ? NAN : result_get(at(r, d, w), names[k]);
                if (isfinite(v)) {
                    sum += v;
                    n++;
                }
            }
            values[d * n_parts + k] = n ? sum / (double)n : NAN;
            any |= n > 0;
        }
    }
    if (!any)
        return true;
    struct plot plot = {.kind = PLOT_STACKED,
                        .name = "latency",
                        .title = "Memory latency by place",
                        .x_label = "design",
                        .y_label = "core cycles, mean of the workloads",
                        .categories = design_names(p),
                        .n_categories = r->n_designs,
                        .series = titles,
                        .n_series = n_parts,
                        .values = values,
                        .baseline = NAN};
    return add_figure(p, "breakdowns", &plot,
                      "A load that misses the L1, from the SM's port and back.");
}

static bool add_curves(struct writer *p)
{
    const struct report *r = p->r;
    if (r->n_curves == 0)
        return true;
    double slowest = 0; /* of the empty networks */
    for (size_t l = 0; l < r->n_curves; l++) {
        if (r->curves[l].n > 0)
            slowest = fmax(slowest, r->curves[l].y[0]);
    }
    struct plot plot = {.kind = PLOT_LINES,
                        .name = "load-latency",
                        .title = r->curves_title,
                        .x_label = "offered load, flits per SM and network cycle",
                        .y_label = "packet latency, network cycles",
                        .lines = r->curves,
                        .n_lines = r->n_curves,
                        .y_max = 3 * slowest};
    return add_figure(p, "breakdowns", &plot, "A curve ends where its network saturates.");
}

/* ---- designs --------------------------------------------------------------------------------- */

static void add_design(struct writer *p, size_t d)
{
    const struct report_design *x = &p->r->designs[d];
    struct scope *s = scope_item(p->scope, "designs");
    scope_text(s, "name", x->name);
    scope_text(s, "file", x->file);
    scope_text(s, "hash", x->hash);
    scope_text(s, "note", x->note);
    scope_text(s, "machine", x->machine ? x->machine : "");
    scope_text(s, "engines", x->engines);
    scope_text(s, "colour", plot_colour(d));
    scope_text(s, "is_base", d == 0 ? "base" : "");
    scope_text(s, "is_best", d == report_best(p->r) ? "best" : "");
    for (size_t i = 0; i < 3; i++) {
        const struct report_metric *m = &report_metrics[i];
        struct scope *k = scope_item(s, "kpis");
        scope_text(k, "title", m->title);
        scope_text(k, "value", nice(p->mem, report_geomean(p->r, m, d)));
    }
    if (p->r->n_seeds > 1) {
        struct scope *f = scope_item(s, "facts");
        scope_text(
            f, "name",
            arena_printf(p->mem, "performance from %zu starts, to either side", p->r->n_seeds));
        scope_text(f, "unit", "%");
        scope_format(f, "value", "%.2f", 100 * report_noise(p->r, report_metric("performance"), d));
    } else
        scope_list(s, "facts");
    for (size_t i = 0; i < x->n_facts; i++) {
        if (!isfinite(x->facts[i].value))
            continue;
        struct scope *f = scope_item(s, "facts");
        scope_text(f, "name", x->facts[i].name);
        scope_text(f, "unit", x->facts[i].unit);
        scope_format(f, "value", "%.*f", x->facts[i].decimals, x->facts[i].value);
    }
    scope_list(s, "pictures");
    for (size_t i = 0; i < x->n_pictures; i++) {
        struct scope *f = scope_item(s, "pictures");
        scope_text(f, "title", x->pictures[i].title);
        scope_text(f, "data", page_picture(&p->page, x->pictures[i].svg));
    }
}

static void add_keys(struct writer *p)
{
    const struct report *r = p->r;
    scope_list(p->scope, "keys");
    scope_list(p->scope, "key_heads");
    for (size_t d = 0; d < r->n_designs; d++)
        scope_text(scope_item(p->scope, "key_heads"), "head", r->designs[d].name);
    for (size_t k = 0; k < r->n_keys; k++) {
        struct scope *row = scope_item(p->scope, "keys");
        scope_text(row, "path", r->keys[k].path);
        for (size_t d = 0; d < r->n_designs; d++)
            scope_text(scope_item(row, "values"), "value", r->keys[k].values[d]);
    }
}

static void add_failures(struct writer *p)
{
    const struct report *r = p->r;
    scope_list(p->scope, "failures");
    for (size_t i = 0; i < r->n_designs * r->n_workloads; i++) {
        if (!r->results[i].error)
            continue;
        struct scope *s = scope_item(p->scope, "failures");
        scope_text(s, "design", r->results[i].design);
        scope_text(s, "workload", r->results[i].workload);
        scope_text(s, "error", r->results[i].error);
    }
}

static void add_wins(struct writer *p)
{
    const struct report *r = p->r;
    scope_list(p->scope, "wins");
    for (int g = 0; g < REPORT_GOALS; g++) {
        struct report_win w = report_winner(r, g, p->mem);
        if (w.best == SIZE_MAX)
            continue;
        struct buf b;
        struct scope *s = scope_item(p->scope, "wins");
        buf_init(&b, p->mem, BUF_NO_MAX);
        buf_add(&b, r->designs[w.best].name);
        for (size_t i = 0; i < w.n_equal; i++)
            buf_printf(&b, " = %s", r->designs[w.equal[i]].name);
        scope_text(s, "by", w.title);
        scope_text(s, "best", b.data);
        scope_text(s, "next", w.next == SIZE_MAX ? "–" : r->designs[w.next].name);
        scope_text(s, "lead", nice(p->mem, w.lead));
    }
}

static bool fill(struct writer *p)
{
    const struct report *r = p->r;
    struct buf verdict;
    buf_init(&verdict, p->mem, 4096);
    report_verdict(r, &verdict);
    scope_text(p->scope, "title", r->title);
    scope_text(p->scope, "subtitle", r->subtitle);
    scope_text(p->scope, "verdict", verdict.data);
    struct buf counted;
    buf_init(&counted, p->mem, BUF_NO_MAX);
    report_counted_text(r, &counted);
    scope_text(p->scope, "counted", counted.data);
    scope_text(p->scope, "assumptions", r->assumptions ? r->assumptions : "");
    add_wins(p);
    scope_list(p->scope, "terms");
    for (size_t d = 0; r->equal && d < r->n_designs; d++) {
        struct scope *s = scope_item(p->scope, "terms");
        scope_text(s, "design", r->designs[d].name);
        scope_int(s, "request", r->terms[d].bytes[0]);
        scope_int(s, "reply", r->terms[d].bytes[1]);
        scope_text(s, "value",
                   arena_printf(p->mem, "%.4g %s (%+.1f %%)", r->terms[d].value, r->terms[d].unit,
                                100 * (r->terms[d].value / r->terms[0].value - 1)));
    }
    scope_text(p->scope, "equal", r->equal ? r->equal : "");
    scope_list(p->scope, "bands");
    if (r->band)
        band_scope(r->band, scope_item(p->scope, "bands"), p->mem);
    scope_text(p->scope, "command_line", r->command_line);
    scope_text(p->scope, "version", r->version);
    scope_text(p->scope, "base", r->designs[0].name);
    scope_int(p->scope, "n_designs", (long long)r->n_designs);
    long long n = 0;
    for (size_t w = 0; w < r->n_workloads; w++)
        n += report_counts(r, w);
    scope_int(p->scope, "n_workloads", n);
    scope_list(p->scope, "breakdowns");
    add_keys(p);
    add_failures(p);
    for (size_t d = 0; d < r->n_designs; d++)
        add_design(p, d);
    for (size_t i = 0; i < n_report_metrics; i++) {
        if (!add_metric(p, &report_metrics[i]))
            return false;
    }
    return add_overview(p) && add_area(p) && add_energy(p) && add_latency(p) && add_curves(p);
}

bool report_write(const struct report *r, const char *dir, const char *data_dir, struct arena *mem,
                  struct err *err)
{
    struct writer w = {.r = r, .mem = mem};
    if (!page_begin(dir, data_dir, mem, &w.page, err))
        return false;
    w.scope = w.page.scope;
    if (!fill(&w))
        return false;
    struct buf csv;
    buf_init(&csv, mem, BUF_NO_MAX);
    report_csv(r, mem, &csv);
    json_t *j = report_json(r);
    char *json = json_dumps(j, JSON_INDENT(1));
    json_decref(j);
    const struct page_file data[] = {{"results.csv", csv.data, csv.len},
                                     {"results.json", json, strlen(json)}};
    bool ok = page_write(&w.page, "report.html", data, 2);
    free(json);
    return ok;
}
