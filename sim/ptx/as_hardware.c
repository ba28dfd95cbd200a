/* SPDX-License-Identifier: MIT
 *
 * Fusing and folding: parameters and constants are operands, a product and a sum are one
 * instruction, so are two sums of three numbers, a shift and a sum, and logic of three inputs;
 * constants added to an address belong to the access; integers of 64 bits take several
 * instructions. Counts per form are those of the machine code that ptxas 13.0 makes for sm_75. */
#include <string.h>

#include "sim/ptx/as_hardware.h"

/* ---- forms ----------------------------------------------------------------------------------- */

static bool has_mod(const struct ptx_stmt *s, const char *mod)
{
    for (uint32_t i = 0; i < s->n_mods; i++)
        if (strcmp(s->mods[i], mod) == 0)
            return true;
    return false;
}

static enum ptx_type type_of(const struct ptx_stmt *s)
{
    enum ptx_type t = PT_NONE;
    for (uint32_t i = 0; i < s->n_mods && t == PT_NONE; i++)
        t = ptx_type_of(s->mods[i], strlen(s->mods[i]));
    return t;
}

/* Special registers that are words of the constant bank. */
static bool is_constant_special(uint32_t which)
{
    return (which >= SR_NTID_X && which <= SR_NTID_Z) ||
           (which >= SR_NCTAID_X && which <= SR_NCTAID_Z) || which == SR_TOTAL_SMEM_SIZE ||
           which == SR_DYNAMIC_SMEM_SIZE || which == SR_ENVREG1 || which == SR_ENVREG2;
}

static enum ptx_form move_form(const struct ptx_stmt *s)
{
    const struct ptx_operand *from = &s->operands[s->n_operands - 1], *to = &s->operands[0];
    if (has_mod(s, "pred"))
        return PN_OTHER;
    if (to->kind == PO_VECTOR || from->kind == PO_VECTOR)
        return PN_PARTS;
    if (from->kind == PO_REG)
        return PN_COPY;
    if (from->kind == PO_SPECIAL)
        return is_constant_special(from->index) ? PN_CONSTANT : PN_OTHER;
    return PN_CONSTANT;
}

/* Machine instructions of an integer operation of 64 bits. */
static uint32_t wide_count(const struct ptx_stmt *s)
{
    static const struct {
        const char *op;
        uint32_t n;
    } counts[] = {{"add", 2},  {"sub", 2}, {"and", 2},  {"or", 2},    {"xor", 2},
                  {"not", 2},  {"neg", 2}, {"setp", 2}, {"selp", 2},  {"shl", 2},
                  {"shr", 2},  {"min", 4}, {"max", 4},  {"abs", 4},   {"mad", 5},
                  {"popc", 3}, {"clz", 5}, {"brev", 2}, {"bfind", 5}, {"set", 3}};
    if (strcmp(s->op, "mul") == 0)
        return has_mod(s, "hi") ? 7 : 4;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (strcmp(counts[i].op, s->op) == 0)
            return counts[i].n;
    return 1;
}

