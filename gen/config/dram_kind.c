/* SPDX-License-Identifier: MIT */
#include "gen/config/dram_kind.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "energy/book/dram_cost.h"
#include "gen/config/keys.h"

static const char *const set_by_kind[] = {
    "gpu.dram_clock_ghz", "dram.banks",
    "dram.bank_groups",   "dram.row",
    "dram.bus",           "dram.burst",
    "dram.tcl",           "dram.trp",
    "dram.trc",           "dram.tras",
    "dram.trcd",          "dram.trrd",
    "dram.tccd",          "dram.twr",
    "dram.tccd_l",        "dram.trtp",
    "dram.twtr",          "dram.tfaw",
    "dram.tcwl",          "dram.trefi",
    "dram.trfc",          "dram.dual_command_bus",
    "dram.refresh",       "energy.dram",
};

static struct origin *origin_of(struct arch *arch, const char *path)
{
    int net;
    return &arch->origins[key_find(path, &net) - keys][0];
}

void dram_kind_forget(struct arch *arch, const char *kind)
{
    struct arch plain = {.origins = NULL};
    if (strcmp(kind, "none") == 0)
        return;
    keys_set_defaults(&plain);
    for (size_t i = 0; i < sizeof set_by_kind / sizeof *set_by_kind; i++) {
        int net;
        const struct key *key = key_find(set_by_kind[i], &net);
        size_t size = key->type == KEY_REAL   ? sizeof(double)
                      : key->type == KEY_BOOL ? sizeof(bool)
                      : key->type == KEY_TEXT ? sizeof(const char *)
                                              : sizeof(uint32_t);
        memcpy(key_place(key, arch, 0), key_value(key, &plain, 0), size);
        memset(origin_of(arch, set_by_kind[i]), 0, sizeof(struct origin));
    }
}

/* Is the key left to the kind? Then it will be derived. */
static bool take(struct arch *arch, const char *path)
{
    struct origin *o = origin_of(arch, path);
    if (o->kind != ORIGIN_DEFAULT || o->is_bad)
        return false;
    o->kind = ORIGIN_DERIVED;
    return true;
}

struct taking { /* what is filled in, from which file */
    struct arch *arch;
    const struct dram_energies *table;
    struct err *err;
    bool ok;
};

/* Within what the key allows? */
static bool is_legal(struct taking *t, const char *path, double value)
{
    int net;
    const struct key *key = key_find(path, &net);
    if (value >= key->lo && value <= key->hi)
        return true;
    t->ok = err_add(t->err, ERR_INPUT, AT_FILE(t->table->file),
                    "makes %s %g, which is not in %g..%g", path, value, key->lo, key->hi);
    return false;
}

static void set(struct taking *t, const char *path, uint32_t *place, double value)
{
    value = fmax(1, value);
    if (take(t->arch, path) && is_legal(t, path, value))
        *place = (uint32_t)value;
}

/* Whole command clocks that cover so many ns. */
static double clocks(const struct arch *arch, double ns)
{
    return ceil(ns * arch->gpu.dram_ghz - 1e-6);
}

static void set_organisation(struct taking *t)
{
    struct arch *a = t->arch;
    const struct dram_value *v = t->table->of;
    struct dram_params *d = &a->dram;
    double beats_in_half = v[DRAM_beats_per_clock].value / 2;
    double device_bytes = v[DRAM_device_bits].value / 8 * beats_in_half; /* in half a clock */
    double ghz = v[DRAM_rate_gbps].value / v[DRAM_beats_per_clock].value;
    if (take(a, "gpu.dram_clock_ghz") && is_legal(t, "gpu.dram_clock_ghz", ghz))
        a->gpu.dram_ghz = ghz;
    set(t, "dram.banks", &d->banks, v[DRAM_banks].value);
    set(t, "dram.bank_groups", &d->bank_groups, v[DRAM_bank_groups].value);
    set(t, "dram.bus", &d->bus_bytes, device_bytes);
    set(t, "dram.burst", &d->burst, v[DRAM_burst_beats].value / beats_in_half);
    set(t, "dram.row", &d->row_bytes,
        v[DRAM_row_bytes].value * fmax(1, floor(d->bus_bytes / device_bytes)));
    if (take(a, "dram.dual_command_bus"))
        d->dual_command_bus = v[DRAM_command_buses].value >= 2;
}

