/* SPDX-License-Identifier: MIT */
#include "base/lagfib.h"

#include <stdlib.h>

#include "tests/unit/test.h"

/* The test values of TAOCP: seed 310952, the first number of the 2010th array of 1009. */
static void whole_numbers_pass_the_books_test(void **state)
{
    (void)state;
    struct lagfib_ints g;
    lagfib_ints_seed(&g, 310952);
    uint32_t x = 0;
    for (uint32_t i = 0; i <= 2009 * 100; i++)
        x = lagfib_int(&g);
    assert_int_equal(x, 995235265);
}

static void fractions_pass_the_books_test(void **state)
{
    (void)state;
    struct lagfib_units g;
    lagfib_units_seed(&g, 310952);
    double u = 0;
    for (uint32_t i = 0; i <= 2009 * 100; i++)
        u = lagfib_unit(&g);
    assert_true(u == 0.36410514377569680455);
}

static void trials_answer_as_the_fractions_do(void **state)
{
    (void)state;
    static const double ps[] = {0.0, 1e-17, 0.01, 0.115, 0.3456789, 0.5, 0.999, 1.0};
    for (size_t k = 0; k < sizeof ps / sizeof *ps; k++) {
        struct lagfib_units g;
        struct lagfib_trials t;
        lagfib_units_seed(&g, 7);
        lagfib_trials_seed(&t, 7, ps[k]);
        for (uint32_t done = 0, step = 1; done < 20000; done += step, step = step % 64 + 1) {
            uint64_t bits = lagfib_trials_peek(&t);
            for (uint32_t i = 0; i < step; i++)
                assert_int_equal(bits >> i & 1, lagfib_unit(&g) < ps[k]);
            lagfib_trials_use(&t, step);
        }
    }
}

static void seeds_give_different_numbers_and_negative_ones_work(void **state)
{
    (void)state;
    struct lagfib_ints a, b;
    lagfib_ints_seed(&a, 1);
    lagfib_ints_seed(&b, -1);
    uint32_t same = 0;
    for (uint32_t i = 0; i < 1000; i++)
        same += lagfib_int(&a) == lagfib_int(&b);
    assert_true(same < 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_pass_the_books_test),
        cmocka_unit_test(fractions_pass_the_books_test),
        cmocka_unit_test(trials_answer_as_the_fractions_do),
        cmocka_unit_test(seeds_give_different_numbers_and_negative_ones_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
