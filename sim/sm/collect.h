/* SPDX-License-Identifier: MIT
 *
 * sim/sm/collect.h: operand collection stepped cycle by cycle (sim/sm/collect.c), between issue and
 * the execution units. Used where sm.pipeline = "stepped". */
#ifndef CW_SIM_SM_COLLECT_H
#define CW_SIM_SM_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct gpu;
struct sm;
struct trace_static;

void collect_init(struct sm *sm, struct arena *mem);
bool collect_fits(const struct gpu *g); /* few enough banks and collectors */

/* There must be a place for it: sm->open_units. `cls`: how it is executed; `op`: of a memory
 * instruction, else OP_NONE. */
void collect_add(struct sm *sm, uint32_t group, uint32_t cls, const struct trace_static *s,
                 uint32_t warp, uint32_t sched, uint32_t op);

/* One cycle, after the load/store unit's and before issue. Returns when it must run next; NEVER:
 * when the load/store unit moves or an instruction is added. */
uint64_t collect_cycle(struct sm *sm, uint64_t now);

/* Was something added since the last cycle? */
bool collect_is_fresh(const struct sm *sm);

/* Memory instructions that have their operands; the oldest first. OP_NONE: a fence. */
bool collect_has_memory(const struct sm *sm);
uint32_t collect_top_memory(const struct sm *sm);
void collect_pop_memory(struct sm *sm, uint64_t now);

/* The load/store unit writes a result. False: another result is written into a bank in this cycle;
 * `done` keeps which of its destinations are through. */
bool collect_write(struct sm *sm, const struct trace_static *s, uint32_t warp, uint32_t sched,
                   uint8_t *done, uint64_t now);

#endif
