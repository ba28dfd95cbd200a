/* SPDX-License-Identifier: MIT
 *
 * gen/price/cost_figures.h: what is known of a design before anything runs, as named numbers: area,
 * leakage, power at a rate, clock and size of its networks, area of its arrays. One row each,
 * listed by `crosswatt stats` beside the statistics of runs; expressions of `crosswatt explore` use
 * the names. */
#ifndef CW_GEN_PRICE_COST_FIGURES_H
#define CW_GEN_PRICE_COST_FIGURES_H

#include "gen/price/bill.h"

struct figure {
    const char *name, *unit, *meaning, *formula;
    double (*value)(const struct bill *bill);
};

extern const struct figure figures[]; /* ends with a NULL name */
extern const size_t n_figures;

/* Flits per cycle from every SM port and LLC slice at which powers are given: that of `cost`. */
#define FIGURES_RATE 0.1

/* The values of all figures into out[n_figures]; `priced` is a whole design's. */
bool cost_figures_of(const struct priced *priced, double *out, struct err *err);

#endif
