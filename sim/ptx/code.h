/* SPDX-License-Identifier: MIT
 *
 * sim/ptx/code.h: a kernel in the form in which it is executed. Calls are inlined, or lead to
 * bodies behind the kernel's own (struct ptx_slot); registers are
 * places in the warp's register file (constants and special registers have places there too, so an
 * operand is always one offset), labels are indices, and every branch knows where its threads meet
 * again. Made once per kernel; const
 * afterwards. */
#ifndef CW_SIM_PTX_CODE_H
#define CW_SIM_PTX_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/ptx/alu.h"
#include "sim/ptx/module.h"
#include "sim/trace/trace.h"

struct arena;
struct err;

enum ptx_kind {
    PK_ALU,  /* d = alu(a, b, c, e) */
    PK_ALUX, /* the same with rounding mode, flushing or saturation */
    PK_SETP, /* predicates d, b2 = cmp(a, b) [sub c] */
    PK_SET,  /* d = all ones or 1.0 where cmp(a, b) */
    PK_SELP, /* d = predicate c ? a : b */
    PK_PRED, /* predicate d = sub(predicates a, b) */
    PK_LOAD,
    PK_STORE,
    PK_TEXTURE,  /* sub: enum ptx_texture_op; a: handle, b, c, e: coordinates, elems: data */
    PK_LDMATRIX, /* sub: transposed; elems: one register a matrix */
    PK_FRAGMENT, /* part of wmma.load or wmma.store: `fragment`; b: elements between rows, or 0 */
    PK_PREFETCH, /* space: global; lanes without memory there ask for nothing */
    PK_ATOMIC,
    PK_BRANCH, /* to `target` */
    PK_TABLE,  /* to targets[a] */
    PK_EXIT,
    PK_BARRIER,
    PK_FENCE,
    PK_NOTHING, /* hints */
    PK_VOTE,
    PK_SHUFFLE,
    PK_MATCH,
    PK_REDUX,
    PK_ACTIVEMASK,
    PK_CLOCK,
    PK_CARRY, /* add.cc and its family */
    PK_ISSPACE,
    PK_TO_SPACE,   /* generic address to one of the space */
    PK_FROM_SPACE, /* and back */
    PK_ELECT,
    PK_MMA, /* elems: d, a, b, c; sub: elements in a register, bytes: m / 8, round: groups of k,
             * type, space: types of a and b, wide: sums of f16, c_negated: old sums of f16, imm: b1
             * by "and" */
    PK_TRAP,
    PK_CALL,    /* u.call; a: address, where it is not known */
    PK_RETURN,  /* from a body of its own */
    PK_FRAME,   /* d = address of the frame + imm */
    PK_SERVICE, /* sub: enum ptx_service; a, b, c, e, d: places of arguments and result in the frame
                 */
};

/* Functions that the driver provides. */
enum ptx_service { PSV_PRINT, PSV_ASSERT, PSV_MALLOC, PSV_FREE };

/* sub of PK_PRED and of the combination in PK_SETP */
enum ptx_bool { PB_MOV, PB_NOT, PB_AND, PB_OR, PB_XOR };
enum ptx_vote { PV_ALL, PV_ANY, PV_UNI, PV_BALLOT };
enum ptx_shuffle { PSH_UP, PSH_DOWN, PSH_BFLY, PSH_IDX };
enum ptx_redux { PR_ADD, PR_MIN, PR_MAX, PR_AND, PR_OR, PR_XOR };
enum ptx_carry { PC_ADD, PC_SUB, PC_MAD_LO, PC_MAD_HI };
enum ptx_barrier { PBAR_SYNC, PBAR_ARRIVE, PBAR_RED_POPC, PBAR_RED_AND, PBAR_RED_OR };
enum ptx_texture_op { PTX_TEX, PTX_SULD, PTX_SUST };
enum ptx_geometry { PG_1D, PG_2D, PG_3D, PG_1D_LAYERED, PG_2D_LAYERED };
enum ptx_atomic { PA_ADD, PA_MIN, PA_MAX, PA_AND, PA_OR, PA_XOR, PA_EXCH, PA_CAS, PA_INC, PA_DEC };

enum ptx_code_flags {
    PF_FLUSH_IN = 1,
    PF_FLUSH_OUT = 2,
    PF_SATURATE = 4,
    PF_SILENT = 8,     /* not an instruction of the program: neither counted nor recorded */
    PF_UNIFORM = 16,   /* a load whose address is the same for all threads: imm */
    PF_ADDRESS32 = 32, /* the base register has 4 bytes a lane */
    PF_CARRY_IN = 64,
    PF_CARRY_OUT = 128,
};

