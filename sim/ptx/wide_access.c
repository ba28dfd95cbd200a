/* SPDX-License-Identifier: MIT
 *
 * Accesses: neighbours of one base that are aligned as a whole become one wide access, and loads
 * move up within their block, as ptxas does it. Alignment is what can be known from the code:
 * addresses of shared variables, factors of products, shifts, masks. A pointer that is given to the
 * kernel is known to be aligned to nothing. */
#include <string.h>

#include "sim/ptx/as_hardware.h"

/* ---- alignment ------------------------------------------------------------------------------- */

#define PLACE_UNIT 128u /* bytes of the smallest register of a warp */
#define ANY_ALIGNMENT 63u
#define MOST_ROUNDS 100u

struct alignment {
    uint8_t *zeros;     /* [place / PLACE_UNIT]: low bits that are known to be zero */
    uint8_t *is_number; /* a constant */
    uint64_t *numbers;
};

static uint32_t low_zeros(uint64_t v)
{
    return v ? (uint32_t)__builtin_ctzll(v) : ANY_ALIGNMENT;
}

static uint32_t zeros_of(const struct alignment *a, uint32_t place)
{
    return a->zeros[place / PLACE_UNIT];
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Low zero bits of the result, from those of the operands. */
static uint32_t result_zeros(const struct alignment *a, const struct ptx_code *c)
{
    uint32_t za = zeros_of(a, c->a), zb = zeros_of(a, c->b), zc = zeros_of(a, c->c);
    switch ((enum ptx_form)c->form) {
    case PN_COPY:
    case PN_CONVERT: return za;
    case PN_CONSTANT: return c->kind == PK_ALU ? za : 0;
    case PN_ADD: return least(za, zb);
    case PN_MUL: return least(za + zb, ANY_ALIGNMENT);
    case PN_MAD: return least(least(za + zb, ANY_ALIGNMENT), zc);
    case PN_SHIFT:
        return a->is_number[c->b / PLACE_UNIT]
                   ? least(za + (uint32_t)a->numbers[c->b / PLACE_UNIT], ANY_ALIGNMENT)
                   : za;
    case PN_LOGIC: return c->is_and ? (za > zb ? za : zb) : c->b ? least(za, zb) : 0;
    default: return 0;
    }
}

static void note_zeros(struct alignment *a, uint32_t place, uint32_t zeros, bool *changed)
{
    uint8_t *have = &a->zeros[place / PLACE_UNIT];
    if (zeros < *have) {
        *have = (uint8_t)zeros;
        *changed = true;
    }
}

/* From "anything" down to what every writer of a register leaves, in rounds until nothing changes.
 * What is never written is zero. */
static void find_alignment(const struct ptx_native *p, struct alignment *a)
{
    size_t n = (p->d->file_bytes + p->d->fixed_bytes) / PLACE_UNIT + 2;
    a->zeros = arena_alloc(p->mem, n);
    a->is_number = arena_alloc(p->mem, n);
    a->numbers = arena_many(p->mem, uint64_t, n);
    memset(a->zeros, ANY_ALIGNMENT, n);
    for (size_t i = 0; i < p->d->specials.n; i++)
        a->zeros[p->d->specials.at[i].place / PLACE_UNIT] = 0;
    for (size_t i = 0; i < p->d->constants.n; i++) {
        const struct ptx_constant *k = &p->d->constants.at[i];
        a->zeros[k->place / PLACE_UNIT] = (uint8_t)low_zeros(k->bits);
        a->is_number[k->place / PLACE_UNIT] = 1;
        a->numbers[k->place / PLACE_UNIT] = k->bits;
    }
    bool changed = true;
    for (uint32_t round = 0; changed && round < MOST_ROUNDS; round++) {
        changed = false;
        for (uint32_t i = 0; i < p->n; i++) {
            const struct ptx_code *c = &p->d->codes.at[i];
            if (c->kind == PK_LOAD || c->kind == PK_TEXTURE || c->kind == PK_MMA ||
                c->kind == PK_LDMATRIX) {
                for (uint32_t k = 0; k < c->n_elems; k++)
                    note_zeros(a, c->u.elems[k], 0, &changed);
            } else if (c->kind != PK_STORE && c->kind != PK_SETP && c->kind != PK_PRED &&
                       c->kind != PK_SERVICE && c->d) {
                note_zeros(a, c->d, c->kind == PK_ALU ? result_zeros(a, c) : 0, &changed);
            }
        }
    }
    if (changed) /* nothing is known of code as twisted as this */
        memset(a->zeros, 0, p->d->file_bytes / PLACE_UNIT);
}

/* ---- what may pass what ---------------------------------------------------------------------- */

static bool has(const uint32_t *list, uint32_t n, uint32_t v)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i] == v)
            return true;
    return false;
}

