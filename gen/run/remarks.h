/* SPDX-License-Identifier: MIT
 *
 * gen/run/remarks.h: what an architect would ask about a machine that is legal: an L2 path that
 * hardly carries more than the DRAM, shared memory slower than the L1, few lanes beside the issue
 * width, a network far below its clock, a supply too low for the cores' clock. Warnings of `check`,
 * each with the two figures and where they were said. */
#ifndef CW_GEN_RUN_REMARKS_H
#define CW_GEN_RUN_REMARKS_H

#include "gen/run/setup.h"

struct progress;

/* At most, in GB/s: data of replies from the slices to the SMs over the design's reply network;
 * ports, and twice the bisection where traffic is spread evenly. NAN: no network of the design. */
double remarks_l2_gbps(const struct sim_setup *setup);
double remarks_dram_gbps(const struct arch *arch);

/* `gpu`: the machine of the setup, fresh; its network is loaded to see what it carries, which moves
 * `bar` from what is done to its end. */
void remarks_add(const struct sim_setup *setup, struct gpu *gpu, struct progress *bar,
                 struct err *err);

#endif
