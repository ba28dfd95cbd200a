/* SPDX-License-Identifier: MIT */
#include "gen/silicon/silicon_figures.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"

static const struct microbench *bench(const struct silicon_run *r, const char *name)
{
    for (size_t i = 0; name && i < r->n_benches; i++)
        if (strcmp(r->benches[i].name, name) == 0 && !r->benches[i].error)
            return &r->benches[i];
    return NULL;
}

/* Cycles and rounds of the long launch beyond the short one. `at`: the short one, -1 the last but
 * one. */
static double cycles_beyond(const struct microbench *b, int at)
{
    size_t k = at < 0 ? b->n_kernels - 2 : (size_t)at;
    return b->n_kernels >= k + 2 ? b->cycles[k + 1] - b->cycles[k] : NAN;
}

static double work_beyond(const struct microbench *b)
{
    return (b->n_long - b->n_short) * b->work;
}

/* ---- time ------------------------------------------------------------------------------------ */

static double per_load(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct microbench *b = bench(r, f->bench);
    return b ? cycles_beyond(b, f->at) / work_beyond(b) : NAN;
}

static double per_load_ns(const struct silicon_run *r, const struct silicon_figure *f)
{
    return per_load(r, f) / r->setup->arch->gpu.core_ghz;
}

/* Two bodies at two lengths: what is left is the longer body's own operations. */
static double per_link(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct microbench *b = bench(r, f->bench);
    return b ? (cycles_beyond(b, f->at + 3) - cycles_beyond(b, f->at)) / work_beyond(b) : NAN;
}

static double per_clock(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct microbench *b = bench(r, f->bench);
    return b ? work_beyond(b) / cycles_beyond(b, f->at) : NAN;
}

static double over_other(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct microbench *a = bench(r, f->bench), *b = bench(r, f->other);
    return a && b ? work_beyond(a) / cycles_beyond(a, -1) / (work_beyond(b) / cycles_beyond(b, -1))
                  : NAN;
}

static double of_dram_peak(const struct silicon_run *r, const struct silicon_figure *f)
{
    return per_clock(r, f) / microbench_dram_peak(r->setup->arch);
}

/* SMs of two GPCs (kernels 1 and 2) against as many of all (3 and 4). */
static double partition_loss(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct microbench *b = bench(r, f->bench);
    return b ? 100 * (1 - cycles_beyond(b, 3) / cycles_beyond(b, 1)) : NAN;
}

/* Latency of a hit from every SM to every line; kernel 0 fills the L2, then each SM has a launch
 * without loads and one of `loads` to each line. */
struct spread {
    double low, high;
    double near; /* mean: SM and slice in one half of two */
};

static struct spread spread_of(const struct microbench *b, const struct sim_setup *setup)
{
    struct spread s = {.low = INFINITY, .high = -INFINITY};
    size_t lines = (size_t)b->lines, n_near = 0, n_far = 0, first[2] = {0, SIZE_MAX};
    const double loads = 4; /* latency_spread.cfg */
    for (size_t sm = 0; sm < setup->arch->gpu.n_sms; sm++) {
        const double *c = b->cycles + 1 + sm * (lines + 1);
        for (size_t l = 1; l <= lines; l++) {
            double v = (c[l] - c[0]) / loads;
            bool is_far = microbench_is_far(setup, (uint32_t)sm, b->slices[l - 1]);
            if (is_far != microbench_is_far(setup, 0, b->slices[l - 1]) && sm < first[1])
                first[1] = sm; /* of the other half */
            if (is_far && setup->arch->llc.far_copies && (sm == first[0] || sm == first[1]))
                continue; /* its half has no copy yet */
            s.low = fmin(s.low, v);
            s.high = fmax(s.high, v);
            s.near += is_far ? 0 : v;
            (*(is_far ? &n_far : &n_near))++;
        }
    }
    s.near = n_far ? s.near / (double)n_near : NAN;
    return s;
}

/* Slices of the other half, from the first and from the last SM, each line once after it was
 * written: no half has a copy. The third kernel writes; then as above, with one load. */
static double far_mean(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct microbench *b = bench(r, f->bench);
    if (!b)
        return NAN;
    size_t lines = (size_t)b->lines, n = 0;
    double sum = 0;
    for (size_t k = 0; k < 2; k++) {
        const double *c = b->cycles + 3 + k * (lines + 1);
        uint32_t sm = k ? r->setup->arch->gpu.n_sms - 1 : 0;
        for (size_t l = 1; l <= lines; l++)
            if (microbench_is_far(r->setup, sm, b->slices[l - 1])) {
                sum += c[l] - c[0];
                n++;
            }
    }
    return n ? sum / (double)n : NAN;
}