/* Does anything that `u` writes stand in what `other` reads or writes, or the other way round? */
static bool depends(const struct ptx_uses *u, const struct ptx_uses *other)
{
    for (uint32_t i = 0; i < u->n_dst; i++)
        if (has(other->src, other->n_src, u->dst[i]) || has(other->dst, other->n_dst, u->dst[i]))
            return true;
    for (uint32_t i = 0; i < u->n_src; i++)
        if (has(other->dst, other->n_dst, u->src[i]))
            return true;
    return false;
}

static bool is_wall(const struct ptx_code *c)
{
    switch ((enum ptx_kind)c->kind) {
    case PK_BRANCH:
    case PK_TABLE:
    case PK_EXIT:
    case PK_TRAP:
    case PK_BARRIER:
    case PK_ATOMIC:
    case PK_SERVICE:
    case PK_CALL:
    case PK_RETURN:
    case PK_TEXTURE:
    case PK_LDMATRIX:
    case PK_FRAGMENT:
    case PK_CLOCK: return true;
    case PK_FENCE: return true;
    case PK_NOTHING: return !c->is_gone;
    default: return false;
    }
}

/* May two spaces be the same memory? */
static bool may_meet(uint8_t a, uint8_t b)
{
    if (a == PS_GENERIC || b == PS_GENERIC)
        return true;
    return a == b;
}

/* The accesses have one base, and their bytes are apart. */
static bool are_apart(const struct ptx_code *a, const struct ptx_code *b)
{
    if (a->a != b->a ||
        (a->flags & (PF_UNIFORM | PF_ADDRESS32)) != (b->flags & (PF_UNIFORM | PF_ADDRESS32)))
        return false;
    int64_t end_a = a->imm + a->bytes * a->n_elems, end_b = b->imm + b->bytes * b->n_elems;
    return a->imm >= end_b || b->imm >= end_a;
}

/* May the access change its order with the other one? */
static bool may_swap(const struct ptx_code *a, const struct ptx_code *b)
{
    bool is_access = b->kind == PK_LOAD || b->kind == PK_STORE;
    if (is_wall(b) || b->strong)
        return false;
    if (!is_access || (a->kind == PK_LOAD && b->kind == PK_LOAD))
        return true;
    return !may_meet(a->space, b->space) || are_apart(a, b);
}

/* ---- joining --------------------------------------------------------------------------------- */

#define MOST_BYTES 16u
#define WINDOW 64u /* codes that are looked at behind an access */

static bool can_join(const struct ptx_code *c)
{
    return (c->kind == PK_LOAD || c->kind == PK_STORE) && !ptx_is_guarded(c) && !c->strong &&
           !c->is_gone && !(c->flags & PF_SILENT) && c->n_elems == 1 && c->bytes >= 4 &&
           (c->space == PS_SHARED || c->space == PS_GLOBAL || c->space == PS_CONST ||
            c->space == PS_LOCAL);
}

static bool is_alike(const struct ptx_code *a, const struct ptx_code *b)
{
    return a->kind == b->kind && a->space == b->space && a->bytes == b->bytes &&
           a->type == b->type && a->elem_reg_bytes == b->elem_reg_bytes && a->a == b->a &&
           (a->flags & (PF_UNIFORM | PF_ADDRESS32)) == (b->flags & (PF_UNIFORM | PF_ADDRESS32));
}

struct group {
    uint32_t at[4]; /* codes, in their order */
    uint32_t n;
};

/* Everything between the first and `j` lets the two meet: a load goes up to the first, a store
 * goes down to the last. */
static bool can_meet(const struct ptx_native *p, const struct group *g, uint32_t j)
{
    const struct ptx_code *codes = p->d->codes.at;
    const struct ptx_uses *uses = p->real;
    bool is_load = codes[j].kind == PK_LOAD;
    for (uint32_t k = g->at[0] + 1; k < j; k++) {
        if (codes[k].is_gone || has(g->at, g->n, k))
            continue;
        if (is_load && (!may_swap(&codes[j], &codes[k]) || depends(&uses[j], &uses[k])))
            return false;
        for (uint32_t m = 0; !is_load && m < g->n; m++)
            if (k > g->at[m] &&
                (!may_swap(&codes[g->at[m]], &codes[k]) || depends(&uses[g->at[m]], &uses[k])))
                return false;
    }
    return true;
}

/* The code in the window whose bytes begin at `imm` of the first's base; 0: none. */
static uint32_t find_neighbour(const struct ptx_native *p, const struct group *g, int64_t imm)
{
    const struct ptx_code *codes = p->d->codes.at, *first = &codes[g->at[0]];
    for (uint32_t j = g->at[0] + 1; j < p->n && j < g->at[0] + WINDOW; j++) {
        if (p->block[j] != p->block[g->at[0]] || is_wall(&codes[j]))
            return 0;
        if (can_join(&codes[j]) && is_alike(first, &codes[j]) && codes[j].imm == imm &&
            can_meet(p, g, j))
            return j;
        /* a base that is written again is another one */
        if (!(first->flags & PF_UNIFORM) && p->real[g->at[0]].n_src &&
            has(p->real[j].dst, p->real[j].n_dst, p->real[g->at[0]].src[0]))
            return 0;
    }
    return 0;
}

