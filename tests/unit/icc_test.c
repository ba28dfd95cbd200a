/* SPDX-License-Identifier: MIT
 *
 * Intra-cluster coalescing and the coalesced cache: the arrays alone, and in the machine. */
#include "tests/unit/machine.h"

#include "cache/coalesced_cache.h"
#include "cache/merge_table.h"
#include "sim/cluster/cluster.h"
#include "sim/frame/machine.h"
#include "sim/memory/dram.h"
#include "sim/memory/l2.h"
#include "sim/sm/l1.h"
#include "sim/sm/sm.h"

/* ---- the arrays ---- */

static void a_second_sm_joins_the_entry_of_the_first(void **state)
{
    (void)state;
    struct arena mem;
    struct merge_table t;
    arena_init(&mem, NULL, NULL);
    merge_table_init(&t, 2, &mem);
    assert_int_equal(merge_table_request(&t, 7, 0), MERGE_ADDED);
    assert_int_equal(merge_table_request(&t, 7, 3), MERGE_JOINED);
    assert_int_equal(merge_table_request(&t, 7, 3), MERGE_JOINED); /* absorbed */
    assert_int_equal(merge_table_reply(&t, 7), 1 | 8);
    assert_int_equal(merge_table_reply(&t, 7), 0); /* it is free again */
    assert_int_equal(t.n_used, 0);
    arena_free(&mem);
}

static void a_full_table_remembers_nothing_until_a_reply_frees_an_entry(void **state)
{
    (void)state;
    struct arena mem;
    struct merge_table t;
    arena_init(&mem, NULL, NULL);
    merge_table_init(&t, 2, &mem);
    assert_int_equal(merge_table_request(&t, 1, 0), MERGE_ADDED);
    assert_int_equal(merge_table_request(&t, 2, 0), MERGE_ADDED);
    assert_int_equal(merge_table_request(&t, 3, 0), MERGE_FULL);
    assert_int_equal(merge_table_request(&t, 2, 1), MERGE_JOINED); /* full does not stop merging */
    assert_int_equal(merge_table_reply(&t, 3), 0);
    assert_int_equal(merge_table_reply(&t, 1), 1);
    assert_int_equal(merge_table_request(&t, 3, 1), MERGE_ADDED);
    assert_int_equal(t.joined + t.added + t.full, 5);
    assert_int_equal(t.searches, 7);
    arena_free(&mem);
}

static void the_coalesced_cache_evicts_the_least_recently_used_line(void **state)
{
    (void)state;
    struct arena mem;
    struct err err;
    struct coalesced_cache c;
    arena_init(&mem, NULL, NULL);
    err_init(&err);
    assert_true(coalesced_cache_init(&c, 24, 128, &mem, &err));
    for (uint64_t l = 0; l < 24; l++)
        coalesced_cache_fill(&c, l);
    assert_true(coalesced_cache_read(&c, 0));
    coalesced_cache_fill(&c, 100);
    assert_true(coalesced_cache_read(&c, 0));
    assert_false(coalesced_cache_read(&c, 1));
    coalesced_cache_store(&c, 100);
    coalesced_cache_store(&c, 101); /* not there */
    assert_false(coalesced_cache_read(&c, 100));
    assert_int_equal(c.invalidations, 1);
    coalesced_cache_flush(&c);
    assert_int_equal(c.flushed, 23);
    assert_false(coalesced_cache_read(&c, 0));
    err_free(&err);
    arena_free(&mem);
}

/* ---- in the machine ---- */

/* Every CTA walks the same lines, some later than others. */
static bool sharing(uint32_t cta, uint32_t warp, uint32_t i, struct step *out)
{
    uint32_t late = cta % 5 * 40, n_loads = 40;
    if (i < late) {
        out->kind = STEP_COMPUTE;
        return true;
    }
    i -= late;
    if (i >= 2 * n_loads)
        return false;
    *out = i % 2 ? (struct step){STEP_COMPUTE, 0, 0}
                 : (struct step){STEP_LOAD, (uint64_t)i / 2 * 8 + warp + cta / 20 * 1000, 0};
    return true;
}

