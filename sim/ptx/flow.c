/* SPDX-License-Identifier: MIT
 *
 * Control flow: basic blocks, immediate post-dominators (Cooper, Harvey and Kennedy 2001, on the
 * reversed graph), live ranges and register numbers. */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/vec.h"
#include "sim/ptx/code.h"

#define NONE UINT32_MAX

struct block {
    uint32_t first, end; /* codes first..end-1 */
    uint32_t n_succs, succs_at;
    uint32_t n_preds, preds_at;
};

struct flow {
    struct block *blocks;
    uint32_t n;
    uint32_t *block_of; /* [code] */
    VEC(uint32_t) succs;
    uint32_t *preds;
};

static bool ends_block(const struct ptx_code *c)
{
    return c->kind == PK_BRANCH || c->kind == PK_TABLE || c->kind == PK_EXIT ||
           c->kind == PK_TRAP || c->kind == PK_RETURN;
}

/* True where control may go on behind the code. */
static bool falls_through(const struct ptx_code *c)
{
    bool guarded = c->guard != 0 || c->guard_flip != 0;
    return !ends_block(c) || guarded;
}

static void build_blocks(struct flow *f, const struct ptx_code *codes, uint32_t n,
                         struct arena *mem)
{
    uint8_t *leads = arena_alloc(mem, n + 1);
    leads[0] = 1;
    for (uint32_t i = 0; i < n; i++) {
        if (codes[i].kind == PK_BRANCH)
            leads[codes[i].target] = 1;
        for (uint32_t k = 0; codes[i].kind == PK_TABLE && k < codes[i].n_targets; k++)
            leads[codes[i].u.targets[k]] = 1;
        if (ends_block(&codes[i]))
            leads[i + 1] = 1;
    }
    uint32_t n_blocks = 0;
    for (uint32_t i = 0; i < n; i++)
        n_blocks += leads[i];
    f->blocks = arena_many(mem, struct block, n_blocks + 1);
    f->block_of = arena_many(mem, uint32_t, n + 1);
    f->n = n_blocks;
    uint32_t b = NONE;
    for (uint32_t i = 0; i < n; i++) {
        if (leads[i]) {
            b++;
            f->blocks[b].first = i;
        }
        f->block_of[i] = b;
        f->blocks[b].end = i + 1;
    }
}

static void add_succ(struct flow *f, uint32_t b, uint32_t to, struct arena *mem)
{
    struct block *blk = &f->blocks[b];
    for (uint32_t k = 0; k < blk->n_succs; k++)
        if (f->succs.at[blk->succs_at + k] == to)
            return;
    vec_push(mem, &f->succs, to);
    blk->n_succs++;
}

static void build_flow(struct flow *f, const struct ptx_code *codes, uint32_t n, struct arena *mem)
{
    build_blocks(f, codes, n, mem);
    for (uint32_t b = 0; b < f->n; b++) {
        const struct ptx_code *last = &codes[f->blocks[b].end - 1];
        f->blocks[b].succs_at = (uint32_t)f->succs.n;
        if (last->kind == PK_BRANCH)
            add_succ(f, b, f->block_of[last->target], mem);
        for (uint32_t k = 0; last->kind == PK_TABLE && k < last->n_targets; k++)
            add_succ(f, b, f->block_of[last->u.targets[k]], mem);
        if (falls_through(last) && f->blocks[b].end < n)
            add_succ(f, b, f->block_of[f->blocks[b].end], mem);
    }
    for (size_t i = 0; i < f->succs.n; i++)
        f->blocks[f->succs.at[i]].n_preds++;
    uint32_t at = 0;
    for (uint32_t b = 0; b < f->n; b++) {
        f->blocks[b].preds_at = at;
        at += f->blocks[b].n_preds;
        f->blocks[b].n_preds = 0;
    }
    f->preds = arena_many(mem, uint32_t, at + 1);
    for (uint32_t b = 0; b < f->n; b++)
        for (uint32_t k = 0; k < f->blocks[b].n_succs; k++) {
            assert(f->blocks[b].succs_at + k < f->succs.n);
            struct block *to = &f->blocks[f->succs.at[f->blocks[b].succs_at + k]];
            f->preds[to->preds_at + to->n_preds++] = b;
        }
}