static uint32_t zeros_of_access(const struct alignment *a, const struct ptx_code *c, int64_t imm)
{
    uint32_t of_offset = low_zeros((uint64_t)imm);
    return c->flags & PF_UNIFORM ? of_offset : least(of_offset, zeros_of(a, c->a));
}

/* What the group reads and writes belongs to the code `at`. */
static void add_uses(struct ptx_uses *uses, const struct group *g, uint32_t at)
{
    struct ptx_uses joint = {0};
    for (uint32_t m = 0; m < g->n; m++) {
        struct ptx_uses *u = &uses[g->at[m]];
        for (uint32_t k = 0; k < u->n_dst; k++)
            if (!has(joint.dst, joint.n_dst, u->dst[k]))
                joint.dst[joint.n_dst++] = u->dst[k];
        for (uint32_t k = 0; k < u->n_src; k++)
            if (!has(joint.src, joint.n_src, u->src[k]))
                joint.src[joint.n_src++] = u->src[k];
        *u = (struct ptx_uses){0};
    }
    uses[at] = joint;
}

static void join(struct ptx_native *p, const struct group *g)
{
    struct ptx_decoder *d = p->d;
    uint32_t first = g->at[0], last = g->at[0];
    for (uint32_t m = 0; m < g->n; m++) {
        first = least(first, g->at[m]);
        last = g->at[m] > last ? g->at[m] : last;
    }
    uint32_t at = d->codes.at[first].kind == PK_STORE ? last : first;
    uint32_t *elems = arena_many(d->mem, uint32_t, g->n);
    int64_t imm = d->codes.at[g->at[0]].imm;
    add_uses(p->d->uses.at, g, at);
    add_uses(p->real, g, at);
    for (uint32_t m = 0; m < g->n; m++) {
        struct ptx_code *c = &d->codes.at[g->at[m]];
        elems[m] = c->u.elems[0];
        imm = c->imm < imm ? c->imm : imm;
        if (g->at[m] == at)
            continue;
        c->kind = PK_NOTHING;
        c->flags = PF_SILENT;
        c->is_gone = true;
    }
    struct ptx_code *c = &d->codes.at[at];
    c->u.elems = elems;
    c->n_elems = (uint8_t)g->n;
    c->imm = imm;
    d->statics.at[c->stat].access_bytes = (uint8_t)(c->bytes * g->n);
}

/* A group of n accesses that begin with code i, in the order of their addresses; the code itself
 * may be any of them. */
static bool collect(const struct ptx_native *p, const struct alignment *a, uint32_t i, uint32_t n,
                    struct group *g)
{
    const struct ptx_code *c = &p->d->codes.at[i];
    uint32_t zeros = low_zeros((uint64_t)n * c->bytes);
    for (uint32_t mine = 0; mine < n; mine++) {
        int64_t low = c->imm - (int64_t)mine * c->bytes;
        if (zeros_of_access(a, c, low) < zeros)
            continue;
        struct group found = {.at = {i}, .n = 1}, sorted = {.n = n};
        sorted.at[mine] = i;
        bool ok = true;
        for (uint32_t m = 0; m < n && ok; m++) {
            if (m == mine)
                continue;
            uint32_t j = find_neighbour(p, &found, low + (int64_t)m * c->bytes);
            ok = j != 0;
            sorted.at[m] = j;
            if (ok)
                found.at[found.n++] = j;
        }
        if (ok) {
            *g = sorted;
            return true;
        }
    }
    return false;
}

void ptx_join_accesses(struct ptx_native *p)
{
    struct alignment a;
    find_alignment(p, &a);
    for (uint32_t i = 0; i < p->n; i++) {
        const struct ptx_code *c = &p->d->codes.at[i];
        struct group g;
        if (!can_join(c))
            continue;
        for (uint32_t n = MOST_BYTES / c->bytes; n >= 2; n /= 2)
            if (collect(p, &a, i, n, &g)) {
                join(p, &g);
                break;
            }
    }
}

/* ---- raising --------------------------------------------------------------------------------- */

#define WAY_UP 512u     /* codes that a load is moved up at most */
#define MOST_RAISED 32u /* 32-bit registers that wait for loads which were moved up */

static bool feeds(const struct ptx_uses *u, const struct ptx_uses *to)
{
    for (uint32_t i = 0; i < u->n_dst; i++)
        if (has(to->src, to->n_src, u->dst[i]))
            return true;
    return false;
}

