/* SPDX-License-Identifier: MIT
 *
 * sim/frame/launch.h: a kernel that runs or waits. */
#ifndef CW_SIM_FRAME_LAUNCH_H
#define CW_SIM_FRAME_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/cta/sched.h"
#include "sim/trace/trace.h"

struct launch {
    const struct trace_source *src;
    uint32_t program, kernel;
    const struct trace_kernel *k;
    const struct cta_sched *sched;
    struct cta_machine machine; /* what the policy sees */
    struct cta_params cta;      /* what it is told: the description's, settled for this kernel */
    const struct trace_static
        *statics;          /* the kernel's, or as bypassing and prefetching have them */
    const uint32_t *order; /* of index "file" */
    bool *is_own;          /* [sm] of its program, where programs share the machine */
    void *state;
    uint32_t n_placed, n_retired, max_per_sm;
    uint32_t n_met;   /* CTAs that wait at a barrier of the grid */
    bool meets, goes; /* it has such barriers; all have come: they go on */
    uint64_t base, code, begins;
    uint64_t began, ended;
    uint64_t issued_insts; /* of CTAs that are through, or were when the run was cut off */
    uint32_t rounds;       /* times it has ended (sim.restart) */
    bool is_running, is_done;
    bool has_private;    /* addresses that follow from where a CTA runs */
    bool asks_ahead;     /* it has prefetches, of its own or of its agents */
    bool has_prefetches; /* statics has one for each of the kernel's, and one more, behind it */
};

#endif
