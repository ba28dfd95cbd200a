/* SPDX-License-Identifier: MIT
 *
 * Several programs on one machine, local crossbars, and what is watched: locality within clusters
 * and reuse between CTAs. */
#include "tests/unit/machine.h"

#include "gen/run/further.h"
#include "sim/frame/hooks.h"

/* Ten loads of a CTA's own lines. */
static bool busy(uint32_t cta, uint32_t warp, uint32_t i, struct step *out)
{
    *out = i % 2 ? (struct step){STEP_COMPUTE, 0, 0}
                 : (struct step){STEP_LOAD, (cta * 8 + warp) * 10 + i / 2, 0};
    return i < 20;
}

/* ---- where CTAs go ---- */

#define MOST 64u
struct places {
    uint32_t n;
    struct {
        uint32_t cta, sm;
        uint64_t at;
    } begun[MOST];
};

static void see_cta(void *ctx, uint32_t kernel, uint32_t cta, uint32_t sm, bool begins,
                    uint64_t now)
{
    struct places *p = ctx;
    (void)kernel;
    if (!begins)
        return;
    assert_true(p->n < MOST);
    p->begun[p->n].cta = cta;
    p->begun[p->n].sm = sm;
    p->begun[p->n++].at = now;
}

/* On two local crossbars of four SMs; a CTA fills its SM. */
static void two_programs(const char *share, const char *scheduler, uint32_t n_a, uint32_t n_b,
                         struct places *out)
{
    struct trace_source a, b;
    program_make("a", 1, n_a, 1, 0, busy, &a);
    program_make("b", 1, n_b, 1, 0, busy, &b);
    const struct trace_source *both[] = {&a, &b};
    struct machine m;
    *out = (struct places){0};
    machine_make(&m,
                 "base = \"cfg/paper/icc/base.cfg\";"
                 "gpu: { sms = 8; clusters = 2; network = \"local\"; };"
                 "l1: { hit_cycles = 20; }; llc: { hit_cycles = 60; }; sm: { ctas = 1; };",
                 SETS(share, scheduler));
    gpu_add_probe(m.gpu, &(struct sim_probe){.ctx = out, .cta = see_cta});
    machine_run(&m, both, 2);
    machine_free(&m);
    a.close(&a);
    b.close(&b);
}

static void check_sms(const struct places *p, const uint32_t *want, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(p->begun[i].sm, want[i]);
}

static void interleaved_programs_alternate_on_the_sms_of_each_local_crossbar(void **state)
{
    (void)state;
    struct places p;
    static const uint32_t want[] = {0, 4, 2, 6, 1, 5, 3, 7}; /* the CD-Xbar paper's example */
    two_programs("cta.share=interleave", "cta.scheduler=topology", 4, 4, &p);
    assert_int_equal(p.n, 8);
    check_sms(&p, want, 8);
}

static void halves_are_neighbouring_sms(void **state)
{
    (void)state;
    struct places p;
    static const uint32_t want[] = {0, 1, 2, 3, 4, 5, 6, 7};
    two_programs("cta.share=halves", "cta.scheduler=global", 4, 4, &p);
    check_sms(&p, want, 8);
}

static void what_one_program_leaves_the_other_takes(void **state)
{
    (void)state;
    struct places p;
    static const uint32_t want[] = {0, 4};
    two_programs("cta.share=interleave", "cta.scheduler=topology", 2, 6, &p);
    assert_int_equal(p.n, 8);
    check_sms(&p, want, 2);
    uint64_t first = p.begun[0].at;
    uint32_t at_once = 0;
    for (uint32_t i = 2; i < 8; i++)
        at_once += p.begun[i].at == first;
    assert_int_equal(at_once, 6); /* its own four SMs, and two of the first program's */
}

static void in_sequence_a_program_waits_for_the_one_before(void **state)
{
    (void)state;
    struct places p;
    two_programs("cta.share=sequence", "cta.scheduler=global", 8, 8, &p);
    for (uint32_t i = 8; i < 16; i++)
        assert_true(p.begun[i].at > p.begun[7].at);
}

/* ---- throughput and turnaround ---- */

