/* SPDX-License-Identifier: MIT
 *
 * sim/gpu/stats.h: the statistics of a run. Each is one row: name, unit, meaning, formula; text,
 * CSV, JSON, `crosswatt stats` and the documentation are loops over the table. A value that has no
 * meaning for a run (a rate of nothing) is NaN, and left out. */
#ifndef CW_SIM_GPU_STATS_H
#define CW_SIM_GPU_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "sim/gpu/gpu.h"

/* Sums over the machine (or over one SM): what the formulas speak of. */
struct stat_totals {
    double kernels, ctas, cycles, core_ghz, n_sms, schedulers, max_warps;
    double warp_insts, thread_insts;
    double issued_cycles, stall_empty, stall_fetch, stall_barrier, stall_memory, stall_dependence,
        stall_unit;
    double active_cycles, warp_cycles, cta_cycles;
    double global_insts, global_accesses, global_lanes, mem_ready_cycles;
    double has_windows, window_loads, window_merged[7];
    double shared_insts, shared_cycles, atomics, bypasses;
    double pool_asked, pool_merged, pool_sent, pool_stores, pool_cycles, pool_by_warp, pool_toggles,
        pool_patterns[5], pool_stalls[7], gate_full, gate_order, l1_cycles;
    double l1_accesses, l1_hits, l1_pending, l1_misses, l1_writes, l1_write_hits, mshr_merges;
    double fetches, fetch_misses, const_accesses, const_misses, texture_accesses, texture_misses;
    double requests, answers;
    double latency_sum, latency_n, latency_max, lat_queue, lat_request, lat_l2, lat_dram, lat_reply;
    double l2_reads, l2_read_hits, l2_read_pending, l2_read_misses, l2_others, l2_other_hits;
    double l2_writes, l2_write_hits, l2_write_misses, l2_atomics, l2_writebacks;
    double dram_rd, dram_wr, dram_act, dram_pre, dram_refresh, dram_requests, row_hits, bus_ticks,
        bank_idle, dram_ticks, n_channels, n_banks, queue_sum, atom_bytes, dram_ghz;
    double noc_cycles, pkts[2], flits[2], bytes[2], n_ports, n_slices;
    double has_packet_merge, mergeable, in_big, packets_merged, packets_held, hold_cycles;
    double cluster_requests, merged, local_answers, reads_sent;
    double has_icc, has_cc; /* 1: there is a merge table, a coalesced cache */
    double icc_merges, icc_entries, icc_overflows, icc_entry_cycles;
    double cc_hits, cc_fills, cc_evictions, cc_invalidations, cc_flushed;
    double has_blocks, idled, n_crossbars, crossbar_max;
    double n_converged[2], converged_sum[2], converged_max[2]; /* ports of a CD-Xbar, their flits */
    double icl_requests, icl_line, icl_data, icl_has_words, reuse, reuse_other;
    /* of several runs, set by who made them; 0: not known */
    double stp, antt, has_demand, demand_percent; /* of further runs: given by who made them */
    double most_live, skipped;
};

struct stat_row {
    const char *name, *unit, *meaning, *formula;
    double (*value)(const struct stat_totals *t);
    bool is_count; /* a whole number that adds up over SMs and intervals */
    bool per_sm;   /* has a meaning for one SM */
};

extern const struct stat_row stat_rows[]; /* ends with a NULL name */
extern const size_t n_stat_rows;

void stats_of_gpu(const struct gpu *g, struct stat_totals *out);
void stats_of_sm(const struct gpu *g, uint32_t sm, struct stat_totals *out);
/* What happened between two looks at the machine: later - earlier, where that makes sense. */
void stats_between(const struct stat_totals *earlier, const struct stat_totals *later,
                   struct stat_totals *out);

#endif
