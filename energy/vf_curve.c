/* SPDX-License-Identifier: MIT */
#include "energy/vf_curve.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/csv.h"

enum column { NODE, GHZ, VOLT, LOW, HIGH, GRADE, SOURCE, COLUMNS };

static bool read_row(const struct csv *csv, const int c[COLUMNS], size_t row,
                     struct vf_curves *curves, struct err *err)
{
    const char *const *f = csv->rows[row];
    struct vf_point p = {.grade = f[c[GRADE]], .source = f[c[SOURCE]]};
    if (!csv_real(csv, row, c[NODE], &p.node_nm, err) || !csv_real(csv, row, c[GHZ], &p.ghz, err) ||
        !csv_real(csv, row, c[VOLT], &p.volt, err) || !csv_real(csv, row, c[LOW], &p.low, err) ||
        !csv_real(csv, row, c[HIGH], &p.high, err))
        return false;
    if (!(p.node_nm > 0 && p.ghz > 0 && p.low > 0 && p.low <= p.volt && p.volt <= p.high &&
          p.high <= 10))
        return err_add(err, ERR_INPUT, csv_at(csv, row, "volt"),
                       "%g V at %g GHz is not positive, or not in its range %g..%g", p.volt, p.ghz,
                       p.low, p.high);
    if (strlen(p.grade) != 1 || !strchr("ABCD", p.grade[0]) || p.source[0] == '\0')
        return err_add(err, ERR_INPUT, csv_at(csv, row, "source"),
                       "needs a source, and a grade of A, B, C or D");
    const struct vf_point *before = curves->n ? &curves->at[curves->n - 1] : NULL;
    if (before && before->node_nm == p.node_nm && !(before->ghz < p.ghz && before->volt <= p.volt))
        return err_add(err, ERR_INPUT, csv_at(csv, row, "ghz"),
                       "clocks of a node must rise, and supplies not fall");
    for (size_t i = 0; before && before->node_nm != p.node_nm && i < curves->n; i++)
        if (curves->at[i].node_nm == p.node_nm)
            return err_add(err, ERR_INPUT, csv_at(csv, row, "node_nm"),
                           "%g nm is in two places: points of a node stand together", p.node_nm);
    curves->at[curves->n++] = p;
    return true;
}

bool vf_curves_read(const char *path, struct arena *mem, struct vf_curves *out, struct err *err)
{
    static const char *const columns[COLUMNS] = {"node_nm", "ghz",   "volt",  "low",
                                                 "high",    "grade", "source"};
    struct vf_curves curves = {.file = arena_strdup(mem, path)};
    struct csv csv;
    int c[COLUMNS];
    if (!csv_read(path, mem, &csv, err))
        return false;
    bool ok = csv_columns(&csv, columns, COLUMNS, c, err);
    curves.at = arena_many(mem, struct vf_point, csv.n_rows);
    for (size_t row = 0; ok && row < csv.n_rows; row++)
        ok = read_row(&csv, c, row, &curves, err);
    if (ok && !curves.n)
        ok = err_add(err, ERR_INPUT, AT_FILE(curves.file), "has no points");
    if (ok)
        *out = curves;
    return ok;
}

bool vf_curve_find(const struct vf_curves *curves, double node_nm, struct vf_curve *out)
{
    const struct vf_point *best = NULL;
    for (size_t i = 0; i < curves->n; i++) {
        const struct vf_point *p = &curves->at[i];
        if (!best || fabs(log(p->node_nm / node_nm)) < fabs(log(best->node_nm / node_nm)))
            best = p;
    }
    if (!best || fabs(log(best->node_nm / node_nm)) > log(VF_NODE_NEAR))
        return false;
    *out = (struct vf_curve){best, 0};
    while (best + out->n < curves->at + curves->n && best[out->n].node_nm == best->node_nm)
        out->n++;
    return true;
}

double vf_curve_volt(const struct vf_curve *curve, double ghz)
{
    const struct vf_point *p = curve->at;
    if (ghz <= p[0].ghz)
        return p[0].volt;
    for (size_t i = 1; i < curve->n; i++)
        if (ghz <= p[i].ghz * (1 + 1e-12))
            return p[i - 1].volt +
                   (p[i].volt - p[i - 1].volt) * (ghz - p[i - 1].ghz) / (p[i].ghz - p[i - 1].ghz);
    return NAN;
}
