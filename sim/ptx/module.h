/* SPDX-License-Identifier: MIT
 *
 * sim/ptx/module.h: a PTX module as read: variables, functions, their statements with registers,
 * labels and variables resolved to indices. Instructions are not judged here (sim/ptx/decode.h does
 * that for the kernels that are launched), and what cannot be read inside a body is kept with its
 * function, so a module may hold kernels that we cannot run.
 * Limits: 64-bit addresses. Everything lives in one arena. */
#ifndef CW_SIM_PTX_MODULE_H
#define CW_SIM_PTX_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;

/* Fundamental types: id, name, bytes. */
#define PTX_TYPES(X)                                                                               \
    X(PRED, "pred", 0)                                                                             \
    X(B1, "b1", 1) /* of matrices: these three have less than a byte */                            \
    X(S4, "s4", 1)                                                                                 \
    X(U4, "u4", 1)                                                                                 \
    X(B8, "b8", 1)                                                                                 \
    X(U8, "u8", 1)                                                                                 \
    X(S8, "s8", 1)                                                                                 \
    X(B16, "b16", 2)                                                                               \
    X(U16, "u16", 2)                                                                               \
    X(S16, "s16", 2)                                                                               \
    X(F16, "f16", 2)                                                                               \
    X(BF16, "bf16", 2)                                                                             \
    X(B32, "b32", 4)                                                                               \
    X(U32, "u32", 4)                                                                               \
    X(S32, "s32", 4)                                                                               \
    X(F32, "f32", 4)                                                                               \
    X(TF32, "tf32", 4)                                                                             \
    X(F16X2, "f16x2", 4)                                                                           \
    X(BF16X2, "bf16x2", 4)                                                                         \
    X(B64, "b64", 8)                                                                               \
    X(U64, "u64", 8)                                                                               \
    X(S64, "s64", 8)                                                                               \
    X(F64, "f64", 8)                                                                               \
    X(B128, "b128", 16)

enum ptx_type {
    PT_NONE,
#define X(id, name, bytes) PT_##id,
    PTX_TYPES(X)
#undef X
        PT_COUNT
};

uint32_t ptx_type_bytes(enum ptx_type t);
const char *ptx_type_name(enum ptx_type t);
/* "f32" without the dot; PT_NONE if it is not a type. */
enum ptx_type ptx_type_of(const char *name, size_t n);
static inline bool ptx_is_signed(enum ptx_type t)
{
    return t == PT_S8 || t == PT_S16 || t == PT_S32 || t == PT_S64;
}
static inline bool ptx_is_float(enum ptx_type t)
{
    return t == PT_F16 || t == PT_BF16 || t == PT_F32 || t == PT_F16X2 || t == PT_BF16X2 ||
           t == PT_F64;
}

enum ptx_space {
    PS_GENERIC,
    PS_GLOBAL,
    PS_SHARED,
    PS_LOCAL,
    PS_CONST,
    PS_PARAM,      /* of the kernel */
    PS_CALL_PARAM, /* of a .func, or declared around a call: thread-private */
};

/* An address stored in an initialised variable. */
struct ptx_fixup {
    uint64_t offset; /* in the variable */
    uint32_t bytes;
    bool generic;
    const char *symbol;
    int64_t addend;
    int line;
};

struct ptx_var {
    const char *name;
    enum ptx_space space;
    uint64_t bytes; /* 0: size left open ("[]") */
    uint32_t align;
    enum ptx_type type; /* of an element */
    bool is_array;
    const uint8_t *init; /* `bytes` of them, or NULL */
    const struct ptx_fixup *fixups;
    size_t n_fixups;
    int line;
    bool is_handle; /* .texref, .surfref, .samplerref */
    bool is_extern; /* it lies in another file */
};

struct ptx_reg {
    const char *name; /* without its number where it is one of "%r<20>" */
    enum ptx_type type;
};

/* Special registers: id, name. Dimensions are .x .y .z in this order. */
#define PTX_SPECIALS(X)                                                                            \
    X(TID_X, "%tid.x")                                                                             \
    X(TID_Y, "%tid.y")                                                                             \
    X(TID_Z, "%tid.z")                                                                             \
    X(NTID_X, "%ntid.x")                                                                           \
    X(NTID_Y, "%ntid.y")                                                                           \
    X(NTID_Z, "%ntid.z")                                                                           \
    X(CTAID_X, "%ctaid.x")                                                                         \
    X(CTAID_Y, "%ctaid.y")                                                                         \
    X(CTAID_Z, "%ctaid.z")                                                                         \
    X(NCTAID_X, "%nctaid.x")                                                                       \
    X(NCTAID_Y, "%nctaid.y")                                                                       \
    X(NCTAID_Z, "%nctaid.z")                                                                       \
    X(LANEID, "%laneid")                                                                           \
    X(WARPID, "%warpid")                                                                           \
    X(NWARPID, "%nwarpid")                                                                         \
    X(SMID, "%smid")                                                                               \
    X(NSMID, "%nsmid")                                                                             \
    X(GRIDID, "%gridid")                                                                           \
    X(LANEMASK_EQ, "%lanemask_eq")                                                                 \
    X(LANEMASK_LE, "%lanemask_le")                                                                 \
    X(LANEMASK_LT, "%lanemask_lt")                                                                 \
    X(LANEMASK_GE, "%lanemask_ge")                                                                 \
    X(LANEMASK_GT, "%lanemask_gt")                                                                 \
    X(CLOCK, "%clock")                                                                             \
    X(CLOCK_HI, "%clock_hi")                                                                       \
    X(CLOCK64, "%clock64")                                                                         \
    X(GLOBALTIMER, "%globaltimer")                                                                 \
    X(GLOBALTIMER_LO, "%globaltimer_lo")                                                           \
    X(GLOBALTIMER_HI, "%globaltimer_hi")                                                           \
    X(TOTAL_SMEM_SIZE, "%total_smem_size")                                                         \
    X(DYNAMIC_SMEM_SIZE, "%dynamic_smem_size")                                                     \
    X(ENVREG1, "%envreg1")                                                                         \
    X(ENVREG2, "%envreg2")

