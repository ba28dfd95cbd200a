/* SPDX-License-Identifier: MIT
 *
 * cache/set_cache.h: a set-associative cache: tags, lines, replacement. */
#ifndef CW_CACHE_SET_CACHE_H
#define CW_CACHE_SET_CACHE_H

#include "cache/array.h"

/* A port moves 32 bytes (a sector of current GPUs), or a line if that is shorter. */
#define SET_CACHE_PORT_BYTES 32u

struct set_cache_shape {
    uint32_t bytes, ways, line_bytes, sector_bytes;
    uint32_t banks;
    uint32_t address_bits;
    bool tags_first;
};

void set_cache_array(const struct set_cache_shape *shape, struct array *out);

/* Times that so many bytes of a line go through the port: the events of an access. */
static inline uint32_t set_cache_moves(uint32_t bytes)
{
    uint32_t n = (bytes + SET_CACHE_PORT_BYTES - 1) / SET_CACHE_PORT_BYTES;
    return n ? n : 1;
}

#endif