/* Every CTA has its own lines. */
static bool private(uint32_t cta, uint32_t warp, uint32_t i, struct step *out)
{
    if (i >= 40)
        return false;
    *out = i % 2 ? (struct step){STEP_COMPUTE, 0, 0}
                 : (struct step){STEP_LOAD, ((uint64_t)cta * 8 + warp) * 20 + i / 2, 0};
    return true;
}

/* Reads shared lines, then all write them. */
static bool writing(uint32_t cta, uint32_t warp, uint32_t i, struct step *out)
{
    (void)cta;
    if (i >= 80)
        return false;
    *out = (struct step){i % 2 ? STEP_STORE : STEP_LOAD, (uint64_t)(i / 2 % 16) * 4 + warp, 0};
    return true;
}

/* One load each, nothing else. */
static bool lone(uint32_t cta, uint32_t warp, uint32_t i, struct step *out)
{
    (void)warp;
    *out = i ? (struct step){STEP_COMPUTE, 0, 0} : (struct step){STEP_LOAD, cta, 0};
    return i < 2;
}

/* Twenty loads, each waits for the one before. */
static bool chain(uint32_t cta, uint32_t warp, uint32_t i, struct step *out)
{
    (void)warp;
    *out = i % 2 ? (struct step){STEP_COMPUTE, 0, 0} : (struct step){STEP_LOAD, cta * 100 + i, 0};
    return i < 40;
}

struct world {
    struct trace_source sharing, private, writing, lone, twice, chain;
};

static int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    program_make("sharing", 1, 60, 8, 0, sharing, &w->sharing);
    program_make("private", 1, 40, 8, 0, private, &w->private);
    program_make("writing", 1, 40, 4, 0, writing, &w->writing);
    program_make("lone", 1, 1, 1, 0, lone, &w->lone);
    program_make("twice", 2, 40, 8, 0, sharing, &w->twice);
    program_make("chain", 1, 1, 1, 0, chain, &w->chain);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    struct trace_source *all[] = {&w->sharing, &w->private, &w->writing,
                                  &w->lone,    &w->twice,   &w->chain};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        all[i]->close(all[i]);
    free(w);
    return 0;
}

#define ICC "cluster.icc.entries=48"
#define CC "cluster.cc.entries=24"

static void with_sharing_reads_fall_and_ipc_rises_from_base_to_icc_to_cc(void **state)
{
    struct world *w = *state;
    struct stat_totals base = totals_of(&w->sharing, NULL);
    struct stat_totals icc = totals_of(&w->sharing, SETS(ICC));
    struct stat_totals cc = totals_of(&w->sharing, SETS(ICC, CC));
    assert_true(icc.icc_merges > 0 && cc.cc_hits > 0);
    assert_true(icc.noc_read_requests < 0.9 * base.noc_read_requests);
    assert_true(cc.noc_read_requests < icc.noc_read_requests);
    assert_true(icc.cycles < base.cycles);
    assert_true(cc.cycles < icc.cycles);
    assert_true(base.warp_insts == icc.warp_insts && icc.warp_insts == cc.warp_insts);
}

static void without_sharing_nothing_is_merged_and_all_reads_are_sent(void **state)
{
    struct world *w = *state;
    struct stat_totals base = totals_of(&w->private, NULL);
    struct stat_totals cc = totals_of(&w->private, SETS(ICC, CC));
    assert_true(cc.icc_merges == 0 && cc.cc_hits == 0 && cc.cc_fills == 0);
    assert_true(base.noc_read_requests == cc.noc_read_requests);
    assert_close(base.cycles, cc.cycles, 0.02);
}

static void a_lone_load_takes_one_cycle_longer(void **state)
{
    struct world *w = *state;
    struct stat_totals base = totals_of(&w->lone, NULL);
    struct stat_totals icc = totals_of(&w->lone, SETS(ICC));
    struct stat_totals cc = totals_of(&w->lone, SETS(ICC, CC));
    assert_int_equal(base.latency_sum + 1, icc.latency_sum);
    assert_int_equal(base.latency_sum + 1, cc.latency_sum); /* both are looked at together */
}

