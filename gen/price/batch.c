/* SPDX-License-Identifier: MIT */
#include "gen/price/batch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/near.h"
#include "base/pool.h"
#include "base/table.h"
#include "base/vec.h"
#include "gen/out.h"

const char *batch_text(const struct batch_row *r, const char *column)
{
    int c = csv_column(r->csv, column);
    if (c < 0)
        return NULL;
    const char *text = r->csv->rows[r->row][c];
    return text[strspn(text, " \t")] ? text : NULL;
}

struct where batch_at(const struct batch_row *r)
{
    return csv_at(r->csv, r->row, NULL);
}

bool batch_real(const struct batch_row *r, const char *column, double *value, struct err *err)
{
    if (!batch_text(r, column))
        return true;
    return csv_real(r->csv, r->row, csv_column(r->csv, column), value, err);
}

bool batch_bool(const struct batch_row *r, const char *column, bool *value, struct err *err)
{
    const char *text = batch_text(r, column);
    if (!text)
        return true;
    static const char *const yes[] = {"true", "1", "yes"}, *const no[] = {"false", "0", "no"};
    for (int i = 0; i < 3; i++) {
        if (strcasecmp(text, yes[i]) == 0 || strcasecmp(text, no[i]) == 0) {
            *value = strcasecmp(text, yes[i]) == 0;
            return true;
        }
    }
    return err_add(err, ERR_INPUT, csv_at(r->csv, r->row, column), "'%s' is not TRUE or FALSE",
                   text);
}

bool batch_name(const struct batch_row *r, const char *column, const char *const *names, size_t n,
                int *value, struct err *err)
{
    const char *text = batch_text(r, column);
    if (!text)
        return true;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(text, names[i]) == 0) {
            *value = (int)i;
            return true;
        }
    }
    const char *near = near_hint(text, names, n, r->mem);
    return err_add(err, ERR_INPUT, csv_at(r->csv, r->row, column), "unknown name '%s'%s", text,
                   near);
}

struct job {
    const struct batch *batch;
    const struct csv *csv;
    double *values; /* [row][output] */
    bool *bad;      /* [row] cannot be computed, already reported; NULL: none */
    struct err *errs;
};

static void do_row(void *ctx, size_t i)
{
    const struct job *job = ctx;
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct batch_row row = {job->csv, i, &mem};
    double *out = &job->values[i * job->batch->n_outputs];
    for (size_t k = 0; k < job->batch->n_outputs; k++)
        out[k] = NAN;
    if (job->bad && job->bad[i]) {
        arena_free(&mem);
        return;
    }
    if (!job->batch->row(job->batch->ctx, &row, out, &job->errs[i]))
        for (size_t k = 0; k < job->batch->n_outputs; k++)
            out[k] = NAN;
    arena_free(&mem);
}

/* Which output a column of the file holds, or -1. */
static int output_of(const struct batch *b, const char *column)
{
    for (size_t k = 0; k < b->n_outputs; k++)
        if (strcmp(column, b->outputs[k]) == 0)
            return (int)k;
    return strcmp(column, "engine") == 0 ? (int)b->n_outputs : -1;
}

static const char *value_text(const struct job *job, size_t row, int k, struct arena *mem)
{
    if ((size_t)k == job->batch->n_outputs)
        return job->batch->engine;
    double v = job->values[row * job->batch->n_outputs + (size_t)k];
    return isfinite(v) ? arena_printf(mem, "%.9g", v) : "";
}

static void write_csv(const struct job *job, struct arena *mem, struct buf *out)
{
    const struct csv *csv = job->csv;
    const struct batch *b = job->batch;
    for (size_t row = 0; row <= csv->n_rows; row++) { /* 0 is the header */
        struct arena_mark mark = arena_mark(mem);
        const char *sep = "";
        for (size_t c = 0; c < csv->n_columns; c++, sep = ",") {
            int k = output_of(b, csv->columns[c]);
            buf_add(out, sep);
            csv_add_field(out, row == 0 ? csv->columns[c]
                               : k < 0  ? csv->rows[row - 1][c]
                                        : value_text(job, row - 1, k, mem));
        }
        for (size_t k = 0; k <= b->n_outputs; k++) {
            const char *name = k < b->n_outputs ? b->outputs[k] : "engine";
            if (csv_column(csv, name) >= 0)
                continue;
            buf_add(out, sep);
            csv_add_field(out, row == 0 ? name : value_text(job, row - 1, (int)k, mem));
            sep = ",";
        }
        buf_putc(out, '\n');
        arena_rewind(mem, mark);
    }
}

static json_t *json_of(const struct job *job)
{
    const struct csv *csv = job->csv;
    const struct batch *b = job->batch;
    json_t *rows = json_array();
    for (size_t row = 0; row < csv->n_rows; row++) {
        json_t *one = json_object();
        for (size_t c = 0; c < csv->n_columns; c++)
            if (output_of(b, csv->columns[c]) < 0)
                json_object_set_new(one, csv->columns[c], json_text(csv->rows[row][c]));
        for (size_t k = 0; k < b->n_outputs; k++) {
            double v = job->values[row * b->n_outputs + k];
            if (isfinite(v))
                json_object_set_new(one, b->outputs[k], json_num(v));
        }
        json_object_set_new(one, "engine", json_string(b->engine));
        json_array_append_new(rows, one);
    }
    return rows;
}

void batch_check_columns(const struct csv *csv, const char *const *inputs, struct err *err)
{
    size_t n = 0;
    while (inputs[n])
        n++;
    for (size_t c = 0; c < csv->n_columns; c++) {
        const char *near = near_best(csv->columns[c], inputs, n);
        if (near && csv_column(csv, near) < 0)
            err_warn(err, (struct where){csv->file, 1, csv->columns[c]},
                     "the column passes through; did you mean '%s'?", near);
    }
}

int batch_run(struct app *app, const struct options *o, const struct batch *batch)
{
    const char *path = option_get(o, "csv");
    struct csv csv;
    if (!path) {
        err_add(&app->err, ERR_INPUT, NOWHERE, "no input: --csv FILE is needed");
        return EXIT_INPUT;
    }
    struct job job = {.batch = batch, .csv = &csv};
    if (!csv_read_ragged(path, &app->mem, &csv, &job.bad, &app->err))
        return exit_status_of(&app->err);
    batch_check_columns(&csv, batch->inputs, &app->err);
    job.values = arena_many(&app->mem, double, csv.n_rows * batch->n_outputs);
    job.errs = arena_many(&app->mem, struct err, csv.n_rows);
    for (size_t i = 0; i < csv.n_rows; i++)
        err_init(&job.errs[i]);
    pool_run(batch->n_threads, csv.n_rows, do_row, &job, NULL);
    for (size_t i = 0; i < csv.n_rows; i++) {
        err_join(&app->err, &job.errs[i]);
        err_free(&job.errs[i]);
    }
    if (o->json) {
        out_json(json_of(&job), 9);
    } else {
        /* the text must not share an arena that is rewound between rows */
        struct arena text_mem;
        arena_init(&text_mem, NULL, NULL);
        struct buf text;
        buf_init(&text, &text_mem, BUF_NO_MAX);
        write_csv(&job, &app->mem, &text);
        fwrite(text.data, 1, text.len, stdout);
        arena_free(&text_mem);
    }
    return exit_status_of(&app->err);
}
