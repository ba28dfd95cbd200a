/* SPDX-License-Identifier: MIT
 *
 * The machine as a whole, against what can be worked out by hand. */
#include "tests/unit/fixture.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/pool.h"
#include "gen/config/read.h"
#include "gen/run/setup.h"
#include "sim/gpu/stats.h"
#include "sim/net/net.h"
#include "sim/trace/synth.h"

/* Small and plain: every latency is given, one CTA per SM is enough to fill it. */
#define BASE                                                                                       \
    "gpu: { sms = 8; core_clock_ghz = 1.0; l2_clock_ghz = 1.0; dram_clock_ghz = 1.0; };\n"         \
    "sm: { warps = 32; threads = 1024; registers = 65536; scheduler = \"lrr\"; };\n"               \
    "l1: { size = 32768; hit_cycles = 20; mshr: { entries = 64; merges = 8; }; };\n"               \
    "noc: { topology = \"crossbar\"; width = 256; clock_ghz = 1.0; clock_limit = \"none\"; };\n"   \
    "llc: { slices = 4; size = 262144; hit_cycles = 30; queue = 64; miss_queue = 64;\n"            \
    "       mshr: { entries = 256; merges = 8; }; };\n"                                            \
    "dram: { controllers = 4; controller_cycles = 50; bus = 16; burst = 4; };\n"

static const struct arch *read_text(struct fixture *f, const char *text, const char *const *sets,
                                    size_t n_sets)
{
    struct arch *a = arena_new(&f->mem, struct arch);
    struct read_request r = {.file = "test",
                             .text = text,
                             .sets = sets,
                             .n_sets = n_sets,
                             .data_dir = ".",
                             .no_files = true};
    if (!arch_read(&r, &f->mem, a, &f->err)) {
        for (const struct err_entry *e = f->err.first; e; e = e->next)
            print_error("%s\n", err_entry_text(e, &f->mem));
        fail();
    }
    return a;
}

static struct gpu *run(struct fixture *f, const struct arch *a, const char *pattern, bool no_skip,
                       struct stat_totals *t)
{
    struct sim_setup *s = arena_new(&f->mem, struct sim_setup);
    struct trace_source *src = arena_new(&f->mem, struct trace_source);
    assert_true(sim_setup_make(a, ".", false, 1, &f->mem, s, &f->err));
    assert_true(trace_synth_open(pattern, &a->synth, &f->mem, src, &f->err));
    struct gpu *g = sim_setup_gpu(s, &f->mem, &f->err);
    assert_non_null(g);
    const struct trace_source *programs[] = {src};
    bool ok =
        gpu_run(g, &(struct gpu_run){.programs = programs, .n_programs = 1, .no_skip = no_skip});
    if (!ok)
        print_error("%s\n", f->err.last->text);
    assert_true(ok);
    stats_of_gpu(g, t);
    return g;
}

static double cycles_of(struct fixture *f, const char *text, const char *const *sets, size_t n,
                        const char *pattern)
{
    struct stat_totals t;
    run(f, read_text(f, text, sets, n), pattern, false, &t);
    return t.cycles;
}

/* Cycles of one packet through an empty network, from the step before which it is offered. */
static uint64_t empty_latency(struct fixture *f, const struct noc *noc, const struct gpu_config *c,
                              enum noc_dir dir, const uint16_t *channel, uint32_t src, uint32_t dst,
                              uint16_t flits)
{
    struct net_params p = {
        .router = c->router[dir], .channel_cycles = channel, .source_depth = 2, .seed = 1};
    struct net *net = net_new(noc, &p, &f->mem, &f->err);
    assert_non_null(net);
    struct net_packet packet = {.src = src,
                                .dst = dst,
                                .flits = flits,
                                .cls = noc_first_class(noc, src, dst, dir == NOC_REPLY)};
    assert_true(net_inject(net, &packet));
    for (uint64_t n = 1; n < 10000; n++) {
        size_t arrived;
        assert_true(net_step(net));
        net_delivered(net, &arrived);
        if (arrived)
            return n;
    }
    fail();
    return 0;
}