static enum ptx_form form_of(const struct ptx_decoder *d, const struct ptx_code *c)
{
    const struct ptx_stmt *s = d->st;
    const char *op = s->op;
    enum ptx_type t = type_of(s);
    bool is_int = t != PT_NONE && !ptx_is_float(t) && t != PT_PRED;
    if (c->kind == PK_ALU && s->operands[0].kind == PO_REG && ptx_is_number(d->in, s->operands))
        return PN_CONSTANT;
    if (strcmp(op, "mov") == 0)
        return c->kind == PK_ALU ? move_form(s) : PN_OTHER;
    if (strcmp(op, "cvta") == 0)
        return c->kind == PK_ALU ? PN_COPY : PN_OTHER;
    if (c->kind == PK_LOAD && c->space == PS_PARAM && c->flags & PF_UNIFORM)
        return PN_CONSTANT;
    if (c->kind == PK_SETP && !c->sub)
        return PN_COMPARE;
    if (c->kind == PK_PRED && c->sub == PB_NOT)
        return PN_COPY; /* predicates are negated where they are read */
    if (c->kind == PK_PRED)
        return c->sub == PB_AND || c->sub == PB_OR || c->sub == PB_XOR ? PN_COMBINE : PN_OTHER;
    if (c->kind != PK_ALU || !is_int || has_mod(s, "sat"))
        return PN_OTHER;
    if (strcmp(op, "add") == 0 || strcmp(op, "sub") == 0)
        return PN_ADD;
    if (strcmp(op, "mul") == 0)
        return has_mod(s, "hi") || (ptx_is_wide(t) && !has_mod(s, "wide")) ? PN_OTHER : PN_MUL;
    if (strcmp(op, "mad") == 0) /* a product of numbers is a number */
        return ptx_is_number(d->in, &s->operands[1]) && ptx_is_number(d->in, &s->operands[2])
                   ? PN_ADD
                   : PN_MAD;
    if (strcmp(op, "shl") == 0)
        return s->operands[2].kind == PO_INT ? PN_SHIFT : PN_OTHER;
    if (strcmp(op, "and") == 0 || strcmp(op, "or") == 0 || strcmp(op, "xor") == 0 ||
        strcmp(op, "not") == 0)
        return PN_LOGIC;
    return strcmp(op, "cvt") == 0 ? PN_CONVERT : PN_OTHER;
}

void ptx_tag(const struct ptx_decoder *d, struct ptx_code *c)
{
    const struct ptx_stmt *s = d->st;
    if (!s->op || c->sequence)
        return;
    c->form = (uint8_t)form_of(d, c);
    c->is_and = strcmp(s->op, "and") == 0;
    c->is_with_zero = c->form == PN_COMPARE && (has_mod(s, "eq") || has_mod(s, "ne")) &&
                      !ptx_is_float(type_of(s)) && s->n_operands == 3 &&
                      s->operands[2].kind == PO_INT && s->operands[2].bits == 0;
    enum ptx_type t = type_of(s);
    bool is_alu = c->kind == PK_ALU || c->kind == PK_SETP || c->kind == PK_SELP;
    if (is_alu && ptx_is_wide(t) && !ptx_is_float(t) && c->form != PN_COPY &&
        c->form != PN_CONSTANT && c->form != PN_PARTS)
        c->extra = (uint8_t)(wide_count(s) - 1);
}

/* ---- counting -------------------------------------------------------------------------------- */

static bool ends_block(const struct ptx_code *c)
{
    return c->kind == PK_BRANCH || c->kind == PK_TABLE || c->kind == PK_EXIT ||
           c->kind == PK_TRAP || c->kind == PK_RETURN;
}

static void find_blocks(struct ptx_native *p)
{
    const struct ptx_code *codes = p->d->codes.at;
    uint8_t *leads = arena_alloc(p->mem, p->n + 1);
    p->block = arena_many(p->mem, uint32_t, p->n + 1);
    for (uint32_t i = 0; i < p->n; i++) {
        if (codes[i].kind == PK_BRANCH)
            leads[codes[i].target] = 1;
        for (uint32_t k = 0; codes[i].kind == PK_TABLE && k < codes[i].n_targets; k++)
            leads[codes[i].u.targets[k]] = 1;
        if (ends_block(&codes[i]))
            leads[i + 1] = 1;
    }
    for (uint32_t i = 1; i <= p->n; i++)
        p->block[i] = p->block[i - 1] + leads[i];
}

/* The register that an access adds its offset to is the first that it reads. */
static bool has_base(const struct ptx_code *c)
{
    return ptx_is_memory(c) && !(c->flags & PF_UNIFORM);
}

/* It writes its own address, too. */
static bool stores_base(const struct ptx_code *c)
{
    for (uint32_t k = 0; c->kind == PK_STORE && k < c->n_elems; k++)
        if (c->u.elems[k] == c->a)
            return true;
    return c->kind == PK_ATOMIC && (c->b == c->a || c->c == c->a);
}

