/* SPDX-License-Identifier: MIT
 *
 * The shared memory of an SM: banks of 4-byte words. One read or write event is one word of one
 * bank: a warp that reads 32 words makes 32. The way of a word between its bank and its lane is the
 * array's own wiring between banks and port. */
#include "cache/structure.h"

#define WORD_BITS 32u

bool shared_memory_geometry(const struct structure_params *p, struct array *out)
{
    if (!p->sm->shared_bytes)
        return false;
    *out = (struct array){
        .kind = ARRAY_RAM,
        .entries = p->sm->shared_bytes / (WORD_BITS / 8),
        .banks = p->sm->shared_banks,
        .rw_ports = 1,
    };
    array_add_field(out, "word", WORD_BITS);
    return true;
}