/* A chain of dependent loads that hit the L2: what one more load takes. */
static void one_load_takes_its_exact_latency_through_every_topology(void **state)
{
    struct fixture *f = *state;
    static const char *const topologies[] = {"mesh",     "smesh",  "clos",        "butterfly",
                                             "crossbar", "cdxbar", "hierarchical"};
    for (size_t i = 0; i < sizeof topologies / sizeof topologies[0]; i++) {
        const char *sets[8] = {arena_printf(&f->mem, "noc.topology=%s", topologies[i]),
                               "synth.ctas=1",
                               "synth.threads=32",
                               "synth.compute=0",
                               "synth.stores=0",
                               "synth.stride=8192",
                               "synth.footprint=8388608",
                               NULL};
        double cycles[2];
        for (uint32_t k = 0; k < 2; k++) {
            sets[7] = k ? "synth.rounds=9" : "synth.rounds=8";
            cycles[k] = cycles_of(f, BASE, sets, 8, "chase");
        }
        sets[7] = "synth.rounds=9";
        const struct arch *a = read_text(f, BASE, sets, 8);
        struct sim_setup *s = arena_new(&f->mem, struct sim_setup);
        assert_true(sim_setup_make(a, ".", false, 1, &f->mem, s, &f->err));
        uint32_t slice = (uint32_t)((0x10000000u + 8 * 8192u) >> 8) % 4;
        uint64_t there =
            empty_latency(f, s->config.noc[0], &s->config, NOC_REQUEST, s->timing.request_channel,
                          0, s->config.noc[0]->n_sm_ports + slice, 1);
        uint64_t back = empty_latency(f, s->config.noc[1], &s->config, NOC_REPLY,
                                      s->timing.reply_channel, s->config.noc[1]->n_sm_ports + slice,
                                      0, 5); /* 128 + 8 bytes over 32-byte flits */
        /* Steps of 8 KB stay on one controller and open another bank each time. From issue: 5
         * cycles to the L1 (collector, operand, dispatch, unit, offer), 1 to the tags, 1 to the
         * port, the network, 1; at the slice 30 + 1 to the tags, 1 to the queue, 1 to the
         * controller; there 50, then 1 to the scheduler, tRCD + tCL, tCCD for the second burst of
         * the line, 1 back; fill and 1 to the
         * waiter, 1 to the network; through it; 1 to the response queue, 2 to the register. */
        double expected = 5 + 1 + 1 + (double)there + 1 + 30 + 1 + 1 + 1 + 50 + 1 + (12 + 12 + 2) +
                          1 + 1 + 1 + (double)back + 1 + 2;
        if (cycles[1] - cycles[0] != expected)
            print_error("%s: %g, expected %g\n", topologies[i], cycles[1] - cycles[0], expected);
        assert_true(cycles[1] - cycles[0] == expected);
    }
}

static void streaming_reaches_the_bandwidth_of_the_dram(void **state)
{
    struct fixture *f = *state;
    static const char *const sets[] = {
        "gpu.network=local", "synth.ctas=192",        "synth.rounds=32",
        "synth.stores=0",    "synth.compute=0",       "l1.mshr.entries=256",
        "dram.queue=128",    "dram.return_queue=128", "sm.ctas=4"};
    struct stat_totals t;
    run(f, read_text(f, BASE, sets, 9), "stream", false, &t);
    /* 16 bytes per half clock and channel: a line of 128 bytes holds its bus for 4 clocks */
    double bound = t.dram_rd * t.atom_bytes / (4 * 32.0);
    assert_true(t.cycles >= bound);
    if (t.cycles > 1.02 * bound)
        print_error("%g cycles, bound %g\n", t.cycles, bound);
    assert_true(t.cycles <= 1.02 * bound);
}

static void streaming_reaches_the_bandwidth_of_the_network(void **state)
{
    struct fixture *f = *state;
    /* all from the L2 (the table fits) through one port: 9 flits of 16 bytes per line, one a cycle
     */
    static const char *const sets[] = {
        "gpu.sms=4",        "gpu.clusters=1",      "noc.width=128",   "synth.ctas=16",
        "synth.rounds=128", "synth.stores=0",      "synth.compute=0", "synth.footprint=524288",
        "l1.size=4096",     "l1.mshr.entries=128", "noc.vc_depth=16", "l1.response_queue=8"};
    struct stat_totals t;
    run(f, read_text(f, BASE, sets, 12), "table", false, &t);
    double bound = t.flits_mem_to_core;
    assert_true(t.cycles >= bound);
    if (t.cycles > 1.02 * bound)
        print_error("%g cycles, bound %g\n", t.cycles, bound);
    assert_true(t.cycles <= 1.02 * bound);
}

