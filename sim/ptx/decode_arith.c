/* SPDX-License-Identifier: MIT
 *
 * Arithmetic, logic and comparisons. */
#include "sim/ptx/decode.h"

#include <stdio.h>
#include <string.h>

static bool is_int(enum ptx_type t)
{
    return !ptx_is_float(t) && t != PT_PRED && t != PT_NONE;
}

/* Flags of single precision: .ftz and .sat; rounding mode. */
static void take_float_mods(struct ptx_decoder *d, enum ptx_type t, struct ptx_code *c)
{
    bool ftz = ptx_take(d, "ftz");
    if (ftz && t == PT_F32)
        c->flags |= PF_FLUSH_IN | PF_FLUSH_OUT;
    else if (ftz && ptx_type_bytes(t) == 8)
        ptx_refuse(d, "'.ftz' is for single precision");
    if (ptx_is_float(t) && ptx_take(d, "sat"))
        c->flags |= PF_SATURATE;
    if (ptx_is_float(t)) {
        c->round = (uint8_t)ptx_take_round(d, NULL);
        if (ptx_type_bytes(t) == 2 && c->round != PRND_NEAREST)
            ptx_refuse(d, "half precision rounds to nearest only");
    }
    c->type = (uint8_t)t;
}

void ptx_set_kind(struct ptx_code *c)
{
    c->kind = c->flags & (PF_FLUSH_IN | PF_FLUSH_OUT | PF_SATURATE) || c->round ? PK_ALUX : PK_ALU;
}

bool ptx_set_alu(struct ptx_decoder *d, struct ptx_code *c, const char *fmt, const char *a,
                 const char *b)
{
    char name[64];
    snprintf(name, sizeof name, fmt, a, b);
    c->u.alu = ptx_alu_find(name);
    if (!c->u.alu && !d->bad)
        return ptx_refuse(d, "operation '%s' is not supported", name);
    return !d->bad;
}

static uint8_t class_of(enum ptx_type t, enum trace_class int_class)
{
    switch (t) {
    case PT_F32: return TC_FP32;
    case PT_F64: return TC_FP64;
    case PT_F16:
    case PT_F16X2:
    case PT_BF16:
    case PT_BF16X2: return TC_FP16;
    default: return (uint8_t)int_class;
    }
}

/* d, a [, b [, c [, e]]] all of one type. */
static bool simple(struct ptx_decoder *d, uint32_t n_sources, const char *op, bool float_mods)
{
    struct ptx_code c = {0};
    bool sat_int = false;
    enum ptx_type t = ptx_take_type(d);
    if (float_mods)
        take_float_mods(d, t, &c);
    if (is_int(t) && ptx_take(d, "sat"))
        sat_int = true;
    if (!ptx_operands(d, n_sources + 1, n_sources + 1))
        return false;
    const struct ptx_operand *o = d->st->operands;
    if (t == PT_PRED)
        return ptx_refuse(d, "it is not defined for predicates");
    uint32_t *to[] = {&c.a, &c.b, &c.c, &c.e};
    for (uint32_t i = 0; i < n_sources; i++)
        *to[i] = ptx_src(d, &o[i + 1], t);
    c.d = ptx_dst(d, &o[0], t);
    c.wide = ptx_is_wide(t);
    ptx_set_kind(&c);
    ptx_set_alu(d, &c, sat_int ? "%s.sat.%s" : "%s.%s", op, ptx_type_name(t));
    ptx_emit(d, c);
    return !d->bad;
}

/* ---- add with carry and its family ----------------------------------------------------------- */

static bool carry(struct ptx_decoder *d, enum ptx_carry sub, bool in, bool out)
{
    bool mad = sub == PC_MAD_LO || sub == PC_MAD_HI;
    enum ptx_type t = ptx_take_type(d);
    struct ptx_code c = {.kind = PK_CARRY, .sub = (uint8_t)sub, .wide = ptx_is_wide(t)};
    if (!ptx_operands(d, mad ? 4 : 3, mad ? 4 : 3))
        return false;
    if (!is_int(t) || ptx_type_bytes(t) < 4)
        return ptx_refuse(d, "type .%s has no carry", ptx_type_name(t));
    const struct ptx_operand *o = d->st->operands;
    c.type = (uint8_t)t;
    c.a = ptx_src(d, &o[1], t);
    c.b = ptx_src(d, &o[2], t);
    if (mad)
        c.c = ptx_src(d, &o[3], t);
    c.d = ptx_dst(d, &o[0], t);
    c.flags = (uint8_t)((in ? PF_CARRY_IN : 0) | (out ? PF_CARRY_OUT : 0));
    d->stat_class = mad ? TC_INT_MUL : TC_INT;
    ptx_emit(d, c);
    return !d->bad;
}