static void count_uses(struct ptx_native *p)
{
    size_t n = p->d->vregs.n + 1;
    p->defs = arena_many(p->mem, uint32_t, n);
    p->uses = arena_many(p->mem, uint32_t, n);
    p->address_uses = arena_many(p->mem, uint32_t, n);
    p->def_at = arena_many(p->mem, uint32_t, n);
    for (uint32_t i = 0; i < p->n; i++) {
        const struct ptx_code *c = &p->d->codes.at[i];
        const struct ptx_uses *u = &p->d->uses.at[i];
        if (c->is_gone)
            continue;
        for (uint32_t k = 0; k < u->n_dst; k++) {
            p->defs[u->dst[k]]++;
            p->def_at[u->dst[k]] = i;
        }
        for (uint32_t k = 0; k < u->n_src; k++)
            p->uses[u->src[k]]++;
        if (has_base(c) && u->n_src && u->src[0] == p->real[i].src[0])
            p->address_uses[u->src[0]] += !stores_base(c);
    }
}

/* ---- free instructions ----------------------------------------------------------------------- */

static void make_free(struct ptx_code *c)
{
    c->flags |= PF_SILENT;
    c->is_free = true;
}

static bool is_free(const struct ptx_code *c)
{
    return c->is_free || c->flags & PF_SILENT;
}

static void drop_sources(struct ptx_uses *u, const uint8_t *which)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < u->n_src; k++)
        if (!which[u->src[k]])
            u->src[n++] = u->src[k];
    u->n_src = (uint8_t)n;
}

/* Steps of sequences read what the names stand for. */
static void rename_steps(struct ptx_native *p, const uint32_t *from)
{
    for (size_t i = 0; i < p->d->steps.n; i++) {
        struct ptx_step *s = &p->d->steps.at[i];
        for (uint32_t k = 0; k < s->n_src; k++) {
            uint32_t at = from[s->src[k]];
            if (at && p->d->uses.at[at - 1].n_src)
                s->src[k] = p->d->uses.at[at - 1].src[0];
        }
    }
}

/* Constants that several paths write need a register; those that one does are operands. */
static void free_constants(struct ptx_native *p)
{
    uint8_t *is_number = arena_alloc(p->mem, p->d->vregs.n + 1);
    for (uint32_t i = 0; i < p->n; i++) {
        struct ptx_code *c = &p->d->codes.at[i];
        const struct ptx_uses *u = &p->d->uses.at[i];
        if (is_free(c) || ptx_is_guarded(c))
            continue;
        bool single = u->n_dst > 0;
        for (uint32_t k = 0; k < u->n_dst; k++)
            single = single && p->defs[u->dst[k]] == 1;
        if (c->form == PN_CONSTANT && single)
            make_free(c);
        if (c->form == PN_CONSTANT && single && c->kind == PK_ALU)
            is_number[u->dst[0]] = 1;
    }
    /* numbers stand in the instruction */
    for (uint32_t i = 0; i < p->n; i++)
        drop_sources(&p->d->uses.at[i], is_number);
}

/* ---- fusing ---------------------------------------------------------------------------------- */

static void replace_source(struct ptx_uses *u, uint32_t old, const uint32_t *by, uint32_t n)
{
    struct ptx_uses was = *u;
    u->n_src = 0;
    for (uint32_t k = 0; k < was.n_src + n; k++) {
        uint32_t v = k < was.n_src ? was.src[k] : by[k - was.n_src];
        bool known = k < was.n_src && v == old;
        for (uint32_t j = 0; j < u->n_src; j++)
            known = known || u->src[j] == v;
        if (!known && u->n_src < sizeof u->src / sizeof *u->src)
            u->src[u->n_src++] = v;
    }
}

