/* SPDX-License-Identifier: MIT
 *
 * sim/gpu/stats.h: the statistics of a run. Each is a line where it is counted (sim/counters.h):
 * name, unit, meaning, formula; text, CSV, JSON, `crosswatt stats` and the documentation are loops
 * over the table of all of them. A value that has no meaning for a run (a rate of nothing) is NaN,
 * and left out. */
#ifndef CW_SIM_GPU_STATS_H
#define CW_SIM_GPU_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "sim/cluster/cluster.h"
#include "sim/cluster/icc.h"
#include "sim/counters.h"
#include "sim/fabric/fabric.h"
#include "sim/gpu/gpu.h"
#include "sim/gpu/gpu_stats.h"
#include "sim/memory/dram.h"
#include "sim/memory/l2.h"
#include "sim/sm/coalescer.h"
#include "sim/sm/sm_stats.h"
#include "sim/study/locality.h"
#include "sim/study/window.h"

/* The lists in the order in which they are printed; what must be there for their rows (stats.c:
 * VALUE_…); whether these have a meaning for one SM or for the whole GPU alone. */
#define STAT_LISTS(L)                                                                              \
    L(CLOCK_STATS, ALWAYS, SM)                                                                     \
    L(GPU_STATS, ALWAYS, GPU)                                                                      \
    L(SM_ISSUE_STATS, ALWAYS, SM)                                                                  \
    L(POOL_STATS, POOL, SM)                                                                        \
    L(SM_MEMORY_STATS, ALWAYS, SM)                                                                 \
    L(CLUSTER_STATS, ALWAYS, GPU)                                                                  \
    L(ICC_STATS, ICC, GPU)                                                                         \
    L(CC_STATS, CC, GPU)                                                                           \
    L(PLACEMENT_STATS, ALWAYS, GPU)                                                                \
    L(CONVERGED_STATS, ALWAYS, GPU)                                                                \
    L(LOCALITY_STATS, ALWAYS, GPU)                                                                 \
    L(WINDOW_STATS, ALWAYS, GPU)                                                                   \
    L(FIGURE_STATS, ALWAYS, GPU)                                                                   \
    L(L2_STATS, ALWAYS, GPU)                                                                       \
    L(L2_COPY_STATS, COPIES, GPU)                                                                  \
    L(DRAM_STATS, ALWAYS, GPU)                                                                     \
    L(PACKET_MERGE_STATS, PACKET_MERGE, GPU)                                                       \
    L(FABRIC_STATS, ALWAYS, GPU)                                                                   \
    L(SM_LATENCY_STATS, ALWAYS, SM)                                                                \
    L(RUN_STATS, ALWAYS, GPU)

#define STAT_TOTAL(kind, ...) LINE_##kind(LINE_NONE, STAT_TOTAL_OF, LINE_NONE, __VA_ARGS__)
#define STAT_TOTAL_OF(how, ...) STAT_TOTAL_##how(__VA_ARGS__)
#define STAT_TOTAL_SUM(at, id) double id;
#define STAT_TOTAL_MOST(at, id) double id;
#define STAT_TOTAL_BUSIEST(at, id) double id;
#define STAT_TOTAL_FACT(at, id) double id;
#define STAT_TOTAL_ARRAY(at, id, n) double id[n];
#define STAT_TOTALS(LIST, when, who) LIST(STAT_TOTAL)

/* Sums over the machine (or over one SM): what the formulas speak of. */
struct stat_totals {
    STAT_LISTS(STAT_TOTALS)
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