static void solo_figures(const char *share, uint32_t n, struct stat_totals *f,
                         struct solo_program *each)
{
    struct trace_source a, b;
    program_make("a", 1, 40, 4, 0, busy, &a);
    program_make("b", 1, 40, 4, 0, busy, &b);
    const struct trace_source *both[] = {&a, &b};
    struct gpu_run run = {.programs = both, .n_programs = n};
    struct machine m;
    machine_make(&m, SMALL_MACHINE, SETS(share));
    machine_run(&m, both, n);
    *f = m.t;
    assert_true(further_solo(&m.setup, m.gpu, &run, each, f, &m.mem, &m.err));
    machine_free(&m);
    a.close(&a);
    b.close(&b);
}

static void a_program_alone_has_throughput_and_turnaround_one(void **state)
{
    (void)state;
    struct stat_totals f;
    struct solo_program each[2];
    solo_figures("cta.share=halves", 1, &f, each);
    assert_close(f.stp, 1, 1e-12);
    assert_close(f.antt, 1, 1e-12);
}

static void two_programs_at_once_slow_each_other_down(void **state)
{
    (void)state;
    struct stat_totals f;
    struct solo_program each[2];
    solo_figures("cta.share=interleave", 2, &f, each);
    assert_close(f.stp, each[0].progress + each[1].progress, 1e-12);
    assert_close(f.antt, (1 / each[0].progress + 1 / each[1].progress) / 2, 1e-12);
    assert_true(each[0].progress < 1 && each[1].progress < 1);
    assert_true(f.stp > 1 && f.stp < 2 && f.antt > 1);
}

static void a_run_that_is_cut_off_counts_what_its_programs_had_issued(void **state)
{
    (void)state;
    struct trace_source a, b;
    program_make("a", 1, 400, 4, 0, busy, &a);
    program_make("b", 1, 400, 4, 0, busy, &b);
    const struct trace_source *both[] = {&a, &b};
    struct machine m;
    machine_make(&m, SMALL_MACHINE, SETS("cta.share=halves", "sim.max_cycles=300"));
    machine_run(&m, both, 2);
    struct gpu_program p[2];
    for (uint32_t i = 0; i < 2; i++) {
        gpu_program_result(m.gpu, i, &p[i]);
        assert_false(p[i].is_done);
        assert_true(p[i].warp_insts > 0 && p[i].cycles >= 300);
    }
    assert_true((double)(p[0].warp_insts + p[1].warp_insts) == m.t.warp_insts);
    machine_free(&m);
    a.close(&a);
    b.close(&b);
}

static void programs_begin_again_until_the_end_of_a_fixed_window(void **state)
{
    (void)state;
    struct trace_source a, b;
    program_make("a", 2, 8, 4, 0, busy, &a); /* two kernels, soon through */
    program_make("b", 1, 400, 4, 0, busy, &b);
    const struct trace_source *both[] = {&a, &b};
    for (int is_shared = 0; is_shared < 2; is_shared++) {
        struct machine m;
        struct gpu_program p[2];
        machine_make(&m, SMALL_MACHINE,
                     SETS(is_shared ? "cta.share=halves" : "cta.share=sequence",
                          "sim.max_cycles=30000", "sim.restart=true"));
        machine_run(&m, both, 2);
        for (uint32_t i = 0; i < 2; i++) {
            gpu_program_result(m.gpu, i, &p[i]);
            if (is_shared) {
                assert_false(p[i].is_done);
                assert_true(p[i].cycles >= 30000 && p[i].cycles < 31100);
            }
        }
        if (is_shared) { /* the short one many times while the long one runs */
            assert_true(p[0].rounds > 3 * (p[1].rounds + 1));
            assert_true(p[0].warp_insts > p[0].rounds * (uint64_t)a.kernels[0].n_warp_insts * 2);
        } else { /* both in turn, again and again */
            assert_true(p[1].rounds > 0);
            assert_true(p[0].rounds == p[1].rounds || p[0].rounds == p[1].rounds + 1);
        }
        assert_true((double)(p[0].warp_insts + p[1].warp_insts) == m.t.warp_insts);
        machine_free(&m);
    }
    a.close(&a);
    b.close(&b);
}

static void in_sequence_the_first_program_does_not_notice_the_second(void **state)
{
    (void)state;
    struct stat_totals f;
    struct solo_program each[2];
    solo_figures("cta.share=sequence", 2, &f, each);
    assert_close(each[0].progress, 1, 1e-12);
    assert_true(each[1].progress < 0.6);
}

