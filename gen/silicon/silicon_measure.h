/* SPDX-License-Identifier: MIT
 *
 * gen/silicon/silicon_measure.h: all microbenchmarks on one machine, several at once. The figures
 * do not depend on the number of threads. */
#ifndef CW_GEN_SILICON_SILICON_MEASURE_H
#define CW_GEN_SILICON_SILICON_MEASURE_H

#include "gen/silicon/silicon_figures.h"

struct silicon_request {
    const struct sim_setup *setup;
    const char *data_dir;
    const bool *wanted; /* [figure]; NULL: all */
    unsigned n_threads; /* 0: all cores */
    bool quiet;
    const atomic_bool *cancel;
};

/* One that fails is among the results with its error. False only if it was cancelled. */
bool silicon_measure(const struct silicon_request *request, struct arena *mem,
                     struct silicon_run *out, struct err *err);
void silicon_release(struct silicon_run *run); /* figures are to be taken before */

#endif
