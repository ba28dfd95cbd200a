/* SPDX-License-Identifier: MIT
 *
 * cache/coalesced_cache.h: the coalesced cache (CC) of a cluster: a small fully associative cache
 * of lines that more than one SM asked for. ICC paper: 24 x (41 bit + 128 bytes) = 3195 bytes. */
#ifndef CW_CACHE_COALESCED_CACHE_H
#define CW_CACHE_COALESCED_CACHE_H

#include "cache/array.h"

struct coalesced_cache_shape {
    uint32_t entries;
    uint32_t address_bits, line_bytes;
};

void coalesced_cache_array(const struct coalesced_cache_shape *shape, struct array *out);

#endif
