/* SPDX-License-Identifier: MIT
 *
 * sim/study/window.h: how many loads a larger coalescing window could merge (WarpPool paper,
 * section 2.3), watched and not changed. The line requests of loads that reach the tags of an SM's
 * L1 pass, in their order, windows of 2, 4, … 128 lines: a request whose line is in the window is
 * merged, another one enters and pushes out the oldest. */
#ifndef CW_SIM_STUDY_WINDOW_H
#define CW_SIM_STUDY_WINDOW_H

#include <stdint.h>

#include "sim/counters.h"

struct arena;
struct gpu;
struct window_study;

enum { WINDOW_SIZES = 7 }; /* of 2 << i lines */

/* What is counted (sim/counters.h). */
/* clang-format off */
#define WINDOW_STATS(X) \
    X(HIDDEN, loads, window_loads, "", "line requests of loads that were seen") \
    X(ARRAY, merged, WINDOW_SIZES, window_merged, "", "of them in the window, by its size") \
    X(VALUE, window_2, "", "share of the loads' line requests that a coalescing window of 2 lines in front of the L1 would merge (with sim.coalescing_windows)", "merged / line requests", RATE(t->window_merged[0], t->window_loads)) \
    X(VALUE, window_4, "", "… of 4 lines", "", RATE(t->window_merged[1], t->window_loads)) \
    X(VALUE, window_8, "", "… of 8 lines", "", RATE(t->window_merged[2], t->window_loads)) \
    X(VALUE, window_16, "", "… of 16 lines", "", RATE(t->window_merged[3], t->window_loads)) \
    X(VALUE, window_32, "", "… of 32 lines", "", RATE(t->window_merged[4], t->window_loads)) \
    X(VALUE, window_64, "", "… of 64 lines", "", RATE(t->window_merged[5], t->window_loads)) \
    X(VALUE, window_128, "", "… of 128 lines", "", RATE(t->window_merged[6], t->window_loads))
/* clang-format on */

struct window_counts {
    WINDOW_STATS(COUNTER_FIELD)
};

struct window_study *window_new(uint32_t n_sms, struct arena *mem);
void window_load(struct window_study *w, uint32_t sm, uint64_t line);
/* Lets the windows of a machine see what reaches its L1s. */
struct window_study *window_attach(struct gpu *g);
const struct window_counts *window_counts(const struct window_study *w);

#endif
