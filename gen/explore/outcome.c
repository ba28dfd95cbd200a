/* SPDX-License-Identifier: MIT */
#include "gen/explore/outcome.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/table.h"
#include "gen/explore/evaluate.h"
#include "gen/explore/front_band.h"
#include "gen/explore/pareto.h"
#include "gen/price/assumptions.h"

static double shown_value(const struct space *s, const struct explored *p, size_t objective)
{
    const double *values = p->has[FIDELITY_FULL] ? p->values[FIDELITY_FULL] : NULL;
    if (!values)
        return NAN;
    return s->objectives[objective].is_max ? -values[objective] : values[objective];
}

/* Digits behind the point: three, or as many as show three digits of the largest. */
static int decimals_of(const struct space *s, struct explored *const *points, size_t n,
                       size_t objective)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(shown_value(s, points[i], objective))); /* of a NaN: the other */
    if (!(most > 0) || most >= 1)
        return 3;
    double digits = 2 - floor(log10(most));
    return digits > 12 ? -1 : (int)digits;
}

struct table *outcome_table(const struct search *s, struct explored *const *points, size_t n,
                            struct arena *mem)
{
    const struct space *space = s->space;
    size_t n_columns = 0;
    struct table_column *c =
        arena_many(mem, struct table_column, space->n_keys + space->n_objectives + 1);
    for (size_t k = 0; k < space->n_keys; k++)
        c[n_columns++] = (struct table_column){space->keys[k].path, "", -1};
    for (size_t k = 0; k < space->n_objectives; k++)
        c[n_columns++] =
            (struct table_column){space->objectives[k].what, "", decimals_of(space, points, n, k)};
    c[n_columns++] = (struct table_column){"hash", "", -1};
    struct table *t = table_new(mem, c, n_columns);
    for (size_t i = 0; i < n; i++) {
        const struct explored *p = points[i];
        table_row(t);
        for (size_t k = 0; k < space->n_keys; k++) {
            if (p->choice[k] == POINT_NONE)
                table_none(t);
            else
                table_text(t, space->keys[k].values[p->choice[k]]);
        }
        for (size_t k = 0; k < space->n_objectives; k++)
            table_num(t, shown_value(space, p, k));
        table_text(t, arena_printf(mem, "%016llx", (unsigned long long)p->hash));
    }
    return t;
}

bool outcome_write_front(const struct search *s, const char *dir, struct arena *mem,
                         struct err *err)
{
    struct buf csv;
    size_t n;
    struct explored **front = search_front(s, mem, &n);
    buf_init(&csv, mem, BUF_NO_MAX);
    table_write_csv(outcome_table(s, front, n, mem), &csv);
    return file_write(path_join(mem, dir, "front.csv"), csv.data, csv.len, err);
}

/* ---- what is told ---------------------------------------------------------------------------- */

static bool read_choice(const struct space *s, const struct csv *csv, size_t row, size_t key,
                        int column, point_choice *out, struct err *err)
{
    const struct space_key *k = &s->keys[key];
    const char *text = csv->rows[row][column];
    *out = POINT_NONE;
    if (!*text || strcmp(text, "-") == 0)
        return true;
    for (size_t v = 0; v < k->n; v++) {
        if (strcmp(k->values[v], text) == 0) {
            *out = (point_choice)v;
            return true;
        }
    }
    return err_add(err, ERR_INPUT, csv_at(csv, row, k->path), "'%s' is not one of its values",
                   text);
}

static int objective_column(const struct space *s, const struct csv *csv, size_t objective)
{
    int column = csv_column(csv, s->objectives[objective].text);
    return column >= 0 ? column : csv_column(csv, s->objectives[objective].what);
}

bool outcome_read_told(const struct space *s, const char *file, struct arena *mem,
                       struct outcome_told *out, struct err *err)
{
    struct csv csv;
    struct points_walker *w = points_walker(s, mem);
    bool ok = csv_read(file, mem, &csv, err);
    if (!ok)
        return false;
    int columns[SPACE_MOST_KEYS];
    for (size_t k = 0; k < s->n_keys; k++) {
        columns[k] = csv_column(&csv, s->keys[k].path);
        if (columns[k] < 0)
            ok = err_add(err, ERR_INPUT, AT_LINE(file, 1), "has no column '%s'", s->keys[k].path);
    }
    out->points = arena_many(mem, struct explored, csv.n_rows);
    out->values = arena_array(mem, csv.n_rows, sizeof *out->values);
    out->n = csv.n_rows;
    for (size_t r = 0; ok && r < csv.n_rows; r++) {
        struct explored *p = &out->points[r];
        p->choice = arena_many(mem, point_choice, s->n_keys);
        for (size_t k = 0; k < s->n_keys; k++)
            ok &= read_choice(s, &csv, r, k, columns[k], &p->choice[k], err);
        points_settle(w, p->choice);
        for (size_t k = 0; k < s->n_objectives; k++) {
            int column = objective_column(s, &csv, k);
            out->values[r][k] = NAN;
            if (column >= 0 && csv.rows[r][column][0] && strcmp(csv.rows[r][column], "-") != 0)
                ok &= csv_real(&csv, r, column, &out->values[r][k], err);
        }
    }
    return ok;
}

enum { MOST_ASSUMING = 8 }; /* points of a front that are asked what they assume */

const char *outcome_assumptions(const struct search *s, struct arena *mem)
{
    const struct priced *priced[MOST_ASSUMING];
    const char *names[MOST_ASSUMING];
    struct explored *asked[MOST_ASSUMING];
    size_t n, n_asked = 0, n_priced = 0;
    struct explored **front = search_front(s, mem, &n);
    size_t most = n < MOST_ASSUMING ? n : MOST_ASSUMING;
    for (size_t i = 0; i < most; i++) /* its ends, and equal steps between */
        asked[n_asked++] = front[most > 1 ? i * (n - 1) / (most - 1) : 0];
    for (size_t i = 0; i < n_asked; i++) {
        struct err ignored;
        err_init(&ignored);
        priced[n_priced] = evaluation_priced(s->evaluation, asked[i], mem, &ignored);
        names[n_priced] = front_band_name(s->space, asked, n_asked, i, mem);
        n_priced += priced[n_priced] != NULL;
        err_free(&ignored);
    }
    return n_priced ? assumptions_line(priced, names, n_priced, mem) : "";
}
