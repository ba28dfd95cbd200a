/* SPDX-License-Identifier: MIT
 *
 * gen/price/batch.h: a cost model over a CSV file: the same rows with the output columns filled.
 * Columns that the model does not know pass through; a missing or empty input takes its default;
 * output columns that the file already has are overwritten, the others follow at the right. A bad
 * row is reported with line and column and keeps empty outputs; the rest is done all the same. */
#ifndef CW_GEN_PRICE_BATCH_H
#define CW_GEN_PRICE_BATCH_H

#include "base/csv.h"
#include "gen/command.h"

struct batch_row {
    const struct csv *csv;
    size_t row;
    struct arena *mem; /* of this row alone */
};

/* The field as text, or NULL where it is missing or empty. */
const char *batch_text(const struct batch_row *r, const char *column);
/* `*value` stays as it is where the field is missing or empty. */
bool batch_real(const struct batch_row *r, const char *column, double *value, struct err *err);
bool batch_bool(const struct batch_row *r, const char *column, bool *value, struct err *err);
/* One of `names`; an error proposes the nearest. */
bool batch_name(const struct batch_row *r, const char *column, const char *const *names, size_t n,
                int *value, struct err *err);
struct where batch_at(const struct batch_row *r);

/* A column that no model reads but is nearly one that the file lacks: a warning. */
void batch_check_columns(const struct csv *csv, const char *const *inputs, struct err *err);

struct batch {
    const char *const *inputs;  /* column names that are read, NULL-terminated */
    const char *const *outputs; /* column names */
    size_t n_outputs;
    const char *engine; /* fills a last column "engine" */
    unsigned n_threads; /* 0: all cores */
    /* Called from several threads. Fills out[n_outputs]; NAN leaves a field empty. */
    bool (*row)(void *ctx, const struct batch_row *row, double *out, struct err *err);
    void *ctx;
};

/* Reads the file named by --csv and prints the result on standard output. */
int batch_run(struct app *app, const struct options *o, const struct batch *batch);

#endif
