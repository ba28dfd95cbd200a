/* SPDX-License-Identifier: MIT
 *
 * gen/run/further.h: figures of a run that need further runs to compare with. They join the
 * statistics of the run that was asked about (rows stp, antt, noc_demand_percent). */
#ifndef CW_GEN_RUN_FURTHER_H
#define CW_GEN_RUN_FURTHER_H

#include "gen/run/setup.h"
#include "sim/gpu/stats.h"

/* Every program of a run by several, alone on the same machine. Speed is instructions of finished
 * CTAs per cycle until the program's end (or the run's). STP is the sum of shared / solo speed,
 * ANTT the mean of solo / shared speed (Eyerman and Eeckhout 2008). */
struct solo_program {
    struct gpu_program shared, solo;
    double progress; /* shared speed / solo speed */
};
bool further_solo(const struct sim_setup *setup, const struct gpu *shared,
                  const struct gpu_run *run, struct solo_program *out /* [program] */,
                  struct stat_totals *totals, struct arena *mem, struct err *err);

/* The same run with channels of half the width, all clocks and latencies as before. */
bool further_half_width(const struct sim_setup *setup, const char *data_dir,
                        const struct gpu_run *run, struct stat_totals *totals, struct arena *mem,
                        struct err *err);

/* More than 5 % of IPC lost at half the bandwidth is high demand (CD-Xbar paper). */
#define NOC_DEMAND_HIGH_PERCENT 5.0

#endif
