/* SPDX-License-Identifier: MIT */
#include "base/table.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/csv.h"
#include "base/printable.h"
#include "base/vec.h"

enum cell_kind { CELL_NONE, CELL_TEXT, CELL_NUM };

struct cell {
    enum cell_kind kind;
    const char *text;
    double num;
};

struct row {
    struct cell *cells;
    size_t n;
    bool rule;
};

struct table {
    struct arena *mem;
    const struct table_column *columns;
    size_t n_columns;
    VEC(struct row) rows;
};

struct table *table_new(struct arena *mem, const struct table_column *columns, size_t n)
{
    struct table *t = arena_new(mem, struct table);
    t->mem = mem;
    t->columns = columns;
    t->n_columns = n;
    return t;
}

void table_row(struct table *t)
{
    vec_push(t->mem, &t->rows,
             (struct row){.cells = arena_many(t->mem, struct cell, t->n_columns)});
}

void table_rule(struct table *t)
{
    vec_push(t->mem, &t->rows, (struct row){.rule = true});
}

static void put(struct table *t, struct cell cell)
{
    struct row *r = &t->rows.at[t->rows.n - 1];
    if (r->n < t->n_columns)
        r->cells[r->n++] = cell;
}

void table_text(struct table *t, const char *text)
{
    put(t, (struct cell){.kind = CELL_TEXT, .text = arena_strdup(t->mem, text)});
}

void table_num(struct table *t, double v)
{
    if (isfinite(v))
        put(t, (struct cell){.kind = CELL_NUM, .num = v});
    else
        table_none(t);
}

void table_none(struct table *t)
{
    put(t, (struct cell){.kind = CELL_NONE});
}

/* "energy_pj" says its unit, "power" does not; % is written out. */
static bool names_unit(const struct table_column *c)
{
    const char *end = strrchr(c->name, '_');
    return end && strcasecmp(end + 1, strcmp(c->unit, "%") ? c->unit : "percent") == 0;
}

static const char *cell_text(const struct table *t, const struct cell *c, int decimals)
{
    if (c->kind == CELL_TEXT)
        return printable_text(t->mem, c->text);
    if (c->kind == CELL_NONE)
        return "-";
    if (decimals >= 0 && fabs(c->num) >= 1e15)
        return arena_printf(t->mem, "%.*e", decimals, c->num);
    if (decimals >= 0)
        return arena_printf(t->mem, "%.*f", decimals, c->num);
    if (decimals == -2)
        return arena_printf(t->mem, "%.0f", c->num);
    struct buf b;
    buf_init(&b, t->mem, 64);
    buf_add_double(&b, c->num);
    return b.data;
}