/* What the passes of sim/ptx/as_hardware.c need to know of an instruction. */
enum ptx_form {
    PN_OTHER,
    PN_COPY,     /* of a register */
    PN_PARTS,    /* packs or unpacks: registers of hardware are halves already */
    PN_CONSTANT, /* a number, a parameter, a word of the constant bank */
    PN_ADD,      /* or a difference */
    PN_MUL,      /* low half of 32 bits, or wide */
    PN_MAD,
    PN_SHIFT, /* to the left, by a number */
    PN_LOGIC,
    PN_CONVERT, /* between integers */
    PN_COMPARE, /* a plain one */
    PN_COMBINE, /* of two predicates */
};

enum ptx_round { PRND_NEAREST, PRND_ZERO, PRND_DOWN, PRND_UP };

#define PTX_NO_PC UINT32_MAX
#define PTX_NO_PRED UINT32_MAX

/* What an instruction is on hardware where that is several (sim/ptx/sequences.c): entries of the
 * trace from the code's own on, those of the quick path first; the others follow for the lanes
 * whose operands need them. */
struct ptx_sequence {
    uint32_t first_step; /* while decoding */
    uint16_t n_fast, n_slow;
    ptx_cmp_fn is_slow; /* NULL: never */
};

/* Bytes of the caller's frame that stand in the frame of who is called. */
struct ptx_argument {
    uint32_t here, there, bytes;
};

struct ptx_call {
    uint32_t only; /* number of the body + 1; 0: by address */
    const struct ptx_argument *in, *out;
    uint32_t n_in, n_out;
};

/* A function with a body of its own in the kernel's code: one that reaches itself, or that is
 * called by its address. */
struct ptx_slot {
    const struct ptx_func *func;
    uint64_t address;
    bool by_address;
    uint32_t entry;       /* code; PTX_NO_PC: it cannot be run */
    const char *refusal;  /* then why */
    uint32_t frame_bytes; /* arguments, results, local variables */
    uint32_t first_place, place_bytes, first_pred, n_preds; /* its registers */
};

/* Tiles of a matrix that one access moves (sim/ptx/fragment.c). A tile has eight elements along
 * `outer` (rows; columns of B) and four registers' worth along `inner`. */
struct ptx_fragment {
    uint8_t type;          /* enum ptx_type of an element */
    bool is_store, is_sum; /* sum: of C or D */
    bool is_b;
    bool is_along;           /* elements of a register are neighbours in memory */
    bool is_rows;            /* as ldmatrix reads: 16 bytes of each row */
    uint8_t bits, per;       /* of an element; elements of a lane in a tile */
    uint8_t per_tile;        /* registers of a lane in a tile */
    uint8_t outer;           /* tiles */
    uint16_t inner;          /* elements */
    uint8_t tiles, first, n; /* all; those of this access */
    uint8_t copies;          /* registers that hold the same */
};

struct ptx_code {
    uint8_t kind, sub;
    uint8_t flags, round;
    uint8_t wide;           /* d has 8 bytes a lane */
    uint8_t type;           /* enum ptx_type: memory, set, redux */
    uint8_t space;          /* enum ptx_space: memory */
    uint8_t bytes;          /* of one element: memory */
    uint8_t n_elems;        /* 1, 2, 4, 8: memory */
    uint8_t c_negated;      /* SELP, SETP, VOTE: predicate c is negated */
    uint16_t stat;          /* of the trace; generic accesses own three: global, shared, local */
    uint32_t guard;         /* predicate; 0 is always true */
    uint32_t guard_flip;    /* all ones where the guard is negated */
    uint32_t d, a, b, c, e; /* offsets into the register file, or predicates */
    uint32_t q;             /* second predicate written, or PTX_NO_PRED */
    uint32_t target;        /* BRANCH: code index */
    uint32_t meet;          /* BRANCH, TABLE: where diverged threads meet; PTX_NO_PC: at the end */
    int64_t imm;            /* memory: offset or address */
    union {
        ptx_alu_fn alu;
        ptx_cmp_fn cmp;
        const uint32_t *elems;   /* memory: places of the elements; 0: not wanted */
        const uint32_t *targets; /* TABLE */
        const struct ptx_call *call;
    } u;
    uint32_t n_targets;
    const struct ptx_sequence *sequence; /* NULL: one instruction */
    const struct ptx_fragment *fragment; /* FRAGMENT */
    uint8_t elem_reg_bytes;              /* memory: width of the registers that elems name */
    uint8_t form;                        /* enum ptx_form */
    uint8_t extra;                       /* further instructions of hardware, like the first */
    bool is_and;                         /* LOGIC: "and" */
    bool is_with_zero;                   /* COMPARE: equal to zero or not */
    bool is_fused;                       /* another one is part of it */
    bool is_free;                        /* executed, but part of another one on hardware */
    bool is_predicate;                   /* BRANCH: what it jumps over is under its predicate */
    bool is_under;                       /* that of such a branch */
    bool is_gone;                        /* was joined with another access: nothing is left */
    bool strong;                         /* memory: volatile, relaxed, acquire, release */
    bool acquires, releases;             /* memory: orders as a fence behind, before it would */
    int line;
    const char *text;
};

