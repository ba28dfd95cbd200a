/* SPDX-License-Identifier: MIT
 *
 * sim/sm/sm_stats.h: what an SM counts and the statistics that follow (sim/counters.h). */
#ifndef CW_SIM_SM_SM_STATS_H
#define CW_SIM_SM_SM_STATS_H

#include <stdint.h>

#include "sim/counters.h"
#include "sim/trace/trace.h"

/* Why a scheduler issued nothing in a cycle. */
enum stall {
    STALL_EMPTY,
    STALL_FETCH,
    STALL_BARRIER,
    STALL_MEMORY,
    STALL_DEPENDENCE,
    STALL_UNIT,
    STALLS
};

/* clang-format off */

/* contexts, issue, what the lanes ask for */
#define SM_ISSUE_STATS(X) \
    X(COUNT, ctas, ctas, "", "CTAs launched", "") \
    X(COUNT, warp_insts, warp_insts, "", "warp instructions issued", "") \
    X(COUNT, thread_insts, thread_insts, "", "thread instructions: active lanes of all warp instructions", "") \
    X(ARRAY, by_class, TC_COUNT, by_class, "", "warp instructions, by class") \
    X(ARRAY, thread_by_class, TC_COUNT, thread_by_class, "", "thread instructions, by class") \
    X(HIDDEN, tensor_steps, tensor_steps, "", "lanes of tensor instructions, times steps of 256 products") \
    X(HIDDEN, active_cycles, active_cycles, "cycle", "with at least one warp resident") \
    X(HIDDEN, warp_cycles, warp_cycles, "cycle", "resident warps, cycle by cycle") \
    X(HIDDEN, cta_cycles, cta_cycles, "cycle", "resident CTAs, cycle by cycle") \
    X(HIDDEN, issued_cycles, issued_cycles, "cycle", "scheduler cycles in which an instruction issues") \
    X(ARRAY, stalls, STALLS, stalls, "cycle", "scheduler cycles in which none does, by cause") \
    X(HIDDEN, reg_reads, reg_reads, "", "operands of warps read from the register file") \
    X(HIDDEN, reg_writes, reg_writes, "", "results of warps written to it") \
    X(VALUE, ipc_thread, "", "thread instructions per core cycle", "thread_insts / cycles", RATE(t->thread_insts, t->cycles)) \
    X(VALUE, ipc_warp, "", "warp instructions per core cycle", "warp_insts / cycles", RATE(t->warp_insts, t->cycles)) \
    X(VALUE, occupancy, "", "share of warp contexts in use while an SM is active", "resident warps / (active SM cycles * sm.warps)", RATE(t->warp_cycles, t->active_cycles * t->max_warps)) \
    X(VALUE, sm_active, "", "share of SM cycles with at least one warp resident", "active SM cycles / (cycles * SMs)", RATE(t->active_cycles, t->cycles * t->n_sms)) \
    X(VALUE, issue_rate, "", "share of scheduler cycles of active SMs in which an instruction issues", "issuing / (active SM cycles * schedulers)", RATE(t->issued_cycles, t->active_cycles * t->schedulers)) \
    X(VALUE, stall_memory, "", "… in which warps wait for memory", "", RATE(t->stalls[STALL_MEMORY], t->active_cycles * t->schedulers)) \
    X(VALUE, stall_dependence, "", "… in which warps wait for results of execution units", "", RATE(t->stalls[STALL_DEPENDENCE], t->active_cycles * t->schedulers)) \
    X(VALUE, stall_unit, "", "… in which a warp is ready but its unit cannot take it", "", RATE(t->stalls[STALL_UNIT], t->active_cycles * t->schedulers)) \
    X(VALUE, stall_fetch, "", "… in which warps wait for instructions", "", RATE(t->stalls[STALL_FETCH], t->active_cycles * t->schedulers)) \
    X(VALUE, stall_barrier, "", "… in which warps wait at barriers", "", RATE(t->stalls[STALL_BARRIER], t->active_cycles * t->schedulers)) \
    X(VALUE, stall_empty, "", "… in which the scheduler has no warp", "", RATE(t->stalls[STALL_EMPTY], t->active_cycles * t->schedulers)) \
    X(HIDDEN, global_insts, global_insts, "", "global and local memory instructions") \
    X(HIDDEN, global_accesses, global_accesses, "", "accesses that their lanes are merged into") \
    X(HIDDEN, global_lanes, global_lanes, "", "their lanes, as issued") \
    X(HIDDEN, mem_ready_cycles, mem_ready_cycles, "cycle", "warps ready for such an instruction, cycle by cycle") \
    X(HIDDEN, gate_full_cycles, gate_full_cycles, "cycle", "scheduler cycles with nothing to issue but what a full queue of the coalescer holds back") \
    X(HIDDEN, gate_order_cycles, gate_order_cycles, "cycle", "… but what the order of loads and stores holds back") \
    X(VALUE, lines_per_inst, "", "L1 accesses of a global or local memory instruction", "accesses / instructions", RATE(t->global_accesses, t->global_insts)) \
    X(VALUE, waiting_memory_insts, "", "warps of an active SM whose next instruction is a global or local memory instruction that could issue and waits", "waiting warps / active SM cycles", RATE(t->mem_ready_cycles, t->active_cycles)) \
    X(VALUE, requests_after_coalescer, "", "accesses that the lanes of a warp are merged into, of the lanes' own", "accesses / lanes of global and local memory instructions", RATE(t->global_accesses, t->global_lanes)) \
    X(GPU_VALUE, requests_past_l1, "", "… requests that SMs make", "requests / lanes", RATE(t->requests, t->global_lanes)) \
    X(GPU_VALUE, requests_past_l2, "", "… that the L2 does not find", "l2_misses / lanes", RATE(t->l2_read_misses + t->l2_write_misses, t->global_lanes)) \
    X(HIDDEN, l1_cycles, l1_cycles, "cycle", "in which the tags of the L1 took at least one access") \
    X(VALUE, l1d_per_cycle, "", "accesses in a cycle in which the tags of an L1 take any", "", RATE(t->l1d_accesses, t->l1_cycles))

