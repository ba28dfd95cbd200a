/* SPDX-License-Identifier: MIT
 *
 * Statistics: every counter of a part is one total, totals are sums over parts, and what is said to
 * add up over SMs and intervals does. */
#include "tests/unit/machine.h"

#include "sim/frame/machine.h"
#include "sim/sm/sm.h"

enum { N_TOTALS = sizeof(struct stat_totals) / sizeof(double) };

union look {
    struct stat_totals t;
    double all[N_TOTALS];
};

/* ---- counters and totals ---- */

/* The counters of two parts of a kind, set one by one to 5 and 7: each moves one total, no two the
 * same, to their sum (or, of `n_most` of them, to the larger). */
static void each_is_one_total(const struct gpu *g, uint64_t *a, uint64_t *b, size_t n,
                              uint32_t n_most)
{
    bool is_taken[N_TOTALS] = {false};
    union look before, after;
    uint32_t n_larger = 0;
    stats_of_gpu(g, &before.t);
    for (size_t i = 0; i < n; i++) {
        uint32_t n_moved = 0;
        a[i] = 5;
        b[i] = 7;
        stats_of_gpu(g, &after.t);
        for (uint32_t k = 0; k < N_TOTALS; k++) {
            double d = after.all[k] - before.all[k];
            if (d == 0)
                continue;
            n_moved++;
            assert_false(is_taken[k]);
            is_taken[k] = true;
            assert_true(d == 12 || d == 7);
            n_larger += d == 7;
        }
        assert_int_equal(n_moved, 1);
        a[i] = b[i] = 0;
    }
    assert_int_equal(n_larger, n_most);
}

static void every_counter_of_a_part_is_one_total(void **state)
{
    (void)state;
    struct machine m;
    machine_make(&m, SMALL_MACHINE, NULL);
    const struct gpu *g = m.gpu;
    each_is_one_total(g, (uint64_t *)&g->sms[0].stats, (uint64_t *)&g->sms[19].stats,
                      sizeof(struct sm_stats) / sizeof(uint64_t), 1);
    each_is_one_total(g, (uint64_t *)&g->slices[0].stats,
                      (uint64_t *)&g->slices[g->n_slices - 1].stats,
                      sizeof(struct slice_stats) / sizeof(uint64_t), 0);
    each_is_one_total(g, (uint64_t *)&g->dram_channels[0].stats,
                      (uint64_t *)&g->dram_channels[g->n_dram_channels - 1].stats,
                      sizeof(struct dram_stats) / sizeof(uint64_t), 0);
    machine_free(&m);
}

/* The ports' requests are also those of their local crossbar: two totals. */
static void ports_add_up(void **state)
{
    (void)state;
    struct machine m;
    machine_make(&m, SMALL_MACHINE, NULL);
    struct cluster *c = m.gpu->clusters;
    uint64_t n = 0;
#define SET(kind, ...) LINE_##kind(SET_FIELD, LINE_NONE, LINE_NONE, __VA_ARGS__)
#define SET_FIELD(field) c[0].field = ++n, c[3].field = 100;
    CLUSTER_STATS(SET)
    struct stat_totals t;
    stats_of_gpu(m.gpu, &t);
    assert_int_equal(n, 5);
    assert_true(t.cluster_requests + t.cluster_merged + t.local_answers + t.cluster_reads +
                    t.noc_read_requests ==
                1 + 2 + 3 + 4 + 5 + 5 * 100);
    assert_true(t.crossbar_max == 100);
    machine_free(&m);
}

/* ---- two looks ---- */

/* Totals that are all there, each another whole number. */
static void make_look(union look *l, double first)
{
    for (uint32_t k = 0; k < N_TOTALS; k++)
        l->all[k] = first + 3 * k;
}

static void between_equal_looks_nothing_happened(void **state)
{
    (void)state;
    union look l, part;
    uint32_t n_unknown = 0;
    make_look(&l, 1000);
    stats_between(&l.t, &l.t, &part.t);
    for (uint32_t k = 0; k < N_TOTALS; k++) {
        n_unknown += isnan(part.all[k]) != 0;
        assert_true(isnan(part.all[k]) || part.all[k] == 0 || part.all[k] == l.all[k]);
    }
    assert_int_equal(n_unknown, 3); /* the busiest crossbar, and port of either network */
    for (const struct stat_row *r = stat_rows; r->name; r++) {
        double v = r->value(&part.t);
        if (r->is_count && !(isnan(v) || v == 0)) {
            print_error("%s is %g\n", r->name, v);
            fail();
        }
    }
    assert_true(part.t.n_sms == l.t.n_sms && part.t.latency_max == l.t.latency_max);
}

static void what_adds_up_over_intervals_is_the_difference_of_two_looks(void **state)
{
    (void)state;
    union look a, b, part;
    uint32_t n = 0;
    make_look(&a, 1000);
    make_look(&b, 5000);
    for (uint32_t k = 0; k < N_TOTALS; k++)
        b.all[k] += 7 * (k % 5);
    stats_between(&a.t, &b.t, &part.t);
    for (const struct stat_row *r = stat_rows; r->name; r++) {
        if (!r->is_count)
            continue;
        n++;
        if (r->value(&part.t) != r->value(&b.t) - r->value(&a.t)) {
            print_error("%s: %g between %g and %g\n", r->name, r->value(&part.t), r->value(&a.t),
                        r->value(&b.t));
            fail();
        }
    }
    assert_true(n > 50);
}

/* ---- rows ---- */

