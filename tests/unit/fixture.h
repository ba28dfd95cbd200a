/* SPDX-License-Identifier: MIT
 *
 * tests/unit/fixture.h: memory and errors of one test. */
#ifndef CW_TESTS_UNIT_FIXTURE_H
#define CW_TESTS_UNIT_FIXTURE_H

#include "tests/unit/test.h"

#include "base/arena.h"
#include "base/err.h"

struct fixture {
    struct arena mem;
    struct err err;
};

static inline int set_up(void **state)
{
    static struct fixture f;
    arena_init(&f.mem, NULL, NULL);
    err_init(&f.err);
    *state = &f;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *f = *state;
    arena_free(&f->mem);
    err_free(&f->err);
    return 0;
}

#endif
