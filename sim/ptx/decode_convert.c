/* SPDX-License-Identifier: MIT
 *
 * cvt: conversions between types. */
#include "sim/ptx/decode.h"

#include <stdio.h>
#include <string.h>

/* The result, of type `t`, is in `place`; puts it into a register that may be wider. */
static void store_converted(struct ptx_decoder *d, const struct ptx_operand *o, enum ptx_type t,
                            struct ptx_code *c)
{
    enum ptx_type reg = ptx_reg_type(d, o);
    uint32_t have = ptx_type_bytes(t), want = ptx_type_bytes(reg);
    if (o->kind != PO_REG || reg == PT_PRED || want < have) {
        ptx_refuse(d, "the result does not fit its register");
        return;
    }
    c->d = ptx_dst(d, o, reg);
    c->wide = have == 8;
    if (have == 8 || want == 4 || (want == 2 && !ptx_is_signed(t))) {
        ptx_emit(d, *c);
        return;
    }
    /* a second step: cut to 16 bits, or extend to 64 */
    struct ptx_code fit = {.kind = PK_ALU, .d = c->d, .wide = want == 8};
    if (d->bad)
        return;
    c->d = fit.a = ptx_place(d, false);
    fit.u.alu = ptx_alu_find(want == 2          ? "mov.b16"
                             : ptx_is_signed(t) ? "cvt.s64.s32"
                                                : "cvt.u64.u32");
    ptx_emit(d, *c);
    ptx_emit_silent(d, fit);
}

static bool cvt_name(struct ptx_decoder *d, enum ptx_type dt, enum ptx_type st, struct ptx_code *c,
                     char name[40])
{
    static const char *const whole[] = {"rni", "rzi", "rmi", "rpi", NULL};
    static const char *const rounds[] = {"rn", "rz", "rm", "rp"};
    bool given, from_float = ptx_is_float(st), to_float = ptx_is_float(dt);
    int w = ptx_take_one(d, whole);
    enum ptx_round round = ptx_take_round(d, &given);
    bool ftz = ptx_take(d, "ftz"), sat = ptx_take(d, "sat");
    const char *mode = "";
    char buffer[8];

    if (ftz)
        c->flags |= (uint8_t)((st == PT_F32 ? PF_FLUSH_IN : 0) | (dt == PT_F32 ? PF_FLUSH_OUT : 0));
    if (sat && to_float)
        c->flags |= PF_SATURATE;
    if (from_float && !to_float) {
        if (w < 0)
            return ptx_refuse(d, "real to integer needs a rounding: .rni, .rzi, .rmi or .rpi");
        mode = whole[w];
    } else if (w >= 0) {
        if (dt != st)
            return ptx_refuse(d, "'.%s' is for integers, or for results of the same type",
                              whole[w]);
        mode = whole[w];
    } else if (ptx_type_bytes(dt) == 2 && to_float && dt != st) {
        mode = rounds[round]; /* halves round by themselves */
    } else if (dt == PT_F16X2 || dt == PT_BF16X2) {
        mode = rounds[round];
    } else {
        c->round = (uint8_t)round;
        if (!from_float && !to_float && sat)
            mode = "sat";
    }
    snprintf(buffer, sizeof buffer, "%s%s", mode[0] ? "." : "", mode);
    snprintf(name, 40, "cvt%s.%s.%s", buffer, ptx_type_name(dt), ptx_type_name(st));
    return true;
}

/* cvt accepts untyped sizes nowhere, but a register of any kind of the source's size or more. */
static uint32_t cvt_source(struct ptx_decoder *d, const struct ptx_operand *o, enum ptx_type st)
{
    enum ptx_type reg = ptx_reg_type(d, o);
    if (o->kind != PO_REG || ptx_type_bytes(reg) != 8 || ptx_type_bytes(st) == 8)
        return ptx_src(d, o, st);
    uint32_t from = ptx_src(d, o, PT_B64), to = ptx_place(d, false);
    ptx_emit_silent(
        d, (struct ptx_code){.kind = PK_ALU, .d = to, .a = from, .u.alu = ptx_alu_find("low.32")});
    return to;
}