/* Blocks in postorder of the reversed graph, begun at the exits; returns how many were reached. */
static uint32_t reverse_postorder(const struct flow *f, const bool *is_exit, uint32_t *order,
                                  uint32_t *number, struct arena *mem)
{
    uint32_t *stack = arena_many(mem, uint32_t, f->n + 1), *next = arena_many(mem, uint32_t, f->n);
    uint8_t *seen = arena_alloc(mem, f->n + 1);
    uint32_t n = 0;
    for (uint32_t root = 0; root < f->n; root++) {
        if (!is_exit[root] || seen[root])
            continue;
        uint32_t depth = 0;
        stack[depth++] = root;
        seen[root] = 1;
        while (depth) {
            uint32_t b = stack[depth - 1];
            if (next[b] < f->blocks[b].n_preds) {
                uint32_t p = f->preds[f->blocks[b].preds_at + next[b]++];
                if (!seen[p]) {
                    seen[p] = 1;
                    stack[depth++] = p;
                }
            } else {
                number[b] = n;
                order[n++] = b;
                depth--;
            }
        }
    }
    return n;
}

void ptx_find_meets(struct ptx_code *codes, uint32_t n, struct arena *scratch)
{
    struct flow f = {0};
    if (n == 0)
        return;
    build_flow(&f, codes, n, scratch);
    uint32_t exit = f.n; /* a virtual block behind all exits */
    bool *is_exit = arena_many(scratch, bool, f.n);
    uint32_t *order = arena_many(scratch, uint32_t, f.n),
             *number = arena_many(scratch, uint32_t, f.n + 1);
    uint32_t *ipdom = arena_many(scratch, uint32_t, f.n + 1);
    for (uint32_t b = 0; b < f.n; b++) {
        const struct ptx_code *last = &codes[f.blocks[b].end - 1];
        /* threads that leave by a guarded exit need not be met: it counts as falling through */
        is_exit[b] = f.blocks[b].n_succs == 0 || (falls_through(last) && f.blocks[b].end == n);
        ipdom[b] = NONE;
        number[b] = NONE;
    }
    uint32_t reached = reverse_postorder(&f, is_exit, order, number, scratch);
    number[exit] = reached;
    ipdom[exit] = exit;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = reached; k-- > 0;) {
            uint32_t b = order[k], best = is_exit[b] ? exit : NONE;
            for (uint32_t s = 0; s < f.blocks[b].n_succs; s++) {
                uint32_t to = f.succs.at[f.blocks[b].succs_at + s];
                if (ipdom[to] == NONE)
                    continue;
                if (best == NONE) {
                    best = to;
                    continue;
                }
                uint32_t x = to, y = best;
                while (x != y)
                    if (number[x] < number[y])
                        x = ipdom[x];
                    else
                        y = ipdom[y];
                best = x;
            }
            if (ipdom[b] != best) {
                ipdom[b] = best;
                changed = true;
            }
        }
    }
    for (uint32_t b = 0; b < f.n; b++) {
        struct ptx_code *last = &codes[f.blocks[b].end - 1];
        if (last->kind == PK_BRANCH || last->kind == PK_TABLE)
            last->meet =
                ipdom[b] == NONE || ipdom[b] == exit ? PTX_NO_PC : f.blocks[ipdom[b]].first;
    }
}

/* ---- live ranges ----------------------------------------------------------------------------- */

struct live {
    uint64_t *in, *out; /* [block * words] */
    size_t words;
};

static bool is_guarded(const struct ptx_code *c)
{
    return c->guard != 0 || c->guard_flip != 0;
}

/* One code backwards. A guarded write does not end a range: the old value may live on. */
static void step_back(uint64_t *set, const struct ptx_code *c, const struct ptx_uses *u)
{
    if (!is_guarded(c))
        for (uint32_t k = 0; k < u->n_dst; k++)
            bits_clear(set, u->dst[k]);
    for (uint32_t k = 0; k < u->n_src; k++)
        bits_set(set, u->src[k]);
}

