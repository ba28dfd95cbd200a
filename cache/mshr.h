/* SPDX-License-Identifier: MIT
 *
 * cache/mshr.h: miss status holding registers: which lines are on their way, and who waits. */
#ifndef CW_CACHE_MSHR_H
#define CW_CACHE_MSHR_H

#include "cache/array.h"

struct mshr_shape {
    uint32_t entries, merges;
    uint32_t address_bits, line_bytes, sector_bytes;
    uint32_t waiter_bits; /* what is kept for each merged request besides its sectors */
};

void mshr_array(const struct mshr_shape *shape, struct array *out);

#endif