/* How many different registers the two read together, without the one between them. */
static uint32_t joint_sources(const struct ptx_uses *i, const struct ptx_uses *j, uint32_t between)
{
    struct ptx_uses u = *j;
    replace_source(&u, between, i->src, i->n_src);
    return u.n_src;
}

static bool can_fuse(const struct ptx_code *i, const struct ptx_code *j, uint32_t joint)
{
    switch ((enum ptx_form)j->form) {
    case PN_ADD:
        if (i->form == PN_MUL)
            return i->wide == j->wide && !j->is_fused;
        if (i->form == PN_SHIFT)
            return i->wide == j->wide && !j->is_fused;
        return i->form == PN_ADD && i->wide == j->wide && !i->is_fused && !j->is_fused &&
               joint <= 3;
    case PN_LOGIC: return i->form == PN_LOGIC && i->wide == j->wide && joint <= 3;
    case PN_COMPARE: /* bits that are compared with nothing: logic has a predicate as result, too */
        return i->form == PN_LOGIC && !i->wide && !i->extra && !j->extra && joint <= 3 &&
               j->is_with_zero;
    case PN_COMBINE: return i->form == PN_COMPARE && !j->is_fused;
    default: return false;
    }
}

static void fuse(struct ptx_native *p, uint32_t i, uint32_t j, uint32_t between)
{
    struct ptx_code *a = &p->d->codes.at[i], *b = &p->d->codes.at[j];
    replace_source(&p->d->uses.at[j], between, p->d->uses.at[i].src, p->d->uses.at[i].n_src);
    b->is_fused = true;
    if (a->form == PN_MUL) {
        p->d->statics.at[b->stat].cls = TC_INT_MUL;
        b->extra = 0; /* IMAD.WIDE adds 64 bits at once */
    }
    if (a->form == PN_COMPARE)
        b->extra = a->extra;
    make_free(a);
}

/* A product that only sums use is part of each of them. */
static void spread_products(struct ptx_native *p)
{
    uint32_t *sums = arena_many(p->mem, uint32_t, p->d->vregs.n + 1);
    for (uint32_t j = 0; j < p->n; j++) {
        const struct ptx_code *b = &p->d->codes.at[j];
        const struct ptx_uses *u = &p->d->uses.at[j];
        for (uint32_t k = 0; k < u->n_src; k++) {
            const struct ptx_code *a = &p->d->codes.at[p->def_at[u->src[k]]];
            sums[u->src[k]] += b->form == PN_ADD && !is_free(b) && !ptx_is_guarded(b) &&
                               a->form == PN_MUL && a->wide == b->wide;
        }
    }
    for (uint32_t j = 0; j < p->n; j++) {
        struct ptx_code *b = &p->d->codes.at[j];
        struct ptx_uses *u = &p->d->uses.at[j];
        for (uint32_t k = 0; k < u->n_src && b->form == PN_ADD && !b->is_fused; k++) {
            uint32_t v = u->src[k], i = p->def_at[v];
            const struct ptx_code *a = &p->d->codes.at[i];
            if (p->defs[v] != 1 || p->uses[v] < 2 || p->uses[v] > 4 || sums[v] != p->uses[v] ||
                ptx_is_guarded(a) || (is_free(a) && !a->is_free))
                continue;
            fuse(p, i, j, v);
        }
    }
}

static void fuse_all(struct ptx_native *p)
{
    for (uint32_t j = 0; j < p->n; j++) {
        struct ptx_code *b = &p->d->codes.at[j];
        struct ptx_uses *u = &p->d->uses.at[j];
        if (is_free(b) || ptx_is_guarded(b))
            continue;
        for (uint32_t k = 0; k < u->n_src; k++) {
            uint32_t v = u->src[k], i = p->def_at[v];
            const struct ptx_code *a = &p->d->codes.at[i];
            if (p->defs[v] != 1 || p->uses[v] != 1 || p->block[i] != p->block[j] || i >= j ||
                is_free(a) || ptx_is_guarded(a) ||
                !can_fuse(a, b, joint_sources(&p->d->uses.at[i], u, v)))
                continue;
            fuse(p, i, j, v);
            k = UINT32_MAX; /* its registers are others now */
        }
    }
}

