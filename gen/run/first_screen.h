/* SPDX-License-Identifier: MIT
 *
 * gen/run/first_screen.h: what people came for, in 24 lines: how fast a run was and what limits it,
 * what it took, and on which assumptions that stands. The rest is a table of statistics. */
#ifndef CW_GEN_RUN_FIRST_SCREEN_H
#define CW_GEN_RUN_FIRST_SCREEN_H

#include "gen/run/run.h"

struct buf;

struct first_screen {
    const struct sim_setup *setup;
    const struct run_outcome *outcome;
    const char *title; /* "hs (tiny) on 80-cdxbar" */
    const struct trace_source *const *programs;
    uint32_t n_programs;
};

void first_screen_text(const struct first_screen *f, struct arena *mem, struct buf *out);
/* "limits": the largest stall, and the busiest link of each network, slice and DRAM channel. */
json_t *first_screen_limits(const struct first_screen *f, struct arena *mem);

#endif
