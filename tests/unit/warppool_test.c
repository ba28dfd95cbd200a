/* SPDX-License-Identifier: MIT
 *
 * WarpPool, MRPB, the banked L1, static warp limiting, and packets merged in routers: small
 * machines with programs that are made for them. */
#include "tests/unit/machine.h"

#include "base/bits.h"
#include "sim/cluster/cluster.h"
#include "sim/frame/machine.h"
#include "sim/memory/dram.h"
#include "sim/memory/l2.h"
#include "sim/sm/l1.h"
#include "sim/sm/lsu.h"
#include "sim/sm/sm.h"

/* ---- programs whose lanes go where they like ---- */

struct act {
    uint8_t kind; /* 0 load, 1 store, 2 arithmetic that needs the last load, 3 atomic */
    uint64_t at[32];
};

typedef bool (*act_fn)(uint32_t cta, uint32_t warp, uint32_t i, struct act *out);

static void make(const char *name, uint32_t n_ctas, uint32_t n_warps, act_fn fn,
                 struct trace_source *out)
{
    static const struct trace_static statics[] = {
        {.cls = TC_LOAD,
         .space = TS_GLOBAL,
         .access_bytes = 4,
         .n_dst = 1,
         .n_src = 1,
         .dst = {1},
         .src = {2}},
        {.pc = 8,
         .cls = TC_STORE,
         .space = TS_GLOBAL,
         .access_bytes = 4,
         .n_src = 2,
         .src = {2, 3}},
        {.pc = 16, .cls = TC_FP32, .n_dst = 1, .n_src = 1, .dst = {3}, .src = {1}},
        {.pc = 24,
         .cls = TC_ATOMIC,
         .space = TS_GLOBAL,
         .access_bytes = 4,
         .n_dst = 1,
         .n_src = 1,
         .dst = {1},
         .src = {2}},
        {.pc = 32, .cls = TC_EXIT},
    };
    struct trace_memory *m = trace_memory_new(name);
    struct trace_sink sink = trace_memory_sink(m);
    struct err err;
    err_init(&err);
    struct trace_kernel kernel = {.name = name,
                                  .grid = {n_ctas, 1, 1},
                                  .block = {n_warps * 32, 1, 1},
                                  .n_ctas = n_ctas,
                                  .warps_per_cta = n_warps,
                                  .regs_per_thread = 8};
    assert_true(sink.begin_kernel(sink.ctx, &kernel, &err));
    for (uint32_t c = 0; c < n_ctas; c++) {
        struct arena mem;
        arena_init(&mem, NULL, NULL);
        struct trace_warp *warps = arena_many(&mem, struct trace_warp, n_warps);
        uint32_t n = 0, n_acts = 0;
        struct act a;
        for (uint32_t w = 0; w < n_warps; w++)
            for (uint32_t i = 0; fn(c, w, i, &a); i++)
                n_acts++;
        uint64_t *addresses = arena_many(&mem, uint64_t, (size_t)n_acts * 32 + 1);
        for (uint32_t w = 0; w < n_warps; w++) {
            uint32_t n_steps = 0;
            while (fn(c, w, n_steps, &a))
                n_steps++;
            struct trace_inst *insts = arena_many(&mem, struct trace_inst, n_steps + 1);
            for (uint32_t i = 0; i < n_steps; i++) {
                fn(c, w, i, &a);
                insts[i] = (struct trace_inst){.mask = UINT32_MAX, .stat = a.kind};
                if (a.kind == 2)
                    continue;
                insts[i].first_address = n;
                insts[i].n_addresses = 32;
                for (uint32_t l = 0; l < 32; l++)
                    addresses[n++] = 0x10000000 + a.at[l];
            }
            insts[n_steps] = (struct trace_inst){.mask = UINT32_MAX, .stat = 4};
            warps[w] = (struct trace_warp){insts, n_steps + 1};
        }
        assert_true(
            sink.add_cta(sink.ctx,
                         &(struct trace_cta){
                             .id = c, .n_warps = n_warps, .warps = warps, .addresses = addresses},
                         &err));
        arena_free(&mem);
    }
    assert_true(sink.end_kernel(sink.ctx, statics, 5, &err));
    trace_memory_source(m, out);
    err_free(&err);
}

