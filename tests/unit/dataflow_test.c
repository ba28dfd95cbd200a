/* SPDX-License-Identifier: MIT
 *
 * Which addresses follow from data (sim/study/dataflow.c), instruction by instruction. */
#include "tests/unit/test.h"

#include "sim/study/dataflow.h"

#define ALL UINT32_MAX

enum { ADDRESS = 1, VALUE, OTHER, INDEX, GUARD = TRACE_FIRST_PREDICATE };

static struct dataflow *begin(void)
{
    static struct dataflow flow;
    dataflow_begin_cta(&flow, TRACE_MAX_WARPS);
    flow.in_shared = flow.in_local = false;
    return &flow;
}

static uint32_t step(struct dataflow *f, uint32_t mask, struct trace_static s)
{
    return dataflow_step(f, 0, &s, &(struct trace_inst){.mask = mask});
}

static uint32_t load(struct dataflow *f, enum trace_space space, uint8_t to, uint8_t from)
{
    return step(f, ALL,
                (struct trace_static){.cls = TC_LOAD,
                                      .space = (uint8_t)space,
                                      .n_dst = 1,
                                      .dst = {to},
                                      .n_src = 1,
                                      .src = {from}});
}

static void add(struct dataflow *f, uint32_t mask, uint8_t to, uint8_t a, uint8_t b)
{
    assert_int_equal(step(f, mask,
                          (struct trace_static){
                              .cls = TC_INT, .n_dst = 1, .dst = {to}, .n_src = 2, .src = {a, b}}),
                     0);
}

static void an_address_made_of_what_was_read_follows_from_data(void **state)
{
    (void)state;
    struct dataflow *f = begin();
    assert_int_equal(load(f, TS_GLOBAL, VALUE, ADDRESS), 0);
    add(f, ALL, INDEX, OTHER, VALUE);
    assert_int_equal(load(f, TS_GLOBAL, VALUE, INDEX), ALL);
    assert_int_equal(load(f, TS_GLOBAL, VALUE, ADDRESS), 0);
}

static void what_is_given_with_the_launch_is_no_data(void **state)
{
    (void)state;
    static const enum trace_space given[] = {TS_CONST, TS_PARAM};
    static const enum trace_space read[] = {TS_GLOBAL, TS_TEXTURE};
    for (int i = 0; i < 2; i++) {
        struct dataflow *f = begin();
        load(f, given[i], INDEX, ADDRESS);
        assert_int_equal(load(f, TS_GLOBAL, VALUE, INDEX), 0);
        f = begin();
        load(f, read[i], INDEX, ADDRESS);
        assert_int_equal(load(f, TS_GLOBAL, VALUE, INDEX), ALL);
    }
}

static void lanes_are_told_apart_and_a_register_forgets(void **state)
{
    (void)state;
    struct dataflow *f = begin();
    load(f, TS_GLOBAL, VALUE, ADDRESS);
    add(f, 0xff, INDEX, VALUE, OTHER);
    assert_int_equal(load(f, TS_GLOBAL, OTHER + 10, INDEX), 0xff);
    add(f, 0x0f, INDEX, ADDRESS, OTHER); /* only these lanes write it again */
    assert_int_equal(load(f, TS_GLOBAL, OTHER + 10, INDEX), 0xf0);
    struct trace_static shuffle = {
        .cls = TC_SHUFFLE, .n_dst = 1, .dst = {INDEX}, .n_src = 1, .src = {INDEX}};
    step(f, ALL, shuffle); /* from whichever lane */
    assert_int_equal(load(f, TS_GLOBAL, OTHER + 10, INDEX), ALL);
}