/* What one code reads and writes, as virtual registers (0-based). */
struct ptx_uses {
    uint8_t n_dst, n_src;
    uint32_t dst[8], src[12];
};

struct ptx_constant {
    uint32_t place;
    uint8_t wide;
    uint64_t bits;
};

struct ptx_special_use {
    uint32_t place;
    enum ptx_special which;
};

/* A line of the program that the PTX was made from; file 0: not known. */
struct ptx_source {
    uint32_t file, line;
};

struct ptx_kernel {
    const char *name;
    const struct ptx_module *module;
    const struct ptx_layout *layout; /* the caller's */
    const struct ptx_func *func;
    const struct ptx_code *codes;
    uint32_t n_codes;
    const struct ptx_source *sources; /* [code] */
    uint32_t file_bytes;              /* of one warp's register file */
    uint32_t n_preds;                 /* predicate 0 is true */
    const struct ptx_constant *constants;
    uint32_t n_constants;
    const struct ptx_special_use *specials;
    uint32_t n_specials;
    uint32_t register_bytes; /* registers come first in the file, what is fixed behind them */
    uint32_t param_bytes;
    const uint32_t *param_offsets; /* [parameter] */
    uint32_t shared_bytes;         /* static */
    uint32_t shared_align;         /* of the dynamic part */
    uint32_t frame_bytes;          /* of one thread's local memory, without functions' frames */
    const struct ptx_slot *slots;
    uint32_t n_slots;
    const struct trace_static *statics;
    uint32_t n_statics;
    uint32_t grid_stat; /* of kernels that ask for the grid's workspace: a fence and, behind it, the
                         * grid's barrier; else 0 */
    uint32_t max_live;  /* 32-bit registers alive at once, predicates not counted */
};

/* Where module variables are; made by sim/ptx/memory.c before decoding. */
struct ptx_layout {
    const struct ptx_module *module;
    const uint64_t *addresses;     /* [module variable]; shared ones: unused */
    const char *const *unresolved; /* [module variable]: what its value names and is not there */
    uint64_t param_base;
    uint64_t code_base; /* addresses of functions, PTX_CODE_STEP apart */
    bool as_ptx; /* the trace has the instructions as they are written, not as hardware has them */
};

#define PTX_CODE_STEP 16u
/* The address of a function that has a body; 0: there is none of that name. */
uint64_t ptx_function_address(const struct ptx_layout *layout, const char *name);

#define PTX_MAX_CODES 65000u
#define PTX_MAX_FRAME (512u * 1024u)
#define PTX_MAX_SHARED (16u * 1024u * 1024u)
#define PTX_MAX_TARGETS 4096u

/* Judges every instruction of the entry and of what it calls. */
bool ptx_decode(const struct ptx_layout *layout, const char *entry, struct arena *mem,
                struct ptx_kernel *out, struct err *err);

/* ---- sim/ptx/flow.c: control flow and live ranges of decoded code ---------------------------- */

/* Fills `meet` of branches. */
void ptx_find_meets(struct ptx_code *codes, uint32_t n, struct arena *scratch);

struct ptx_vreg {
    uint8_t units; /* 32-bit registers; 0 for predicates */
};

/* Decoded code and the registers it names. */
struct ptx_listing {
    const struct ptx_code *codes;
    const struct ptx_uses *uses; /* [code] */
    const struct ptx_vreg *vregs;
    uint32_t n, n_vregs;
};

/* Copies between registers that can be one register are free, and stand so in `uses`; roots: which
 * one [virtual register]. */
void ptx_join_copies(struct ptx_code *codes, struct ptx_uses *uses, uint32_t n,
                     const struct ptx_vreg *vregs, uint32_t n_vregs, uint32_t *roots,
                     struct arena *scratch);

/* Register numbers 1..255 for the trace's scoreboard, by live ranges; returns how many are live at
 * most, as in ptx_kernel. */
uint32_t ptx_number_registers(const struct ptx_listing *list, struct arena *scratch,
                              uint8_t *numbers);

/* Registers per thread that hardware's compiler takes, an estimate; 0: code of that size has none.
 */
uint32_t ptx_count_registers(const struct ptx_listing *list, struct arena *scratch);

#endif