static void without_sharing_nothing_changes_but_one_cycle_for_each_miss(void **state)
{
    struct world *w = *state;
    struct stat_totals base = totals_of(&w->chain, NULL);
    struct stat_totals cc = totals_of(&w->chain, SETS(ICC, CC));
    assert_int_equal(base.requests, 20);
    assert_int_equal(cc.cycles, base.cycles + 20);
    assert_int_equal(cc.latency_sum, base.latency_sum + 20);
    assert_int_equal(cc.l1d_misses, base.l1d_misses);
    assert_int_equal(cc.noc_read_requests, base.noc_read_requests);
    assert_int_equal(cc.dram_rd, base.dram_rd);
}

static void merged_and_injected_add_up_to_what_missed(void **state)
{
    struct world *w = *state;
    static const char *const sizes[] = {"cluster.icc.entries=1", "cluster.icc.entries=8",
                                        "cluster.icc.entries=48", "cluster.icc.entries=4096"};
    for (size_t i = 0; i < 4; i++) {
        struct stat_totals t = totals_of(&w->sharing, SETS(sizes[i], CC));
        assert_int_equal(t.icc_merges + t.icc_entries + t.icc_overflows + t.cc_hits, t.requests);
        assert_int_equal(t.icc_entries + t.icc_overflows, t.noc_read_requests);
        assert_int_equal(t.icc_merges + t.cc_hits, t.cluster_merged);
        assert_int_equal(t.cluster_merged + t.noc_read_requests, t.requests);
    }
}

static void a_table_for_every_mshr_of_the_cluster_never_overflows(void **state)
{
    struct world *w = *state;
    struct stat_totals small = totals_of(&w->sharing, SETS("cluster.icc.entries=4"));
    struct stat_totals most = totals_of(&w->sharing, SETS("cluster.icc.entries=160"));
    struct stat_totals more = totals_of(&w->sharing, SETS("cluster.icc.entries=4096"));
    assert_true(small.icc_overflows > 0);
    assert_true(most.icc_overflows == 0);
    assert_true(small.icc_merges < most.icc_merges);
    assert_true(most.cycles == more.cycles && most.icc_merges == more.icc_merges);
}

/* What a cluster asks for more than once is only what was never shared in flight: with all lines
 * kept, a line crosses the network again only if its first reply had a single reader. */
static void a_coalesced_cache_without_end_keeps_every_line_that_was_shared(void **state)
{
    struct world *w = *state;
    struct stat_totals some = totals_of(&w->sharing, SETS("cluster.icc.entries=160", CC));
    struct stat_totals all =
        totals_of(&w->sharing, SETS("cluster.icc.entries=160", "cluster.cc.entries=4096"));
    assert_true(all.cc_evictions == 0);
    assert_true(all.noc_read_requests <= some.noc_read_requests);
    assert_true(all.cc_fills == all.cc_flushed);
}

static void stores_throw_their_line_out_of_the_coalesced_cache(void **state)
{
    struct world *w = *state;
    struct stat_totals t = totals_of(&w->writing, SETS(ICC, CC));
    assert_true(t.cc_fills > 0);
    assert_true(t.cc_invalidations > 0);
    assert_int_equal(t.cc_fills, t.cc_invalidations + t.cc_evictions + t.cc_flushed);
}

static void the_end_of_a_kernel_empties_the_coalesced_cache(void **state)
{
    struct world *w = *state;
    struct stat_totals t = totals_of(&w->twice, SETS(ICC, "cluster.cc.entries=4096"));
    assert_true(t.cc_flushed > 0);
    assert_int_equal(t.cc_fills, t.cc_flushed); /* of both kernels: the second filled it again */
    assert_int_equal((uint64_t)t.cc_fills % 2, 0);
}

