/* SPDX-License-Identifier: MIT */
#include "cache/vc_buffer.h"

void vc_buffer_array(uint32_t vcs, uint32_t depth, uint32_t flit_bits, struct array *out)
{
    *out = (struct array){
        .kind = ARRAY_QUEUE,
        .entries = (uint64_t)vcs * depth,
        .banks = 1,
        .read_ports = 1,
        .write_ports = 1,
        .one_cycle = true,
    };
    array_add_field(out, "flit", flit_bits);
}
