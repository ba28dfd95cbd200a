/* SPDX-License-Identifier: MIT
 *
 * The HTML form of a reproduction: plots drawn into plots/, then everything put into
 * templates/reproduce.html. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/vec.h"
#include "gen/plot.h"
#include "gen/reproduce.h"
#include "gen/template.h"

#define MOST_BYTES ((size_t)64 << 20)

struct page {
    const struct reproduction *r;
    const char *plot_dir, *data_dir;
    struct arena *mem;
    struct err *err;
    struct scope *scope;
};

static bool is_plotted(const struct answer *a, const char *unit)
{
    return a->state == ANSWER_OURS && !isnan(a->value) && !isnan(a->paper) &&
           (!unit || strcmp(a->claim->unit, unit) == 0);
}

/* Bars of the claims of a figure that share a unit. */
static bool add_bars(struct page *p, struct scope *s, const char *fig, const char *unit,
                     size_t n_before)
{
    static const char *const series[] = {"paper", "crosswatt"};
    const struct reproduction *r = p->r;
    const char **categories = arena_many(p->mem, const char *, r->n);
    double *values = arena_many(p->mem, double, r->n * 2);
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct answer *a = &r->answers[i];
        if (strcmp(a->claim->figure, fig) != 0 || !is_plotted(a, unit))
            continue;
        categories[n] = arena_printf(p->mem, "%s %s", a->claim->id,
                                     strcmp(a->claim->workload, "-") == 0 ? a->claim->configuration
                                                                          : a->claim->workload);
        values[2 * n] = a->paper;
        values[2 * n + 1] = a->value;
        n++;
    }
    if (n == 0)
        return true;
    const char *name = arena_printf(p->mem, "figure-%s-%zu", fig[0] ? fig : "text", n_before);
    for (char *c = (char *)(size_t)name; *c; c++)
        *c = *c == ' ' ? '-' : *c;
    struct plot plot = {.kind = PLOT_BARS,
                        .name = name,
                        .title = arena_printf(p->mem, "Paper and crosswatt, in %s", unit),
                        .x_label = "claim",
                        .y_label = unit,
                        .categories = categories,
                        .n_categories = n,
                        .series = series,
                        .n_series = 2,
                        .values = values,
                        .baseline = 0};
    const char *svg;
    if (!plot_write(&plot, p->plot_dir, p->data_dir, p->mem, &svg, p->err))
        return false;
    if (svg[0]) {
        struct scope *f = scope_item(s, "plots");
        scope_text(f, "svg", svg);
        scope_text(f, "title", plot.title);
    }
    return true;
}

/* The figure itself: a cluster for each program, a bar for each configuration. */
static bool add_measured(struct page *p, struct scope *s, const struct figure_answer *f,
                         size_t index)
{
    const struct ex_figure *x = f->figure;
    size_t n = f->columns[0].n_parts, nk = x->of.n;
    const char **categories = arena_many(p->mem, const char *, n + 1);
    double *values = arena_many(p->mem, double, (n + 1) * nk);
    bool any = false;
    for (size_t w = 0; w <= n; w++) {
        categories[w] = w == n ? x->set : f->columns[0].parts[w].workload;
        for (size_t k = 0; k < nk; k++) {
            double v = w == n ? f->columns[k].value : f->columns[k].parts[w].value;
            values[w * nk + k] = v;
            any |= isfinite(v);
        }
    }
    if (!any)
        return true;
    struct plot plot = {.kind = PLOT_BARS,
                        .name = arena_printf(p->mem, "measured-%s-%zu", x->figure, index),
                        .title = x->title,
                        .x_label = "workload",
                        .y_label =
                            x->baseline ? arena_printf(p->mem, "over %s", x->baseline) : x->metric,
                        .categories = categories,
                        .n_categories = n + 1,
                        .series = x->of.at,
                        .n_series = nk,
                        .values = values,
                        .baseline = x->baseline ? 1 : NAN};
    const char *svg;
    if (!plot_write(&plot, p->plot_dir, p->data_dir, p->mem, &svg, p->err))
        return false;
    if (svg[0]) {
        struct scope *item = scope_item(s, "plots");
        scope_text(item, "svg", svg);
        scope_text(item, "title", arena_printf(p->mem, "Measured: %s", x->title));
    }
    return true;
}

static const char *behind(const struct answer *a, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, 1 << 14);
    for (size_t i = 0; i < a->n_parts; i++) {
        const struct answer_part *part = &a->parts[i];
        buf_printf(&b, "%s%s ", i ? ", " : "", part->workload);
        if (part->why_not)
            buf_add(&b, "missing");
        else
            buf_printf(&b, "%.4g", part->value);
    }
    return b.data;
}

static void add_row(struct page *p, struct scope *s, const struct answer *a)
{
    struct scope *row = scope_item(s, "rows");
    bool bad = a->verdict == VERDICT_DIFFERS || a->verdict == VERDICT_FAILS;
    scope_text(row, "id", a->claim->id);
    scope_text(row, "what", reproduce_what(a->claim, p->mem));
    scope_text(row, "section", a->claim->section);
    scope_text(row, "paper", reproduce_with_unit(a->claim->value, a->claim, p->mem));
    scope_text(row, "ours", a->text ? a->text : "");
    scope_text(row, "difference", reproduce_difference(a, p->mem));
    scope_text(row, "class", a->state != ANSWER_OURS ? "absent" : bad ? "bad" : "");
    scope_text(row, "remark", a->why ? a->why : "");
    scope_text(row, "behind", behind(a, p->mem));
}

