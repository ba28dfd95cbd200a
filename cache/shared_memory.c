/* SPDX-License-Identifier: MIT */
#include "cache/shared_memory.h"

#define WORD_BITS 32u

void shared_memory_array(uint32_t bytes, uint32_t banks, struct array *out)
{
    *out = (struct array){
        .kind = ARRAY_RAM,
        .entries = bytes / (WORD_BITS / 8),
        .banks = banks,
        .rw_ports = 1,
    };
    array_add_field(out, "word", WORD_BITS);
}
