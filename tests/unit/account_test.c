/* SPDX-License-Identifier: MIT */
#include "tests/unit/test.h"

#include "base/arena.h"
#include "energy/book/account.h"

/* Two routers of one class, one channel, one array, one user component. */
struct fixture {
    struct arena mem;
    struct err err;
    struct book_class classes[3];
    struct cost costs[3];
    struct book book;
    uint32_t class_of[4];
    uint64_t counts[4][EV_COUNT];
    struct user_component user;
    double user_counts[1];
    struct account_input in;
};

static int set_up(void **state)
{
    static struct fixture f;
    memset(&f, 0, sizeof f);
    arena_init(&f.mem, NULL, NULL);
    err_init(&f.err);
    f.classes[0] = (struct book_class){
        .kind = CK_ROUTER, .name = "router", .group = "noc.request", .instances = 2};
    f.classes[1] = (struct book_class){
        .kind = CK_CHANNEL, .name = "channel", .group = "noc.request", .instances = 1};
    f.classes[2] =
        (struct book_class){.kind = CK_ARRAY, .name = "l1", .group = "l1", .instances = 1};
    for (int k = 0; k < 3; k++)
        cost_clear(&f.costs[k]);
    f.costs[0].energy_pj[EV_BUF_WRITE] = 2;
    f.costs[0].energy_pj[EV_XBAR] = 3;
    f.costs[0].leakage_w[PART_BUFFER] = 0.25;
    f.costs[1].energy_pj[EV_LINK] = 10;
    f.costs[2].energy_pj[EV_ARRAY_READ] = 7;
    f.costs[2].leakage_w[PART_ARRAY] = 0.5;
    f.costs[2].area_um2[PART_ARRAY] = 1e6;
    f.book = (struct book){f.classes, f.costs, 3};
    f.class_of[2] = 1, f.class_of[3] = 2;
    f.counts[0][EV_BUF_WRITE] = 100;
    f.counts[1][EV_BUF_WRITE] = 50;
    f.counts[1][EV_XBAR] = 50;
    f.counts[2][EV_LINK] = 50;
    f.counts[3][EV_ARRAY_READ] = 11;
    f.user = (struct user_component){
        .name = "prefetcher", .instances = 4, .leakage_mw = 125, .energy_pj = 5};
    f.user_counts[0] = 20;
    f.in = (struct account_input){.book = &f.book,
                                  .class_of = f.class_of,
                                  .n_components = 4,
                                  .counts = (const uint64_t(*)[EV_COUNT])f.counts,
                                  .seconds = 1e-9,
                                  .users = &f.user,
                                  .user_counts = f.user_counts,
                                  .n_users = 1};
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    arena_free(&f->mem);
    err_free(&f->err);
    return 0;
}

static struct account make(struct fixture *f)
{
    struct account a;
    assert_true(account_make(&f->in, &f->mem, &a, &f->err));
    return a;
}

static void energy_is_counts_times_prices_plus_leakage_times_time(void **state)
{
    struct fixture *f = *state;
    struct account a = make(f);
    assert_int_equal(a.n_groups, 3);
    assert_string_equal(a.groups[0].name, "noc.request");
    assert_close(a.groups[0].dynamic_j, (150 * 2 + 50 * 3 + 50 * 10) * 1e-12, 1e-12);
    assert_close(a.groups[0].leakage_j, 2 * 0.25 * 1e-9, 1e-12);
    assert_close(a.groups[1].total_j, 11 * 7e-12 + 0.5e-9, 1e-12);
    assert_close(a.groups[1].area_mm2, 1, 1e-12);
    assert_close(a.groups[2].total_j, 20 * 5e-12 + 4 * 0.125e-9, 1e-12);
    assert_close(account_event_j(&a, "noc.request", EV_LINK), 500e-12, 1e-12);
}

static void groups_add_up_to_the_total(void **state)
{
    struct fixture *f = *state;
    f->in.constant_w = 3, f->in.static_w = 0.75;
    struct account a = make(f);
    double sum = 0;
    for (uint32_t i = 0; i < a.n_groups; i++)
        sum += a.groups[i].total_j;
    assert_close(sum, a.total_j, 1e-15);
    assert_close(a.dynamic_j + a.leakage_j + a.static_j + a.constant_j, a.total_j, 1e-12);
    double components = 0;
    for (uint32_t i = 0; i < 4; i++)
        components += account_component_j(&f->in, i);
    assert_close(components + a.user_j[0] + a.static_j + a.constant_j, a.total_j, 1e-12);
    assert_close(a.average_w, a.total_j / 1e-9, 1e-15);
}

static void twice_the_work_takes_twice_the_dynamic_energy(void **state)
{
    struct fixture *f = *state;
    struct account once = make(f);
    for (int i = 0; i < 4; i++)
        for (int e = 0; e < EV_COUNT; e++)
            f->counts[i][e] *= 2;
    f->user_counts[0] *= 2;
    struct account twice = make(f);
    assert_close(twice.dynamic_j, 2 * once.dynamic_j, 1e-15);
    assert_close(twice.leakage_j, once.leakage_j, 1e-15);
}

static void no_activity_leaves_leakage_times_time(void **state)
{
    struct fixture *f = *state;
    memset(f->counts, 0, sizeof f->counts);
    f->user_counts[0] = 0;
    struct account a = make(f);
    assert_true(a.dynamic_j == 0);
    assert_close(a.total_j, (0.5 + 0.5 + 0.5) * 1e-9, 1e-12);
}

static void doubling_one_price_doubles_that_part_alone(void **state)
{
    struct fixture *f = *state;
    struct account before = make(f);
    f->costs[1].energy_pj[EV_LINK] *= 2;
    struct account after = make(f);
    assert_close(after.lines[1].dynamic_j[EV_LINK], 2 * before.lines[1].dynamic_j[EV_LINK], 1e-15);
    assert_true(after.lines[0].total_j == before.lines[0].total_j);
    assert_true(after.lines[2].total_j == before.lines[2].total_j);
}

static void an_event_without_a_price_is_an_error_that_names_it(void **state)
{
    struct fixture *f = *state;
    struct account a;
    f->counts[0][EV_VC_ALLOC] = 9;
    assert_false(account_make(&f->in, &f->mem, &a, &f->err));
    assert_string_equal(err_entry_text(f->err.first, &f->mem),
                        "'router' counted 9 x VC_ALLOC, which has no price in the energy table");
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(energy_is_counts_times_prices_plus_leakage_times_time),
        T(groups_add_up_to_the_total),
        T(twice_the_work_takes_twice_the_dynamic_energy),
        T(no_activity_leaves_leakage_times_time),
        T(doubling_one_price_doubles_that_part_alone),
        T(an_event_without_a_price_is_an_error_that_names_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
