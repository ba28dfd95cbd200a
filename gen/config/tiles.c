/* SPDX-License-Identifier: MIT */
#include "gen/config/tiles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/csv.h"
#include "base/file.h"
#include "gen/config/keys.h"

static const struct {
    const char *name, *per;
} tiles[TILES] = {[TILE_SM] = {"sm", "SM"},
                  [TILE_LLC] = {"llc", "MB"},
                  [TILE_MC] = {"mc", "B"},
                  [TILE_NOC] = {"noc", "SM"},
                  [TILE_OTHER] = {"other", "die"}};

const char *tile_name(enum tile t)
{
    return tiles[t].name;
}

/* ---- the table ---- */

enum column { CHIP, NODE, TILE, MM2, PER, LOW, HIGH, SRAM, ANALOGUE, GRADE, SOURCE, COLUMNS };

static bool read_row(const struct csv *csv, const int column[COLUMNS], size_t row,
                     struct arena *mem, struct tile_table *t, struct err *err)
{
    const char *const *f = csv->rows[row];
    int k = 0;
    while (k < TILES && strcmp(tiles[k].name, f[column[TILE]]) != 0)
        k++;
    if (k == TILES)
        return err_add(err, ERR_INPUT, csv_at(csv, row, "tile"), "unknown tile '%s'",
                       f[column[TILE]]);
    struct tile_value v = {.chip = f[column[CHIP]],
                           .per = f[column[PER]],
                           .grade = f[column[GRADE]],
                           .source = f[column[SOURCE]]};
    if (!csv_real(csv, row, column[NODE], &v.node_nm, err) ||
        !csv_real(csv, row, column[MM2], &v.mm2, err) ||
        !csv_real(csv, row, column[LOW], &v.low, err) ||
        !csv_real(csv, row, column[HIGH], &v.high, err) ||
        !csv_real(csv, row, column[SRAM], &v.sram, err) ||
        !csv_real(csv, row, column[ANALOGUE], &v.analogue, err))
        return false;
    if (!(v.sram >= 0 && v.analogue >= 0 && v.sram + v.analogue <= 1))
        return err_add(err, ERR_INPUT, csv_at(csv, row, "sram"),
                       "shares %g and %g of SRAM and analogue are not in 0..1", v.sram, v.analogue);
    if (strcmp(v.per, tiles[k].per) != 0)
        return err_add(err, ERR_INPUT, csv_at(csv, row, "per"), "'%s' is given per %s",
                       tiles[k].name, tiles[k].per);
    if (!(v.node_nm > 0 && v.mm2 > 0 && v.low <= v.mm2 && v.mm2 <= v.high))
        return err_add(err, ERR_INPUT, csv_at(csv, row, "mm2"),
                       "%g mm2 is not positive, or not in its range %g..%g", v.mm2, v.low, v.high);
    if (strlen(v.grade) != 1 || !strchr("ABCD", v.grade[0]) || v.source[0] == '\0')
        return err_add(err, ERR_INPUT, csv_at(csv, row, "source"),
                       "needs a source, and a grade of A, B, C or D");
    size_t n = t->n[k];
    if (n && v.node_nm <= t->at[k][n - 1].node_nm)
        return err_add(err, ERR_INPUT, csv_at(csv, row, "node_nm"),
                       "'%s' has its nodes not in rising order", tiles[k].name);
    struct tile_value *more = arena_many(mem, struct tile_value, n + 1);
    if (n)
        memcpy(more, t->at[k], n * sizeof *more);
    more[n] = v;
    t->at[k] = more;
    t->n[k]++;
    return true;
}

bool tiles_read(const char *data_dir, struct arena *mem, struct tile_table *out, struct err *err)
{
    static const char *const names[COLUMNS] = {"chip",     "node_nm", "tile",  "mm2",
                                               "per",      "low",     "high",  "sram",
                                               "analogue", "grade",   "source"};
    const char *path = path_join(mem, data_dir, "cfg/tech/tiles.csv");
    struct tile_table t = {0};
    struct csv csv;
    int column[COLUMNS];
    if (!csv_read(path, mem, &csv, err))
        return false;
    bool ok = csv_columns(&csv, names, COLUMNS, column, err);
    for (size_t row = 0; ok && row < csv.n_rows; row++)
        ok &= read_row(&csv, column, row, mem, &t, err);
    for (int k = 0; ok && k < TILES; k++)
        if (!t.n[k])
            ok = err_add(err, ERR_INPUT, AT_FILE(path), "has no row for '%s'", tiles[k].name);
    if (ok)
        *out = t;
    return ok;
}

