/* SPDX-License-Identifier: MIT
 *
 * sim/sm/sm.h: a streaming multiprocessor as it is at run time: contexts, warps, the
 * instructions in flight, and what all SMs of a machine have in common. For the files of this room
 * and for what plugs into an SM (coalescers, the cluster it sits in). */
#ifndef CW_SIM_SM_SM_H
#define CW_SIM_SM_SM_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/mshr.h"
#include "cache/tags.h"
#include "sim/frame/machine.h"
#include "sim/frame/request.h"
#include "sim/sm/coalescer.h"
#include "sim/sm/sm_stats.h"
#include "sim/sm/warp_sched.h"

#define SM_MAX_WARPS 64u
#define SM_WHEEL 512u /* cycles ahead an SM remembers exactly */
#define SM_MAX_BANKS 32u
#define SM_OPS 2048u /* memory instructions in flight */
#define OP_NONE UINT32_MAX
#define LOAD_OUT UINT32_MAX       /* the register awaits a load */
#define UNIT_OUT (UINT32_MAX - 1) /* the register awaits an instruction that is not in its unit */

/* ---- execution units ---- */

/* In the order in which they take instructions. */
enum unit {
    UNIT_FP32,
    UNIT_FP64,
    UNIT_INT,
    UNIT_SFU,
    UNIT_BRANCH,
    UNIT_TEXTURE,
    UNIT_TENSOR,
    UNIT_UNIFORM,
    UNIT_MEM,
    UNITS
};

struct unit_class {
    uint8_t unit;
    uint32_t latency, interval;
};

/* Where units take instructions: the classes of a trace, texture fetches that have a unit, and what
 * has a rate of its own. */
enum { CLASS_TEXTURE = TC_COUNT, CLASS_RATE, CLASSES = CLASS_RATE + TR_COUNT };

#define CLASS_AS_TRACED UINT8_MAX
#define RATES 17u /* what a trace may say */

#define COLLECTORS_MAX 16u

/* Where SMs differ that are alike in every size. Each pipeline has its set (sim/sm/pipeline.h):
 * that of the stepped one is what GPGPU-Sim does. */
struct sm_rules {
    /* Warps that wait at a barrier, at a fence or for an atomic have what is next fetched meanwhile
     * (else: when they go on). */
    bool fetches_ahead;
    /* What is fetched lies behind the last instruction; branches do not redirect it. */
    bool fetches_straight_on;
    /* A warp with nothing left to do ends when the search for one to fetch for comes past it. */
    bool ends_at_fetch;
    /* A context is free when its CTA retires (else: when its warp ends). */
    bool keeps_contexts;
    /* The turn of the schedulers moves in cycles in which the SM has warps (else: in all). */
    bool turns_while_active;
    /* Shared memory is a pipeline of as many stages as cycles: it holds no more loads. */
    bool shared_has_stages;
    /* Shared memory: lanes that read 8 or 16 bytes are served together where no two of them want
     * other words of one bank (else: in 2 or 4 parts always). */
    bool wide_lanes_meet;
    /* Shared memory: lanes whose atomics meet in one word take turns (else: one access for all). */
    bool shared_atomics_take_turns;
    /* Constants: a cycle brings one word, for all lanes that want it (else: a line). */
    bool constants_word_by_word;
    /* An atomic lets its warp go when its last answer is about to be written. */
    bool atomics_release_early;
    /* L1: a load wants room in the miss queue for what it may evict, whatever the write policy, a
     * store never does (else: both do where the L1 keeps written lines). */
    bool loads_may_evict;
    /* L1: a load that could join a miss waits for room in the miss queue, too. */
    bool merges_want_room;
    /* L1: where global loads pass it, stores do, too. */
    bool bypass_takes_stores;
    uint32_t bypass_answers; /* past the L1, that wait for the register file */
};