enum { STAYS = 1, ADDRESS, LOAD }; /* what a code is to the loads that are raised; 0: nothing */

static bool can_rise(const struct ptx_code *c, bool is_global)
{
    return c->kind == PK_LOAD && !c->strong && !ptx_is_guarded(c) &&
           (is_global ? c->space == PS_GLOBAL : c->space == PS_SHARED || c->space == PS_CONST);
}

/* Loads of a kind, and what computes their addresses. */
static void mark_slice(const struct ptx_native *p, uint32_t first, uint32_t end, bool is_global,
                       uint8_t *in)
{
    const struct ptx_code *codes = p->d->codes.at;
    for (uint32_t i = end; i-- > first;) {
        const struct ptx_code *c = &codes[i];
        in[i] = can_rise(c, is_global) ? LOAD : !is_global && in[i] ? STAYS : 0;
        if (in[i] || c->kind != PK_ALU || ptx_is_guarded(c))
            continue;
        for (uint32_t j = i + 1; j < end && j < i + WINDOW && !in[i]; j++)
            in[i] = in[j] > STAYS && feeds(&p->real[i], &p->real[j]) ? ADDRESS : 0;
    }
}

static void move_up(struct ptx_native *p, uint32_t from, uint32_t to, uint8_t *in, uint8_t *held)
{
    struct ptx_decoder *d = p->d;
    struct ptx_uses real = p->real[from];
    struct ptx_code c = d->codes.at[from];
    struct ptx_uses u = d->uses.at[from];
    struct ptx_source s = d->sources.at[from];
    uint8_t flag = in[from], waits = held[from];
    memmove(&d->codes.at[to + 1], &d->codes.at[to], (from - to) * sizeof c);
    memmove(&d->uses.at[to + 1], &d->uses.at[to], (from - to) * sizeof u);
    memmove(&d->sources.at[to + 1], &d->sources.at[to], (from - to) * sizeof s);
    memmove(&p->real[to + 1], &p->real[to], (from - to) * sizeof real);
    memmove(&in[to + 1], &in[to], from - to);
    memmove(&held[to + 1], &held[to], from - to);
    d->codes.at[to] = c;
    d->uses.at[to] = u;
    d->sources.at[to] = s;
    p->real[to] = real;
    in[to] = flag;
    held[to] = waits > held[to + 1] ? held[to + 1] : waits;
}

static uint32_t units_of(const struct ptx_native *p, const struct ptx_uses *u)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < u->n_dst; k++)
        n += p->d->vregs.at[u->dst[k]].units;
    return n;
}

/* Up to where nothing it depends on stands, past what does not belong to loads, as long as there
 * are registers for what waits: held[code], of loads that were raised past it. */
static void raise_block(struct ptx_native *p, uint32_t first, uint32_t end, uint8_t *in,
                        uint8_t *held)
{
    struct ptx_decoder *d = p->d;
    for (uint32_t i = first; i < end; i++) {
        if (in[i] <= STAYS)
            continue;
        uint32_t to = i, best = i, units = in[i] == LOAD ? units_of(p, &p->real[i]) : 0;
        while (to > first && i - to < WAY_UP) {
            const struct ptx_code *above = &d->codes.at[to - 1];
            bool is_silent_step = above->flags & PF_SILENT && !above->is_free && !above->is_gone;
            if (depends(&p->real[i], &p->real[to - 1]) || is_silent_step || is_wall(above) ||
                (in[i] == LOAD && !may_swap(&d->codes.at[i], above)) || in[to - 1] == STAYS ||
                held[to - 1] + units > MOST_RAISED)
                break;
            to--;
            if (!in[to]) /* loads and their addresses keep their order */
                best = to;
            else if (best != to + 1)
                break;
        }
        bool has_steps = i + 1 < end && d->codes.at[i + 1].flags & PF_SILENT &&
                         !d->codes.at[i + 1].is_free && !d->codes.at[i + 1].is_gone;
        if (best == i || has_steps)
            continue;
        move_up(p, i, best, in, held);
        for (uint32_t k = best + 1; k <= i; k++)
            held[k] = (uint8_t)(held[k] + units);
    }
}

/* Loads from global memory first, whose results take longest: the others have what registers they
 * leave, and stay behind them. */
void ptx_raise_loads(struct ptx_native *p)
{
    uint8_t *in = arena_alloc(p->mem, p->n + 1), *held = arena_alloc(p->mem, p->n + 1);
    for (uint32_t first = 0, end; first < p->n; first = end) {
        for (end = first + 1; end < p->n && p->block[end] == p->block[first];)
            end++;
        for (int is_global = 1; is_global >= 0; is_global--) {
            /* the last one may leave the block */
            mark_slice(p, first, end, is_global, in);
            raise_block(p, first, end, in, held);
        }
    }
}