#define ROW 4096u /* bytes of a matrix row */

/* Column-wise: lane l reads row l; the warps of a CTA read neighbouring words of the same lines. */
static bool columns(uint32_t cta, uint32_t warp, uint32_t i, struct act *out)
{
    out->kind = i % 3 == 2 ? 2 : 0;
    for (uint32_t l = 0; l < 32; l++)
        out->at[l] = ((uint64_t)cta * 32 + l) * ROW + i / 3 * 128 + warp * 8 + i % 3 * 4;
    return i < 24;
}

/* Each lane walks its own row: reuse inside a warp, none between warps. */
static bool rows(uint32_t cta, uint32_t warp, uint32_t i, struct act *out)
{
    out->kind = i % 2 ? 2 : 0;
    for (uint32_t l = 0; l < 32; l++)
        out->at[l] = (((uint64_t)cta * 8 + warp) * 32 + l) * ROW + i / 2 * 4;
    return i < 64;
}

/* The same with a sum that is kept in memory. */
static bool sums(uint32_t cta, uint32_t warp, uint32_t i, struct act *out)
{
    static const uint8_t kinds[] = {0, 2, 1};
    uint64_t row = ((uint64_t)cta * 8 + warp) * 32;
    out->kind = kinds[i % 3];
    for (uint32_t l = 0; l < 32; l++)
        out->at[l] = out->kind ? (row + l) * 4 + (1 << 26) : (row + l) * ROW + i / 3 * 4;
    return i < 96;
}

/* Every lane and warp the same few lines, in an order that no pattern describes. */
static bool scattered(uint32_t cta, uint32_t warp, uint32_t i, struct act *out)
{
    static const uint8_t kinds[] = {0, 0, 2, 1, 3, 0};
    out->kind = kinds[i % 6];
    for (uint32_t l = 0; l < 32; l++)
        out->at[l] = (l * 7 + warp * 3 + i) % 8 * 128 + (l * 11 + i) % 32 * 4 + cta % 4 * 2048;
    return i < 36;
}

/* All warps the same 32 lines, once. */
static bool together(uint32_t cta, uint32_t warp, uint32_t i, struct act *out)
{
    (void)cta, (void)warp;
    out->kind = 0;
    for (uint32_t l = 0; l < 32; l++)
        out->at[l] = l * ROW;
    return i < 1;
}

/* Load and store the same line in turn; every warp has its own. */
static bool turns(uint32_t cta, uint32_t warp, uint32_t i, struct act *out)
{
    out->kind = i % 2;
    for (uint32_t l = 0; l < 32; l++)
        out->at[l] = ((uint64_t)cta * 4 + warp) * 128 + l * 4;
    return i < 20;
}

/* Few lines, all in the L1 after the first round: 32 different sets for each load. */
static bool hits(uint32_t cta, uint32_t warp, uint32_t i, struct act *out)
{
    (void)cta, (void)warp;
    out->kind = 0;
    for (uint32_t l = 0; l < 32; l++)
        out->at[l] = l * 128;
    return i < 200;
}

/* Streams: nothing is used twice, and what is asked for at one time lies together. */
static bool streams(uint32_t cta, uint32_t warp, uint32_t i, struct act *out)
{
    out->kind = i % 4 == 3 ? 2 : 0;
    for (uint32_t l = 0; l < 32; l++)
        out->at[l] = ((uint64_t)i * 56 * 8 + (uint64_t)cta * 8 + warp) * 128 + l * 4;
    return i < 60;
}

/* The first warp reads one line again and again; the others only lines that nobody has read. */
static bool favoured(uint32_t cta, uint32_t warp, uint32_t i, struct act *out)
{
    out->kind = i % 2 ? 2 : 0;
    for (uint32_t l = 0; l < 32; l++)
        out->at[l] = cta == 0 ? l * 4 : (((uint64_t)i * 8 + warp) * 32 + l + 1) * 128;
    return cta == 0 ? warp == 0 && i < 40 : i < 40;
}

enum { COLUMNS, ROWS, SCATTERED, TOGETHER, TURNS, HITS, STREAMS, FAVOURED, SUMS, PROGRAMS };
struct world {
    struct trace_source p[PROGRAMS];
};

