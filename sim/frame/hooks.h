/* SPDX-License-Identifier: MIT
 *
 * sim/frame/hooks.h: where mechanisms plug into the machine. What is absent costs one test of a
 * pointer.
 *
 *   CTA placement        struct cta_sched        sim/cta/sched.h
 *   warp choice          struct warp_sched       sim/sm/warp_sched.h
 *   issue gate           sm->gate_load, sm->gate_store: masks of warps that may not issue a global
 *                        load or store now; whoever owns the coalescer sets and clears them
 *   coalescer -> L1,
 *   writeback            struct coalescer        sim/sm/coalescer.h (take, cycle, l1_offer, done)
 *   L1 miss -> cluster   cluster_hooks.request
 *   reply -> cluster     cluster_hooks.reply
 *   store                cluster_hooks.store
 *   kernel end           cluster_hooks.kernel_end
 *   DRAM order           struct dram_sched       sim/memory/dram_sched.h
 *   watching             struct sim_probe: sees, changes nothing
 */
#ifndef CW_SIM_FRAME_HOOKS_H
#define CW_SIM_FRAME_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/arrays.h"

struct arena;
struct cluster_params;
struct err;
struct gpu;
struct request;

enum hook_verdict {
    HOOK_PASS,  /* goes on into the network */
    HOOK_TAKEN, /* the hook has freed the request (merged), or kept it (cluster_answer later) */
};

/* A structure at the port of a cluster (merge table, coalesced cache). One ctx for the machine. */
struct cluster_hooks {
    void *ctx;

    /* A read of the global space leaves an SM's miss queue for the port. */
    enum hook_verdict (*request)(void *ctx, struct gpu *gpu, uint32_t cluster, uint32_t req,
                                 uint64_t now);
    uint32_t request_cycles; /* what looking costs every request that passes */

    /* A reply to such a read leaves the response queue. `*sms` has the bit of the SM (within the
     * cluster) that the packet names; the hook may add others, each of which receives a copy. */
    void (*reply)(void *ctx, struct gpu *gpu, uint32_t cluster, uint32_t req, uint64_t *sms,
                  uint64_t now);

    /* A store or atomic of an SM of the cluster passes the port. */
    void (*store)(void *ctx, struct gpu *gpu, uint32_t cluster, const struct request *req,
                  uint64_t now);

    void (*kernel_end)(void *ctx, struct gpu *gpu, uint64_t now);

    /* Requests it holds, for conservation; may be NULL. */
    uint64_t (*held)(const void *ctx);
};

/* Each plug-in (sim/arrays.h) looks at the parameters of a machine that is being made, and plugs
 * itself in or does nothing. False: an error is in `err`. */
#define X(name) bool name##_attach(struct gpu *g, struct err *err);
PLUG_INS(X)
#undef X

/* For plug-ins: takes the port of the clusters. There is one place; `key` is named where it is
 * taken already. */
bool machine_plug(struct gpu *g, const struct cluster_hooks *hooks, const char *key,
                  struct err *err);

/* For hooks: answers a request inside the cluster, `delay` cycles from now, as if its reply had
 * arrived. The request must have been TAKEN. */
void cluster_answer(struct gpu *gpu, uint32_t cluster, uint32_t req, uint32_t delay, uint64_t now);

/* An access that reached the tags of an L1, and what became of it. */
struct l1_look {
    uint64_t address;
    uint32_t sm, cta, bytes;
    bool is_write;
    int result; /* enum tags_result */
};

/* Watches the machine (locality analysis, structures that only look, tests). Any function may be
 * NULL. */
struct sim_probe {
    void *ctx;
    void (*l1)(void *ctx, const struct l1_look *a, uint64_t now);
    /* every request that leaves an SM for its cluster's port */
    void (*miss)(void *ctx, uint32_t cluster, uint32_t sm, uint32_t cta, const struct request *req,
                 uint64_t now);
    void (*cta)(void *ctx, uint32_t kernel, uint32_t cta, uint32_t sm, bool begins, uint64_t now);
    void (*kernel_end)(void *ctx, uint32_t kernel, uint64_t now);
    /* a warp of a CTA issued a barrier */
    void (*barrier)(void *ctx, uint32_t cta, uint32_t sm, uint64_t now);
};

/* One more watches. At most MACHINE_PROBES. */
void machine_watch(struct gpu *g, const struct sim_probe *probe);

#endif
