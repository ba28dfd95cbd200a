/* SPDX-License-Identifier: MIT
 *
 * sim/sm/coalescer.h: what stands between a memory instruction and the L1: it merges the lanes'
 * addresses into accesses of a line (or sector) and hands them to the L1 in some order. One file
 * per kind (sim/coalesce/NAME.c), one line of COALESCERS in sim/choices.h.
 *
 * Life of a global or local instruction (an `op`, sim/frame/machine.h): it is issued, gathers its
 * operands, and is given to `take` when `can_take` allows; `cycle` then offers its accesses with
 * l1_offer; each access is answered once by `done` with its tag. When an op's accesses are all
 * answered the coalescer says so with sm_op_part_done. Stores are finished with the last offer;
 * their acknowledgements are counted by the SM. */
#ifndef CW_SIM_SM_COALESCER_H
#define CW_SIM_SM_COALESCER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/counters.h"
#include "sim/params.h"
#include "sim/trace/trace.h"

struct arena;
struct err;
struct sm;

/* One request to the L1. */
struct access {
    uint64_t address; /* of the line or sector */
    uint32_t tag;     /* the coalescer's own; comes back in `done` */
    uint16_t bytes;   /* touched, rounded to whole sectors (halves of the line if not sectored) */
    uint8_t kind;     /* enum req_kind: READ, WRITE or ATOMIC */
    uint8_t space;    /* enum trace_space */
    uint8_t sectors;  /* of the line, bit mask */
    uint8_t full;     /* stores: sectors written in every byte */
    uint8_t warp;
    uint8_t turns; /* atomics: lanes that meet in one word, at most; they go one after the other */
    bool is_bypass;
    bool is_prefetch; /* nobody waits for what it fetches */
};

#define ACCESS_MAX 128u /* of one instruction */

/* How lanes are merged: into whole lines, or into sectors if the L1 has them. */
struct coalesce_rule {
    uint32_t granule_bytes;           /* of an access: a line or a sector */
    uint32_t line_bytes, piece_bytes; /* piece: what a bit of `sectors` stands for */
    uint64_t word_stride;             /* between two words of a thread's local memory */
    /* Segments (NVIDIA's rule of compute capability 1.2 on): bytes are merged into one piece,
     * halfwords into two, what passes the L1 into one; lanes of an atomic that meet in a byte go
     * one after the other; accesses come in the order of their addresses, not of their lanes. */
    bool by_segments;
};

/* Merges the lanes of an instruction: at most ACCESS_MAX accesses in the order of their first lane;
 * `lanes` (may be NULL) receives the lanes each one serves. Tags are left 0. Pure. */
uint32_t coalesce_lanes(const struct coalesce_rule *rule, const struct trace_static *s,
                        const struct trace_inst *inst, const uint64_t *addresses, uint64_t base,
                        struct access *out, uint32_t *lanes);

/* How the lanes of a load map to the words of its line: what WarpPool can say in a few bits, and
 * the rest, which needs an entry of the thread map table. */
enum lane_pattern {
    LANES_CONSECUTIVE, /* lane i gets word i */
    LANES_BROADCAST,   /* all lanes get one word */
    LANES_SINGLE,      /* one lane, one word */
    LANES_RANGE,       /* lanes from some lane on get words from some word on */
    LANES_IRREGULAR,
    LANE_PATTERNS
};

/* Why a load, a unit or a warp had to wait, in cycles of whoever waited. */
enum pool_stall {
    POOL_NO_TAG,       /* a coalescer: both tags of the queue are taken, or the line's merges */
    POOL_QUEUE_BUSY,   /* … another coalescer uses the queue in this cycle */
    POOL_NO_MAP,       /* … its lanes map irregularly and no thread map is free */
    POOL_NO_METADATA,  /* the selector: no place to keep who waits for the line */
    POOL_L1_BUSY,      /* the selector: the L1 takes nothing */
    POOL_STORE_WAITS,  /* a store behind the loads */
    POOL_NO_WRITEBACK, /* an answer: the writeback queue is full */
    POOL_STALLS
};

/* What a coalescer that merges or reorders counts (sim/counters.h); its rows are left out while it
 * has done nothing. */
