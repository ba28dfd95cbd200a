/* SPDX-License-Identifier: MIT
 *
 * Hand-made kernels on the machine: barriers, fences, atomics, shared memory, constants, stores. */
#include "tests/unit/fixture.h"

#include "base/arena.h"
#include "base/err.h"
#include "gen/config/read.h"
#include "gen/run/setup.h"
#include "sim/gpu/stats.h"
#include "sim/trace/sink.h"

#define BASE                                                                                       \
    "gpu: { sms = 2; core_clock_ghz = 1.0; l2_clock_ghz = 1.0; dram_clock_ghz = 1.0;\n"            \
    "       network = \"local\"; };\n"                                                             \
    "sm: { warps = 32; threads = 1024; registers = 65536; };\n"                                    \
    "l1: { size = 32768; hit_cycles = 20; };\n"                                                    \
    "noc: { topology = \"crossbar\"; clock_ghz = 1.0; };\n"                                        \
    "llc: { slices = 2; hit_cycles = 30; };\n"                                                     \
    "dram: { controllers = 2; controller_cycles = 50; };\n"

/* One instruction of a test kernel: every warp of every CTA does the same. */
struct step {
    uint8_t cls, space, dst, src;
    uint32_t mask;
    uint64_t address;
    int64_t stride;
    uint32_t warps; /* mask of the warps that do it; 0: all */
};

static void run(struct fixture *f, const struct step *steps, uint32_t n, uint32_t ctas,
                uint32_t warps, const char *const *sets, size_t n_sets, struct stat_totals *t)
{
    struct trace_memory *m = trace_memory_new("test");
    struct trace_sink sink = trace_memory_sink(m);
    struct trace_kernel k = {.name = "k",
                             .grid = {ctas, 1, 1},
                             .block = {32 * warps, 1, 1},
                             .n_ctas = ctas,
                             .warps_per_cta = warps,
                             .regs_per_thread = 16,
                             .shared_bytes = 4096};
    struct trace_static statics[64] = {{0}};
    struct trace_inst insts[32][64];
    struct trace_warp list[32];
    uint64_t addresses[32 * 64];
    assert_true(sink.begin_kernel(sink.ctx, &k, &f->err));
    for (uint32_t c = 0; c < ctas; c++) {
        uint32_t at = 0;
        for (uint32_t w = 0; w < warps; w++) {
            uint32_t count = 0;
            for (uint32_t i = 0; i < n; i++) {
                const struct step *s = &steps[i];
                if (s->warps && !(s->warps >> w & 1))
                    continue;
                uint32_t lanes = s->space ? (uint32_t)__builtin_popcount(s->mask) : 0;
                insts[w][count++] = (struct trace_inst){.mask = s->mask,
                                                        .stat = (uint16_t)i,
                                                        .n_addresses = (uint16_t)lanes,
                                                        .first_address = at};
                for (uint32_t l = 0; l < lanes; l++)
                    addresses[at++] = s->address + (uint64_t)(s->stride * (int64_t)l);
                statics[i] = (struct trace_static){.pc = 16 * i,
                                                   .cls = s->cls,
                                                   .space = s->space,
                                                   .access_bytes = s->space ? 4 : 0,
                                                   .n_dst = s->dst != 0,
                                                   .n_src = s->src != 0};
                statics[i].dst[0] = s->dst;
                statics[i].src[0] = s->src;
            }
            list[w] = (struct trace_warp){insts[w], count};
        }
        struct trace_cta cta = {.id = c, .n_warps = warps, .warps = list, .addresses = addresses};
        assert_true(sink.add_cta(sink.ctx, &cta, &f->err));
    }
    assert_true(sink.end_kernel(sink.ctx, statics, n, &f->err));
    struct trace_source src;
    trace_memory_source(m, &src);

    struct arch *a = arena_new(&f->mem, struct arch);
    struct sim_setup *s = arena_new(&f->mem, struct sim_setup);
    struct read_request r = {.file = "test",
                             .text = BASE,
                             .sets = sets,
                             .n_sets = n_sets,
                             .data_dir = ".",
                             .no_files = true};
    assert_true(arch_read(&r, &f->mem, a, &f->err));
    assert_true(sim_setup_make(a, ".", false, 1, &f->mem, s, &f->err));
    struct gpu *g = sim_setup_gpu(s, &f->mem, &f->err);
    assert_non_null(g);
    const struct trace_source *programs[] = {&src};
    bool ok = gpu_run(g, &(struct gpu_run){.programs = programs, .n_programs = 1});
    if (!ok)
        print_error("%s\n", f->err.last->text);
    assert_true(ok);
    stats_of_gpu(g, t);
    src.close(&src);
}

