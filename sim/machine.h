/* SPDX-License-Identifier: MIT
 *
 * sim/machine.h: the parts of the GPU as they are at run time. Shared by the files that make up the
 * machine and by mechanisms that plug into it (sim/hooks.h); everybody else uses sim/gpu.h.
 *
 * Nothing is stepped that has nothing to do. An SM, a slice, a channel says when it must run next
 * and sleeps until then or until somebody wakes it (machine_wake_*); when all sleep, time jumps.
 * Within a core cycle the order is: replies reach the SMs' ports, slices send, DRAM, slices,
 * network, SMs, CTA placement. */
#ifndef CW_SIM_MACHINE_H
#define CW_SIM_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/mshr.h"
#include "cache/tags.h"
#include "sim/address.h"
#include "sim/clock.h"
#include "sim/coalescer.h"
#include "sim/cta_sched.h"
#include "sim/dram_sched.h"
#include "sim/fabric.h"
#include "sim/gpu.h"
#include "sim/hooks.h"
#include "sim/request.h"
#include "sim/trace.h"
#include "sim/warp_sched.h"
#include "sim/window.h"

#define NEVER UINT64_MAX
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
    uint32_t id, cluster;

    /* masks over warps */
    uint64_t live, ready, blocked, exiting, at_barrier, at_fence, at_atomic;
    uint64_t drained; /* stepped pipeline: nothing left to do; seen when fetch comes past */
    uint64_t owned;   /* contexts of resident CTAs */
    uint64_t unsure;  /* waits for an instruction that is not in its unit yet */
    uint64_t need_fetch, missing, allowed; /* allowed: static warp limit */
    uint64_t gate_load, gate_store;        /* issue gate, see sim/hooks.h */
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

/* ---- cluster, slice, channel ---- */

struct cluster {
    uint32_t first_sm, n_sms;
    struct delay_ring inject;  /* requests waiting for the network port */
    struct ring responses;     /* replies waiting for their SM */
    struct delay_ring answers; /* answered inside the cluster */
    uint64_t waiting;          /* SMs whose request found the buffer full */
    uint32_t turn;
    uint64_t sent_at; /* the bus: one request per cycle */
    uint64_t requests, merged, local_answers;
    uint64_t reads, reads_sent; /* loads that came to the port, and that left into the network */
};

struct slice_stats {
    uint64_t reads, read_hits, read_pending, read_misses;
    uint64_t others, other_hits; /* of the reads: instructions, constants, textures */
    uint64_t writes, write_hits, write_pending, write_misses;
    uint64_t atomics, writebacks, fills, stalls;
    uint64_t searches, data_reads, data_writes, mshr_searches, mshr_writes, mshr_reads;
    uint64_t busy_ticks;
};

struct slice {
    uint32_t id;
    struct tags tags;
    struct mshr mshr;
    uint64_t *addresses;        /* [slot] full address of the line, for write-backs */
    struct delay_ring incoming; /* out of the network, on its way to the tags */
    struct ring queue;          /* at the tags */
    struct ring misses;         /* to the queue to the DRAM */
    struct ring to_dram, from_dram, replies;
    bool is_blocked;
    uint64_t port_free; /* L2 clock from which the data can be reached */
    struct slice_stats stats;
};

struct dram_bank {
    uint32_t req;  /* being served, or REQ_NONE */
    uint32_t row;  /* open, or DRAM_NO_ROW */
    uint32_t sent; /* bytes of the request already commanded */
    bool is_open;
    uint64_t column_ok, write_ok, precharge_ok, activate_ok; /* command clock from which legal */
    uint64_t idle_since;
};

struct channel_stats {
    uint64_t reads, writes, activates, precharges, refreshes;
    uint64_t requests, row_hits, bus_ticks, bank_idle;
    uint64_t queue_sum;
};

