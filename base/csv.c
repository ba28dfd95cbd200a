/* SPDX-License-Identifier: MIT */
#include "base/csv.h"

#include <csv.h> /* libcsv */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/vec.h"

#define MOST_BYTES ((size_t)1 << 30)

struct reader {
    struct arena *mem;
    struct err *err;
    struct csv *out;
    VEC(const char *) fields; /* of the row being read */
    VEC(const char **) rows;
    VEC(int) lines;
    VEC(bool) is_bad; /* [row] too few or too many fields */
    int line;
    bool has_header, ok, takes_ragged;
};

static void take_field(void *text, size_t n, void *ctx)
{
    struct reader *r = ctx;
    vec_push(r->mem, &r->fields, arena_strndup(r->mem, text ? text : "", n));
}

static const char **padded(struct reader *r, const char *const *fields, size_t n)
{
    const char **all = arena_many(r->mem, const char *, r->out->n_columns);
    for (size_t c = 0; c < r->out->n_columns; c++)
        all[c] = c < n ? fields[c] : "";
    return all;
}

static void take_row(int terminator, void *ctx)
{
    struct reader *r = ctx;
    (void)terminator;
    const char **fields = r->fields.at;
    size_t n = r->fields.n;
    memset(&r->fields, 0, sizeof r->fields);

    if (!r->has_header) {
        r->out->columns = fields;
        r->out->n_columns = n;
        r->has_header = true;
        for (size_t c = 0; c < n; c++) {
            if (fields[c][0] && csv_column(r->out, fields[c]) != (int)c)
                r->ok = err_add(r->err, ERR_INPUT, AT_LINE(r->out->file, r->line),
                                "there are two columns '%s'", fields[c]);
        }
        return;
    }
    bool is_bad = n != r->out->n_columns;
    if (is_bad) {
        err_add(r->err, ERR_INPUT, AT_LINE(r->out->file, r->line),
                "%zu fields, but the header has %zu", n, r->out->n_columns);
        r->ok = r->takes_ragged;
        fields = padded(r, fields, n);
    }
    vec_push(r->mem, &r->rows, fields);
    vec_push(r->mem, &r->lines, r->line);
    vec_push(r->mem, &r->is_bad, is_bad);
}

static size_t feed(struct csv_parser *parser, const char *text, size_t n, struct reader *r)
{
    return csv_parse(parser, text, n, take_field, take_row, r);
}

/* `is_bad` NULL: no row may have another number of fields than the header. */
static bool parse_text(const char *file, const char *text, size_t n, struct arena *mem,
                       struct csv *out, bool **is_bad, struct err *err)
{
    struct csv table = {.file = arena_strdup(mem, file)};
    struct reader r = {.mem = mem,
                       .err = err,
                       .out = &table,
                       .line = 1,
                       .ok = true,
                       .takes_ragged = is_bad != NULL};
    struct csv_parser parser;

    if (memchr(text, '\0', n))
        return err_add(err, ERR_INPUT, AT_FILE(file), "contains a zero byte: not a text file");
    if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* a byte order mark */
        text += 3;
        n -= 3;
    }
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
        return err_add(err, ERR_MACHINE, AT_FILE(file), "no CSV reader");
    /* libcsv counts no lines, so it is fed line by line */
    for (size_t at = 0; at < n && r.ok;) {
        const char *end = memchr(text + at, '\n', n - at);
        size_t len = end ? (size_t)(end - (text + at)) + 1 : n - at;
        if (feed(&parser, text + at, len, &r) != len)
            r.ok = err_add(err, csv_error(&parser) == CSV_ENOMEM ? ERR_MACHINE : ERR_INPUT,
                           AT_LINE(file, r.line), "%s",
                           csv_error(&parser) == CSV_EPARSE
                               ? "a quotation mark inside a field that does not begin with one"
                               : csv_strerror(csv_error(&parser)));
        at += len;
        r.line++;
    }
    if (r.ok) {
        r.line -= n > 0 && text[n - 1] == '\n';
        if (csv_fini(&parser, take_field, take_row, &r) != 0)
            r.ok = err_add(err, ERR_INPUT, AT_LINE(file, r.line), "unterminated quote");
    }
    csv_free(&parser);
    if (r.ok && !r.has_header)
        r.ok = err_add(err, ERR_INPUT, AT_FILE(file), "is empty: a header line is needed");
    if (!r.ok)
        return false;
    table.n_rows = r.rows.n;
    table.rows = r.rows.at;
    table.lines = r.lines.at;
    *out = table;
    if (is_bad)
        *is_bad = r.is_bad.at;
    return true;
}

static bool parse(const char *file, const char *text, size_t n, struct arena *mem, struct csv *out,
                  bool **is_bad, struct err *err)
{
    struct err_entry *before = err->last;
    return parse_text(file, text, n, mem, out, is_bad, err) || err_is_foreign(err, before);
}

bool csv_parse_text(const char *file, const char *text, size_t n, struct arena *mem,
                    struct csv *out, struct err *err)
{
    return parse(file, text, n, mem, out, NULL, err);
}

bool csv_read_ragged(const char *path, struct arena *mem, struct csv *out, bool **is_bad,
                     struct err *err)
{
    char *text;
    size_t n;
    return file_read(path, MOST_BYTES, mem, &text, &n, err) &&
           parse(path, text, n, mem, out, is_bad, err);
}

bool csv_read(const char *path, struct arena *mem, struct csv *out, struct err *err)
{
    char *text;
    size_t n;
    return file_read(path, MOST_BYTES, mem, &text, &n, err) &&
           csv_parse_text(path, text, n, mem, out, err);
}

int csv_column(const struct csv *csv, const char *name)
{
    for (size_t i = 0; i < csv->n_columns; i++) {
        if (strcmp(csv->columns[i], name) == 0)
            return (int)i;
    }
    return -1;
}

bool csv_columns(const struct csv *csv, const char *const names[], size_t n, int places[],
                 struct err *err)
{
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        places[i] = csv_column(csv, names[i]);
        if (places[i] < 0)
            ok = err_add(err, ERR_INPUT, AT_LINE(csv->file, 1), "has no column '%s'", names[i]);
    }
    return ok;
}

struct where csv_at(const struct csv *csv, size_t row, const char *column)
{
    return (struct where){csv->file, csv->lines[row], column};
}

bool csv_real(const struct csv *csv, size_t row, int column, double *out, struct err *err)
{
    const char *text = csv->rows[row][column];
    char *end;
    double v = strtod(text, &end);
    if (end == text || *end || !isfinite(v))
        return err_add(err, ERR_INPUT, csv_at(csv, row, csv->columns[column]),
                       "expected a number, found '%s'", text);
    *out = v;
    return true;
}

bool csv_int(const struct csv *csv, size_t row, int column, long long *out, struct err *err)
{
    const char *text = csv->rows[row][column];
    char *end;
    errno = 0;
    long long v = strtoll(text, &end, 10);
    if (end == text || *end || errno == ERANGE)
        return err_add(err, ERR_INPUT, csv_at(csv, row, csv->columns[column]),
                       "expected a whole number, found '%s'", text);
    *out = v;
    return true;
}

void csv_add_field(struct buf *out, const char *field)
{
    if (!field[strcspn(field, ",\"\r\n")]) {
        buf_add(out, field);
        return;
    }
    buf_putc(out, '"');
    for (; *field; field++) {
        if (*field == '"')
            buf_putc(out, '"');
        buf_putc(out, *field);
    }
    buf_putc(out, '"');
}
