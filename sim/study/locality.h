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

struct gpu;
struct locality;

struct locality_counts {
    uint64_t requests, line_sharing, data_sharing;
    uint64_t reuse, reuse_other;
    bool has_words; /* the coalescer lets see which words a load wants */
};

struct locality *locality_attach(struct gpu *g, uint64_t window);
const struct locality_counts *locality_counts(const struct locality *l);

#endif
