/* SPDX-License-Identifier: MIT
 *
 * sim/ptx/exec.h: the state of a running launch, shared by the files that execute it. Nobody else
 * includes this. */
#ifndef CW_SIM_PTX_EXEC_H
#define CW_SIM_PTX_EXEC_H

#include "base/err.h"
#include "sim/ptx/interpreter.h"
#include "sim/ptx/lanes.h"

#define PTX_MAX_CTA_THREADS 1024u
#define PTX_MAX_CTA_WARPS 32u
#define PTX_BARRIERS 16u
#define PTX_ALL UINT32_MAX

/* A path of a warp: it runs `mask` from `pc` until `meet`. */
struct ptx_path {
    uint32_t pc, meet, mask;
    bool is_call; /* the body of a function: it is left when the path ends */
};

/* A function that has not returned (sim/ptx/calls.c). */
struct ptx_activation {
    const struct ptx_code *call;
    uint32_t slot, mask, path;
    uint32_t caller_base, caller_end, base, end; /* of frames in the stack */
    bool saved;                                  /* its registers were set aside */
};

enum ptx_warp_state { PW_READY, PW_WAITS, PW_GRID /* waits for other CTAs */, PW_DONE };

struct ptx_warp {
    uint8_t *file;
    uint32_t *preds;
    uint8_t *frame;     /* local memory: [lane * stack_bytes] */
    uint32_t id, alive; /* lanes that have not ended */
    uint32_t carry;
    enum ptx_warp_state state;
    uint32_t barrier;             /* WAITS: which */
    const struct ptx_code *waits; /* its instruction, with the mask that executed it */
    uint32_t waits_mask;
    struct ptx_path *paths; /* a stack; the last one runs */
    uint32_t n_paths, cap_paths;
    /* functions */
    struct ptx_activation *calls;
    uint32_t n_calls, cap_calls;
    uint32_t frame_base, call_end, entry_end; /* of the running function's frame, the kernel's */
    uint32_t stack_used;
    uint32_t *active; /* [slot]: how often it has been entered and not left */
    uint8_t *saved;   /* registers set aside */
    size_t n_saved, cap_saved;
    uint64_t steps;
    /* what it did */
    struct trace_inst *insts;
    uint32_t n_insts, cap_insts;
};

struct ptx_barrier_state {
    uint32_t warps;           /* bit set of those that arrived */
    uint32_t expected;        /* threads; 0: all that live */
    uint32_t arrived;         /* warps, arrivals without waiting included */
    uint32_t count, all, any; /* of bar.red */
};

/* The CTAs of a cooperative launch, which are all under way (sim/ptx/cooperative.c). */
struct ptx_grid {
    uint64_t workspace; /* where its CTAs count themselves */
    uint32_t n_ctas;
    uint64_t total;    /* arrivals */
    uint64_t *arrived; /* [cta] */
    uint64_t *noted;   /* [cta] of them in the trace */
};

struct ptx_exec {
    struct ptx_device *device;
    const struct ptx_kernel *kernel;
    const struct ptx_launch *launch;
    struct ptx_grid *grid; /* NULL: not a cooperative launch */
    struct err *err;
    bool recording;
    uint32_t n_warps, n_threads;
    struct ptx_warp *warps;
    uint8_t *shared;
    uint32_t shared_bytes;
    uint32_t stack_bytes; /* local memory of a thread */
    uint32_t *hints;      /* [code]: the segment it met last */
    uint8_t nowhere[16];  /* what accesses outside every buffer meet, where they are let through */
    struct trace_dim cta;
    uint64_t cta_id;
    uint64_t max_steps; /* or those after which it is told that a warp does not end */
    struct ptx_barrier_state barriers[PTX_BARRIERS];
    uint64_t *addresses; /* of the CTA */
    uint32_t n_addresses, cap_addresses;
    uint64_t warp_insts, thread_insts;
    bool failed;
    struct ptx_races *races; /* NULL: nobody looks for them */
    bool is_watched;         /* the CTA is looked at for races */
    uint64_t n_races;
};

/* Active lanes; most masks are full, and the count is a call on plain x86-64. */
static inline uint32_t ptx_count(uint32_t mask)
{
    return mask == PTX_ALL ? PTX_LANES : (uint32_t)__builtin_popcount(mask);
}

