/* SPDX-License-Identifier: MIT
 *
 * Figures from kernels' times that were made up so that the right answer can be worked out by hand.
 */
#include "tests/unit/test.h"

#include <math.h>

#include "gen/silicon/silicon_figures.h"

struct fixture {
    struct arch arch;
    struct sim_setup setup;
    struct microbench bench[2];
    struct silicon_run run;
};

static void begin(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    f->arch.gpu.n_sms = 2;
    f->arch.gpu.core_ghz = 2;
    f->arch.gpu.dram_ghz = 1;
    f->arch.dram.bus_bytes = 8;
    f->arch.dram.controllers = 4;
    f->setup.arch = &f->arch;
    f->run = (struct silicon_run){.setup = &f->setup, .benches = f->bench, .n_benches = 1};
}

static const struct silicon_figure *figure(const char *id)
{
    for (size_t i = 0; i < n_silicon_figures; i++)
        if (strcmp(silicon_figures[i].id, id) == 0)
            return &silicon_figures[i];
    fail();
    return NULL;
}

static double value(const struct fixture *f, const char *id)
{
    return silicon_value(&f->run, figure(id));
}

static void a_latency_is_the_difference_of_two_lengths(void **state)
{
    struct fixture f;
    double cycles[] = {9000, 1000, 1640};
    (void)state;
    begin(&f);
    f.bench[0] = (struct microbench){.name = "latency_l1",
                                     .cycles = cycles,
                                     .n_kernels = 3,
                                     .n_short = 2,
                                     .n_long = 4,
                                     .work = 8};
    assert_close(value(&f, "latency_l1"), 40, 1e-12);
    f.bench[0].name = "latency_dram";
    assert_close(value(&f, "latency_dram"), 20, 1e-12); /* ns at 2 GHz */
    f.bench[0].error = "failed";
    assert_true(isnan(value(&f, "latency_dram")));
    assert_true(isnan(value(&f, "latency_l2")));
}

static void the_loop_drops_out_of_a_chain(void **state)
{
    /* 4 cycles an operation, 13 a round of the loop; bodies of 64 and 128, 2 and 6 rounds */
    double cycles[18];
    struct fixture f;
    (void)state;
    begin(&f);
    for (int k = 0; k < 18; k++) {
        double body = k / 3 % 2 ? 128 : 64, rounds = k % 3 == 2 ? 6 : 2, latency = 4 + k / 6;
        cycles[k] = 777 + rounds * (body * latency + 13);
    }
    f.bench[0] = (struct microbench){.name = "arithmetic",
                                     .cycles = cycles,
                                     .n_kernels = 18,
                                     .n_short = 2,
                                     .n_long = 6,
                                     .work = 64};
    assert_close(value(&f, "chain_fp32"), 4, 1e-12);
    assert_close(value(&f, "chain_int"), 5, 1e-12);
    assert_close(value(&f, "chain_fp64"), 6, 1e-12);
}

static void a_rate_is_work_over_time_and_a_share_that_of_the_peak(void **state)
{
    double cycles[] = {0, 100, 300};
    struct fixture f;
    (void)state;
    begin(&f);
    f.bench[0] = (struct microbench){.name = "dram_read",
                                     .cycles = cycles,
                                     .n_kernels = 3,
                                     .n_short = 1,
                                     .n_long = 3,
                                     .work = 1600};
    /* 3200 B in 200 cycles are 16 B a cycle; the buses move 2 x 8 x 4 B in 2 cycles of the core */
    assert_close(value(&f, "dram_read"), 0.5, 1e-12);
}