/* What is the same for every SM of a machine. */
struct sm_common {
    const struct warp_sched *warp_sched;
    const struct coalescer *coalescer;
    const struct pipeline *pipeline;
    struct sm_rules rules; /* the pipeline's */
    struct unit_class classes[CLASSES];
    uint8_t rate_class[RATES];             /* [enum trace_rate], or CLASS_AS_TRACED */
    uint32_t barrier_interval;             /* between two warps that come to a barrier */
    uint32_t guard_cycles;                 /* until a predicate can be gone by, beyond a result's */
    uint32_t l1_hit, shared_latency;       /* core cycles */
    uint32_t l1_interval, shared_interval; /* between two accesses of a bank */
    uint32_t l1_pipes;                     /* accesses that it takes in a cycle */
    uint32_t l1_lookup;                    /* of l1_hit until the tags are compared; at least 1 */
    bool l1_is_through, l1_is_back;
    struct coalesce_rule rule;
    uint32_t banks_each, bank_mask; /* register banks of the SM or a sub-core; mask: power of two */
    uint32_t collectors_each;       /* of a sub-core */
};

/* ---- memory instructions in flight ---- */

struct op {
    const struct trace_inst *inst;
    const struct trace_static *stat;
    uint32_t next;    /* free list */
    uint16_t pending; /* answers that must come before it is done */
    uint8_t warp;
    uint8_t group;    /* sub-core, or 0 */
    bool is_counted;  /* an atomic: its warp does not wait for it any more */
    bool is_expanded; /* all its accesses were made; done when pending is 0 */
};

/* ---- SM ---- */

struct warp {
    const struct trace_inst *insts;
    const struct trace_static *statics;
    const uint64_t *addresses;
    uint64_t base;  /* added to addresses: kernels of different programs never meet */
    uint64_t code;  /* where the kernel's instructions lie */
    uint32_t at, n; /* next instruction */
    uint32_t n_loads, n_stores, n_atomics; /* in flight */
    uint32_t n_results;                    /* memory instructions in flight that write a register */
    uint64_t wake_at;
    uint64_t held_until; /* its next instruction is not issued before */
    uint64_t busy_until; /* stepped pipeline: the last result known */
    uint32_t n_flights;  /* … and instructions that are not in their unit yet */
    uint8_t cta, ibuffer;
    /* [register] low half of the cycle from which it may be used (within 2^31 of now), LOAD_OUT or
     * UNIT_OUT */
    uint32_t ready[256];
};

struct cta_slot {
    bool is_used;
    uint32_t launch;         /* into gpu.launches */
    uint32_t index;          /* of the kernel's trace order */
    uint64_t warps, waiting; /* masks: not finished, at the barrier */
    uint64_t meeting;        /* at a barrier of the grid */
    uint64_t owned;          /* its contexts, until it retires */
    uint64_t ended_insts;    /* of warps that have ended */
    uint32_t n_left;         /* warps not finished */
    uint32_t threads, registers, shared_bytes;
    uint64_t began;
    struct trace_cta trace;
    uint64_t *placed; /* the trace's addresses with local memory in its place, or unused */
    uint32_t n_placed;
    bool has_prefetches;
    struct prefetch_streams *more; /* its warps' with prefetches at their ends, if it has any */
};

/* A small read-only cache beside the L1: instructions, constants, textures. */
struct ro_cache {
    bool is_perfect;
    struct tags tags;
    struct mshr mshr;
    uint64_t accesses, misses, pending_hits;
};

struct l1_entry {
    struct access access;
    uint64_t ready, born;
};

struct l1_pipe {
    struct l1_entry *at;
    uint32_t mask, first, n;
    bool is_blocked;     /* its head found no MSHR, way or queue: waits for a change */
    uint64_t offered_at; /* the last cycle in which it took an access, plus one */
};

/* What a cycle always looks at comes first, large tables last. */
/* What went between an SM and its network port. */
struct port_counts {
    uint64_t packets, flits, empty; /* empty: bytes of the flits that carried nothing */
};

struct sm {
    struct gpu *gpu;
    struct port_counts port[2]; /* requests, replies */
    const struct sm_common *common;
    uint32_t id, cluster;

