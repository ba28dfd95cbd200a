/* SPDX-License-Identifier: MIT
 *
 * Matrix instructions of warps: mma.sync, wmma, ldmatrix; cp.async, which feeds them. */
#include "sim/ptx/decode.h"

#include <stdio.h>
#include <string.h>

/* Products of m x n x k elements of one type; elements of a factor in one register. */
struct shape {
    const char *name;
    enum ptx_type type;
    uint8_t m, n, per_register;
    uint16_t k;
};

static const struct shape shapes[] = {
    {"m16n8k8", PT_F16, 16, 8, 2, 8},     {"m16n8k16", PT_F16, 16, 8, 2, 16},
    {"m16n8k8", PT_BF16, 16, 8, 2, 8},    {"m16n8k16", PT_BF16, 16, 8, 2, 16},
    {"m16n8k4", PT_TF32, 16, 8, 1, 4},    {"m16n8k8", PT_TF32, 16, 8, 1, 8},
    {"m8n8k16", PT_S8, 8, 8, 4, 16},      {"m16n8k16", PT_S8, 16, 8, 4, 16},
    {"m16n8k32", PT_S8, 16, 8, 4, 32},    {"m8n8k32", PT_S4, 8, 8, 8, 32},
    {"m16n8k32", PT_S4, 16, 8, 8, 32},    {"m16n8k64", PT_S4, 16, 8, 8, 64},
    {"m8n8k128", PT_B1, 8, 8, 32, 128},   {"m16n8k128", PT_B1, 16, 8, 32, 128},
    {"m16n8k256", PT_B1, 16, 8, 32, 256}, {"m8n8k4", PT_F64, 8, 8, 1, 4},
};

static const struct shape wmma_shapes[] = {
    {"m16n16k16", PT_F16, 16, 16, 2, 16}, {"m32n8k16", PT_F16, 32, 8, 2, 16},
    {"m8n32k16", PT_F16, 8, 32, 2, 16},   {"m16n16k16", PT_BF16, 16, 16, 2, 16},
    {"m32n8k16", PT_BF16, 32, 8, 2, 16},  {"m8n32k16", PT_BF16, 8, 32, 2, 16},
    {"m16n16k8", PT_TF32, 16, 16, 1, 8},  {"m16n16k16", PT_S8, 16, 16, 4, 16},
    {"m32n8k16", PT_S8, 32, 8, 4, 16},    {"m8n32k16", PT_S8, 8, 32, 4, 16},
    {"m8n8k32", PT_S4, 8, 8, 8, 32},      {"m8n8k128", PT_B1, 8, 8, 32, 128},
    {"m8n8k4", PT_F64, 8, 8, 1, 4},
};

/* Signed and unsigned factors have the same shapes. */
static enum ptx_type signed_of(enum ptx_type t)
{
    return t == PT_U8 ? PT_S8 : t == PT_U4 ? PT_S4 : t;
}

/* The first modifier that is the name of a shape; NULL: none. */
static const char *take_shape(struct ptx_decoder *d, const struct shape *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (ptx_take(d, list[i].name))
            return list[i].name;
    return NULL;
}

static const struct shape *find_shape(const struct shape *list, size_t n, const char *name,
                                      enum ptx_type t)
{
    for (size_t i = 0; name && i < n; i++)
        if (strcmp(list[i].name, name) == 0 && list[i].type == signed_of(t))
            return &list[i];
    return NULL;
}
#define SHAPES(list) list, sizeof list / sizeof *list

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
    return t == PT_S8 || t == PT_U8 || t == PT_S4 || t == PT_U4 || t == PT_B1;
}

static bool fits(enum ptx_type d, enum ptx_type a, enum ptx_type b, enum ptx_type c)
{
    if (is_whole(a))
        return signed_of(a) == signed_of(b) && d == PT_S32 && c == PT_S32;
    if (a != b)
        return false;
    if (a == PT_F64)
        return c == PT_F64 && d == PT_F64;
    return (d == PT_F32 || (d == PT_F16 && a == PT_F16)) &&
           (c == PT_F32 || (c == PT_F16 && a == PT_F16));
}

/* One product of the tensor unit: rows of 8, one column of 8, all of k. */
struct product {
    const struct shape *shape;
    enum ptx_type a, b, sum, old; /* types */
    bool saturate, is_and;
    uint32_t rows;
    const struct ptx_operand *d_regs, *a_regs, *b_regs, *c_regs;
    uint32_t weight; /* products that one instruction of hardware makes; 0: the one before does */
};

