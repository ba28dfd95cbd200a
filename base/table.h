/* SPDX-License-Identifier: MIT
 *
 * base/table.h: one table, three writers: aligned text for people, CSV with units in the header,
 * JSON for programs. Zero is printed as zero; an absent cell is '-' in text, empty in CSV and
 * missing in JSON; NaN and infinity are absent. */
#ifndef CW_BASE_TABLE_H
#define CW_BASE_TABLE_H

#include <jansson.h>
#include <stddef.h>

struct arena;
struct buf;

struct table_column {
    const char *name; /* also the JSON key */
    const char *unit; /* "" for none; CSV header is "name (unit)" unless the name says it */
    int decimals;     /* in text; -1: as many as needed; -2: whole number */
};

struct table;

struct table *table_new(struct arena *mem, const struct table_column *columns, size_t n);
void table_row(struct table *t); /* begins a row; the cells that follow fill it from the left */
void table_text(struct table *t, const char *text);
void table_num(struct table *t, double v);
void table_none(struct table *t);
void table_rule(struct table *t); /* a line across, in text only */

void table_write_text(const struct table *t, struct buf *out);
void table_write_csv(const struct table *t, struct buf *out);
json_t *table_json(const struct table *t);       /* array of objects; the caller owns it */
json_t *table_json_units(const struct table *t); /* the same, keys with their units: power_w */

/* A number for JSON; jansson has none for NaN and infinity, so those are json_null(). */
json_t *json_num(double v);

/* A text for JSON, which is UTF-8: bytes that are not are replaced. The caller owns it. */
json_t *json_text(const char *text);

#endif
