/* SPDX-License-Identifier: MIT
 *
 * gen/run/run.h: one design on one or several programs: run the machine, take its statistics, price
 * its events. `sim`, `compare` and `reproduce` all go through here. */
#ifndef CW_GEN_RUN_RUN_H
#define CW_GEN_RUN_RUN_H

#include "gen/run/energy.h"
#include "gen/run/further.h"
#include "gen/run/setup.h"
#include "gen/store/result.h"

/* True where the run's events are priced: energy was asked for. */
bool run_has_energy(const struct sim_setup *setup);

struct run_request {
    const struct sim_setup *setup;
    const struct gpu_run *run;
    const char *design, *workload; /* names for the result */
    const char *data_dir;          /* for further runs */
    bool want_solo, want_demand;   /* further runs: see gen/run/further.h */
};

struct run_outcome {           /* not to be copied: the account points to its input */
    struct gpu *gpu;           /* as it is after the run */
    struct stat_totals totals; /* its statistics, and figures of further runs */
    struct run_energy energy;  /* zero unless run_has_energy */
    struct solo_program *solo; /* [program]; NULL unless asked for */
    struct result result;
};

/* Makes a machine, runs it to the end, makes further runs, takes statistics and, where the events
 * can be priced, energy and the figures derived from it. For use from several threads at once, each
 * with its own `mem` and `err`. */
bool run_pair(const struct run_request *request, struct arena *mem, struct run_outcome *out,
              struct err *err);

/* power, energy by component, perf_per_watt: what `sim --json` adds to the statistics. */
void run_add_json(const struct result *result, const struct run_energy *energy, json_t *out);

#endif
