/* SPDX-License-Identifier: MIT
 *
 * CTA placement: the ICC paper's example of 10 CTAs on 2 clusters of 2 SMs with 2 places each, and
 * rules that hold for every policy of the table. */
#include "tests/unit/test.h"

#include "base/arena.h"
#include "base/rng.h"
#include "sim/cta/sched.h"
#include "tests/unit/defaults.h"

#define NO_CTA UINT32_MAX
#define MAX_SMS 32u
#define MAX_PLACES 8u

/* A machine that remembers who is where. */
struct bench {
    struct arena mem;
    struct cta_machine m;
    struct cta_params params;
    struct cta_grid grid;
    uint32_t cluster_of[MAX_SMS], first[MAX_SMS], n[MAX_SMS], crossbar_of[MAX_SMS];
    uint32_t later[MAX_SMS], room[MAX_SMS];
    uint32_t at[MAX_SMS][MAX_PLACES];
    uint32_t n_places, n_ctas, n_placed;
    bool was_placed[1024];
    const struct cta_sched *sched;
    void *state;
};

static void bench_begin(struct bench *b, enum cta_policy policy, uint32_t clusters, uint32_t sms,
                        uint32_t places, uint32_t n_ctas)
{
    memset(b, 0, sizeof *b);
    arena_init(&b->mem, NULL, NULL);
    b->params = arch_defaults().cta;
    b->params.scheduler = policy;
    for (uint32_t s = 0; s < clusters * sms; s++) {
        b->cluster_of[s] = b->crossbar_of[s] = s / sms;
        b->later[s] = places;
        for (uint32_t p = 0; p < MAX_PLACES; p++)
            b->at[s][p] = NO_CTA;
    }
    for (uint32_t c = 0; c < clusters; c++) {
        b->first[c] = c * sms;
        b->n[c] = sms;
    }
    b->m = (struct cta_machine){.n_sms = clusters * sms,
                                .n_clusters = clusters,
                                .cluster_of = b->cluster_of,
                                .first_sm = b->first,
                                .sms_of = b->n,
                                .crossbar_of = b->crossbar_of,
                                .n_crossbars = clusters,
                                .seed = 7,
                                .later = b->later};
    b->n_places = places;
    b->n_ctas = n_ctas;
    b->sched = cta_scheds[policy];
    b->grid = (struct cta_grid){.n_ctas = n_ctas, .max_per_sm = places, .columns = n_ctas};
    b->state = b->sched->begin(&b->params, &b->m, &b->grid, &b->mem);
}

/* Cycles of placement until nothing more is placed; every promise of the policy is checked. */
static void bench_place(struct bench *b)
{
    struct cta_place p;
    bool any = true;
    while (any) {
        any = false;
        memcpy(b->room, b->later, sizeof b->room);
        while (b->n_placed < b->n_ctas && b->sched->next(b->state, b->room, &p)) {
            assert_in_range(p.sm, 0, b->m.n_sms - 1);
            assert_in_range(p.n, 1, b->room[p.sm]);
            for (uint32_t i = 0; i < p.n; i++) {
                assert_true(p.cta[i] < b->n_ctas && !b->was_placed[p.cta[i]]);
                b->was_placed[p.cta[i]] = true;
                uint32_t k = 0;
                while (b->at[p.sm][k] != NO_CTA)
                    k++;
                b->at[p.sm][k] = p.cta[i];
            }
            b->later[p.sm] -= p.n;
            b->room[p.sm] = 0;
            b->n_placed += p.n;
            any = true;
        }
    }
}

static void bench_retire(struct bench *b, uint32_t cta)
{
    for (uint32_t s = 0; s < b->m.n_sms; s++)
        for (uint32_t p = 0; p < b->n_places; p++)
            if (b->at[s][p] == cta) {
                b->at[s][p] = NO_CTA;
                b->later[s]++;
                b->sched->retired(b->state, s, cta);
                return;
            }
    fail();
}

static void bench_end(struct bench *b)
{
    arena_free(&b->mem);
}

/* ---- the paper's example: CTAs are numbered from 1, 0 is an empty place ---- */