#define FULL UINT32_MAX
#define EXIT_STEP                                                                                  \
    {                                                                                              \
        TC_EXIT, 0, 0, 0, FULL, 0, 0, 0                                                            \
    }

static double cycles_of(struct fixture *f, const struct step *steps, uint32_t n, uint32_t warps)
{
    struct stat_totals t;
    run(f, steps, n, 1, warps, NULL, 0, &t);
    return t.cycles;
}

static void a_dependent_instruction_waits_latency_and_six(void **state)
{
    struct fixture *f = *state;
    static const struct step one[] = {{TC_FP32, 0, 1, 2, FULL, 0, 0, 0}, EXIT_STEP},
                             two[] = {{TC_FP32, 0, 1, 2, FULL, 0, 0, 0},
                                      {TC_FP32, 0, 3, 1, FULL, 0, 0, 0},
                                      EXIT_STEP},
                             free_two[] = {{TC_FP32, 0, 1, 2, FULL, 0, 0, 0},
                                           {TC_FP32, 0, 3, 2, FULL, 0, 0, 0},
                                           EXIT_STEP};
    double base = cycles_of(f, one, 2, 1);
    assert_true(cycles_of(f, two, 3, 1) - base == 4 + 6);
    assert_true(cycles_of(f, free_two, 3, 1) - base == 1);
}

static void bank_conflicts_take_a_cycle_each(void **state)
{
    struct fixture *f = *state;
    double cycles[3];
    static const int64_t strides[3] = {4, 8, 128}; /* 1, 2 and 32 words of one bank */
    for (int i = 0; i < 3; i++) {
        const struct step steps[] = {{TC_LOAD, TS_SHARED, 1, 2, FULL, 0, strides[i], 0},
                                     {TC_FP32, 0, 3, 1, FULL, 0, 0, 0},
                                     EXIT_STEP};
        cycles[i] = cycles_of(f, steps, 3, 1);
    }
    assert_true(cycles[1] - cycles[0] == 1);
    assert_true(cycles[2] - cycles[0] == 31);
}

static void a_barrier_waits_for_the_slowest_warp(void **state)
{
    struct fixture *f = *state;
    /* warp 0 loads from the DRAM before the barrier, warp 1 does not */
    static const struct step with[] = {{TC_LOAD, TS_GLOBAL, 1, 2, FULL, 0x1000, 4, 1},
                                       {TC_FP32, 0, 3, 1, FULL, 0, 0, 1},
                                       {TC_BARRIER, 0, 0, 0, FULL, 0, 0, 0},
                                       {TC_LOAD, TS_GLOBAL, 4, 2, FULL, 0x9000, 4, 2},
                                       {TC_FP32, 0, 5, 4, FULL, 0, 0, 2},
                                       EXIT_STEP};
    struct step without[6];
    memcpy(without, with, sizeof with);
    without[2].cls = TC_NOP;
    double a = cycles_of(f, with, 6, 2), b = cycles_of(f, without, 6, 2);
    assert_true(a > 1.8 * b); /* two latencies one after the other instead of side by side */
    struct stat_totals t;
    run(f, with, 6, 7, 2, NULL, 0, &t); /* and all CTAs come through */
    assert_true(t.ctas == 7);
}

static void atomics_are_done_at_the_l2_and_the_warp_waits(void **state)
{
    struct fixture *f = *state;
    static const struct step steps[] = {{TC_ATOMIC, TS_GLOBAL, 1, 2, FULL, 0x1000, 0, 0},
                                        {TC_ATOMIC, TS_GLOBAL, 3, 2, FULL, 0x1000, 256, 0},
                                        {TC_REDUCE, TS_GLOBAL, 0, 2, FULL, 0x1000, 0, 0},
                                        {TC_FENCE, 0, 0, 0, FULL, 0, 0, 0},
                                        {TC_FP32, 0, 3, 1, FULL, 0, 0, 0},
                                        EXIT_STEP};
    struct stat_totals t;
    run(f, steps, 6, 6, 4, NULL, 0, &t);
    assert_true(t.atomics == 6 * 4 * (1 + 32 + 1));
    assert_true(t.l2_atomics == t.atomics);
    assert_true(t.l1_accesses == 0);
    assert_true(t.requests == t.answers);
}