static int set_up(void **state)
{
    static struct world w;
    make("columns", 12, 8, columns, &w.p[COLUMNS]);
    make("rows", 12, 8, rows, &w.p[ROWS]);
    make("scattered", 12, 8, scattered, &w.p[SCATTERED]);
    make("together", 1, 48, together, &w.p[TOGETHER]);
    make("turns", 12, 4, turns, &w.p[TURNS]);
    make("hits", 1, 4, hits, &w.p[HITS]);
    make("streams", 56, 8, streams, &w.p[STREAMS]);
    make("favoured", 2, 8, favoured, &w.p[FAVOURED]);
    make("sums", 12, 8, sums, &w.p[SUMS]);
    *state = &w;
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    for (int i = 0; i < PROGRAMS; i++)
        w->p[i].close(&w->p[i]);
    return 0;
}

/* Two SMs of the WarpPool paper's machine behind an idealised crossbar. */
#define POOL_MACHINE                                                                               \
    "base = \"cfg/paper/warppool/base.cfg\";\n"                                                    \
    "gpu: { sms = 2; network = \"local\"; };\n"
#define WARPPOOL "coalescer.kind=warppool"
#define MRPB "coalescer.kind=mrpb"
#define BANKED "coalescer.kind=banked", "l1.banks=8", "l1.misses_per_cycle=1"

static struct stat_totals totals(const struct trace_source *p, const char *const *sets)
{
    struct machine m;
    machine_make(&m, POOL_MACHINE, sets);
    machine_run(&m, &p, 1);
    for (uint32_t i = 0; i < m.gpu->n_sms; i++) { /* nothing is left anywhere */
        assert_int_equal(m.gpu->sms[i].gate_load | m.gpu->sms[i].gate_store, 0);
        assert_true(lsu_is_idle(&m.gpu->sms[i]));
    }
    struct stat_totals t = m.t;
    machine_free(&m);
    return t;
}

/* ---- patterns ---- */

static enum lane_pattern pattern_of(uint32_t bytes, uint32_t mask, uint32_t lanes,
                                    const uint64_t *at)
{
    struct trace_static s = {.cls = TC_LOAD, .space = TS_GLOBAL, .access_bytes = (uint8_t)bytes};
    struct trace_inst i = {.mask = mask, .n_addresses = (uint8_t)bits_count(mask)};
    return lane_pattern(&s, &i, at, 0x1000, 0x1000, 128, lanes);
}

static void the_ways_lanes_map_to_words_are_told_apart(void **state)
{
    (void)state;
    uint64_t unit[32], one[32], shifted[32], twice[32], back[32];
    for (uint32_t l = 0; l < 32; l++) {
        unit[l] = l * 4;
        one[l] = 20;
        shifted[l] = l * 4 + 40; /* lanes 22.. fall into the next line */
        twice[l] = l * 8;
        back[l] = (31 - l) * 4;
    }
    assert_int_equal(pattern_of(4, UINT32_MAX, UINT32_MAX, unit), LANES_CONSECUTIVE);
    assert_int_equal(pattern_of(4, UINT32_MAX, UINT32_MAX, one), LANES_BROADCAST);
    assert_int_equal(pattern_of(4, UINT32_MAX, 1u << 7, unit), LANES_SINGLE);
    assert_int_equal(pattern_of(4, UINT32_MAX, (1u << 22) - 1, shifted), LANES_RANGE);
    assert_int_equal(pattern_of(8, UINT32_MAX, 0xffff, twice), LANES_RANGE);
    assert_int_equal(pattern_of(4, UINT32_MAX, 0xffff, twice), LANES_IRREGULAR); /* every other */
    assert_int_equal(pattern_of(4, UINT32_MAX, UINT32_MAX, back), LANES_IRREGULAR);
    assert_int_equal(pattern_of(4, UINT32_MAX, 0xff, unit), LANES_IRREGULAR); /* ends nowhere */
    assert_int_equal(pattern_of(4, UINT32_MAX, 0xff, one), LANES_IRREGULAR);  /* not all lanes */
    assert_int_equal(pattern_of(4, 0xff, 0xff, unit), LANES_CONSECUTIVE); /* all that are active */
    assert_int_equal(pattern_of(4, UINT32_MAX, ~0u << 22, shifted),
                     LANES_IRREGULAR); /* next line */
}

