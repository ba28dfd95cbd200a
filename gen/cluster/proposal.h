/* SPDX-License-Identifier: MIT
 *
 * gen/cluster/proposal.h: a program on a machine with its CTAs as they come, and clustered: the
 * runs that classify it, the runs that were proposed for its class, and the fastest of them. */
#ifndef CW_GEN_CLUSTER_PROPOSAL_H
#define CW_GEN_CLUSTER_PROPOSAL_H

#include "gen/cluster/classify.h"

struct app;
struct arch;
struct err;
struct options;

#define CLUSTER_MAX_RUNS 24u
#define CLUSTER_MAX_STARTS 10u

/* One way to run the program. */
struct cluster_variant {
    const char *name, *settings; /* as a user would --set them */
    struct cluster_run run;
    const char *error; /* NULL: it ran */
    uint32_t agents;   /* 0: not of agents, or all; UINT32_MAX: by vote */
    bool is_static;    /* a number of agents and nothing else */
};

struct cluster_direction {
    const char *kernel;
    uint32_t columns, rows;         /* of the grid */
    bool is_column;                 /* clusters of columns: X-partition */
    double row_share, column_share; /* lines in common with the neighbour in the row, column */
};

struct cluster_study {
    const char *workload, *machine;
    struct cluster_evidence evidence;
    struct cluster_class found;
    struct cluster_direction *kernels; /* each kernel once, as first launched */
    uint32_t n_kernels;
    struct cluster_variant variants[CLUSTER_MAX_RUNS];
    uint32_t n_variants;
    uint32_t places; /* CTAs that an SM holds, of the heaviest kernel */
    const struct cluster_variant *base, *best, *best_static, *vote;
    double best_noise; /* share of the time that `best` would have to save */
};

struct cluster_request {
    const struct arch *arch;
    const char *workload;
    const char *preset;
    const char *data_dir;
    const char *command;          /* for the store of results */
    unsigned n_threads, n_starts; /* each run from so many (sim.start) */
    bool quiet, classify_only, fresh;
};

bool cluster_study(const struct cluster_request *request, struct arena *mem,
                   struct cluster_study *out, struct err *err);

#endif