static const struct {
    enum cta_policy policy;
    uint32_t before[4][2], after[4][2]; /* [SM][place], before and after CTA 1 retires */
    uint32_t idled;                     /* places empty although CTAs wait, after it */
} example[] = {
    {CTA_two_level, {{1, 5}, {3, 7}, {2, 6}, {4, 8}}, {{9, 5}, {3, 7}, {2, 6}, {4, 8}}, 0},
    {CTA_global, {{1, 5}, {2, 6}, {3, 7}, {4, 8}}, {{9, 5}, {2, 6}, {3, 7}, {4, 8}}, 0},
    {CTA_greedy, {{1, 3}, {2, 4}, {5, 7}, {6, 8}}, {{9, 3}, {2, 4}, {5, 7}, {6, 8}}, 0},
    {CTA_distributed, {{1, 3}, {2, 4}, {6, 8}, {7, 9}}, {{5, 3}, {2, 4}, {6, 8}, {7, 9}}, 0},
    {CTA_distributed_block, {{1, 2}, {3, 4}, {6, 7}, {8, 9}}, {{0, 2}, {3, 4}, {6, 7}, {8, 9}}, 1},
    {CTA_block, {{1, 2}, {3, 4}, {5, 6}, {7, 8}}, {{0, 2}, {3, 4}, {5, 6}, {7, 8}}, 1},
    {CTA_topology, {{1, 5}, {3, 7}, {2, 6}, {4, 8}}, {{9, 5}, {3, 7}, {2, 6}, {4, 8}}, 0},
    {CTA_demand, {{1, 5}, {2, 6}, {3, 7}, {4, 8}}, {{9, 5}, {2, 6}, {3, 7}, {4, 8}}, 0},
};

static void check_places(const struct bench *b, uint32_t want[4][2])
{
    for (uint32_t s = 0; s < 4; s++)
        for (uint32_t p = 0; p < 2; p++)
            assert_int_equal(b->at[s][p], want[s][p] - 1); /* 0 - 1 is NO_CTA */
}

static void ten_ctas_are_placed_as_the_paper_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof example / sizeof example[0]; i++) {
        struct bench b;
        uint32_t before[4][2], after[4][2];
        memcpy(before, example[i].before, sizeof before);
        memcpy(after, example[i].after, sizeof after);
        bench_begin(&b, example[i].policy, 2, 2, 2, 10);
        bench_place(&b);
        check_places(&b, before);
        bench_retire(&b, 0);
        bench_place(&b);
        check_places(&b, after);
        assert_int_equal(b.sched->idled(b.state, b.later), example[i].idled);
        bench_end(&b);
    }
}

static void the_example_covers_every_policy_but_the_random_one(void **state)
{
    (void)state;
    for (enum cta_policy p = 0; p < CTA_POLICY_COUNT; p++) {
        bool is_there = p == CTA_random;
        for (size_t i = 0; i < sizeof example / sizeof example[0]; i++)
            is_there |= example[i].policy == p;
        assert_true(is_there);
    }
}

static void a_lone_last_cta_waits_for_two_places_under_distributed_block(void **state)
{
    (void)state;
    struct bench b;
    bench_begin(&b, CTA_distributed_block, 2, 2, 2, 10);
    bench_place(&b);
    bench_retire(&b, 0);
    bench_place(&b);
    assert_int_equal(b.at[0][0], NO_CTA);
    bench_retire(&b, 1);
    bench_place(&b);
    assert_int_equal(b.at[0][0], 4); /* CTA 5 after 1 and 2 have ended */
    bench_end(&b);
}

static void an_odd_place_stays_empty_under_block_policies(void **state)
{
    (void)state;
    static const enum cta_policy both[] = {CTA_block, CTA_distributed_block};
    for (int i = 0; i < 2; i++) {
        struct bench b;
        bench_begin(&b, both[i], 2, 2, 3, 64);
        bench_place(&b);
        for (uint32_t s = 0; s < 4; s++)
            assert_int_equal(b.later[s], 1);
        assert_int_equal(b.sched->idled(b.state, b.later), 4);
        bench_end(&b);
    }
}