/* ---- what each is for ---- */

static void on_columns_warppool_merges_and_is_faster_and_the_others_merge_nothing(void **state)
{
    const struct trace_source *p = &((struct world *)*state)->p[COLUMNS];
    struct stat_totals base = totals(p, SETS("coalescer.kind=intra"));
    struct stat_totals pool = totals(p, SETS(WARPPOOL));
    struct stat_totals mrpb = totals(p, SETS(MRPB));
    struct stat_totals banked = totals(p, SETS(BANKED));
    assert_true(pool.pool_requests > 1.2 * pool.pool_l1_requests);
    assert_true(pool.cycles < base.cycles);
    assert_true(pool.l1d_misses < base.l1d_misses);
    assert_true(pool.cycles < mrpb.cycles); /* reuse is between warps: their order does not help */
    assert_true(pool.cycles < banked.cycles && banked.cycles < base.cycles);
    assert_true(mrpb.pool_merged == 0 && mrpb.pool_requests == mrpb.pool_l1_requests);
    assert_true(base.global_accesses == pool.global_accesses);
    assert_true(base.global_accesses == banked.global_accesses);
    assert_true(banked.l1d_accesses > banked.l1_cycles);
    assert_true(base.warp_insts == pool.warp_insts && base.warp_insts == mrpb.warp_insts);
}

static void what_merged_and_what_was_sent_are_what_was_asked(void **state)
{
    struct world *w = *state;
    static const char *const sizes[] = {"coalescer.warppool.merges=1",
                                        "coalescer.warppool.merges=2",
                                        "coalescer.warppool.tags=1",
                                        "coalescer.warppool.merge_queues=1",
                                        "coalescer.warppool.merge_queues=256",
                                        "coalescer.warppool.thread_maps=1",
                                        "coalescer.warppool.coalescers=1",
                                        "coalescer.warppool.coalescers=8",
                                        "coalescer.warppool.writeback=1",
                                        "coalescer.warppool.depth=1",
                                        "l1.mshr.entries=1",
                                        "l1.mshr.merges=1"};
    for (int i = 0; i < PROGRAMS; i++) {
        if (i >= STREAMS)
            continue;
        struct stat_totals base = totals(&w->p[i], NULL);
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            if (i != SCATTERED && k % 4 != (size_t)i % 4)
                continue;
            struct stat_totals t = totals(&w->p[i], SETS(WARPPOOL, sizes[k]));
            assert_true(t.pool_requests == t.pool_merged + t.pool_l1_requests);
            assert_true(t.pool_requests + t.pool_stores == base.global_accesses);
            assert_true(t.l1d_accesses + t.atomics == t.pool_l1_requests + t.pool_stores);
            double patterns = 0;
            for (int j = 0; j < LANE_PATTERNS; j++)
                patterns += t.pool_patterns[j];
            assert_true(patterns == t.pool_requests);
            if (k == 0)
                assert_true(t.pool_merged == 0);
        }
    }
}

/* 48 warps, 32 lines: a line is asked for 48 times and sent three times with 16 merges. One MSHR
 * keeps the L1 from taking requests away before all have come. */
static void without_limits_every_load_of_a_line_shares_its_request(void **state)
{
    const struct trace_source *p = &((struct world *)*state)->p[TOGETHER];
    struct stat_totals t = totals(
        p, SETS(WARPPOOL, "coalescer.warppool.merge_queues=256", "coalescer.warppool.tags=16",
                "coalescer.warppool.merges=16", "coalescer.warppool.depth=64",
                "coalescer.warppool.coalescers=16", "l1.mshr.entries=1", "l1.mshr.merges=64"));
    struct stat_totals plain = totals(p, SETS(WARPPOOL, "l1.mshr.entries=1", "l1.mshr.merges=64"));
    assert_true(t.pool_requests == 48 * 32);
    assert_true(t.pool_l1_requests >= 48 * 32 / 16);
    assert_true(t.pool_l1_requests <= 1.2 * 48 * 32 / 16);
    assert_true(plain.pool_l1_requests > t.pool_l1_requests &&
                plain.pool_l1_requests >= 48 * 32 / 4);
}

