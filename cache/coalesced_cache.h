/* SPDX-License-Identifier: MIT
 *
 * cache/coalesced_cache.h: the coalesced cache (CC) of a cluster: a small fully associative cache
 * of lines that more than one SM asked for, LRU. ICC paper: 24 x (41 bit + 128 bytes) = 3195
 * bytes. */
#ifndef CW_CACHE_COALESCED_CACHE_H
#define CW_CACHE_COALESCED_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/tags.h"

struct arena;
struct err;

/* Behaviour; no data, no time. */
struct coalesced_cache {
    struct tags tags;
    uint64_t hits, misses, fills, evictions, invalidations, flushed;
    uint64_t reads, writes, searches; /* of the array */
};

bool coalesced_cache_init(struct coalesced_cache *c, uint32_t entries, uint32_t line_bytes,
                          struct arena *mem, struct err *err);

/* A read miss of an SM: is the line here? */
bool coalesced_cache_read(struct coalesced_cache *c, uint64_t line);
/* A reply for a line that more than one SM waited for. */
void coalesced_cache_fill(struct coalesced_cache *c, uint64_t line);
/* A store to the line passes by. */
void coalesced_cache_store(struct coalesced_cache *c, uint64_t line);
void coalesced_cache_flush(struct coalesced_cache *c);

#endif
