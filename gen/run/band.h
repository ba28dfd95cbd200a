/* SPDX-License-Identifier: MIT
 *
 * gen/run/band.h: a comparison under assumptions that nobody can settle. Every design is priced
 * under each of them; it is simulated again only where its timing changes. A case is one value of
 * every assumption; all cases, or those in which one assumption at a time is not as described.
 *
 * Where an assumption changes prices alone, the events of one run are priced again; prices of
 * routers and of links are scaled apart. */
#ifndef CW_GEN_RUN_BAND_H
#define CW_GEN_RUN_BAND_H

#include "gen/run/pairs.h"

enum { BAND_VALUES = 6 }; /* of an assumption, at most */

struct band_assumption {
    const char *name;                /* "timing mode" */
    const char *values[BAND_VALUES]; /* the first is what the designs say */
    uint32_t n;
};

#define BAND_ASSUMPTIONS(X)                                                                        \
    X(LEAKAGE, "leakage")                                                                          \
    X(MODE, "timing mode")                                                                         \
    X(LINKS, "link lengths")                                                                       \
    X(LIMIT, "clock limit")                                                                        \
    X(GATING, "power gating")                                                                      \
    X(REGISTERS, "link registers")                                                                 \
    X(TECH, "technology")                                                                          \
    X(ROUTERS, "router prices")                                                                    \
    X(WIRES, "link prices")
#define X(id, name) BAND_##id,
enum band_which { BAND_ASSUMPTIONS(X) BAND_N };
#undef X

/* What a user may optimise, in the order of report.h's goals. */
enum band_goal { BAND_PERFORMANCE, BAND_NOC, BAND_SYSTEM, BAND_EDP, BAND_AREA, BAND_GOALS };
extern const char *const band_goal_names[BAND_GOALS];
bool band_more_is_better(int goal);

struct band_case {
    uint8_t value[BAND_N]; /* of each assumption */
    double *ratio;         /* [design * BAND_GOALS + goal] over the first design, geometric means */
    size_t best[BAND_GOALS];
    bool is_tie[BAND_GOALS]; /* another design is within TIE of the best */
};

struct band {
    struct band_assumption assumptions[BAND_N];
    struct band_case *cases; /* the first: all as described */
    size_t n_cases, n_designs;
    size_t n_runs;      /* simulations that it took */
    bool is_each;       /* one assumption at a time */
    const char *preset; /* size of the workloads, where it is not that of the comparison; or NULL */
    const char *const *names;
    const bool *is_counted; /* [workload] in the means: finished in every case by every design that
                               finished any */
    const char *const *workloads;
    size_t n_workloads;
    const bool *has_run; /* [design] it finished a workload */
};

struct band_request {
    const struct arch *const *archs;
    const char *const *names;
    size_t n_designs;
    bool each;                   /* one assumption at a time; else all combinations */
    struct pairs_request *pairs; /* workloads, threads, …; its designs and store are set here */
};

bool band_make(const struct band_request *request, struct arena *mem, struct band *out,
               struct err *err);

/* The smallest and largest ratio of a design over another in cases in which only `which` is not as
 * described (BAND_N: in all cases). False where there is none. */
bool band_range(const struct band *b, int goal, size_t design, size_t over, int which,
                double *least, double *most);

#endif
