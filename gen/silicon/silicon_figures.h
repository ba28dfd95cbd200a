/* SPDX-License-Identifier: MIT
 *
 * gen/silicon/silicon_figures.h: the figures by which a machine is compared with cards: what each
 * is, which microbenchmark gives it, how it follows from kernels' times and energies, and which key
 * moves it. */
#ifndef CW_GEN_SILICON_SILICON_FIGURES_H
#define CW_GEN_SILICON_SILICON_FIGURES_H

#include "gen/silicon/microbench.h"

struct silicon_run { /* a machine and what the microbenchmarks gave on it */
    const struct sim_setup *setup;
    const struct microbench *benches; /* [n], in the order of silicon_benches() */
    size_t n_benches;
    struct arena *arenas; /* [n] where they live: silicon_release() */
};

struct silicon_figure {
    const char *id, *part; /* part: heading in the table */
    const char *text, *unit;
    int decimals;
    const char *key;   /* what moves it */
    const char *bench; /* the microbenchmark; NULL: none is run for it */
    const char *other; /* a second one it is compared with, or NULL */
    int at;            /* first kernel it looks at; -1: the one before the last */
    bool is_power;     /* depends on the clock at which it was measured */
    double (*value)(const struct silicon_run *run, const struct silicon_figure *f);
};

extern const struct silicon_figure silicon_figures[];
extern const size_t n_silicon_figures;

/* Names of figures, for the reader of facts. */
const char *const *silicon_figure_names(struct arena *mem);

/* The microbenchmarks that the figures need, each once, in the order of the figures. `wanted` NULL:
 * all figures. */
const char **silicon_benches(const bool *wanted, struct arena *mem, size_t *n);

/* NAN: not measured here. */
double silicon_value(const struct silicon_run *run, const struct silicon_figure *f);

#endif
