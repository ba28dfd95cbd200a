/* SPDX-License-Identifier: MIT
 *
 * CTA clustering: the paper's worked examples with the equations as they must be, and rules for
 * every size. */
#include "tests/unit/test.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/rng.h"
#include "sim/cta/partition.h"
#include "sim/cta/sched.h"
#include "sim/study/direction.h"
#include "sim/trace/trace.h"
#include "tests/unit/defaults.h"

#define MAX_SMS 24u
#define MAX_CTAS 1024u

static void the_papers_six_ctas(void **state)
{
    (void)state;
    struct cta_partition p = cta_partition_of(6, 2);
    struct cta_position at = cta_position_of(&p, 3);
    assert_true(at.w == 0 && at.i == 1);                                             /* L21 */
    assert_int_equal(cta_at_position(&p, (struct cta_position){.w = 2, .i = 1}), 5); /* L22 */
    at = cta_bind_in_turn(&p, 4);
    assert_true(at.w == 2 && at.i == 0);                 /* L23 */
    static const uint32_t order[6] = {0, 3, 1, 4, 2, 5}; /* L25 */
    for (uint32_t u = 0; u < 6; u++)
        assert_int_equal(cta_at_position(&p, cta_bind_in_turn(&p, u)), order[u]);
}

static void ten_ctas_on_four_sms_begin_at(void **state)
{
    (void)state;
    struct cta_partition p = cta_partition_of(10, 4);
    static const uint32_t base[4] = {0, 3, 6, 8}, size[4] = {3, 3, 2, 2}; /* L24 */
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(cta_at_position(&p, (struct cta_position){.w = 0, .i = i}), base[i]);
        assert_int_equal(cta_cluster_size(&p, i), size[i]);
    }
}

static void every_partition_is_a_bijection(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 11, "clustering", 0);
    for (uint32_t t = 0; t < 2000; t++) {
        uint32_t n = 1 + rng_below(&r, 700), m = 1 + rng_below(&r, 40);
        struct cta_partition p = cta_partition_of(n, m);
        static bool seen[MAX_CTAS];
        memset(seen, 0, sizeof seen);
        for (uint32_t v = 0; v < n; v++) {
            struct cta_position at = cta_position_of(&p, v);
            assert_true(at.i < m && at.w < cta_cluster_size(&p, at.i));
            assert_int_equal(cta_at_position(&p, at), v);
            uint32_t turned = cta_at_position(&p, cta_bind_in_turn(&p, v));
            assert_true(turned < n && !seen[turned]);
            seen[turned] = true;
        }
    }
}

static void orders_are_as_drawn(void **state)
{
    (void)state;
    struct cta_grid g = {.n_ctas = 16, .columns = 4};
    /* [row][column] number of the CTA: the paper's 4 x 4 examples */
    static const uint32_t column[16] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
    static const uint32_t tile[16] = {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15};
    for (uint32_t k = 0; k < 16; k++) {
        assert_int_equal(cta_of_index(CTA_INDEX_row, 2, &g, k), k);
        assert_int_equal(cta_of_index(CTA_INDEX_column, 2, &g, column[k]), k);
        assert_int_equal(cta_of_index(CTA_INDEX_tile, 2, &g, tile[k]), k);
    }
}

static void every_order_has_every_cta_once(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 12, "clustering", 0);
    for (uint32_t t = 0; t < 1500; t++) {
        uint32_t x = 1 + rng_below(&r, 30), y = 1 + rng_below(&r, 30), tile = 1 + rng_below(&r, 9);
        struct cta_grid g = {.n_ctas = x * y, .columns = x};
        for (enum cta_index index = CTA_INDEX_row; index <= CTA_INDEX_tile; index++) {
            static bool seen[MAX_CTAS];
            memset(seen, 0, sizeof seen);
            for (uint32_t v = 0; v < g.n_ctas; v++) {
                uint32_t cta = cta_of_index(index, tile, &g, v);
                assert_true(cta < g.n_ctas && !seen[cta]);
                seen[cta] = true;
            }
        }
    }
}

/* ---- placement ---- */

struct bench {
    struct arena mem;
    struct cta_machine m;
    struct cta_params params;
    struct cta_grid grid;
    uint32_t cluster_of[MAX_SMS], first[MAX_SMS], n[MAX_SMS], later[MAX_SMS];
    uint32_t sm_of[MAX_CTAS], wait[MAX_CTAS], order[MAX_CTAS]; /* [CTA], [CTA], [turn] */
    uint32_t n_placed;
    const struct cta_sched *sched;
    void *state;
};