/* A constant added to what only addresses use. */
static void fold_addresses(struct ptx_native *p)
{
    uint32_t *base = arena_many(p->mem, uint32_t, p->d->vregs.n + 1); /* + 1; 0: itself */
    for (uint32_t i = 0; i < p->n; i++) {
        struct ptx_code *c = &p->d->codes.at[i];
        struct ptx_uses *u = &p->d->uses.at[i];
        if (c->form != PN_ADD || c->is_fused || is_free(c) || ptx_is_guarded(c) || u->n_src != 1 ||
            u->n_dst != 1)
            continue;
        uint32_t v = u->dst[0], from = u->src[0];
        if (p->defs[v] != 1 || v == from || p->uses[v] == 0 || p->uses[v] != p->address_uses[v])
            continue;
        base[v] = (base[from] ? base[from] : from + 1);
        make_free(c);
    }
    for (uint32_t i = 0; i < p->n; i++) {
        struct ptx_uses *u = &p->d->uses.at[i];
        if (has_base(&p->d->codes.at[i]) && u->n_src && base[u->src[0]])
            u->src[0] = base[u->src[0]] - 1;
    }
}

/* Copies of what is written once, and halves of it, are names of it. Other copies are for the
 * register allocator. */
static void name_copies(struct ptx_native *p)
{
    uint32_t *from = arena_many(p->mem, uint32_t, p->d->vregs.n + 1); /* code + 1; 0: itself */
    for (uint32_t i = 0; i < p->n; i++) {
        struct ptx_code *c = &p->d->codes.at[i];
        struct ptx_uses *u = &p->d->uses.at[i];
        for (uint32_t k = 0; k < u->n_src; k++) {
            uint32_t v = u->src[k], at = from[v];
            if (!at)
                continue;
            const struct ptx_uses by = p->d->uses.at[at - 1];
            replace_source(u, v, by.src, by.n_src);
            k = UINT32_MAX; /* begin again; names of names were replaced before */
        }
        bool is_name = (c->form == PN_COPY || c->form == PN_PARTS) && !is_free(c) &&
                       !ptx_is_guarded(c) && u->n_dst > 0;
        for (uint32_t k = 0; k < u->n_dst; k++)
            is_name = is_name && p->defs[u->dst[k]] == 1;
        for (uint32_t k = 0; k < u->n_src; k++)
            is_name = is_name && p->defs[u->src[k]] == 1;
        if (!is_name)
            continue;
        for (uint32_t k = 0; k < u->n_dst; k++)
            from[u->dst[k]] = i + 1;
        make_free(c);
    }
    rename_steps(p, from);
}

/* ---- branches -------------------------------------------------------------------------------- */

/* "The compiler replaces a branch with predicated instructions only if the number of instructions
 * controlled by the branch condition is less than or equal to a threshold": 7 (CUDA C Best
 * Practices Guide, branch predication). */
#define MOST_PREDICATED 7u

static bool can_be_predicated(const struct ptx_code *c)
{
    return !ends_block(c) && !c->sequence && c->kind != PK_BARRIER && c->kind != PK_CALL &&
           c->kind != PK_SERVICE && c->kind != PK_VOTE && c->kind != PK_SHUFFLE &&
           c->kind != PK_MATCH && c->kind != PK_REDUX && c->kind != PK_ACTIVEMASK &&
           c->kind != PK_ELECT && c->kind != PK_MMA && c->kind != PK_ATOMIC && !ptx_is_guarded(c);
}

/* Jumps over a few instructions are predicates of them; jumps to what nothing else leads to vanish
 * when the blocks are put in order. */
