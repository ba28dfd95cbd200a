/* SPDX-License-Identifier: MIT
 *
 * Branches, calls, ends, barriers. */
#include "sim/ptx/decode.h"

#include <string.h>

static bool find_label(struct ptx_decoder *d, const struct ptx_operand *o, uint32_t *out)
{
    const struct ptx_func *f = d->in->func;
    if (o->kind == PO_NAME)
        for (uint32_t i = 0; i < f->n_labels; i++)
            if (strcmp(f->labels[i].name, o->name) == 0 && f->labels[i].line) {
                *out = i;
                return true;
            }
    return ptx_refuse(d, "label '%s' is not defined", o->name ? o->name : "");
}

static bool dec_bra(struct ptx_decoder *d)
{
    uint32_t label = 0;
    ptx_take(d, "uni");
    d->stat_class = TC_BRANCH;
    if (!ptx_operands(d, 1, 1) || !find_label(d, &d->st->operands[0], &label))
        return false;
    if (d->in->func->labels[label].n_targets)
        return ptx_refuse(d, "'%s' is a table of targets", d->in->func->labels[label].name);
    vec_push(d->mem, &d->fixes, (struct ptx_branch_fix){(uint32_t)d->codes.n, d->in, label});
    ptx_emit(d, (struct ptx_code){.kind = PK_BRANCH});
    return !d->bad;
}

static bool dec_brx(struct ptx_decoder *d)
{
    uint32_t label = 0;
    ptx_take(d, "uni");
    d->stat_class = TC_BRANCH;
    if (!ptx_take(d, "idx"))
        return ptx_refuse(d, "only brx.idx is supported");
    if (!ptx_operands(d, 2, 2) || !find_label(d, &d->st->operands[1], &label))
        return false;
    uint32_t n = d->in->func->labels[label].n_targets;
    if (n == 0 || n > PTX_MAX_TARGETS)
        return ptx_refuse(d, "'%s' is not a table of 1 to %u targets",
                          d->in->func->labels[label].name, PTX_MAX_TARGETS);
    vec_push(d->mem, &d->fixes, (struct ptx_branch_fix){(uint32_t)d->codes.n, d->in, label});
    ptx_emit(d, (struct ptx_code){.kind = PK_TABLE, .a = ptx_src(d, &d->st->operands[0], PT_U32)});
    return !d->bad;
}

static bool dec_exit(struct ptx_decoder *d)
{
    d->stat_class = TC_EXIT;
    if (!ptx_operands(d, 0, 0))
        return false;
    ptx_emit(d, (struct ptx_code){.kind = PK_EXIT});
    return !d->bad;
}

static bool dec_trap(struct ptx_decoder *d)
{
    d->stat_class = TC_EXIT;
    if (!ptx_operands(d, 0, 0))
        return false;
    ptx_emit(d, (struct ptx_code){.kind = PK_TRAP});
    return !d->bad;
}

/* nanosleep, pmevent, brkpt: an issue slot */
static bool dec_nop(struct ptx_decoder *d)
{
    enum ptx_type t = PT_NONE;
    d->stat_class = TC_NOP;
    ptx_take(d, "mask");
    if (d->st->n_mods && ptx_take(d, "u32"))
        t = PT_U32;
    if (!ptx_operands(d, 0, 1))
        return false;
    if (d->st->n_operands && t == PT_U32)
        ptx_src(d, &d->st->operands[0], t);
    ptx_emit(d, (struct ptx_code){.kind = PK_NOTHING});
    return !d->bad;
}

static bool bar_red(struct ptx_decoder *d, struct ptx_code *c)
{
    static const char *const ops[] = {"popc", "and", "or", NULL};
    int op = ptx_take_one(d, ops);
    enum ptx_type t = ptx_take_type(d);
    if (!ptx_operands(d, 3, 4))
        return false;
    if (op < 0 || t != (op == 0 ? PT_U32 : PT_PRED))
        return ptx_refuse(d, "it must be popc.u32, and.pred or or.pred");
    const struct ptx_operand *o = d->st->operands;
    const struct ptx_operand *p = &o[d->st->n_operands - 1];
    c->sub = (uint8_t)(PBAR_RED_POPC + op);
    c->a = ptx_src(d, &o[1], PT_U32);
    c->b = d->st->n_operands == 4 ? ptx_src(d, &o[2], PT_U32) : 0;
    c->c = ptx_src_pred(d, p);
    c->c_negated = p->negate;
    c->d = op == 0 ? ptx_dst(d, &o[0], PT_U32) : ptx_dst_pred(d, &o[0]);
    ptx_emit(d, *c);
    return !d->bad;
}

static bool dec_bar(struct ptx_decoder *d)
{
    struct ptx_code c = {.kind = PK_BARRIER};
    ptx_take(d, "cta");
    ptx_take(d, "aligned");
    d->stat_class = TC_BARRIER;
    if (ptx_take(d, "warp")) { /* the lanes of a warp run together anyway */
        ptx_take(d, "sync");
        if (!ptx_operands(d, 1, 1))
            return false;
        d->stat_class = TC_NOP;
        ptx_src(d, &d->st->operands[0], PT_B32);
        ptx_emit(d, (struct ptx_code){.kind = PK_NOTHING});
        return !d->bad;
    }
    if (ptx_take(d, "red"))
        return bar_red(d, &c);
    bool arrive = ptx_take(d, "arrive");
    if (!arrive && !ptx_take(d, "sync"))
        return ptx_refuse(d, "it must be sync, arrive or red");
    if (!ptx_operands(d, 1, 2))
        return false;
    c.sub = arrive ? PBAR_ARRIVE : PBAR_SYNC;
    c.a = ptx_src(d, &d->st->operands[0], PT_U32);
    if (d->st->n_operands == 2)
        c.b = ptx_src(d, &d->st->operands[1], PT_U32);
    else if (arrive)
        return ptx_refuse(d, "arrive needs a number of threads");
    ptx_emit(d, c);
    return !d->bad;
}

const struct ptx_op ptx_ops_control[] = {
    {"bra", dec_bra},        {"brx", dec_brx},     {"call", ptx_decode_call},
    {"ret", ptx_decode_ret}, {"exit", dec_exit},   {"trap", dec_trap},
    {"bar", dec_bar},        {"barrier", dec_bar}, {"nanosleep", dec_nop},
    {"pmevent", dec_nop},    {"brkpt", dec_nop},   {NULL, NULL},
};