/* What the tensor unit has to do, in steps of 256 products of 16 bits (Volta's HMMA.884); a double
 * precision product takes 16 times that (GA100: 64 a cycle of an SM, 1024 of 16 bits). */
static uint32_t steps_of(const struct shape *s, uint32_t rows)
{
    uint32_t products = rows * 8 * 8 * s->k;
    uint32_t n = s->type == PT_F64 ? products * 16 : products * 2 / s->per_register;
    return (n + 255) / 256;
}

static uint32_t registers_of_sum(enum ptx_type t, uint32_t rows)
{
    return t == PT_F16 ? rows : 2 * rows;
}

static bool emit_product(struct ptx_decoder *d, const struct product *p)
{
    uint32_t groups = p->shape->k / (4u * p->shape->per_register), n_a = p->rows * groups;
    uint32_t n_d = registers_of_sum(p->sum, p->rows), n_c = registers_of_sum(p->old, p->rows);
    enum ptx_type part = p->a == PT_F64 ? PT_F64 : PT_B32;
    struct ptx_code c = {.kind = PK_MMA,
                         .sub = p->shape->per_register,
                         .n_elems = (uint8_t)(n_d + n_a + groups + n_c),
                         .type = (uint8_t)p->a,
                         .space = (uint8_t)p->b,
                         .bytes = (uint8_t)p->rows,
                         .round = (uint8_t)groups,
                         .wide = p->sum == PT_F16,
                         .c_negated = p->old == PT_F16,
                         .flags = (uint8_t)(p->saturate ? PF_SATURATE : 0),
                         .imm = p->is_and};
    uint32_t *places = arena_many(d->mem, uint32_t, c.n_elems), *at = places + n_d;
    d->now = (struct ptx_uses){0};
    d->stat_class = TC_TENSOR;
    d->tensor_steps = steps_of(p->shape, p->rows * p->weight);
    for (uint32_t i = 0; i < n_a; i++)
        *at++ = ptx_src(d, &p->a_regs[i], part);
    for (uint32_t i = 0; i < groups; i++)
        *at++ = ptx_src(d, &p->b_regs[i], part);
    for (uint32_t i = 0; i < n_c; i++)
        *at++ = ptx_src(d, &p->c_regs[i], p->old == PT_F16 ? PT_B32 : p->old);
    for (uint32_t i = 0; i < n_d; i++)
        places[i] = ptx_dst(d, &p->d_regs[i], p->sum == PT_F16 ? PT_B32 : p->sum);
    c.u.elems = places;
    if (p->weight == 0)
        ptx_emit_silent(d, c);
    else
        ptx_emit(d, c);
    d->tensor_steps = 0;
    return !d->bad;
}

static const struct ptx_operand *elements(const struct ptx_operand *o, uint32_t *n)
{
    *n = o->kind == PO_VECTOR ? o->n_elems : 1;
    return o->kind == PO_VECTOR ? o->elems : o;
}

/* mma.sync.aligned.SHAPE.row.col[.satfinite].dtype.atype.btype.ctype[.xor.popc] d, a, b, c */
static bool dec_mma(struct ptx_decoder *d)
{
    if (ptx_take(d, "sp"))
        return ptx_refuse(d, "products of sparse matrices are not supported");
    bool ok = ptx_take(d, "sync");
    ptx_take(d, "aligned");
    ok = ptx_take(d, "row") && ptx_take(d, "col") && ok;
    struct product p = {.saturate = ptx_take(d, "satfinite")};
    const char *name = take_shape(d, SHAPES(shapes));
    p.sum = ptx_take_type(d), p.a = ptx_take_type(d), p.b = ptx_take_type(d);
    p.old = ptx_take_type(d);
    ptx_take(d, "rn");
    if (p.a == PT_B1)
        ok = ((p.is_and = ptx_take(d, "and")) || ptx_take(d, "xor")) && ptx_take(d, "popc") && ok;
    p.shape = find_shape(SHAPES(shapes), name, p.a);
    if (!ok || !p.shape || !fits(p.sum, p.a, p.b, p.old) || (p.saturate && !is_whole(p.a)))
        return ptx_refuse(d, "a product of matrices of this shape and type is not supported");
    if (!ptx_operands(d, 4, 4))
        return false;
    uint32_t n[4], groups = p.shape->k / (4u * p.shape->per_register);
    const struct ptx_operand *o = d->st->operands;
    p.rows = p.shape->m / 8;
    p.weight = 1;
    p.d_regs = elements(&o[0], &n[0]), p.a_regs = elements(&o[1], &n[1]);
    p.b_regs = elements(&o[2], &n[2]), p.c_regs = elements(&o[3], &n[3]);
    uint32_t want[] = {registers_of_sum(p.sum, p.rows), p.rows * groups, groups,
                       registers_of_sum(p.old, p.rows)};
    for (int i = 0; i < 4; i++)
        if (n[i] != want[i])
            return ptx_refuse(d, "a matrix of %u registers is expected", want[i]);
    return emit_product(d, &p);
}