static double nearest(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct microbench *b = bench(r, f->bench);
    return b ? spread_of(b, r->setup).low : NAN;
}

static double farthest(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct microbench *b = bench(r, f->bench);
    return b ? spread_of(b, r->setup).high : NAN;
}

static double near_mean(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct microbench *b = bench(r, f->bench);
    return b ? spread_of(b, r->setup).near : NAN;
}

static double spread(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct microbench *b = bench(r, f->bench);
    if (!b)
        return NAN;
    struct spread s = spread_of(b, r->setup);
    return s.high - s.low;
}

/* ---- energy ---------------------------------------------------------------------------------- */

static double power(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct microbench *b = bench(r, f->bench);
    return b && b->has_energy ? b->energy.account.average_w : NAN;
}

/* What a double precision operation adds to a stream of as many bytes. */
static double flop_pj(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct microbench *a = bench(r, f->bench), *b = bench(r, f->other);
    if (!a || !b || !a->has_energy || !b->has_energy)
        return NAN;
    double stream_j = b->energy.account.dynamic_j * work_beyond(a) / work_beyond(b);
    return 1e12 * (a->energy.account.dynamic_j - stream_j) / ((a->n_long - a->n_short) * a->flops);
}

static double group_j(const struct microbench *b, const char *group)
{
    double j = 0;
    for (uint32_t i = 0; i < b->energy.account.n_groups; i++) {
        const struct account_group *g = &b->energy.account.groups[i];
        if (strncmp(g->name, group, strlen(group)) == 0)
            j += g->dynamic_j;
    }
    return j;
}

static double event_pj(const struct microbench *b, const char *group, enum sim_event e, double n)
{
    return 1e12 * account_event_j(&b->energy.account, group, e) / n;
}

/* Instructions of a warp in lanes' work. */
#define LANES 32.0

static double shared_pj(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct microbench *b = bench(r, f->bench);
    return b && b->has_energy ? 1e12 * group_j(b, "shared_memory") / (work_beyond(b) / 4 / LANES)
                              : NAN;
}

static double l1_pj(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct microbench *b = bench(r, f->bench);
    return b && b->has_energy ? 1e12 * group_j(b, "l1") / (work_beyond(b) / 4 / LANES) : NAN;
}

/* A sector of 32 bytes. */
static double l2_pj(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct microbench *b = bench(r, f->bench);
    return b && b->has_energy ? 1e12 * group_j(b, "l2") / (work_beyond(b) / 32) : NAN;
}

/* 32 bytes read: the share of a request and of a reply, whatever the width of flits. */
static double noc_sector_pj(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct microbench *b = bench(r, f->bench);
    return b && b->has_energy ? 1e12 * group_j(b, "noc.") / (work_beyond(b) / 32) : NAN;
}

static double flit_pj(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct microbench *b = bench(r, f->bench);
    return b && b->has_energy && b->flits > 0 ? 1e12 * group_j(b, "noc.") / b->flits : NAN;
}

/* An FMA reads three registers of a warp and writes one; `work` counts two operations for it. */
static double register_read_pj(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct microbench *b = bench(r, f->bench);
    return b && b->has_energy
               ? event_pj(b, "register_file", EV_ARRAY_READ, 3 * work_beyond(b) / 2 / LANES)
               : NAN;
}

static double register_write_pj(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct microbench *b = bench(r, f->bench);
    return b && b->has_energy
               ? event_pj(b, "register_file", EV_ARRAY_WRITE, work_beyond(b) / 2 / LANES)
               : NAN;
}

/* Activation, column access and pins; background and refresh go on without the stream. */
static double dram_bit_pj(const struct silicon_run *r, const struct silicon_figure *f)
{
    static const enum sim_event events[] = {EV_DRAM_ACTIVATE, EV_DRAM_PRECHARGE, EV_DRAM_READ,
                                            EV_DRAM_WRITE, EV_DRAM_IO};
    const struct microbench *b = bench(r, f->bench);
    double pj = 0;
    if (!b || !b->has_energy)
        return NAN;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        pj += event_pj(b, "dram", events[i], 8 * work_beyond(b));
    return pj;
}

/* ---- area ------------------------------------------------------------------------------------ */

/* The die as its tiles and models make it (gen/price/die.h). */
static const struct die *die_of(const struct silicon_run *r)
{
    return r->setup->priced ? &r->setup->priced->die : NULL;
}