/* ---- block policies in the machine ---- */

static void odd_places_that_stay_empty_are_counted(void **state)
{
    (void)state;
    struct trace_source a;
    program_make("a", 1, 200, 4, 0, busy, &a);
    struct stat_totals two = totals_of(&a, SETS("sm.ctas=2", "cta.scheduler=distributed_block"));
    struct stat_totals three = totals_of(&a, SETS("sm.ctas=3", "cta.scheduler=distributed_block"));
    struct stat_totals d = totals_of(&a, SETS("sm.ctas=3", "cta.scheduler=distributed"));
    assert_true(d.idled_cycles == 0);
    assert_true(three.idled_cycles > 2 * two.idled_cycles && three.idled_cycles > 20 * 100);
    a.close(&a);
}

/* ---- watching ---- */

/* CTA 0 and 1 (on two SMs of one cluster) load one line; `late` steps lie between. */
static uint32_t late, lanes_of_second;
static bool pair(uint32_t cta, uint32_t warp, uint32_t i, struct step *out)
{
    (void)warp;
    uint32_t wait = cta ? late : 0;
    *out = (struct step){STEP_COMPUTE, 0, 0};
    if (i == wait)
        *out = (struct step){STEP_LOAD, 5, cta ? lanes_of_second : 0xffff};
    return i <= wait;
}

static struct stat_totals pair_totals(uint32_t n_late, uint32_t lanes)
{
    struct trace_source a;
    late = n_late;
    lanes_of_second = lanes;
    program_make("pair", 1, 2, 1, 0, pair, &a);
    struct stat_totals t = totals_of(&a, SETS("gpu.clusters=1", "gpu.sms=2",
                                              "sim.locality_window=1000", "cta.scheduler=global"));
    a.close(&a);
    return t;
}

static void the_same_words_within_the_window_are_data_sharing(void **state)
{
    (void)state;
    struct stat_totals t = pair_totals(20, 0x00ff);
    assert_true(t.icl_requests == 2 && t.icl_data_sharing == 1 && t.icl_line_sharing == 0);
}

static void other_words_of_the_line_are_cache_line_sharing(void **state)
{
    (void)state;
    struct stat_totals t = pair_totals(20, 0xffff0000);
    assert_true(t.icl_requests == 2 && t.icl_data_sharing == 0 && t.icl_line_sharing == 1);
}

static void outside_the_window_nothing_is_shared(void **state)
{
    (void)state;
    struct stat_totals t = pair_totals(1500, 0x00ff);
    assert_true(t.icl_requests == 2 && t.icl_data_sharing == 0 && t.icl_line_sharing == 0);
}

/* Two CTAs load one line, then each stores to a line of its own. */
static bool pair_stores(uint32_t cta, uint32_t warp, uint32_t i, struct step *out)
{
    (void)warp;
    *out = i ? (struct step){STEP_STORE, 50 + cta, 0} : (struct step){STEP_LOAD, 5, 0};
    return i < 2;
}

static void stores_are_data_requests_but_never_redundant(void **state)
{
    (void)state;
    struct trace_source a;
    program_make("pair", 1, 2, 1, 0, pair_stores, &a);
    struct stat_totals t = totals_of(&a, SETS("gpu.clusters=1", "gpu.sms=2",
                                              "sim.locality_window=1000", "cta.scheduler=global"));
    assert_true(t.icl_requests == 4 && t.icl_data_sharing == 1 && t.icl_line_sharing == 0);
    a.close(&a);
}

/* Each CTA loads two lines twice; the second is the same for all. */
static bool reuse(uint32_t cta, uint32_t warp, uint32_t i, struct step *out)
{
    (void)warp;
    *out =
        i % 2 ? (struct step){STEP_COMPUTE, 0, 0} : (struct step){STEP_LOAD, i % 4 ? 100 : cta, 0};
    return i < 8;
}

static void reuse_is_told_apart_by_who_read_last(void **state)
{
    (void)state;
    struct trace_source a;
    program_make("reuse", 1, 3, 1, 0, reuse, &a);
    /* one CTA after the other on one SM: each finds line 100 left by the one before once */
    struct stat_totals t =
        totals_of(&a, SETS("gpu.clusters=1", "gpu.sms=1", "sm.ctas=1", "sim.locality_window=1000"));
    assert_int_equal(t.reuse, 3 * 2 + 2);
    assert_int_equal(t.reuse_other, 2);
    a.close(&a);
}