static void one_place_per_sm_makes_block_policies_place_single_ctas(void **state)
{
    (void)state;
    struct bench b;
    bench_begin(&b, CTA_distributed_block, 2, 2, 1, 10);
    bench_place(&b);
    assert_int_equal(b.n_placed, 4);
    bench_end(&b);
}

static void pools_differ_by_one_cta_where_clusters_do_not_divide_the_grid(void **state)
{
    (void)state;
    struct bench b;
    bench_begin(&b, CTA_distributed, 3, 1, 8, 11); /* 4, 4 and 3 */
    bench_place(&b);
    for (uint32_t c = 0; c < 3; c++)
        assert_int_equal(b.at[c][0], c * 4);
    assert_int_equal(b.later[0], 4);
    assert_int_equal(b.later[2], 5);
    bench_end(&b);
}

static void a_cluster_that_is_through_does_not_steal(void **state)
{
    (void)state;
    struct bench b;
    bench_begin(&b, CTA_distributed, 2, 1, 1, 4);
    bench_place(&b);
    bench_retire(&b, 0);
    bench_place(&b);
    bench_retire(&b, 1);
    bench_place(&b);
    assert_int_equal(b.at[0][0], NO_CTA); /* CTA 3 (of 0..3) is the other cluster's */
    assert_int_equal(b.n_placed, 3);
    bench_end(&b);
}

static void demand_refills_places_in_the_order_they_became_free(void **state)
{
    (void)state;
    struct bench b;
    bench_begin(&b, CTA_demand, 2, 2, 1, 16);
    bench_place(&b);
    bench_retire(&b, 3);
    bench_retire(&b, 1);
    bench_retire(&b, 2);
    bench_place(&b);
    assert_int_equal(b.at[3][0], 4);
    assert_int_equal(b.at[1][0], 5);
    assert_int_equal(b.at[2][0], 6);
    bench_end(&b);
}

static void topology_aware_spreads_four_ctas_over_the_local_crossbars(void **state)
{
    (void)state;
    struct bench b; /* the CD-Xbar paper's example: S0, S4, S1, S5 */
    static const uint32_t want[] = {0, 4, 1, 5};
    bench_begin(&b, CTA_topology, 2, 4, 1, 4);
    bench_place(&b);
    for (uint32_t k = 0; k < 4; k++)
        assert_int_equal(b.at[want[k]][0], k);
    bench_end(&b);
    bench_begin(&b, CTA_global, 2, 4, 1, 4);
    bench_place(&b);
    for (uint32_t k = 0; k < 4; k++)
        assert_int_equal(b.at[k][0], k);
    bench_end(&b);
}

static void every_policy_places_every_cta_once_in_any_order_of_retirement(void **state)
{
    (void)state;
    for (enum cta_policy policy = 0; policy < CTA_POLICY_COUNT; policy++)
        for (uint64_t seed = 0; seed < 40; seed++) {
            struct bench b;
            struct rng r;
            rng_seed(&r, seed, "retire", 0);
            uint32_t n_ctas = rng_below(&r, 200), n_live = 0;
            bench_begin(&b, policy, 1 + rng_below(&r, 5), 1 + rng_below(&r, 5),
                        1 + rng_below(&r, 5), n_ctas);
            bench_place(&b);
            for (;;) {
                uint32_t live[MAX_SMS * MAX_PLACES];
                n_live = 0;
                for (uint32_t sm = 0; sm < b.m.n_sms; sm++)
                    for (uint32_t p = 0; p < b.n_places; p++)
                        if (b.at[sm][p] != NO_CTA)
                            live[n_live++] = b.at[sm][p];
                if (!n_live)
                    break;
                bench_retire(&b, live[rng_below(&r, n_live)]);
                bench_place(&b);
            }
            assert_int_equal(b.n_placed, n_ctas);
            bench_end(&b);
        }
}

