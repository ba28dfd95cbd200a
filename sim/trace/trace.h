/* SPDX-License-Identifier: MIT
 *
 * sim/trace/trace.h: what a workload did, free of timing. Every front end (our own files, Accel-Sim
 * traces, synthetic generators, a PTX run held in memory) is a `struct trace_source`; the simulator
 * knows nothing else.
 *
 * A kernel has a table of static instructions (one per program counter); a warp's stream is a list
 * of dynamic instructions that point into it and add the active mask and, for memory accesses, one
 * address per active lane. CTAs are loaded one at a time, when they are launched, and dropped when
 * they retire: a trace is never in memory whole.
 * Limits: 32 lanes, 64 warps per CTA, 65,535 static instructions per kernel, 255 registers. */
#ifndef CW_SIM_TRACE_TRACE_H
#define CW_SIM_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;

#define TRACE_LANES 32u
#define TRACE_MAX_WARPS 64u
#define TRACE_MAX_DST 4u
#define TRACE_MAX_SRC 8u
#define TRACE_SM_STRIDE 128u       /* bytes between the addresses of two SMs (TF_BY_SM) */
#define TRACE_FIRST_PREDICATE 249u /* up to 255, as hardware has seven (TF_GUARDED) */
#define TRACE_NO_REG 0u            /* register numbers start at 1; predicates are registers too */

/* Classes of instructions: id, name in files and reports, meaning. */
#define TRACE_CLASSES(X)                                                                           \
    X(INT, "int", "integer and logic arithmetic, moves, comparisons, conversions")                 \
    X(INT_MUL, "int_mul", "integer multiplication and multiply-add")                               \
    X(INT_DIV, "int_div", "integer division and remainder")                                        \
    X(FP32, "fp32", "single precision add, multiply, fused multiply-add")                          \
    X(FP64, "fp64", "double precision arithmetic")                                                 \
    X(FP16, "fp16", "half precision arithmetic")                                                   \
    X(SFU, "sfu", "special functions: reciprocal, root, sine, exponential, logarithm")             \
    X(TENSOR, "tensor", "matrix multiply-accumulate")                                              \
    X(LOAD, "load", "load from the space of the instruction")                                      \
    X(STORE, "store", "store to the space of the instruction")                                     \
    X(ATOMIC, "atomic", "atomic read-modify-write that returns the old value")                     \
    X(REDUCE, "reduce", "atomic update without a result")                                          \
    X(BARRIER, "barrier", "CTA-wide barrier")                                                      \
    X(FENCE, "fence", "memory fence")                                                              \
    X(BRANCH, "branch", "branch, call, return")                                                    \
    X(SHUFFLE, "shuffle", "exchange between lanes, votes, matches")                                \
    X(NOP, "nop", "takes an issue slot, does nothing")                                             \
    X(EXIT, "exit", "end of the active threads")                                                   \
    X(PREFETCH, "prefetch", "fetch of what nobody waits for into the L1, or past it into the L2")  \
    X(UNIFORM, "uniform", "arithmetic of the uniform datapath, once for a warp")

enum trace_class {
#define X(id, name, meaning) TC_##id,
    TRACE_CLASSES(X)
#undef X
        TC_COUNT
};

enum trace_space {
    TS_NONE,
    TS_GLOBAL,
    TS_SHARED,
    TS_LOCAL,
    TS_CONST,
    TS_TEXTURE,
    TS_PARAM, /* kernel parameters: served by the constant cache */
    TS_COUNT
};

/* What goes at a rate of its own within its class. */
enum trace_rate {
    TR_UNIT,      /* the rate of its unit */
    TR_SHIFT,     /* shifts, bit fields, sums of differences, narrow integers */
    TR_BITS,      /* counts of bits, the first bit, reversal */
    TR_CONVERT,   /* between integers and reals, to halves */
    TR_CONVERT64, /* the same from and to 64 bits */
    TR_SHUFFLE,   /* between lanes (not votes) */
    TR_COUNT
};

enum trace_flags {
    TF_BYPASS_L1 = 1, /* .cg / .cv / volatile: the L1 is not looked up */
    TF_READ_ONLY = 2, /* .nc: may go through the read-only path */
    TF_STREAM = 4,    /* marked as streaming */
    TF_PRIVATE = 8,   /* local: the address is the thread's own; the machine says where it lies */
    TF_BY_SM = 16,    /* the address is that of SM 0; SM i has its own, i * TRACE_SM_STRIDE on */
    TF_GRID = 32,     /* of a barrier: its warp waits until one of every CTA of the grid has come */
    TF_GUARDED = 64,  /* it is under the predicates that it reads, or jumps by them: registers from
                       * TRACE_FIRST_PREDICATE on */
};

