/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/map.h"
#include "base/near.h"
#include "base/pool.h"
#include "energy/array/choice.h"
#include "energy/array/columns.h"
#include "energy/tool/cacti.h"
#include "gen/command.h"
#include "gen/config/read_tech.h"
#include "gen/out.h"
#include "gen/price/batch.h"

struct job {    /* one distinct array; rows that ask for the same share it */
    size_t row; /* the first that asks */
    struct amodel_in in;
    struct array_answer answer;
    struct err err;
    struct arena mem;
    double time_s; /* CPU, best of the repetitions */
    bool done;
};

struct array_batch {
    const struct csv *csv;
    const struct array_tables *tables;
    enum array_model model;
    struct cacti_tool tool; /* data_dir NULL: our own models */
    long long repeat;
    struct job *jobs;
    size_t n_jobs;
    bool *is_ragged;      /* [row] already reported; NULL: none is */
    int *job_of;          /* [row]; -1: the row could not be read, see bad_row */
    struct err **bad_row; /* [row] */
};

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void cost_job(void *ctx, size_t i)
{
    struct array_batch *b = ctx;
    struct job *j = &b->jobs[i];
    struct where at = csv_at(b->csv, j->row, NULL);

    j->time_s = INFINITY;
    for (long long k = 0; k < b->repeat; k++) {
        double start = cpu_s();
        j->done = b->tool.data_dir ? cacti_cost(&b->tool, &j->in, at, &j->mem, &j->answer, &j->err)
                                   : array_cost_native(&j->in, b->model, b->tables, at, &j->mem,
                                                       &j->answer, &j->err);
        j->time_s = fmin(j->time_s, cpu_s() - start);
        if (!j->done)
            break;
    }
}

/* Reads all rows; equal requests become one job. */
static void list_jobs(struct array_batch *b, struct arena *mem)
{
    struct map seen;
    map_init(&seen, mem);
    b->jobs = arena_many(mem, struct job, b->csv->n_rows);
    b->job_of = arena_many(mem, int, b->csv->n_rows);
    b->bad_row = arena_many(mem, struct err *, b->csv->n_rows);
    for (size_t r = 0; r < b->csv->n_rows; r++) {
        struct amodel_in in = amodel_defaults();
        struct err bad;
        err_init(&bad);
        b->job_of[r] = -1;
        if (b->is_ragged && b->is_ragged[r])
            continue;
        if (!array_csv_request(b->csv, r, &in, &bad)) {
            b->bad_row[r] = arena_new(mem, struct err);
            *b->bad_row[r] = bad;
            continue;
        }
        err_free(&bad);
        size_t j;
        const char *key = array_request_text(&in, mem);
        if (!map_get(&seen, key, &j)) {
            j = b->n_jobs++;
            map_add(&seen, key, j);
            b->jobs[j].row = r;
            b->jobs[j].in = in;
            err_init(&b->jobs[j].err);
            arena_init(&b->jobs[j].mem, mem->out_of_memory, mem->ctx);
        }
        b->job_of[r] = (int)j;
    }
}

/* Errors of a job belong to every row that asked for it. */
static void report(const struct array_batch *b, struct err *err)
{
    for (size_t r = 0; r < b->csv->n_rows; r++) {
        if (b->job_of[r] < 0) {
            if (b->bad_row[r]) {
                err_join(err, b->bad_row[r]);
                err_free(b->bad_row[r]);
            }
            continue;
        }
        for (const struct err_entry *e = b->jobs[b->job_of[r]].err.first; e; e = e->next) {
            struct where at = e->at;
            at.line = b->csv->lines[r];
            if (e->kind == ERR_WARNING)
                err_warn(err, at, "%s", e->text);
            else
                err_add(err, e->kind, at, "%s", e->text);
        }
    }
}

static const char *const text_columns[] = {"engine", "model", "why"};
enum { N_TEXTS = 3 };

static const char *text_of(const struct array_answer *a, int i)
{
    return i == 0 ? a->engine : i == 1 ? a->model : a->why;
}