/* ---- off is absent ---- */

static void what_is_off_or_only_watches_changes_no_number(void **state)
{
    (void)state;
    struct trace_source a;
    program_make("a", 2, 60, 4, 0, busy, &a);
    struct stat_totals without = totals_of(&a, NULL);
    struct stat_totals off =
        totals_of(&a, SETS("cluster.icc.entries=none", "cluster.cc.entries=none",
                           "sim.locality_window=none", "cta.share=interleave"));
    assert_memory_equal(&without, &off, sizeof off);
    struct stat_totals watched = totals_of(&a, SETS("sim.locality_window=500"));
    watched.icl_requests = watched.icl_line_sharing = watched.icl_data_sharing = 0;
    watched.icl_has_words = watched.reuse = watched.reuse_other = 0;
    assert_memory_equal(&without, &watched, sizeof off);
    a.close(&a);
}

/* ---- CD-Xbar ---- */

/* Every warp streams through memory. */
static bool stream(uint32_t cta, uint32_t warp, uint32_t i, struct step *out)
{
    *out = (struct step){STEP_LOAD, (cta * 8 + warp) * 12 + i, 0};
    return i < 12;
}

static struct stat_totals on_cdxbar(const struct trace_source *a, const char *const *sets)
{
    struct machine m;
    machine_make(&m,
                 "base = \"cfg/paper/cdxbar/20-cdxbar.cfg\";"
                 "noc: { clock_limit = \"none\"; cdxbar: { groups = 2; }; };",
                 sets);
    machine_run(&m, &a, 1);
    struct stat_totals t = m.t;
    machine_free(&m);
    return t;
}

static void more_converged_ports_carry_more_and_round_robin_is_the_most_even(void **state)
{
    (void)state;
    struct trace_source a;
    program_make("stream", 1, 60, 8, 0, stream, &a);
    struct stat_totals one = on_cdxbar(&a, SETS("noc.cdxbar.ports=1"));
    struct stat_totals three = on_cdxbar(&a, SETS("noc.cdxbar.ports=3"));
    struct stat_totals source = on_cdxbar(&a, SETS("noc.cdxbar.ports=3", "noc.routing=source"));
    assert_true(one.n_converged_request == 2 && three.n_converged_request == 6);
    assert_true(three.cycles < 0.8 * one.cycles);
    assert_true(three.converged_flits_request ==
                three.flits_core_to_mem); /* every flit takes one of them */
    assert_true(three.converged_flits_reply == three.flits_mem_to_core);
    assert_true(three.converged_max_request < source.converged_max_request);
    assert_true(three.n_crossbars == 2);
    a.close(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interleaved_programs_alternate_on_the_sms_of_each_local_crossbar),
        cmocka_unit_test(halves_are_neighbouring_sms),
        cmocka_unit_test(what_one_program_leaves_the_other_takes),
        cmocka_unit_test(in_sequence_a_program_waits_for_the_one_before),
        cmocka_unit_test(a_program_alone_has_throughput_and_turnaround_one),
        cmocka_unit_test(two_programs_at_once_slow_each_other_down),
        cmocka_unit_test(a_run_that_is_cut_off_counts_what_its_programs_had_issued),
        cmocka_unit_test(programs_begin_again_until_the_end_of_a_fixed_window),
        cmocka_unit_test(in_sequence_the_first_program_does_not_notice_the_second),
        cmocka_unit_test(odd_places_that_stay_empty_are_counted),
        cmocka_unit_test(the_same_words_within_the_window_are_data_sharing),
        cmocka_unit_test(other_words_of_the_line_are_cache_line_sharing),
        cmocka_unit_test(outside_the_window_nothing_is_shared),
        cmocka_unit_test(stores_are_data_requests_but_never_redundant),
        cmocka_unit_test(reuse_is_told_apart_by_who_read_last),
        cmocka_unit_test(what_is_off_or_only_watches_changes_no_number),
        cmocka_unit_test(more_converged_ports_carry_more_and_round_robin_is_the_most_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
