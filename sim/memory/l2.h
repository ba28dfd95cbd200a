/* SPDX-License-Identifier: MIT
 *
 * sim/memory/l2.h: a slice of the last-level cache. */
#ifndef CW_SIM_MEMORY_L2_H
#define CW_SIM_MEMORY_L2_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/mshr.h"
#include "cache/tags.h"
#include "sim/counters.h"
#include "sim/frame/request.h"

struct err;
struct gpu;

#define L2_MAX_BANKS 64u

/* What a slice counts (sim/counters.h). */
/* clang-format off */
#define L2_STATS(X) \
    X(HIDDEN, reads, l2_reads, "", "reads that reached the tags") \
    X(HIDDEN, others, l2_others, "", "of the reads: instructions, constants, textures") \
    X(COUNT, transactions, l2_transactions, "", "pieces of 32 bytes that they ask for or carry, as profilers count them", "") \
    X(SUM, l2_accesses, "", "requests that reached the tags of the L2", "reads and writes, instructions included", t->l2_reads + t->l2_write_acc) \
    X(SUM, l2_read_acc, "", "of them reads of data", "", t->l2_reads - t->l2_others) \
    X(HIDDEN, read_hits, l2_read_hits, "", "reads that hit") \
    X(HIDDEN, other_hits, l2_other_hits, "", "of them: instructions, constants, textures") \
    X(SUM, l2_read_hit, "", "reads of data that hit", "", t->l2_read_hits - t->l2_other_hits) \
    X(COUNT, writes, l2_write_acc, "", "of them writes", "") \
    X(COUNT, write_hits, l2_write_hit, "", "writes that found their sector", "") \
    X(COUNT, read_pending, l2_pending_hits, "", "reads of a sector on its way from the DRAM", "") \
    X(HIDDEN, write_pending, l2_write_pending, "", "writes of such a sector") \
    X(HIDDEN, read_misses, l2_read_misses, "", "reads that did not find their sector") \
    X(HIDDEN, write_misses, l2_write_misses, "", "writes that did not") \
    X(SUM, l2_misses, "", "reads and writes that did not find their sector", "", t->l2_read_misses + t->l2_write_misses) \
    X(VALUE, l2_miss_rate, "", "share of accesses that miss", "l2_misses / l2_accesses", RATE(t->l2_read_misses + t->l2_write_misses, t->l2_reads + t->l2_write_acc)) \
    X(VALUE, l2_mpki, "", "L2 misses per thousand thread instructions", "1000 * l2_misses / thread_insts", RATE(1000 * (t->l2_read_misses + t->l2_write_misses), t->thread_insts)) \
    X(COUNT, writebacks, l2_writebacks, "", "lines with dirty sectors written to the DRAM", "") \
    X(HIDDEN, atomics, l2_atomics, "", "of the reads: atomics") \
    X(HIDDEN, fills, l2_fills, "", "answers of the DRAM put into the data") \
    X(HIDDEN, stalls, l2_stalls, "", "requests that the tags could not serve and that wait") \
    X(COUNT, bank_waits, l2_bank_waits, "L2 cycle", "cycles in which a request at the tags waits for a bank whose array is slower than the clock", "") \
    X(HIDDEN, searches, l2_searches, "", "looks into the tags") \
    X(HIDDEN, data_reads, l2_data_reads, "", "reads of the data array, of 32 bytes each") \
    X(HIDDEN, data_writes, l2_data_writes, "", "writes of the data array, of 32 bytes each") \
    X(HIDDEN, mshr_searches, l2_mshr_searches, "", "looks into the MSHRs") \
    X(HIDDEN, mshr_writes, l2_mshr_writes, "", "writes of the MSHRs") \
    X(HIDDEN, mshr_reads, l2_mshr_reads, "", "reads of the MSHRs")
/* Where the halves of the chip keep copies of each other's lines (llc.far_copies). */
#define L2_COPY_STATS(X) \
    X(FACT, g->cfg.halves != NULL, has_copies, "", "1: halves of the chip keep copies") \
    X(COUNT, copy_hits, l2_copy_hits, "", "reads of the other half's lines that a copy answers", "") \
    X(COUNT, far, l2_far, "", "requests that cross to the half whose slices answer for the line", "") \
    X(COUNT, copy_drops, l2_copy_drops, "", "copies thrown out: their line was written or pushed out", "") \
    X(HIDDEN, far_request_flits, l2_far_request_flits, "", "flits sent over the crossings to the lines' slices") \
    X(HIDDEN, far_reply_flits, l2_far_reply_flits, "", "flits sent back over the crossings") \
    X(HIDDEN, far_request_empty, l2_far_request_empty, "B", "bytes of these flits that carry nothing") \
    X(HIDDEN, far_reply_empty, l2_far_reply_empty, "B", "the same, back")
/* clang-format on */

struct slice_stats {
    L2_STATS(COUNTER_FIELD)
    L2_COPY_STATS(COUNTER_FIELD)
};

struct dirty_link {
    uint32_t before, after;
};

struct slice {
    uint32_t id;
    struct tags tags;
    struct mshr mshr;
    struct dirty_link *dirty;   /* [slot] written lines by age; NULL: as many as there are may be */
    uint32_t dirty_limit;       /* lines */
    uint64_t *addresses;        /* [slot] full address of the line, for write-backs */
    struct delay_ring incoming; /* out of the network, on its way to the tags */
    struct ring queue;          /* at the tags */
    struct ring misses;         /* to the queue to the DRAM */
    struct ring to_dram, from_dram, replies;
    bool is_blocked;
    /* where halves keep copies of each other's lines; all of the other half's slice of its place */
    struct delay_ring far_in;         /* requests from there, on their way to the tags */
    struct delay_ring far_back;       /* answers from there, and copies to be thrown out */
    uint64_t link_free[2];            /* L2 clock from which the crossing it owns takes a packet */
    bool *is_copied;                  /* [slot] the other half may have a copy */
    uint32_t n_far_reads;             /* MSHRs that wait for the other half */
    bool far_turn;                    /* who is looked at first at the tags */
    uint64_t tick;                    /* now */
    uint64_t bank_free[L2_MAX_BANKS]; /* L2 clock from which a bank takes one more access */
    uint64_t port_free;               /* L2 clock from which the data can be reached */
    struct slice_stats stats;
};

bool slice_init(struct slice *s, struct gpu *g, uint32_t id, struct err *err);
/* One tick of the L2 clock. Returns the tick at which it must run next. */
uint64_t slice_tick(struct gpu *g, struct slice *s, uint64_t tick, uint64_t now);
/* Replies of all slices, as far as the network takes them: at most one of each. */
void slice_send_replies(struct gpu *g);
void slice_preload(struct gpu *g, uint64_t address, uint64_t bytes);

#endif
