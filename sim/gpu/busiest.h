/* SPDX-License-Identifier: MIT
 *
 * sim/gpu/busiest.h: what was busiest in a run, and how much of what it could do that is. A channel
 * carries at most one flit a network cycle, a slice looks into its tags once an L2 cycle, the data
 * bus of a DRAM channel is busy at most all the time. */
#ifndef CW_SIM_GPU_BUSIEST_H
#define CW_SIM_GPU_BUSIEST_H

#include <stdint.h>

struct gpu;

enum gpu_limit { LIMIT_REQUEST_LINK, LIMIT_REPLY_LINK, LIMIT_L2_SLICE, LIMIT_DRAM, GPU_LIMITS };

struct gpu_busiest {
    uint32_t index, n; /* which one, of how many; n is 0 where there is none */
    double share;      /* of its bound, over the whole run */
    double mean;       /* the same, of all of them together */
};

void gpu_find_busiest(const struct gpu *g, struct gpu_busiest out[GPU_LIMITS]);

#endif
