/* SPDX-License-Identifier: MIT
 *
 * gen/explore/evaluate.h: what is known of the points of a space: prices (all of them), short and
 * whole runs (those that the search chooses). Everything is kept in the store and taken from there
 * the next time; equal parts are priced once. Results do not depend on the number of threads. */
#ifndef CW_GEN_EXPLORE_EVALUATE_H
#define CW_GEN_EXPLORE_EVALUATE_H

#include <stdatomic.h>

#include "gen/explore/points.h"
#include "gen/run/pairs.h"
#include "gen/store/store.h"

enum fidelity { FIDELITY_PRICE, FIDELITY_WINDOW, FIDELITY_FULL, FIDELITIES };
extern const char *const fidelity_names[FIDELITIES];

struct explored { /* a point */
    point_choice *choice;
    uint64_t id, hash;          /* of its design, gen/run/identity.h; 0: not known */
    const double *figures;      /* NULL: it cannot be made */
    const char *error;          /* why, or why it did not run */
    bool is_priced;             /* looked at */
    bool is_allowed;            /* by the constraints known from prices */
    bool has[FIDELITIES];       /* it ran */
    bool meets[FIDELITIES];     /* all constraints */
    double *values[FIDELITIES]; /* [objective], small is good; NaN: none */
    double *slacks[FIDELITIES]; /* [constraint], then the left sides of all */
    bool as_ptx;                /* compat.ptx_as_is: another trace */
    unsigned round;             /* in which the search chose it */
};

struct evaluation_request {
    const struct space *space;
    struct store *store;
    const char *data_dir;
    unsigned n_threads;
    bool quiet, allow_tools;
    const atomic_bool *cancel;
    /* how long the prices of `n` points will take, s, once some of them are known; may be NULL */
    void (*estimated)(void *ctx, size_t n, double seconds);
    void *ctx;
};

struct evaluation;
struct evaluation *evaluation_new(const struct evaluation_request *request, struct arena *mem,
                                  struct err *err);
void evaluation_free(struct evaluation *e);

/* Prices points, each once. False: interrupted, or they cannot be kept; a point that cannot be made
 * is no error. What was priced before an interruption is kept. */
bool evaluation_price(struct evaluation *e, struct explored *points, size_t n, struct err *err);
/* Runs those of `chosen` on all workloads. */
bool evaluation_run(struct evaluation *e, struct explored **chosen, size_t n,
                    enum fidelity fidelity, struct err *err);

/* The same from the store alone: what is not there stays unknown. */
bool evaluation_take(struct evaluation *e, struct explored **chosen, size_t n,
                     enum fidelity fidelity, struct err *err);

/* Seconds of a run so far, and how many were made and taken from the store. */
struct evaluation_counts {
    uint64_t n_runs, n_taken, n_parts_priced, n_parts_asked, n_designs_priced, n_designs_taken;
    double run_s;
};
void evaluation_counts(struct evaluation *e, struct evaluation_counts *out);

/* A point as a description that is finished; NULL where it cannot be made. */
const struct arch *evaluation_arch(struct evaluation *e, const struct explored *p,
                                   struct arena *mem, struct err *err);
/* The same priced; NULL where it cannot be made. */
const struct priced *evaluation_priced(struct evaluation *e, const struct explored *p,
                                       struct arena *mem, struct err *err);
/* How runs of the space's workloads are asked for, without designs and without a store. */
struct pairs_request evaluation_pairs(const struct evaluation *e);
/* The description of a point, all keys. */
const char *evaluation_description(struct evaluation *e, const struct explored *p,
                                   struct arena *mem);

#endif
