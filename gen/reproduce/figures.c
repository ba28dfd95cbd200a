/* SPDX-License-Identifier: MIT */
#include "gen/reproduce/figures.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"

struct maker {
    struct lab *lab;
    const struct ex_figure *figure;
    const struct claims *claims;
    struct figure_answer *out;
};

static const char *label(const struct ex_texts *labels, const struct ex_texts *names, size_t i)
{
    return labels->n ? labels->at[i] : names->at[i];
}

static const char *baseline_of(const struct ex_figure *f, size_t i)
{
    return f->baselines.n == 0   ? "-"
           : f->baselines.n == 1 ? f->baselines.at[0]
                                 : f->baselines.at[i];
}

/* The figure's number as if the paper had claimed it. */
static struct claim *as_claim(const struct maker *m, const char *configuration, const char *metric,
                              size_t i)
{
    const struct ex_figure *f = m->figure;
    struct claim *c = arena_new(&m->lab->app->mem, struct claim);
    *c = (struct claim){.id = "figure",
                        .section = "",
                        .workload = f->set,
                        .metric = metric,
                        .configuration = configuration,
                        .baseline = baseline_of(f, i),
                        .value = "",
                        .unit = "",
                        .kind = "simulated",
                        .figure = f->figure,
                        .measure = f->measure,
                        .against = f->against};
    return c;
}

static struct figure_cell *cell_at(const struct maker *m, size_t row, size_t column)
{
    return &m->out->cells[row * m->out->n_columns + column];
}

/* ---- what the paper says --------------------------------------------------------------------- */

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_texts(const struct ex_texts *a, const struct ex_texts *b)
{
    bool ok = a->n == b->n;
    for (size_t i = 0; ok && i < a->n; i++)
        ok = strcmp(a->at[i], b->at[i]) == 0;
    return ok;
}

/* Two names for one machine, seen through the same number. */
static bool same_configuration(const struct ex_configuration *a, const struct ex_configuration *b)
{
    return a && b &&
           (a == b || (same(a->file, b->file) && same_texts(&a->sets, &b->sets) &&
                       same(a->value, b->value) && same(a->array, b->array)));
}

static bool same_metric(const struct ex_metric *a, const struct ex_metric *b)
{
    return a && b &&
           (a == b ||
            (same(a->value, b->value) && same(a->over, b->over) && a->has_groups == b->has_groups &&
             same_texts(&a->groups, &b->groups) && same(a->part, b->part) && same(a->per, b->per) &&
             same(a->design, b->design) && same_texts(&a->keys, &b->keys) &&
             same(a->programs, b->programs) && a->times == b->times &&
             a->is_inverse == b->is_inverse && isnan(a->above) && isnan(b->above)));
}

static bool same_programs(const struct experiment *e, const char *a, const char *b)
{
    const struct ex_set *x = experiment_set(e, a), *y = experiment_set(e, b);
    return strcmp(a, b) == 0 ||
           (x && y && x->how == y->how && same(x->preset, y->preset) && same_texts(&x->of, &y->of));
}

/* Is claim `c` about the number that `ours` stands for on `workload`? */
static bool is_about(const struct maker *m, const struct claim *c, const struct claim *ours,
                     const char *workload)
{
    const struct experiment *e = m->lab->experiment;
    struct arena *mem = &m->lab->app->mem;
    const struct ex_metric *metric = experiment_metric(e, ours->metric);
    const struct ex_configuration *a = experiment_configuration(e, ours->configuration, workload,
                                                                mem),
                                  *b = experiment_configuration(e, c->configuration, c->workload,
                                                                mem);
    if (ours->against || !same_metric(metric, experiment_metric(e, c->metric)) ||
        !same_configuration(a, b))
        return false;
    const char *on = b->workload ? b->workload : c->workload;
    if (!metric->design && !same_programs(e, a->workload ? a->workload : workload, on))
        return false;
    bool ours_has = ours->measure != CLAIM_VALUE && ours->measure != CLAIM_EXACT,
         theirs_has = c->measure != CLAIM_VALUE && c->measure != CLAIM_EXACT;
    if (!ours_has || !theirs_has)
        return ours_has == theirs_has;
    return same_configuration(experiment_configuration(e, ours->baseline, workload, mem),
                              experiment_configuration(e, c->baseline, c->workload, mem));
}

/* The claim's number in the measure of the figure; NAN where it has none. */
static double in_measure(const struct claim *c, enum claim_measure to)
{
    char sign;
    double v = claim_number(c->value, &sign), ratio;
    if (sign)
        return NAN;
    switch (c->measure) {
    case CLAIM_CHANGE: ratio = 1 + v / 100; break;
    case CLAIM_REDUCTION: ratio = 1 - v / 100; break;
    case CLAIM_PERCENT: ratio = v / 100; break;
    case CLAIM_RATIO: ratio = v; break;
    case CLAIM_EXACT:
    case CLAIM_VALUE: return to == CLAIM_VALUE ? v : NAN;
    default: return NAN;
    }
    return to == CLAIM_RATIO       ? ratio
           : to == CLAIM_CHANGE    ? 100 * (ratio - 1)
           : to == CLAIM_REDUCTION ? 100 * (1 - ratio)
           : to == CLAIM_PERCENT   ? 100 * ratio
                                   : NAN;
}

static void add_paper(const struct maker *m, const struct claim *ours, const char *workload,
                      struct figure_cell *cell)
{
    for (size_t i = 0; i < m->claims->n && !cell->claim; i++) {
        const struct claim *c = &m->claims->at[i];
        if (!is_about(m, c, ours, workload))
            continue;
        cell->claim = c->id;
        cell->paper_text = c->value;
        cell->paper = in_measure(c, ours->measure);
    }
}

