/* SPDX-License-Identifier: MIT
 *
 * gen/run/energy.h: what a run of the machine cost: the events of every component, priced by the
 * book. Derived figures (average power, EDP, performance per Watt and per mm²) are defined here,
 * beside their inputs, and nowhere else. */
#ifndef CW_GEN_RUN_ENERGY_H
#define CW_GEN_RUN_ENERGY_H

#include "energy/book/account.h"
#include "gen/price/price.h"
#include "gen/store/result.h"

struct gpu;

struct run_energy {
    struct account_input input;
    struct account account;
    uint64_t (*counts)[EV_COUNT]; /* [component] */
    double *user_counts;
    double noc_j; /* both networks */
    double network_mm2, chip_mm2;
    double low_w,
        high_w; /* what the ways between nodes leave open of the average (scale_range_w) */
};

/* Events of every component since the start of the machine, into counts[component]. */
void run_counts(const struct priced *priced, const struct gpu *gpu, uint64_t (*counts)[EV_COUNT]);

/* Whether the components of the user's own (energy.user) name statistics that there are. */
bool run_check_users(const struct energy_params *e, struct arena *mem, struct err *err);

/* The account of counts gathered over `seconds`. `statistics` are the run's named numbers (for
 * energy.user). */
bool run_account(const struct priced *priced, const uint64_t (*counts)[EV_COUNT], double seconds,
                 const struct result *statistics, struct arena *mem, struct run_energy *out,
                 struct err *err);

/* Energy of one SM: core and the arrays that belong to it. */
double run_sm_j(const struct priced *priced, const struct run_energy *e, uint32_t sm);

/* The rows that run_add_energy adds, for lists of statistics. */
struct energy_row {
    const char *name, *unit, *meaning, *formula;
};
extern const struct energy_row energy_rows[]; /* ends with a NULL name */

/* Adds power_w, energy_j, perf_per_watt.noc, … and the groups to a result that has thread_insts. */
void run_add_energy(const struct priced *priced, const struct run_energy *e, struct arena *mem,
                    struct result *result);

#endif
