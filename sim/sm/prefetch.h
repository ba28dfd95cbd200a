/* SPDX-License-Identifier: MIT
 *
 * sim/sm/prefetch.h: agents that prefetch. Before a warp of a task ends, it asks for what the same
 * warp of the agent's next task will load first, lane by lane (Li et al. 2017, section 4.3-III).
 * The instructions are added to the warp's stream where the task begins; what they ask for comes
 * from the trace of the next task. */
#ifndef CW_SIM_SM_PREFETCH_H
#define CW_SIM_SM_PREFETCH_H

#include <stdbool.h>
#include <stdint.h>

struct cta_slot;
struct sm;
struct warp;

bool sm_add_prefetches(struct sm *sm, struct cta_slot *c, uint32_t next_cta);
/* Gives a warp its stream with them. */
void sm_prefetch_stream(const struct cta_slot *c, uint32_t index, struct warp *warp);

#endif
