/* SPDX-License-Identifier: MIT
 *
 * gen/explore/gaussian.h: guesses what a design that has not run would do, from those that have: a
 * Gaussian process (Rasmussen and Williams 2006, algorithm 2.1) with a Matérn 5/2 kernel and a
 * length for every feature, which are fitted by coordinate steps on the likelihood. No random
 * numbers: equal data give equal guesses. */
#ifndef CW_GEN_EXPLORE_GAUSSIAN_H
#define CW_GEN_EXPLORE_GAUSSIAN_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct model {
    size_t n, n_features;
    const double *x; /* [n * n_features] */
    bool is_log;     /* values are all above zero: their logarithms are modelled */
    double mean, scale;
    double *weights; /* [feature]: 1 / length^2 */
    double noise;
    double *factor; /* lower triangle of the kernel's Cholesky factor, [n * n] */
    double *alpha;
};

/* Rows of `x` and their values y. Keeps `x`. */
void model_fit(const double *x, const double *y, size_t n, size_t n_features, struct arena *mem,
               struct model *out);
/* Of the value itself where !is_log, else of its logarithm. */
void model_guess(const struct model *m, const double *x, double *work /* [n] */, double *mean,
                 double *deviation);

#endif
