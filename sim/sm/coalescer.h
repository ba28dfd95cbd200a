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
    bool is_bypass;
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

/* Arrays a coalescer may have; the energy account prices what it does to them. */
enum coalescer_array {
    POOL_INSTRUCTIONS, /* WarpPool: its five tables */
    POOL_COALESCERS,
    POOL_MERGE_QUEUES,
    POOL_THREAD_MAPS,
    POOL_METADATA,
    POOL_REORDER, /* MRPB's queues */
    POOL_ARRAYS
};

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

struct pool_stats {
    uint64_t asked;        /* line requests of loads, as the lanes of one warp make them */
    uint64_t merged, sent; /* of them: joined another; accesses of the L1. asked = merged + sent */
    uint64_t patterns[LANE_PATTERNS];
    uint64_t stores;                          /* lines of stores and atomics */
    uint64_t by_warp_cycles, cycles, toggles; /* cycles at work, in the mode warp-ID */
    uint64_t stalls[POOL_STALLS];
    uint64_t most_tags, most_maps, most_metadata;
    uint64_t reads[POOL_ARRAYS], writes[POOL_ARRAYS], searches[POOL_ARRAYS];
};

/* The pattern of one access: `lanes` it serves, of the instruction's `mask`; `address` of lane i is
 * addresses[rank of i in mask] + base. Pure. */
enum lane_pattern lane_pattern(const struct trace_static *s, const struct trace_inst *inst,
                               const uint64_t *addresses, uint64_t base, uint64_t line,
                               uint32_t line_bytes, uint32_t lanes);

struct coalescer {
    const char *meaning; /* one line */

    void *(*make)(const struct coalescer_params *params, struct sm *sm, struct arena *mem);

    /* May the load/store unit take this op now? Asked for ops of every space: shared, constant and
     * texture accesses go elsewhere, but wait here while the unit is held. */
    bool (*can_take)(void *state, uint32_t op);
    void (*take)(void *state, uint32_t op, uint64_t now); /* global and local ops */

    /* One cycle. Returns when it must be called again: now + 1 while it has accesses to offer,
     * UINT64_MAX if only take or done can give it work. */
    uint64_t (*cycle)(void *state, uint64_t now);

    /* The answer to an access. False: no room now, ask again next cycle. */
    bool (*done)(void *state, uint32_t tag, uint64_t now);

    bool banks_by_set; /* the L1's banks are chosen by set, not by address */

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