static void find_live(const struct flow *f, struct live *l, const struct ptx_code *codes,
                      const struct ptx_uses *uses, struct arena *mem)
{
    uint64_t *set = arena_many(mem, uint64_t, l->words);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = f->n; b-- > 0;) {
            const struct block *blk = &f->blocks[b];
            uint64_t *out = l->out + b * l->words, *in = l->in + b * l->words;
            for (uint32_t s = 0; s < blk->n_succs; s++) {
                const uint64_t *from = l->in + f->succs.at[blk->succs_at + s] * l->words;
                for (size_t w = 0; w < l->words; w++)
                    out[w] |= from[w];
            }
            memcpy(set, out, l->words * sizeof *set);
            for (uint32_t i = blk->end; i-- > blk->first;)
                step_back(set, &codes[i], &uses[i]);
            if (memcmp(set, in, l->words * sizeof *set) != 0) {
                memcpy(in, set, l->words * sizeof *set);
                changed = true;
            }
        }
    }
}

/* ---- copies that need no instruction ------------------------------------------------------------
 * Two registers of which one is a copy of the other become one register where they are never alive
 * with different values at once (Chaitin 1982): the moves at the ends of loops, mostly. */

#define MOST_COPIED 2048u

struct copies {
    uint32_t *index; /* [virtual register]: among those that are copied, + 1; 0: it is not */
    uint32_t n;
    size_t words;
    uint64_t *conflicts; /* [index * words]: bit set */
    uint32_t *root;      /* [virtual register] */
};

static bool is_copy(const struct ptx_code *c, const struct ptx_uses *u)
{
    return c->form == PN_COPY && !(c->flags & PF_SILENT) && !is_guarded(c) && u->n_dst == 1 &&
           u->n_src == 1;
}

static void note_conflicts(const struct copies *k, const uint64_t *alive, size_t words,
                           uint32_t written, uint32_t copied_from)
{
    uint32_t x = k->index[written];
    if (!x)
        return;
    for (size_t w = 0; w < words; w++)
        for (uint64_t m = alive[w]; m; m &= m - 1) {
            uint32_t v = (uint32_t)(w * 64) + bits_lowest(m), y = k->index[v];
            if (!y || v == written || v == copied_from)
                continue;
            bits_set(k->conflicts + (x - 1) * k->words, y - 1);
            bits_set(k->conflicts + (y - 1) * k->words, x - 1);
        }
}

static uint32_t root_of(const struct copies *k, uint32_t v)
{
    while (k->root[v] != v)
        v = k->root[v];
    return v;
}

/* Joins the classes of two registers, unless members of one conflict with the other. */
static bool join_classes(struct copies *k, uint32_t a, uint32_t b, uint32_t n_vregs)
{
    uint32_t x = root_of(k, a), y = root_of(k, b);
    if (x == y)
        return true;
    uint64_t *cx = k->conflicts + (k->index[x] - 1) * k->words;
    const uint64_t *cy = k->conflicts + (k->index[y] - 1) * k->words;
    for (uint32_t v = 0; v < n_vregs; v++) {
        if (!k->index[v])
            continue;
        uint32_t r = root_of(k, v);
        if ((r == y && bits_test(cx, k->index[v] - 1)) ||
            (r == x && bits_test(cy, k->index[v] - 1)))
            return false;
    }
    for (size_t w = 0; w < k->words; w++)
        cx[w] |= cy[w];
    k->root[y] = x;
    return true;
}

static void find_conflicts(const struct flow *f, const struct live *l, const struct copies *k,
                           const struct ptx_code *codes, const struct ptx_uses *uses,
                           struct arena *mem)
{
    uint64_t *set = arena_many(mem, uint64_t, l->words);
    for (uint32_t b = 0; b < f->n; b++) {
        memcpy(set, l->out + b * l->words, l->words * sizeof *set);
        for (uint32_t i = f->blocks[b].end; i-- > f->blocks[b].first;) {
            uint32_t from = is_copy(&codes[i], &uses[i]) ? uses[i].src[0] : NONE;
            for (uint32_t d = 0; d < uses[i].n_dst; d++)
                note_conflicts(k, set, l->words, uses[i].dst[d], from);
            step_back(set, &codes[i], &uses[i]);
        }
    }
}

