/* SPDX-License-Identifier: MIT
 *
 * gen/draw.h: programs that draw (gnuplot, neato). A picture is an extra: one that cannot be drawn
 * is a warning with the program's name and words, and what it belongs to is written without it. */
#ifndef CW_GEN_DRAW_H
#define CW_GEN_DRAW_H

#include <stdbool.h>

struct arena;
struct err;

/* Runs argv in `dir`; `what` begins the warning: "plots are not drawn". A program that did not end
 * in time is not started again for the same. */
bool draw_run(const char *const argv[], const char *dir, double timeout_s, const char *what,
              struct arena *mem, struct err *err);

#endif