    /* masks over warps */
    uint64_t live, ready, blocked, exiting, at_barrier, at_fence, at_atomic;
    uint64_t drained; /* stepped pipeline: nothing left to do; seen when fetch comes past */
    uint64_t owned;   /* contexts of resident CTAs */
    uint64_t unsure;  /* waits for an instruction that is not in its unit yet */
    uint64_t need_fetch, missing, allowed; /* allowed: static warp limit */
    uint64_t gate_load, gate_store;        /* issue gate, see sim/frame/hooks.h */
    uint64_t gate_full;                    /* of the gated: those for want of a place in a queue */
    uint64_t next_store, next_global, by_unit[UNITS];
    uint64_t barrier_busy; /* until then warps that came to barriers are dealt with */
    uint64_t ran_until;    /* stall accounting: cycles before this are accounted for */
    uint32_t n_live;       /* warps */
    int32_t fetched;       /* warp in the fetch buffer, or -1 */
    uint32_t last_fetched;

    /* load/store unit */
    uint32_t n_piped;         /* accesses in the L1's banks */
    uint32_t l1_changes;      /* moves whenever what the L1 refused may have become possible */
    uint32_t n_l2_prefetches; /* past the L1, on their way */
    uint32_t n_side;          /* waiters in MSHRs of the constant and texture caches */
    uint32_t held_op;         /* shared, constant or texture op in the unit, or OP_NONE */
    uint64_t held_until;
    uint64_t passed_at;           /* the last cycle with a request past the L1, plus one */
    uint64_t coalescer_at;        /* when it must run */
    bool is_offer_blocked;        /* the coalescer sleeps until a bank of the L1 moves */
    bool has_writeback;           /* the register before the register file holds */
    bool writeback_is_op;         /* an op, */
    uint8_t writeback_turn;       /* (who may fill it next) */
    uint8_t writeback_done;       /* its destinations that are written, bit mask */
    uint8_t writeback_n;          /* answers to the tag that are written together */
    uint32_t writeback_tag;       /* or a tag of the coalescer */
    struct delay_ring hits;       /* tags of L1 hits whose data is due */
    struct delay_ring shared_ops; /* ops whose (part of a) result is due: shared memory, */
    struct delay_ring results, texture_ops; /* constants, textures */
    struct ring misses;                     /* requests that wait for the port */
    struct ring responses;                  /* replies */
    struct ring bypassed;                   /* answers past the L1 */
    struct ring fetch_misses;               /* instruction lines that wait for the port */
    struct mshr mshr;
    struct tags l1;
    uint32_t l1_ways;
    uint32_t held_next, held_n; /* accesses of the op in the unit */
    uint32_t free_op, n_ops;
    struct op *ops;
    struct warp *warps;
    void *coalescer;
    void *pipe;                  /* the pipeline's own; what it tells, see sim/sm/pipeline.h: */
    uint64_t pipe_at, memory_at; /* when it must run, when it has a memory instruction */
    uint64_t open_at[16][UNITS]; /* [sub-core or 0] when a unit takes one more */
    uint64_t wheel_any[SM_WHEEL / 64];
    struct warp_sched_state scheds[16];
    uint64_t age[SM_MAX_WARPS], next_age;

    /* contexts */
    struct cta_slot *ctas;
    uint32_t n_ctas, used_threads, used_warps, used_registers, used_shared;

    struct sm_stats stats;
    struct l1_pipe pipes[SM_MAX_BANKS];
    struct ro_cache icache, ccache, tcache;
    uint64_t wheel[SM_WHEEL];
    struct access held[ACCESS_MAX];
};

bool sm_init(struct sm *sm, struct gpu *g, uint32_t id, struct err *err);
/* One core cycle; returns when it must run next (NEVER: when woken). */
uint64_t sm_cycle(struct sm *sm, uint64_t now);
/* Units of a kind (enum unit) of the SM, or of a sub-core. */
uint32_t sm_units_of(const struct sm_params *p, uint32_t unit);
uint32_t sm_room(const struct sm *sm, const struct trace_kernel *k);     /* more CTAs of a kernel */
uint32_t sm_capacity(const struct gpu *g, const struct trace_kernel *k); /* of an empty SM */
/* The key of what an empty SM has too little of for one CTA; NULL: one fits. */
const char *sm_lacks(const struct gpu *g, const struct trace_kernel *k, uint32_t *needs,
                     uint32_t *has);