static bool add_or_sub(struct ptx_decoder *d, const char *op, enum ptx_carry sub)
{
    if (ptx_take(d, "cc"))
        return carry(d, sub, false, true);
    d->stat_class = TC_INT;
    for (uint32_t i = 0; i < d->st->n_mods; i++)
        d->stat_class = class_of(ptx_type_of(d->st->mods[i], strlen(d->st->mods[i])),
                                 (enum trace_class)d->stat_class);
    return simple(d, 2, op, true);
}

static bool dec_add(struct ptx_decoder *d)
{
    return add_or_sub(d, "add", PC_ADD);
}
static bool dec_sub(struct ptx_decoder *d)
{
    return add_or_sub(d, "sub", PC_SUB);
}
static bool dec_addc(struct ptx_decoder *d)
{
    return carry(d, PC_ADD, true, ptx_take(d, "cc"));
}
static bool dec_subc(struct ptx_decoder *d)
{
    return carry(d, PC_SUB, true, ptx_take(d, "cc"));
}

/* ---- products -------------------------------------------------------------------------------- */

static const char *const halves[] = {"lo", "hi", "wide", NULL};

static bool mul_or_mad(struct ptx_decoder *d, const char *op, uint32_t n_sources)
{
    struct ptx_code c = {0};
    int half = ptx_take_one(d, halves);
    if (n_sources == 3 && half >= 0 && half < 2 && ptx_take(d, "cc"))
        return carry(d, half ? PC_MAD_HI : PC_MAD_LO, false, true);
    enum ptx_type t = ptx_take_type(d);
    take_float_mods(d, t, &c);
    bool sat = is_int(t) && ptx_take(d, "sat");
    if (!ptx_operands(d, n_sources + 1, n_sources + 1))
        return false;
    if (is_int(t) != (half >= 0))
        return ptx_refuse(d, "'.lo', '.hi' or '.wide' belongs to integers, and must be given");
    d->stat_class = class_of(t, TC_INT_MUL);
    enum ptx_type result = t;
    if (half == 2)
        result = ptx_type_bytes(t) == 4   ? (ptx_is_signed(t) ? PT_S64 : PT_U64)
                 : ptx_type_bytes(t) == 2 ? (ptx_is_signed(t) ? PT_S32 : PT_U32)
                                          : PT_NONE;
    if (result == PT_NONE)
        return ptx_refuse(d, "there is no wider type than .%s", ptx_type_name(t));
    const struct ptx_operand *o = d->st->operands;
    c.a = ptx_src(d, &o[1], t);
    c.b = ptx_src(d, &o[2], t);
    if (n_sources == 3)
        c.c = ptx_src(d, &o[3], result);
    c.d = ptx_dst(d, &o[0], result);
    c.wide = ptx_is_wide(result);
    ptx_set_kind(&c);
    char name[32];
    if (ptx_is_float(t))
        snprintf(name, sizeof name, "%s", n_sources == 3 ? "fma" : op);
    else
        snprintf(name, sizeof name, "%s.%s%s", op, halves[half], sat ? ".sat" : "");
    ptx_set_alu(d, &c, "%s.%s", name, ptx_type_name(t));
    ptx_emit(d, c);
    return !d->bad;
}