static void write_rows(const struct array_batch *b, struct arena *mem, struct buf *text)
{
    const struct csv *csv = b->csv;
    size_t n = array_csv_n_answers();
    int *answer_of =
        arena_many(mem, int, csv->n_columns); /* [column]: answer + 1, text - N_TEXTS */
    bool *missing = arena_many(mem, bool, n), missing_text[N_TEXTS];

    for (size_t a = 0; a < n; a++) {
        int column = csv_column(csv, array_csv_answer_name(a));
        if (column >= 0)
            answer_of[column] = (int)a + 1;
        else
            missing[a] = array_csv_answer_always(a);
    }
    for (int i = 0; i < N_TEXTS; i++) {
        int column = csv_column(csv, text_columns[i]);
        missing_text[i] = column < 0;
        if (column >= 0)
            answer_of[column] = i - N_TEXTS;
    }
    for (size_t c = 0; c < csv->n_columns; c++) {
        if (c)
            buf_putc(text, ',');
        csv_add_field(text, csv->columns[c]);
    }
    for (size_t a = 0; a < n; a++)
        if (missing[a])
            buf_printf(text, ",%s", array_csv_answer_name(a));
    for (int i = 0; i < N_TEXTS; i++)
        if (missing_text[i])
            buf_printf(text, ",%s", text_columns[i]);
    buf_add(text, b->repeat > 1 ? ",time_ms\n" : "\n");

    for (size_t r = 0; r < csv->n_rows; r++) {
        const struct job *j = b->job_of[r] < 0 ? NULL : &b->jobs[b->job_of[r]];
        const struct array_answer *done = j && j->done ? &j->answer : NULL;
        for (size_t c = 0; c < csv->n_columns; c++) {
            if (c)
                buf_putc(text, ',');
            if (answer_of[c] == 0)
                csv_add_field(text, csv->rows[r][c]);
            else if (done && answer_of[c] < 0)
                csv_add_field(text, text_of(done, answer_of[c] + N_TEXTS));
            else if (done) {
                double v = array_csv_value(&done->cost, (size_t)answer_of[c] - 1);
                if (!isnan(v))
                    buf_printf(text, "%.9g", v);
            }
        }
        for (size_t a = 0; a < n; a++) {
            if (!missing[a])
                continue;
            double v = done ? array_csv_value(&done->cost, a) : NAN;
            buf_putc(text, ',');
            if (!isnan(v))
                buf_printf(text, "%.9g", v);
        }
        for (int i = 0; i < N_TEXTS; i++) {
            if (!missing_text[i])
                continue;
            buf_putc(text, ',');
            if (done)
                csv_add_field(text, text_of(done, i));
        }
        if (b->repeat > 1 && done)
            buf_printf(text, ",%.6f", 1e3 * j->time_s);
        buf_putc(text, '\n');
    }
}

/* The same rows as JSON: what the file says as text, what was computed as numbers. */
static json_t *rows_json(const struct array_batch *b)
{
    const struct csv *csv = b->csv;
    json_t *rows = json_array();
    for (size_t r = 0; r < csv->n_rows; r++) {
        const struct job *j = b->job_of[r] < 0 ? NULL : &b->jobs[b->job_of[r]];
        json_t *one = json_object();
        for (size_t c = 0; c < csv->n_columns; c++)
            json_object_set_new(one, csv->columns[c], json_text(csv->rows[r][c]));
        for (size_t a = 0; a < array_csv_n_answers(); a++) {
            double v = j && j->done ? array_csv_value(&j->answer.cost, a) : NAN;
            bool is_asked = csv_column(csv, array_csv_answer_name(a)) >= 0;
            if (is_asked)
                json_object_del(one, array_csv_answer_name(a));
            if (!isnan(v) && (is_asked || array_csv_answer_always(a)))
                json_object_set_new(one, array_csv_answer_name(a), json_num(v));
        }
        for (int i = 0; j && j->done && i < N_TEXTS; i++)
            json_object_set_new(one, text_columns[i], json_text(text_of(&j->answer, i)));
        if (b->repeat > 1 && j && j->done)
            json_object_set_new(one, "time_ms", json_num(1e3 * j->time_s));
        json_array_append_new(rows, one);
    }
    return rows;
}

