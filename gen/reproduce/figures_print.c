/* SPDX-License-Identifier: MIT
 *
 * Figures of a reproduction as text, CSV and JSON. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/table.h"
#include "gen/reproduce/reproduce.h"

/* Decimals that keep three or four digits of the largest number of a column. */
static int decimals_of(const struct figure_answer *f, size_t column)
{
    double most = 0;
    bool are_whole = true;
    for (size_t r = 0; r < f->n_rows; r++) {
        double v = fabs(f->cells[r * f->n_columns + column].value);
        most = isfinite(v) && v > most ? v : most;
        are_whole &= !isfinite(v) || v == round(v);
    }
    return are_whole      ? 0
           : most >= 1000 ? 0
           : most >= 100  ? 1
           : most >= 10   ? 2
           : most >= 0.1  ? 3
                          : 5;
}

void figure_text(const struct figure_answer *f, struct arena *mem, struct buf *out)
{
    const struct ex_figure *x = f->figure;
    struct table_column *columns = arena_many(mem, struct table_column, f->n_columns + 1);
    columns[0] = (struct table_column){x->rows == EX_BY_PROGRAM ? "workload" : "", "", -1};
    for (size_t k = 0; k < f->n_columns; k++)
        columns[k + 1] = (struct table_column){f->columns[k], "", decimals_of(f, k)};
    struct table *t = table_new(mem, columns, f->n_columns + 1);
    for (size_t r = 0; r < f->n_rows; r++) {
        if (f->has_mean && r + 1 == f->n_rows)
            table_rule(t);
        table_row(t);
        table_text(t, f->rows[r]);
        for (size_t k = 0; k < f->n_columns; k++) {
            const struct figure_cell *c = &f->cells[r * f->n_columns + k];
            if (c->text)
                table_text(t, c->text);
            else
                table_num(t, c->value);
        }
    }
    buf_printf(out, "%s: %s", figure_title(x->figure, mem), x->title);
    if (x->y[0])
        buf_printf(out, " (%s)", x->y);
    buf_putc(out, '\n');
    table_write_text(t, out);
    for (size_t i = 0; i < f->n_programs && !f->has_mean; i++)
        buf_printf(out, "%s%s", i ? ", " : "programs: ", f->programs[i]);
    buf_add(out, f->n_programs && !f->has_mean ? "\n\n" : "\n");
}

void figures_csv(const struct reproduction *r, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {
        {"figure", "", -1}, {"title", "", -1},    {"row", "", -1},
        {"column", "", -1}, {"quantity", "", -1}, {"value", "", -1},
        {"paper", "", -1},  {"claim", "", -1},    {"remark", "", -1}};
    struct table *t = table_new(mem, columns, 9);
    for (size_t i = 0; i < r->n_figures; i++) {
        const struct figure_answer *f = &r->figures[i];
        for (size_t k = 0; k < f->n_rows * f->n_columns; k++) {
            const struct figure_cell *c = &f->cells[k];
            table_row(t);
            table_text(t, f->figure->figure);
            table_text(t, f->figure->title);
            table_text(t, f->rows[k / f->n_columns]);
            table_text(t, f->columns[k % f->n_columns]);
            table_text(t, f->figure->y);
            if (c->text)
                table_text(t, c->text);
            else
                table_num(t, c->value);
            if (isnan(c->paper) && c->paper_text)
                table_text(t, c->paper_text);
            else
                table_num(t, c->paper);
            table_text(t, c->claim ? c->claim : "");
            table_text(t, c->why_not ? c->why_not : "");
        }
    }
    table_write_csv(t, out);
}

static json_t *cell_json(const struct figure_cell *c)
{
    json_t *o = json_object();
    json_object_set_new(o, "value", c->text ? json_string(c->text) : json_num(c->value));
    if (c->claim) {
        json_object_set_new(o, "paper",
                            isnan(c->paper) ? json_string(c->paper_text) : json_num(c->paper));
        json_object_set_new(o, "claim", json_string(c->claim));
    }
    if (c->why_not)
        json_object_set_new(o, "missing", json_string(c->why_not));
    return o;
}

json_t *figure_json(const struct figure_answer *f)
{
    json_t *j = json_object(), *rows = json_array();
    json_object_set_new(j, "figure", json_string(f->figure->figure));
    json_object_set_new(j, "title", json_string(f->figure->title));
    json_object_set_new(j, "quantity", json_string(f->figure->y));
    json_t *programs = json_array();
    for (size_t i = 0; i < f->n_programs; i++)
        json_array_append_new(programs, json_string(f->programs[i]));
    json_object_set_new(j, "programs", programs);
    for (size_t r = 0; r < f->n_rows; r++) {
        json_t *row = json_object(), *cells = json_object();
        for (size_t k = 0; k < f->n_columns; k++)
            json_object_set_new(cells, f->columns[k], cell_json(&f->cells[r * f->n_columns + k]));
        json_object_set_new(row, "row", json_string(f->rows[r]));
        json_object_set_new(row, "cells", cells);
        json_array_append_new(rows, row);
    }
    json_object_set_new(j, "rows", rows);
    return j;
}
