/* SPDX-License-Identifier: MIT
 *
 * sim/gpu/gpu_stats.h: the statistics of the machine as a whole (sim/counters.h); `g` is the GPU.
 * What its parts count stands in their headers. */
#ifndef CW_SIM_GPU_GPU_STATS_H
#define CW_SIM_GPU_GPU_STATS_H

#include "sim/counters.h"

/* clang-format off */
#define CLOCK_STATS(X) \
    X(COUNT_AT, g->now, cycles, "cycle", "core cycles until the last CTA has drained", "") \
    X(HIDDEN_AT, g->clocks.ticks[CLOCK_NOC], noc_cycles, "NoC cycle", "cycles of the networks") \
    X(HIDDEN_AT, g->clocks.ticks[CLOCK_DRAM], dram_ticks, "DRAM cycle", "cycles of the DRAM") \
    X(FACT, (double)g->clocks.khz[CLOCK_CORE] * 1e-6, core_ghz, "GHz", "clock of the SMs") \
    X(FACT, (double)g->clocks.khz[CLOCK_DRAM] * 1e-6, dram_ghz, "GHz", "command clock of the DRAM") \
    X(GPU_VALUE, time_us, "us", "the same in time", "cycles / core clock", t->cycles / (t->core_ghz * 1e3))

#define GPU_STATS(X) \
    X(COUNT_AT, g->n_done, kernels, "", "kernels that ran to their end", "") \
    X(FACT, g->n_sms, n_sms, "", "SMs") \
    X(FACT, g->cfg.sm->schedulers, schedulers, "", "of an SM") \
    X(FACT, g->cfg.sm->warps, max_warps, "", "warp contexts of an SM") \
    X(FACT, g->n_clusters, n_ports, "", "ports of clusters") \
    X(FACT, g->n_slices, n_slices, "", "slices of the L2") \
    X(FACT, g->n_dram_channels, n_channels, "", "DRAM channels") \
    X(FACT, g->cfg.dram->banks, n_banks, "", "banks of a channel")

/* where CTAs are placed, and what the local crossbars see of it */
#define PLACEMENT_STATS(X) \
    X(FACT, g->cta_sched->idled != cta_idled_none, has_blocks, "", "1: the policy places blocks of CTAs") \
    X(HIDDEN_AT, g->idled_cycles, idled_cycles, "cycle", "places left empty while CTAs waited, cycle by cycle") \
    X(SUM, cta_idle_contexts, "cycle", "places for CTAs left empty by a block policy while CTAs waited, times cycles", "", t->has_blocks > 0 ? t->idled_cycles : NAN) \
    X(FACT, g->cta_places, places, "", "CTAs that an SM runs at once") \
    X(VALUE, cta_places, "", "CTAs that an SM runs at once at most, of the kernel with most instructions; agents that work", "", t->places) \
    X(FACT, g->cta_machine.n_crossbars, n_crossbars, "", "local crossbars, or clusters") \
    X(BUSIEST, crossbar_most(g), crossbar_max, "", "requests of the busiest of them") \
    X(VALUE, crossbar_imbalance, "", "requests of the busiest local crossbar (or cluster) over the mean", "max / mean", t->n_crossbars > 1 ? RATE(t->crossbar_max * t->n_crossbars, t->cluster_requests) : NAN)

/* the converged ports of a CD-Xbar, `request` and `reply` */
#define CONVERGED_STATS(X) \
    X(FACT, request.n, n_converged_request, "", "converged ports of the request network") \
    X(FACT, reply.n, n_converged_reply, "", "… of the reply network") \
    X(HIDDEN_AT, request.flits, converged_flits_request, "", "flits on them") \
    X(HIDDEN_AT, reply.flits, converged_flits_reply, "", "… of the reply network") \
    X(BUSIEST, request.most, converged_max_request, "", "flits on the busiest of them") \
    X(BUSIEST, reply.most, converged_max_reply, "", "… of the reply network") \
    X(NAMED_VALUE, converged_load_request, "converged_load.request", "flit/cycle", "flits per network cycle on a converged port of the CD-Xbar's request network, mean", "", RATE(t->converged_flits_request, t->n_converged_request * t->noc_cycles)) \
    X(NAMED_VALUE, converged_load_reply, "converged_load.reply", "flit/cycle", "the same of the reply network", "", RATE(t->converged_flits_reply, t->n_converged_reply * t->noc_cycles)) \
    X(NAMED_VALUE, converged_imbalance_request, "converged_imbalance.request", "", "flits on the busiest converged port of the request network over the mean", "max / mean", RATE(t->converged_max_request * t->n_converged_request, t->converged_flits_request)) \
    X(NAMED_VALUE, converged_imbalance_reply, "converged_imbalance.reply", "", "the same of the reply network", "max / mean", RATE(t->converged_max_reply * t->n_converged_reply, t->converged_flits_reply))

/* what only further runs can tell: given by who made them (gen/run/further.c);
 * 0: not known */
#define FIGURE_STATS(X) \
    X(FACT, 0, stp, "", "system throughput") \
    X(FACT, 0, antt, "", "average normalised turnaround time") \
    X(FACT, 0, has_demand, "", "1: the demand for the network is known") \
    X(FACT, 0, demand_percent, "%", "IPC lost with channels of half the width") \
    X(VALUE, stp, "", "system throughput: progress of the programs against each of them alone, summed (--solo)", "sum of solo time / shared time", t->stp > 0 ? t->stp : NAN) \
    X(VALUE, antt, "", "average normalised turnaround time: how much longer a program takes than alone (--solo)", "mean of shared time / solo time", t->antt > 0 ? t->antt : NAN) \
    X(VALUE, noc_demand_percent, "%", "IPC lost with channels of half the width (--noc-demand); more than 5 is high demand", "100 * (1 - IPC at half width / IPC)", t->has_demand > 0 ? t->demand_percent : NAN)

/* the simulation itself */
#define RUN_STATS(X) \
    X(FACT, g->pool.most_live, most_live, "", "most requests alive at once") \
    X(VALUE, requests_in_flight, "", "most requests alive at once", "", t->most_live) \
    X(COUNT_AT, g->skipped, skipped_cycles, "cycle", "core cycles in which nothing happened and which were jumped over", "")
/* clang-format on */

#endif
