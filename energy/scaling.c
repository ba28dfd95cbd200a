/* SPDX-License-Identifier: MIT */
#include "energy/scaling.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/csv.h"

static const char *const names[SCALING_QUANTITY_COUNT] = {
#define X(name) #name,
    SCALING_QUANTITIES(X)
#undef X
};

const char *scaling_name(enum scaling_quantity q)
{
    return names[q];
}

/* ---- the table ---- */

#define MOST_VOLT 3.0 /* more is another unit */

enum column { NODE, QUANTITY, VALUE, LOW, HIGH, GRADE, SOURCE, COLUMNS };

static bool read_row(const struct csv *csv, const int c[COLUMNS], size_t row, struct arena *mem,
                     struct tech_scaling *s, struct err *err)
{
    const char *const *f = csv->rows[row];
    int q = 0;
    while (q < SCALING_QUANTITY_COUNT && strcmp(names[q], f[c[QUANTITY]]) != 0)
        q++;
    if (q == SCALING_QUANTITY_COUNT)
        return err_add(err, ERR_INPUT, csv_at(csv, row, "quantity"), "unknown quantity '%s'",
                       f[c[QUANTITY]]);
    struct scaling_value v = {.grade = f[c[GRADE]], .source = f[c[SOURCE]]};
    if (!csv_real(csv, row, c[NODE], &v.node_nm, err) ||
        !csv_real(csv, row, c[VALUE], &v.value, err) || !csv_real(csv, row, c[LOW], &v.low, err) ||
        !csv_real(csv, row, c[HIGH], &v.high, err))
        return false;
    if (!(v.node_nm > 0 && v.low > 0 && v.low <= v.value && v.value <= v.high && v.high < 1e9))
        return err_add(err, ERR_INPUT, csv_at(csv, row, "value"),
                       "%g is not positive, or not in its range %g..%g", v.value, v.low, v.high);
    if ((q == SCALE_vdd_v || q == SCALE_vth_v) && !(v.value <= MOST_VOLT))
        return err_add(err, ERR_INPUT, csv_at(csv, row, "value"), "%g V is no supply of logic",
                       v.value);
    if (strlen(v.grade) != 1 || !strchr("ABCD", v.grade[0]))
        return err_add(err, ERR_INPUT, csv_at(csv, row, "grade"), "'%s' is not A, B, C or D",
                       v.grade);
    if (v.source[0] == '\0')
        return err_add(err, ERR_INPUT, csv_at(csv, row, "source"), "'%s' at %g nm has no source",
                       names[q], v.node_nm);
    size_t n = s->n[q];
    if (n && v.node_nm >= s->of[q][n - 1].node_nm)
        return err_add(err, ERR_INPUT, csv_at(csv, row, "node_nm"),
                       "'%s' has its nodes not in falling order", names[q]);
    struct scaling_value *more = arena_many(mem, struct scaling_value, n + 1);
    if (n)
        memcpy(more, s->of[q], n * sizeof *more);
    more[n] = v;
    s->of[q] = more;
    s->n[q]++;
    return true;
}

bool scaling_read(const char *path, struct arena *mem, struct tech_scaling *out, struct err *err)
{
    static const char *const columns[COLUMNS] = {"node_nm", "quantity", "value", "low",
                                                 "high",    "grade",    "source"};
    struct tech_scaling s = {.file = arena_strdup(mem, path)};
    struct csv csv;
    int c[COLUMNS];
    if (!csv_read(path, mem, &csv, err))
        return false;
    bool ok = csv_columns(&csv, columns, COLUMNS, c, err);
    for (size_t row = 0; ok && row < csv.n_rows; row++)
        ok = read_row(&csv, c, row, mem, &s, err);
    for (int q = 0; ok && q < SCALING_QUANTITY_COUNT; q++)
        if (!s.n[q])
            ok = err_add(err, ERR_INPUT, AT_FILE(s.file), "has no row for '%s'", names[q]);
    if (ok)
        *out = s;
    return ok;
}

