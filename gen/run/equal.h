/* SPDX-License-Identifier: MIT
 *
 * gen/run/equal.h: equal terms: channel widths of a design, in whole bytes, so that its networks
 * have what those of another have. */
#ifndef CW_GEN_RUN_EQUAL_H
#define CW_GEN_RUN_EQUAL_H

#include "gen/run/setup.h"

#define EQUAL_TERMS(X) X(bisection) X(area) X(power) X(wires)
#define X(word) EQUAL_##word,
enum equal_terms { EQUAL_TERMS(X) EQUAL_COUNT };
#undef X
extern const char *const equal_names[EQUAL_COUNT];

#define EQUAL_RATE 0.1 /* flits a cycle from every port, for power */

/* GB/s over the cuts of both networks at the clock in force; mm² of routers and repeaters; W at
 * EQUAL_RATE; mm² of global wires. NAN and an error where it cannot be found. */
double equal_measure(const struct sim_setup *setup, enum equal_terms terms, struct err *err);

/* Sets the widths of `arch` (reply and request in their ratio) to what comes nearest to `target`;
 * `got` is what that gives. */
bool equal_widths(struct arch *arch, const char *data_dir, enum equal_terms terms, double target,
                  struct arena *mem, double *got, struct err *err);

#endif