/* clang-format off */
#define POOL_STATS(X) \
    X(HIDDEN, cycles, pool_cycles, "cycle", "at work") \
    X(COUNT, asked, pool_requests, "", "line requests of loads, as warps make them, that came to a coalescer which merges or reorders", "pool_merged + pool_l1_requests") \
    X(COUNT, merged, pool_merged, "", "of them joined the request of another warp", "") \
    X(COUNT, sent, pool_l1_requests, "", "of them sent to the L1", "") \
    X(VALUE, loads_per_l1_request, "", "line requests of loads that one access of the L1 serves", "pool_requests / pool_l1_requests", RATE(t->pool_requests, t->pool_l1_requests)) \
    X(COUNT, stores, pool_stores, "", "lines of stores and atomics, which are never merged", "") \
    X(ARRAY, patterns, LANE_PATTERNS, pool_patterns, "", "merged-or-sent requests, by pattern") \
    X(VALUE, pool_consecutive, "", "share of merged-or-sent requests by pattern: lane i gets word i", "", PATTERN_SHARE(LANES_CONSECUTIVE)) \
    X(VALUE, pool_broadcast, "", "share of merged-or-sent requests by pattern: all lanes get one word", "", PATTERN_SHARE(LANES_BROADCAST)) \
    X(VALUE, pool_single, "", "share of merged-or-sent requests by pattern: one lane, one word", "", PATTERN_SHARE(LANES_SINGLE)) \
    X(VALUE, pool_range, "", "share of merged-or-sent requests by pattern: neighbouring lanes get neighbouring words to the end of the line or warp", "", PATTERN_SHARE(LANES_RANGE)) \
    X(VALUE, pool_irregular, "", "share of merged-or-sent requests by pattern: the rest, which takes an entry of the thread map table", "", PATTERN_SHARE(LANES_IRREGULAR)) \
    X(HIDDEN, by_warp_cycles, pool_by_warp_cycles, "cycle", "at work in the mode warp-ID") \
    X(VALUE, pool_by_warp, "", "share of its working cycles in which the lowest warp goes first", "", RATE(t->pool_by_warp_cycles, t->pool_cycles)) \
    X(COUNT, toggles, pool_toggles, "", "changes between oldest first and lowest warp first", "") \
    X(ARRAY, stalls, POOL_STALLS, pool_stalls, "cycle", "of waiting, by cause") \
    X(SUM, pool_stall_tag, "cycle", "cycles a coalescer waited for a tag or merge (MRPB: a queue entry)", "", t->pool_stalls[POOL_NO_TAG]) \
    X(SUM, pool_stall_queue, "cycle", "… for a queue another coalescer used", "", t->pool_stalls[POOL_QUEUE_BUSY]) \
    X(SUM, pool_stall_map, "cycle", "… for a thread map", "", t->pool_stalls[POOL_NO_MAP]) \
    X(SUM, pool_stall_metadata, "cycle", "cycles the selector waited for metadata entries", "", t->pool_stalls[POOL_NO_METADATA]) \
    X(SUM, pool_stall_l1, "cycle", "… for the L1", "", t->pool_stalls[POOL_L1_BUSY]) \
    X(SUM, pool_stall_store, "cycle", "cycles stores waited behind loads", "", t->pool_stalls[POOL_STORE_WAITS]) \
    X(SUM, pool_stall_writeback, "cycle", "cycles answers waited for the writeback queue", "", t->pool_stalls[POOL_NO_WRITEBACK]) \
    X(SUM, pool_stall_full, "cycle", "scheduler cycles without issue because an instruction queue was full", "", t->gate_full_cycles) \
    X(SUM, pool_stall_order, "cycle", "… because a load or store had to wait for earlier stores or loads of its warp", "", t->gate_order_cycles) \
    X(MOST, most_tags, pool_most_tags, "", "tags in use at once") \
    X(MOST, most_maps, pool_most_maps, "", "thread maps in use at once") \
    X(MOST, most_metadata, pool_most_metadata, "", "metadata entries in use at once")

#define PATTERN_SHARE(p) RATE(t->pool_patterns[p], t->pool_patterns[0] + t->pool_patterns[1] + t->pool_patterns[2] + t->pool_patterns[3] + t->pool_patterns[4])
/* clang-format on */

struct pool_stats {
    POOL_STATS(COUNTER_FIELD)
};

/* The pattern of one access: `lanes` it serves, of the instruction's `mask`; `address` of lane i is
 * addresses[rank of i in mask] + base. Pure. */
enum lane_pattern lane_pattern(const struct trace_static *s, const struct trace_inst *inst,
                               const uint64_t *addresses, uint64_t base, uint64_t line,
                               uint32_t line_bytes, uint32_t lanes);

struct coalescer {
    const char *meaning; /* one line */

    void *(*make)(const struct coalescer_params *params, struct sm *sm, struct arena *mem);

    /* May the load/store unit take this op now? Asked for ops of every space, and for fences
     * (OP_NONE): shared, constant and texture accesses go elsewhere, but wait here while the unit
     * is held. */
    bool (*can_take)(void *state, uint32_t op);
    void (*take)(void *state, uint32_t op, uint64_t now); /* global and local ops */

    /* One cycle. Returns when it must be called again: now + 1 while it has accesses to offer,
     * UINT64_MAX if only take or done can give it work. */
    uint64_t (*cycle)(void *state, uint64_t now);

    /* The answer to an access. False: no room now, ask again next cycle. */
    bool (*done)(void *state, uint32_t tag, uint64_t now);

    bool banks_by_set; /* the L1's banks are chosen by set, not by address */
    /* The tag of an access is its op: who waits for an answer, and for which words, can be seen
     * before `done`. */
    bool tags_are_ops;

    /* May be NULL. An op of the global or local space with active lanes was issued: it will be
     * given to `take`. */
    void (*issued)(void *state, uint32_t op);
    const struct pool_stats *(*stats)(const void *state); /* may be NULL */
};

#define X(word) extern const struct coalescer coalesce_##word;
COALESCERS(X)
#undef X
extern const struct coalescer *const coalescers[COALESCER_COUNT];

#endif
