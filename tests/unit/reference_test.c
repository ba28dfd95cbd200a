/* SPDX-License-Identifier: MIT */
#include "sim/reference/reference.h"
#include "tests/unit/test.h"

#include "base/arena.h"

static struct arena mem;

static int setup(void **state)
{
    (void)state;
    arena_init(&mem, NULL, NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_free(&mem);
    return 0;
}

static const float before[4] = {1, 2, 3, 4};
static const double squares[4] = {1, 4, 9, 16};

/* One buffer "x" of four floats and one parameter "n". */
static struct ref make(const float *after, struct ref_buffer *buffer, struct ref_param *param)
{
    *buffer = (struct ref_buffer){"x", REF_F32, 4, before, after};
    *param = (struct ref_param){"n", 4};
    return (struct ref){
        .buffers = buffer, .n_buffers = 1, .params = param, .n_params = 1, .mem = &mem};
}

static void values_within_tolerance_are_right(void **state)
{
    (void)state;
    const float after[4] = {1, 4.00001f, 9, 16};
    struct ref_buffer b;
    struct ref_param p;
    struct ref r = make(after, &b, &p);
    ref_expect(&r, "x", squares, 4, 1e-5, 0);
    assert_null(r.wrong);
    assert_int_equal(r.n_checked, 4);
    assert_true(r.worst > 0.2 && r.worst < 0.3);
}

static void the_first_wrong_element_is_named(void **state)
{
    (void)state;
    const float after[4] = {1, 4, 9.5f, 17};
    struct ref_buffer b;
    struct ref_param p;
    struct ref r = make(after, &b, &p);
    ref_expect(&r, "x", squares, 4, 1e-5, 0);
    assert_string_equal(r.wrong, "x[2] is 9.5, the reference has 9 (allowed 9e-05)");
}

static void the_floor_widens_the_tolerance_of_small_values(void **state)
{
    (void)state;
    const float after[4] = {1.5f, 4, 9, 16};
    struct ref_buffer b;
    struct ref_param p;
    struct ref r = make(after, &b, &p);
    ref_expect(&r, "x", squares, 4, 0.1, 10);
    assert_null(r.wrong);
}

static void not_a_number_is_wrong(void **state)
{
    (void)state;
    const float after[4] = {1, NAN, 9, 16};
    struct ref_buffer b;
    struct ref_param p;
    struct ref r = make(after, &b, &p);
    ref_expect(&r, "x", squares, 4, 1, 1e30);
    assert_non_null(r.wrong);
}

static void what_the_workload_lacks_is_a_sentence_and_zeroes(void **state)
{
    (void)state;
    struct ref_buffer b;
    struct ref_param p;
    struct ref r = make(before, &b, &p);
    const float *y = ref_in(&r, "y", REF_F32, 3);
    assert_true(y[0] == 0 && y[2] == 0);
    assert_string_equal(r.wrong, "the reference needs a buffer 'y'");

    r = make(before, &b, &p);
    const int32_t *x = ref_in(&r, "x", REF_S32, 4);
    assert_int_equal(x[3], 0);
    assert_string_equal(r.wrong, "the reference needs 'x' as s32, not f32");

    r = make(before, &b, &p);
    ref_in_real(&r, "x", 5);
    assert_string_equal(r.wrong, "the reference needs 5 elements in 'x', which has 4");

    r = make(before, &b, &p);
    assert_int_equal(ref_int(&r, "n", 1, 3), 1);
    assert_string_equal(r.wrong, "the reference takes 'n' in 1..3, not 4");

    r = make(before, &b, &p);
    assert_true(ref_real(&r, "alpha") == 0);
    assert_string_equal(r.wrong, "the reference needs a parameter 'alpha'");
}

static void the_first_complaint_stays(void **state)
{
    (void)state;
    struct ref_buffer b;
    struct ref_param p;
    struct ref r = make(before, &b, &p);
    assert_true(ref_require(&r, true, "no"));
    assert_false(ref_require(&r, false, "first %d", 1));
    assert_false(ref_require(&r, false, "second"));
    assert_string_equal(r.wrong, "first 1");
}

static void every_reference_says_no_to_an_empty_run(void **state)
{
    (void)state;
    for (const struct reference *const *p = references; *p; p++) {
        struct ref r = {.mem = &mem};
        (*p)->check(&r);
        if (!r.wrong)
            fail_msg("%s accepts a run without buffers", (*p)->name);
        assert_ptr_equal(reference_find((*p)->name), *p);
        assert_true((*p)->meaning[0] != '\0');
    }
    assert_null(reference_find("no such"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_within_tolerance_are_right),
        cmocka_unit_test(the_first_wrong_element_is_named),
        cmocka_unit_test(the_floor_widens_the_tolerance_of_small_values),
        cmocka_unit_test(not_a_number_is_wrong),
        cmocka_unit_test(what_the_workload_lacks_is_a_sentence_and_zeroes),
        cmocka_unit_test(the_first_complaint_stays),
        cmocka_unit_test(every_reference_says_no_to_an_empty_run),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
