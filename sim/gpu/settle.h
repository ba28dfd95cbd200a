/* SPDX-License-Identifier: MIT
 *
 * sim/gpu/settle.h: what the description leaves to a kernel's addresses or to a file, settled
 * before it runs: the order of its CTAs, the loads that pass the L1, the places of prefetches. */
#ifndef CW_SIM_GPU_SETTLE_H
#define CW_SIM_GPU_SETTLE_H

#include <stdbool.h>

struct gpu;
struct launch;

/* Fills cta, order, statics and sched of a launch whose src, kernel and k are set. False: an error
 * says why this kernel cannot run so. */
bool launch_settle(struct gpu *g, struct launch *l);

#endif