static void bench_begin(struct bench *b, struct cta_params params, uint32_t sms,
                        struct cta_grid grid)
{
    memset(b, 0, sizeof *b);
    arena_init(&b->mem, NULL, NULL);
    b->params = params;
    b->grid = grid;
    for (uint32_t s = 0; s < sms; s++) {
        b->cluster_of[s] = s;
        b->first[s] = s;
        b->n[s] = 1;
        b->later[s] = grid.max_per_sm;
    }
    b->m = (struct cta_machine){.n_sms = sms,
                                .n_clusters = sms,
                                .cluster_of = b->cluster_of,
                                .first_sm = b->first,
                                .sms_of = b->n,
                                .crossbar_of = b->cluster_of,
                                .n_crossbars = sms,
                                .seed = 3,
                                .later = b->later};
    for (uint32_t k = 0; k < MAX_CTAS; k++)
        b->sm_of[k] = UINT32_MAX;
    b->sched = cta_sched_of(&b->params);
    b->state = b->sched->begin(&b->params, &b->m, &b->grid, &b->mem);
}

static void place(struct bench *b)
{
    bool any = true;
    while (any) {
        struct cta_place p;
        uint32_t room[MAX_SMS];
        any = false;
        memcpy(room, b->later, sizeof room);
        while (b->n_placed < b->grid.n_ctas && b->sched->next(b->state, room, &p)) {
            assert_in_range(p.n, 1, room[p.sm]);
            for (uint32_t i = 0; i < p.n; i++) {
                assert_true(p.cta[i] < b->grid.n_ctas && b->sm_of[p.cta[i]] == UINT32_MAX);
                b->sm_of[p.cta[i]] = p.sm;
                b->wait[p.cta[i]] = p.wait_cycles;
                b->order[b->n_placed++] = p.cta[i];
            }
            room[p.sm] = 0;
            b->later[p.sm] -= p.n;
            any = true;
        }
    }
}

static void retire(struct bench *b, uint32_t cta)
{
    b->later[b->sm_of[cta]]++;
    b->sched->retired(b->state, b->sm_of[cta], cta);
}

static struct cta_params clustered(enum cta_clustering mode, enum cta_index index)
{
    struct cta_params p = arch_defaults().cta;
    p.scheduler = CTA_global;
    p.clustering.mode = mode;
    p.clustering.index = index;
    return p;
}

static void redirection_keeps_rows_together(void **state)
{
    (void)state;
    struct bench b;
    bench_begin(&b, clustered(CTA_CLUSTERING_redirect, CTA_INDEX_row), 2,
                (struct cta_grid){.n_ctas = 6, .max_per_sm = 3, .columns = 3});
    place(&b);
    for (uint32_t cta = 0; cta < 6; cta++)
        assert_int_equal(b.sm_of[cta], cta / 3);
    arena_free(&b.mem);
    bench_begin(&b, clustered(CTA_CLUSTERING_redirect, CTA_INDEX_column), 3,
                (struct cta_grid){.n_ctas = 6, .max_per_sm = 2, .columns = 3});
    place(&b);
    for (uint32_t cta = 0; cta < 6; cta++)
        assert_int_equal(b.sm_of[cta], cta % 3);
    arena_free(&b.mem);
}

static void an_agent_takes_every_nth_task(void **state)
{
    (void)state;
    struct bench b;
    struct cta_params p = clustered(CTA_CLUSTERING_agent, CTA_INDEX_row);
    p.clustering.active_agents = 2;
    p.clustering.task_cycles = 20;
    p.clustering.start_cycles = 300;
    bench_begin(&b, p, 2, (struct cta_grid){.n_ctas = 11, .max_per_sm = 4, .columns = 11});
    place(&b); /* SM 0: 0..5, SM 1: 6..10 */
    assert_int_equal(b.n_placed, 4);
    assert_true(b.sm_of[0] == 0 && b.sm_of[1] == 0 && b.sm_of[6] == 1 && b.sm_of[7] == 1);
    assert_int_equal(b.wait[0], 320);
    assert_int_equal(b.sched->idled(b.state, b.later), 4); /* two throttled places on each */
    retire(&b, 1); /* agent 1 goes on with 3, though 2 is next in line */
    place(&b);
    assert_true(b.order[4] == 3 && b.wait[3] == 20);
    retire(&b, 7); /* 6 + 1, then 6 + 3 */
    place(&b);
    assert_int_equal(b.order[5], 9);
    retire(&b, 9); /* agent 1 of SM 1 is through; nobody steals */
    retire(&b, 3);
    retire(&b, 0);
    place(&b);
    assert_int_equal(b.n_placed, 8);
    assert_true(b.sm_of[2] == 0 && b.sm_of[5] == 0 && b.sm_of[8] == UINT32_MAX);
    arena_free(&b.mem);
}