static bool dec_mul(struct ptx_decoder *d)
{
    return mul_or_mad(d, "mul", 2);
}
static bool dec_mad(struct ptx_decoder *d)
{
    return mul_or_mad(d, "mad", 3);
}
static bool dec_madc(struct ptx_decoder *d)
{
    int half = ptx_take_one(d, halves);
    if (half != 0 && half != 1)
        return ptx_refuse(d, "'.lo' or '.hi' must be given");
    return carry(d, half ? PC_MAD_HI : PC_MAD_LO, true, ptx_take(d, "cc"));
}
static bool dec_fma(struct ptx_decoder *d)
{
    struct ptx_code c = {0};
    enum ptx_type t = ptx_take_type(d);
    take_float_mods(d, t, &c);
    bool relu = class_of(t, TC_INT) == TC_FP16 && ptx_take(d, "relu");
    if (!ptx_operands(d, 4, 4))
        return false;
    if (!ptx_is_float(t))
        return ptx_refuse(d, "fma is for real numbers");
    d->stat_class = class_of(t, TC_INT);
    const struct ptx_operand *o = d->st->operands;
    c.a = ptx_src(d, &o[1], t);
    c.b = ptx_src(d, &o[2], t);
    c.c = ptx_src(d, &o[3], t);
    c.d = ptx_dst(d, &o[0], t);
    c.wide = ptx_is_wide(t);
    ptx_set_kind(&c);
    ptx_set_alu(d, &c, "fma%s.%s", relu ? ".relu" : "", ptx_type_name(t));
    ptx_emit(d, c);
    return !d->bad;
}

static bool mul24(struct ptx_decoder *d, const char *op, uint32_t n_sources)
{
    char name[16];
    int half = ptx_take_one(d, halves);
    if (half != 0 && half != 1)
        return ptx_refuse(d, "'.lo' or '.hi' must be given");
    snprintf(name, sizeof name, "%s.%s", op, halves[half]);
    d->stat_class = TC_INT_MUL;
    return simple(d, n_sources, name, false);
}
static bool dec_mul24(struct ptx_decoder *d)
{
    return mul24(d, "mul24", 2);
}
static bool dec_mad24(struct ptx_decoder *d)
{
    return mul24(d, "mad24", 3);
}

/* ---- division, roots, special functions ------------------------------------------------------ */

static bool dec_div(struct ptx_decoder *d)
{
    static const char *const kinds[] = {"approx", "full", NULL};
    bool approx = ptx_take_one(d, kinds) >= 0;
    d->stat_class = TC_INT_DIV;
    for (uint32_t i = 0; i < d->st->n_mods; i++)
        d->stat_class = class_of(ptx_type_of(d->st->mods[i], strlen(d->st->mods[i])),
                                 (enum trace_class)d->stat_class);
    if (d->stat_class == TC_FP32 && approx)
        d->stat_class = TC_SFU;
    return simple(d, 2, "div", true);
}
static bool dec_rem(struct ptx_decoder *d)
{
    d->stat_class = TC_INT_DIV;
    return simple(d, 2, "rem", false);
}

/* rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh */
static bool dec_special(struct ptx_decoder *d)
{
    bool approx = ptx_take(d, "approx");
    struct ptx_code c = {0};
    enum ptx_type t = ptx_take_type(d);
    bool gross = approx && t == PT_F64;
    if (gross)
        ptx_take(d, "ftz");
    take_float_mods(d, t, &c);
    if (!ptx_operands(d, 2, 2))
        return false;
    d->stat_class = t == PT_F64 ? TC_FP64 : TC_SFU;
    const struct ptx_operand *o = d->st->operands;
    c.a = ptx_src(d, &o[1], t);
    c.d = ptx_dst(d, &o[0], t);
    c.wide = ptx_is_wide(t);
    ptx_set_kind(&c);
    ptx_set_alu(d, &c, gross ? "%s.gross.%s" : "%s.%s", d->st->op, ptx_type_name(t));
    ptx_emit(d, c);
    return !d->bad;
}

/* ---- one- and two-operand operations without more to say ------------------------------------- */

static void class_by_type(struct ptx_decoder *d)
{
    for (uint32_t i = 0; i < d->st->n_mods; i++)
        d->stat_class = class_of(ptx_type_of(d->st->mods[i], strlen(d->st->mods[i])),
                                 (enum trace_class)d->stat_class);
}
static bool dec_unary(struct ptx_decoder *d)
{
    class_by_type(d);
    return simple(d, 1, d->st->op, true);
}
static bool dec_minmax(struct ptx_decoder *d)
{
    char name[16];
    bool nan = ptx_take(d, "NaN");
    class_by_type(d);
    snprintf(name, sizeof name, "%s%s", d->st->op, nan ? ".NaN" : "");
    return simple(d, 2, name, true);
}
static bool dec_sad(struct ptx_decoder *d)
{
    d->stat_rate = TR_SHIFT;
    return simple(d, 3, "sad", false);
}
static bool dec_copysign(struct ptx_decoder *d)
{
    class_by_type(d);
    return simple(d, 2, "copysign", false);
}

