/* SPDX-License-Identifier: MIT
 *
 * energy/array/columns.h: requests to the array models as rows of a table, and their answers as
 * columns. Names and units are those of the columns of CACTI reference tables. */
#ifndef CW_ENERGY_ARRAY_COLUMNS_H
#define CW_ENERGY_ARRAY_COLUMNS_H

#include "base/csv.h"
#include "energy/array/model.h"

/* Fills `out` from a row; columns that are missing or empty keep the value that is in `out`.
 * Every wrong field is an error with line and column. */
bool array_csv_request(const struct csv *csv, size_t row, struct amodel_in *out, struct err *err);

extern const char *const array_csv_inputs[]; /* names of request columns, NULL-terminated */

/* The whole request as text, equal for equal requests. */
const char *array_request_text(const struct amodel_in *in, struct arena *mem);

/* Columns of an answer. Those that are part of every answer come first; the others (delay and
 * energy by part) are given where the table has such a column. */
size_t array_csv_n_answers(void);
const char *array_csv_answer_name(size_t i);
bool array_csv_answer_always(size_t i);
double array_csv_value(const struct amodel_out *o, size_t i); /* NAN: does not apply */

/* "1:2:4:8:1:1", "0:0:0:0:100": n numbers; false if the text is something else. */
bool array_csv_numbers(const char *text, double *out, int n);

#endif