/* Any mode, index, number of agents, grid and order of retirements: every CTA runs once, agents on
 * the SM that owns its cluster. */
static void every_cta_runs_once(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 13, "clustering", 0);
    for (uint32_t t = 0; t < 400; t++) {
        static const enum cta_clustering modes[] = {CTA_CLUSTERING_redirect, CTA_CLUSTERING_agent};
        struct bench b;
        uint32_t sms = 1 + rng_below(&r, MAX_SMS), places = 1 + rng_below(&r, 8);
        uint32_t x = 1 + rng_below(&r, 20), y = 1 + rng_below(&r, 20);
        struct cta_params p =
            clustered(modes[rng_below(&r, 2)], (enum cta_index)(CTA_INDEX_row + rng_below(&r, 3)));
        p.scheduler = (enum cta_policy)rng_below(&r, CTA_POLICY_COUNT);
        p.clustering.tile = 1 + rng_below(&r, 5);
        p.clustering.active_agents = rng_below(&r, 3) ? rng_below(&r, 10) : CTA_AGENTS_VOTE;
        struct cta_grid g = {.n_ctas = x * y, .max_per_sm = places, .columns = x};
        bench_begin(&b, p, sms, g);
        uint32_t running[MAX_CTAS], n = 0, seen = 0;
        while (seen < g.n_ctas || n) {
            place(&b);
            while (seen < b.n_placed)
                running[n++] = b.order[seen++];
            assert_true(n > 0);
            uint32_t k = rng_below(&r, n);
            retire(&b, running[k]);
            running[k] = running[--n];
        }
        struct cta_partition part = cta_partition_of(g.n_ctas, sms);
        for (uint32_t v = 0; v < g.n_ctas; v++) {
            uint32_t cta = cta_of_index(p.clustering.index, p.clustering.tile, &g, v);
            assert_true(b.sm_of[cta] < sms);
            if (p.clustering.mode == CTA_CLUSTERING_agent)
                assert_int_equal(b.sm_of[cta], cta_position_of(&part, v).i);
        }
        arena_free(&b.mem);
    }
}

/* SMs whose agents are fewer finish their tasks sooner here: one agent at a time is best, and
 * after the vote no SM has more at work. */
static void the_fastest_number_of_agents_wins(void **state)
{
    (void)state;
    struct bench b;
    struct cta_params p = clustered(CTA_CLUSTERING_agent, CTA_INDEX_row);
    p.clustering.active_agents = CTA_AGENTS_VOTE;
    bench_begin(&b, p, 3, (struct cta_grid){.n_ctas = 300, .max_per_sm = 4, .columns = 300});
    place(&b);
    assert_true(b.later[0] == 0 && b.later[1] == 2 && b.later[2] == 3); /* 4, 2 and 1 at work */
    for (uint32_t task = 0; task < 8; task++) {                         /* only SM 2 moves */
        retire(&b, 200 + task);
        place(&b);
    }
    for (uint32_t cta = 0; cta < 4; cta++)
        retire(&b, cta);
    place(&b);
    assert_int_equal(b.later[0], 3);
    arena_free(&b.mem);
}

/* Two agents that began together end together: SM 0 is twice through when SM 2, which is as fast,
 * is not through once, and SMs of one agent are in between. */