static void streaming_reaches_the_bandwidth_of_the_memory_port(void **state)
{
    struct fixture *f = *state;
    /* eight SMs, one slice: its port sends a flit per cycle, whatever lies between */
    static const char *const topologies[] = {"mesh", "crossbar", "cdxbar", "clos"};
    for (size_t i = 0; i < 4; i++) {
        const char *sets[] = {arena_printf(&f->mem, "noc.topology=%s", topologies[i]),
                              "gpu.sms=8",
                              "llc.slices=1",
                              "dram.controllers=1",
                              "noc.width=128",
                              "noc.vc_depth=16",
                              "synth.ctas=32",
                              "synth.rounds=128",
                              "synth.stores=0",
                              "synth.compute=0",
                              "synth.footprint=131072",
                              "l1.size=4096",
                              "l1.mshr.entries=64",
                              "l1.response_queue=8"};
        struct stat_totals t;
        run(f, read_text(f, BASE, sets, 14), "table", false, &t);
        double bound = t.flits_mem_to_core;
        assert_true(t.cycles >= bound);
        if (t.cycles > 1.02 * bound)
            print_error("%s: %g cycles, bound %g\n", topologies[i], t.cycles, bound);
        assert_true(t.cycles <= 1.02 * bound);
    }
}

static void throughput_with_few_mshrs_is_entries_over_latency(void **state)
{
    struct fixture *f = *state;
    static const char *const few[] = {"gpu.sms=1",          "gpu.network=local", "synth.ctas=1",
                                      "synth.threads=1024", "synth.rounds=64",   "synth.stores=0",
                                      "synth.compute=0",    "l1.mshr.entries=4"};
    struct stat_totals t;
    run(f, read_text(f, BASE, few, 8), "stream", false, &t);
    /* an entry is held from the tags to the last waiter's write-back */
    double held = t.latency_sum / t.latency_n - t.lat_queue / t.latency_n + 4;
    double expected = t.l1d_misses * held / 4;
    if (fabs(t.cycles - expected) > 0.03 * expected)
        print_error("%g cycles, expected %g\n", t.cycles, expected);
    assert_true(fabs(t.cycles - expected) <= 0.03 * expected);
}

static void jumping_over_idle_time_changes_nothing(void **state)
{
    struct fixture *f = *state;
    static const char *const patterns[] = {"chase",   "stream", "random",
                                           "stencil", "table",  "strided"};
    static const char *const sets[] = {"synth.ctas=24", "synth.threads=64", "synth.rounds=3",
                                       "synth.columns=64"};
    for (size_t i = 0; i < 6; i++) {
        struct stat_totals a, b;
        const struct arch *arch = read_text(f, BASE, sets, 4);
        run(f, arch, patterns[i], false, &a);
        run(f, arch, patterns[i], true, &b);
        assert_true(a.skipped_cycles > 0 || i > 0);
        a.skipped_cycles = b.skipped_cycles = 0;
        assert_memory_equal(&a, &b, sizeof a);
    }
}

/* With every assumption of Accel-Sim, too. */
static void jumping_changes_nothing_with_stepped_pipelines(void **state)
{
    struct fixture *f = *state;
    static const char *const patterns[] = {"chase", "stream", "random", "stencil"};
    static const char *const sets[] = {"synth.ctas=24",
                                       "synth.threads=64",
                                       "synth.rounds=3",
                                       "synth.columns=64",
                                       "sm.pipeline=stepped",
                                       "sm.result_buses=2",
                                       "sm.fetches_per_cycle=1",
                                       "gpu.network=switch",
                                       "compat.clock_edges=summed",
                                       "compat.dram_turn_moves_in_clock=true",
                                       "cluster.unbuffered=true",
                                       "coalescer.rule=segments",
                                       "gpu.dram_clock_ghz=1.3",
                                       "llc.evict_port=32",
                                       "llc.miss_before_writeback=true"};
    for (size_t i = 0; i < 8; i++) {
        struct stat_totals a, b;
        const char *all[16];
        for (size_t k = 0; k < 15; k++)
            all[k] = sets[k];
        all[15] = i & 1 ? "sm.sub_cores=true" : "sm.sub_cores=false";
        if (i >= 6)
            all[6] = "sm.fetches_per_cycle=free";
        const struct arch *arch = read_text(f, BASE, all, 16);
        run(f, arch, patterns[i / 2], false, &a);
        run(f, arch, patterns[i / 2], true, &b);
        a.skipped_cycles = b.skipped_cycles = 0;
        assert_memory_equal(&a, &b, sizeof a);
    }
}

