/* SPDX-License-Identifier: MIT
 *
 * sim/ptx/decode.h: what the files of the decoder share. Nobody else includes this. */
#ifndef CW_SIM_PTX_DECODE_H
#define CW_SIM_PTX_DECODE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "sim/ptx/code.h"

/* One inlined copy of a function. */
struct ptx_instance {
    const struct ptx_func *func;
    const struct ptx_instance *caller;
    int depth;
    uint32_t *reg_place;  /* [register]: offset, or predicate; 0: not yet met */
    uint32_t *reg_vreg;   /* [register]: virtual register + 1 */
    uint8_t *reg_number;  /* [register]: computed from numbers alone */
    int64_t *var_offset;  /* [variable]: in the frame or in shared memory; -1: not yet placed */
    uint32_t *label_code; /* [label]: index of the code behind it */
    uint32_t end_code;    /* behind the last code */
    uint32_t slot;        /* a body of its own: its number + 1 */
};

struct ptx_branch_fix {
    uint32_t code;
    const struct ptx_instance *in;
    uint32_t label; /* UINT32_MAX: the end of the instance */
};

struct ptx_shared_var {
    const struct ptx_var *var;
    uint32_t offset;
};

/* One machine instruction of a sequence. */
struct ptx_step {
    uint8_t cls, n_src;
    uint32_t dst; /* virtual register + 1; 0: none */
    uint32_t src[4];
};

struct ptx_decoder {
    const struct ptx_layout *layout;
    const struct ptx_module *module;
    const struct ptx_func *entry;
    struct arena *mem;
    struct err *err;
    VEC(struct ptx_code) codes;
    VEC(struct ptx_uses) uses; /* on hardware */
    struct ptx_uses *executed; /* [code]: what it really reads and writes; NULL: the same */
    VEC(struct ptx_source) sources;
    VEC(struct ptx_vreg) vregs;
    VEC(struct ptx_constant) constants;
    VEC(struct ptx_special_use) specials;
    VEC(struct trace_static) statics;
    VEC(uint32_t) copies; /* virtual registers that stand for copies of cp.async */
    VEC(struct ptx_step) steps;
    VEC(struct ptx_branch_fix) fixes;
    struct map constant_names;
    uint32_t special_place[SR_COUNT];
    uint32_t live_as_written;                  /* registers without what raised loads take */
    uint32_t file_bytes, fixed_bytes, n_preds; /* fixed: constants and special registers */
    uint32_t frame_bytes, shared_bytes, shared_align;
    VEC(struct ptx_shared_var) shared_vars;
    VEC(const struct ptx_func *) visited;
    VEC(const struct ptx_func *) taken; /* whose address stands somewhere */
    bool knows_taken;
    VEC(struct ptx_slot) slots; /* bodies of their own */
    struct map recursive;       /* name -> does it reach itself? */
    uint32_t *param_offsets, param_bytes;
    size_t n_bad;
    uint64_t n_instance_regs;
    /* the statement at hand */
    struct ptx_instance *in;
    const struct ptx_stmt *st;
    uint32_t mods_used; /* bit set */
    struct ptx_uses now;
    uint8_t stat_class; /* enum trace_class */
    uint8_t stat_flags;
    uint8_t stat_rate;                  /* enum trace_rate */
    uint32_t tensor_steps;              /* of a product of matrices */
    bool is_strong, acquires, releases; /* of an access: see struct ptx_code */
    bool bad;
};