void ptx_join_copies(struct ptx_code *codes, struct ptx_uses *uses, uint32_t n,
                     const struct ptx_vreg *vregs, uint32_t n_vregs, uint32_t *roots,
                     struct arena *scratch)
{
    struct copies k = {.index = arena_many(scratch, uint32_t, n_vregs + 1),
                       .root = arena_many(scratch, uint32_t, n_vregs + 1)};
    for (uint32_t v = 0; v < n_vregs; v++)
        roots[v] = k.root[v] = v;
    for (uint32_t i = 0; i < n; i++) {
        if (!is_copy(&codes[i], &uses[i]))
            continue;
        uint32_t pair[] = {uses[i].dst[0], uses[i].src[0]};
        for (int e = 0; e < 2; e++)
            if (!k.index[pair[e]])
                k.index[pair[e]] = ++k.n;
    }
    struct flow f = {0};
    struct live l = {.words = bits_words(n_vregs ? n_vregs : 1)};
    if (k.n == 0 || k.n > MOST_COPIED)
        return;
    build_flow(&f, codes, n, scratch);
    if ((uint64_t)l.words * f.n >= (uint64_t)1 << 24)
        return;
    k.words = bits_words(k.n);
    k.conflicts = arena_many(scratch, uint64_t, k.words * k.n);
    l.in = arena_many(scratch, uint64_t, l.words * f.n);
    l.out = arena_many(scratch, uint64_t, l.words * f.n);
    find_live(&f, &l, codes, uses, scratch);
    find_conflicts(&f, &l, &k, codes, uses, scratch);
    for (uint32_t i = 0; i < n; i++)
        if (is_copy(&codes[i], &uses[i]) &&
            vregs[uses[i].dst[0]].units == vregs[uses[i].src[0]].units &&
            join_classes(&k, uses[i].dst[0], uses[i].src[0], n_vregs)) {
            codes[i].flags |= PF_SILENT;
            codes[i].is_free = true;
        }
    for (uint32_t v = 0; v < n_vregs; v++)
        roots[v] = root_of(&k, v);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t d = 0; d < uses[i].n_dst; d++)
            uses[i].dst[d] = root_of(&k, uses[i].dst[d]);
        for (uint32_t s = 0; s < uses[i].n_src; s++)
            uses[i].src[s] = root_of(&k, uses[i].src[s]);
    }
}

/* ---- registers per thread ----------------------------------------------------------------------
 * What is alive at once after fusing, plus what an allocator takes besides: the stack's pointer,
 * numbers beside a parameter (an instruction has one place for what is no register), gaps between
 * pairs. That it is four is measured: with it the estimate has no bias over the shipped kernels
 * beside ptxas 13.0 (sm_75); public kernels judge it (docs/ptx.md). */

#define BEYOND_LIVE 4u

static uint32_t units_alive(const uint64_t *set, size_t words, const struct ptx_vreg *vregs)
{
    uint32_t n = 0;
    for (size_t w = 0; w < words; w++)
        for (uint64_t m = set[w]; m; m &= m - 1)
            n += vregs[w * 64 + bits_lowest(m)].units;
    return n;
}

static uint32_t most_alive(const struct ptx_listing *list, const struct flow *f,
                           const struct live *l, struct arena *mem)
{
    uint64_t *set = arena_many(mem, uint64_t, l->words);
    uint32_t most = 0;
    for (uint32_t b = 0; b < f->n; b++) {
        const struct block *blk = &f->blocks[b];
        memcpy(set, l->out + b * l->words, l->words * sizeof *set);
        for (uint32_t i = blk->end; i-- > blk->first;) {
            const struct ptx_uses *u = &list->uses[i];
            for (uint32_t k = 0; k < u->n_dst; k++)
                bits_set(set, u->dst[k]);
            uint32_t alive = units_alive(set, l->words, list->vregs);
            most = alive > most ? alive : most;
            step_back(set, &list->codes[i], u);
        }
    }
    return most;
}

static bool names(const uint32_t *list, uint32_t n, uint32_t v)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i] == v)
            return true;
    return false;
}

#define MOST_HELD 256u /* codes behind an access */