/* Width in characters of a UTF-8 text. */
static size_t width(const char *s)
{
    size_t n = 0;
    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

static void add_aligned(struct buf *out, const char *text, size_t w, bool right, bool last)
{
    size_t pad = w - width(text);
    if (right)
        buf_pad(out, ' ', pad);
    buf_add(out, text);
    if (!right && !last)
        buf_pad(out, ' ', pad);
}

void table_write_text(const struct table *t, struct buf *out)
{
    size_t n = t->n_columns;
    size_t *w = arena_many(t->mem, size_t, n);
    bool *right = arena_many(t->mem, bool, n);
    bool has_units = false;

    for (size_t c = 0; c < n; c++) {
        w[c] = width(t->columns[c].name);
        if (width(t->columns[c].unit) > w[c])
            w[c] = width(t->columns[c].unit);
        has_units |= t->columns[c].unit[0] != '\0';
        for (size_t r = 0; r < t->rows.n; r++) {
            const struct row *row = &t->rows.at[r];
            if (c >= row->n)
                continue;
            size_t cw = width(cell_text(t, &row->cells[c], t->columns[c].decimals));
            w[c] = cw > w[c] ? cw : w[c];
            right[c] |= row->cells[c].kind == CELL_NUM;
        }
    }
    for (size_t c = 0; c < n; c++) {
        add_aligned(out, t->columns[c].name, w[c], right[c], c + 1 == n);
        buf_add(out, c + 1 == n ? "\n" : "  ");
    }
    for (size_t c = 0; has_units && c < n; c++) {
        add_aligned(out, t->columns[c].unit, w[c], right[c], c + 1 == n);
        buf_add(out, c + 1 == n ? "\n" : "  ");
    }
    for (size_t r = 0; r < t->rows.n; r++) {
        const struct row *row = &t->rows.at[r];
        for (size_t c = 0; c < n; c++) {
            if (row->rule)
                buf_pad(out, '-', w[c]);
            else
                add_aligned(out,
                            c < row->n ? cell_text(t, &row->cells[c], t->columns[c].decimals) : "",
                            w[c], right[c], c + 1 == n);
            buf_add(out, c + 1 == n ? "\n" : "  ");
        }
    }
}

void table_write_csv(const struct table *t, struct buf *out)
{
    for (size_t c = 0; c < t->n_columns; c++) {
        const struct table_column *col = &t->columns[c];
        const char *head = col->unit[0] && !names_unit(col)
                               ? arena_printf(t->mem, "%s (%s)", col->name, col->unit)
                               : col->name;
        csv_add_field(out, head);
        buf_add(out, c + 1 == t->n_columns ? "\n" : ",");
    }
    for (size_t r = 0; r < t->rows.n; r++) {
        const struct row *row = &t->rows.at[r];
        if (row->rule)
            continue;
        for (size_t c = 0; c < t->n_columns; c++) {
            if (c < row->n && row->cells[c].kind != CELL_NONE)
                csv_add_field(out, cell_text(t, &row->cells[c], -1));
            buf_add(out, c + 1 == t->n_columns ? "\n" : ",");
        }
    }
}

json_t *json_num(double v)
{
    if (!isfinite(v))
        return json_null();
    if (v == floor(v) && fabs(v) < 9007199254740992.0)
        return json_integer((json_int_t)v);
    return json_real(v);
}

json_t *json_text(const char *text)
{
    json_t *j = json_string(text);
    if (j)
        return j;
    struct arena mem;
    struct buf b;
    arena_init(&mem, NULL, NULL);
    buf_init(&b, &mem, BUF_NO_MAX);
    for (; *text; text++) {
        if ((unsigned char)*text < 0x80)
            buf_putc(&b, *text);
        else
            buf_add(&b, "\xef\xbf\xbd"); /* U+FFFD */
    }
    j = json_string(b.data ? b.data : "");
    arena_free(&mem);
    return j;
}

/* "power" in "W": power_w. */
static const char *key_with_unit(const struct table *t, const struct table_column *c)
{
    if (!c->unit[0] || names_unit(c))
        return c->name;
    char *key = arena_printf(t->mem, "%s_%s", c->name, c->unit);
    for (char *p = key + strlen(c->name); *p; p++)
        *p = (char)tolower((unsigned char)*p);
    return key;
}

json_t *table_json_units(const struct table *t)
{
    struct table named = *t;
    struct table_column *columns = arena_many(t->mem, struct table_column, t->n_columns);
    for (size_t c = 0; c < t->n_columns; c++) {
        columns[c] = t->columns[c];
        columns[c].name = key_with_unit(t, &t->columns[c]);
    }
    named.columns = columns;
    return table_json(&named);
}

json_t *table_json(const struct table *t)
{
    json_t *list = json_array();
    for (size_t r = 0; r < t->rows.n; r++) {
        const struct row *row = &t->rows.at[r];
        if (row->rule)
            continue;
        json_t *object = json_object();
        for (size_t c = 0; c < row->n; c++) {
            const struct cell *cell = &row->cells[c];
            if (cell->kind == CELL_TEXT)
                json_object_set_new(object, t->columns[c].name, json_text(cell->text));
            else if (cell->kind == CELL_NUM)
                json_object_set_new(object, t->columns[c].name, json_num(cell->num));
        }
        json_array_append_new(list, object);
    }
    return list;
}