/* ---- wmma --------------------------------------------------------------------------------------
 * Which element of a matrix a register holds is not defined by PTX. Here it is what mma defines,
 * tile by tile of 8 x 8 (or 8 rows of 16 bytes), which is also what ptxas makes of it for sm_75 and
 * later: a tile of a factor is one register, and of f16 there are more registers than tiles, which
 * repeat them. */

/* Tiles of a factor. */
static uint32_t tiles_of(const struct shape *s, bool is_b)
{
    return (is_b ? s->n : s->m) / 8u * (s->k / (4u * s->per_register));
}

/* Registers of a fragment of a factor (PTX ISA, "matrix fragments for wmma"). */
static uint32_t fragment_registers(const struct shape *s, bool is_b)
{
    return s->type == PT_F16 ? 8 : tiles_of(s, is_b);
}

static bool overlaps(const struct ptx_operand *d_regs, uint32_t n, const struct ptx_operand *list,
                     uint32_t n_list, uint32_t same)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n_list; k++)
            if (d_regs[i].kind == PO_REG && list[k].kind == PO_REG &&
                d_regs[i].index == list[k].index && k != same + i)
                return true;
    return false;
}

/* wmma.mma[.xor.popc].sync.aligned.alayout.blayout.SHAPE.types d, a, b, c */
static bool wmma_mma(struct ptx_decoder *d)
{
    static const char *const layouts[] = {"row", "col", NULL};
    struct product p = {0};
    bool popc = ptx_take(d, "popc");
    if (popc && !(p.is_and = ptx_take(d, "and")))
        ptx_take(d, "xor");
    bool ok = ptx_take(d, "sync");
    ptx_take(d, "aligned");
    for (int k = 0; k < 2; k++) /* of a, of b */
        ok = ptx_take_one(d, layouts) >= 0 && ok;
    const char *name = take_shape(d, SHAPES(wmma_shapes));
    p.saturate = ptx_take(d, "satfinite");
    p.sum = ptx_take_type(d), p.a = ptx_take_type(d);
    enum ptx_type t[2] = {PT_NONE, PT_NONE};
    ptx_take(d, "rn");
    for (uint32_t i = 0; i < d->st->n_mods && t[1] == PT_NONE; i++) {
        enum ptx_type more = ptx_type_of(d->st->mods[i], strlen(d->st->mods[i]));
        if (d->mods_used >> i & 1 || more == PT_NONE)
            continue;
        t[t[0] == PT_NONE ? 0 : 1] = more;
        d->mods_used |= 1u << i;
    }
    if (t[0] == PT_NONE) { /* factors of f16 are not named */
        p.old = p.a;
        p.a = p.b = PT_F16;
    } else {
        p.b = t[0];
        p.old = t[1];
    }
    p.shape = find_shape(SHAPES(wmma_shapes), name, p.a);
    if (!ok || !p.shape || !fits(p.sum, p.a, p.b, p.old) || popc != (p.a == PT_B1) ||
        (p.saturate && !is_whole(p.a) && p.sum != PT_F16 && p.sum != PT_F32))
        return ptx_refuse(d, "a product of matrices of this shape and type is not supported");
    if (!ptx_operands(d, 4, 4))
        return false;
    const struct ptx_operand *o = d->st->operands, *d_all, *a_all, *b_all, *c_all;
    uint32_t n[4], rows = p.shape->m / 8u, cols = p.shape->n / 8u;
    uint32_t groups = p.shape->k / (4u * p.shape->per_register);
    d_all = elements(&o[0], &n[0]), a_all = elements(&o[1], &n[1]);
    b_all = elements(&o[2], &n[2]), c_all = elements(&o[3], &n[3]);
    uint32_t per_d = registers_of_sum(p.sum, 1), per_c = registers_of_sum(p.old, 1);
    uint32_t want[] = {per_d * rows * cols, fragment_registers(p.shape, false),
                       fragment_registers(p.shape, true), per_c * rows * cols};
    for (int i = 0; i < 4; i++)
        if (n[i] != want[i])
            return ptx_refuse(d, "a matrix of %u registers is expected", want[i]);
    /* what is written by one product must not be read by the next */
    if (rows * cols > 2 &&
        (overlaps(d_all, n[0], a_all, n[1], UINT32_MAX / 2) ||
         overlaps(d_all, n[0], b_all, n[2], UINT32_MAX / 2) ||
         overlaps(d_all, n[0], c_all, n[3], per_d == per_c ? 0 : UINT32_MAX / 2)))
        return ptx_refuse(d, "its result lies in registers of its factors");
    struct ptx_operand part[8];
    for (uint32_t col = 0; col < cols; col++)
        for (uint32_t row = 0; row < rows; row += 2) {
            p.rows = rows - row < 2 ? 1 : 2;
            /* tiles of A of these rows, by groups of k */
            for (uint32_t g = 0; g < groups; g++)
                for (uint32_t r = 0; r < p.rows; r++)
                    part[g * p.rows + r] = a_all[g * rows + row + r];
            p.a_regs = part;
            p.b_regs = b_all + (size_t)col * groups;
            p.d_regs = d_all + (size_t)(col * rows + row) * per_d;
            p.c_regs = c_all + (size_t)(col * rows + row) * per_c;
            p.weight = rows > 1 || cols == 1 ? 1 : col % 2 ? 0 : 2; /* two of 8 rows: one of 16 */
            if (!emit_product(d, &p))
                return false;
        }
    return true;
}