static const struct stat_row *row(const char *name)
{
    for (const struct stat_row *r = stat_rows; r->name; r++)
        if (strcmp(r->name, name) == 0)
            return r;
    return NULL;
}

static void rows_have_a_name_of_their_own_and_a_meaning(void **state)
{
    (void)state;
    size_t n = 0;
    for (const struct stat_row *r = stat_rows; r->name; r++, n++) {
        assert_true(r->name[0] && r->meaning[0] && r->value);
        assert_ptr_equal(row(r->name), r);
    }
    assert_int_equal(n, n_stat_rows);
}

/* The printed counters of every list: the row of that name shows the total of that name. */
static void a_printed_counter_is_its_total(void **state)
{
    (void)state;
    union look l;
    uint32_t n = 0;
    make_look(&l, 1);
#define SHOWN(kind, ...) SHOWN_##kind(__VA_ARGS__)
#define SHOWN_COUNT(field, id, ...) n++, assert_true(row(#id)->value(&l.t) == l.t.id);
#define SHOWN_COUNT_AT(at, id, ...) n++, assert_true(row(#id)->value(&l.t) == l.t.id);
#define SHOWN_HIDDEN(...)
#define SHOWN_HIDDEN_AT(...)
#define SHOWN_ARRAY(...)
#define SHOWN_MOST(...)
#define SHOWN_BUSIEST(...)
#define SHOWN_FACT(...)
#define SHOWN_VALUE(...)
#define SHOWN_SUM(...)
#define SHOWN_GPU_VALUE(...)
#define SHOWN_NAMED_VALUE(...)
#define L(LIST, when, who) LIST(SHOWN)
    STAT_LISTS(L)
#undef L
    assert_true(n > 40);
}

static void is_left_out(const struct stat_totals *t, const char *const *names)
{
    for (uint32_t i = 0; names[i]; i++)
        assert_true(isnan(row(names[i])->value(t)));
    assert_false(isnan(row("warp_insts")->value(t)));
}

static void rows_of_what_is_not_there_are_left_out(void **state)
{
    (void)state;
    union look l;
    make_look(&l, 1);
    for (const struct stat_row *r = stat_rows; r->name; r++)
        assert_true(isfinite(r->value(&l.t)));
    l.t.pool_cycles = 0;
    is_left_out(&l.t, SETS("pool_requests", "pool_stall_full", "pool_broadcast", "pool_by_warp"));
    l.t.has_icc = 0;
    is_left_out(&l.t, SETS("icc_merges", "icc_merged_share", "icc_occupancy"));
    assert_true(isfinite(row("cc_hits")->value(&l.t)));
    l.t.has_cc = 0;
    is_left_out(&l.t, SETS("cc_hits", "cc_flushed"));
    l.t.has_copies = 0;
    is_left_out(&l.t, SETS("l2_copy_hits", "l2_far", "l2_copy_drops"));
    l.t.has_packet_merge = 0;
    is_left_out(&l.t, SETS("packets_merged", "packet_merge_probability", "packet_hold_cycles"));
    l.t.has_blocks = 0;
    is_left_out(&l.t, SETS("cta_idle_contexts"));
}

/* ---- a run ---- */

static bool walk(uint32_t cta, uint32_t warp, uint32_t i, struct step *out)
{
    *out = (struct step){i % 4 == 3 ? STEP_STORE : (enum step_kind)(i % 4 == 2 ? STEP_COMPUTE : 0),
                         (cta / 2 * 7 + warp + i * 3) % 211, 0};
    return i < 40;
}

static void the_gpu_is_the_sum_of_its_sms(void **state)
{
    (void)state;
    struct trace_source p;
    program_make("walk", 1, 33, 3, 0, walk, &p);
    static const char *const kinds[] = {"coalescer.kind=intra", "coalescer.kind=mrpb",
                                        "coalescer.kind=warppool"};
    for (int k = 0; k < 3; k++) {
        struct machine m;
        machine_make(&m, SMALL_MACHINE, SETS(kinds[k]));
        machine_run(&m, &(const struct trace_source *){&p}, 1);
        uint32_t n = 0;
        for (const struct stat_row *r = stat_rows; r->name; r++) {
            double sum = 0, v = r->value(&m.t);
            if (!r->is_count || !r->per_sm || strcmp(r->name, "cycles") == 0)
                continue;
            for (uint32_t i = 0; i < m.gpu->n_sms; i++) {
                struct stat_totals one;
                stats_of_sm(m.gpu, i, &one);
                sum += isnan(r->value(&one)) ? 0 : r->value(&one);
            }
            if (sum != (isnan(v) ? 0 : v)) {
                print_error("%s: %g of the GPU, %g of its SMs\n", r->name, v, sum);
                fail();
            }
            n += sum > 0;
        }
        assert_true(n >= (k ? 12 : 8)); /* with a pool, also its own */
        assert_true(isnan(row("pool_requests")->value(&m.t)) == (k == 0));
        machine_free(&m);
    }
    p.close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_counter_of_a_part_is_one_total),
        cmocka_unit_test(ports_add_up),
        cmocka_unit_test(between_equal_looks_nothing_happened),
        cmocka_unit_test(what_adds_up_over_intervals_is_the_difference_of_two_looks),
        cmocka_unit_test(rows_have_a_name_of_their_own_and_a_meaning),
        cmocka_unit_test(a_printed_counter_is_its_total),
        cmocka_unit_test(rows_of_what_is_not_there_are_left_out),
        cmocka_unit_test(the_gpu_is_the_sum_of_its_sms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
