/* SPDX-License-Identifier: MIT
 *
 * sim/study/window.h: how many loads a larger coalescing window could merge (WarpPool paper,
 * section 2.3), watched and not changed. The line requests of loads that reach the tags of an SM's
 * L1 pass, in their order, windows of 2, 4, … 128 lines: a request whose line is in the window is
 * merged, another one enters and pushes out the oldest. */
#ifndef CW_SIM_STUDY_WINDOW_H
#define CW_SIM_STUDY_WINDOW_H

#include <stdint.h>

struct arena;
struct gpu;
struct window_study;

enum { WINDOW_SIZES = 7 }; /* of 2 << i lines */

struct window_counts {
    uint64_t loads;                /* line requests that were seen */
    uint64_t merged[WINDOW_SIZES]; /* of them, by window */
};

struct window_study *window_new(uint32_t n_sms, struct arena *mem);
void window_load(struct window_study *w, uint32_t sm, uint64_t line);
/* Lets the windows of a machine see what reaches its L1s. */
struct window_study *window_attach(struct gpu *g);
const struct window_counts *window_counts(const struct window_study *w);

#endif