static void random_placement_repeats_with_its_seed(void **state)
{
    (void)state;
    struct bench a, b;
    bench_begin(&a, CTA_random, 4, 4, 2, 20);
    bench_begin(&b, CTA_random, 4, 4, 2, 20);
    bench_place(&a);
    bench_place(&b);
    assert_memory_equal(a.at, b.at, sizeof a.at);
    bool is_in_turn = true;
    for (uint32_t s = 0; s < 16; s++)
        is_in_turn &= a.at[s][0] == s;
    assert_false(is_in_turn);
    bench_end(&a);
    bench_end(&b);
}

static void pools_are_cut_over_the_clusters_a_kernel_owns(void **state)
{
    (void)state;
    struct bench b;
    bool is_own[4] = {true, true, false, false};
    bench_begin(&b, CTA_distributed, 4, 1, 8, 8);
    b.m.is_own = is_own;
    b.grid = (struct cta_grid){.n_ctas = 8, .max_per_sm = 8, .columns = 8};
    b.state = b.sched->begin(&b.params, &b.m, &b.grid, &b.mem);
    b.later[2] = b.later[3] = 0;
    bench_place(&b);
    assert_int_equal(b.at[0][0], 0);
    assert_int_equal(b.at[1][0], 4);
    assert_int_equal(b.n_placed, 8);
    bench_end(&b);
}

static void every_policy_says_what_it_does(void **state)
{
    (void)state;
    for (enum cta_policy p = 0; p < CTA_POLICY_COUNT; p++)
        assert_true(cta_scheds[p]->meaning[0] != '\0');
}

/* A CTA whose trace was told which SM it is on goes there: SM u mod their number, each in its turn.
 */
static void ctas_that_asked_for_their_sm_go_where_they_were(void **state)
{
    static const struct {
        uint32_t room[3];
        uint32_t sm, cta; /* NO_CTA: none */
    } steps[] = {{{1, 1, 1}, 0, 0}, {{1, 1, 1}, 1, 1},     {{1, 1, 1}, 2, 2},
                 {{0, 1, 1}, 1, 4}, {{1, 1, 0}, 0, 3},     {{0, 0, 0}, 0, NO_CTA},
                 {{1, 0, 0}, 0, 6}, {{0, 0, 1}, 2, 5},     {{0, 0, 1}, 2, NO_CTA},
                 {{1, 1, 1}, 1, 7}, {{1, 1, 1}, 0, NO_CTA}};
    struct arena mem;
    struct cta_machine m = {.n_sms = 3};
    struct cta_params params = arch_defaults().cta;
    struct cta_grid grid = {.n_ctas = 8, .max_per_sm = 8, .columns = 8};
    (void)state;
    arena_init(&mem, NULL, NULL);
    void *s = cta_bound.begin(&params, &m, &grid, &mem);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct cta_place place;
        bool is_placed = cta_bound.next(s, steps[i].room, &place);
        assert_int_equal(is_placed, steps[i].cta != NO_CTA);
        if (!is_placed)
            continue;
        assert_int_equal(place.sm, steps[i].sm);
        assert_int_equal(place.n, 1);
        assert_int_equal(place.cta[0], steps[i].cta);
    }
    arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_ctas_are_placed_as_the_paper_says),
        cmocka_unit_test(the_example_covers_every_policy_but_the_random_one),
        cmocka_unit_test(a_lone_last_cta_waits_for_two_places_under_distributed_block),
        cmocka_unit_test(an_odd_place_stays_empty_under_block_policies),
        cmocka_unit_test(one_place_per_sm_makes_block_policies_place_single_ctas),
        cmocka_unit_test(pools_differ_by_one_cta_where_clusters_do_not_divide_the_grid),
        cmocka_unit_test(a_cluster_that_is_through_does_not_steal),
        cmocka_unit_test(demand_refills_places_in_the_order_they_became_free),
        cmocka_unit_test(topology_aware_spreads_four_ctas_over_the_local_crossbars),
        cmocka_unit_test(every_policy_places_every_cta_once_in_any_order_of_retirement),
        cmocka_unit_test(random_placement_repeats_with_its_seed),
        cmocka_unit_test(pools_are_cut_over_the_clusters_a_kernel_owns),
        cmocka_unit_test(every_policy_says_what_it_does),
        cmocka_unit_test(ctas_that_asked_for_their_sm_go_where_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