static bool add_figure(struct page *p, const char *fig)
{
    const struct reproduction *r = p->r;
    struct scope *s = scope_item(p->scope, "figures");
    const char *title = fig[0] == 'T' ? arena_printf(p->mem, "Table %s", fig + 1)
                        : fig[0]      ? arena_printf(p->mem, "Figure %s", fig)
                                      : "In the text";
    VEC(const char *) units = {0};
    scope_text(s, "title", title);
    scope_format(s, "anchor", "f%s", fig);
    scope_list(s, "plots");
    scope_list(s, "rows");
    for (size_t i = 0; i < r->n; i++) {
        const struct answer *a = &r->answers[i];
        if (strcmp(a->claim->figure, fig) != 0)
            continue;
        add_row(p, s, a);
        size_t k = 0;
        while (k < units.n && strcmp(units.at[k], a->claim->unit) != 0)
            k++;
        bool is_exact = a->claim->measure == CLAIM_EXACT;
        if (k == units.n && is_plotted(a, NULL) && !is_exact)
            vec_push(p->mem, &units, a->claim->unit);
    }
    for (size_t k = 0; k < units.n; k++) {
        if (!add_bars(p, s, fig, units.at[k], k))
            return false;
    }
    const struct claim these = {.figure = fig};
    for (size_t k = 0; k < r->n_figures; k++) {
        if (claim_is_of_figure(&these, r->figures[k].figure->figure) &&
            !add_measured(p, s, &r->figures[k], k))
            return false;
    }
    return true;
}

/* Figures by number, then tables, then what stands in the text. */
static int by_number(const void *a, const void *b)
{
    int order[2];
    for (int i = 0; i < 2; i++) {
        const char *f = *(const char *const *)(i ? b : a);
        order[i] = f[0] == 'T' ? 1000 + atoi(f + 1) : f[0] ? atoi(f) : 2000;
    }
    return (order[0] > order[1]) - (order[0] < order[1]);
}

static bool fill(struct page *p)
{
    const struct reproduction *r = p->r;
    VEC(const char *) figures = {0};
    scope_text(p->scope, "title", r->experiment->title);
    scope_text(p->scope, "name", r->experiment->name);
    scope_text(p->scope, "preset", r->preset);
    scope_text(p->scope, "scaled_down", r->scaled_down);
    scope_text(p->scope, "command_line", r->command_line);
    scope_text(p->scope, "version", r->version);
    scope_int(p->scope, "n_claims", (long long)r->n);
    scope_int(p->scope, "n_ours", (long long)reproduce_count(r, ANSWER_OURS));
    scope_int(p->scope, "n_not_measured", (long long)reproduce_count(r, ANSWER_NOT_MEASURED));
    scope_int(p->scope, "n_left_out", (long long)reproduce_count(r, ANSWER_LEFT_OUT));
    for (size_t i = 0; i < r->n; i++) {
        size_t k = 0;
        while (k < figures.n && strcmp(figures.at[k], r->answers[i].claim->figure) != 0)
            k++;
        if (k == figures.n)
            vec_push(p->mem, &figures, r->answers[i].claim->figure);
    }
    if (figures.n)
        qsort(figures.at, figures.n, sizeof *figures.at, by_number);
    for (size_t k = 0; k < figures.n; k++) {
        if (!add_figure(p, figures.at[k]))
            return false;
    }
    return true;
}

bool reproduce_write(const struct reproduction *r, const char *dir, const char *data_dir,
                     struct arena *mem, struct err *err)
{
    struct page p = {.r = r,
                     .plot_dir = path_join(mem, dir, "plots"),
                     .data_dir = data_dir,
                     .mem = mem,
                     .err = err,
                     .scope = scope_new(mem)};
    struct buf html, csv, parts, figures;
    buf_init(&html, mem, MOST_BYTES);
    buf_init(&csv, mem, MOST_BYTES);
    buf_init(&parts, mem, MOST_BYTES);
    buf_init(&figures, mem, MOST_BYTES);
    if (!file_make_dirs(p.plot_dir, err) || !fill(&p) ||
        !scope_file(p.scope, "style", data_dir, "page.css", err) ||
        !scope_file(p.scope, "script", data_dir, "page.js", err) ||
        !template_render_file(data_dir, "reproduce.html", p.scope, mem, &html, err))
        return false;
    reproduce_csv(r, mem, &csv);
    reproduce_parts_csv(r, mem, &parts);
    reproduce_figures_csv(r, mem, &figures);
    json_t *j = reproduce_json(r);
    char *json = json_dumps(j, JSON_INDENT(1));
    json_decref(j);
    bool ok = file_write(path_join(mem, dir, "claims.csv"), csv.data, csv.len, err) &&
              file_write(path_join(mem, dir, "workloads.csv"), parts.data, parts.len, err) &&
              file_write(path_join(mem, dir, "figures.csv"), figures.data, figures.len, err) &&
              file_write(path_join(mem, dir, "claims.json"), json, strlen(json), err) &&
              file_write(path_join(mem, dir, "report.html"), html.data, html.len, err);
    free(json);
    return ok;
}
