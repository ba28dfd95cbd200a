/* SPDX-License-Identifier: MIT
 *
 * Hand-made kernels on the machine: barriers, fences, atomics, shared memory, constants, stores. */
#include "tests/unit/fixture.h"
#include "tests/unit/steps.h"

#include "base/arena.h"
#include "base/err.h"
#include "gen/config/read.h"
#include "gen/run/setup.h"
#include "sim/gpu/stats.h"

#define BASE                                                                                       \
    "gpu: { sms = 2; core_clock_ghz = 1.0; l2_clock_ghz = 1.0; dram_clock_ghz = 1.0;\n"            \
    "       network = \"local\"; };\n"                                                             \
    "sm: { warps = 32; threads = 1024; registers = 65536; };\n"                                    \
    "l1: { size = 32768; hit_cycles = 20; };\n"                                                    \
    "noc: { topology = \"crossbar\"; clock_ghz = 1.0; };\n"                                        \
    "llc: { slices = 2; hit_cycles = 30; };\n"                                                     \
    "dram: { controllers = 2; controller_cycles = 50; };\n"

static void run(struct fixture *f, const struct step *steps, uint32_t n, uint32_t ctas,
                uint32_t warps, const char *const *sets, size_t n_sets, struct stat_totals *t)
{
    struct trace_source src;
    steps_source(steps, n, ctas, warps, &src);

    struct arch *a = arena_new(&f->mem, struct arch);
    struct sim_setup *s = arena_new(&f->mem, struct sim_setup);
    struct read_request r = {.file = "test",
                             .text = BASE,
                             .sets = sets,
                             .n_sets = n_sets,
                             .data_dir = ".",
                             .no_files = true};
    if (!arch_read(&r, &f->mem, a, &f->err))
        fail_msg("%s", f->err.first->text);
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

static double cycles_of(struct fixture *f, const struct step *steps, uint32_t n, uint32_t warps)
{
    struct stat_totals t;
    run(f, steps, n, 1, warps, NULL, 0, &t);
    return t.cycles;
}

static void a_dependent_instruction_waits_for_the_result(void **state)
{
    struct fixture *f = *state;
    static const struct step one[] = {{TC_FP32, 0, 1, 2, FULL, 0, 0, 0, 0}, EXIT_STEP},
                             two[] = {{TC_FP32, 0, 1, 2, FULL, 0, 0, 0, 0},
                                      {TC_FP32, 0, 3, 1, FULL, 0, 0, 0, 0},
                                      EXIT_STEP},
                             free_two[] = {{TC_FP32, 0, 1, 2, FULL, 0, 0, 0, 0},
                                           {TC_FP32, 0, 3, 2, FULL, 0, 0, 0, 0},
                                           EXIT_STEP};
    double base = cycles_of(f, one, 2, 1);
    assert_true(cycles_of(f, two, 3, 1) - base == 4); /* by the bypass: its latency */
    assert_true(cycles_of(f, free_two, 3, 1) - base == 1);
    static const char *const none[] = {"sm.bypass=false"}, *const longer[] = {"sm.fp32.latency=9"},
                             *const fermi[] = {"gpu.generation=fermi"};
    struct stat_totals t, b;
    run(f, one, 2, 1, 1, none, 1, &b);
    run(f, two, 3, 1, 1, none, 1, &t);
    assert_true(t.cycles - b.cycles == 4 + 6); /* through collectors and register file */
    run(f, one, 2, 1, 1, longer, 1, &b);
    run(f, two, 3, 1, 1, longer, 1, &t);
    assert_true(t.cycles - b.cycles == 9);
    run(f, one, 2, 1, 1, fermi, 1, &b);
    run(f, two, 3, 1, 1, fermi, 1, &t);
    assert_true(t.cycles - b.cycles == 10);
}

/* A comparison, what is under its predicate, and what computes with it; a jump, and what is behind
 * it. */
static void predicates_and_jumps_take_their_time(void **state)
{
    struct fixture *f = *state;
    enum { P = TRACE_FIRST_PREDICATE };
    static const struct step one[] = {{TC_INT, 0, P, 2, FULL, 0, 0, 0, 0}, EXIT_STEP},
                             under[] = {{TC_INT, 0, P, 2, FULL, 0, 0, 0, 0},
                                        {TC_INT, 0, 3, P, FULL, 0, 0, 0, TF_GUARDED},
                                        EXIT_STEP},
                             with[] = {{TC_INT, 0, P, 2, FULL, 0, 0, 0, 0},
                                       {TC_INT, 0, 3, P, FULL, 0, 0, 0, 0},
                                       EXIT_STEP},
                             result[] = {{TC_INT, 0, 4, 2, FULL, 0, 0, 0, 0},
                                         {TC_INT, 0, 3, 4, FULL, 0, 0, 0, TF_GUARDED},
                                         EXIT_STEP},
                             jump[] = {{TC_BRANCH, 0, 0, 0, FULL, 0, 0, 0, 0},
                                       {TC_INT, 0, 3, 2, FULL, 0, 0, 0, 0},
                                       EXIT_STEP};
    static const char *const volta[] = {"gpu.generation=volta"}, *const said[] = {
                                                                     "sm.predicate_latency=20",
                                                                     "sm.jump_cycles=9"};
    struct stat_totals t, b;
    assert_true(cycles_of(f, under, 3, 1) - cycles_of(f, one, 2, 1) == 4);
    assert_true(cycles_of(f, jump, 3, 1) - cycles_of(f, one, 2, 1) == 1);
    run(f, one, 2, 1, 1, volta, 1, &b);
    run(f, under, 3, 1, 1, volta, 1, &t);
    assert_true(t.cycles - b.cycles == 12);
    run(f, with, 3, 1, 1, volta, 1, &t);
    assert_true(t.cycles - b.cycles == 4);
    run(f, result, 3, 1, 1, volta, 1, &t);
    assert_true(t.cycles - b.cycles == 4);
    run(f, jump, 3, 1, 1, volta, 1, &t);
    assert_true(t.cycles - b.cycles == 5);
    run(f, one, 2, 1, 1, said, 2, &b);
    run(f, under, 3, 1, 1, said, 2, &t);
    assert_true(t.cycles - b.cycles == 20);
    run(f, jump, 3, 1, 1, said, 2, &t);
    assert_true(t.cycles - b.cycles == 9);
}

static void bank_conflicts_take_a_cycle_each(void **state)
{
    struct fixture *f = *state;
    double cycles[3];
    static const int64_t strides[3] = {4, 8, 128}; /* 1, 2 and 32 words of one bank */
    for (int i = 0; i < 3; i++) {
        const struct step steps[] = {{TC_LOAD, TS_SHARED, 1, 2, FULL, 0, strides[i], 0, 0},
                                     {TC_FP32, 0, 3, 1, FULL, 0, 0, 0, 0},
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
    static const struct step with[] = {{TC_LOAD, TS_GLOBAL, 1, 2, FULL, 0x1000, 4, 1, 0},
                                       {TC_FP32, 0, 3, 1, FULL, 0, 0, 1, 0},
                                       {TC_BARRIER, 0, 0, 0, FULL, 0, 0, 0, 0},
                                       {TC_LOAD, TS_GLOBAL, 4, 2, FULL, 0x9000, 4, 2, 0},
                                       {TC_FP32, 0, 5, 4, FULL, 0, 0, 2, 0},
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
    static const struct step steps[] = {{TC_ATOMIC, TS_GLOBAL, 1, 2, FULL, 0x1000, 0, 0, 0},
                                        {TC_ATOMIC, TS_GLOBAL, 3, 2, FULL, 0x1000, 256, 0, 0},
                                        {TC_REDUCE, TS_GLOBAL, 0, 2, FULL, 0x1000, 0, 0, 0},
                                        {TC_FENCE, 0, 0, 0, FULL, 0, 0, 0, 0},
                                        {TC_FP32, 0, 3, 1, FULL, 0, 0, 0, 0},
                                        EXIT_STEP};
    struct stat_totals t;
    run(f, steps, 6, 6, 4, NULL, 0, &t);
    assert_true(t.atomics == 6 * 4 * (1 + 32 + 1));
    assert_true(t.l2_atomics == t.atomics);
    assert_true(t.l1d_accesses == 0);
    assert_true(t.requests == t.answers);
}

/* With one line per instruction the banked unit is the plain one: answers must wait
 * for the register bank they write, the last one of an atomic must let its warp go, and a fence
 * must stay behind what is in the unit, in both. */
static void one_line_each_goes_through_banks_as_through_the_plain_unit(void **state)
{
    struct fixture *f = *state;
    static const struct step steps[] = {{TC_ATOMIC, TS_GLOBAL, 1, 2, FULL, 0x1000, 0, 0, 0},
                                        {TC_LOAD, TS_GLOBAL, 3, 2, FULL, 0x2000, 4, 0, 0},
                                        {TC_LOAD, TS_GLOBAL, 5, 2, FULL, 0x3000, 4, 0, 0},
                                        {TC_FENCE, 0, 0, 0, FULL, 0, 0, 0, 0},
                                        {TC_LOAD, TS_GLOBAL, 7, 2, FULL, 0x2000, 4, 0, 0},
                                        {TC_FP32, 0, 4, 7, FULL, 0, 0, 0, 0},
                                        EXIT_STEP};
    const char *sets[] = {"coalescer.kind=intra", "sm.pipeline=stepped", "sm.register_banks=2",
                          "l1.banks=2"};
    struct stat_totals intra, banked;
    run(f, steps, 7, 4, 8, sets, 4, &intra);
    sets[0] = "coalescer.kind=banked";
    run(f, steps, 7, 4, 8, sets, 4, &banked);
    assert_true(intra.cycles == banked.cycles);
}

/* Which words a load wants can be seen with every unit that does not merge warps. */
static void shared_words_are_known_unless_warps_are_merged(void **state)
{
    struct fixture *f = *state;
    static const struct step steps[] = {{TC_LOAD, TS_GLOBAL, 1, 2, FULL, 0x1000, 4, 0, 0},
                                        EXIT_STEP};
    static const struct {
        const char *set;
        bool has_words;
    } kinds[] = {{"coalescer.kind=intra", true},
                 {"coalescer.kind=banked", true},
                 {"coalescer.kind=mrpb", true},
                 {"coalescer.kind=warppool", false}};
    for (uint32_t i = 0; i < 4; i++) {
        const char *sets[] = {kinds[i].set, "sim.locality_window=1000", "l1.banks=2", "sm.warps=48",
                              "sm.threads=1536"};
        struct stat_totals t;
        run(f, steps, 2, 2, 1, sets, 5, &t);
        assert_true((t.icl_has_words > 0) == kinds[i].has_words);
    }
}

static void stores_are_acknowledged_before_a_cta_retires(void **state)
{
    struct fixture *f = *state;
    static const char *const policies[] = {"l1.write=evict", "l1.write=through", "l1.write=back"};
    static const struct step steps[] = {{TC_LOAD, TS_GLOBAL, 1, 2, FULL, 0x1000, 4, 0, 0},
                                        {TC_STORE, TS_GLOBAL, 0, 1, FULL, 0x1000, 4, 0, 0},
                                        {TC_LOAD, TS_GLOBAL, 3, 2, FULL, 0x1000, 4, 0, 0},
                                        {TC_STORE, TS_GLOBAL, 0, 3, 0xff, 0x80000, 4, 0, 0},
                                        {TC_LOAD, TS_GLOBAL, 4, 2, FULL, 0x80000, 4, 0, 0},
                                        {TC_FP32, 0, 5, 4, FULL, 0, 0, 0, 0},
                                        EXIT_STEP};
    for (int i = 0; i < 3; i++)
        for (int allocate = 0; allocate < 2; allocate++) {
            const char *sets[] = {policies[i],
                                  allocate ? "l1.write_allocate=true" : "l1.write_allocate=false"};
            struct stat_totals t;
            run(f, steps, 7, 4, 3, sets, 2, &t);
            assert_true(t.requests == t.answers);
            assert_true(t.l1d_hits + t.l1d_pending_hits + t.l1d_misses == t.l1d_accesses);
            assert_true(t.l1d_accesses == 4 * 3 * 5);
        }
}

static void constants_and_textures_have_their_own_caches(void **state)
{
    struct fixture *f = *state;
    static const char *const sets[] = {"sm.const.size=2048", "sm.texture.size=12288"};
    static const struct step steps[] = {{TC_LOAD, TS_CONST, 1, 2, FULL, 0x1000, 0, 0, 0},
                                        {TC_LOAD, TS_PARAM, 3, 1, FULL, 0x1000, 0, 0, 0},
                                        {TC_LOAD, TS_TEXTURE, 4, 3, FULL, 0x8000, 4, 0, 0},
                                        {TC_FP32, 0, 5, 4, FULL, 0, 0, 0, 0},
                                        EXIT_STEP};
    struct stat_totals t;
    run(f, steps, 5, 2, 1, sets, 2, &t);
    assert_true(t.const_accesses == 4 && t.const_misses == 2); /* one line per SM */
    assert_true(t.texture_accesses == 2 && t.texture_misses == 2);
    assert_true(t.l1d_accesses == 0);
    run(f, steps, 5, 2, 1, NULL, 0, &t); /* perfect ones ask nobody */
    assert_true(t.requests == 0);
}

static void a_bypassing_load_leaves_no_line(void **state)
{
    struct fixture *f = *state;
    static const char *const sets[] = {"l1.bypass_global_loads=true"};
    static const struct step steps[] = {{TC_LOAD, TS_GLOBAL, 1, 2, FULL, 0x1000, 4, 0, 0},
                                        {TC_LOAD, TS_GLOBAL, 3, 1, FULL, 0x1000, 4, 0, 0},
                                        {TC_LOAD, TS_LOCAL, 4, 3, FULL, 0x5000, 4, 0, 0},
                                        {TC_FP32, 0, 5, 4, FULL, 0, 0, 0, 0},
                                        EXIT_STEP};
    struct stat_totals t;
    run(f, steps, 5, 1, 1, sets, 1, &t);
    assert_true(t.l1d_bypasses == 2 && t.l1d_accesses == 1 && t.l2_read_hits == 1);
}

static void nothing_is_done_by_lanes_that_are_off(void **state)
{
    struct fixture *f = *state;
    static const struct step steps[] = {{TC_LOAD, TS_GLOBAL, 1, 2, 0, 0x1000, 4, 0, 0},
                                        {TC_STORE, TS_SHARED, 0, 1, 0, 0, 4, 0, 0},
                                        {TC_LOAD, TS_SHARED, 3, 1, 0, 0, 4, 0, 0},
                                        {TC_FP32, 0, 4, 3, FULL, 0, 0, 0, 0},
                                        EXIT_STEP};
    struct stat_totals t;
    run(f, steps, 5, 3, 2, NULL, 0, &t);
    assert_true(t.warp_insts == 3 * 2 * 5 && t.requests == 0);
}

static void sectors_that_miss_together_leave_as_one_request(void **state)
{
    struct fixture *f = *state;
    /* 32 words of one line, then of another: loads and a store */
    static const struct step steps[] = {{TC_LOAD, TS_GLOBAL, 1, 2, FULL, 0x1000, 4, 0, 0},
                                        {TC_LOAD, TS_GLOBAL, 3, 2, FULL, 0x2000, 4, 0, 0},
                                        {TC_STORE, TS_GLOBAL, 0, 1, FULL, 0x3000, 4, 0, 0},
                                        EXIT_STEP};
    static const char *const sectored[] = {"l1.sector=32", "llc.sector=32", "l1.banks=4",
                                           "l1.write=through", "l1.join_sectors=true"};
    struct stat_totals one, all;
    run(f, steps, 4, 1, 1, sectored, 4, &all);
    run(f, steps, 4, 1, 1, sectored, 5, &one);
    assert_true(all.requests == 12 && one.requests == 3);
    assert_true(one.l1d_misses == all.l1d_misses && one.bytes_mem_to_core < all.bytes_mem_to_core);
}

static void a_slow_array_takes_fewer_accesses(void **state)
{
    struct fixture *f = *state;
    static const struct step steps[] = {{TC_LOAD, TS_GLOBAL, 1, 2, FULL, 0x1000, 4, 0, 0},
                                        {TC_LOAD, TS_GLOBAL, 3, 2, FULL, 0x1000, 4, 0, 0},
                                        EXIT_STEP};
    /* 4 MB a slice: its array cannot do 4 GHz */
    static const char *const slow[] = {"llc.size=4194304", "gpu.l2_clock_ghz=4",
                                       "l1.sector=32",     "llc.sector=32",
                                       "l1.banks=4",       "tech.array_limit=none"};
    struct stat_totals limited, free_of_it;
    run(f, steps, 3, 2, 8, slow, 5, &limited);
    run(f, steps, 3, 2, 8, slow, 6, &free_of_it);
    assert_true(free_of_it.l2_bank_waits == 0 && limited.l2_bank_waits > 0);
    assert_true(limited.cycles >= free_of_it.cycles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_dependent_instruction_waits_for_the_result),
        TEST(predicates_and_jumps_take_their_time),
        TEST(bank_conflicts_take_a_cycle_each),
        TEST(a_barrier_waits_for_the_slowest_warp),
        TEST(atomics_are_done_at_the_l2_and_the_warp_waits),
        TEST(one_line_each_goes_through_banks_as_through_the_plain_unit),
        TEST(shared_words_are_known_unless_warps_are_merged),
        TEST(stores_are_acknowledged_before_a_cta_retires),
        TEST(constants_and_textures_have_their_own_caches),
        TEST(a_bypassing_load_leaves_no_line),
        TEST(nothing_is_done_by_lanes_that_are_off),
        TEST(sectors_that_miss_together_leave_as_one_request),
        TEST(a_slow_array_takes_fewer_accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
