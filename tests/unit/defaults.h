/* SPDX-License-Identifier: MIT
 *
 * tests/unit/defaults.h: parameters as a description without a single key gives them, for tests
 * that build parts by hand. */
#ifndef CW_TESTS_UNIT_DEFAULTS_H
#define CW_TESTS_UNIT_DEFAULTS_H

#include "gen/config/arch.h"
#include "gen/config/keys.h"

static inline struct arch arch_defaults(void)
{
    struct arch arch = {0};
    keys_set_defaults(&arch);
    return arch;
}

#endif