static double die_mm2(const struct silicon_run *r, const struct silicon_figure *f)
{
    (void)f;
    return die_of(r) ? die_of(r)->total_mm2 : NAN;
}

static double sm_mm2(const struct silicon_run *r, const struct silicon_figure *f)
{
    (void)f;
    return die_of(r) ? die_of(r)->sm_mm2 : NAN;
}

static double l2_mm2(const struct silicon_run *r, const struct silicon_figure *f)
{
    (void)f;
    return die_of(r) ? die_of(r)->l2_mm2 : NAN;
}

static double noc_mm2(const struct silicon_run *r, const struct silicon_figure *f)
{
    (void)f;
    return die_of(r) ? die_of(r)->noc_mm2 : NAN;
}

/* Routers and repeaters alone, as they are priced. */
static double noc_priced_mm2(const struct silicon_run *r, const struct silicon_figure *f)
{
    const struct priced *p = r->setup->priced;
    double um2 = 0;
    (void)f;
    for (uint32_t k = 0; p && k < p->book.n_classes; k++)
        if (p->classes[k].kind == CK_ROUTER || p->classes[k].kind == CK_CHANNEL)
            um2 += cost_area_um2(&p->book.costs[k]) * p->classes[k].instances;
    return p ? um2 * 1e-6 : NAN;
}

/* ---- the table ------------------------------------------------------------------------------- */

#define LATENCY "latency"
#define ARITHMETIC "arithmetic"
#define BANDWIDTH "bandwidth"
#define ATOMICS "atomics"
#define POWER "power"
#define PRICES "energy per event"
#define AREA "area"

