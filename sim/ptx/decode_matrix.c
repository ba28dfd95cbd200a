/* SPDX-License-Identifier: MIT
 *
 * Matrix instructions of warps: mma.sync of the shapes m16n8 and m8n8k16, ldmatrix; cp.async, which
 * feeds them. */
#include "sim/ptx/decode.h"

#include <stdio.h>
#include <string.h>

/* Shape, type of the factors, elements of a factor in one register. */
static const struct {
    const char *shape;
    enum ptx_type type;
    uint8_t m, k, per_register;
} shapes[] = {
    {"m16n8k8", PT_F16, 16, 8, 2},  {"m16n8k16", PT_F16, 16, 16, 2},
    {"m16n8k8", PT_BF16, 16, 8, 2}, {"m16n8k16", PT_BF16, 16, 16, 2},
    {"m16n8k4", PT_TF32, 16, 4, 1}, {"m16n8k8", PT_TF32, 16, 8, 1},
    {"m8n8k16", PT_S8, 8, 16, 4},   {"m16n8k16", PT_S8, 16, 16, 4},
    {"m16n8k32", PT_S8, 16, 32, 4},
};

/* Registers of one operand, which is a vector, or one register where it has one. */
static bool take_registers(struct ptx_decoder *d, const struct ptx_operand *o, uint32_t n,
                           enum ptx_type type, bool written, uint32_t *places)
{
    const struct ptx_operand *elems = o->kind == PO_VECTOR ? o->elems : o;
    if ((o->kind == PO_VECTOR ? o->n_elems : 1) != n)
        return ptx_refuse(d, "a matrix of %u registers is expected", n);
    for (uint32_t i = 0; i < n && !d->bad; i++)
        places[i] = written ? ptx_dst(d, &elems[i], type) : ptx_src(d, &elems[i], type);
    return !d->bad;
}

static bool is_whole(enum ptx_type t)
{
    return t == PT_S8 || t == PT_U8;
}

static bool fits(enum ptx_type d, enum ptx_type a, enum ptx_type b, enum ptx_type c)
{
    if (is_whole(a))
        return is_whole(b) && d == PT_S32 && c == PT_S32;
    if (a != b || c != d)
        return false;
    return d == PT_F32 || (d == PT_F16 && a == PT_F16);
}

/* mma.sync.aligned.SHAPE.row.col[.satfinite].dtype.atype.btype.ctype d, a, b, c */
static bool dec_mma(struct ptx_decoder *d)
{
    bool ok = ptx_take(d, "sync");
    ptx_take(d, "aligned");
    ok = ptx_take(d, "row") && ptx_take(d, "col") && ok;
    bool saturate = ptx_take(d, "satfinite");
    size_t k = 0, n = sizeof shapes / sizeof *shapes;
    const char *shape = NULL;
    for (size_t i = 0; i < n && !shape; i++)
        shape = ptx_take(d, shapes[i].shape) ? shapes[i].shape : NULL;
    enum ptx_type dt = ptx_take_type(d), at = ptx_take_type(d), bt = ptx_take_type(d),
                  ct = ptx_take_type(d), as = is_whole(at) ? PT_S8 : at;
    while (k < n && !(shape && strcmp(shapes[k].shape, shape) == 0 && shapes[k].type == as))
        k++;
    if (!ptx_operands(d, 4, 4))
        return false;
    if (!ok || k == n || !fits(dt, at, bt, ct) || (saturate && !is_whole(at)))
        return ptx_refuse(d, "a product of matrices of this shape and type is not supported");
    uint32_t groups = shapes[k].k / (4u * shapes[k].per_register), rows = shapes[k].m / 8;
    uint32_t n_a = rows * groups, n_b = groups, n_c = dt == PT_F16 ? rows : 2 * rows;
    enum ptx_type acc = dt == PT_F16 ? PT_B32 : dt;
    struct ptx_code c = {.kind = PK_MMA,
                         .sub = shapes[k].per_register,
                         .n_elems = (uint8_t)(n_a + n_b + 2 * n_c),
                         .type = (uint8_t)at,
                         .space = (uint8_t)bt,
                         .bytes = (uint8_t)rows,
                         .round = (uint8_t)groups,
                         .wide = dt == PT_F16,
                         .flags = saturate ? PF_SATURATE : 0};
    uint32_t *places = arena_many(d->mem, uint32_t, c.n_elems);
    const struct ptx_operand *o = d->st->operands;
    d->stat_class = TC_TENSOR;
    if (!take_registers(d, &o[1], n_a, PT_B32, false, places + n_c) ||
        !take_registers(d, &o[2], n_b, PT_B32, false, places + n_c + n_a) ||
        !take_registers(d, &o[3], n_c, acc, false, places + n_c + n_a + n_b) ||
        !take_registers(d, &o[0], n_c, acc, true, places))
        return false;
    c.u.elems = places;
    /* hardware multiplies 4 registers' worth of k at once: HMMA.1688, IMMA.8816 */
    if (!d->layout->as_ptx)
        c.extra = (uint8_t)(groups > 1 ? groups - 1 : 0);
    ptx_emit(d, c);
    return !d->bad;
}

