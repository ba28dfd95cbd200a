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
    struct cluster_run base, rows, columns, without_l1, agents;
    struct cluster_run one; /* a CTA of each SM at a time */
    struct sharing sharing;
    double inter_cta; /* share of the reuse of lines that is between CTAs (Fig. 3) */
};

/* Shares that the tree asks for; of the kernel that executes most. */
struct cluster_signs {
    double order;         /* lines of all SMs that the better order saves, from the addresses */
    double moved;         /* change of the L1's hit rate by the order, in runs: 0..1 */
    double by_agents;     /* … by agents */
    double saved;         /* L2 transactions that the better order saves, in runs */
    double uncached;      /* L2 transactions without the L1, over those with it */
    double by_order;      /* change of the time by the order, in runs: the larger one */
    double by_l1;         /* … by running without the L1 */
    double by_crowd;      /* by how much one CTA at a time of each SM is faster than all */
    double shared, words; /* accesses of lines that several CTAs read; of words, with constants */
    double written, irregular, torn;
    double in_place; /* of the accesses of words that several CTAs read: the launch writes there */
    double driven;   /* instructions on shared memory at places that data says */
    double density;  /* bytes wanted of the sectors touched, where lanes spread */
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