static void one_sm_that_is_ahead_decides_no_vote(void **state)
{
    (void)state;
    struct bench b;
    struct cta_params p = clustered(CTA_CLUSTERING_agent, CTA_INDEX_row);
    p.clustering.active_agents = CTA_AGENTS_VOTE;
    bench_begin(&b, p, 4, (struct cta_grid){.n_ctas = 200, .max_per_sm = 2, .columns = 200});
    place(&b);
    assert_true(b.later[0] == 0 && b.later[1] == 1 && b.later[2] == 0 && b.later[3] == 1);
    static const uint32_t before[] = {50, 150, 51, 151, 52, 152, 0, 1, 2, 3};
    for (uint32_t i = 0; i < sizeof before / sizeof *before; i++) {
        retire(&b, before[i]);
        place(&b);
    }
    assert_true(b.later[0] == 0 && b.later[1] == 1); /* still open */
    for (uint32_t cta = 100; cta < 104; cta++) {
        retire(&b, cta);
        place(&b);
    }
    retire(&b, 4);
    place(&b);
    assert_true(b.later[0] == 0 && b.later[1] == 0); /* two are better, everywhere */
    arena_free(&b.mem);
}

/* ---- the direction, from addresses ---- */

/* A grid of 6 x 5 CTAs of one warp. A CTA reads a line of its own, `row` lines that its row shares
 * and `column` lines that its column shares. */
struct made_up {
    uint32_t row, column;
    bool fails;
    struct trace_inst inst;
    struct trace_warp warp;
    uint64_t addresses[32];
};

static bool load_made_up(const struct trace_source *src, uint32_t kernel, uint32_t cta,
                         struct trace_cta *out, struct err *err)
{
    struct made_up *m = src->ctx;
    uint32_t n = 0, x = cta % 6, y = cta / 6;
    (void)kernel;
    if (m->fails)
        return err_add(err, ERR_INPUT, AT_FILE("made up"), "no such CTA");
    m->addresses[n++] = 128 * (uint64_t)(1000 + cta);
    for (uint32_t i = 0; i < m->row; i++)
        m->addresses[n++] = 128 * (uint64_t)(2000 + 100 * y + i) + 4;
    for (uint32_t i = 0; i < m->column; i++)
        m->addresses[n++] = 128 * (uint64_t)(3000 + 100 * x + i) + 4;
    m->inst = (struct trace_inst){.mask = (1u << n) - 1, .n_addresses = (uint16_t)n};
    m->warp = (struct trace_warp){.insts = &m->inst, .n_insts = 1};
    *out =
        (struct trace_cta){.id = cta, .n_warps = 1, .warps = &m->warp, .addresses = m->addresses};
    return true;
}

static void free_made_up(const struct trace_source *src, struct trace_cta *cta)
{
    (void)src;
    (void)cta;
}

static bool direction_of(struct made_up *m, struct direction *d, struct err *err)
{
    static const struct trace_static load = {.cls = TC_LOAD, .space = TS_GLOBAL, .access_bytes = 4};
    struct trace_kernel k = {.grid = {6, 5, 1}, .n_ctas = 30, .statics = &load, .n_statics = 1};
    struct trace_source src = {.file = "made up",
                               .kernels = &k,
                               .n_kernels = 1,
                               .load_cta = load_made_up,
                               .free_cta = free_made_up,
                               .ctx = m};
    return study_direction(&src, 0, 128, d, err);
}

static void addresses_say_which_neighbours_share(void **state)
{
    (void)state;
    struct err err;
    struct direction d;
    err_init(&err);
    struct made_up rows = {.row = 3, .column = 2}, columns = {.row = 2, .column = 3};
    struct made_up even = {.row = 2, .column = 2}, broken = {.fails = true};
    assert_true(direction_of(&rows, &d, &err));
    assert_false(direction_is_column(&d));
    assert_int_equal(d.lines, 16 * 6); /* sixteen CTAs are looked at, none in the last column */
    assert_int_equal(d.row_lines, 16 * 3);
    assert_true(direction_of(&columns, &d, &err));
    assert_true(direction_is_column(&d));
    assert_true(direction_of(&even, &d, &err));
    assert_false(direction_is_column(&d));
    assert_false(direction_of(&broken, &d, &err));
    err_free(&err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_six_ctas),
        cmocka_unit_test(ten_ctas_on_four_sms_begin_at),
        cmocka_unit_test(every_partition_is_a_bijection),
        cmocka_unit_test(orders_are_as_drawn),
        cmocka_unit_test(every_order_has_every_cta_once),
        cmocka_unit_test(redirection_keeps_rows_together),
        cmocka_unit_test(an_agent_takes_every_nth_task),
        cmocka_unit_test(every_cta_runs_once),
        cmocka_unit_test(the_fastest_number_of_agents_wins),
        cmocka_unit_test(one_sm_that_is_ahead_decides_no_vote),
        cmocka_unit_test(addresses_say_which_neighbours_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
