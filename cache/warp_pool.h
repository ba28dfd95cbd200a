/* SPDX-License-Identifier: MIT
 *
 * cache/warp_pool.h: the five tables of WarpPool, which merges loads of different warps before the
 * L1. The paper prints the size of an entry, not its fields; these fields give its sizes exactly
 * for the GTX 480 (592, 512, 992, 321 and 2944 bytes) and follow the parameters elsewhere. */
#ifndef CW_CACHE_WARP_POOL_H
#define CW_CACHE_WARP_POOL_H

#include "cache/array.h"

struct warp_pool_shape {
    uint32_t queues, depth;      /* instruction queues */
    uint32_t coalescers;         /* intra-warp, in parallel */
    uint32_t merge_queues, tags; /* inter-warp queues and lines in each */
    uint32_t merges;             /* loads per line */
    uint32_t thread_maps;
    uint32_t warps;
    uint32_t mshr_entries, mshr_merges; /* of the L1 behind it */
    uint32_t address_bits, line_bytes;
};

void warp_pool_instructions(const struct warp_pool_shape *shape, struct array *out);
void warp_pool_coalescers(const struct warp_pool_shape *shape, struct array *out);
void warp_pool_merge_queues(const struct warp_pool_shape *shape, struct array *out);
void warp_pool_thread_maps(const struct warp_pool_shape *shape, struct array *out);
void warp_pool_metadata(const struct warp_pool_shape *shape, struct array *out);

#endif
