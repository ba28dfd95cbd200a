/* SPDX-License-Identifier: MIT
 *
 * The tree that names the source of locality between CTAs (gen/cluster/classify.c), branch by
 * branch, and what counts as a change. */
#include "tests/unit/test.h"

#include "base/arena.h"
#include "gen/cluster/classify.h"

static void no_memory(void *ctx)
{
    (void)ctx;
    abort();
}

/* Three starts around a mean, `spread` apart. */
static struct stat_run starts(double mean, double spread)
{
    struct stat_run s = {0};
    for (int i = -1; i <= 1; i++)
        stat_add(&s, mean + i * spread);
    return s;
}

static struct cluster_run run(double cycles, double spread, double hit_rate)
{
    return (struct cluster_run){starts(cycles, spread), starts(hit_rate, 0), starts(1000, 0)};
}

/* All CTAs read the same words, and nothing changes anything. */
static struct cluster_evidence still(void)
{
    struct cluster_run same = run(1000, 1, 0.5);
    return (struct cluster_evidence){
        .base = same,
        .rows = same,
        .columns = same,
        .agents = same,
        .without_l1 = same,
        .one = run(3000, 1, 0.5),
        .sharing = {.accesses = 100, .shared_lines = 100, .shared_words = 100, .scratch = 100}};
}

static struct cluster_signs signs;

static enum trace_locality class_of(struct cluster_evidence e)
{
    struct arena mem;
    struct cluster_class found;
    arena_init(&mem, no_memory, NULL);
    cluster_classify(&e, &mem, &found);
    assert_true(found.why && strlen(found.why) > 20);
    signs = found.signs;
    arena_free(&mem);
    return found.kind;
}

static void a_change_counts_beyond_a_tie_and_beyond_the_noise(void **state)
{
    (void)state;
    struct cluster_evidence e = still();
    assert_int_equal(class_of(e), TL_STREAM);
    e.columns.cycles = starts(1019, 1); /* a tie */
    assert_int_equal(class_of(e), TL_STREAM);
    e.columns.cycles = starts(979, 1);
    assert_int_equal(class_of(e), TL_ALGORITHM);
    assert_true(signs.time.counts && !signs.hits.counts);
    assert_close(signs.time.by, 0.021, 1e-9);
    /* sums of squares 2 and 2, four degrees of freedom */
    assert_close(signs.time.noise, 2.776 * sqrt(1.0 * 2 / 3) / 1000, 1e-9);
    e.base.cycles = starts(1000, 15); /* the same change in the noise: pooled deviation 10.6 */
    assert_int_equal(class_of(e), TL_STREAM);
    assert_close(signs.time.noise, 2.776 * sqrt((450.0 + 2) / 4 * 2 / 3) / 1000, 1e-9);
    e.rows.cycles = starts(1030, 1);
    assert_int_equal(class_of(e), TL_ALGORITHM); /* the slower order counts as well */
    assert_close(signs.time.by, 0.030, 1e-9);
}

/* What counts is told even where something larger does not. */
static void of_several_changes_the_largest_that_counts_is_told(void **state)
{
    (void)state;
    struct cluster_evidence e = still();
    e.rows.cycles = starts(900, 100); /* large and in its noise */
    e.columns.cycles = starts(960, 1);
    assert_int_equal(class_of(e), TL_ALGORITHM);
    assert_close(signs.time.by, 0.040, 1e-9);
    e.columns.cycles = starts(850, 1);
    e.rows.cycles = starts(950, 1); /* comes first, and counts as well */
    assert_int_equal(class_of(e), TL_ALGORITHM);
    assert_close(signs.time.by, 0.150, 1e-9);
}

static void the_time_of_agents_is_no_sign_because_their_loop_takes_some(void **state)
{
    (void)state;
    struct cluster_evidence e = still();
    e.agents.cycles = starts(900, 1);
    assert_int_equal(class_of(e), TL_STREAM);
}

static void the_hit_rate_counts_by_itself(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct cluster_evidence e = still();
        struct cluster_run *order[] = {&e.rows, &e.columns, &e.agents};
        order[i]->hit_rate = starts(0.519, 0);
        assert_int_equal(class_of(e), TL_STREAM);
        order[i]->hit_rate = starts(0.475, 0);
        assert_int_equal(class_of(e), TL_ALGORITHM);
        assert_true(signs.hits.counts && !signs.time.counts);
        assert_close(signs.hits.by, 0.025, 1e-9);
        order[i]->hit_rate = starts(0.475, 0.03);
        assert_int_equal(class_of(e), TL_STREAM);
    }
}