static void other_warps_have_registers_of_their_own_and_a_new_cta_forgets(void **state)
{
    (void)state;
    struct dataflow *f = begin();
    const struct trace_static by = {
        .cls = TC_LOAD, .space = TS_GLOBAL, .n_dst = 1, .dst = {VALUE}, .n_src = 1, .src = {VALUE}};
    const struct trace_inst in = {.mask = ALL};
    assert_int_equal(dataflow_step(f, 3, &by, &in), 0);
    assert_int_equal(dataflow_step(f, 2, &by, &in), 0);
    assert_int_equal(dataflow_step(f, 3, &by, &in), ALL);
    dataflow_begin_cta(f, 3); /* warps 0 to 2 */
    assert_int_equal(dataflow_step(f, 2, &by, &in), 0);
    assert_int_equal(dataflow_step(f, 3, &by, &in), ALL);
}

static void a_predicate_decides_whether_and_not_where(void **state)
{
    (void)state;
    struct dataflow *f = begin();
    load(f, TS_GLOBAL, VALUE, ADDRESS);
    add(f, ALL, GUARD, VALUE, OTHER); /* a comparison */
    struct trace_static guarded = {.cls = TC_LOAD,
                                   .space = TS_GLOBAL,
                                   .n_dst = 1,
                                   .dst = {OTHER},
                                   .n_src = 2,
                                   .src = {ADDRESS, GUARD}};
    assert_int_equal(step(f, ALL, guarded), 0);
    add(f, ALL, INDEX, ADDRESS, GUARD); /* but a choice by it is data */
    assert_int_equal(load(f, TS_GLOBAL, OTHER, INDEX), ALL);
}

static void of_a_store_the_first_register_is_the_place(void **state)
{
    (void)state;
    struct dataflow *f = begin();
    struct trace_static store = {
        .cls = TC_STORE, .space = TS_SHARED, .n_src = 2, .src = {ADDRESS, VALUE}};
    load(f, TS_GLOBAL, VALUE, ADDRESS);
    assert_int_equal(step(f, ALL, store), 0);
    store.src[0] = VALUE;
    store.src[1] = OTHER;
    assert_int_equal(step(f, ALL, store), ALL);
    store.n_src = 1; /* the place is a number */
    assert_int_equal(step(f, ALL, store), 0);
    struct trace_static atomic = {.cls = TC_ATOMIC,
                                  .space = TS_SHARED,
                                  .n_dst = 1,
                                  .dst = {INDEX},
                                  .n_src = 1,
                                  .src = {VALUE}};
    assert_int_equal(step(f, ALL, atomic), ALL);
    assert_int_equal(load(f, TS_GLOBAL, OTHER, INDEX), ALL); /* what it gave is data */
}

static void data_is_followed_through_shared_and_local_memory(void **state)
{
    (void)state;
    static const enum trace_space spaces[] = {TS_SHARED, TS_LOCAL};
    for (int i = 0; i < 2; i++) {
        struct dataflow *f = begin();
        struct trace_static store = {
            .cls = TC_STORE, .space = (uint8_t)spaces[i], .n_src = 2, .src = {ADDRESS, OTHER}};
        step(f, ALL, store); /* a number of the launch */
        load(f, spaces[i], INDEX, ADDRESS);
        assert_int_equal(load(f, TS_GLOBAL, OTHER, INDEX), 0);
        store.src[1] = VALUE;
        load(f, TS_GLOBAL, VALUE, ADDRESS);
        step(f, ALL, store);
        load(f, spaces[1 - i], INDEX, ADDRESS); /* the other one has none */
        assert_int_equal(load(f, TS_GLOBAL, OTHER, INDEX), 0);
        dataflow_begin_cta(f, TRACE_MAX_WARPS);
        load(f, spaces[i], INDEX, ADDRESS);
        assert_int_equal(load(f, TS_GLOBAL, OTHER, INDEX), ALL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_made_of_what_was_read_follows_from_data),
        cmocka_unit_test(what_is_given_with_the_launch_is_no_data),
        cmocka_unit_test(lanes_are_told_apart_and_a_register_forgets),
        cmocka_unit_test(other_warps_have_registers_of_their_own_and_a_new_cta_forgets),
        cmocka_unit_test(a_predicate_decides_whether_and_not_where),
        cmocka_unit_test(of_a_store_the_first_register_is_the_place),
        cmocka_unit_test(data_is_followed_through_shared_and_local_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
