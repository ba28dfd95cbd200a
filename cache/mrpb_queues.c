/* SPDX-License-Identifier: MIT */
#include "cache/mrpb_queues.h"

#include "base/bits.h"

#define LANES 32u
#define WORD_BITS 32u

void mrpb_array(const struct mrpb_shape *shape, struct array *out)
{
    *out = (struct array){
        .kind = ARRAY_QUEUE,
        .entries = (uint64_t)shape->queues * shape->depth,
        .banks = 1,
        .read_ports = 1,
        .write_ports = 1,
        .one_cycle = true,
    };
    array_add_field(out, "line address", shape->address_bits - bits_clog2(shape->line_bytes));
    array_add_field(out, "warp", bits_clog2(shape->warps));
    array_add_field(out, "lane map", LANES * bits_clog2(shape->line_bytes * 8 / WORD_BITS));
    array_add_field(out, "lanes", LANES);
    array_add_field(out, "is store", 1);
}
