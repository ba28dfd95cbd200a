/* SPDX-License-Identifier: MIT
 *
 * Moves, addresses between spaces, and exchange between the lanes of a warp. */
#include "sim/ptx/decode.h"

#include <stdio.h>
#include <string.h>

static void emit_alu(struct ptx_decoder *d, const char *name, bool wide, uint32_t to, uint32_t a,
                     uint32_t b, bool silent)
{
    struct ptx_code c = {.kind = PK_ALU, .wide = wide, .d = to, .a = a, .b = b};
    c.u.alu = ptx_alu_find(name);
    if (silent)
        ptx_emit_silent(d, c);
    else
        ptx_emit(d, c);
}

/* mov.b64 {lo, hi}, a and the like: the first step is the instruction, the others are silent. All
 * parts are read before the source could be overwritten, as registers of other widths differ. */
static bool unpack(struct ptx_decoder *d, enum ptx_type t, const struct ptx_operand *to,
                   const struct ptx_operand *from)
{
    uint32_t n = to->n_elems, bytes = ptx_type_bytes(t);
    if (!((bytes == 8 && (n == 2 || n == 4)) || (bytes == 4 && n == 2)))
        return ptx_refuse(d, "vectors of this shape are not supported");
    enum ptx_type part = bytes / n == 4 ? PT_B32 : PT_B16;
    uint32_t a = ptx_src(d, from, t);
    bool first = true;
    for (uint32_t i = 0; i < n; i++) {
        if (to->elems[i].kind == PO_NOTHING)
            continue;
        uint32_t place = ptx_dst(d, &to->elems[i], part);
        if (n == 4)
            emit_alu(d, "quarter.16", false, place, a, ptx_constant(d, i, false), !first);
        else if (bytes == 8)
            emit_alu(d, i ? "high.32" : "low.32", false, place, a, 0, !first);
        else
            emit_alu(d, i ? "high.16" : "low.16", false, place, a, 0, !first);
        first = false;
    }
    return !d->bad;
}

static bool pack(struct ptx_decoder *d, enum ptx_type t, const struct ptx_operand *to,
                 const struct ptx_operand *from)
{
    uint32_t n = from->n_elems, bytes = ptx_type_bytes(t);
    if (!((bytes == 8 && (n == 2 || n == 4)) || (bytes == 4 && n == 2)))
        return ptx_refuse(d, "vectors of this shape are not supported");
    enum ptx_type part = bytes / n == 4 ? PT_B32 : PT_B16;
    struct ptx_code c = {.kind = PK_ALU, .wide = bytes == 8};
    uint32_t *places[] = {&c.a, &c.b, &c.c, &c.e};
    for (uint32_t i = 0; i < n; i++)
        *places[i] = ptx_src(d, &from->elems[i], part);
    c.d = ptx_dst(d, to, t);
    c.u.alu = ptx_alu_find(n == 4 ? "pack4.64" : bytes == 8 ? "pack.64" : "pack.32");
    ptx_emit(d, c);
    return !d->bad;
}

static bool is_clock(const struct ptx_operand *o)
{
    return o->kind == PO_SPECIAL && o->index >= SR_CLOCK && o->index <= SR_GLOBALTIMER_HI;
}

static bool mov_pred(struct ptx_decoder *d)
{
    if (!ptx_operands(d, 2, 2))
        return false;
    struct ptx_code c = {.kind = PK_PRED, .sub = d->st->operands[1].negate ? PB_NOT : PB_MOV};
    c.a = ptx_src_pred(d, &d->st->operands[1]);
    c.d = ptx_dst_pred(d, &d->st->operands[0]);
    ptx_emit(d, c);
    return !d->bad;
}

