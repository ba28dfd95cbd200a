/* SPDX-License-Identifier: MIT */
#include "energy/book/dram_cost.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/csv.h"

static const char *const names[DRAM_VALUE_COUNT] = {
#define X(name) #name,
    DRAM_ENERGIES(X) DRAM_TIMINGS(X)
#undef X
};

const char *dram_energy_name(enum dram_energy e)
{
    return names[e];
}

/* ---- the table ---- */

/* A value's unit, which its name ends with. */
static const char *unit_of(const char *name)
{
    static const char *const units[][2] = {
        {"_ns", "ns"},        {"_us", "us"},         {"_nj", "nJ"},
        {"_pj_per_kb", "pJ"}, {"_pj_per_bit", "pJ"}, {"_mw", "mW"},
        {"_gbps", "Gb/s"},    {"_bytes", "B"},       {"_bits", "bit"},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t n = strlen(name), end = strlen(units[i][0]);
        if (n > end && strcmp(name + n - end, units[i][0]) == 0)
            return units[i][1];
    }
    return "";
}

enum column { NAME, VALUE, UNIT, LOW, HIGH, GRADE, SOURCE, COLUMNS };
static const char *const columns[COLUMNS] = {"name", "value", "unit",  "low",
                                             "high", "grade", "source"};

static bool read_row(const struct csv *csv, const int c[COLUMNS], size_t row,
                     struct dram_energies *d, bool seen[DRAM_VALUE_COUNT], struct err *err)
{
    const char *const *field = csv->rows[row];
    int e = 0;
    while (e < DRAM_VALUE_COUNT && strcmp(names[e], field[c[NAME]]) != 0)
        e++;
    if (e == DRAM_VALUE_COUNT)
        return err_add(err, ERR_INPUT, csv_at(csv, row, "name"), "unknown name '%s'",
                       field[c[NAME]]);
    if (seen[e])
        return err_add(err, ERR_INPUT, csv_at(csv, row, "name"), "'%s' is there twice", names[e]);
    struct dram_value *v = &d->of[e];
    *v = (struct dram_value){
        .unit = field[c[UNIT]], .grade = field[c[GRADE]], .source = field[c[SOURCE]]};
    if (!csv_real(csv, row, c[VALUE], &v->value, err) ||
        !csv_real(csv, row, c[LOW], &v->low, err) || !csv_real(csv, row, c[HIGH], &v->high, err))
        return false;
    if (!(v->value > 0 && v->low <= v->value && v->value <= v->high))
        return err_add(err, ERR_INPUT, csv_at(csv, row, "value"),
                       "%g is not positive, or not in its range %g..%g", v->value, v->low, v->high);
    if (strcmp(v->unit, unit_of(names[e])) != 0)
        return err_add(err, ERR_INPUT, csv_at(csv, row, "unit"), "'%s' is in '%s', not in '%s'",
                       names[e], unit_of(names[e]), v->unit);
    if (strlen(v->grade) != 1 || !strchr("ABCD", v->grade[0]))
        return err_add(err, ERR_INPUT, csv_at(csv, row, "grade"), "'%s' is not A, B, C or D",
                       v->grade);
    if (v->source[0] == '\0')
        return err_add(err, ERR_INPUT, csv_at(csv, row, "source"), "'%s' has no source", names[e]);
    seen[e] = true;
    return true;
}

bool dram_energies_read(const char *path, struct arena *mem, struct dram_energies *out,
                        struct err *err)
{
    struct csv csv;
    int c[COLUMNS];
    struct dram_energies d = {.file = arena_strdup(mem, path)};
    bool seen[DRAM_VALUE_COUNT] = {false};
    if (!csv_read(path, mem, &csv, err) || !csv_columns(&csv, columns, COLUMNS, c, err))
        return false;
    bool ok = true;
    for (size_t row = 0; row < csv.n_rows; row++)
        ok &= read_row(&csv, c, row, &d, seen, err);
    for (int e = DRAM_ENERGY_COUNT; e < DRAM_VALUE_COUNT; e++)
        d.has_timing |= seen[e];
    for (int e = 0; ok && e < (d.has_timing ? DRAM_VALUE_COUNT : DRAM_ENERGY_COUNT); e++)
        if (!seen[e] && e != DRAM_trfc_bank_ns)
            ok = err_add(err, ERR_INPUT, AT_FILE(d.file), "has no row '%s'", names[e]);
    if (ok)
        *out = d;
    return ok;
}

/* ---- the price ---- */

double dram_devices(const struct dram_energies *d, const struct dram_shape *s)
{
    double bits = 8 * s->half_clock_bytes / (d->of[DRAM_beats_per_clock].value / 2);
    return bits / d->of[DRAM_device_bits].value;
}

static double background_w(const struct dram_energies *d, const struct dram_shape *s)
{
    return 1e-3 * d->of[DRAM_background_mw].value * dram_devices(d, s);
}

static double refresh_w(const struct dram_energies *d, const struct dram_shape *s)
{
    double us = s->refresh_cycles > 0 ? 1e-3 * s->refresh_cycles / s->clock_ghz
                                      : d->of[DRAM_refresh_us].value;
    return 1e-3 * d->of[DRAM_refresh_nj].value * dram_devices(d, s) / us;
}

double dram_standby_w(const struct dram_energies *d, const struct dram_shape *s)
{
    return background_w(d, s) + refresh_w(d, s);
}

void dram_cost(const struct dram_energies *d, const struct dram_shape *s, struct cost *out)
{
    double bits = 8 * s->atom_bytes;
    cost_clear(out);
    out->engine = "published";
    out->technology = d->file;
    out->model = "energy by command and by bit";
    out->energy_pj[EV_DRAM_ACTIVATE] = d->of[DRAM_activate_pj_per_kb].value * s->row_bytes / 1024;
    out->energy_pj[EV_DRAM_PRECHARGE] = 0;
    out->energy_pj[EV_DRAM_READ] = bits * d->of[DRAM_read_pj_per_bit].value;
    out->energy_pj[EV_DRAM_WRITE] = bits * d->of[DRAM_write_pj_per_bit].value;
    out->energy_pj[EV_DRAM_IO] = bits * d->of[DRAM_io_pj_per_bit].value;
    out->energy_pj[EV_DRAM_REFRESH] = 1e3 * refresh_w(d, s) / s->clock_ghz;
    out->energy_pj[EV_DRAM_BACKGROUND] = 1e3 * background_w(d, s) / s->clock_ghz;
    out->note = "precharges are in the activates";
}