static void the_spread_goes_over_all_sms_and_lines(void **state)
{
    /* a launch that fills the L2; each SM: one without loads, then two lines of four loads */
    double cycles[] = {5000, 100, 100 + 4 * 175, 100 + 4 * 200, 110, 110 + 4 * 210, 110 + 4 * 248};
    uint32_t slices[] = {0, 1};
    struct fixture f;
    struct design design = {0};
    (void)state;
    begin(&f);
    f.bench[0] = (struct microbench){
        .name = "latency_spread", .cycles = cycles, .n_kernels = 7, .lines = 2, .slices = slices};
    /* a line each, after three launches: that to the SM's own half is not counted */
    double once[] = {5000, 100, 900, 100, 100 + 170, 100 + 200, 110, 110 + 210, 110 + 250};
    f.bench[1] = (struct microbench){
        .name = "latency_far", .cycles = once, .n_kernels = 9, .lines = 2, .slices = slices};
    f.run.n_benches = 2;
    assert_true(isnan(value(&f, "latency_l2_far"))); /* there is one partition */
    /* two halves, each with an SM and a slice */
    design.request_params = (struct noc_params){.topology = "hierarchical",
                                                .n_sm_ports = 2,
                                                .n_llcs = 2,
                                                .hier_tpc = 1,
                                                .hier_gpcs = 2,
                                                .hier_partitions = 2,
                                                .hier_halves = 2};
    f.setup.design = &design;
    assert_close(value(&f, "latency_l2_near"), (175 + 248) / 2.0, 1e-12);
    assert_close(value(&f, "latency_l2_far"), (200 + 210) / 2.0, 1e-12);
    assert_close(value(&f, "latency_l2_nearest"), 175, 1e-12);
    assert_close(value(&f, "latency_l2_farthest"), 248, 1e-12);
    assert_close(value(&f, "latency_l2_spread"), 73, 1e-12);
}

static void bandwidths_are_compared_with_each_other(void **state)
{
    double two[] = {0, 100, 200}, one[] = {0, 100, 300}, partition[] = {0, 50, 250, 50, 126};
    struct fixture f;
    (void)state;
    begin(&f);
    f.run.n_benches = 2;
    f.bench[0] = (struct microbench){.name = "bandwidth_tpc",
                                     .cycles = two,
                                     .n_kernels = 3,
                                     .n_short = 1,
                                     .n_long = 2,
                                     .work = 8};
    f.bench[1] = (struct microbench){.name = "bandwidth_sm",
                                     .cycles = one,
                                     .n_kernels = 3,
                                     .n_short = 1,
                                     .n_long = 2,
                                     .work = 4};
    assert_close(value(&f, "tpc_over_sm"), 4, 1e-12);
    f.bench[0] = (struct microbench){.name = "bandwidth_partition",
                                     .cycles = partition,
                                     .n_kernels = 5,
                                     .n_short = 1,
                                     .n_long = 2};
    assert_close(value(&f, "partition_loss"), 62, 1e-12);
}

static void each_microbenchmark_is_run_once(void **state)
{
    struct arena mem;
    size_t n, n_one;
    bool *wanted;
    (void)state;
    arena_init(&mem, NULL, NULL);
    const char **names = silicon_benches(NULL, &mem, &n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(names[i], names[k]);
    wanted = arena_many(&mem, bool, n_silicon_figures);
    for (size_t i = 0; i < n_silicon_figures; i++)
        wanted[i] = strcmp(silicon_figures[i].id, "tpc_over_sm") == 0;
    names = silicon_benches(wanted, &mem, &n_one);
    assert_int_equal(n_one, 2);
    assert_string_equal(names[0], "bandwidth_tpc");
    assert_string_equal(names[1], "bandwidth_sm");
    arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_latency_is_the_difference_of_two_lengths),
        cmocka_unit_test(the_loop_drops_out_of_a_chain),
        cmocka_unit_test(a_rate_is_work_over_time_and_a_share_that_of_the_peak),
        cmocka_unit_test(the_spread_goes_over_all_sms_and_lines),
        cmocka_unit_test(bandwidths_are_compared_with_each_other),
        cmocka_unit_test(each_microbenchmark_is_run_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
