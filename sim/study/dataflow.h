/* SPDX-License-Identifier: MIT
 *
 * sim/study/dataflow.h: which addresses follow from data. A warp's instructions in their order tell
 * which registers hold what came from memory, lane by lane, and what was made of it. What is given
 * with the launch (parameters, constants, the numbers of threads and CTAs) is no data: an order of
 * CTAs can be chosen by it before the run. A register that memory gave only through a jump that
 * hangs on data does not count. */
#ifndef CW_SIM_STUDY_DATAFLOW_H
#define CW_SIM_STUDY_DATAFLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/trace/trace.h"

struct dataflow {
    uint32_t holds[TRACE_MAX_WARPS][256]; /* lanes of a warp whose register follows from data */
    bool in_shared, in_local;             /* some was stored there, in this CTA or an earlier one */
};

/* The warps of a CTA begin with registers that hold no data. */
void dataflow_begin_cta(struct dataflow *flow, uint32_t n_warps);

/* Takes an instruction of a warp in. Returns the lanes that it sends to an address that follows
 * from data; 0 if it is no access to memory. */
uint32_t dataflow_step(struct dataflow *flow, uint32_t warp, const struct trace_static *s,
                       const struct trace_inst *in);

#endif
