/* SPDX-License-Identifier: MIT
 *
 * base/csv.h: CSV tables in (through libcsv, strict RFC 4180) with the line of every row, and the
 * quoting of one field out. A row with too few or too many fields is an error with its line, and so
 * are two columns of one name; a byte order mark is skipped. */
#ifndef CW_BASE_CSV_H
#define CW_BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct arena;
struct buf;

struct csv {
    const char *file; /* as given, for messages */
    size_t n_columns;
    const char **columns; /* header names */
    size_t n_rows;
    const char ***rows; /* rows[row][column] */
    int *lines;         /* lines[row]: the file's line on which the row ends */
};

bool csv_read(const char *path, struct arena *mem, struct csv *out, struct err *err);
bool csv_parse_text(const char *file, const char *text, size_t n, struct arena *mem,
                    struct csv *out, struct err *err);

/* As csv_read, but a row with too few or too many fields is reported, padded or cut, marked in
 * `*is_bad` ([row]), and the table is read to its end. */
bool csv_read_ragged(const char *path, struct arena *mem, struct csv *out, bool **is_bad,
                     struct err *err);

/* Column index by header name, or -1. */
int csv_column(const struct csv *csv, const char *name);
/* The places of n columns that a table must have; an error on its first line for each that it has
 * not. */
bool csv_columns(const struct csv *csv, const char *const names[], size_t n, int places[],
                 struct err *err);
struct where csv_at(const struct csv *csv, size_t row, const char *column);

/* The whole field as a number: false and an error with file, line and column otherwise.
 * csv_real refuses NaN and infinities. */
bool csv_real(const struct csv *csv, size_t row, int column, double *out, struct err *err);
bool csv_int(const struct csv *csv, size_t row, int column, long long *out, struct err *err);

/* Appends one field, quoted where it must be. */
void csv_add_field(struct buf *out, const char *field);

#endif
