/* SPDX-License-Identifier: MIT
 *
 * gen/run/dvfs.h: one machine at several core clocks, each at the supply it needs
 * (energy/vf_curve.h). The hardware is that of the description: its arrays are organised, its
 * routers sized and its pipelines counted once, at the description's clock; points differ in clocks
 * and supply alone. With tech.dvfs = "chip" networks and L2 move with the core, clock and supply;
 * with "core" they stay. The DRAM and its controllers' supply stay in any case. */
#ifndef CW_GEN_RUN_DVFS_H
#define CW_GEN_RUN_DVFS_H

#include "gen/run/run.h"

struct dvfs_range {
    double low_ghz, high_ghz, step_ghz;
};

struct dvfs_point {
    double ghz, volt;
    double volt_ratio; /* over the supply at the description's clock */
    double cycles, seconds, gips, power_w, energy_j, per_watt, edp_js;
    json_t
        *parts; /* power and energy by component, as `sim --json` has them; NULL: not asked for */
};

struct dvfs {
    struct dvfs_point *points;
    size_t n;
    size_t best_per_watt, best_edp; /* points */
    const char *curve;              /* where supplies come from */
    const char *moves;              /* what changes its clock and supply */
};

/* "0.7:1.4:0.1" */
bool dvfs_parse(const char *text, struct dvfs_range *out, struct err *err);

/* Told before each point. */
typedef void dvfs_tell(void *ctx, size_t done, size_t n, double ghz);

/* `request->run` is what each point runs. With `wants_parts` each point has its parts, which
 * dvfs_free lets go. */
bool dvfs_run(const struct run_request *request, const struct dvfs_range *range, bool wants_parts,
              dvfs_tell *tell, void *ctx, struct arena *mem, struct dvfs *out, struct err *err);
void dvfs_free(struct dvfs *d);

#endif