/* One access of a fragment: `n` tiles from `first` on. */
static bool emit_fragment(struct ptx_decoder *d, const struct ptx_fragment *like, uint32_t first,
                          uint32_t n, const struct ptx_operand *regs, uint32_t n_regs,
                          struct ptx_code c)
{
    struct ptx_fragment *f = arena_new(d->mem, struct ptx_fragment);
    const struct ptx_operand *o = d->st->operands;
    uint32_t address = like->is_store ? 0 : 1;
    enum ptx_type t = (enum ptx_type)like->type;
    enum ptx_type reg = t == PT_F64 ? PT_F64 : like->is_sum ? (t == PT_F16 ? PT_B32 : t) : PT_B32;
    uint32_t per = like->per_tile;
    *f = *like;
    f->first = (uint8_t)first;
    f->n = (uint8_t)n;
    d->now = (struct ptx_uses){0};
    d->stat_class = like->is_store ? TC_STORE : TC_LOAD;
    if (!ptx_address(d, &o[address], &c))
        return false;
    if (d->st->n_operands == 3)
        c.b = ptx_src(d, &o[2], PT_U32);
    uint32_t *places = arena_many(d->mem, uint32_t, n_regs), k = 0;
    /* registers of the same tile, should there be several */
    for (uint32_t r = 0; r < n_regs; r++) {
        uint32_t tile = r / per % like->tiles;
        if (tile < first || tile >= first + n)
            continue;
        places[k++] = like->is_store ? ptx_src(d, &regs[r], reg) : ptx_dst(d, &regs[r], reg);
    }
    c.u.elems = places;
    c.n_elems = (uint8_t)k;
    f->copies = (uint8_t)(k / (n * per));
    c.fragment = f;
    ptx_emit(d, c);
    return !d->bad;
}

