/* SPDX-License-Identifier: MIT
 *
 * gen/run/names.h: all named numbers in one list: statistics of the simulator, what the account
 * adds to them, and what is known of a design before it runs. `crosswatt stats` prints it;
 * expressions are checked against it. */
#ifndef CW_GEN_RUN_NAMES_H
#define CW_GEN_RUN_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct stat_name {
    const char *name, *unit, *meaning, *formula;
    bool is_figure; /* of the design alone: no run is needed (gen/price/cost_figures.h) */
};

/* In the order in which they are printed; `*n` of them. */
const struct stat_name *stat_names(struct arena *mem, size_t *n);

#endif