/* and, or, xor, not on bits and on predicates */
static bool dec_logic(struct ptx_decoder *d)
{
    static const struct {
        const char *name;
        enum ptx_bool sub;
    } ops[] = {{"and", PB_AND}, {"or", PB_OR}, {"xor", PB_XOR}, {"not", PB_NOT}};
    uint32_t n_sources = strcmp(d->st->op, "not") == 0 ? 1 : 2;
    if (!ptx_take(d, "pred"))
        return simple(d, n_sources, d->st->op, false);
    if (!ptx_operands(d, n_sources + 1, n_sources + 1))
        return false;
    const struct ptx_operand *o = d->st->operands;
    struct ptx_code c = {.kind = PK_PRED};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (strcmp(ops[i].name, d->st->op) == 0)
            c.sub = (uint8_t)ops[i].sub;
    if (o[1].negate || o[n_sources].negate)
        return ptx_refuse(d, "'!' is not supported here");
    c.a = ptx_src_pred(d, &o[1]);
    if (n_sources == 2)
        c.b = ptx_src_pred(d, &o[2]);
    c.d = ptx_dst_pred(d, &o[0]);
    ptx_emit(d, c);
    return !d->bad;
}
static bool dec_cnot(struct ptx_decoder *d)
{
    return simple(d, 1, "cnot", false);
}

/* shl, shr: the amount is a 32-bit operand */
static bool dec_shift(struct ptx_decoder *d)
{
    enum ptx_type t = ptx_take_type(d);
    struct ptx_code c = {.kind = PK_ALU, .wide = ptx_is_wide(t)};
    if (!ptx_operands(d, 3, 3))
        return false;
    const struct ptx_operand *o = d->st->operands;
    c.a = ptx_src(d, &o[1], t);
    c.b = ptx_src(d, &o[2], PT_U32);
    c.d = ptx_dst(d, &o[0], t);
    ptx_set_alu(d, &c, "%s.%s", d->st->op, ptx_type_name(t));
    d->stat_rate = TR_SHIFT;
    ptx_emit(d, c);
    return !d->bad;
}

static bool dec_shf(struct ptx_decoder *d)
{
    static const char *const dirs[] = {"l", "r", NULL}, *const modes[] = {"clamp", "wrap", NULL};
    int dir = ptx_take_one(d, dirs), mode = ptx_take_one(d, modes);
    char name[16];
    if (dir < 0 || mode < 0)
        return ptx_refuse(d, "direction and mode must be given");
    snprintf(name, sizeof name, "shf.%s.%s", dirs[dir], modes[mode]);
    d->stat_rate = TR_SHIFT;
    return simple(d, 3, name, false);
}

/* popc, clz, bfind: 32-bit result */
static bool dec_count(struct ptx_decoder *d)
{
    char op[24];
    bool amount = ptx_take(d, "shiftamt");
    enum ptx_type t = ptx_take_type(d);
    struct ptx_code c = {.kind = PK_ALU};
    if (!ptx_operands(d, 2, 2))
        return false;
    snprintf(op, sizeof op, "%s%s", d->st->op, amount ? ".shiftamt" : "");
    c.a = ptx_src(d, &d->st->operands[1], t);
    c.d = ptx_dst(d, &d->st->operands[0], PT_U32);
    ptx_set_alu(d, &c, "%s.%s", op, ptx_type_name(t));
    d->stat_rate = TR_BITS;
    ptx_emit(d, c);
    return !d->bad;
}
static bool dec_brev(struct ptx_decoder *d)
{
    d->stat_rate = TR_BITS;
    return simple(d, 1, "brev", false);
}

