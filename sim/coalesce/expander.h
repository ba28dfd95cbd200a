/* SPDX-License-Identifier: MIT
 *
 * sim/coalesce/expander.h: one memory instruction being turned into its accesses of the L1, which
 * is what every coalescer begins with. A coalescer that works on one instruction at a time has it
 * as the first member of its state and needs no more for `can_take`, `take` and `done`. */
#ifndef CW_SIM_COALESCE_EXPANDER_H
#define CW_SIM_COALESCE_EXPANDER_H

#include "sim/sm/coalescer.h"

struct expander {
    struct sm *sm;
    uint32_t op; /* being worked on, or OP_NONE */
    uint32_t next, n;
    bool is_load;
    struct access accesses[ACCESS_MAX]; /* tag: the op */
};

void expander_init(struct expander *e, struct sm *sm);
/* `lanes` may be NULL: the lanes that each access serves. */
void expander_begin(struct expander *e, uint32_t op, uint32_t *lanes);
void expander_end(struct expander *e, uint64_t now); /* all accesses are made */

/* For the tables of coalescers; `state` begins with a struct expander. */
bool expander_can_take(void *state, uint32_t op);
void expander_take(void *state, uint32_t op, uint64_t now);
bool expander_done(void *state, uint32_t tag, uint64_t now);

#endif
