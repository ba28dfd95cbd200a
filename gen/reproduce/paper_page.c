/* SPDX-License-Identifier: MIT
 *
 * The HTML form of a reproduction: plots drawn into plots/, then everything put into
 * templates/reproduce.html. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/vec.h"
#include "gen/report/page.h"
#include "gen/reproduce/reproduce.h"

struct writer {
    const struct reproduction *r;
    struct page page;
    struct arena *mem;
    struct scope *scope;
};

static bool is_plotted(const struct answer *a, const char *unit)
{
    return a->state == ANSWER_OURS && !isnan(a->value) && !isnan(a->paper) &&
           (!unit || strcmp(a->claim->unit, unit) == 0);
}

/* Is the claim's number a mark in one of the charts? */
static bool is_marked(const struct reproduction *r, const struct claim *c)
{
    for (size_t i = 0; i < r->n_figures; i++) {
        const struct figure_answer *f = &r->figures[i];
        for (size_t k = 0; k < f->n_rows * f->n_columns; k++) {
            if (f->cells[k].claim && strcmp(f->cells[k].claim, c->id) == 0)
                return true;
        }
    }
    return false;
}

/* Bars of the claims of a figure that share a unit. */
static bool add_bars(struct writer *p, struct scope *s, const char *fig, const char *unit,
                     size_t n_before)
{
    static const char *const series[] = {"paper", "crosswatt"};
    const struct reproduction *r = p->r;
    const char **categories = arena_many(p->mem, const char *, r->n);
    double *values = arena_many(p->mem, double, r->n * 2);
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct answer *a = &r->answers[i];
        bool is_here = fig[0] ? claim_is_of_figure(a->claim, fig) : !a->claim->figure[0];
        if (!is_here || !is_plotted(a, unit) || is_marked(r, a->claim))
            continue;
        categories[n] = arena_printf(p->mem, "%s %s", a->claim->id,
                                     strcmp(a->claim->workload, "-") == 0 ? a->claim->configuration
                                                                          : a->claim->workload);
        values[2 * n] = a->paper;
        values[2 * n + 1] = a->value;
        n++;
    }
    if (n < 2) /* one pair of bars says no more than its row */
        return true;
    const char *name = arena_printf(p->mem, "claims-%s-%zu", fig[0] ? fig : "text", n_before);
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
    struct scope *f = scope_item(s, "plots");
    scope_text(f, "title", plot.title);
    return page_plot(&p->page, &plot, f);
}

/* The number a row begins with: "80 SMs". */
static double number_of(const char *row)
{
    return strtod(row, NULL);
}

static bool draw(struct writer *p, struct scope *s, const struct figure_answer *f, size_t index)
{
    const struct ex_figure *x = f->figure;
    size_t n = f->n_rows * f->n_columns;
    bool is_lines = x->kind == EX_LINES;
    double *values = arena_many(p->mem, double, n), *marks = arena_many(p->mem, double, n),
           *xs = arena_many(p->mem, double, f->n_rows);
    struct plot_line *lines = arena_many(p->mem, struct plot_line, f->n_columns);
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        size_t row = i / f->n_columns, column = i % f->n_columns;
        size_t at = is_lines ? column * f->n_rows + row : i;
        values[at] = f->cells[i].value;
        marks[at] = f->cells[i].paper;
        any |= isfinite(values[at]);
        xs[row] = number_of(f->rows[row]);
    }
    for (size_t k = 0; k < f->n_columns; k++)
        lines[k] = (struct plot_line){f->columns[k], xs, values + k * f->n_rows, f->n_rows};
    if (!any)
        return true;
    struct plot plot = {.kind = x->kind == EX_STACKED ? PLOT_STACKED
                                : is_lines            ? PLOT_LINES
                                                      : PLOT_BARS,
                        .name = arena_printf(p->mem, "figure-%s-%zu", x->figure, index),
                        .title = x->title,
                        .x_label = is_lines                   ? "SMs"
                                   : x->rows == EX_BY_PROGRAM ? "workload"
                                                              : "configuration",
                        .y_label = x->y,
                        .categories = f->rows,
                        .n_categories = f->n_rows,
                        .series = f->columns,
                        .n_series = f->n_columns,
                        .values = values,
                        .baseline = x->measure == CLAIM_RATIO ? 1 : NAN,
                        .last_is_mean = f->has_mean,
                        .is_ordered = x->is_ordered,
                        .marks = x->kind == EX_STACKED ? NULL : marks,
                        .mark_name = "paper",
                        .lines = lines,
                        .n_lines = f->n_columns};
    return page_plot(&p->page, &plot, s);
}