static void where_lanes_walk_rows_the_order_of_warps_keeps_their_lines(void **state)
{
    const struct trace_source *p = &((struct world *)*state)->p[ROWS];
    struct stat_totals base = totals(p, NULL), pool = totals(p, SETS(WARPPOOL));
    assert_true(pool.l1d_misses < base.l1d_misses / 4);
    assert_true(pool.cycles < base.cycles / 2);
    assert_true(pool.pool_merged == 0);
}

static void lowest_warp_first_misses_less_than_oldest_first_where_lanes_walk_rows(void **state)
{
    const struct trace_source *p = &((struct world *)*state)->p[SUMS];
    struct stat_totals oldest = totals(p, SETS(WARPPOOL, "coalescer.warppool.policy=oldest"));
    struct stat_totals warp = totals(p, SETS(WARPPOOL, "coalescer.warppool.policy=warp"));
    assert_true(warp.l1d_misses < oldest.l1d_misses);
    assert_true(warp.pool_by_warp_cycles == warp.pool_cycles && oldest.pool_by_warp_cycles == 0);
}

static void note_first_cta(void *ctx, const struct l1_look *a, uint64_t now)
{
    if (a->cta == 0)
        *(uint64_t *)ctx = now;
}

/* A request that the L1 cannot serve for want of an MSHR stays in the window. The oldest holds up
 * all behind it; with the lowest warp first its hits go on while the misses of others wait. */
static void what_the_l1_refuses_does_not_hold_up_the_hits_of_a_lower_warp(void **state)
{
    const struct trace_source *p = &((struct world *)*state)->p[FAVOURED];
    static const char *const policies[] = {"coalescer.warppool.policy=oldest",
                                           "coalescer.warppool.policy=warp"};
    uint64_t last[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        struct machine m;
        machine_make(&m, POOL_MACHINE,
                     SETS(WARPPOOL, policies[k], "gpu.sms=1", "l1.mshr.entries=2",
                          "coalescer.warppool.coalescers=16", "coalescer.warppool.tags=16"));
        gpu_add_probe(m.gpu, &(struct sim_probe){.ctx = &last[k], .l1 = note_first_cta});
        machine_run(&m, &p, 1);
        assert_true(m.t.pool_stalls[POOL_L1_BUSY] > 0);
        machine_free(&m);
    }
    assert_true(last[0] > 10000);
    assert_true(last[1] < 1000); /* twenty loads, all but the first hit */
}

static void the_policy_changes_after_a_quantum_that_missed_more_than_its_share(void **state)
{
    const struct trace_source *p = &((struct world *)*state)->p[ROWS];
    struct stat_totals often = totals(
        p, SETS(WARPPOOL, "coalescer.warppool.quantum=500", "coalescer.warppool.toggle=0.1"));
    struct stat_totals never =
        totals(p, SETS(WARPPOOL, "coalescer.warppool.quantum=500", "coalescer.warppool.toggle=1"));
    assert_true(often.pool_toggles >= 2);
    assert_true(often.pool_by_warp_cycles > 0 && often.pool_by_warp_cycles < often.pool_cycles);
    assert_true(never.pool_toggles == 0 && never.pool_by_warp_cycles == 0);
}

static void one_thread_map_is_enough_to_go_on(void **state)
{
    const struct trace_source *p = &((struct world *)*state)->p[SCATTERED];
    struct stat_totals one = totals(p, SETS(WARPPOOL, "coalescer.warppool.thread_maps=1"));
    struct stat_totals many = totals(p, SETS(WARPPOOL, "coalescer.warppool.thread_maps=256"));
    assert_true(one.pool_patterns[LANES_IRREGULAR] > 0.5 * one.pool_requests);
    assert_true(one.pool_stalls[POOL_NO_MAP] > 10 * many.pool_stalls[POOL_NO_MAP]);
    assert_true(many.cycles < one.cycles);
}

/* ---- order ---- */

struct order {
    int last[48]; /* [line] 0: a load came last, 1: a store */
    uint32_t n[48];
    bool is_right;
};

static void see(void *ctx, const struct l1_look *a, uint64_t now)
{
    struct order *o = ctx;
    (void)now;
    uint32_t line = (uint32_t)((a->address - 0x10000000) / 128) % 48;
    if (o->n[line]++)
        o->is_right &= a->is_write != o->last[line];
    else
        o->is_right &= !a->is_write;
    o->last[line] = a->is_write;
}

