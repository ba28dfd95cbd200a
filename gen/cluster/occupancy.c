/* SPDX-License-Identifier: MIT */
#include "gen/cluster/occupancy.h"

#include "base/arena.h"
#include "base/csv.h"
#include "base/err.h"
#include "base/file.h"
#include "gen/config/read.h"

const char *const occupancy_platforms[OCCUPANCY_PLATFORMS] = {"gtx570", "k40", "gtx980", "gtx1080"};

/* Units of allocation (CUDA occupancy calculator): registers of a warp, warps of an SM whose
 * registers are taken together, bytes of shared memory. */
struct units {
    uint32_t registers, warps, shared;
};

static struct units units_of(enum gpu_generation g)
{
    return g == GENERATION_fermi ? (struct units){64, 2, 128} : (struct units){256, 4, 256};
}

/* What a program may ask for of the 64 KB that L1 and shared memory share; 0 ends. */
static const uint32_t *splits_of(enum gpu_generation g)
{
    static const uint32_t fermi[] = {16384, 49152, 0}, kepler[] = {16384, 32768, 49152, 0},
                          one[] = {0};
    return g == GENERATION_fermi ? fermi : g == GENERATION_kepler ? kepler : one;
}

static uint32_t round_up(uint32_t v, uint32_t unit)
{
    return (v + unit - 1) / unit * unit;
}

struct occupancy occupancy_of(const struct arch *arch, uint32_t warps, uint32_t registers,
                              uint32_t shared)
{
    const struct sm_params *p = &arch->sm;
    struct units u = units_of(arch->gpu.generation);
    uint32_t each = round_up(registers * 32, u.registers);
    uint32_t by_registers = each ? p->registers / each / u.warps * u.warps / warps : UINT32_MAX;
    uint32_t threads = p->threads / (warps * 32), contexts = p->warps / warps;
    const struct occupancy limits[] = {
        {p->ctas, "CTA slots"},
        {contexts < threads ? contexts : threads, "warps"},
        {by_registers, "registers"},
        {shared ? p->shared_bytes / round_up(shared, u.shared) : UINT32_MAX, "shared memory"}};
    struct occupancy least = limits[0];
    for (size_t i = 1; i < sizeof limits / sizeof *limits; i++)
        if (limits[i].ctas < least.ctas)
            least = limits[i];
    return least;
}

uint32_t occupancy_split(const struct arch *arch, uint32_t warps, uint32_t registers,
                         uint32_t shared, uint32_t ctas)
{
    if (occupancy_of(arch, warps, registers, shared).ctas == ctas)
        return (uint32_t)arch->sm.shared_bytes;
    for (const uint32_t *split = splits_of(arch->gpu.generation); *split; split++) {
        struct arch other = *arch;
        other.sm.shared_bytes = *split;
        if (occupancy_of(&other, warps, registers, shared).ctas == ctas)
            return *split;
    }
    return 0;
}

static bool number(const struct csv *csv, size_t row, const char *column, uint32_t *out,
                   struct err *err)
{
    long long v;
    int at = csv_column(csv, column);
    if (at < 0)
        return err_add(err, ERR_INPUT, AT_FILE(csv->file), "column '%s' is missing", column);
    if (!csv_int(csv, row, at, &v, err))
        return false;
    if (v < 0 || v > 1 << 20)
        return err_add(err, ERR_INPUT, csv_at(csv, row, column), "%lld is not in 0..1048576", v);
    *out = (uint32_t)v;
    return true;
}

static const char *word(const struct csv *csv, size_t row, const char *column)
{
    int at = csv_column(csv, column);
    return at < 0 ? "" : csv->rows[row][at];
}

static bool read_program(const struct csv *csv, size_t row, struct arena *mem,
                         struct occupancy_program *p, struct err *err)
{
    static const char letters[OCCUPANCY_PLATFORMS] = {'F', 'K', 'M', 'P'};
    *p = (struct occupancy_program){.name = word(csv, row, "program"),
                                    .workload = word(csv, row, "workload"),
                                    .kind = word(csv, row, "class"),
                                    .partition = word(csv, row, "partition")};
    bool ok =
        number(csv, row, "warps", &p->warps, err) && number(csv, row, "shared", &p->shared, err);
    for (uint32_t i = 0; i < OCCUPANCY_PLATFORMS && ok; i++)
        ok = number(csv, row, arena_printf(mem, "registers_%c", letters[i]), &p->registers[i],
                    err) &&
             number(csv, row, arena_printf(mem, "ctas_%c", letters[i]), &p->printed[i], err) &&
             number(csv, row, arena_printf(mem, "agents_%c", letters[i]), &p->agents[i], err);
    if (ok && (p->warps < 1 || p->warps > 64))
        ok = err_add(err, ERR_INPUT, csv_at(csv, row, "warps"), "%u is not in 1..64", p->warps);
    return ok;
}

bool occupancy_make(const char *data_dir, struct arena *mem, struct occupancy_table *out,
                    struct err *err)
{
    struct csv csv;
    struct arch archs[OCCUPANCY_PLATFORMS];
    for (uint32_t i = 0; i < OCCUPANCY_PLATFORMS; i++) {
        struct read_request q = {.file = path_join(mem, data_dir,
                                                   arena_printf(mem, "cfg/paper/clustering/%s.cfg",
                                                                occupancy_platforms[i])),
                                 .data_dir = data_dir};
        if (!arch_read(&q, mem, &archs[i], err))
            return false;
    }
    if (!csv_read(path_join(mem, data_dir, "cfg/paper/clustering/programs.csv"), mem, &csv, err))
        return false;
    struct occupancy_table t = {.programs = arena_many(mem, struct occupancy_program, csv.n_rows),
                                .n = csv.n_rows};
    for (size_t row = 0; row < csv.n_rows; row++) {
        struct occupancy_program *p = &t.programs[row];
        if (!read_program(&csv, row, mem, p, err))
            return false;
        for (uint32_t i = 0; i < OCCUPANCY_PLATFORMS; i++) {
            p->ours[i] = occupancy_of(&archs[i], p->warps, p->registers[i], p->shared);
            p->split[i] =
                occupancy_split(&archs[i], p->warps, p->registers[i], p->shared, p->printed[i]);
            t.n_cells++;
            t.n_equal += p->ours[i].ctas == p->printed[i];
            t.n_follow += p->split[i] != 0;
        }
    }
    *out = t;
    return true;
}
