/* SPDX-License-Identifier: MIT
 *
 * cache/mrpb_queues.h: the memory request prioritisation buffer: request queues in front of the L1,
 * chosen by warp and drained in fixed order. */
#ifndef CW_CACHE_MRPB_QUEUES_H
#define CW_CACHE_MRPB_QUEUES_H

#include "cache/array.h"

struct mrpb_shape {
    uint32_t queues, depth;
    uint32_t warps;
    uint32_t address_bits, line_bytes;
};

void mrpb_array(const struct mrpb_shape *shape, struct array *out);

#endif
