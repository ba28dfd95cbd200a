/* SPDX-License-Identifier: MIT
 *
 * sim/study/locality.h: locality of what passes, watched and not changed (a sim_probe).
 *
 * Intra-cluster locality (ICC paper): of the data requests that come to a cluster's port (loads,
 * stores and atomics of the global space), how many are loads of a line that the same cluster
 * loaded within a window of cycles before. Such a load is data sharing if one of its words was
 * among those asked for by another CTA in the window, else cache-line sharing. Of a line the last 8
 * loads are remembered.
 *
 * Reuse between CTAs (CTA-clustering paper): of the loads that look into an L1 for a line this SM
 * read before in the same kernel, how many follow a load of another CTA. */
#ifndef CW_SIM_STUDY_LOCALITY_H
#define CW_SIM_STUDY_LOCALITY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/counters.h"

struct gpu;
struct locality;

/* What is counted (sim/counters.h). */
/* clang-format off */
#define LOCALITY_STATS(X) \
    X(HIDDEN, requests, icl_requests, "", "data requests at the clusters' ports") \
    X(HIDDEN, line_sharing, icl_line_sharing, "", "of them redundant: other words of the line, or the same CTA") \
    X(HIDDEN, data_sharing, icl_data_sharing, "", "of them redundant: a word that another CTA had asked for") \
    X(FACT, from->has_words, icl_has_words, "", "1: the coalescer lets see which words a load wants") \
    X(VALUE, icl_percent, "%", "intra-cluster locality: share of the data requests at a cluster's port that are loads of a line the cluster had asked for within the last sim.locality_window cycles", "redundant loads / loads and stores", RATE(100 * (t->icl_line_sharing + t->icl_data_sharing), t->icl_requests)) \
    X(VALUE, icl_line_percent, "%", "of it: cache-line sharing: other words of the line, or the same CTA", "", t->icl_has_words > 0 ? RATE(100 * t->icl_line_sharing, t->icl_requests) : NAN) \
    X(VALUE, icl_data_percent, "%", "of it: data sharing: a word that another CTA had asked for", "", t->icl_has_words > 0 ? RATE(100 * t->icl_data_sharing, t->icl_requests) : NAN) \
    X(HIDDEN, reuse, reuse, "", "loads of the L1s that read a line their SM had read before") \
    X(HIDDEN, reuse_other, reuse_other, "", "of them: its last reader was another CTA") \
    X(VALUE, inter_cta_reuse, "", "share of the L1 loads of lines an SM had read before, whose last reader was another CTA (with sim.locality_window)", "", RATE(t->reuse_other, t->reuse))
/* clang-format on */

struct locality_counts {
    LOCALITY_STATS(COUNTER_FIELD)
    bool has_words; /* the coalescer lets see which words a load wants */
};

struct locality *locality_attach(struct gpu *g, uint64_t window);
const struct locality_counts *locality_counts(const struct locality *l);

#endif