static bool choice(const struct options *options, const char *name, const char *const *words, int n,
                   int *out, struct err *err)
{
    const char *text = option_get(options, name);
    if (!text)
        return true;
    for (int i = 0; i < n; i++) {
        if (strcmp(text, words[i]) == 0) {
            *out = i;
            return true;
        }
    }
    return err_add(err, ERR_INPUT, NOWHERE, "--%s: '%s' is not known%s", name, text,
                   near_hint(text, words, (size_t)n, &err->mem));
}

static int run(struct app *app, const struct options *options)
{
    struct err *err = &app->err;
    const char *file = option_get(options, "csv");
    struct csv csv;
    struct array_tables tables;
    static const char *const engine_names[] = {"native", "cacti"};
    int model = ARRAY_MODEL_CACTI65, engine = 0;
    struct array_batch b = {.csv = &csv, .tables = &tables, .repeat = 1};

    if (!file)
        err_add(err, ERR_INPUT, NOWHERE, "no input: --csv FILE is needed");
    choice(options, "model", array_model_names, ARRAY_MODELS, &model, err);
    choice(options, "engine", engine_names, 2, &engine, err);
    option_int(options, "repeat", 1, 1000000, &b.repeat, err);
    option_real(options, "timeout", 0.01, 1e6, &b.tool.timeout_s, err);
    if (engine == 1) {
        b.tool.program = option_get(options, "cacti");
        b.tool.cache_dir = option_get(options, "cache");
        b.tool.data_dir = app->data_dir;
        if (option_has(options, "model"))
            err_add(err, ERR_INPUT, NOWHERE, "--model is a choice of engine native");
    }
    b.model = (enum array_model)model;
    if (err_any(err) ||
        !array_tables_read(path_join(&app->mem, app->data_dir, "cfg/tech/cacti-itrs.cfg"),
                           &app->mem, &tables, err) ||
        !csv_read_ragged(file, &app->mem, &csv, &b.is_ragged, err))
        return exit_status_of(err);
    batch_check_columns(&csv, array_csv_inputs, err);

    list_jobs(&b, &app->mem);
    pool_run(b.repeat > 1 ? 1 : 0, b.n_jobs, cost_job, &b, NULL);
    report(&b, err);
    if (options->json) {
        out_json(rows_json(&b), 9);
    } else {
        struct buf text;
        buf_init(&text, &app->mem, BUF_NO_MAX);
        write_rows(&b, &app->mem, &text);
        fwrite(text.data, 1, text.len, stdout);
    }
    for (size_t j = 0; j < b.n_jobs; j++) {
        err_free(&b.jobs[j].err);
        arena_free(&b.jobs[j].mem);
    }
    return exit_status_of(err);
}

static const struct option_def own_options[] = {
    {"csv", 0, "FILE", "arrays to cost, one a row"},
    {"engine", 0, "NAME", "native (default) or cacti, the real program"},
    {"cacti", 0, "PROGRAM", "the real program; default: cacti in PATH"},
    {"cache", 0, "DIR", "keep results of the real program there"},
    {"timeout", 0, "SECONDS", "for one run of the real program; default 120"},
    {"model", 0, "NAME", "cacti65 (default), small, or auto: the one that suits each array"},
    {"repeat", 0, "N", "cost each array N times and say how long the fastest took"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_cost_array = {
    .name = "cost-array",
    .args = "--csv FILE",
    .meaning = "area, delay, energy and leakage of arrays, from a table of shapes",
    .text =
        "Columns of FILE: type (ram, cache, fa, cam), size_B, block_B, assoc, out_bits, rw, rd, "
        "wr,\n"
        "se, search (ports), banks, tech_nm, temp_K, tag_bits, access_mode, data_cell, data_peri,\n"
        "tag_cell, tag_peri, optimize, weights, deviate, wire_signal, wire_in_mat, wire_out_mat,\n"
        "projection, ecc, forced_org; or entries and word_bits instead of size_B and block_B.\n"
        "Missing ones take defaults; unknown ones are passed through. The rows come out with "
        "cost,\n"
        "organisation, engine, model and why that model was used. Bad rows are reported, the "
        "others\n"
        "done. See docs/cost-arrays.md.\n",
    .options = own_options,
    .least_words = 0,
    .most_words = 0,
    .reads_no_config = true,
    .run = run,
};