static void loads_and_stores_of_a_warp_reach_the_l1_in_program_order(void **state)
{
    const struct trace_source *p = &((struct world *)*state)->p[TURNS];
    static const char *const kinds[] = {"coalescer.kind=intra", WARPPOOL, MRPB};
    for (int k = 0; k < 3; k++) {
        struct machine m;
        struct order o = {.is_right = true};
        machine_make(&m, POOL_MACHINE, SETS(kinds[k]));
        gpu_add_probe(m.gpu, &(struct sim_probe){.ctx = &o, .l1 = see});
        machine_run(&m, &p, 1);
        assert_true(o.is_right);
        for (int i = 0; i < 48; i++)
            assert_int_equal(o.n[i], 20);
        if (k == 1)
            assert_true(m.t.gate_order_cycles > 0);
        machine_free(&m);
    }
}

/* ---- the others ---- */

static void eight_banks_answer_up_to_eight_hits_of_a_load_at_once(void **state)
{
    const struct trace_source *p = &((struct world *)*state)->p[HITS];
    struct stat_totals base = totals(p, NULL), banked = totals(p, SETS(BANKED));
    assert_true(base.l1d_accesses == base.l1_cycles);
    assert_true(banked.l1d_accesses > 4 * banked.l1_cycles);
    assert_true(banked.l1d_accesses <= 8 * banked.l1_cycles);
    assert_true(banked.cycles < 0.4 * base.cycles);
}

static void eight_banks_take_one_miss_at_a_time(void **state)
{
    const struct trace_source *p = &((struct world *)*state)->p[TOGETHER];
    struct stat_totals one = totals(p, SETS(BANKED));
    struct stat_totals all = totals(p, SETS("coalescer.kind=banked", "l1.banks=8"));
    assert_true(one.l1d_accesses == all.l1d_accesses);
    assert_true(one.l1_cycles > all.l1_cycles);
}

static void fewer_warps_at_a_time_miss_less_where_lanes_walk_rows(void **state)
{
    const struct trace_source *p = &((struct world *)*state)->p[ROWS];
    const char *small = "l1.size=16 KB", *limit = "sm.warp_limit=2";
    struct stat_totals all = totals(p, SETS(small)), few = totals(p, SETS(small, limit));
    struct stat_totals pool = totals(p, SETS(small, WARPPOOL));
    struct stat_totals both = totals(p, SETS(small, WARPPOOL, limit));
    assert_true(few.l1d_misses < all.l1d_misses);
    assert_true(both.l1d_misses < pool.l1d_misses);
    assert_true(few.warp_insts == all.warp_insts && both.warp_insts == all.warp_insts);
}

static void jumping_over_idle_cycles_changes_nothing(void **state)
{
    const struct trace_source *p = &((struct world *)*state)->p[SCATTERED];
    static const char *const kinds[] = {WARPPOOL, MRPB};
    for (int k = 0; k < 2; k++) {
        struct stat_totals t[2];
        for (int i = 0; i < 2; i++) {
            struct machine m;
            machine_make(&m, POOL_MACHINE, SETS(kinds[k]));
            assert_true(gpu_run(
                m.gpu, &(struct gpu_run){.programs = &p, .n_programs = 1, .no_skip = i == 1}));
            stats_of_gpu(m.gpu, &t[i]);
            t[i].skipped_cycles = 0;
            machine_free(&m);
        }
        assert_memory_equal(&t[0], &t[1], sizeof t[0]);
    }
}