/* A refresh that is due while a channel sleeps is made as of then. */
static void jumping_changes_nothing_with_refreshes(void **state)
{
    struct fixture *f = *state;
    static const char *const patterns[] = {"chase", "stream", "random"};
    static const char *const banks[] = {"dram.refresh=all", "dram.refresh=bank"};
    for (size_t i = 0; i < 6; i++) {
        struct stat_totals a, b;
        const char *const sets[] = {
            "synth.ctas=24",  "synth.threads=64", "synth.rounds=3", "gpu.dram_clock_ghz=1.3",
            "dram.trefi=400", "dram.trfc=60",     banks[i % 2]};
        const struct arch *arch = read_text(f, BASE, sets, 7);
        run(f, arch, patterns[i / 2], false, &a);
        run(f, arch, patterns[i / 2], true, &b);
        assert_true(a.dram_refreshes > 0 && a.skipped_cycles > 0);
        a.skipped_cycles = b.skipped_cycles = 0;
        assert_memory_equal(&a, &b, sizeof a);
    }
}

/* One channel that reads without end: all banks at once cost it tRFC of each tREFI; one by one
 * the others go on, and a channel of one bank loses the same either way. */
static void a_refresh_takes_its_share_of_a_stream(void **state)
{
    struct fixture *f = *state;
    static const char *const sets[] = {"gpu.sms=4",          "llc.slices=1",   "dram.controllers=1",
                                       "synth.ctas=80",      "synth.stores=0", "dram.bus=4",
                                       "dram.trefi=1000",    "dram.trfc=200",  "dram.refresh=all",
                                       "dram.bank_groups=1", "dram.banks=16"};
    const char *set[11];
    double cycles[2][3];
    for (size_t banks = 0; banks < 2; banks++)
        for (size_t i = 0; i < 3; i++) {
            memcpy(set, sets, sizeof set);
            set[6] = i == 0 ? "dram.trefi=1000000" : sets[6];
            set[8] = i == 2 ? "dram.refresh=bank" : sets[8];
            set[10] = banks ? "dram.banks=1" : sets[10];
            cycles[banks][i] = cycles_of(f, BASE, set, 11, "stream");
        }
    for (size_t banks = 0; banks < 2; banks++)
        assert_true(fabs(cycles[banks][0] / cycles[banks][1] - 0.8) < 0.03);
    assert_true(fabs(cycles[1][0] / cycles[1][2] - 0.8) < 0.03);
    assert_true(cycles[0][2] < 0.5 * (cycles[0][0] + cycles[0][1]));
}

/* The channels' turns are spread: a run much shorter than tREFI has its share of refreshes. */
static void channels_refresh_in_turns(void **state)
{
    struct fixture *f = *state;
    static const char *const banks[] = {"dram.refresh=all", "dram.refresh=bank"};
    double n = 0;
    for (size_t i = 0; i < 2; i++)
        for (double trefi = 1500; trefi < 50000; trefi *= 1.9) {
            char turn[40];
            snprintf(turn, sizeof turn, "dram.trefi=%.0f", trefi);
            const char *const sets[] = {"llc.slices=8",  "dram.controllers=8", "dram.banks=4",
                                        "synth.ctas=24", "dram.trfc=60",       turn,
                                        banks[i]};
            struct stat_totals t;
            run(f, read_text(f, BASE, sets, 7), "stream", true, &t);
            double share = 8 * t.dram_ticks / floor(trefi) * (i ? 4 : 1);
            assert_true(fabs(t.dram_refreshes - share) <= 1.01);
            n += t.dram_refreshes;
        }
    assert_true(n > 50);
}

static void clock_ratios_change_nothing_in_what_happens(void **state)
{
    struct fixture *f = *state;
    static const char *const clocks[][3] = {
        {"noc.clock_ghz=1.0", "gpu.l2_clock_ghz=1.0", "gpu.dram_clock_ghz=1.0"},
        {"noc.clock_ghz=2.0", "gpu.l2_clock_ghz=0.5", "gpu.dram_clock_ghz=1.7"},
        {"noc.clock_ghz=0.3", "gpu.l2_clock_ghz=1.9", "gpu.dram_clock_ghz=0.7"},
    };
    for (size_t i = 0; i < 3; i++) {
        const char *sets[] = {clocks[i][0], clocks[i][1], clocks[i][2], "synth.ctas=16",
                              "synth.rounds=4"};
        struct stat_totals t;
        const struct arch *a = read_text(f, BASE, sets, 5);
        run(f, a, "stream", false, &t);
        assert_true(t.l1d_misses == 16 * 8 * (4 + 1)); /* loads and one store per warp */
        assert_true(t.l2_reads == 16 * 8 * 4 && t.l2_write_acc == 16 * 8);
        assert_true(t.requests == t.answers);
        struct stat_totals again;
        run(f, a, "stream", true, &again);
        assert_true(again.cycles == t.cycles);
    }
}