struct channel {
    uint32_t id;
    void *sched;
    struct dram_bank *banks;
    uint32_t *rows;             /* [bank] open row, for the scheduler */
    uint64_t work;              /* mask of banks with a request */
    uint32_t first;             /* rotating priority */
    struct delay_ring incoming; /* fixed delay of the controller; core cycles */
    struct delay_ring data; /* column commands on the bus: request and when its data is through */
    struct ring returns;
    uint32_t in_flight; /* requests accepted and not returned */
    uint32_t private_used[16], shared_used, last_slice;
    uint64_t column_ok, read_ok, write_ok, activate_ok; /* command clock from which legal */
    uint64_t group_ok[64], group_precharge_ok[64];
    uint32_t n_groups, group_shift, atom_bytes, atom_ticks;
    uint64_t last_activates[4];
    uint64_t refresh_at, refreshing_until;
    uint64_t sleep_until; /* command clock: nothing can be done before */
    struct channel_stats stats;
};

/* ---- kernels ---- */

/* A kernel that runs or waits. */
struct launch {
    const struct trace_source *src;
    uint32_t program, kernel;
    const struct trace_kernel *k;
    const struct cta_sched *sched;
    struct cta_machine machine; /* what the policy sees */
    void *state;
    uint32_t n_placed, n_retired, max_per_sm;
    uint64_t base, code, begins;
    uint64_t began, ended;
    uint64_t issued_insts; /* of CTAs that are through, or were when the run was cut off */
    bool is_running, is_done;
    bool has_private; /* local memory that the machine places */
};

struct gpu {
    struct gpu_config cfg; /* points to the copies below */
    struct gpu_params gpu_params;
    struct sm_params sm_params;
    struct l1_params l1_params;
    struct cluster_params cluster_params;
    struct llc_params llc_params;
    struct dram_params dram_params;
    struct arena *mem;
    struct err *err;
    bool has_failed;
    struct clocks clocks;
    uint64_t now; /* core cycle */
    struct fabric *fabric;
    struct req_pool pool;
    struct address_map map;

    struct sm *sms;
    struct cluster *clusters;
    struct slice *slices;
    struct channel *channels;
    uint32_t n_sms, n_clusters, n_slices, n_channels;
    const struct warp_sched *warp_sched;
    const struct coalescer *coalescer;
    const struct dram_sched *dram_sched;
    const struct cta_sched *cta_sched;
    struct unit_class classes[TC_COUNT];
    uint32_t l1_hit, l1_lookup, shared_latency, l2_latency, dram_latency;
    uint32_t flit_bytes[2];
    bool l1_is_through, l1_is_back;
    struct coalesce_rule rule;
    uint32_t banks_each, bank_mask; /* register banks of the SM or a sub-core; mask: power of two */
    uint32_t collectors_each;       /* of a sub-core */

    struct cluster_hooks hooks; /* zero: none */
    struct sim_probe probe;
    struct locality *locality;    /* NULL: not asked for */
    struct window_study *windows; /* NULL: not asked for */
    struct gpu_figures figures;

    /* who must run in this cycle, and who sleeps until when: bit sets over components */
    uint64_t *sm_now, *cluster_now, *slice_now, *channel_now;
    uint64_t *sleepers; /* [cycle % MACHINE_WHEEL][words]: SMs, clusters, slices, channels */
    uint64_t *sleep_any;
    uint32_t words, sm_words, cluster_word, slice_word, channel_word;
    uint64_t *reply_now; /* slices with replies to send */

    struct launch *launches;
    uint32_t n_launches, n_running, n_done;
    struct cta_machine cta_machine;
    uint32_t *room;  /* [sm] */
    uint32_t *later; /* [sm] the same but for the limit of one launch per cycle */
    uint64_t idled_cycles, idled_since; /* places times cycles that block policies left empty */
    uint32_t n_idled;
    uint64_t *launched; /* SMs that were given a CTA in this cycle */
    bool must_place;

    uint64_t moved_at;     /* last cycle in which an instruction issued or a request moved */
    uint64_t n_warp_insts; /* issued */
    uint64_t skipped;      /* cycles nobody ran */
    uint64_t live_writebacks;
    uint64_t bytes[2]; /* sent into the networks, headers included */
    uint32_t *owner;   /* [sm] program whose CTAs it takes first */
    uint32_t n_programs;
    bool is_concurrent, was_stopped;
    uint64_t total_insts;
    uint32_t total_ctas, done_ctas;
    bool no_skip; /* for the test that compares */
};