/* Instructions of one warp, beyond which it is taken for endless. */
uint64_t ptx_max_steps(const struct ptx_launch *l);
/* Reports a fault of one thread; false. */
bool ptx_fault(struct ptx_exec *x, const struct ptx_warp *w, const struct ptx_code *c,
               uint32_t lane, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* Loads, stores, atomics: records and executes. False after a fault. */
bool ptx_access(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c, uint32_t mask);

/* Matrices: sim/ptx/matrix.c. */
void ptx_multiply(struct ptx_warp *w, const struct ptx_code *c, uint32_t mask);
bool ptx_load_matrix(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                     uint32_t mask, const uint64_t *address);

/* Part of a matrix of wmma; sim/ptx/fragment.c. */
bool ptx_move_fragment(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                       uint32_t mask, const uint64_t *base);

/* Textures and surfaces. */
bool ptx_sample(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c, uint32_t mask);
/* Counts an access, and puts it into the trace; addresses are those of the lanes. */
bool ptx_record_access(struct ptx_exec *x, struct ptx_warp *w, uint32_t stat, uint32_t mask,
                       const uint64_t *address, bool local);

/* The bytes at a generic address as one thread sees them, and how many follow; NULL: none. */
uint8_t *ptx_peek(const struct ptx_exec *x, const struct ptx_warp *w, uint32_t lane,
                  uint64_t address, uint64_t *room);

/* A call of a function that the driver provides; false after a fault. */
bool ptx_serve(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c, uint32_t mask);

static inline bool ptx_writes(const struct ptx_code *c)
{
    return c->kind == PK_STORE || c->kind == PK_ATOMIC ||
           (c->kind == PK_FRAGMENT && c->fragment->is_store);
}

bool ptx_grow_insts(struct ptx_exec *x, struct ptx_warp *w);

static inline bool ptx_record(struct ptx_exec *x, struct ptx_warp *w, uint32_t stat, uint32_t mask,
                              uint32_t n_addresses, uint32_t first)
{
    if (w->n_insts == w->cap_insts && !ptx_grow_insts(x, w))
        return false;
    w->insts[w->n_insts++] = (struct trace_inst){.mask = mask,
                                                 .stat = (uint16_t)stat,
                                                 .n_addresses = (uint16_t)n_addresses,
                                                 .first_address = first};
    return true;
}

/* ---- sim/ptx/launch.c, for sim/ptx/cooperative.c ---- */
enum ptx_cta_state { PCTA_DONE, PCTA_WAITS /* for other CTAs */, PCTA_FAILED };
bool ptx_exec_make(struct ptx_exec *x);
void ptx_exec_free(struct ptx_exec *x);
void ptx_cta_begin(struct ptx_exec *x, uint64_t id);
enum ptx_cta_state ptx_cta_run(struct ptx_exec *x);
bool ptx_cta_hand_over(struct ptx_exec *x, const struct trace_sink *sink);

/* ---- sim/ptx/cooperative.c ---- */
#define PTX_GRID_BYTES 64u
/* All CTAs of the launch in turns, which meet at barriers of the grid; counts go to `x`. */
bool ptx_run_grid(struct ptx_exec *x, const struct trace_sink *sink);
/* An access of a cooperative launch: to its workspace an atomic is an arrival, and a load waits
 * until all CTAs have come. False: it waits, or failed. */
bool ptx_pass_grid(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c, uint32_t mask,
                   const uint64_t *address);

/* ---- sim/ptx/calls.c ---- */
bool ptx_push_path(struct ptx_exec *x, struct ptx_warp *w, struct ptx_path p);
bool ptx_call_functions(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                        uint32_t mask);
/* Lanes leave the paths of the innermost function. */
void ptx_return_from(struct ptx_warp *w, uint32_t mask);
/* The last path of the innermost function has ended. */
void ptx_leave_function(struct ptx_exec *x, struct ptx_warp *w);

/* One turn: until the next access that other warps could see, a barrier, the end, or `quantum`
 * instructions. False after a fault. */
bool ptx_run_warp(struct ptx_exec *x, struct ptx_warp *w, uint32_t quantum);

/* ---- sim/ptx/races.c ---- */
bool ptx_races_begin(struct ptx_exec *x); /* false: no memory */
void ptx_races_end(struct ptx_exec *x);
void ptx_races_new_cta(struct ptx_exec *x);
/* A barrier lets `waiting` go; `arrived` came, which may be all warps that live. */
void ptx_races_release(struct ptx_races *r, uint32_t arrived, uint32_t waiting, bool is_whole);
/* A fence of a warp. */
void ptx_races_fence(struct ptx_races *r, uint32_t warp);
/* A strong access: warps that meet at a word, with fences before and behind, are ordered. */
void ptx_races_meet(struct ptx_races *r, uint32_t warp, const struct ptx_code *c,
                    const uint64_t *address, uint32_t mask);
static inline bool ptx_is_strong(const struct ptx_code *c)
{
    return c->strong || c->kind == PK_ATOMIC;
}
/* An access to shared memory, inside its bounds. */
void ptx_watch(struct ptx_exec *x, const struct ptx_warp *w, const struct ptx_code *c,
               const uint64_t *address, uint32_t mask, uint32_t bytes);

/* A warp arrives at a barrier; false after a fault. */
bool ptx_arrive(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c, uint32_t mask);

static const uint32_t ptx_lane_bits[PTX_LANES] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
    1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

static inline void ptx_blend32(lane_u32 *d, const lane_u32 *t, uint32_t mask)
{
    LANES d[i] = mask & ptx_lane_bits[i] ? t[i] : d[i];
}

static inline void ptx_blend64(lane_u64 *d, const lane_u64 *t, uint32_t mask)
{
    LANES d[i] = mask & ptx_lane_bits[i] ? t[i] : d[i];
}

#endif
