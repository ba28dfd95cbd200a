/* SPDX-License-Identifier: MIT
 *
 * sim/study/spacing.h: how the addresses of one access lie to each other. */
#ifndef CW_SIM_STUDY_SPACING_H
#define CW_SIM_STUDY_SPACING_H

#include <stdbool.h>
#include <stdint.h>

/* Lanes of a block of one or two dimensions: one step inside a row, another from row to row. */
static inline bool lanes_are_even(const uint64_t *a, uint32_t n)
{
    uint64_t step[2];
    uint32_t n_steps = 0;
    for (uint32_t i = 1; i < n; i++) {
        uint64_t d = a[i] - a[i - 1];
        if ((n_steps > 0 && d == step[0]) || (n_steps > 1 && d == step[1]))
            continue;
        if (n_steps == 2)
            return false;
        step[n_steps++] = d;
    }
    return true;
}

#endif