/* shared memory and caches */
#define SM_MEMORY_STATS(X) \
    X(COUNT, shared_insts, shared_insts, "", "shared memory instructions of warps with a lane that takes part", "") \
    X(HIDDEN, shared_cycles, shared_cycles, "cycle", "in which they hold the banks") \
    X(HIDDEN, shared_accesses, shared_accesses, "", "addresses of their lanes") \
    X(HIDDEN, shared_reads, shared_reads, "", "words read from the banks") \
    X(HIDDEN, shared_writes, shared_writes, "", "words written to the banks") \
    X(VALUE, shared_cycles_per_inst, "cycle", "cycles a shared memory instruction holds its banks", "", RATE(t->shared_cycles, t->shared_insts)) \
    X(COUNT, fetches, fetch_accesses, "", "looks into the instruction cache", "") \
    X(COUNT, fetch_misses, fetch_misses, "", "lines fetched by the instruction caches", "") \
    X(COUNT_AT, sm->ccache.accesses, const_accesses, "", "looks into the constant caches", "") \
    X(COUNT_AT, sm->ccache.misses, const_misses, "", "lines fetched by the constant caches", "") \
    X(COUNT_AT, sm->tcache.accesses, texture_accesses, "", "looks into the texture caches", "") \
    X(COUNT_AT, sm->tcache.misses, texture_misses, "", "lines fetched by the texture caches", "") \
    X(COUNT, l1_accesses, l1d_accesses, "", "coalesced accesses that reached the tags of an L1, stores included", "l1d_hits + l1d_pending_hits + l1d_misses") \
    X(COUNT, l1_hits, l1d_hits, "", "of them answered by the L1; stores that found their line", "") \
    X(COUNT, l1_pending, l1d_pending_hits, "", "of them to a line already on its way: merged in an MSHR", "") \
    X(COUNT, l1_misses, l1d_misses, "", "of them that sent a request; stores that did not find their line", "") \
    X(VALUE, l1d_miss_rate, "", "share of accesses that miss", "l1d_misses / l1d_accesses", RATE(t->l1d_misses, t->l1d_accesses)) \
    X(VALUE, l1d_mpki, "", "L1 misses per thousand thread instructions", "1000 * l1d_misses / thread_insts", RATE(1000 * t->l1d_misses, t->thread_insts)) \
    X(COUNT, l1_writes, l1d_writes, "", "stores among the accesses", "") \
    X(COUNT, l1_write_hits, l1d_write_hits, "", "of them that found their line", "") \
    X(HIDDEN, l1_evictions, l1_evictions, "", "lines that fell out to make room") \
    X(HIDDEN, l1_searches, l1_searches, "", "looks into the tags") \
    X(HIDDEN, l1_data_reads, l1_data_reads, "", "reads of the data array, of 32 bytes each") \
    X(HIDDEN, l1_data_writes, l1_data_writes, "", "writes of the data array, of 32 bytes each") \
    X(HIDDEN, l1_stalls, l1_stalls, "", "accesses that found no MSHR, way or place in a queue") \
    X(HIDDEN, mshr_searches, mshr_searches, "", "looks into the MSHRs") \
    X(HIDDEN, mshr_writes, mshr_writes, "", "writes of the MSHRs") \
    X(HIDDEN, mshr_reads, mshr_reads, "", "reads of the MSHRs") \
    X(COUNT, mshr_merges, mshr_merges, "", "loads that joined an MSHR", "") \
    X(COUNT, bypasses, l1d_bypasses, "", "loads sent past the L1", "") \
    X(COUNT, prefetches, l1d_prefetches, "", "lines asked for by prefetches (not among l1d_accesses)", "") \
    X(COUNT, prefetch_fills, l1d_prefetch_fills, "", "of them fetched into an L1: neither there nor on their way", "") \
    X(COUNT, prefetch_late, l1d_prefetch_late, "", "loads of a line that a prefetch had asked for and that was still on its way", "") \
    X(COUNT, atomics, atomics, "", "atomic accesses sent to the L2", "") \
    X(COUNT, requests, requests, "", "requests made by SMs", "") \
    X(HIDDEN, answers, answers, "", "replies and acknowledgements to them") \
    X(HIDDEN, writes_sent, writes_sent, "", "stores among the requests") \
    X(HIDDEN, acks, acks, "", "acknowledgements of stores")