static void without_an_order_that_counts_the_l1_may(void **state)
{
    (void)state;
    struct cluster_evidence e = still();
    e.without_l1.cycles = starts(1015, 1);
    assert_int_equal(class_of(e), TL_STREAM);
    e.without_l1.cycles = starts(1100, 1);
    assert_int_equal(class_of(e), TL_ALGORITHM);
    e.sharing.shared_words = 49; /* of 100 lines */
    assert_int_equal(class_of(e), TL_LINE);
    e = still();
    e.one = run(970, 1, 0.5); /* with one CTA at a time the L1 does not thrash */
    assert_int_equal(class_of(e), TL_ALGORITHM);
    assert_true(signs.crowd.counts);
    assert_close(signs.crowd.by, 0.030, 1e-9);
    e.one = run(1500, 1, 0.5);
    assert_int_equal(class_of(e), TL_STREAM);
    assert_close(signs.crowd.by, 0, 1e-9);
}

static void what_ctas_share_decides_between_words_and_lines(void **state)
{
    (void)state;
    struct cluster_evidence e = still();
    e.rows.cycles = starts(900, 1);
    e.sharing.shared_lines = 60;
    e.sharing.shared_words = 30;
    assert_int_equal(class_of(e), TL_ALGORITHM);
    e.sharing.shared_words = 29;
    assert_int_equal(class_of(e), TL_LINE);
    e.sharing.shared_lines = 12; /* too few: whatever the order changes, it is not that */
    e.sharing.shared_words = 12;
    assert_int_equal(class_of(e), TL_STREAM);
    e.sharing.constants = 2; /* a table that all read counts: 14 of 102 */
    assert_int_equal(class_of(e), TL_ALGORITHM);
}

static void addresses_come_first(void **state)
{
    (void)state;
    struct cluster_evidence e = still();
    e.rows.cycles = starts(500, 1);
    e.sharing.torn = 12;
    assert_int_equal(class_of(e), TL_ALGORITHM);
    e.sharing.torn = 13;
    assert_int_equal(class_of(e), TL_LINE);
    e.sharing.written = 12;
    assert_int_equal(class_of(e), TL_LINE);
    e.sharing.written = 13;
    assert_int_equal(class_of(e), TL_WRITE);
    e.sharing.irregular = 13;
    assert_int_equal(class_of(e), TL_DATA);
    e.sharing.irregular = 12;
    e.sharing.driven = 24; /* of 100 on shared memory and 100 others */
    assert_int_equal(class_of(e), TL_WRITE);
    e.sharing.driven = 25;
    assert_int_equal(class_of(e), TL_DATA);
}

/* A way that could not be run says nothing; one start leaves only the tie. */
static void runs_that_are_missing_change_nothing(void **state)
{
    (void)state;
    struct cluster_evidence e = still();
    e.rows = e.columns = e.agents = e.without_l1 = e.one = (struct cluster_run){0};
    assert_int_equal(class_of(e), TL_STREAM);
    assert_true(signs.time.by == 0 && signs.l1.by == 0 && signs.crowd.by == 0);
    assert_true(signs.saved == 0);
    e = still();
    e.rows.transactions = starts(1200, 1);
    e.columns.transactions = starts(1100, 1);
    e.agents = (struct cluster_run){0};
    class_of(e);
    assert_close(signs.saved, -0.1, 1e-9); /* the better order asks for more */
    e = still();
    e.base.cycles = e.rows.cycles = (struct stat_run){0};
    stat_add(&e.base.cycles, 1000);
    stat_add(&e.rows.cycles, 1030);
    assert_int_equal(class_of(e), TL_ALGORITHM);
    assert_close(signs.time.noise, 0, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_counts_beyond_a_tie_and_beyond_the_noise),
        cmocka_unit_test(of_several_changes_the_largest_that_counts_is_told),
        cmocka_unit_test(the_time_of_agents_is_no_sign_because_their_loop_takes_some),
        cmocka_unit_test(the_hit_rate_counts_by_itself),
        cmocka_unit_test(without_an_order_that_counts_the_l1_may),
        cmocka_unit_test(what_ctas_share_decides_between_words_and_lines),
        cmocka_unit_test(addresses_come_first),
        cmocka_unit_test(runs_that_are_missing_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
