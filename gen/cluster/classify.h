/* SPDX-License-Identifier: MIT
 *
 * gen/cluster/classify.h: where a program's locality between CTAs comes from, by a tree after Li et
 * al. 2017, section 4.4: runs with the CTAs in other orders, a run without the L1, and what the
 * addresses say of regularity, density and sharing. It knows numbers, no names. */
#ifndef CW_GEN_CLUSTER_CLASSIFY_H
#define CW_GEN_CLUSTER_CLASSIFY_H

#include <stdint.h>

#include "sim/study/sharing.h"
#include "sim/study/trace_info.h"

struct arena;

/* What one run showed. */
struct cluster_run {
    double cycles, hit_rate, transactions; /* hit_rate of the L1, 0..1; transactions of the L2 */
};

struct cluster_evidence {
    struct cluster_run base, rows, columns, without_l1;
    struct sharing sharing;
    double inter_cta; /* share of the reuse of lines that is between CTAs (Fig. 3) */
    uint64_t l1_bytes;
};

/* Shares that the tree asks for. */
struct cluster_signs {
    double order;         /* lines of all SMs that the better order saves, from the addresses */
    double moved;         /* change of the L1's hit rate by the order, in runs: 0..1 */
    double saved;         /* L2 transactions that the better order saves, in runs */
    double uncached;      /* L2 transactions without the L1, over those with it */
    double shared, words; /* accesses of lines that several CTAs read; of words */
    double written, irregular;
    double density; /* bytes wanted of the sectors touched, where lanes spread */
    bool fits;      /* what most CTAs read fits the L1 */
};

struct cluster_class {
    enum trace_locality kind;
    struct cluster_signs signs;
    const char *why; /* the branch, in words */
};

void cluster_classify(const struct cluster_evidence *e, struct arena *mem,
                      struct cluster_class *out);
bool cluster_is_exploitable(enum trace_locality kind); /* algorithm, cache-line */
const char *cluster_class_name(enum trace_locality kind);

#endif