/* From bf16: to f32, which is exact, and on from there. */
static bool brain_source(struct ptx_decoder *d, enum ptx_type dt)
{
    char name[40];
    struct ptx_code c = {.type = (uint8_t)dt};
    if (!ptx_operands(d, 2, 2) || !cvt_name(d, dt, PT_F32, &c, name))
        return false;
    uint32_t from = ptx_src(d, &d->st->operands[1], PT_BF16);
    c.a = ptx_place(d, false);
    ptx_emit_silent(
        d, (struct ptx_code){
               .kind = PK_ALU, .d = c.a, .a = from, .u.alu = ptx_alu_find("cvt.f32.bf16")});
    ptx_set_kind(&c);
    c.u.alu = ptx_alu_find(name);
    if (!c.u.alu)
        return ptx_refuse(d, "conversion '%s' is not supported", name);
    store_converted(d, &d->st->operands[0], dt, &c);
    return !d->bad;
}

/* cvt.pack.sat.ctype.s32[.b32] d, a, b[, c] */
static bool pack(struct ptx_decoder *d)
{
    struct ptx_code c = {.kind = PK_ALU};
    bool sat = ptx_take(d, "pack") && ptx_take(d, "sat");
    enum ptx_type dt = ptx_take_type(d), st = ptx_take_type(d);
    bool has_c = ptx_take(d, "b32");
    const struct ptx_operand *o = d->st->operands;
    if (!ptx_operands(d, has_c ? 4 : 3, has_c ? 4 : 3))
        return false;
    if (!sat || st != PT_S32 || has_c != (ptx_type_bytes(dt) == 1))
        return ptx_refuse(d, "only two .s32 to 8 or 16 bits each are supported");
    c.a = ptx_src(d, &o[1], st);
    c.b = ptx_src(d, &o[2], st);
    if (has_c)
        c.c = ptx_src(d, &o[3], PT_B32);
    c.d = ptx_dst(d, &o[0], PT_B32);
    ptx_set_alu(d, &c, "cvt.pack.%s%s", ptx_type_name(dt), "");
    d->stat_class = TC_INT;
    ptx_emit(d, c);
    return !d->bad;
}

/* What a conversion is on hardware. Halves become single precision as the half precision units
 * add; integers of 32 and 64 bits are cut and extended by ordinary operations. */
static uint8_t rate_of(enum ptx_type to, enum ptx_type from, bool is_rounded)
{
    bool reals = ptx_is_float(to) || ptx_is_float(from);
    uint32_t a = ptx_type_bytes(to), b = ptx_type_bytes(from);
    if (!reals)
        return a < 4 || b < 4 ? TR_SHIFT : TR_UNIT;
    if (a == 8 || b == 8)
        return to == from && !is_rounded ? TR_UNIT : TR_CONVERT64;
    if (ptx_is_float(to) && ptx_is_float(from) && (to == from || a > b))
        return is_rounded ? TR_CONVERT : TR_UNIT;
    return TR_CONVERT;
}

bool ptx_decode_cvt(struct ptx_decoder *d)
{
    char name[40];
    struct ptx_code c = {0};
    if (d->st->n_mods > 0 && strcmp(d->st->mods[0], "pack") == 0)
        return pack(d);
    enum ptx_type dt = ptx_take_type(d), st = ptx_take_type(d);
    if (st == PT_BF16 && dt != PT_F32)
        return brain_source(d, dt);
    if (dt == PT_TF32) {
        if (!ptx_take(d, "rna") || st != PT_F32 || !ptx_operands(d, 2, 2))
            return ptx_refuse(d, "only cvt.rna.tf32.f32 is supported");
        c.kind = PK_ALU;
        c.a = ptx_src(d, &d->st->operands[1], PT_B32);
        c.d = ptx_dst(d, &d->st->operands[0], PT_B32);
        ptx_set_alu(d, &c, "cvt.rna.tf32%s%s", "", "");
        ptx_emit(d, c);
        return !d->bad;
    }
    bool two = dt == PT_F16X2 || dt == PT_BF16X2;
    if (!ptx_operands(d, two ? 3 : 2, two ? 3 : 2) || !cvt_name(d, dt, st, &c, name))
        return false;
    const struct ptx_operand *o = d->st->operands;
    c.type = (uint8_t)dt;
    c.a = cvt_source(d, &o[1], st);
    if (two)
        c.b = ptx_src(d, &o[2], st);
    ptx_set_kind(&c);
    c.u.alu = ptx_alu_find(name);
    if (!c.u.alu)
        return ptx_refuse(d, "conversion '%s' is not supported", name);
    d->stat_class = dt == PT_F64 || st == PT_F64 ? TC_FP64 : TC_INT;
    d->stat_rate = rate_of(dt, st, strstr(name, "i.") != NULL);
    store_converted(d, &o[0], dt, &c);
    return !d->bad;
}