static bool dec_mov(struct ptx_decoder *d)
{
    if (ptx_take(d, "pred"))
        return mov_pred(d);
    enum ptx_type t = ptx_take_type(d);
    if (!ptx_operands(d, 2, 2))
        return false;
    const struct ptx_operand *to = &d->st->operands[0], *from = &d->st->operands[1];
    if (ptx_type_bytes(t) == 16 || ptx_type_bytes(t) == 1)
        return ptx_refuse(d, "moves of type .%s are not supported", ptx_type_name(t));
    if (to->kind == PO_VECTOR)
        return unpack(d, t, to, from);
    if (from->kind == PO_VECTOR)
        return pack(d, t, to, from);
    if (is_clock(from)) {
        ptx_emit(d, (struct ptx_code){.kind = PK_CLOCK,
                                      .sub = (uint8_t)from->index,
                                      .wide = ptx_is_wide(t),
                                      .d = ptx_dst(d, to, t)});
        return !d->bad;
    }
    if (from->kind == PO_SPECIAL && from->index == SR_GRIDID && ptx_is_wide(t)) {
        struct ptx_operand zero = {.kind = PO_INT};
        emit_alu(d, "mov.b64", true, ptx_dst(d, to, t), ptx_src(d, &zero, t), 0, false);
        return !d->bad;
    }
    char name[16];
    snprintf(name, sizeof name, "mov.%s", ptx_type_name(t));
    uint32_t a = ptx_src(d, from, t);
    emit_alu(d, name, ptx_is_wide(t), ptx_dst(d, to, t), a, 0, false);
    return !d->bad;
}

/* ---- spaces ---------------------------------------------------------------------------------- */

static bool take_space(struct ptx_decoder *d, enum ptx_space *space)
{
    static const struct {
        const char *name;
        enum ptx_space space;
    } spaces[] = {{"global", PS_GLOBAL},     {"shared", PS_SHARED}, {"shared::cta", PS_SHARED},
                  {"local", PS_LOCAL},       {"const", PS_CONST},   {"param", PS_PARAM},
                  {"param::entry", PS_PARAM}};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (ptx_take(d, spaces[i].name)) {
            *space = spaces[i].space;
            return true;
        }
    return false;
}

static bool dec_cvta(struct ptx_decoder *d)
{
    bool to = ptx_take(d, "to");
    enum ptx_space space;
    if (!take_space(d, &space))
        return ptx_refuse(d, "it names no space");
    enum ptx_type t = ptx_take_type(d);
    if (!ptx_operands(d, 2, 2))
        return false;
    if (ptx_type_bytes(t) != 8)
        return ptx_refuse(d, "addresses have 64 bits");
    uint32_t a = ptx_src(d, &d->st->operands[1], t), place = ptx_dst(d, &d->st->operands[0], t);
    if (space == PS_SHARED || space == PS_LOCAL)
        ptx_emit(d, (struct ptx_code){.kind = to ? PK_TO_SPACE : PK_FROM_SPACE,
                                      .space = (uint8_t)space,
                                      .wide = 1,
                                      .d = place,
                                      .a = a});
    else
        emit_alu(d, "mov.b64", true, place, a, 0, false);
    return !d->bad;
}

static bool dec_isspacep(struct ptx_decoder *d)
{
    enum ptx_space space;
    if (!take_space(d, &space))
        return ptx_refuse(d, "it names no space");
    if (!ptx_operands(d, 2, 2))
        return false;
    struct ptx_code c = {.kind = PK_ISSPACE, .space = (uint8_t)space};
    c.a = ptx_src(d, &d->st->operands[1], PT_U64);
    c.d = ptx_dst_pred(d, &d->st->operands[0]);
    ptx_emit(d, c);
    return !d->bad;
}

/* ---- between lanes --------------------------------------------------------------------------- */

static bool dec_shfl(struct ptx_decoder *d)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx", NULL};
    bool sync = ptx_take(d, "sync");
    int mode = ptx_take_one(d, modes);
    enum ptx_type t = ptx_take_type(d);
    uint32_t n = sync ? 5 : 4;
    if (!ptx_operands(d, n, n))
        return false;
    if (mode < 0 || ptx_type_bytes(t) != 4)
        return ptx_refuse(d, "its mode must be up, down, bfly or idx, its type .b32");
    const struct ptx_operand *o = d->st->operands;
    struct ptx_code c = {.kind = PK_SHUFFLE, .sub = (uint8_t)mode, .q = PTX_NO_PRED};
    d->stat_class = TC_SHUFFLE;
    d->stat_rate = TR_SHUFFLE;
    c.a = ptx_src(d, &o[1], PT_B32);
    c.b = ptx_src(d, &o[2], PT_B32);
    c.c = ptx_src(d, &o[3], PT_B32);
    if (sync)
        ptx_src(d, &o[4], PT_B32);
    c.d = ptx_dst(d, &o[0], PT_B32);
    if (o[0].second)
        c.q = ptx_dst_pred(d, o[0].second);
    ptx_emit(d, c);
    return !d->bad;
}