static void stores_are_acknowledged_before_a_cta_retires(void **state)
{
    struct fixture *f = *state;
    static const char *const policies[] = {"l1.write=evict", "l1.write=through", "l1.write=back"};
    static const struct step steps[] = {{TC_LOAD, TS_GLOBAL, 1, 2, FULL, 0x1000, 4, 0},
                                        {TC_STORE, TS_GLOBAL, 0, 1, FULL, 0x1000, 4, 0},
                                        {TC_LOAD, TS_GLOBAL, 3, 2, FULL, 0x1000, 4, 0},
                                        {TC_STORE, TS_GLOBAL, 0, 3, 0xff, 0x80000, 4, 0},
                                        {TC_LOAD, TS_GLOBAL, 4, 2, FULL, 0x80000, 4, 0},
                                        {TC_FP32, 0, 5, 4, FULL, 0, 0, 0},
                                        EXIT_STEP};
    for (int i = 0; i < 3; i++)
        for (int allocate = 0; allocate < 2; allocate++) {
            const char *sets[] = {policies[i],
                                  allocate ? "l1.write_allocate=true" : "l1.write_allocate=false"};
            struct stat_totals t;
            run(f, steps, 7, 4, 3, sets, 2, &t);
            assert_true(t.requests == t.answers);
            assert_true(t.l1_hits + t.l1_pending + t.l1_misses == t.l1_accesses);
            assert_true(t.l1_accesses == 4 * 3 * 5);
        }
}

static void constants_and_textures_have_their_own_caches(void **state)
{
    struct fixture *f = *state;
    static const char *const sets[] = {"sm.const.size=2048", "sm.texture.size=12288"};
    static const struct step steps[] = {{TC_LOAD, TS_CONST, 1, 2, FULL, 0x1000, 0, 0},
                                        {TC_LOAD, TS_PARAM, 3, 1, FULL, 0x1000, 0, 0},
                                        {TC_LOAD, TS_TEXTURE, 4, 3, FULL, 0x8000, 4, 0},
                                        {TC_FP32, 0, 5, 4, FULL, 0, 0, 0},
                                        EXIT_STEP};
    struct stat_totals t;
    run(f, steps, 5, 2, 1, sets, 2, &t);
    assert_true(t.const_accesses == 4 && t.const_misses == 2); /* one line per SM */
    assert_true(t.texture_accesses == 2 && t.texture_misses == 2);
    assert_true(t.l1_accesses == 0);
    run(f, steps, 5, 2, 1, NULL, 0, &t); /* perfect ones ask nobody */
    assert_true(t.requests == 0);
}

static void a_bypassing_load_leaves_no_line(void **state)
{
    struct fixture *f = *state;
    static const char *const sets[] = {"l1.bypass_global_loads=true"};
    static const struct step steps[] = {{TC_LOAD, TS_GLOBAL, 1, 2, FULL, 0x1000, 4, 0},
                                        {TC_LOAD, TS_GLOBAL, 3, 1, FULL, 0x1000, 4, 0},
                                        {TC_LOAD, TS_LOCAL, 4, 3, FULL, 0x5000, 4, 0},
                                        {TC_FP32, 0, 5, 4, FULL, 0, 0, 0},
                                        EXIT_STEP};
    struct stat_totals t;
    run(f, steps, 5, 1, 1, sets, 1, &t);
    assert_true(t.bypasses == 2 && t.l1_accesses == 1 && t.l2_read_hits == 1);
}

static void nothing_is_done_by_lanes_that_are_off(void **state)
{
    struct fixture *f = *state;
    static const struct step steps[] = {{TC_LOAD, TS_GLOBAL, 1, 2, 0, 0x1000, 4, 0},
                                        {TC_STORE, TS_SHARED, 0, 1, 0, 0, 4, 0},
                                        {TC_LOAD, TS_SHARED, 3, 1, 0, 0, 4, 0},
                                        {TC_FP32, 0, 4, 3, FULL, 0, 0, 0},
                                        EXIT_STEP};
    struct stat_totals t;
    run(f, steps, 5, 3, 2, NULL, 0, &t);
    assert_true(t.warp_insts == 3 * 2 * 5 && t.requests == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_dependent_instruction_waits_latency_and_six),
        TEST(bank_conflicts_take_a_cycle_each),
        TEST(a_barrier_waits_for_the_slowest_warp),
        TEST(atomics_are_done_at_the_l2_and_the_warp_waits),
        TEST(stores_are_acknowledged_before_a_cta_retires),
        TEST(constants_and_textures_have_their_own_caches),
        TEST(a_bypassing_load_leaves_no_line),
        TEST(nothing_is_done_by_lanes_that_are_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