enum ptx_special {
#define X(id, name) SR_##id,
    PTX_SPECIALS(X)
#undef X
        SR_COUNT
};

enum ptx_operand_kind {
    PO_REG,     /* index: register of the function */
    PO_SPECIAL, /* index: enum ptx_special */
    PO_INT,     /* bits */
    PO_F32,     /* bits */
    PO_F64,     /* bits */
    PO_VAR,     /* index of `vars` when local, else by name; its address plus `offset` */
    PO_LABEL,   /* index: label of the function */
    PO_NAME,    /* a name not declared before: label, function or module variable; `name` */
    PO_ADDRESS, /* [base + offset]: elems[0] is the base (REG, VAR, NAME or INT) */
    PO_VECTOR,  /* {a, b, …} */
    PO_LIST,    /* (a, b, …) of a call */
    PO_NOTHING, /* _ */
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negate; /* !p */
    uint32_t index;
    uint64_t bits;
    int64_t offset;
    const char *name;
    const struct ptx_var *var; /* VAR */
    const struct ptx_operand *elems;
    uint32_t n_elems;
    const struct ptx_operand *second; /* of p|q, or NULL */
};

enum ptx_stmt_kind { PSTMT_INST, PSTMT_LABEL };

struct ptx_stmt {
    enum ptx_stmt_kind kind;
    int line;
    const char *text;                  /* as written, blanks squeezed */
    uint32_t source_file, source_line; /* of the last .loc; 0: none */
    uint32_t label;                    /* LABEL */
    bool has_guard, guard_negated;
    uint32_t guard;          /* register */
    const char *op;          /* "ld" */
    const char *const *mods; /* "global", "v4", "f32" */
    uint32_t n_mods;
    const struct ptx_operand *operands;
    uint32_t n_operands;
};

struct ptx_label {
    const char *name;
    int line;                /* 0: never defined */
    const uint32_t *targets; /* of a .branchtargets table: labels */
    uint32_t n_targets;
};

/* Why a body cannot be used. */
struct ptx_refusal {
    int line;
    const char *text;
};

struct ptx_func {
    const char *name;
    bool is_entry, has_body;
    int line;
    const struct ptx_var *const *returns; /* .func only */
    uint32_t n_returns;
    const struct ptx_var *const *params;
    uint32_t n_params;
    /* Register parameters (old style): where a parameter is a .reg, regs_of_param[i] is its
     * register + 1, else 0. Returns likewise. */
    const uint32_t *param_regs, *return_regs;
    const struct ptx_reg *regs;
    uint32_t n_regs;
    const struct ptx_var *const *vars; /* declared inside: shared, local, call parameters */
    uint32_t n_vars;
    const struct ptx_label *labels;
    uint32_t n_labels;
    const struct ptx_stmt *stmts;
    uint32_t n_stmts;
    uint32_t reqntid[3], maxntid[3];    /* 0: not given */
    const struct ptx_refusal *refusals; /* then it has no statements */
    uint32_t n_refusals;
};

/* .file: what .loc numbers. */
struct ptx_source_file {
    uint32_t number;
    const char *name;
};

struct ptx_module {
    const char *file;
    uint32_t version; /* 63 for 6.3 */
    const char *target;
    const struct ptx_var *const *vars; /* module scope */
    uint32_t n_vars;
    const struct ptx_func *const *funcs;
    uint32_t n_funcs;
    const struct ptx_source_file *sources;
    uint32_t n_sources;
};

bool ptx_parse(const char *file, const char *text, size_t n, struct arena *mem,
               struct ptx_module *out, struct err *err);

/* NULL: none of that name (declarations without a body are found too). */
const struct ptx_func *ptx_find_func(const struct ptx_module *m, const char *name);
const struct ptx_var *ptx_find_var(const struct ptx_module *m, const char *name);
/* The file that .loc calls by this number; NULL: none. */
const char *ptx_find_source(const struct ptx_module *m, uint32_t number);

#endif