/* Adds an error that names the statement, once per statement. Returns false. */
bool ptx_refuse(struct ptx_decoder *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- modifiers ---- */
bool ptx_take(struct ptx_decoder *d, const char *mod); /* marks it used where it is there */
enum ptx_type ptx_take_type(struct ptx_decoder *d);    /* the first unused that is a type */
/* One of `words` (NULL-terminated): its index, or -1. */
int ptx_take_one(struct ptx_decoder *d, const char *const *words);
enum ptx_round ptx_take_round(struct ptx_decoder *d, bool *given);
bool ptx_all_mods_used(struct ptx_decoder *d);

/* ---- operands; all give 0 after a refusal ---- */
bool ptx_operands(struct ptx_decoder *d, uint32_t least, uint32_t most);
uint32_t ptx_place(struct ptx_decoder *d, bool wide); /* a fresh one */
#define PTX_FIXED                                                                                  \
    0x80000000u /* a place among the fixed ones, moved behind the registers at the end */
uint32_t ptx_constant(struct ptx_decoder *d, uint64_t bits, bool wide);
uint32_t ptx_src(struct ptx_decoder *d, const struct ptx_operand *o, enum ptx_type type);
uint32_t ptx_dst(struct ptx_decoder *d, const struct ptx_operand *o, enum ptx_type type);
uint32_t ptx_src_pred(struct ptx_decoder *d, const struct ptx_operand *o);
uint32_t ptx_dst_pred(struct ptx_decoder *d, const struct ptx_operand *o);
enum ptx_type ptx_reg_type(const struct ptx_decoder *d, const struct ptx_operand *o);
/* The address of a variable in its space; *space is where it is. */
bool ptx_address_of(struct ptx_decoder *d, const struct ptx_operand *o, uint64_t *address,
                    enum ptx_space *space);
bool ptx_address(struct ptx_decoder *d, const struct ptx_operand *o, struct ptx_code *c);
static inline bool ptx_is_wide(enum ptx_type t)
{
    return ptx_type_bytes(t) == 8;
}

/* The place of a register of the function at hand; a fresh one at the first mention. */
uint32_t ptx_reg_place(struct ptx_decoder *d, uint32_t reg);
/* Appends a variable to memory that ends at *end and may have `most` bytes. */
bool ptx_place_in(struct ptx_decoder *d, uint32_t *end, uint32_t most, const struct ptx_var *v,
                  int64_t *offset);
static inline bool ptx_is_memory(const struct ptx_code *c)
{
    return c->kind == PK_LOAD || c->kind == PK_STORE || c->kind == PK_PREFETCH ||
           c->kind == PK_ATOMIC || c->kind == PK_FRAGMENT;
}

/* ---- output ---- */
void ptx_emit(struct ptx_decoder *d, struct ptx_code c); /* with the guard of the statement */
void ptx_emit_silent(struct ptx_decoder *d, struct ptx_code c);

/* ---- families of instructions ---- */
struct ptx_op {
    const char *name;
    bool (*decode)(struct ptx_decoder *d);
};
extern const struct ptx_op ptx_ops_arith[], ptx_ops_move[], ptx_ops_memory[], ptx_ops_control[],
    ptx_ops_texture[], ptx_ops_matrix[];

/* NULL: the statement at hand is one instruction. Its registers are among those it writes. */
const struct ptx_sequence *ptx_find_sequence(struct ptx_decoder *d);

/* ---- sim/ptx/numbers.c ---- */
/* Which registers ptxas knows: written once, by a copy, a conversion or integer arithmetic of
 * numbers. nvcc leaves such: the conversion of an approximation that it has computed. */
void ptx_find_numbers(struct arena *mem, struct ptx_instance *in);
static inline bool ptx_is_number(const struct ptx_instance *in, const struct ptx_operand *o)
{
    return o->kind == PO_INT || o->kind == PO_F32 || o->kind == PO_F64 ||
           (o->kind == PO_REG && in->reg_number[o->index]);
}

/* ---- sim/ptx/decode_arith.c, decode_convert.c ---- */
/* Plain, or with rounding, flushing or saturation. */
void ptx_set_kind(struct ptx_code *c);
/* The operation whose name is made of the parts; refuses where there is none. */
bool ptx_set_alu(struct ptx_decoder *d, struct ptx_code *c, const char *fmt, const char *a,
                 const char *b);
bool ptx_decode_cvt(struct ptx_decoder *d);

/* ---- sim/ptx/decode_kernel.c ---- */
struct ptx_instance *ptx_new_instance(struct ptx_decoder *d, const struct ptx_func *f,
                                      const struct ptx_instance *caller);
void ptx_decode_body(struct ptx_decoder *d, struct ptx_instance *in);
/* Tells what the reader found wrong in the body of a function that the kernel needs. */
bool ptx_is_readable(struct ptx_decoder *d, const struct ptx_func *f);

/* ---- sim/ptx/decode_call.c ---- */
bool ptx_decode_call(struct ptx_decoder *d);
bool ptx_decode_ret(struct ptx_decoder *d);
bool ptx_is_indirect_call(const struct ptx_stmt *s);
void ptx_find_taken(struct ptx_decoder *d);
/* The bodies that calls want, behind the kernel's own. */
bool ptx_decode_functions(struct ptx_decoder *d);

#endif
