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
#include "sim/sm/warp_sched.h"

#define SM_MAX_WARPS 64u
#define SM_WHEEL 512u /* cycles ahead an SM remembers exactly */
#define SM_MAX_BANKS 16u
#define SM_OPS 2048u /* memory instructions in flight */
#define OP_NONE UINT32_MAX
#define LOAD_OUT UINT32_MAX       /* the register awaits a load */
#define UNIT_OUT (UINT32_MAX - 1) /* the register awaits an instruction that is not in its unit */

/* ---- execution units ---- */

/* In the order in which they take instructions. */
enum unit { UNIT_FP32, UNIT_FP64, UNIT_INT, UNIT_SFU, UNIT_BRANCH, UNIT_TENSOR, UNIT_MEM, UNITS };

struct unit_class {
    uint8_t unit;
    uint32_t latency, interval;
};

#define UNIT_COPIES 4u
#define COLLECTORS_MAX 16u

/* One unit kind of an SM or sub-core. Times say when a place becomes free. */
struct unit_state {
    uint64_t entry[UNIT_COPIES]; /* registers before the collectors */
    uint64_t exit[UNIT_COPIES];  /* registers behind the collectors */
    uint64_t busy[UNIT_COPIES];  /* the units themselves */
    uint8_t n_entry, n_exit, n_busy, at_entry, at_exit;
};

/* What is the same for every SM of a machine. */
struct sm_common {
    const struct warp_sched *warp_sched;
    const struct coalescer *coalescer;
    struct unit_class classes[TC_COUNT];
    uint32_t l1_hit, l1_lookup, shared_latency; /* core cycles */
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
    uint64_t owned;          /* its contexts, until it retires */
    uint32_t n_left;         /* warps not finished */
    uint32_t threads, registers, shared_bytes;
    uint64_t began;
    struct trace_cta trace;
    uint64_t *placed; /* the trace's addresses with local memory in its place, or unused */
    uint32_t n_placed;
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

/* Why a scheduler issued nothing in a cycle. */
enum stall {
    STALL_EMPTY,
    STALL_FETCH,
    STALL_BARRIER,
    STALL_MEMORY,
    STALL_DEPENDENCE,
    STALL_UNIT,
    STALLS
};

struct sm_stats {
    uint64_t warp_insts, thread_insts, by_class[TC_COUNT], thread_by_class[TC_COUNT];
    uint64_t stalls[STALLS], issued_cycles; /* scheduler cycles */
    uint64_t active_cycles, warp_cycles, cta_cycles;
    uint64_t reg_reads, reg_writes; /* warp operands */
    uint64_t l1_accesses, l1_hits, l1_pending, l1_misses, l1_writes, l1_write_hits, l1_evictions;
    uint64_t l1_searches, l1_data_reads, l1_data_writes, l1_stalls;
    uint64_t mshr_searches, mshr_writes, mshr_reads, mshr_merges;
    uint64_t bypasses, atomics;
    uint64_t global_insts, global_accesses; /* lines per instruction */
    uint64_t global_lanes;                  /* of these instructions, as issued */
    uint64_t mem_ready_cycles; /* warps ready for such an instruction, cycle by cycle */
    uint64_t shared_insts, shared_cycles, shared_accesses, shared_reads, shared_writes;
    uint64_t requests, answers, writes_sent, acks;
    uint64_t fetches, fetch_misses;
    uint64_t gate_full_cycles, gate_order_cycles; /* of schedulers that had nothing else to issue */
    uint64_t l1_cycles;                           /* in which the tags took at least one access */
    uint64_t latency_sum, latency_n, latency_max; /* read requests, to the SM */
    uint64_t lat_queue, lat_request, lat_l2, lat_dram, lat_reply;
    uint64_t ctas, idled;
};

/* What a cycle always looks at comes first, large tables last. */
struct sm {
    struct gpu *gpu;
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
    uint64_t ran_until; /* stall accounting: cycles before this are accounted for */
    uint32_t n_live;    /* warps */
    int32_t fetched;    /* warp in the fetch buffer, or -1 */
    uint32_t last_fetched;

    /* load/store unit */
    uint32_t n_piped;    /* accesses in the L1's banks */
    uint32_t l1_changes; /* moves whenever what the L1 refused may have become possible */
    uint32_t n_side;     /* waiters in MSHRs of the constant and texture caches */
    uint32_t held_op;    /* shared, constant or texture op in the unit, or OP_NONE */
    uint64_t held_until;
    uint64_t passed_at;           /* the last cycle with a request past the L1, plus one */
    uint64_t coalescer_at;        /* when it must run */
    bool is_offer_blocked;        /* the coalescer sleeps until a bank of the L1 moves */
    bool has_writeback;           /* the register before the register file holds */
    bool writeback_is_op;         /* an op, */
    uint8_t writeback_turn;       /* (who may fill it next) */
    uint8_t writeback_done;       /* its destinations that are written, bit mask */
    uint32_t writeback_tag;       /* or a tag of the coalescer */
    struct delay_ring mem_queue;  /* ops with operands, waiting for the unit */
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
    uint8_t open_units[16];   /* [sub-core or 0] units that take one more, with collect */
    struct collect *collect;  /* NULL: operand collection is worked out at issue */
    uint32_t mem_waiting[16]; /* [sub-core or 0] issued and not in the unit yet */
    uint64_t bank_time;
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
    struct unit_state units[16][UNITS];             /* [sub-core or 0] */
    uint64_t collectors[16][UNITS][COLLECTORS_MAX]; /* [.][0] where they are shared */
    uint64_t bank_busy[256];                        /* [bank] bit t: taken at bank_time + t */
    struct access held[ACCESS_MAX];
};

bool sm_init(struct sm *sm, struct gpu *g, uint32_t id, struct err *err);
/* One core cycle; returns when it must run next (NEVER: when woken). */
uint64_t sm_cycle(struct sm *sm, uint64_t now);
uint32_t sm_room(const struct sm *sm, const struct trace_kernel *k);     /* more CTAs of a kernel */
uint32_t sm_capacity(const struct gpu *g, const struct trace_kernel *k); /* of an empty SM */
/* Bytes between two words of a thread's local memory: a word of every thread that can run. */
uint64_t sm_local_stride(const struct gpu *g, const struct launch *l);
bool sm_launch(struct sm *sm, uint32_t launch, uint32_t cta, uint64_t now);
void sm_kernel_end(struct sm *sm);            /* L1 flushed, caches checked */
void sm_account(struct sm *sm, uint64_t now); /* stall cycles while it slept */

void sm_issue(struct sm *sm, uint64_t now);
void sm_fetch(struct sm *sm, uint64_t now);
void sm_next(struct sm *sm, uint32_t warp, uint64_t now); /* when may its next instruction go? */
void sm_wake_at(struct sm *sm, uint32_t warp, uint64_t at, uint64_t now);
void sm_reach_barrier(struct sm *sm, uint32_t warp, uint64_t now);
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

#endif