static void free_branches(struct ptx_native *p)
{
    struct ptx_code *codes = p->d->codes.at;
    uint32_t *ways = arena_many(p->mem, uint32_t, p->n + 1);
    for (uint32_t i = 0; i < p->n; i++) {
        if (codes[i].kind == PK_BRANCH && codes[i].target <= p->n)
            ways[codes[i].target]++;
        for (uint32_t k = 0; codes[i].kind == PK_TABLE && k < codes[i].n_targets; k++)
            ways[codes[i].u.targets[k]]++;
        bool goes_on = !ends_block(&codes[i]) || ptx_is_guarded(&codes[i]);
        ways[i + 1] += goes_on;
    }
    for (uint32_t i = 0; i + 1 < p->n; i++)
        if (codes[i].kind == PK_BRANCH && !ptx_is_guarded(&codes[i]) &&
            (codes[i].target == i + 1 || (codes[i].target < p->n && ways[codes[i].target] == 1)))
            make_free(&codes[i]);
    for (uint32_t i = 0; i + 1 < p->n; i++) {
        if (codes[i].kind != PK_BRANCH || !ptx_is_guarded(&codes[i]) || codes[i].target <= i + 1)
            continue;
        uint32_t first = i + 1, n = 0, end = codes[i].target;
        if (codes[first].kind == PK_BRANCH && codes[first].is_free &&
            codes[first].target == first + 1)
            first++;
        bool fits = end < p->n && end > first && end - first <= 4 * MOST_PREDICATED;
        for (uint32_t k = first; k < end && fits; k++) {
            n += is_free(&codes[k]) ? 0 : 1u + codes[k].extra;
            fits = can_be_predicated(&codes[k]) && (k == first || ways[k] == 1);
        }
        if (!fits || n == 0 || n > MOST_PREDICATED)
            continue;
        const struct ptx_uses *guard = &p->d->uses.at[i];
        for (uint32_t k = first; k < end && guard->n_src; k++) {
            struct ptx_uses *u = &p->d->uses.at[k];
            if (!is_free(&codes[k]) && u->n_src < sizeof u->src / sizeof *u->src) {
                u->src[u->n_src++] = guard->src[0];
                codes[k].is_under = true;
            }
        }
        codes[i].is_predicate = true;
        make_free(&codes[i]);
    }
}

/* What is free is executed, but takes no register of hardware. */
static void forget_free(struct ptx_native *p)
{
    uint8_t *is_constant = arena_alloc(p->mem, p->d->vregs.n + 1);
    for (uint32_t i = 0; i < p->n; i++) {
        const struct ptx_code *c = &p->d->codes.at[i];
        struct ptx_uses *u = &p->d->uses.at[i];
        if (!c->is_free)
            continue;
        for (uint32_t k = 0; k < u->n_dst && c->form == PN_CONSTANT; k++)
            is_constant[u->dst[k]] = 1;
        *u = (struct ptx_uses){0};
    }
    for (uint32_t i = 0; i < p->n; i++)
        drop_sources(&p->d->uses.at[i], is_constant);
}

void ptx_make_native(struct ptx_decoder *d)
{
    struct arena scratch;
    struct ptx_native p = {.d = d, .mem = &scratch, .n = (uint32_t)d->codes.n};
    arena_init(&scratch, d->mem->out_of_memory, d->mem->ctx);
    p.real = d->executed = arena_many(d->mem, struct ptx_uses, p.n + 1);
    memcpy(p.real, d->uses.at, p.n * sizeof *p.real);
    find_blocks(&p);
    count_uses(&p);
    name_copies(&p);
    count_uses(&p);
    free_constants(&p);
    fold_addresses(&p);
    count_uses(&p);
    spread_products(&p);
    fuse_all(&p);
    free_branches(&p);
    forget_free(&p);
    ptx_join_accesses(&p);
    struct ptx_listing list = {d->codes.at, d->uses.at, d->vregs.at, p.n, (uint32_t)d->vregs.n};
    d->live_as_written = ptx_count_registers(&list, &scratch);
    ptx_raise_loads(&p);
    arena_free(&scratch);
}
