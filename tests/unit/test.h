/* SPDX-License-Identifier: MIT
 *
 * tests/unit/test.h: cmocka with what it needs, and comparison of doubles, which it lacks. */
#ifndef CW_TESTS_UNIT_TEST_H
#define CW_TESTS_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#define assert_close(a, b, rel)                                                                    \
    do {                                                                                           \
        double a_ = (a), b_ = (b), tol_ = (rel)*fmax(fabs(a_), fabs(b_));                          \
        if (!(fabs(a_ - b_) <= tol_)) {                                                            \
            print_error("%s:%d: %.17g != %.17g (relative %.3g, allowed %.3g)\n", __FILE__,         \
                        __LINE__, a_, b_, fabs(a_ - b_) / fmax(fabs(a_), fabs(b_)),                \
                        (double)(rel));                                                            \
            fail();                                                                                \
        }                                                                                          \
    } while (0)

#endif