static void every_table_is_read_as_often_as_the_mechanism_needs(void **state)
{
    const struct trace_source *p = &((struct world *)*state)->p[SCATTERED];
    struct machine m;
    machine_make(&m, POOL_MACHINE, SETS(WARPPOOL));
    machine_run(&m, &p, 1);
    uint64_t n[ROLE_COUNT][EV_COUNT] = {{0}};
    for (uint32_t sm = 0; sm < 2; sm++)
        for (int role = ROLE_WP_INSTRUCTIONS; role <= ROLE_MRPB; role++)
            gpu_array_events(m.gpu, (enum array_role)role, sm, n[role]);
    const struct stat_totals *t = &m.t;
    assert_true((double)n[ROLE_WP_INSTRUCTIONS][EV_ARRAY_WRITE] == t->global_insts);
    assert_true((double)n[ROLE_WP_INSTRUCTIONS][EV_ARRAY_READ] == t->global_insts);
    assert_true((double)n[ROLE_WP_COALESCERS][EV_ARRAY_READ] == t->global_accesses);
    assert_true((double)n[ROLE_WP_MERGE_QUEUES][EV_ARRAY_WRITE] == t->pool_requests);
    assert_true((double)n[ROLE_WP_MERGE_QUEUES][EV_ARRAY_SEARCH] == t->pool_requests);
    assert_true((double)n[ROLE_WP_MERGE_QUEUES][EV_ARRAY_READ] == t->pool_l1_requests);
    assert_true((double)n[ROLE_WP_THREAD_MAPS][EV_ARRAY_WRITE] ==
                t->pool_patterns[LANES_IRREGULAR]);
    assert_int_equal(n[ROLE_WP_THREAD_MAPS][EV_ARRAY_READ], n[ROLE_WP_THREAD_MAPS][EV_ARRAY_WRITE]);
    assert_true((double)n[ROLE_WP_MSHR_METADATA][EV_ARRAY_WRITE] == t->pool_requests + t->atomics);
    assert_int_equal(n[ROLE_WP_MSHR_METADATA][EV_ARRAY_READ],
                     n[ROLE_WP_MSHR_METADATA][EV_ARRAY_WRITE]);
    assert_int_equal(n[ROLE_MRPB][EV_ARRAY_READ], 0);
    machine_free(&m);
}

/* ---- packets ---- */

static struct stat_totals packets(const struct trace_source *p, const char *file,
                                  const char *const *sets)
{
    struct machine m;
    char text[200];
    snprintf(text, sizeof text, "base = \"cfg/paper/packet/%s.cfg\";\n", file);
    machine_make(&m, text, sets);
    machine_run(&m, &p, 1);
    struct stat_totals t = m.t;
    machine_free(&m);
    return t;
}

static void routers_merge_the_read_requests_of_a_row_and_lose_none(void **state)
{
    const struct trace_source *p = &((struct world *)*state)->p[STREAMS];
    struct stat_totals base = packets(p, "base", NULL), merge = packets(p, "merge", NULL);
    struct stat_totals held = packets(p, "merge", SETS("noc.request.packet_merge.delay_only=true"));
    assert_true(base.has_packet_merge == 0 && base.in_big == 0);
    assert_true(merge.in_big > 0.05 * merge.mergeable && merge.in_big <= merge.mergeable);
    assert_true(merge.packets_merged > 0 && merge.packets_merged < merge.mergeable);
    assert_true(held.packets_merged == 0 && held.in_big == 0 && held.packets_held > 0);
    assert_true(merge.mergeable == held.mergeable); /* every read request arrives once */
    assert_true(merge.answers == merge.requests && base.answers == base.requests);
    assert_true(merge.hold_cycles > 0);
    assert_true(held.cycles > base.cycles);
    assert_true(merge.dram_rd == base.dram_rd);
}

/* Routers with a table are evaluated by the engine with every option: it must agree with the other
 * to the cycle where the table has nothing to do. */
static void a_merge_table_that_holds_nothing_changes_no_number(void **state)
{
    const struct trace_source *p = &((struct world *)*state)->p[STREAMS];
    struct stat_totals base = packets(p, "base", NULL);
    struct stat_totals idle = packets(p, "merge", SETS("noc.request.packet_merge.slack=none"));
    assert_true(idle.has_packet_merge == 1 && idle.mergeable > 0);
    assert_true(idle.packets_merged + idle.packets_held + idle.hold_cycles == 0);
    idle.has_packet_merge = idle.mergeable = 0;
    base.mergeable = 0;
    assert_memory_equal(&base, &idle, sizeof base);
}