/* bfe d, a, pos, len; bfi d, a, b, pos, len */
static bool dec_field(struct ptx_decoder *d)
{
    bool insert = strcmp(d->st->op, "bfi") == 0;
    uint32_t n = insert ? 5 : 4;
    enum ptx_type t = ptx_take_type(d);
    struct ptx_code c = {.kind = PK_ALU, .wide = ptx_is_wide(t)};
    if (!ptx_operands(d, n, n))
        return false;
    const struct ptx_operand *o = d->st->operands;
    c.a = ptx_src(d, &o[1], t);
    c.b = ptx_src(d, &o[2], insert ? t : PT_U32);
    c.c = ptx_src(d, &o[3], PT_U32);
    if (insert)
        c.e = ptx_src(d, &o[4], PT_U32);
    c.d = ptx_dst(d, &o[0], t);
    d->stat_rate = TR_SHIFT;
    ptx_set_alu(d, &c, "%s.%s", d->st->op, ptx_type_name(t));
    ptx_emit(d, c);
    return !d->bad;
}
static bool dec_mode2(struct ptx_decoder *d) /* bmsk, szext */
{
    static const char *const modes[] = {"clamp", "wrap", NULL};
    int mode = ptx_take_one(d, modes);
    char name[16];
    if (mode < 0)
        return ptx_refuse(d, "'.clamp' or '.wrap' must be given");
    snprintf(name, sizeof name, "%s.%s", d->st->op, modes[mode]);
    return simple(d, 2, name, false);
}
static bool dec_lop3(struct ptx_decoder *d)
{
    if (ptx_operands(d, 5, 5) && d->st->operands[4].kind != PO_INT)
        return ptx_refuse(d, "the table of lop3 must be a number");
    return simple(d, 4, "lop3", false);
}
static bool dec_prmt(struct ptx_decoder *d)
{
    static const char *const modes[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16", NULL};
    int mode = ptx_take_one(d, modes);
    struct ptx_code c = {.kind = PK_ALU};
    enum ptx_type t = ptx_take_type(d);
    if (!ptx_operands(d, 4, 4))
        return false;
    if (t != PT_B32)
        return ptx_refuse(d, "prmt is for .b32");
    c.a = ptx_src(d, &d->st->operands[1], t);
    c.b = ptx_src(d, &d->st->operands[2], t);
    c.c = ptx_src(d, &d->st->operands[3], t);
    c.d = ptx_dst(d, &d->st->operands[0], t);
    ptx_set_alu(d, &c, mode < 0 ? "prmt.b32%s%s" : "prmt.b32.%s%s", mode < 0 ? "" : modes[mode],
                "");
    ptx_emit(d, c);
    return !d->bad;
}
static bool dec_dot(struct ptx_decoder *d) /* dp4a, dp2a.lo, dp2a.hi */
{
    static const char *const modes[] = {"lo", "hi", NULL};
    bool is_two = strcmp(d->st->op, "dp2a") == 0;
    int mode = is_two ? ptx_take_one(d, modes) : -1;
    enum ptx_type ta = ptx_take_type(d), tb = ptx_take_type(d);
    struct ptx_code c = {.kind = PK_ALU};
    char name[16];
    if (!ptx_operands(d, 4, 4))
        return false;
    if (is_two && mode < 0)
        return ptx_refuse(d, "'.lo' or '.hi' must be given");
    d->stat_class = TC_INT_MUL;
    c.a = ptx_src(d, &d->st->operands[1], ta);
    c.b = ptx_src(d, &d->st->operands[2], tb);
    c.c = ptx_src(d, &d->st->operands[3], PT_U32);
    c.d = ptx_dst(d, &d->st->operands[0], PT_U32);
    snprintf(name, sizeof name, "%s%s%s.%s", d->st->op, is_two ? "." : "",
             is_two ? modes[mode] : "", ptx_type_name(ta));
    ptx_set_alu(d, &c, "%s.%s", name, ptx_type_name(tb));
    ptx_emit(d, c);
    return !d->bad;
}

/* vabsdiff2 and vabsdiff4 .dtype.atype.btype[.add] d, a, b, c: no saturation, no choice of parts */
static bool dec_vabsdiff(struct ptx_decoder *d)
{
    enum ptx_type td = ptx_take_type(d), ta = ptx_take_type(d), tb = ptx_take_type(d);
    bool is_sum = ptx_take(d, "add");
    struct ptx_code c = {.kind = PK_ALU};
    if (!ptx_operands(d, 4, 4))
        return false;
    if (ta != tb || (td != PT_U32 && td != PT_S32))
        return ptx_refuse(d, "its operands must have one type");
    c.a = ptx_src(d, &d->st->operands[1], ta);
    c.b = ptx_src(d, &d->st->operands[2], tb);
    c.c = ptx_src(d, &d->st->operands[3], PT_U32);
    c.d = ptx_dst(d, &d->st->operands[0], PT_U32);
    ptx_set_alu(d, &c, d->st->op[8] == '2' ? "vabsdiff2%s.%s" : "vabsdiff4%s.%s",
                is_sum ? ".add" : "", ptx_type_name(ta));
    ptx_emit(d, c);
    return !d->bad;
}
static bool dec_fns(struct ptx_decoder *d)
{
    enum ptx_type t = ptx_take_type(d);
    struct ptx_code c = {.kind = PK_ALU};
    if (!ptx_operands(d, 4, 4))
        return false;
    c.a = ptx_src(d, &d->st->operands[1], PT_B32);
    c.b = ptx_src(d, &d->st->operands[2], PT_B32);
    c.c = ptx_src(d, &d->st->operands[3], PT_S32);
    c.d = ptx_dst(d, &d->st->operands[0], PT_B32);
    ptx_set_alu(d, &c, "fns.%s%s", ptx_type_name(t), "");
    ptx_emit(d, c);
    return !d->bad;
}

/* ---- comparisons ----------------------------------------------------------------------------- */

static const char *const comparisons[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "lo",
                                          "ls",  "hi",  "hs",  "equ", "neu", "ltu", "leu",
                                          "gtu", "geu", "num", "nan", NULL};
static const char *const combinations[] = {"and", "or", "xor", NULL};

static bool set_cmp(struct ptx_decoder *d, struct ptx_code *c, const char *prefix, const char *op,
                    enum ptx_type t)
{
    char name[40];
    snprintf(name, sizeof name, "%s%s.%s", prefix, op, ptx_type_name(t));
    c->u.cmp = ptx_cmp_find(name);
    if (!c->u.cmp && !d->bad)
        return ptx_refuse(d, "comparison '%s' is not supported", name);
    return !d->bad;
}

/* setp.cmp[.bool][.ftz].type p[|q], a, b [, c]; set.cmp…dtype.stype d, a, b [, c] */
static bool dec_setp(struct ptx_decoder *d)
{
    bool to_pred = strcmp(d->st->op, "setp") == 0;
    int cmp = ptx_take_one(d, comparisons), combine = ptx_take_one(d, combinations);
    enum ptx_type dt = to_pred ? PT_PRED : ptx_take_type(d), t = ptx_take_type(d);
    struct ptx_code c = {.kind = to_pred ? PK_SETP : PK_SET, .q = PTX_NO_PRED};
    uint32_t n = combine >= 0 ? 4 : 3;

    if (ptx_take(d, "ftz"))
        c.flags |= t == PT_F32 ? PF_FLUSH_IN : 0;
    if (!ptx_operands(d, n, n))
        return false;
    if (cmp < 0)
        return ptx_refuse(d, "it has no comparison");
    const struct ptx_operand *o = d->st->operands;
    c.a = ptx_src(d, &o[1], t);
    c.b = ptx_src(d, &o[2], t);
    bool is_pair = t == PT_F16X2 || t == PT_BF16X2;
    if (!to_pred && combine < 0 && (dt == t || (is_pair && dt == PT_U32)) &&
        class_of(t, TC_INT) == TC_FP16) {
        char name[24];
        snprintf(name, sizeof name, "set.%s", comparisons[cmp]);
        c = (struct ptx_code){.kind = PK_ALU, .a = c.a, .b = c.b, .d = ptx_dst(d, &o[0], dt)};
        char types[24];
        snprintf(types, sizeof types, "%s.%s", ptx_type_name(dt), ptx_type_name(t));
        ptx_set_alu(d, &c, "%s.%s", name, types);
        ptx_emit(d, c);
        return !d->bad;
    }
    if (combine >= 0) {
        c.sub = (uint8_t)(PB_AND + combine);
        c.c = ptx_src_pred(d, &o[3]);
        c.c_negated = o[3].negate;
    }
    if (to_pred) {
        c.d = ptx_dst_pred(d, &o[0]);
        if (o[0].second)
            c.q = ptx_dst_pred(d, o[0].second);
    } else {
        if (dt != PT_U32 && dt != PT_S32 && dt != PT_F32)
            return ptx_refuse(d, "results of type .%s are not supported", ptx_type_name(dt));
        c.type = (uint8_t)dt;
        c.d = ptx_dst(d, &o[0], dt);
    }
    set_cmp(d, &c, "", comparisons[cmp < 0 ? 0 : cmp], t);
    ptx_emit(d, c);
    return !d->bad;
}

static bool dec_testp(struct ptx_decoder *d)
{
    static const char *const tests[] = {"finite", "infinite",  "number", "notanumber",
                                        "normal", "subnormal", NULL};
    int test = ptx_take_one(d, tests);
    enum ptx_type t = ptx_take_type(d);
    struct ptx_code c = {.kind = PK_SETP, .q = PTX_NO_PRED};
    if (!ptx_operands(d, 2, 2))
        return false;
    if (test < 0)
        return ptx_refuse(d, "it has no test");
    c.a = c.b = ptx_src(d, &d->st->operands[1], t);
    c.d = ptx_dst_pred(d, &d->st->operands[0]);
    set_cmp(d, &c, "testp.", tests[test], t);
    ptx_emit(d, c);
    return !d->bad;
}

static bool dec_selp(struct ptx_decoder *d)
{
    enum ptx_type t = ptx_take_type(d);
    struct ptx_code c = {.kind = PK_SELP, .wide = ptx_is_wide(t)};
    if (!ptx_operands(d, 4, 4))
        return false;
    const struct ptx_operand *o = d->st->operands;
    c.a = ptx_src(d, &o[1], t);
    c.b = ptx_src(d, &o[2], t);
    c.c = ptx_src_pred(d, &o[3]);
    c.c_negated = o[3].negate;
    c.d = ptx_dst(d, &o[0], t);
    ptx_emit(d, c);
    return !d->bad;
}

static bool dec_slct(struct ptx_decoder *d)
{
    bool ftz = ptx_take(d, "ftz");
    enum ptx_type t = ptx_take_type(d), by = ptx_take_type(d);
    struct ptx_code c = {.kind = PK_ALU, .wide = ptx_is_wide(t)};
    (void)ftz; /* a subnormal is compared with zero the same way, but for its sign */
    if (!ptx_operands(d, 4, 4))
        return false;
    if (ftz && by == PT_F32)
        return ptx_refuse(d, "'.ftz' is not supported here");
    const struct ptx_operand *o = d->st->operands;
    c.a = ptx_src(d, &o[1], t);
    c.b = ptx_src(d, &o[2], t);
    c.c = ptx_src(d, &o[3], by);
    c.d = ptx_dst(d, &o[0], t);
    ptx_set_alu(d, &c, ptx_is_wide(t) ? "slct.8.%s%s" : "slct.4.%s%s", ptx_type_name(by), "");
    ptx_emit(d, c);
    return !d->bad;
}

const struct ptx_op ptx_ops_arith[] = {
    {"add", dec_add},
    {"sub", dec_sub},
    {"addc", dec_addc},
    {"subc", dec_subc},
    {"mul", dec_mul},
    {"mad", dec_mad},
    {"madc", dec_madc},
    {"fma", dec_fma},
    {"mul24", dec_mul24},
    {"mad24", dec_mad24},
    {"div", dec_div},
    {"rem", dec_rem},
    {"rcp", dec_special},
    {"sqrt", dec_special},
    {"rsqrt", dec_special},
    {"sin", dec_special},
    {"cos", dec_special},
    {"lg2", dec_special},
    {"ex2", dec_special},
    {"tanh", dec_special},
    {"abs", dec_unary},
    {"neg", dec_unary},
    {"min", dec_minmax},
    {"max", dec_minmax},
    {"sad", dec_sad},
    {"copysign", dec_copysign},
    {"and", dec_logic},
    {"or", dec_logic},
    {"xor", dec_logic},
    {"not", dec_logic},
    {"cnot", dec_cnot},
    {"shl", dec_shift},
    {"shr", dec_shift},
    {"shf", dec_shf},
    {"popc", dec_count},
    {"clz", dec_count},
    {"bfind", dec_count},
    {"brev", dec_brev},
    {"bfe", dec_field},
    {"bfi", dec_field},
    {"bmsk", dec_mode2},
    {"szext", dec_mode2},
    {"lop3", dec_lop3},
    {"prmt", dec_prmt},
    {"dp4a", dec_dot},
    {"dp2a", dec_dot},
    {"fns", dec_fns},
    {"vabsdiff2", dec_vabsdiff},
    {"vabsdiff4", dec_vabsdiff},
    {"setp", dec_setp},
    {"set", dec_setp},
    {"testp", dec_testp},
    {"selp", dec_selp},
    {"slct", dec_slct},
    {"cvt", ptx_decode_cvt},
    {NULL, NULL},
};
