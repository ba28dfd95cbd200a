/* SPDX-License-Identifier: MIT
 *
 * sim/memory/l2.h: a slice of the last-level cache. */
#ifndef CW_SIM_MEMORY_L2_H
#define CW_SIM_MEMORY_L2_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/mshr.h"
#include "cache/tags.h"
#include "sim/frame/request.h"

struct err;
struct gpu;

struct slice_stats {
    uint64_t reads, read_hits, read_pending, read_misses;
    uint64_t others, other_hits; /* of the reads: instructions, constants, textures */
    uint64_t writes, write_hits, write_pending, write_misses;
    uint64_t atomics, writebacks, fills, stalls;
    uint64_t searches, data_reads, data_writes, mshr_searches, mshr_writes, mshr_reads;
    uint64_t busy_ticks;
};

struct slice {
    uint32_t id;
    struct tags tags;
    struct mshr mshr;
    uint64_t *addresses;        /* [slot] full address of the line, for write-backs */
    struct delay_ring incoming; /* out of the network, on its way to the tags */
    struct ring queue;          /* at the tags */
    struct ring misses;         /* to the queue to the DRAM */
    struct ring to_dram, from_dram, replies;
    bool is_blocked;
    uint64_t port_free; /* L2 clock from which the data can be reached */
    struct slice_stats stats;
};

bool slice_init(struct slice *s, struct gpu *g, uint32_t id, struct err *err);
/* One tick of the L2 clock. Returns the tick at which it must run next. */
uint64_t slice_tick(struct gpu *g, struct slice *s, uint64_t tick, uint64_t now);
/* Replies of all slices, as far as the network takes them: at most one of each. */
void slice_send_replies(struct gpu *g);
void slice_preload(struct gpu *g, uint64_t address, uint64_t bytes);

#endif