/* A tile of a chip at another node: what of it is logic, SRAM and analogue goes its own way. */
static double scaled(const struct tile_value *v, const struct tech_scaling *s, double nm)
{
    double logic = 1 - v->sram - v->analogue;
    return v->mm2 * (logic * scaling_ratio(s, SCALE_area_logic, v->node_nm, nm) +
                     v->sram * scaling_ratio(s, SCALE_sram_um2, v->node_nm, nm) +
                     v->analogue * scaling_ratio(s, SCALE_area_analogue, v->node_nm, nm));
}

double tile_at(const struct tile_table *table, const struct tech_scaling *scaling, enum tile t,
               double node_nm)
{
    const struct tile_value *v = table->at[t];
    size_t n = table->n[t];
    if (node_nm <= v[0].node_nm)
        return scaled(&v[0], scaling, node_nm);
    if (node_nm >= v[n - 1].node_nm)
        return scaled(&v[n - 1], scaling, node_nm);
    size_t i = 0;
    while (node_nm > v[i + 1].node_nm)
        i++;
    double x = log(node_nm / v[i].node_nm) / log(v[i + 1].node_nm / v[i].node_nm);
    return v[i].mm2 * pow(v[i + 1].mm2 / v[i].mm2, x);
}

/* Its parts scale alike or not at all: the whole is as open as they are, by their areas. */
static double spread_of(const struct tile_value *v, const struct tech_scaling *s, double nm)
{
    static const enum scaling_quantity of[] = {SCALE_area_logic, SCALE_sram_um2,
                                               SCALE_area_analogue};
    const double share[] = {1 - v->sram - v->analogue, v->sram, v->analogue};
    double area = 0, open = 0;
    for (int i = 0; i < 3; i++) {
        double part = share[i] * scaling_ratio(s, of[i], v->node_nm, nm);
        area += part;
        open += part * scaling_spread(s, of[i], v->node_nm, nm);
    }
    return open / area;
}

double tile_spread(const struct tile_table *table, const struct tech_scaling *scaling, enum tile t,
                   double node_nm)
{
    double least = INFINITY;
    for (size_t i = 0; i < table->n[t]; i++)
        least = fmin(least, spread_of(&table->at[t][i], scaling, node_nm));
    return least;
}

/* ---- a description ---- */

/* To 0.001 mm2, as a person would write it. `per`: how many of what the table has. */
static void set(struct arch *arch, const struct tile_table *t, const struct tech_scaling *s,
                enum tile k, double node, double per)
{
    struct noc_place_params *p = &arch->place;
    double *const place[TILES] = {[TILE_SM] = &p->sm_area_mm2,
                                  [TILE_LLC] = &p->llc_area_mm2,
                                  [TILE_MC] = &p->mc_area_mm2,
                                  [TILE_NOC] = &p->noc_area_mm2,
                                  [TILE_OTHER] = &p->other_area_mm2};
    int net;
    if (*place[k] != NOC_TILE_BY_NODE)
        return;
    *place[k] = round(tile_at(t, s, k, node) * per * 1e3) / 1e3;
    arch->tile_spread[k] = tile_spread(t, s, k, node);
    char path[32];
    snprintf(path, sizeof path, "tech.tiles.%s", tiles[k].name);
    arch->origins[key_find(path, &net) - keys][0].kind = ORIGIN_DERIVED;
}

bool tiles_complete(struct arch *arch, const char *data_dir, struct arena *mem, struct err *err)
{
    struct noc_place_params *p = &arch->place;
    const double *const all[] = {&p->sm_area_mm2, &p->llc_area_mm2, &p->mc_area_mm2,
                                 &p->noc_area_mm2, &p->other_area_mm2};
    bool is_complete = true;
    for (int k = 0; k < TILES; k++)
        arch->tile_spread[k] = 1;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        is_complete &= *all[i] != NOC_TILE_BY_NODE;
    if (is_complete)
        return true;
    struct tile_table t;
    double node = arch->tech.node_nm;
    struct tech_scaling scaling;
    const char *factors = path_join(mem, data_dir, "cfg/tech/scaling.csv");
    if (!tiles_read(data_dir, mem, &t, err) || !scaling_read(factors, mem, &scaling, err))
        return false;
    /* coarser than any chip's and than the table: the node is refused when it is priced */
    node = fmin(node, scaling.of[SCALE_area_logic][0].node_nm);
    arch->sources = file_hash(path_join(mem, data_dir, "cfg/tech/tiles.csv"), arch->sources);
    set(arch, &t, &scaling, TILE_SM, node, 1);
    set(arch, &t, &scaling, TILE_LLC, node, (double)arch->llc.bytes / (1 << 20));
    set(arch, &t, &scaling, TILE_MC, node, arch->dram.bus_bytes);
    set(arch, &t, &scaling, TILE_NOC, node, arch->gpu.n_sms + p->n_spare_sms);
    set(arch, &t, &scaling, TILE_OTHER, node, 1);
    return true;
}