static bool dec_vote(struct ptx_decoder *d)
{
    static const char *const modes[] = {"all", "any", "uni", "ballot", NULL};
    bool sync = ptx_take(d, "sync");
    int mode = ptx_take_one(d, modes);
    enum ptx_type t = ptx_take_type(d);
    uint32_t n = sync ? 3 : 2;
    if (!ptx_operands(d, n, n))
        return false;
    if (mode < 0 || t != (mode == PV_BALLOT ? PT_B32 : PT_PRED))
        return ptx_refuse(d, "its mode must be all, any, uni (.pred) or ballot (.b32)");
    const struct ptx_operand *o = d->st->operands;
    struct ptx_code c = {.kind = PK_VOTE, .sub = (uint8_t)mode};
    d->stat_class = TC_SHUFFLE;
    c.c = ptx_src_pred(d, &o[1]);
    c.c_negated = o[1].negate;
    c.b = sync ? ptx_src(d, &o[2], PT_B32) : ptx_constant(d, UINT32_MAX, false);
    c.d = mode == PV_BALLOT ? ptx_dst(d, &o[0], PT_B32) : ptx_dst_pred(d, &o[0]);
    ptx_emit(d, c);
    return !d->bad;
}

static bool dec_match(struct ptx_decoder *d)
{
    static const char *const modes[] = {"any", "all", NULL};
    int mode = ptx_take_one(d, modes);
    ptx_take(d, "sync");
    enum ptx_type t = ptx_take_type(d);
    if (!ptx_operands(d, 3, 3))
        return false;
    if (mode < 0 || ptx_type_bytes(t) < 4)
        return ptx_refuse(d, "its mode must be any or all");
    const struct ptx_operand *o = d->st->operands;
    struct ptx_code c = {.kind = PK_MATCH, .sub = (uint8_t)mode, .q = PTX_NO_PRED};
    d->stat_class = TC_SHUFFLE;
    c.type = (uint8_t)t;
    c.a = ptx_src(d, &o[1], t);
    c.b = ptx_src(d, &o[2], PT_B32);
    c.d = ptx_dst(d, &o[0], PT_B32);
    if (o[0].second)
        c.q = ptx_dst_pred(d, o[0].second);
    ptx_emit(d, c);
    return !d->bad;
}

static bool dec_redux(struct ptx_decoder *d)
{
    static const char *const ops[] = {"add", "min", "max", "and", "or", "xor", NULL};
    ptx_take(d, "sync");
    int op = ptx_take_one(d, ops);
    enum ptx_type t = ptx_take_type(d);
    if (!ptx_operands(d, 3, 3))
        return false;
    if (op < 0 || (t != PT_U32 && t != PT_S32 && t != PT_B32))
        return ptx_refuse(d, "this operation or type is not supported");
    const struct ptx_operand *o = d->st->operands;
    struct ptx_code c = {.kind = PK_REDUX, .sub = (uint8_t)op, .type = (uint8_t)t};
    d->stat_class = TC_SHUFFLE;
    c.a = ptx_src(d, &o[1], t);
    c.b = ptx_src(d, &o[2], PT_B32);
    c.d = ptx_dst(d, &o[0], t);
    ptx_emit(d, c);
    return !d->bad;
}

static bool dec_activemask(struct ptx_decoder *d)
{
    enum ptx_type t = ptx_take_type(d);
    if (!ptx_operands(d, 1, 1))
        return false;
    ptx_emit(d, (struct ptx_code){.kind = PK_ACTIVEMASK, .d = ptx_dst(d, &d->st->operands[0], t)});
    return !d->bad;
}

static bool dec_elect(struct ptx_decoder *d)
{
    ptx_take(d, "sync");
    if (!ptx_operands(d, 2, 2))
        return false;
    const struct ptx_operand *o = d->st->operands;
    struct ptx_code c = {.kind = PK_ELECT, .q = PTX_NO_PRED};
    d->stat_class = TC_SHUFFLE;
    c.b = ptx_src(d, &o[1], PT_B32);
    c.d = ptx_dst(d, &o[0], PT_B32);
    if (o[0].second)
        c.q = ptx_dst_pred(d, o[0].second);
    ptx_emit(d, c);
    return !d->bad;
}

const struct ptx_op ptx_ops_move[] = {
    {"mov", dec_mov},     {"cvta", dec_cvta},   {"isspacep", dec_isspacep},
    {"shfl", dec_shfl},   {"vote", dec_vote},   {"match", dec_match},
    {"redux", dec_redux}, {"elect", dec_elect}, {"activemask", dec_activemask},
    {NULL, NULL},
};
