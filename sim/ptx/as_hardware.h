/* SPDX-License-Identifier: MIT
 *
 * sim/ptx/as_hardware.h: what the hardware's compiler makes of decoded code, as far as it shows in
 * time and in counts of events. Nobody but the decoder includes this. What it changes never changes
 * a result: instructions that hardware does not have are still executed, but are free (neither
 * counted nor in the trace); accesses are joined and moved within a block where that cannot be
 * seen. */
#ifndef CW_SIM_PTX_AS_HARDWARE_H
#define CW_SIM_PTX_AS_HARDWARE_H

#include "sim/ptx/decode.h"

struct ptx_native {
    struct ptx_decoder *d;
    struct arena *mem; /* scratch */
    uint32_t n;        /* codes */
    /* [code]: what it reads and writes when it is executed; the decoder's own list becomes what it
     * reads and writes on hardware, where free instructions are part of others */
    struct ptx_uses *real;
    uint32_t *block;                      /* [code]: number of its basic block */
    uint32_t *defs, *uses, *address_uses; /* [virtual register]: how many */
    uint32_t *def_at;                     /* [virtual register]: the code of the last one */
};

/* Notes what the statement at hand is, for the passes below. */
void ptx_tag(const struct ptx_decoder *d, struct ptx_code *c);

/* All passes over the decoded kernel: branches have their targets, places are final. */
void ptx_make_native(struct ptx_decoder *d);

/* sim/ptx/wide_access.c: neighbouring accesses become one, loads move up. */
void ptx_join_accesses(struct ptx_native *p);
void ptx_raise_loads(struct ptx_native *p);

static inline bool ptx_is_guarded(const struct ptx_code *c)
{
    return c->guard != 0 || c->guard_flip != 0;
}

#endif
