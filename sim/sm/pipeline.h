/* SPDX-License-Identifier: MIT
 *
 * sim/sm/pipeline.h: the way of an instruction from issue through registers and operand collectors
 * to its unit. One file per kind (sim/sm/pipeline_NAME.c), one line in pipelines[].
 *
 * A pipeline tells the SM by three values, so that a cycle asks nobody what it can see:
 *
 *   sm->open_at[group][unit]  from when a unit takes one more instruction; NEVER: not before
 *                             something moves
 *   sm->memory_at             from when the load/store unit may take a memory instruction that has
 *                             its operands (top_memory, pop_memory); NEVER: there is none
 *   sm->pipe_at               when `cycle` must run
 *
 * What else differs between SMs with one or the other is a rule with a name (struct sm_rules). */
#ifndef CW_SIM_SM_PIPELINE_H
#define CW_SIM_SM_PIPELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/sm/sm.h"

struct arena;
struct err;
struct gpu;
struct trace_static;

#define RESULT_UNKNOWN (NEVER - 1)

/* An instruction as a scheduler sends it off. */
struct issued {
    const struct trace_static *stat;
    uint32_t op; /* of a memory instruction, else OP_NONE */
    uint8_t cls; /* how it is executed: enum trace_class */
    uint8_t group, sched, warp;
};

struct pipeline {
    const char *name, *meaning; /* sm.pipeline = "computed" */
    struct sm_rules rules;

    bool (*check)(const struct gpu *g, struct err *err);    /* may be NULL: whatever is asked for */
    void (*adapt_classes)(struct unit_class all[TC_COUNT]); /* may be NULL */
    void (*init)(struct sm *sm, struct arena *mem);         /* sets sm->pipe */

    /* The unit is open. Returns when the warp may end if this was its last instruction;
     * RESULT_UNKNOWN: the pipeline will wake it. */
    uint64_t (*issue)(struct sm *sm, const struct issued *i, uint64_t now);
    void (*issue_memory)(struct sm *sm, const struct issued *i, uint64_t now);

    /* One cycle, after the load/store unit's and before issue. NULL: nothing is stepped. */
    void (*cycle)(struct sm *sm, uint64_t now);

    /* The oldest memory instruction with operands: an op, or OP_NONE: a fence. */
    uint32_t (*top_memory)(const struct sm *sm);
    void (*pop_memory)(struct sm *sm, uint64_t now);

    /* The load/store unit writes a result. False: another result is written into the bank in this
     * cycle. NULL: it never waits. */
    bool (*write)(struct sm *sm, const struct op *o, uint64_t now);
};

extern const struct pipeline pipeline_computed, pipeline_stepped;
extern const struct pipeline *const pipelines[]; /* [enum sm_pipeline] */

#endif