static void sectors_and_split_lines_merge_like_lines(void **state)
{
    struct world *w = *state;
    struct stat_totals base =
        totals_of(&w->sharing, SETS("llc.sector=32 B", "llc.sectors_one_by_one=true"));
    struct stat_totals icc =
        totals_of(&w->sharing, SETS("llc.sector=32 B", "llc.sectors_one_by_one=true", ICC, CC));
    assert_true(icc.icc_merges > 0);
    assert_true(icc.noc_read_requests < base.noc_read_requests);
    struct stat_totals sectors =
        totals_of(&w->sharing, SETS("l1.sector=32 B", "llc.sector=32 B", ICC, CC));
    assert_int_equal(sectors.cluster_merged + sectors.noc_read_requests, sectors.requests);
    assert_true(sectors.icc_merges > 0);
}

static void every_request_costs_a_search_and_every_entry_a_write_and_a_read(void **state)
{
    struct world *w = *state;
    const struct trace_source *program = &w->sharing;
    struct machine m;
    machine_make(&m, SMALL_MACHINE, SETS(ICC, CC));
    machine_run(&m, &program, 1);
    uint64_t table[EV_COUNT] = {0}, cache[EV_COUNT] = {0};
    for (uint32_t c = 0; c < 4; c++) {
        gpu_array_events(m.gpu, ROLE_MERGE_TABLE, c, table);
        gpu_array_events(m.gpu, ROLE_COALESCED_CACHE, c, cache);
    }
    /* requests past the cache, and replies */
    assert_int_equal(table[EV_ARRAY_SEARCH],
                     m.t.icc_merges + m.t.icc_entries + m.t.icc_overflows + m.t.noc_read_requests);
    assert_int_equal(table[EV_ARRAY_WRITE], m.t.icc_merges + m.t.icc_entries);
    assert_int_equal(table[EV_ARRAY_READ], m.t.icc_entries);
    assert_int_equal(cache[EV_ARRAY_SEARCH], m.t.requests + m.t.cc_fills);
    assert_int_equal(cache[EV_ARRAY_READ], m.t.cc_hits);
    assert_int_equal(cache[EV_ARRAY_WRITE], m.t.cc_fills);
    machine_free(&m);
}

static void skipping_idle_cycles_changes_nothing(void **state)
{
    struct world *w = *state;
    const struct trace_source *program = &w->sharing;
    struct machine m;
    struct stat_totals skipped = totals_of(program, SETS(ICC, CC));
    machine_make(&m, SMALL_MACHINE, SETS(ICC, CC));
    assert_true(
        gpu_run(m.gpu, &(struct gpu_run){.programs = &program, .n_programs = 1, .no_skip = true}));
    stats_of_gpu(m.gpu, &m.t);
    skipped.skipped_cycles = m.t.skipped_cycles;
    assert_memory_equal(&skipped, &m.t, sizeof skipped);
    machine_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_sm_joins_the_entry_of_the_first),
        cmocka_unit_test(a_full_table_remembers_nothing_until_a_reply_frees_an_entry),
        cmocka_unit_test(the_coalesced_cache_evicts_the_least_recently_used_line),
        cmocka_unit_test(with_sharing_reads_fall_and_ipc_rises_from_base_to_icc_to_cc),
        cmocka_unit_test(without_sharing_nothing_is_merged_and_all_reads_are_sent),
        cmocka_unit_test(a_lone_load_takes_one_cycle_longer),
        cmocka_unit_test(without_sharing_nothing_changes_but_one_cycle_for_each_miss),
        cmocka_unit_test(merged_and_injected_add_up_to_what_missed),
        cmocka_unit_test(a_table_for_every_mshr_of_the_cluster_never_overflows),
        cmocka_unit_test(a_coalesced_cache_without_end_keeps_every_line_that_was_shared),
        cmocka_unit_test(stores_throw_their_line_out_of_the_coalesced_cache),
        cmocka_unit_test(the_end_of_a_kernel_empties_the_coalesced_cache),
        cmocka_unit_test(sectors_and_split_lines_merge_like_lines),
        cmocka_unit_test(every_request_costs_a_search_and_every_entry_a_write_and_a_read),
        cmocka_unit_test(skipping_idle_cycles_changes_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
