/* SPDX-License-Identifier: MIT
 *
 * sim/sm/l1.h: the L1 data cache of an SM. */
#ifndef CW_SIM_SM_L1_H
#define CW_SIM_SM_L1_H

#include <stdbool.h>
#include <stdint.h>

struct access;
struct arena;
struct err;
struct sm;

bool l1_init(struct sm *sm, struct arena *mem, struct err *err);
/* Hands an access to the L1's pipeline. False: the bank took one in this cycle or is full. */
bool l1_offer(struct sm *sm, const struct access *a, uint64_t now);
bool l1_can_take(const struct sm *sm, uint64_t address, uint64_t now);
/* Would the access be served if it were offered now: a hit, or a miss for which there is all it
 * needs? With a pipeline before the tags nobody can know, and only the pipeline's room counts. A
 * refusal stands until sm->l1_changes moves. */
bool l1_accepts(const struct sm *sm, const struct access *a, uint64_t now);
uint64_t l1_cycle(struct sm *sm, uint64_t now);
void l1_fill(struct sm *sm, uint32_t req, uint64_t now);
void l1_unblock(struct sm *sm);
/* For a coalescer whose offer was refused: is the bank stuck until something changes? Then the
 * coalescer may sleep (return NEVER from cycle); it is called again when a bank moves. */
bool l1_is_stuck(struct sm *sm, const struct access *a);
void l1_kernel_begin(struct sm *sm, uint32_t shared_bytes);

#endif
