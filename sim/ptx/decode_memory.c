/* SPDX-License-Identifier: MIT
 *
 * Loads, stores, atomics, fences, prefetches. */
#include "sim/ptx/decode.h"

#include <string.h>

enum order { ORDER_VOLATILE = 1, ORDER_ACQUIRE = 3, ORDER_RELEASE, ORDER_BOTH };
static const char *const orders[] = {"weak",    "volatile", "relaxed", "acquire",
                                     "release", "acq_rel",  "mmio",    NULL};
static const char *const scopes[] = {"cta", "cluster", "gpu", "sys", NULL};

/* Everything about caches and ordering: none of it changes a functional result. */
static void take_hints(struct ptx_decoder *d)
{
    static const char *const cache_ops[] = {"ca", "cs", "lu", "wb", "wt", NULL};
    static const char *const levels[] = {"L1::evict_normal",
                                         "L1::evict_unchanged",
                                         "L1::evict_first",
                                         "L1::evict_last",
                                         "L2::evict_normal",
                                         "L2::evict_first",
                                         "L2::evict_last",
                                         "L2::64B",
                                         "L2::128B",
                                         "L2::256B",
                                         NULL};
    int order = ptx_take_one(d, orders);
    ptx_take_one(d, scopes);
    d->is_strong = order >= ORDER_VOLATILE;
    d->acquires = order == ORDER_ACQUIRE || order == ORDER_BOTH;
    d->releases = order == ORDER_RELEASE || order == ORDER_BOTH;
    if (ptx_take(d, "cg") || ptx_take(d, "cv") || ptx_take(d, "L1::no_allocate") || d->is_strong)
        d->stat_flags |= TF_BYPASS_L1;
    int op = ptx_take_one(d, cache_ops);
    if (op == 1 || op == 2)
        d->stat_flags |= TF_STREAM;
    while (ptx_take_one(d, levels) >= 0)
        ;
}

static enum ptx_space take_space(struct ptx_decoder *d)
{
    if (ptx_take(d, "global"))
        return PS_GLOBAL;
    if (ptx_take(d, "shared") || ptx_take(d, "shared::cta"))
        return PS_SHARED;
    if (ptx_take(d, "local"))
        return PS_LOCAL;
    if (ptx_take(d, "const"))
        return PS_CONST;
    if (ptx_take(d, "param") || ptx_take(d, "param::entry") || ptx_take(d, "param::func"))
        return PS_PARAM;
    return PS_GENERIC;
}

static uint8_t take_vector(struct ptx_decoder *d)
{
    if (ptx_take(d, "v2"))
        return 2;
    return ptx_take(d, "v4") ? 4 : 1;
}

/* The registers of a load or store, all of one width. */
static bool take_elements(struct ptx_decoder *d, const struct ptx_operand *o, struct ptx_code *c,
                          bool written)
{
    uint32_t *places = arena_many(d->mem, uint32_t, c->n_elems);
    enum ptx_type t = (enum ptx_type)c->type;
    const struct ptx_operand *elems = c->n_elems > 1 ? o->elems : o;
    if (d->bad)
        return false;
    if ((o->kind == PO_VECTOR) != (c->n_elems > 1) ||
        (o->kind == PO_VECTOR && o->n_elems != c->n_elems))
        return ptx_refuse(d, "expected %u registers", c->n_elems);
    c->elem_reg_bytes = 0;
    for (uint32_t i = 0; i < c->n_elems; i++) {
        enum ptx_type reg = ptx_reg_type(d, &elems[i]);
        uint32_t bytes = elems[i].kind == PO_REG ? ptx_type_bytes(reg)
                         : ptx_type_bytes(t) < 4 ? 4
                                                 : ptx_type_bytes(t);
        if (elems[i].kind == PO_NOTHING && written)
            continue;
        if (elems[i].kind == PO_REG && (reg == PT_PRED || bytes < ptx_type_bytes(t)))
            return ptx_refuse(d, "register %s is too small", elems[i].name);
        if (c->elem_reg_bytes && (c->elem_reg_bytes == 8) != (bytes == 8))
            return ptx_refuse(d, "registers of different widths");
        c->elem_reg_bytes = (uint8_t)bytes;
        enum ptx_type as = elems[i].kind == PO_REG ? reg : t;
        places[i] = written ? ptx_dst(d, &elems[i], as) : ptx_src(d, &elems[i], as);
    }
    c->u.elems = places;
    return !d->bad;
}