bool scaling_check(const struct tech_scaling *s, double node_nm, const char *key, struct err *err)
{
    for (int q = 0; q < SCALING_QUANTITY_COUNT; q++) {
        double most = s->of[q][0].node_nm, least = s->of[q][s->n[q] - 1].node_nm;
        if (!(node_nm <= most && node_nm >= least))
            return err_add(err, ERR_INPUT, (struct where){NULL, 0, key},
                           "%g nm is outside %g..%g nm, for which '%s' knows '%s'", node_nm, least,
                           most, s->file, names[q]);
    }
    return true;
}

/* ---- nodes ---- */

/* The row at or before (coarser than) the node; share of the step to the next one. */
static size_t row_of(const struct tech_scaling *s, enum scaling_quantity q, double node_nm,
                     double *share)
{
    const struct scaling_value *v = s->of[q];
    size_t i = 0;
    assert(node_nm <= v[0].node_nm && node_nm >= v[s->n[q] - 1].node_nm);
    while (i + 1 < s->n[q] && node_nm <= v[i + 1].node_nm)
        i++;
    *share = v[i].node_nm == node_nm
                 ? 0
                 : log(v[i].node_nm / node_nm) / log(v[i].node_nm / v[i + 1].node_nm);
    return i;
}

double scaling_at(const struct tech_scaling *s, enum scaling_quantity q, double node_nm)
{
    double share;
    size_t i = row_of(s, q, node_nm, &share);
    const struct scaling_value *v = &s->of[q][i];
    return share > 0 ? v->value * pow(v[1].value / v->value, share) : v->value;
}

double scaling_ratio(const struct tech_scaling *s, enum scaling_quantity q, double from_nm,
                     double to_nm)
{
    return from_nm == to_nm ? 1 : scaling_at(s, q, to_nm) / scaling_at(s, q, from_nm);
}

/* Sum of squares of the steps from the first row to the node. */
static double variance(const struct tech_scaling *s, enum scaling_quantity q, double node_nm)
{
    double share, sum = 0;
    size_t last = row_of(s, q, node_nm, &share);
    for (size_t i = 1; i <= last + (share > 0); i++) {
        const struct scaling_value *v = &s->of[q][i];
        double u = log(v->high / v->low) / 2;
        sum += u * u * (i <= last ? 1 : share);
    }
    return sum;
}

double scaling_spread(const struct tech_scaling *s, enum scaling_quantity q, double from_nm,
                      double to_nm)
{
    return from_nm == to_nm ? 1 : exp(sqrt(fabs(variance(s, q, to_nm) - variance(s, q, from_nm))));
}

/* ---- supply and temperature ---- */

double scaling_volt_dynamic(double ratio)
{
    return ratio * ratio;
}

double scaling_volt_leakage(const struct tech_scaling *s, double node_nm, double ratio)
{
    double nominal = scaling_at(s, SCALE_vdd_v, node_nm);
    return ratio * pow(10, scaling_at(s, SCALE_dibl_v_per_v, node_nm) * nominal * (ratio - 1) /
                               scaling_at(s, SCALE_swing_v, node_nm));
}

double scaling_volt_delay(const struct tech_scaling *s, double node_nm, double ratio)
{
    double nominal = scaling_at(s, SCALE_vdd_v, node_nm), vt = scaling_at(s, SCALE_vth_v, node_nm);
    if (ratio == 1)
        return 1;
    if (!(ratio * nominal > vt && nominal > vt))
        return INFINITY;
    return ratio *
           pow((nominal - vt) / (ratio * nominal - vt), scaling_at(s, SCALE_alpha, node_nm));
}

double scaling_volt_for_delay(const struct tech_scaling *s, double node_nm, double slowdown)
{
    double low = scaling_at(s, SCALE_vth_v, node_nm) / scaling_at(s, SCALE_vdd_v, node_nm),
           high = 4;
    for (int i = 0; i < 60; i++) { /* delay falls as the supply rises */
        double mid = (low + high) / 2;
        if (scaling_volt_delay(s, node_nm, mid) > slowdown)
            low = mid;
        else
            high = mid;
    }
    return (low + high) / 2;
}

double scaling_heat(const struct tech_scaling *s, double node_nm, double from_k, double to_k)
{
    return from_k == to_k ? 1 : pow(10, (to_k - from_k) / scaling_at(s, SCALE_swing_k, node_nm));
}