/* The next code of the block that reads or writes what `at` writes; the last one: none does. */
static uint32_t next_mention(const struct ptx_listing *list, uint32_t at, uint32_t end)
{
    const struct ptx_uses *u = &list->uses[at];
    end = end - at > MOST_HELD ? at + MOST_HELD : end;
    for (uint32_t j = at + 1; j < end && u->n_dst; j++)
        for (uint32_t k = 0; k < u->n_dst; k++)
            if (names(list->uses[j].src, list->uses[j].n_src, u->dst[k]) ||
                names(list->uses[j].dst, list->uses[j].n_dst, u->dst[k]))
                return j;
    return end - 1;
}

static bool is_access(const struct ptx_code *c)
{
    return (c->kind == PK_LOAD || c->kind == PK_STORE || c->kind == PK_ATOMIC ||
            c->kind == PK_TEXTURE) &&
           c->space != PS_PARAM;
}

/* An access reads its registers some time after it was issued. They are given to nothing else
 * before its result is read, or the block ends, unless the code itself writes them again, for which
 * hardware waits. */
static void hold_operands(struct ptx_listing *list, const struct flow *f, struct arena *mem)
{
    struct ptx_uses *held = arena_many(mem, struct ptx_uses, list->n + 1);
    memcpy(held, list->uses, list->n * sizeof *held);
    for (uint32_t i = 0; i < list->n; i++) {
        const struct ptx_uses *u = &list->uses[i];
        if (!is_access(&list->codes[i]))
            continue;
        uint32_t until = next_mention(list, i, f->blocks[f->block_of[i]].end);
        struct ptx_uses *to = &held[until];
        for (uint32_t k = 0; k < u->n_src; k++) {
            bool is_kept = !names(to->src, to->n_src, u->src[k]) &&
                           to->n_src < sizeof to->src / sizeof *to->src;
            for (uint32_t j = i; j <= until && is_kept; j++)
                is_kept = !names(list->uses[j].dst, list->uses[j].n_dst, u->src[k]);
            if (is_kept)
                to->src[to->n_src++] = u->src[k];
        }
    }
    list->uses = held;
}

/* A word of constant memory whose address is a number is an operand and needs no register. */
static void drop_constants(struct ptx_listing *list, struct arena *mem)
{
    struct ptx_vreg *vregs = arena_many(mem, struct ptx_vreg, list->n_vregs + 1);
    uint8_t *defs = arena_alloc(mem, list->n_vregs + 1);
    if (list->n_vregs)
        memcpy(vregs, list->vregs, list->n_vregs * sizeof *vregs);
    for (uint32_t i = 0; i < list->n; i++)
        for (uint32_t k = 0; k < list->uses[i].n_dst; k++)
            defs[list->uses[i].dst[k]] += defs[list->uses[i].dst[k]] < 2;
    for (uint32_t i = 0; i < list->n; i++) {
        const struct ptx_code *c = &list->codes[i];
        bool is_constant = c->kind == PK_LOAD && c->space == PS_CONST && c->flags & PF_UNIFORM;
        for (uint32_t k = 0; k < list->uses[i].n_dst && is_constant && !is_guarded(c); k++)
            if (defs[list->uses[i].dst[k]] == 1)
                vregs[list->uses[i].dst[k]].units = 0;
    }
    list->vregs = vregs;
}

uint32_t ptx_count_registers(const struct ptx_listing *list, struct arena *scratch)
{
    struct ptx_listing work = *list;
    struct flow f = {0};
    struct live l = {.words = bits_words(work.n_vregs ? work.n_vregs : 1)};
    if (work.n == 0)
        return 0;
    build_flow(&f, work.codes, work.n, scratch);
    if ((uint64_t)l.words * f.n >= (uint64_t)1 << 24) /* a hostile size: no estimate */
        return 0;
    l.in = arena_many(scratch, uint64_t, l.words * f.n);
    l.out = arena_many(scratch, uint64_t, l.words * f.n);
    drop_constants(&work, scratch);
    hold_operands(&work, &f, scratch);
    find_live(&f, &l, work.codes, work.uses, scratch);
    return most_alive(&work, &f, &l, scratch) + BEYOND_LIVE;
}

struct range {
    uint32_t from, to; /* codes; from > to: never used */
};

static void extend(struct range *r, uint32_t at)
{
    if (at < r->from)
        r->from = at;
    if (at > r->to)
        r->to = at;
}