/* wmma.load.{a,b,c} r, [p], stride; wmma.store.d [p], r, stride */
static bool wmma_move(struct ptx_decoder *d, bool is_store)
{
    static const char *const parts[] = {"a", "b", "c", NULL}, *const layouts[] = {"row", "col",
                                                                                  NULL};
    static const struct {
        const char *name;
        enum ptx_space space;
    } spaces[] = {{"global", PS_GLOBAL}, {"shared", PS_SHARED}, {"shared::cta", PS_SHARED}};
    int part = is_store ? (ptx_take(d, "d") ? 2 : -1) : ptx_take_one(d, parts);
    bool ok = ptx_take(d, "sync");
    ptx_take(d, "aligned");
    int layout = ptx_take_one(d, layouts);
    const char *name = take_shape(d, SHAPES(wmma_shapes));
    struct ptx_code c = {.kind = PK_FRAGMENT, .space = PS_GENERIC};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (ptx_take(d, spaces[i].name))
            c.space = (uint8_t)spaces[i].space;
    enum ptx_type t = ptx_take_type(d);
    if (!ptx_operands(d, 2, 3))
        return false;
    bool is_sum = part == 2;
    const struct shape *s = NULL;
    for (size_t i = 0; name && i < sizeof wmma_shapes / sizeof *wmma_shapes && !s; i++)
        if (strcmp(wmma_shapes[i].name, name) == 0 &&
            (is_sum || wmma_shapes[i].type == signed_of(t)))
            s = &wmma_shapes[i];
    /* elements of less than a byte lie side by side */
    bool is_split = s && !is_sum && s->per_register > 4 && (part == 1) != (layout == 1);
    if (!ok || part < 0 || layout < 0 || !s || is_split ||
        (is_sum && t != PT_F16 && t != PT_F32 && t != PT_S32 && t != PT_F64))
        return ptx_refuse(d, "a matrix of this shape and type is not supported");
    uint32_t per = is_sum ? 2 : s->per_register, bits = 32u / s->per_register;
    if (is_sum || t == PT_F64)
        bits = 8 * ptx_type_bytes(t);
    struct ptx_fragment f = {
        .type = (uint8_t)t,
        .is_store = is_store,
        .is_sum = is_sum,
        .is_b = part == 1,
        .bits = (uint8_t)bits,
        .per = (uint8_t)per,
        .per_tile = (uint8_t)(is_sum && t != PT_F16 ? 2 : 1),
        /* A: rows by columns of k; B: columns, with rows of k; sums: rows by columns */
        .outer = (uint8_t)((part == 1 ? s->n : s->m) / 8),
        .inner = is_sum ? s->n : s->k,
        .tiles = (uint8_t)(is_sum ? s->m / 8u * (s->n / 8u) : tiles_of(s, part == 1)),
        /* neighbours of a register lie side by side in memory */
        .is_along = (part == 1) == (layout == 1)};
    const struct ptx_operand *regs;
    uint32_t n_regs, want = is_sum ? f.per_tile * f.tiles : fragment_registers(s, part == 1);
    regs = elements(&d->st->operands[is_store ? 1 : 0], &n_regs);
    if (n_regs != want)
        return ptx_refuse(d, "a matrix of %u registers is expected", want);
    /* shared memory hands out four tiles of 16-bit elements at once, along rows or across */
    uint32_t at_once = !is_sum && bits == 16 && c.space == PS_SHARED ? 4 : 1;
    c.bytes = (uint8_t)(at_once > 1                             ? 16
                        : f.is_along || (!is_sum && bits == 16) ? per * bits / 8
                                                                : bits / 8);
    c.bytes = c.bytes ? c.bytes : 4;
    for (uint32_t first = 0; first < f.tiles; first += at_once) {
        uint32_t n = f.tiles - first < at_once ? f.tiles - first : at_once;
        f.is_rows = at_once > 1;
        if (!emit_fragment(d, &f, first, n, regs, n_regs, c))
            return false;
        if (f.is_along || f.is_rows || is_sum || bits != 16 || d->layout->as_ptx)
            continue;
        /* MOVM turns the tile round in the registers */
        struct ptx_uses moved = {.n_dst = d->now.n_dst, .n_src = d->now.n_dst};
        memcpy(moved.dst, d->now.dst, sizeof moved.dst);
        memcpy(moved.src, d->now.dst, sizeof moved.dst);
        d->now = moved;
        d->stat_class = TC_SHUFFLE;
        ptx_emit(d, (struct ptx_code){.kind = PK_NOTHING});
    }
    return !d->bad;
}

static bool dec_wmma(struct ptx_decoder *d)
{
    if (ptx_take(d, "mma"))
        return wmma_mma(d);
    if (ptx_take(d, "load"))
        return wmma_move(d, false);
    if (ptx_take(d, "store"))
        return wmma_move(d, true);
    return ptx_refuse(d, "it must be load, mma or store");
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
    {"mma", dec_mma}, {"wmma", dec_wmma}, {"ldmatrix", dec_ldmatrix}, {"cp", dec_cp}, {NULL, NULL}};