/* One program counter. */
struct trace_static {
    uint64_t pc;
    uint8_t cls;          /* enum trace_class */
    uint8_t space;        /* enum trace_space, TS_NONE unless memory */
    uint8_t access_bytes; /* per lane: 1, 2, 4, 8, 16; 0 unless memory. Of a product of matrices:
                           * steps of 256 products of 16 bits, 0 for one; of other arithmetic: enum
                           * trace_rate */
    uint8_t flags;
    uint8_t n_dst, n_src;
    uint8_t dst[TRACE_MAX_DST]; /* registers written; TRACE_NO_REG is never listed */
    uint8_t src[TRACE_MAX_SRC]; /* registers read, addresses and predicates included */
    int32_t line;               /* of the PTX or trace file, for messages; 0 unknown */
};

/* One warp instruction. */
struct trace_inst {
    uint32_t mask;        /* active lanes; may be 0 (the instruction is issued, nothing is done) */
    uint16_t stat;        /* index into trace_kernel.statics */
    uint16_t n_addresses; /* number of set bits of mask for memory accesses, else 0 */
    uint32_t first_address; /* index into trace_cta.addresses; lanes ascending */
};

struct trace_warp {
    const struct trace_inst *insts;
    uint32_t n_insts;
};

/* One CTA's streams, valid until trace_cta_free. */
struct trace_cta {
    uint32_t id; /* linear: x + grid.x * (y + grid.y * z) */
    uint32_t n_warps;
    const struct trace_warp *warps;
    const uint64_t *addresses;
    void *owner; /* of the source that loaded it */
};

struct trace_dim {
    uint32_t x, y, z;
};

struct trace_kernel {
    const char *name;
    struct trace_dim grid, block;
    uint32_t n_ctas, warps_per_cta;
    uint32_t regs_per_thread;
    bool regs_estimated;   /* not from the compiler but from live ranges */
    uint32_t shared_bytes; /* per CTA, static and dynamic */
    uint32_t n_sms;        /* SMs that the program was told of, where it asked which one it is on:
                              CTA u ran as if on SM u mod this; 0: it never asked */
    const struct trace_static *statics;
    uint32_t n_statics;
    uint64_t n_warp_insts; /* of the whole kernel; 0 if the source does not know */
    uint64_t n_thread_insts;
};

/* A host-to-device copy between kernels (Accel-Sim's memcpy lines); it comes before kernel
 * `before_kernel`. Sources without copies have none. */
struct trace_copy {
    uint32_t before_kernel;
    uint64_t address, bytes;
};

struct trace_source {
    const char *name; /* of the workload, for reports */
    const char *file; /* where it came from, for messages */
    const struct trace_kernel *kernels;
    uint32_t n_kernels;
    const struct trace_copy *copies;
    uint32_t n_copies;
    uint64_t identity; /* hash of the content: the same workload gives the same number */

    /* Loads one CTA. May be called from several threads at once, for the same CTA too. */
    bool (*load_cta)(const struct trace_source *src, uint32_t kernel, uint32_t cta,
                     struct trace_cta *out, struct err *err);
    void (*free_cta)(const struct trace_source *src, struct trace_cta *cta);
    void (*close)(struct trace_source *src);
    void *ctx;
};

const char *trace_class_name(enum trace_class cls);
static inline bool trace_is_memory(const struct trace_static *s)
{
    return s->space != TS_NONE;
}

/* ---- our own file format (docs/trace-format.md) ------------------------------------------------
 * Versioned, checksummed, zstd-compressed, indexed by CTA. */

bool trace_open(const char *path, struct arena *mem, struct trace_source *out, struct err *err);

struct trace_writer;

/* The file appears under its name only when trace_writer_close succeeds. */
struct trace_writer *trace_writer_open(const char *path, const char *workload, struct err *err);
/* `kernel` without statics and instruction counts: those are taken at trace_writer_end_kernel. */
bool trace_writer_begin_kernel(struct trace_writer *w, const struct trace_kernel *kernel,
                               struct err *err);
bool trace_writer_add_cta(struct trace_writer *w, const struct trace_cta *cta, struct err *err);
bool trace_writer_end_kernel(struct trace_writer *w, const struct trace_static *statics, uint32_t n,
                             struct err *err);
bool trace_writer_close(struct trace_writer *w, struct err *err);
void trace_writer_abandon(struct trace_writer *w); /* removes what was written */

#endif