/* how long a request takes; those that left the L1, to their answer at the SM */
#define SM_LATENCY_STATS(X) \
    X(HIDDEN, latency_sum, latency_sum, "cycle", "latency of all of them") \
    X(HIDDEN, latency_n, latency_n, "", "how many") \
    X(MOST, latency_max, latency_max, "cycle", "the longest") \
    X(HIDDEN, lat_queue, lat_queue, "cycle", "of the latency: in the SM and at the port") \
    X(HIDDEN, lat_request, lat_request, "cycle", "… in the request network") \
    X(HIDDEN, lat_l2, lat_l2, "cycle", "… in the L2") \
    X(HIDDEN, lat_dram, lat_dram, "cycle", "… in the controller and the DRAM") \
    X(HIDDEN, lat_reply, lat_reply, "cycle", "… in the reply network and the response queue") \
    X(VALUE, avg_mem_latency, "cycle", "from an access to the L1 to its reply or acknowledgement at the SM, for those that left the L1", "", RATE(t->latency_sum, t->latency_n)) \
    X(VALUE, max_mem_latency, "cycle", "the longest of them", "", t->latency_n > 0 ? t->latency_max : NAN) \
    X(VALUE, latency_queue, "cycle", "of it: in the SM and at the port", "", RATE(t->lat_queue, t->latency_n)) \
    X(VALUE, latency_request, "cycle", "of it: in the request network", "", RATE(t->lat_request, t->latency_n)) \
    X(VALUE, latency_l2, "cycle", "of it: in the L2", "", RATE(t->lat_l2, t->latency_n)) \
    X(VALUE, latency_dram, "cycle", "of it: in the controller and the DRAM (mean over all, also those that hit)", "", RATE(t->lat_dram, t->latency_n)) \
    X(VALUE, latency_reply, "cycle", "of it: in the reply network and the response queue", "", RATE(t->lat_reply, t->latency_n))

#define SM_STATS(X) SM_ISSUE_STATS(X) SM_MEMORY_STATS(X) SM_LATENCY_STATS(X)
/* clang-format on */

struct sm_stats {
    SM_STATS(COUNTER_FIELD)
};

#endif