/* Bytes between two words of a thread's local memory: a word of every thread that can run. */
uint64_t sm_local_stride(const struct gpu *g, const struct launch *l);
/* `wait`: cycles before its warps have their registers and begin. */
/* The k-th CTA of a placement. */
bool sm_launch(struct sm *sm, uint32_t launch, const struct cta_place *place, uint32_t k,
               uint64_t now);
void sm_kernel_end(struct sm *sm);            /* L1 flushed, caches checked */
void sm_account(struct sm *sm, uint64_t now); /* stall cycles while it slept */

void sm_issue(struct sm *sm, uint64_t now);
void sm_fetch(struct sm *sm, uint64_t now);
void sm_next(struct sm *sm, uint32_t warp, uint64_t now); /* when may its next instruction go? */
void sm_wake_at(struct sm *sm, uint32_t warp, uint64_t at, uint64_t now);
void sm_reach_barrier(struct sm *sm, uint32_t warp, uint64_t now);
/* A warp waits for one of every CTA of its grid; when all have come, they go on. */
void sm_reach_grid_barrier(struct sm *sm, uint32_t warp, uint64_t now);
void sm_leave_grid_barrier(struct sm *sm, uint32_t launch, uint64_t now);
void sm_finish_warp(struct sm *sm, uint32_t warp, uint64_t now);
/* Has all come that a fence waits for? */
bool sm_is_fenced(struct sm *sm, uint32_t warp);
/* A warp has nothing left to do. */
void sm_drained(struct sm *sm, uint32_t warp, uint64_t now);
void sm_fill_icache(struct sm *sm, uint32_t req, uint64_t now);

uint32_t sm_op_new(struct sm *sm, uint32_t warp, const struct trace_inst *inst,
                   const struct trace_static *stat);
/* One answer of an op came (or `pending` was 0 at expansion): registers are written with the last.
 */
void sm_op_part_done(struct sm *sm, uint32_t op, uint64_t now);
/* All accesses of an op were made. Frees it if nothing is pending. */
void sm_op_expanded(struct sm *sm, uint32_t op, uint64_t now);

/* A reply has reached it: latency statistics. */
void sm_answered(struct sm *sm, const struct request *r, uint64_t now);
void sm_store_acked(struct sm *sm, uint32_t warp, uint64_t now);

/* The low half of a cycle; never one of the values that mean something else. */
static inline uint32_t sm_low_half(uint64_t cycle)
{
    uint32_t v = (uint32_t)cycle;
    return v >= UNIT_OUT ? 0 : v;
}

/* Warps that are ready and may not issue: the issue gate. */
static inline uint64_t sm_gated(const struct sm *sm)
{
    if (!(sm->gate_load | sm->gate_store))
        return 0;
    return sm->next_global &
           ((sm->gate_store & sm->next_store) | (sm->gate_load & ~sm->next_store));
}

/* Why a scheduler with these warps cannot issue. */
static inline enum stall sm_stall(const struct sm *sm, uint64_t mine)
{
    uint64_t live = sm->live & mine;
    if (!live)
        return STALL_EMPTY;
    if (sm->ready & mine)
        return STALL_UNIT;
    if ((sm->blocked | sm->at_fence | sm->at_atomic) & mine)
        return STALL_MEMORY;
    if ((sm->need_fetch | sm->missing) & mine)
        return STALL_FETCH;
    if (sm->at_barrier & mine)
        return STALL_BARRIER;
    return (live & ~sm->exiting) ? STALL_DEPENDENCE : STALL_MEMORY;
}

/* It issued nothing; `gated`: those of its warps the issue gate stopped. */
static inline void sm_stalled(struct sm *sm, uint64_t mine, uint64_t gated, uint64_t cycles)
{
    sm->stats.stalls[sm_stall(sm, mine)] += cycles;
    if (gated & sm->gate_full)
        sm->stats.gate_full_cycles += cycles;
    else if (gated)
        sm->stats.gate_order_cycles += cycles;
}

#endif
