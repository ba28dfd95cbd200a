/* SPDX-License-Identifier: MIT
 *
 * What larger coalescing windows would merge: sequences of lines that are worked out by hand. */
#include "base/arena.h"
#include "sim/study/window.h"
#include "tests/unit/test.h"

static struct window_counts counts_of(const uint64_t *lines, size_t n, uint32_t sms)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct window_study *w = window_new(sms, &mem);
    for (size_t i = 0; i < n; i++)
        window_load(w, (uint32_t)i % sms, lines[i]);
    struct window_counts c = *window_counts(w);
    arena_free(&mem);
    return c;
}

static void a_line_within_the_window_is_merged(void **state)
{
    (void)state;
    /* three lines in turn: two places never hold the one that comes, four always do */
    const uint64_t lines[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    struct window_counts c = counts_of(lines, 9, 1);
    assert_int_equal(c.loads, 9);
    assert_int_equal(c.merged[0], 0);
    assert_int_equal(c.merged[1], 6);
    assert_int_equal(c.merged[6], 6);
}

static void a_merged_request_does_not_stay_longer(void **state)
{
    (void)state;
    /* two places: 5 is merged once, then 6 and 7 push it out although it was used last */
    const uint64_t lines[] = {5, 6, 5, 7, 5};
    assert_int_equal(counts_of(lines, 5, 1).merged[0], 1);
}

static void every_sm_has_its_own_window(void **state)
{
    (void)state;
    const uint64_t lines[] = {3, 3, 3, 3}; /* in turn on two SMs */
    assert_int_equal(counts_of(lines, 4, 2).merged[0], 2);
    assert_int_equal(counts_of(lines, 4, 4).merged[0], 0);
}

static void line_zero_is_a_line(void **state)
{
    (void)state;
    const uint64_t lines[] = {0};
    assert_int_equal(counts_of(lines, 1, 1).merged[6], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_within_the_window_is_merged),
        cmocka_unit_test(a_merged_request_does_not_stay_longer),
        cmocka_unit_test(every_sm_has_its_own_window),
        cmocka_unit_test(line_zero_is_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