static const char *cell_text(const struct figure_cell *c, struct arena *mem)
{
    if (c->text)
        return c->text;
    double v = fabs(c->value);
    if (isnan(v))
        return "";
    if (v == round(v) && v >= 10)
        return arena_printf(mem, "%.0f", c->value);
    return arena_printf(mem,
                        v >= 1000             ? "%.0f"
                        : v >= 100            ? "%.1f"
                        : v >= 10             ? "%.2f"
                        : v >= 0.01 || v == 0 ? "%.3f"
                                              : "%.2g",
                        c->value);
}

/* As the paper prints it, where the figure shows the same quantity. */
static const char *paper_text(const struct figure_cell *c, int measure, struct arena *mem)
{
    if (!c->claim)
        return "";
    const struct figure_cell paper = {.value = c->paper};
    return isnan(c->paper) || measure == CLAIM_VALUE ? c->paper_text : cell_text(&paper, mem);
}

/* Chart and table of a figure, or a part of one. */
static bool add_measured(struct writer *p, struct scope *s, const struct figure_answer *f,
                         size_t index)
{
    const struct ex_figure *x = f->figure;
    struct scope *item = scope_item(s, "panels");
    scope_text(item, "title", x->title);
    scope_text(item, "y", x->y);
    scope_text(item, "svg", "");
    scope_text(item, "name", "");
    scope_text(item, "is_table", x->kind == EX_TABLE ? "yes" : "");
    scope_text(item, "first", x->rows == EX_BY_PROGRAM ? "workload" : "");
    struct buf programs; /* the rows name them where there is one for each */
    buf_init(&programs, p->mem, 1 << 12);
    for (size_t i = 0; i < f->n_programs && !f->has_mean; i++)
        buf_printf(&programs, "%s%s", i ? ", " : "programs: ", f->programs[i]);
    scope_text(item, "programs", programs.len ? programs.data : "");
    if (x->kind != EX_TABLE && !draw(p, item, f, index))
        return false;
    scope_list(item, "heads");
    for (size_t k = 0; k < f->n_columns; k++)
        scope_text(scope_item(item, "heads"), "head", f->columns[k]);
    scope_list(item, "rows");
    for (size_t r = 0; r < f->n_rows; r++) {
        struct scope *row = scope_item(item, "rows");
        scope_text(row, "row", f->rows[r]);
        scope_text(row, "is_mean", f->has_mean && r + 1 == f->n_rows ? "yes" : "");
        scope_list(row, "cells");
        for (size_t k = 0; k < f->n_columns; k++) {
            const struct figure_cell *c = &f->cells[r * f->n_columns + k];
            struct scope *cell = scope_item(row, "cells");
            scope_text(cell, "value", cell_text(c, p->mem));
            scope_text(cell, "paper", paper_text(c, x->measure, p->mem));
            scope_text(cell, "missing", c->why_not ? c->why_not : "");
        }
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

static void add_row(struct writer *p, struct scope *s, const struct answer *a)
{
    struct scope *row = scope_item(s, "rows");
    bool bad = a->verdict == VERDICT_DIFFERS || a->verdict == VERDICT_FAILS;
    scope_text(row, "id", a->claim->id);
    scope_text(row, "what", reproduce_what(a->claim, p->mem));
    scope_text(row, "section", a->claim->section);
    scope_text(row, "paper", reproduce_with_unit(a->claim->value, a->claim, p->mem));
    scope_text(row, "ours", a->text ? a->text : "");
    scope_text(row, "is_long",
               strlen(a->claim->value) > 24 || (a->text && strlen(a->text) > 24) ? "yes" : "");
    scope_text(row, "difference", reproduce_difference(a, p->mem));
    scope_text(row, "class", a->state != ANSWER_OURS ? "absent" : bad ? "bad" : "");
    scope_text(row, "remark", a->why ? a->why : "");
    scope_text(row, "behind", behind(a, p->mem));
}

static bool add_figure(struct writer *p, const char *fig)
{
    const struct reproduction *r = p->r;
    struct scope *s = scope_item(p->scope, "figures");
    VEC(const char *) units = {0};
    bool any = false;
    scope_text(s, "title", fig[0] ? figure_title(fig, p->mem) : "In the text");
    scope_format(s, "anchor", "f%s", fig);
    scope_list(s, "panels");
    scope_list(s, "plots");
    scope_list(s, "rows");
    for (size_t k = 0; k < r->n_figures; k++) {
        if (strcmp(fig, r->figures[k].figure->figure) == 0 &&
            !add_measured(p, s, &r->figures[k], k))
            return false;
    }
    for (size_t i = 0; i < r->n; i++) {
        const struct answer *a = &r->answers[i];
        if (!(fig[0] ? claim_is_of_figure(a->claim, fig) : !a->claim->figure[0]))
            continue;
        any = true;
        add_row(p, s, a);
        size_t k = 0;
        while (k < units.n && strcmp(units.at[k], a->claim->unit) != 0)
            k++;
        bool is_exact = a->claim->measure == CLAIM_EXACT;
        if (k == units.n && is_plotted(a, NULL) && !is_exact && !is_marked(r, a->claim))
            vec_push(p->mem, &units, a->claim->unit);
    }
    scope_text(s, "has_claims", any ? "yes" : "");
    for (size_t k = 0; k < units.n; k++) {
        if (!add_bars(p, s, fig, units.at[k], k))
            return false;
    }
    return true;
}

/* Tables and figures by number, then what the paper does not have, then what is in its text. */
static int place_of(const char *f)
{
    return f[0] == 'T' && isdigit((unsigned char)f[1]) ? 1000 + (int)strtol(f + 1, NULL, 10)
           : isdigit((unsigned char)f[0])              ? (int)strtol(f, NULL, 10)
           : f[0]                                      ? 2000
                                                       : 3000;
}

static int by_number(const void *a, const void *b)
{
    int x = place_of(*(const char *const *)a), y = place_of(*(const char *const *)b);
    return (x > y) - (x < y);
}

typedef VEC(const char *) words_t;

static void add_word(struct writer *p, words_t *words, const char *word)
{
    for (size_t k = 0; k < words->n; k++) {
        if (strcmp(words->at[k], word) == 0)
            return;
    }
    vec_push(p->mem, words, word);
}

/* Zero is shown as zero, or not at all. */
static void add_count(struct writer *p, const char *name, size_t n, bool shows_zero)
{
    scope_text(p->scope, name, "");
    if (n || shows_zero)
        scope_int(p->scope, name, (long long)n);
}

static bool fill(struct writer *p)
{
    const struct reproduction *r = p->r;
    words_t figures = {0};
    scope_text(p->scope, "title", r->experiment->title);
    scope_text(p->scope, "name", r->experiment->name);
    scope_text(p->scope, "preset", r->preset);
    scope_text(p->scope, "scaled_down", r->scaled_down);
    scope_text(p->scope, "assumptions", r->assumptions);
    scope_text(p->scope, "command_line", r->command_line);
    scope_text(p->scope, "version", r->version);
    size_t n_exact = 0, n_equal = 0;
    for (size_t i = 0; i < r->n; i++) {
        n_exact += r->answers[i].claim->measure == CLAIM_EXACT;
        n_equal +=
            r->answers[i].claim->measure == CLAIM_EXACT && r->answers[i].verdict == VERDICT_EQUAL;
    }
    scope_int(p->scope, "n_claims", (long long)r->n);
    add_count(p, "n_ours", reproduce_count(r, ANSWER_OURS), true);
    add_count(p, "n_not_measured", reproduce_count(r, ANSWER_NOT_MEASURED), false);
    add_count(p, "n_left_out", reproduce_count(r, ANSWER_LEFT_OUT), false);
    add_count(p, "n_exact", n_exact, false);
    add_count(p, "n_equal", n_equal, true);
    for (size_t i = 0; i < r->n; i++) {
        const char *at = r->answers[i].claim->figure;
        if (!*at)
            add_word(p, &figures, "");
        while (*at) { /* a claim of two figures stands under both */
            size_t n = strcspn(at, " ");
            add_word(p, &figures, arena_strndup(p->mem, at, n));
            at += n + (at[n] == ' ');
        }
    }
    for (size_t i = 0; i < r->n_figures; i++)
        add_word(p, &figures, r->figures[i].figure->figure);
    scope_list(p->scope, "machines");
    for (size_t i = 0; i < r->n_machines; i++) {
        struct scope *m = scope_item(p->scope, "machines");
        scope_text(m, "name", r->machines[i].name);
        scope_text(m, "file", r->machines[i].file);
        scope_text(m, "sets", r->machines[i].sets);
        scope_text(m, "hash", r->machines[i].hash);
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
    struct writer w = {.r = r, .mem = mem};
    page_remove(dir, mem);
    if (!page_begin(dir, data_dir, mem, &w.page, err))
        return false;
    w.scope = w.page.scope;
    if (!fill(&w))
        return false;
    struct buf csv, parts, figures;
    buf_init(&csv, mem, BUF_NO_MAX);
    buf_init(&parts, mem, BUF_NO_MAX);
    buf_init(&figures, mem, BUF_NO_MAX);
    reproduce_csv(r, mem, &csv);
    reproduce_parts_csv(r, mem, &parts);
    figures_csv(r, mem, &figures);
    json_t *j = reproduce_json(r);
    char *json = json_dumps(j, JSON_INDENT(1));
    json_decref(j);
    const struct page_file data[] = {{"claims.csv", csv.data, csv.len},
                                     {"workloads.csv", parts.data, parts.len},
                                     {"figures.csv", figures.data, figures.len},
                                     {"claims.json", json, strlen(json)}};
    bool ok = page_write(&w.page, "reproduce.html", data, 4);
    free(json);
    return ok;
}