static void set_timing(struct taking *t)
{
    struct arch *a = t->arch;
    const struct dram_value *v = t->table->of;
    struct dram_params *d = &a->dram;
    const struct {
        const char *path;
        uint32_t *place;
        enum dram_energy value;
    } times[] = {
        {"dram.tcl", &d->tcl, DRAM_tcl_ns},    {"dram.tcwl", &d->tcwl, DRAM_tcwl_ns},
        {"dram.trcd", &d->trcd, DRAM_trcd_ns}, {"dram.trp", &d->trp, DRAM_trp_ns},
        {"dram.tras", &d->tras, DRAM_tras_ns}, {"dram.trc", &d->trc, DRAM_trc_ns},
        {"dram.trrd", &d->trrd, DRAM_trrd_ns}, {"dram.tfaw", &d->tfaw, DRAM_tfaw_ns},
        {"dram.twr", &d->twr, DRAM_twr_ns},    {"dram.twtr", &d->twtr, DRAM_twtr_ns},
        {"dram.trtp", &d->trtp, DRAM_trtp_ns},
    };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        set(t, times[i].path, times[i].place, clocks(a, v[times[i].value].value));
    /* a column command holds the bus for its burst, two transfers in a clock */
    set(t, "dram.tccd", &d->tccd, ceil(d->burst / 2.0));
    set(t, "dram.tccd_l", &d->tccd_l, ceil(d->tccd * v[DRAM_tccd_l_over_tccd].value));
    if (d->trefi == UINT32_MAX) {
        double refresh = floor(1e3 * v[DRAM_refresh_us].value * a->gpu.dram_ghz);
        d->trefi = is_legal(t, "dram.trefi", refresh) ? (uint32_t)refresh : 0;
    }
    bool has_banks = v[DRAM_trfc_bank_ns].value > 0; /* a bank can be refreshed alone */
    if (d->trefi && take(a, "dram.refresh"))
        d->refresh = has_banks ? DRAM_REFRESH_bank : DRAM_REFRESH_all;
    if (d->trefi && d->refresh == DRAM_REFRESH_bank && !has_banks &&
        origin_of(a, "dram.trfc")->kind == ORIGIN_DEFAULT)
        t->ok = err_add(t->err, ERR_INPUT, key_where(a, "dram.refresh", 0),
                        "'%s' refreshes all banks at once: it has no row 'trfc_bank_ns'",
                        t->table->file);
    else if (d->trefi)
        set(t, "dram.trfc", &d->trfc,
            clocks(a, v[d->refresh == DRAM_REFRESH_bank ? DRAM_trfc_bank_ns : DRAM_trfc_ns].value));
}

bool dram_kind_complete(struct arch *arch, const char *data_dir, bool may_read_files,
                        struct arena *mem, struct err *err)
{
    const char *name = arch->dram.kind;
    struct where at = key_where(arch, "dram.kind", 0);
    struct dram_energies table;
    bool is_ours = !strchr(name, '/') && !strchr(name, '.');
    if (strcmp(name, "none") == 0) {
        if (arch->dram.trefi != UINT32_MAX)
            return true;
        arch->dram.trefi = 0;
        return err_add(err, ERR_INPUT, key_where(arch, "dram.trefi", 0),
                       "\"kind\" has no meaning with dram.kind = \"none\"");
    }
    if (!is_ours && !may_read_files)
        return err_add(err, ERR_INPUT, at, "no other files may be used here");
    const char *path =
        is_ours ? path_join(mem, data_dir, arena_printf(mem, "cfg/tech/dram-%s.csv", name))
                : arch_named_file(arch, "dram.kind", name, data_dir, mem);
    if (is_ours && !file_exists(path))
        return err_add(err, ERR_INPUT, at,
                       "\"%s\" is not one of none, gddr5, gddr5x, gddr6, gddr6x, hbm2, hbm2e, hbm3 "
                       "(cfg/tech/dram-*.csv), nor a file",
                       name);
    if (!dram_energies_read(path, mem, &table, err))
        return false;
    if (!table.has_timing)
        return err_add(err, ERR_INPUT, at, "'%s' has energies, but no timing (rate_gbps, banks, …)",
                       path);
    arch->sources = file_hash(path, arch->sources);
    struct taking t = {arch, &table, err, true};
    set_organisation(&t);
    set_timing(&t);
    if (take(arch, "energy.dram"))
        arch->energy.dram = name;
    return t.ok;
}
