/* SPDX-License-Identifier: MIT
 *
 * gen/run/pairs.h: runs every design on every workload, on all cores. Each trace is made once; a
 * pair that has been run before by the same program is taken from a folder of results; a pair that
 * fails is a result with its error, and the others go on. Results do not depend on the number of
 * threads.
 */
#ifndef CW_GEN_RUN_PAIRS_H
#define CW_GEN_RUN_PAIRS_H

#include <stdatomic.h>

#include "gen/run/result.h"
#include "gen/run/setup.h"

struct pairs_design {
    const char *name;
    const struct sim_setup *setup;
};

struct pairs_request {
    const struct pairs_design *designs;
    size_t n_designs;
    const char *const *workloads; /* as trace_front_open takes them; "a+b": both at once */
    size_t n_workloads;
    const char *preset; /* NULL: the default */
    const char *data_dir;
    const char *results_dir; /* NULL: nothing is kept */
    unsigned n_threads;      /* 0: all cores */
    bool quiet;
    const bool *wanted;        /* [design * n_workloads + workload]; NULL: all pairs */
    const atomic_bool *cancel; /* set from outside: no further pair starts, running ones stop */
};

/* results[design * n_workloads + workload]. False only if it was cancelled (an error is added). */
bool pairs_run(const struct pairs_request *request, struct arena *mem, struct result **results,
               struct err *err);

/* A flag that Ctrl-C sets from now on; a second Ctrl-C ends the program. */
const atomic_bool *pairs_watch_interrupt(void);
/* All has run: from now on Ctrl-C ends the program at once. The page of a report is its last file.
 */
void pairs_unwatch_interrupt(void);

/* Words of -w: names, groups ("@icc"), files; separated by commas. NULL-terminated list, or NULL.
 */
const char **pairs_workloads(const char *words, const char *data_dir, struct arena *mem, size_t *n,
                             struct err *err);

/* $CROSSWATT_CACHE/results or the like; created. NULL where there is none, with a warning if there
 * should be. */
const char *pairs_results_dir(struct arena *mem, struct err *err);

#endif