static void without_limits_almost_every_request_of_a_row_travels_with_another(void **state)
{
    const struct trace_source *p = &((struct world *)*state)->p[STREAMS];
    struct stat_totals some = packets(p, "merge", NULL);
    struct stat_totals all =
        packets(p, "merge",
                SETS("noc.request.packet_merge.entries=1024", "noc.vc_depth=64",
                     "noc.request.packet_merge.max_flits=64",
                     "noc.request.packet_merge.cycles_per_hop=200"));
    assert_true(all.in_big <= all.mergeable && all.mergeable == some.mergeable);
    assert_true(all.in_big > 0.95 * all.mergeable);
    assert_true(all.packets_merged > some.packets_merged);
}

/* Searched by every read request in every router on its way, whether it waits there or not. */
static void merge_tables_are_counted_router_by_router(void **state)
{
    const struct trace_source *p = &((struct world *)*state)->p[STREAMS];
    static const char *const files[] = {"merge", "base"};
    for (int k = 0; k < 2; k++) {
        struct machine m;
        char text[200];
        snprintf(text, sizeof text, "base = \"cfg/paper/packet/%s.cfg\";\n", files[k]);
        machine_make(&m, text, NULL);
        machine_run(&m, &p, 1);
        uint64_t sum[EV_COUNT] = {0};
        uint32_t n_routers = m.gpu->cfg.noc[0]->n_routers;
        for (uint32_t r = 0; r < n_routers; r++)
            gpu_router_events(m.gpu, NOC_REQUEST, r, sum);
        if (k == 1) {
            assert_int_equal(sum[EV_MERGE_SEARCH] + sum[EV_MERGE_HOLD], 0);
        } else {
            assert_true(sum[EV_MERGE_SEARCH] >= sum[EV_MERGE_HOLD]);
            assert_true((double)sum[EV_MERGE_SEARCH] >= m.t.mergeable);
            assert_true((double)sum[EV_MERGE_HOLD] == m.t.packets_held + m.t.packets_merged);
        }
        machine_free(&m);
    }
}

static void every_order_of_requests_and_queue_length_runs_with_and_without_merging(void **state)
{
    const struct trace_source *p = &((struct world *)*state)->p[STREAMS];
    struct stat_totals fifo = packets(p, "base", NULL);
    static const char *const files[] = {"frfcfs", "bfifo4", "bfifo32-merge"};
    for (int i = 0; i < 3; i++) {
        struct stat_totals t = packets(p, files[i], NULL);
        assert_true(t.thread_insts == fifo.thread_insts && t.dram_rd == fifo.dram_rd);
        if (i == 0)
            assert_true(t.row_hits > fifo.row_hits);
        assert_true(t.bank_idle_ticks > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ways_lanes_map_to_words_are_told_apart),
        cmocka_unit_test(on_columns_warppool_merges_and_is_faster_and_the_others_merge_nothing),
        cmocka_unit_test(what_merged_and_what_was_sent_are_what_was_asked),
        cmocka_unit_test(without_limits_every_load_of_a_line_shares_its_request),
        cmocka_unit_test(where_lanes_walk_rows_the_order_of_warps_keeps_their_lines),
        cmocka_unit_test(lowest_warp_first_misses_less_than_oldest_first_where_lanes_walk_rows),
        cmocka_unit_test(what_the_l1_refuses_does_not_hold_up_the_hits_of_a_lower_warp),
        cmocka_unit_test(the_policy_changes_after_a_quantum_that_missed_more_than_its_share),
        cmocka_unit_test(one_thread_map_is_enough_to_go_on),
        cmocka_unit_test(loads_and_stores_of_a_warp_reach_the_l1_in_program_order),
        cmocka_unit_test(eight_banks_answer_up_to_eight_hits_of_a_load_at_once),
        cmocka_unit_test(eight_banks_take_one_miss_at_a_time),
        cmocka_unit_test(fewer_warps_at_a_time_miss_less_where_lanes_walk_rows),
        cmocka_unit_test(jumping_over_idle_cycles_changes_nothing),
        cmocka_unit_test(every_table_is_read_as_often_as_the_mechanism_needs),
        cmocka_unit_test(routers_merge_the_read_requests_of_a_row_and_lose_none),
        cmocka_unit_test(a_merge_table_that_holds_nothing_changes_no_number),
        cmocka_unit_test(without_limits_almost_every_request_of_a_row_travels_with_another),
        cmocka_unit_test(merge_tables_are_counted_router_by_router),
        cmocka_unit_test(every_order_of_requests_and_queue_length_runs_with_and_without_merging),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