static bool check_shape(struct ptx_decoder *d, const struct ptx_code *c)
{
    enum ptx_type t = (enum ptx_type)c->type;
    if (t == PT_PRED || ptx_type_bytes(t) == 16)
        return ptx_refuse(d, "type .%s is not supported", ptx_type_name(t));
    if (c->bytes * c->n_elems > 16)
        return ptx_refuse(d, "accesses of more than 16 bytes are not supported");
    return !d->bad;
}

static bool dec_ld(struct ptx_decoder *d)
{
    struct ptx_code c = {.kind = PK_LOAD};
    take_hints(d);
    c.space = (uint8_t)take_space(d);
    if (ptx_take(d, "nc") || strcmp(d->st->op, "ldu") == 0)
        d->stat_flags |= TF_READ_ONLY;
    c.n_elems = take_vector(d);
    c.type = (uint8_t)ptx_take_type(d);
    c.bytes = (uint8_t)ptx_type_bytes((enum ptx_type)c.type);
    d->stat_class = TC_LOAD;
    ptx_take(d, "unified");
    if (!ptx_operands(d, 2, 2) || !check_shape(d, &c))
        return false;
    if (!ptx_address(d, &d->st->operands[1], &c) ||
        !take_elements(d, &d->st->operands[0], &c, true))
        return false;
    ptx_emit(d, c);
    return !d->bad;
}

static bool dec_st(struct ptx_decoder *d)
{
    struct ptx_code c = {.kind = PK_STORE};
    take_hints(d);
    c.space = (uint8_t)take_space(d);
    c.n_elems = take_vector(d);
    c.type = (uint8_t)ptx_take_type(d);
    c.bytes = (uint8_t)ptx_type_bytes((enum ptx_type)c.type);
    d->stat_class = TC_STORE;
    if (!ptx_operands(d, 2, 2) || !check_shape(d, &c))
        return false;
    if (!ptx_address(d, &d->st->operands[0], &c) ||
        !take_elements(d, &d->st->operands[1], &c, false))
        return false;
    if (c.space == PS_CONST || c.space == PS_PARAM)
        return ptx_refuse(d, "this space cannot be written");
    ptx_emit(d, c);
    return !d->bad;
}

static bool fits(enum ptx_atomic op, enum ptx_type t)
{
    switch (op) {
    case PA_ADD:
        return t == PT_U32 || t == PT_S32 || t == PT_U64 || t == PT_S64 || t == PT_F32 ||
               t == PT_F64 || t == PT_F16 || t == PT_F16X2 || t == PT_BF16 || t == PT_BF16X2;
    case PA_MIN:
    case PA_MAX: return t == PT_U32 || t == PT_S32 || t == PT_U64 || t == PT_S64;
    case PA_INC:
    case PA_DEC: return t == PT_U32;
    case PA_CAS:
    case PA_EXCH: return t == PT_B32 || t == PT_B64 || t == PT_B16 || t == PT_U32 || t == PT_U64;
    case PA_AND:
    case PA_OR:
    case PA_XOR: return t == PT_B32 || t == PT_B64 || t == PT_U32 || t == PT_U64;
    }
    return false;
}