#define N_GENERAL (TRACE_FIRST_PREDICATE - 1u)

/* Linear scan (Poletto and Sarkar 1999): the lowest free number. Where all are taken they are
 * shared, which may delay an instruction in the timing model but never frees one. */
static void assign(const struct range *ranges, const struct ptx_vreg *vregs, uint32_t n_vregs,
                   uint32_t n, uint8_t *numbers, struct arena *mem)
{
    uint32_t *begin = arena_many(mem, uint32_t, n + 2),
             *sorted = arena_many(mem, uint32_t, n_vregs);
    uint32_t free_at[256] = {0}; /* code from which the number is free */
    uint32_t share = 0;
    for (uint32_t v = 0; v < n_vregs; v++)
        if (ranges[v].from <= ranges[v].to)
            begin[ranges[v].from + 1]++;
    for (uint32_t i = 0; i <= n; i++)
        begin[i + 1] += begin[i];
    for (uint32_t v = 0; v < n_vregs; v++)
        if (ranges[v].from <= ranges[v].to)
            sorted[begin[ranges[v].from]++] = v;
    uint32_t n_sorted = begin[n];
    for (uint32_t k = 0; k < n_sorted; k++) {
        uint32_t v = sorted[k], low = vregs[v].units ? 1 : TRACE_FIRST_PREDICATE;
        uint32_t high = vregs[v].units ? N_GENERAL : 255, number = 0;
        for (uint32_t r = low; r <= high && !number; r++)
            if (free_at[r] <= ranges[v].from)
                number = r;
        if (!number)
            number = low + share++ % (high - low + 1);
        numbers[v] = (uint8_t)number;
        if (free_at[number] < ranges[v].to)
            free_at[number] = ranges[v].to;
    }
}

uint32_t ptx_number_registers(const struct ptx_listing *list, struct arena *scratch,
                              uint8_t *numbers)
{
    const struct ptx_uses *uses = list->uses;
    uint32_t n = list->n, n_vregs = list->n_vregs, max_live = 0;
    struct flow f = {0};
    if (n == 0)
        return 0;
    build_flow(&f, list->codes, n, scratch);
    struct live l = {.words = bits_words(n_vregs ? n_vregs : 1)};
    struct range *ranges = arena_many(scratch, struct range, n_vregs + 1);
    for (uint32_t v = 0; v < n_vregs; v++)
        ranges[v] = (struct range){NONE, 0};
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < uses[i].n_dst; k++)
            extend(&ranges[uses[i].dst[k]], i);
        for (uint32_t k = 0; k < uses[i].n_src; k++)
            extend(&ranges[uses[i].src[k]], i);
    }
    /* a hostile size: numbers by first and last mention alone, no estimate of live registers */
    if ((uint64_t)l.words * f.n < (uint64_t)1 << 24) {
        l.in = arena_many(scratch, uint64_t, l.words * f.n);
        l.out = arena_many(scratch, uint64_t, l.words * f.n);
        uint64_t *set = arena_many(scratch, uint64_t, l.words);
        find_live(&f, &l, list->codes, uses, scratch);
        for (uint32_t b = 0; b < f.n; b++) {
            const struct block *blk = &f.blocks[b];
            for (size_t w = 0; w < l.words; w++) {
                for (uint64_t m = l.in [b * l.words + w]; m; m &= m - 1)
                    extend(&ranges[w * 64 + bits_lowest(m)], blk->first);
                for (uint64_t m = l.out[b * l.words + w]; m; m &= m - 1)
                    extend(&ranges[w * 64 + bits_lowest(m)], blk->end - 1);
            }
            memcpy(set, l.out + b * l.words, l.words * sizeof *set);
            for (uint32_t i = blk->end; i-- > blk->first;) {
                for (uint32_t k = 0; k < uses[i].n_dst; k++)
                    bits_set(set, uses[i].dst[k]);
                uint32_t alive = units_alive(set, l.words, list->vregs);
                max_live = alive > max_live ? alive : max_live;
                step_back(set, &list->codes[i], &uses[i]);
            }
        }
    }
    assign(ranges, list->vregs, n_vregs, n, numbers, scratch);
    return max_live;
}