/* ldmatrix.sync.aligned.m8n8.x{1,2,4}[.trans].shared.b16 r, [a] */
static bool dec_ldmatrix(struct ptx_decoder *d)
{
    static const char *const counts[] = {"x1", "x2", "x4", NULL};
    bool ok = ptx_take(d, "sync");
    ptx_take(d, "aligned");
    ok = ptx_take(d, "m8n8") && ok;
    int count = ptx_take_one(d, counts);
    struct ptx_code c = {.kind = PK_LDMATRIX, .space = PS_SHARED, .bytes = 16};
    c.sub = ptx_take(d, "trans");
    if (!ptx_take(d, "shared"))
        ptx_take(d, "shared::cta");
    enum ptx_type t = ptx_take_type(d);
    if (!ptx_operands(d, 2, 2))
        return false;
    if (!ok || count < 0 || t != PT_B16)
        return ptx_refuse(d, "only m8n8 of .b16, x1, x2 or x4");
    c.n_elems = (uint8_t)(1u << count);
    d->stat_class = TC_LOAD;
    uint32_t *places = arena_many(d->mem, uint32_t, c.n_elems);
    if (!ptx_address(d, &d->st->operands[1], &c) ||
        !take_registers(d, &d->st->operands[0], c.n_elems, PT_B32, true, places))
        return false;
    c.u.elems = places;
    ptx_emit(d, c);
    return !d->bad;
}

/* ---- cp.async ----------------------------------------------------------------------------------
 * One access to each space. The copy is made at once; in the trace the store waits for nothing, and
 * who waits for the group waits for the loads. */

static uint32_t temporary(struct ptx_decoder *d)
{
    vec_push(d->mem, &d->vregs, (struct ptx_vreg){1});
    d->now.dst[d->now.n_dst++] = (uint32_t)d->vregs.n - 1;
    vec_push(d->mem, &d->copies, (uint32_t)d->vregs.n - 1);
    return ptx_place(d, false);
}

static bool copy_async(struct ptx_decoder *d)
{
    const struct ptx_operand *o = d->st->operands;
    if (!ptx_take(d, "cg"))
        ptx_take(d, "ca");
    else
        d->stat_flags |= TF_BYPASS_L1;
    bool ok = (ptx_take(d, "shared") || ptx_take(d, "shared::cta")) && ptx_take(d, "global");
    while (ptx_take(d, "L2::64B") || ptx_take(d, "L2::128B") || ptx_take(d, "L2::256B"))
        ;
    if (!ptx_operands(d, 3, 4))
        return false;
    uint64_t bytes = o[2].kind == PO_INT ? o[2].bits : 0;
    if (!ok || (bytes != 4 && bytes != 8 && bytes != 16))
        return ptx_refuse(d, "4, 8 or 16 bytes from global to shared memory are expected");
    if (d->st->n_operands == 4 && !(o[3].kind == PO_INT && o[3].bits == bytes))
        return ptx_refuse(d, "a source of another size is not supported");
    struct ptx_code from = {.kind = PK_LOAD, .space = PS_GLOBAL}, to = {.kind = PK_STORE};
    from.n_elems = to.n_elems = (uint8_t)(bytes / 4);
    from.bytes = to.bytes = from.elem_reg_bytes = to.elem_reg_bytes = 4;
    from.type = to.type = PT_B32;
    to.space = PS_SHARED;
    uint32_t *places = arena_many(d->mem, uint32_t, from.n_elems);
    d->stat_class = TC_LOAD;
    if (!ptx_address(d, &o[1], &from))
        return false;
    for (uint32_t i = 0; i < from.n_elems; i++)
        places[i] = temporary(d);
    from.u.elems = to.u.elems = places;
    ptx_emit(d, from);
    d->now = (struct ptx_uses){0};
    d->stat_class = TC_STORE;
    d->stat_flags = 0;
    if (!ptx_address(d, &o[0], &to))
        return false;
    ptx_emit(d, to);
    return !d->bad;
}

/* cp.async…, cp.async.commit_group, cp.async.wait_group n, cp.async.wait_all */
static bool dec_cp(struct ptx_decoder *d)
{
    if (!ptx_take(d, "async"))
        return ptx_refuse(d, "only cp.async is supported");
    bool commit = ptx_take(d, "commit_group");
    bool wait = !commit && (ptx_take(d, "wait_group") || ptx_take(d, "wait_all"));
    if (!commit && !wait)
        return copy_async(d);
    if (!ptx_operands(d, 0, 1))
        return false;
    d->stat_class = TC_NOP;
    size_t n = d->copies.n, most = 8;
    for (size_t i = n > most ? n - most : 0; wait && i < n; i++)
        d->now.src[d->now.n_src++] = d->copies.at[i];
    ptx_emit(d, (struct ptx_code){.kind = PK_NOTHING});
    return !d->bad;
}

const struct ptx_op ptx_ops_matrix[] = {
    {"mma", dec_mma}, {"ldmatrix", dec_ldmatrix}, {"cp", dec_cp}, {NULL, NULL}};