static bool dec_atom(struct ptx_decoder *d)
{
    static const char *const ops[] = {"add",  "min", "max", "and", "or", "xor",
                                      "exch", "cas", "inc", "dec", NULL};
    bool reduce = strcmp(d->st->op, "red") == 0;
    struct ptx_code c = {.kind = PK_ATOMIC, .n_elems = 1};
    take_hints(d);
    d->stat_flags = 0;
    c.space = (uint8_t)take_space(d);
    int op = ptx_take_one(d, ops);
    ptx_take(d, "noftz");
    enum ptx_type t = ptx_take_type(d);
    uint32_t n = (uint32_t)(reduce ? 2 : 3) + (op == PA_CAS);
    if (!ptx_operands(d, n, n))
        return false;
    if (op < 0 || !fits((enum ptx_atomic)op, t))
        return ptx_refuse(d, "this operation on type .%s is not supported", ptx_type_name(t));
    if (c.space != PS_GLOBAL && c.space != PS_SHARED && c.space != PS_GENERIC)
        return ptx_refuse(d, "atomics are for global and shared memory");
    c.sub = (uint8_t)op;
    c.type = (uint8_t)t;
    c.bytes = (uint8_t)ptx_type_bytes(t);
    c.wide = ptx_is_wide(t);
    const struct ptx_operand *o = d->st->operands + !reduce;
    if (!ptx_address(d, &o[0], &c))
        return false;
    c.b = ptx_src(d, &o[1], t);
    if (op == PA_CAS)
        c.c = ptx_src(d, &o[2], t);
    if (!reduce && d->st->operands[0].kind == PO_NOTHING)
        reduce = true;
    if (!reduce)
        c.d = ptx_dst(d, &d->st->operands[0], t);
    d->stat_class = reduce ? TC_REDUCE : TC_ATOMIC;
    ptx_emit(d, c);
    return !d->bad;
}

static bool dec_fence(struct ptx_decoder *d)
{
    static const char *const words[] = {"sc",      "acq_rel", "acquire", "release", "cta",
                                        "cluster", "gpu",     "sys",     "gl",      NULL};
    while (ptx_take_one(d, words) >= 0)
        ;
    d->stat_class = TC_FENCE;
    if (!ptx_operands(d, 0, 0))
        return false;
    ptx_emit(d, (struct ptx_code){.kind = PK_FENCE});
    return !d->bad;
}

/* A prefetch changes no value, but the trace has its addresses. Generic ones are global: what lies
 * elsewhere has no memory there and is not asked for. */
static bool dec_prefetch(struct ptx_decoder *d)
{
    struct ptx_code c = {.kind = PK_PREFETCH, .bytes = 4, .n_elems = 1};
    enum ptx_space space = take_space(d);
    bool is_tensor_map = ptx_take(d, "tensormap");
    bool is_l1 = ptx_take(d, "L1"), is_l2 = ptx_take(d, "L2");
    take_hints(d);
    if (!ptx_operands(d, 1, 1))
        return false;
    c.space = (uint8_t)space;
    if (!ptx_address(d, &d->st->operands[0], &c))
        return false;
    if (is_tensor_map || space == PS_LOCAL || space == PS_SHARED) {
        d->stat_class = TC_NOP;
        d->stat_flags = 0;
        ptx_emit(d, (struct ptx_code){.kind = PK_NOTHING});
        return !d->bad;
    }
    if (is_l1 == is_l2 && strcmp(d->st->op, "prefetch") == 0)
        return ptx_refuse(d, "expected .L1 or .L2");
    c.space = PS_GLOBAL;
    d->stat_class = TC_PREFETCH;
    d->stat_flags = is_l2 ? TF_BYPASS_L1 : 0;
    ptx_emit(d, c);
    return !d->bad;
}

/* discard, applypriority: no effect on values */
static bool dec_hint(struct ptx_decoder *d)
{
    take_space(d);
    take_hints(d);
    ptx_take(d, "L1");
    ptx_take(d, "L2");
    d->stat_class = TC_NOP;
    if (!ptx_operands(d, 1, 2))
        return false;
    struct ptx_code scrap = {.space = PS_GENERIC};
    if (!ptx_address(d, &d->st->operands[0], &scrap))
        return false;
    ptx_emit(d, (struct ptx_code){.kind = PK_NOTHING});
    return !d->bad;
}

const struct ptx_op ptx_ops_memory[] = {
    {"ld", dec_ld},
    {"ldu", dec_ld},
    {"st", dec_st},
    {"atom", dec_atom},
    {"red", dec_atom},
    {"membar", dec_fence},
    {"fence", dec_fence},
    {"prefetch", dec_prefetch},
    {"discard", dec_hint},
    {"prefetchu", dec_prefetch},
    {"applypriority", dec_hint},
    {NULL, NULL},
};
