/* SPDX-License-Identifier: MIT
 *
 * gen/explore/pareto.h: which vectors no other one is better than, and how much room they cover.
 * All values are to be small. */
#ifndef CW_GEN_EXPLORE_PARETO_H
#define CW_GEN_EXPLORE_PARETO_H

#include <stdbool.h>
#include <stddef.h>

#define PARETO_MOST 8u /* values of a vector */

/* Is `a` nowhere worse than `b`, and somewhere better? */
bool pareto_dominates(const double *a, const double *b, size_t m);

/* is_front[i]: no vector of rows[i * m] dominates it. Equal vectors are all in the front. */
void pareto_front(const double *rows, size_t n, size_t m, bool *is_front);

/* Room between vectors and `worst` that is dominated (Zitzler and Thiele 1998), by slices of the
 * last value (While et al. 2012). Vectors beyond `worst` cover nothing. */
double pareto_volume(const double *rows, size_t n, size_t m, const double *worst);
/* What one more vector would add to a front. */
double pareto_gain(const double *front, size_t n, size_t m, const double *worst, const double *row);

#endif
