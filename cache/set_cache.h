/* SPDX-License-Identifier: MIT
 *
 * cache/set_cache.h: a set-associative cache: tags, lines, replacement. */
#ifndef CW_CACHE_SET_CACHE_H
#define CW_CACHE_SET_CACHE_H

#include "cache/array.h"

struct set_cache_shape {
    uint32_t bytes, ways, line_bytes, sector_bytes;
    uint32_t banks;
    uint32_t address_bits;
};

/* A port moves 32 bytes (a sector of current GPUs), or a line if that is shorter. */
void set_cache_array(const struct set_cache_shape *shape, struct array *out);

#endif