struct job {
    const struct arch *arch;
    double cycles[4];
};

static void one_job(void *ctx, size_t i)
{
    struct job *j = ctx;
    struct fixture f;
    struct stat_totals t;
    arena_init(&f.mem, NULL, NULL);
    err_init(&f.err);
    run(&f, j->arch, "random", false, &t);
    j->cycles[i] = t.cycles;
    arena_free(&f.mem);
    err_free(&f.err);
}

static void machines_run_side_by_side_without_meeting(void **state)
{
    struct fixture *f = *state;
    static const char *const sets[] = {"synth.ctas=16", "synth.rounds=4"};
    struct job j = {.arch = read_text(f, BASE, sets, 2)};
    pool_run(4, 4, one_job, &j, NULL);
    for (size_t i = 1; i < 4; i++)
        assert_true(j.cycles[i] == j.cycles[0]);
}

static void a_kernel_that_does_not_fit_is_refused(void **state)
{
    struct fixture *f = *state;
    static const char *const sets[] = {"synth.threads=2048"};
    const struct arch *a = read_text(f, BASE, sets, 1);
    struct sim_setup s;
    struct trace_source src;
    assert_true(sim_setup_make(a, ".", false, 1, &f->mem, &s, &f->err));
    assert_true(trace_synth_open("stream", &a->synth, &f->mem, &src, &f->err));
    struct gpu *g = sim_setup_gpu(&s, &f->mem, &f->err);
    const struct trace_source *programs[] = {&src};
    assert_false(gpu_run(g, &(struct gpu_run){.programs = programs, .n_programs = 1}));
    assert_non_null(strstr(f->err.last->text, "does not fit into an SM"));
}

static void a_warp_limit_slows_and_keeps_the_work(void **state)
{
    struct fixture *f = *state;
    static const char *const sets[] = {"synth.ctas=16", "sm.warp_limit=2", "synth.compute=8"};
    struct stat_totals free_run, limited;
    run(f, read_text(f, BASE, sets, 1), "stream", false, &free_run);
    run(f, read_text(f, BASE, sets, 3), "stream", false, &limited);
    assert_true(limited.cycles > free_run.cycles);
    assert_true(limited.l1d_misses == free_run.l1d_misses);
}

static void every_warp_scheduler_does_all_the_work(void **state)
{
    struct fixture *f = *state;
    static const char *const names[] = {"sm.scheduler=gto", "sm.scheduler=lrr",
                                        "sm.scheduler=two_level"};
    for (size_t i = 0; i < 3; i++) {
        const char *sets[] = {names[i], "synth.ctas=24", "sm.fetches_per_cycle=2",
                              "sm.icache.size=2048", "sm.issue_per_scheduler=2"};
        struct stat_totals t;
        run(f, read_text(f, BASE, sets, 5), "stencil", false, &t);
        assert_true(t.warp_insts == 24 * 8 * (2 + 8 * (5 + 2 + 2) + 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(one_load_takes_its_exact_latency_through_every_topology),
        TEST(streaming_reaches_the_bandwidth_of_the_dram),
        TEST(streaming_reaches_the_bandwidth_of_the_network),
        TEST(streaming_reaches_the_bandwidth_of_the_memory_port),
        TEST(throughput_with_few_mshrs_is_entries_over_latency),
        TEST(jumping_over_idle_time_changes_nothing),
        TEST(jumping_changes_nothing_with_stepped_pipelines),
        TEST(jumping_changes_nothing_with_refreshes),
        TEST(a_refresh_takes_its_share_of_a_stream),
        TEST(channels_refresh_in_turns),
        TEST(clock_ratios_change_nothing_in_what_happens),
        TEST(machines_run_side_by_side_without_meeting),
        TEST(a_kernel_that_does_not_fit_is_refused),
        TEST(a_warp_limit_slows_and_keeps_the_work),
        TEST(every_warp_scheduler_does_all_the_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
