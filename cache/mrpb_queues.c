/* SPDX-License-Identifier: MIT
 *
 * The memory request prioritisation buffer: request queues in front of the L1, chosen by warp and
 * drained in fixed order. */
#include "base/bits.h"
#include "cache/structure.h"

#define LANES 32u
#define WORD_BITS 32u

bool mrpb_queues_geometry(const struct structure_params *p, struct array *out)
{
    if (p->coalescer->kind != COALESCER_mrpb)
        return false;
    *out = (struct array){
        .kind = ARRAY_QUEUE,
        .entries = (uint64_t)p->coalescer->mrpb_queues * p->coalescer->mrpb_depth,
        .banks = 1,
        .read_ports = 1,
        .write_ports = 1,
        .one_cycle = true,
    };
    array_add_field(out, "line address", p->gpu->address_bits - bits_clog2(p->l1->line_bytes));
    array_add_field(out, "warp", bits_clog2(p->sm->warps));
    array_add_field(out, "lane map", LANES * bits_clog2(p->l1->line_bytes * 8 / WORD_BITS));
    array_add_field(out, "lanes", LANES);
    array_add_field(out, "is store", 1);
    return true;
}
