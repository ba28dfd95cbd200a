/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/pool.h"
#include "energy/array_csv.h"
#include "gen/cmd.h"

struct batch {
    const struct csv *csv;
    const struct array_tables *tables;
    struct amodel_in *in;
    struct amodel_out *out;
    bool *done;
    struct err *err; /* [row] */
};

static void cost_row(void *ctx, size_t i)
{
    struct batch *b = ctx;
    struct arena scratch;
    arena_init(&scratch, NULL, NULL);
    b->in[i] = amodel_defaults();
    if (array_csv_request(b->csv, i, &b->in[i], &b->err[i]))
        b->done[i] = amodel_cost(&b->in[i], b->tables, csv_at(b->csv, i, NULL), &scratch,
                                 &b->out[i], &b->err[i]);
    arena_free(&scratch);
}

static void write_rows(const struct batch *b, struct arena *mem, struct buf *text)
{
    const struct csv *csv = b->csv;
    size_t n = array_csv_n_answers();
    int *answer_of = arena_many(mem, int, csv->n_columns); /* [column]: answer + 1 */
    bool *missing = arena_many(mem, bool, n);

    for (size_t a = 0; a < n; a++) {
        int column = csv_column(csv, array_csv_answer_name(a));
        if (column >= 0)
            answer_of[column] = (int)a + 1;
        else
            missing[a] = array_csv_answer_always(a);
    }
    for (size_t c = 0; c < csv->n_columns; c++) {
        if (c)
            buf_putc(text, ',');
        csv_add_field(text, csv->columns[c]);
    }
    for (size_t a = 0; a < n; a++)
        if (missing[a])
            buf_printf(text, ",%s", array_csv_answer_name(a));
    buf_putc(text, '\n');
    for (size_t r = 0; r < csv->n_rows; r++) {
        for (size_t c = 0; c < csv->n_columns; c++) {
            if (c)
                buf_putc(text, ',');
            double v = answer_of[c] && b->done[r]
                           ? array_csv_value(&b->out[r], (size_t)answer_of[c] - 1)
                           : NAN;
            if (!answer_of[c])
                csv_add_field(text, csv->rows[r][c]);
            else if (!isnan(v))
                buf_printf(text, "%.9g", v);
        }
        for (size_t a = 0; a < n; a++) {
            if (!missing[a])
                continue;
            double v = b->done[r] ? array_csv_value(&b->out[r], a) : NAN;
            buf_putc(text, ',');
            if (!isnan(v))
                buf_printf(text, "%.9g", v);
        }
        buf_putc(text, '\n');
    }
}

static int run(struct app *app, const struct options *options)
{
    const char *file = option_get(options, "csv");
    struct csv csv;
    struct array_tables tables;
    const char *tech = path_join(&app->mem, app->data_dir, "cfg/tech/cacti-itrs.cfg");

    if (!file) {
        err_add(&app->err, ERR_INPUT, NOWHERE, "--csv FILE is missing");
        return exit_status_of(&app->err);
    }
    if (!array_tables_read(tech, &app->mem, &tables, &app->err) ||
        !csv_read(file, &app->mem, &csv, &app->err))
        return exit_status_of(&app->err);
    struct batch b = {
        .csv = &csv,
        .tables = &tables,
        .in = arena_many(&app->mem, struct amodel_in, csv.n_rows),
        .out = arena_many(&app->mem, struct amodel_out, csv.n_rows),
        .done = arena_many(&app->mem, bool, csv.n_rows),
        .err = arena_many(&app->mem, struct err, csv.n_rows),
    };
    for (size_t i = 0; i < csv.n_rows; i++)
        err_init(&b.err[i]);
    pool_run(0, csv.n_rows, cost_row, &b, NULL);
    for (size_t i = 0; i < csv.n_rows; i++) {
        err_join(&app->err, &b.err[i]);
        err_free(&b.err[i]);
    }
    struct buf text;
    buf_init(&text, &app->mem, BUF_NO_MAX);
    write_rows(&b, &app->mem, &text);
    fwrite(text.data, 1, text.len, stdout);
    return exit_status_of(&app->err);
}

static const struct option_def own_options[] = {
    {"csv", 0, "FILE", "arrays to cost, one a row; '-' is not standard input"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_cost_array = {
    .name = "cost-array",
    .args = "--csv FILE",
    .meaning = "area, delay, energy and leakage of arrays, from a table of shapes",
    .text = "",
    .options = own_options,
    .least_words = 0,
    .most_words = 0,
    .run = run,
};