/* clang-format off */
const struct silicon_figure silicon_figures[] = {
    {"latency_l1", LATENCY, "L1 hit, load to use", "cycle", 1, "l1.hit_cycles", "latency_l1", NULL, -1, false, per_load},
    {"latency_shared", LATENCY, "shared memory, load to use", "cycle", 1, "sm.shared_latency", "latency_shared", NULL, -1, false, per_load},
    {"latency_l2", LATENCY, "L2 hit through the L1, mean", "cycle", 1, "llc.hit_cycles", "latency_l2", NULL, -1, false, per_load},
    {"latency_l2_nearest", LATENCY, "L2 hit past the L1, nearest SM and slice", "cycle", 1, "noc.topology", "latency_spread", NULL, 0, false, nearest},
    {"latency_l2_farthest", LATENCY, "L2 hit past the L1, farthest SM and slice", "cycle", 1, "noc.topology", "latency_spread", NULL, 0, false, farthest},
    {"latency_l2_spread", LATENCY, "L2 hit, farthest - nearest", "cycle", 1, "noc.topology", "latency_spread", NULL, 0, false, spread},
    {"latency_l2_near", LATENCY, "L2 hit past the L1, slices of the SM's own partition", "cycle", 1, "noc.hierarchical.partitions", "latency_spread", NULL, 0, false, near_mean},
    {"latency_l2_far", LATENCY, "L2 hit past the L1, slices of the other partition", "cycle", 1, "noc.hierarchical.crossing_cycles", "latency_far", NULL, 0, false, far_mean},
    {"latency_dram", LATENCY, "DRAM, load to use", "ns", 1, "dram.controller_cycles", "latency_dram", NULL, -1, false, per_load_ns},
    {"chain_fp32", ARITHMETIC, "dependent FMA, 32 bits", "cycle", 1, "sm.fp32.latency", "arithmetic", NULL, 1, false, per_link},
    {"chain_int", ARITHMETIC, "dependent integer addition", "cycle", 1, "sm.int.latency", "arithmetic", NULL, 7, false, per_link},
    {"chain_fp64", ARITHMETIC, "dependent FMA, 64 bits", "cycle", 1, "sm.fp64.latency", "arithmetic", NULL, 13, false, per_link},
    {"lanes_fp32", ARITHMETIC, "FMA of 32 bits a clock and SM", "", 1, "sm.fp32.units", "lanes", NULL, 1, false, per_clock},
    {"lanes_fp64", ARITHMETIC, "FMA of 64 bits a clock and SM", "", 1, "sm.fp64.units", "lanes", NULL, 4, false, per_clock},
    {"lanes_int", ARITHMETIC, "integer additions a clock and SM", "", 1, "sm.int.units", "lanes", NULL, 7, false, per_clock},
    {"lanes_sfu", ARITHMETIC, "special functions a clock and SM", "", 1, "sm.sfu.units", "lanes", NULL, 10, false, per_clock},
    {"lanes_half", ARITHMETIC, "half precision FMA a clock and SM, of two results", "", 1, "sm.fp16.lanes", "rates", NULL, 10, false, per_clock},
    {"lanes_bits", ARITHMETIC, "counts of bits a clock and SM", "", 1, "sm.bits.lanes", "rates", NULL, 1, false, per_clock},
    {"lanes_convert", ARITHMETIC, "conversions of integers to reals a clock and SM", "", 1, "sm.convert.lanes", "rates", NULL, 4, false, per_clock},
    {"lanes_shuffle", ARITHMETIC, "shuffles a clock and SM", "", 1, "sm.shuffle.lanes", "rates", NULL, 7, false, per_clock},
    {"chain_shuffle", ARITHMETIC, "dependent shuffle", "cycle", 1, "sm.shuffle.latency", "shuffle", NULL, 1, false, per_link},
    {"barrier_1", ARITHMETIC, "barrier of one warp", "cycle", 1, "sm.barrier.latency", "barrier", NULL, 1, false, per_load},
    {"barrier_16", ARITHMETIC, "barrier of 16 warps", "cycle", 1, "sm.barrier.lanes", "barrier", NULL, 4, false, per_load},
    {"bandwidth_l1", BANDWIDTH, "L1 read of an SM", "B/clk", 1, "l1.banks", "bandwidth_l1", NULL, -1, false, per_clock},
    {"bandwidth_shared", BANDWIDTH, "shared memory read of an SM", "B/clk", 1, "sm.shared_banks", "bandwidth_shared", NULL, -1, false, per_clock},
    {"bandwidth_l2", BANDWIDTH, "L2 read of all SMs", "B/clk", 0, "noc.width", "bandwidth_l2", NULL, -1, false, per_clock},
    {"bandwidth_l2_over_dram", BANDWIDTH, "the same over the DRAM's peak", "x", 2, "noc.width", "bandwidth_l2", NULL, -1, false, of_dram_peak},
    {"bandwidth_slice", BANDWIDTH, "one L2 slice, all SMs", "B/clk", 1, "noc.width", "bandwidth_slice", NULL, -1, false, per_clock},
    {"bandwidth_sm_slice", BANDWIDTH, "one L2 slice, one SM", "B/clk", 1, "noc.width", "bandwidth_sm_slice", NULL, -1, false, per_clock},
    {"bandwidth_sm", BANDWIDTH, "L2 read of one SM", "B/clk", 1, "noc.width", "bandwidth_sm", NULL, -1, false, per_clock},
    {"tpc_over_sm", BANDWIDTH, "two SMs of a TPC over one", "x", 2, "noc.topology", "bandwidth_tpc", "bandwidth_sm", -1, false, over_other},
    {"gpc_half_over_sm", BANDWIDTH, "an SM of each TPC of a GPC over one", "x", 2, "noc.topology", "bandwidth_gpc_half", "bandwidth_sm", -1, false, over_other},
    {"gpc_over_tpc", BANDWIDTH, "all SMs of a GPC over a TPC", "x", 2, "noc.topology", "bandwidth_gpc", "bandwidth_tpc", -1, false, over_other},
    {"two_gpcs_over_gpc", BANDWIDTH, "two GPCs over one", "x", 2, "noc.topology", "bandwidth_two_gpcs", "bandwidth_gpc", -1, false, over_other},
    {"partition_loss", BANDWIDTH, "two GPCs into one partition, less than spread SMs", "%", 0, "noc.topology", "bandwidth_partition", NULL, 1, false, partition_loss},
    {"dram_read", BANDWIDTH, "DRAM read of its peak", "x", 3, "dram.queue", "dram_read", NULL, -1, false, of_dram_peak},
    {"dram_write", BANDWIDTH, "DRAM write of its peak", "x", 3, "dram.queue", "dram_write", NULL, -1, false, of_dram_peak},
    {"dram_copy", BANDWIDTH, "DRAM copy of its peak", "x", 3, "dram.queue", "dram_copy", NULL, -1, false, of_dram_peak},
    {"atomic_one", ATOMICS, "on one word, old value returned", "1/clk", 2, "llc.slices", "atomics_one", NULL, 1, false, per_clock},
    {"atomic_one_red", ATOMICS, "on one word", "1/clk", 2, "llc.slices", "atomics_one", NULL, 4, false, per_clock},
    {"atomic_warp", ATOMICS, "on one word a warp, old value returned", "1/clk", 1, "llc.slices", "atomics_warp", NULL, 1, false, per_clock},
    {"atomic_warp_red", ATOMICS, "on one word a warp", "1/clk", 1, "llc.slices", "atomics_warp", NULL, 4, false, per_clock},
    {"atomic_all", ATOMICS, "each lane its own word, old value returned", "1/clk", 1, "llc.slices", "atomics_all", NULL, 1, false, per_clock},
    {"atomic_all_red", ATOMICS, "each lane its own word", "1/clk", 1, "llc.slices", "atomics_all", NULL, 4, false, per_clock},
    {"power_floor", POWER, "one thread that waits for the DRAM", "W", 1, "energy.core", "latency_dram", NULL, -1, true, power},
    {"power_memory", POWER, "DRAM stream with 0.125 double precision flop/B", "W", 1, "energy.core", "power_memory", NULL, -1, true, power},
    {"power_fp64", POWER, "DRAM stream with 8.2 double precision flop/B", "W", 1, "energy.core", "power_fp64", NULL, -1, true, power},
    {"power_fp32", POWER, "FMA of 32 bits on all SMs", "W", 1, "energy.core", "power_fp32", NULL, -1, true, power},
    {"flop64_pj", POWER, "a double precision operation more", "pJ", 1, "energy.core", "power_fp64", "dram_read", -1, false, flop_pj},
    {"shared_pj", PRICES, "shared memory, a load of a warp", "pJ", 1, "sm.shared", "bandwidth_shared", NULL, -1, false, shared_pj},
    {"l1_pj", PRICES, "L1, a load of a warp that hits", "pJ", 1, "l1.size", "bandwidth_l1", NULL, -1, false, l1_pj},
    {"l2_pj", PRICES, "L2, a sector read", "pJ", 1, "llc.size", "bandwidth_l2", NULL, -1, false, l2_pj},
    {"noc_sector_pj", PRICES, "network, 32 B read: request and reply", "pJ", 1, "noc.width", "bandwidth_l2", NULL, -1, false, noc_sector_pj},
    {"flit_pj", PRICES, "network, a flit end to end", "pJ", 1, "noc.width", "bandwidth_l2", NULL, -1, false, flit_pj},
    {"register_read_pj", PRICES, "a register of a warp read", "pJ", 1, "sm.registers", "power_fp32", NULL, -1, false, register_read_pj},
    {"register_write_pj", PRICES, "a register of a warp written", "pJ", 1, "sm.registers", "power_fp32", NULL, -1, false, register_write_pj},
    {"dram_bit_pj", PRICES, "DRAM, a bit read", "pJ", 2, "energy.core", "dram_read", NULL, -1, false, dram_bit_pj},
    {"die_mm2", AREA, "the die", "mm2", 0, "tech.tiles.sm", NULL, NULL, -1, false, die_mm2},
    {"sm_mm2", AREA, "an SM", "mm2", 2, "tech.tiles.sm", NULL, NULL, -1, false, sm_mm2},
    {"l2_mm2", AREA, "the L2 with its logic", "mm2", 1, "tech.tiles.llc", NULL, NULL, -1, false, l2_mm2},
    {"noc_mm2", AREA, "networks on the die", "mm2", 1, "tech.tiles.noc", NULL, NULL, -1, false, noc_mm2},
    {"noc_priced_mm2", AREA, "of them routers and repeaters, as priced", "mm2", 1, "noc.width", NULL, NULL, -1, false, noc_priced_mm2},
};
/* clang-format on */
const size_t n_silicon_figures = sizeof silicon_figures / sizeof *silicon_figures;

const char *const *silicon_figure_names(struct arena *mem)
{
    const char **names = arena_many(mem, const char *, n_silicon_figures);
    for (size_t i = 0; i < n_silicon_figures; i++)
        names[i] = silicon_figures[i].id;
    return names;
}

const char **silicon_benches(const bool *wanted, struct arena *mem, size_t *n)
{
    const char **list = arena_many(mem, const char *, 2 * n_silicon_figures);
    *n = 0;
    for (size_t i = 0; i < n_silicon_figures; i++) {
        const char *both[] = {silicon_figures[i].bench, silicon_figures[i].other};
        for (int k = 0; k < 2 && (!wanted || wanted[i]); k++) {
            size_t at = 0;
            while (both[k] && at < *n && strcmp(list[at], both[k]) != 0)
                at++;
            if (both[k] && at == *n)
                list[(*n)++] = both[k];
        }
    }
    return list;
}

double silicon_value(const struct silicon_run *run, const struct silicon_figure *f)
{
    double v = f->value(run, f);
    return isfinite(v) ? v : NAN;
}