/* ---- rows and columns ------------------------------------------------------------------------ */

static void begin(struct maker *m, size_t rows, size_t columns)
{
    struct arena *mem = &m->lab->app->mem;
    struct figure_answer *f = m->out;
    f->n_rows = rows;
    f->n_columns = columns;
    f->rows = arena_many(mem, const char *, rows);
    f->columns = arena_many(mem, const char *, columns);
    f->cells = arena_many(mem, struct figure_cell, rows * columns);
    for (size_t i = 0; i < rows * columns; i++)
        f->cells[i].value = f->cells[i].paper = NAN;
}

/* The answer as a whole: a mean, or a fact of the design. */
static void fill_cell(const struct maker *m, size_t row, size_t column, const struct claim *c,
                      const struct answer *a)
{
    struct figure_cell *cell = cell_at(m, row, column);
    bool is_there = a->state == ANSWER_OURS;
    cell->value = is_there ? a->value : NAN;
    cell->text = is_there && isnan(a->value) ? a->text : NULL;
    cell->why_not = is_there ? NULL : a->why ? a->why : "not measured";
    if (a->n_parts > m->out->n_programs) {
        m->out->n_programs = a->n_parts;
        m->out->programs = arena_many(&m->lab->app->mem, const char *, a->n_parts);
        for (size_t i = 0; i < a->n_parts; i++)
            m->out->programs[i] = a->parts[i].workload;
    }
    add_paper(m, c, c->workload, cell);
}

static void by_program(struct maker *m)
{
    const struct ex_figure *f = m->figure;
    struct arena *mem = &m->lab->app->mem;
    size_t n = f->of.n * f->metrics.n;
    struct answer *answers = arena_many(mem, struct answer, n);
    for (size_t k = 0; k < n; k++) {
        size_t i = k / f->metrics.n;
        answer_claim(m->lab, as_claim(m, f->of.at[i], f->metrics.at[k % f->metrics.n], i),
                     &answers[k]);
    }
    size_t n_parts = answers[0].n_parts;
    begin(m, n_parts + 1, n);
    m->out->has_mean = true;
    for (size_t p = 0; p < n_parts; p++)
        m->out->rows[p] = answers[0].parts[p].workload;
    m->out->rows[n_parts] = f->set;
    for (size_t k = 0; k < n; k++) {
        size_t i = k / f->metrics.n, j = k % f->metrics.n;
        const char *conf = label(&f->labels, &f->of, i),
                   *metric = label(&f->metric_labels, &f->metrics, j);
        m->out->columns[k] = f->metrics.n == 1 ? conf
                             : f->of.n == 1    ? metric
                                               : arena_printf(mem, "%s, %s", conf, metric);
        for (size_t p = 0; p < n_parts && p < answers[k].n_parts; p++) {
            struct figure_cell *cell = cell_at(m, p, k);
            cell->value = answers[k].parts[p].value;
            cell->why_not = answers[k].parts[p].why_not;
            add_paper(m, answers[k].claim, answers[k].parts[p].workload, cell);
        }
        fill_cell(m, n_parts, k, answers[k].claim, &answers[k]);
    }
}

static void by_configuration(struct maker *m)
{
    const struct ex_figure *f = m->figure;
    begin(m, f->of.n, f->metrics.n);
    for (size_t k = 0; k < f->metrics.n; k++)
        m->out->columns[k] = label(&f->metric_labels, &f->metrics, k);
    for (size_t i = 0; i < f->of.n; i++) {
        m->out->rows[i] = label(&f->labels, &f->of, i);
        for (size_t k = 0; k < f->metrics.n; k++) {
            struct answer a;
            const struct claim *c = as_claim(m, f->of.at[i], f->metrics.at[k], i);
            answer_claim(m->lab, c, &a);
            fill_cell(m, i, k, c, &a);
        }
    }
}

static void by_over(struct maker *m)
{
    const struct ex_figure *f = m->figure;
    begin(m, f->over.n, f->of.n);
    for (size_t i = 0; i < f->of.n; i++)
        m->out->columns[i] = label(&f->labels, &f->of, i);
    for (size_t r = 0; r < f->over.n; r++) {
        m->out->rows[r] = f->over.at[r];
        for (size_t i = 0; i < f->of.n; i++) {
            struct answer a;
            const char *name =
                arena_printf(&m->lab->app->mem, "%s @ %s", f->of.at[i], f->over.at[r]);
            const struct claim *c = as_claim(m, name, f->metrics.at[0], i);
            answer_claim(m->lab, c, &a);
            fill_cell(m, r, i, c, &a);
        }
    }
}

void figure_answer(struct lab *lab, const struct ex_figure *figure, const struct claims *claims,
                   struct figure_answer *out)
{
    struct maker m = {lab, figure, claims, out};
    *out = (struct figure_answer){.figure = figure};
    if (figure->rows == EX_BY_PROGRAM)
        by_program(&m);
    else if (figure->rows == EX_BY_CONFIGURATION)
        by_configuration(&m);
    else
        by_over(&m);
}

const char *figure_title(const char *figure, struct arena *mem)
{
    if (figure[0] == 'T' && isdigit((unsigned char)figure[1]))
        return arena_printf(mem, "Table %s", figure + 1);
    if (isdigit((unsigned char)figure[0]))
        return arena_printf(mem, "Figure %s", figure);
    return arena_printf(mem, "%c%s", toupper((unsigned char)figure[0]), figure + 1);
}