#define MACHINE_WHEEL 1024u

/* ---- waking ---- */

static inline void machine_wake_sm(struct gpu *g, uint32_t sm)
{
    g->sm_now[sm / 64] |= (uint64_t)1 << (sm % 64);
}
static inline void machine_wake_cluster(struct gpu *g, uint32_t c)
{
    g->cluster_now[c / 64] |= (uint64_t)1 << (c % 64);
}
static inline void machine_wake_slice(struct gpu *g, uint32_t s)
{
    g->slice_now[s / 64] |= (uint64_t)1 << (s % 64);
}
static inline void machine_wake_channel(struct gpu *g, uint32_t c)
{
    g->channel_now[c / 64] |= (uint64_t)1 << (c % 64);
}
/* Wakes a component at a core cycle after now; `word` is the first of its kind. */
void machine_sleep(struct gpu *g, uint32_t word, uint32_t i, uint64_t until);

/* ---- SM: sim/sm.c, sim/sm_issue.c, sim/lsu.c, sim/l1.c ---- */

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

void lsu_init(struct sm *sm, struct arena *mem);
uint64_t lsu_cycle(struct sm *sm, uint64_t now);
bool lsu_is_idle(const struct sm *sm);

bool l1_init(struct sm *sm, struct arena *mem, struct err *err);
/* Hands an access to the L1's pipeline. False: the bank took one in this cycle or is full. */
bool l1_offer(struct sm *sm, const struct access *a, uint64_t now);
bool l1_can_take(const struct sm *sm, uint64_t address, uint64_t now);
/* Would the access be served if it were offered now: a hit, or a miss for which there is all it
 * needs? With a pipeline before the tags nobody can know, and only the pipeline's room counts. A
 * refusal stands until sm->l1_changes moves. */
bool l1_accepts(const struct sm *sm, const struct access *a, uint64_t now);
uint64_t l1_cycle(struct sm *sm, uint64_t now);
void l1_fill(struct sm *sm, uint32_t req, uint64_t now);
void l1_unblock(struct sm *sm);
/* For a coalescer whose offer was refused: is the bank stuck until something changes? Then the
 * coalescer may sleep (return NEVER from cycle); it is called again when a bank moves. */
bool l1_is_stuck(struct sm *sm, const struct access *a);
void l1_kernel_begin(struct sm *sm, uint32_t shared_bytes);

/* ---- the others ---- */

bool cluster_can_send(struct gpu *g, uint32_t sm, uint32_t req);
void cluster_send(struct gpu *g, uint32_t sm, uint32_t req, uint64_t now);
uint64_t cluster_cycle(struct gpu *g, uint32_t cluster, uint64_t now);

bool slice_init(struct slice *s, struct gpu *g, uint32_t id, struct err *err);
/* One tick of the L2 clock. Returns the tick at which it must run next. */
uint64_t slice_tick(struct gpu *g, struct slice *s, uint64_t tick, uint64_t now);
void slice_preload(struct gpu *g, uint64_t address, uint64_t bytes);

bool channel_init(struct channel *c, struct gpu *g, uint32_t id, struct err *err);
uint64_t channel_tick(struct gpu *g, struct channel *c, uint64_t tick, uint64_t now);

/* A part of a split line arrived and is freed: the whole request when it was the last one, else
 * REQ_NONE. Requests that were not split are whole. */
uint32_t machine_join(struct gpu *g, uint32_t req);
/* The SM has the reply: latency statistics. */
void machine_answered(struct gpu *g, struct sm *sm, const struct request *r, uint64_t now);
void machine_cta_retired(struct gpu *g, uint32_t launch, uint32_t sm, uint32_t cta);
bool machine_fail(struct gpu *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Flits of a packet that carries `bytes` of data. */
static inline uint16_t machine_flits(const struct gpu *g, enum noc_dir dir, uint32_t bytes)
{
    uint32_t n = bytes + g->cfg.gpu->header_bytes, f = g->flit_bytes[dir];
    return (uint16_t)((n + f - 1) / f);
}

#endif
