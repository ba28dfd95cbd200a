/* SPDX-License-Identifier: MIT
 *
 * gen/run/run.h: one design on one or several programs: run the machine, take its statistics, price
 * its events. `sim`, `compare` and `reproduce` all go through here. */
#ifndef CW_GEN_RUN_RUN_H
#define CW_GEN_RUN_RUN_H

#include "gen/run/energy.h"
#include "gen/run/result.h"
#include "gen/run/setup.h"

/* True where the run's events can be priced: prices were made, and the network is the design's. */
bool run_has_energy(const struct sim_setup *setup);

/* Statistics of a machine that has run (all rows of sim/gpu/stats.h) and, where they can be priced,
 * energy and the figures derived from it. `energy` may be NULL. */
bool run_result(const struct sim_setup *setup, const struct gpu *gpu, const char *design,
                const char *workload, struct arena *mem, struct result *out,
                struct run_energy *energy, struct err *err);

/* Makes a machine, runs it to the end, fills the result. For use from several threads at once, each
 * with its own `mem` and `err`. */
bool run_pair(const struct sim_setup *setup, const struct gpu_run *run, const char *design,
              const char *workload, struct arena *mem, struct result *out, struct err *err);

/* power, energy by component, perf_per_watt: what `sim --json` adds to the statistics. */
void run_add_json(const struct result *result, const struct run_energy *energy, json_t *out);

#endif
