/* SPDX-License-Identifier: MIT
 *
 * sim/sm/lsu.h: the load/store unit of an SM. */
#ifndef CW_SIM_SM_LSU_H
#define CW_SIM_SM_LSU_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct op;
struct sm;

void lsu_init(struct sm *sm, struct arena *mem);
uint64_t lsu_cycle(struct sm *sm, uint64_t now);
bool lsu_is_idle(const struct sm *sm);

/* Cycles in which the banks of the shared memory give, or take, the words of an instruction. */
uint32_t sm_word_turns(const struct sm *sm, const struct op *o);

#endif
