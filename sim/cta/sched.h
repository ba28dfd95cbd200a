/* SPDX-License-Identifier: MIT
 *
 * sim/cta/sched.h: where the next CTA of a kernel goes. One file per policy (sim/cta/NAME.c), one
 * line of CTA_POLICIES in sim/choices.h. A policy sees how many more CTAs each SM could take,
 * places CTAs one at a time, and is told when one retires; it knows nothing of time.
 *
 * The machine asks after a kernel began and after every retirement, until the policy has nothing
 * more to place; an SM takes at most one launch per cycle (a block of CTAs counts as one). */
#ifndef CW_SIM_CTA_SCHED_H
#define CW_SIM_CTA_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/params.h"

struct arena;

#define CTA_MAX_BLOCK 8u

/* What a policy may know of the machine. */
struct cta_machine {
    uint32_t n_sms, n_clusters;
    const uint32_t *cluster_of;  /* [sm] */
    const uint32_t *first_sm;    /* [cluster]; SMs of a cluster are neighbours */
    const uint32_t *sms_of;      /* [cluster] how many */
    const uint32_t *crossbar_of; /* [sm] which local crossbar of a CD-Xbar; else its cluster */
    uint32_t n_crossbars;
    uint64_t seed;
    uint32_t start;          /* the first SM or cluster of policies that go round: arbitrary */
    const uint32_t *next_sm; /* [cluster] its SM that is next; NULL: the first */
    const uint32_t *later;   /* [sm] room it has from the next cycle on; see next() */
    const bool *is_own; /* [sm] belongs to this kernel where several share the machine; NULL: all */
};

/* What a policy may know of a kernel. */
struct cta_grid {
    uint32_t n_ctas;
    uint32_t max_per_sm;   /* CTAs that an empty SM holds */
    uint32_t columns;      /* CTAs side by side: CTA k of the trace is in row k / columns */
    const uint32_t *order; /* [v] CTA, where index "file" says it; else NULL */
};

struct cta_place {
    uint32_t sm;
    uint32_t n;                  /* CTAs launched together, 1..CTA_MAX_BLOCK */
    uint32_t cta[CTA_MAX_BLOCK]; /* indices 0..n_ctas-1 of the kernel, in the trace's order */
    uint32_t wait_cycles;        /* before its warps begin: what an agent does between two tasks */
    uint32_t followed_by; /* 1 + the CTA that its agent does next; 0: none, or nobody knows */
};

struct cta_sched {
    const char *meaning; /* one line */

    /* A kernel begins. Everything the policy needs to remember is allocated here, in `mem`. */
    void *(*begin)(const struct cta_params *params, const struct cta_machine *machine,
                   const struct cta_grid *grid, struct arena *mem);

    /* The next placement. room[sm]: how many more CTAs of this kernel the SM can take now (0 for
     * SMs that were given one in this cycle, or that belong to another kernel). machine->later[sm]
     * is the same without the limit of one launch per cycle, for policies that must not go on to
     * another SM before this one is full. False: nothing can or should be placed now. Contract:
     * out->n <= room[out->sm]; each CTA is placed once. */
    bool (*next)(void *state, const uint32_t *room, struct cta_place *out);

    void (*retired)(void *state, uint32_t sm, uint32_t cta);

    /* Contexts that stay empty now although CTAs are left (block policies); `room` as later[]. */
    uint32_t (*idled)(void *state, const uint32_t *room);
};

#define X(word) extern const struct cta_sched cta_##word;
CTA_POLICIES(X)
#undef X
extern const struct cta_sched *const cta_scheds[CTA_POLICY_COUNT];

/* The policy of a description: cta.scheduler, with cta.clustering around or in its place. */
const struct cta_sched *cta_sched_of(const struct cta_params *params);

extern const struct cta_sched cta_redirect, cta_agents; /* cta.clustering: around, in its place */
extern const struct cta_sched cta_bound; /* for kernels that asked which SM they are on */

/* SMs that may be used by the kernel: all, or its program's own. */
uint32_t cta_own_sms(const struct cta_machine *machine);

/* For policies that need not know. */
void cta_retired_nothing(void *state, uint32_t sm, uint32_t cta);
uint32_t cta_idled_none(void *state, const uint32_t *room);

/* ---- one queue of CTAs -------------------------------------------------------------------------
 * The state of policies that differ only in who is next. */

struct cta_queue {
    const struct cta_machine *m;
    uint32_t next_cta, n_ctas;
    uint32_t turn;     /* the SM or cluster that is next */
    uint32_t *next_sm; /* [cluster] */
    uint32_t block;    /* CTAs that block policies launch together: cta.block, or what fits an SM */
};

void *cta_queue_begin(const struct cta_params *params, const struct cta_machine *machine,
                      const struct cta_grid *grid, struct arena *mem);

/* ---- contiguous pools, one per cluster (distributed policies) ----------------------------------
 * CTAs are cut into equal ranges, the first clusters taking one more where it does not divide. A
 * cluster without an SM of its own (several kernels at once) has no range and, when it may be used
 * after all, takes from the fullest. Otherwise nothing is stolen: a cluster that is through idles.
 */

struct cta_pools {
    const struct cta_machine *m;
    uint32_t *next, *end; /* [cluster] */
    uint32_t *next_sm;    /* [cluster] */
    bool *has_own;        /* [cluster] */
    uint32_t turn;        /* cluster */
    uint32_t block;       /* as above */
};

void *cta_pools_begin(const struct cta_params *params, const struct cta_machine *machine,
                      const struct cta_grid *grid, struct arena *mem);
uint32_t cta_pools_source(const struct cta_pools *p, uint32_t cluster); /* pool it takes from */
/* The next launch of up to `block` CTAs, on an SM with room for `block`. */
bool cta_pools_next(struct cta_pools *p, const uint32_t *room, uint32_t block,
                    struct cta_place *out);

#endif
