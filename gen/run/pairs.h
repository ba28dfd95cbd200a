/* SPDX-License-Identifier: MIT
 *
 * gen/run/pairs.h: runs every design on every workload, on all cores. Each trace is made once; a
 * pair that has been run before by the same program is taken from a store of results; a pair that
 * fails is a result with its error, and the others go on. Results do not depend on the number of
 * threads.
 */
#ifndef CW_GEN_RUN_PAIRS_H
#define CW_GEN_RUN_PAIRS_H

#include <stdatomic.h>

#include "gen/run/setup.h"
#include "gen/store/store.h"

struct progress;
struct run_outcome;
struct synth_params;

struct pairs_design {
    const char *name;
    const struct sim_setup *setup;
    uint64_t hash; /* identity_design(); 0: found out */
};

struct pairs_request {
    const struct pairs_design *designs;
    size_t n_designs;
    const char *const *workloads; /* as trace_front_open takes them; "a+b": both at once */
    size_t n_workloads;
    const struct synth_params *synth; /* of "synth:PATTERN", for all designs alike; NULL: none */
    const char *preset;               /* NULL: the default */
    const char *data_dir;
    struct store *store; /* NULL: nothing is kept */
    bool must_keep;      /* what cannot be kept is an error, no warning */
    bool without_links;  /* how busy each channel was is not wanted */
    uint64_t window;     /* the designs' sim.max_cycles, where it is not theirs; 0 */
    unsigned n_threads;  /* 0: all cores */
    bool quiet;
    struct progress *bar; /* told of each pair; NULL: a bar of its own */
    const bool *wanted;   /* [design * n_workloads + workload]; NULL: all pairs */
    /* told of every pair that has just run (not of kept ones), in the thread that ran it */
    void (*ran)(void *ctx, size_t design, size_t workload, const struct run_outcome *outcome);
    void *ctx;
    const atomic_bool *cancel; /* set from outside: no further pair starts, running ones stop */
};

/* results[design * n_workloads + workload]. False, and errors are added, if it was cancelled or the
 * machine let a pair down; the others' results are there. */
bool pairs_run(const struct pairs_request *request, struct arena *mem, struct result **results,
               struct err *err);

/* The same in steps, for those who run many designs one after the other: the workloads are opened
 * once. `request` stays as it is in between, but for designs, n_designs, window and wanted. */
struct pairs;
struct pairs *pairs_open(struct pairs_request *request, struct arena *mem);
bool pairs_step(struct pairs *p, struct arena *mem, struct result **results, struct err *err);
void pairs_close(struct pairs *p);
/* Of a workload, for identity_pair; it is opened if it was not. `as_ptx`: instructions as PTX has
 * them (compat.ptx_as_is of the design). `*error` is why it could not be opened, or NULL. */
uint64_t pairs_workload(struct pairs *p, size_t workload, bool as_ptx, const char **error);

/* A flag that Ctrl-C sets from now on; a second Ctrl-C ends the program. */
const atomic_bool *pairs_watch_interrupt(void);
/* All has run: from now on Ctrl-C ends the program at once. The page of a report is its last file.
 */
void pairs_unwatch_interrupt(void);

/* Words of -w: names, groups ("@icc"), files, "synth:PATTERN"; separated by commas. NULL-terminated
 * list, or NULL. */
const char **pairs_workloads(const char *words, const char *data_dir, struct arena *mem, size_t *n,
                             struct err *err);

/* Is one of them made up? Then the designs must agree on its keys. */
bool pairs_has_synth(const char *const *workloads, size_t n);

/* The user's own store, results.sqlite in $CROSSWATT_CACHE or the like; made where there is none.
 * NULL where none can be, with a warning if there should be. `command` is for its table of
 * provenance. */
struct store *pairs_user_store(const char *command, struct arena *mem, struct err *err);

#endif
