/* SPDX-License-Identifier: MIT
 *
 * gen/cluster/classify.h: where a program's locality between CTAs comes from, by a tree after Li et
 * al. 2017, section 4.4: runs with the CTAs in other orders, a run without the L1, and what the
 * addresses say of data, writes, density and sharing. It knows numbers, no names. */
#ifndef CW_GEN_CLUSTER_CLASSIFY_H
#define CW_GEN_CLUSTER_CLASSIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stat.h"
#include "sim/study/sharing.h"
#include "sim/study/trace_info.h"

struct arena;

/* What one way to run the program showed, over all starts. */
struct cluster_run {
    struct stat_run cycles, hit_rate, transactions; /* hit rate of the L1, 0..1; of the L2 */
};

struct cluster_evidence {
    struct cluster_run base, rows, columns, agents; /* CTAs as they come, and in other orders */
    struct cluster_run without_l1;
    struct cluster_run one; /* a CTA of each SM at a time */
    struct sharing sharing;
    double inter_cta; /* share of the reuse of lines that is between CTAs (Fig. 3) */
};

/* A change counts if it is larger than a tie and than what the starts leave open (Student's t,
 * 95 %). */
struct cluster_change {
    double by;    /* the largest: share of the time, or points of the hit rate, 0..1 */
    double noise; /* what that one would have to exceed */
    bool counts;  /* one of them does */
};

/* Shares that the tree asks for are of the kernel that executes most. */
struct cluster_signs {
    double order;                /* lines of all SMs that the better order saves, from addresses */
    struct cluster_change time;  /* by another order: rows, columns, agents */
    struct cluster_change hits;  /* … of the L1's hit rate */
    struct cluster_change l1;    /* of the time, without the L1 */
    struct cluster_change crowd; /* by how much one CTA at a time of each SM is faster */
    double saved;                /* L2 transactions that the best order saves, in runs */
    double uncached;             /* L2 transactions without the L1, over those with it */
    double shared, words; /* accesses of lines that several CTAs read; of words, with constants */
    double written, irregular, torn;
    double driven;  /* instructions on shared memory that go where data says */
    double density; /* bytes wanted of the sectors touched, where lanes spread */
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
