/* SPDX-License-Identifier: MIT
 *
 * Races in shared memory: two warps of a CTA touch the same word, one of them writes, and no
 * barrier that orders the two accesses lies between them. Happens-before as in Lamport 1978, one
 * stamp a release of a barrier instead of a clock a warp, which is exact for barriers of the whole
 * CTA and forgets some older accesses (never invents one) where named barriers order a part of it.
 * Two strong accesses (atomics, volatile, relaxed, acquire, release) do not race. They order what
 * lies around them as PTX ISA 8.3 section "Release and Acquire Patterns" says: a fence and a strong
 * write of one warp, a strong read of the same word and a fence of another. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/exec.h"

/* Races are in the code, not in the CTA: unless all are wanted, some CTAs are looked at. */
#define FIRST_CTAS 2u
#define EVERY_CTA 64u

/* Who touched a word since `stamp`; what is older than the last barrier of the whole CTA is not
 * looked at. */
struct shadow {
    uint32_t stamp;
    uint32_t readers, writers, plain; /* bit sets of warps; plain: at least one weak access */
    uint32_t read_code, write_code;   /* of the last ones */
};

/* [warp]: what it did before this is ordered. */
struct view {
    uint32_t of[PTX_MAX_CTA_WARPS];
};

#define MEETINGS 64u

struct ptx_races {
    struct shadow *words;
    uint32_t shift; /* a word has 1 << shift bytes */
    uint32_t now;   /* the last release of a barrier */
    uint32_t floor; /* the last one of the whole CTA */
    /* [warp * PTX_MAX_CTA_WARPS + other]: what the other did before this is ordered */
    uint32_t seen[PTX_MAX_CTA_WARPS * PTX_MAX_CTA_WARPS];
    /* [warp]: what a strong write of it publishes, and what strong reads brought since its last
     * fence */
    struct view at_fence[PTX_MAX_CTA_WARPS], brought[PTX_MAX_CTA_WARPS];
    /* Published at words, by a hash of their address: words that share a place are taken for one,
     * so that a race may be missed and none is invented. */
    struct view words_at[MEETINGS];
};

/* The smallest access to shared memory decides how fine words are. */
static uint32_t word_shift(const struct ptx_kernel *k)
{
    uint32_t least = 4;
    for (uint32_t i = 0; i < k->n_codes; i++) {
        const struct ptx_code *c = &k->codes[i];
        bool is_access = c->kind == PK_LOAD || c->kind == PK_STORE || c->kind == PK_ATOMIC ||
                         c->kind == PK_FRAGMENT;
        if (is_access && (c->space == PS_SHARED || c->space == PS_GENERIC) && c->bytes < least)
            least = c->bytes;
    }
    return least == 4 ? 2 : least == 2 ? 1 : 0;
}

bool ptx_races_begin(struct ptx_exec *x)
{
    if (x->n_warps < 2 || x->shared_bytes == 0 || x->launch->races == PTX_RACES_OFF)
        return true;
    x->races = calloc(1, sizeof *x->races);
    if (!x->races)
        return false;
    x->races->shift = word_shift(x->kernel);
    x->races->words = calloc((x->shared_bytes >> x->races->shift) + 16, sizeof *x->races->words);
    return x->races->words != NULL;
}

void ptx_races_end(struct ptx_exec *x)
{
    if (x->races)
        free(x->races->words);
    free(x->races);
    x->races = NULL;
}

/* ---- barriers -------------------------------------------------------------------------------- */

/* Stamps go on from CTA to CTA, so that nothing needs to be cleared, until they would run out. */
void ptx_races_new_cta(struct ptx_exec *x)
{
    struct ptx_races *r = x->races;
    x->is_watched = r && (x->launch->races == PTX_RACES_ALL || x->cta_id < FIRST_CTAS ||
                          x->cta_id % EVERY_CTA == 0);
    if (!x->is_watched)
        return;
    if (r->now > UINT32_MAX / 2) {
        memset(r->words, 0, ((x->shared_bytes >> r->shift) + 16) * sizeof *r->words);
        memset(r->seen, 0, sizeof r->seen);
        memset(r->at_fence, 0, sizeof r->at_fence);
        memset(r->brought, 0, sizeof r->brought);
        memset(r->words_at, 0, sizeof r->words_at);
        r->now = 0;
    }
    r->floor = ++r->now;
}

void ptx_races_release(struct ptx_races *r, uint32_t arrived, uint32_t waiting, bool is_whole)
{
    r->now++;
    if (is_whole) {
        r->floor = r->now;
        return;
    }
    uint32_t join[PTX_MAX_CTA_WARPS] = {0};
    for (uint32_t m = arrived; m; m &= m - 1) {
        const uint32_t *of = r->seen + (uint32_t)__builtin_ctz(m) * PTX_MAX_CTA_WARPS;
        for (uint32_t u = 0; u < PTX_MAX_CTA_WARPS; u++)
            join[u] = of[u] > join[u] ? of[u] : join[u];
    }
    for (uint32_t m = arrived; m; m &= m - 1)
        join[__builtin_ctz(m)] = r->now;
    for (uint32_t m = waiting; m; m &= m - 1)
        memcpy(r->seen + (uint32_t)__builtin_ctz(m) * PTX_MAX_CTA_WARPS, join, sizeof join);
}

/* ---- fences and strong accesses -------------------------------------------------------------- */

static void join(uint32_t *into, const uint32_t *from)
{
    for (uint32_t u = 0; u < PTX_MAX_CTA_WARPS; u++)
        into[u] = from[u] > into[u] ? from[u] : into[u];
}

void ptx_races_fence(struct ptx_races *r, uint32_t warp)
{
    uint32_t *seen = r->seen + warp * PTX_MAX_CTA_WARPS;
    join(seen, r->brought[warp].of);
    memcpy(r->at_fence[warp].of, seen, sizeof r->at_fence[warp].of);
    r->at_fence[warp].of[warp] = ++r->now;
}

void ptx_races_meet(struct ptx_races *r, uint32_t warp, const struct ptx_code *c,
                    const uint64_t *address, uint32_t mask)
{
    uint64_t last = UINT64_MAX;
    if (c->releases)
        ptx_races_fence(r, warp);
    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t word = address[__builtin_ctz(m)] >> 2;
        if (word == last)
            continue;
        last = word;
        uint32_t *at = r->words_at[word * UINT64_C(0x9e3779b97f4a7c15) >> 58].of;
        if (c->kind != PK_STORE)
            join(r->brought[warp].of, at);
        if (c->kind != PK_LOAD)
            join(at, r->at_fence[warp].of);
    }
    if (c->acquires)
        ptx_races_fence(r, warp);
}

/* ---- accesses -------------------------------------------------------------------------------- */

/* Takes out what is ordered before the next access of the warp, and older ones of its own that are
 * in conflict with no more than the next one is: a strong one is in conflict with less than a weak
 * one, a read with less than a write. */
static void forget_ordered(const struct ptx_races *r, struct shadow *s, uint32_t warp, bool writes,
                           bool is_plain)
{
    uint32_t keep = 0;
    if (s->stamp >= r->floor)
        for (uint32_t m = s->readers | s->writers; m; m &= m - 1) {
            uint32_t u = (uint32_t)__builtin_ctz(m);
            if (u == warp || s->stamp >= r->seen[warp * PTX_MAX_CTA_WARPS + u])
                keep |= 1u << u;
        }
    s->readers &= keep;
    s->writers &= keep;
    if (keep == 1u << warp && (writes || !s->writers) && (is_plain || !(s->plain & keep)))
        s->readers = s->writers = keep = 0;
    s->plain &= keep;
    if (!keep) /* else what stays is as old as it was, and what comes now is taken for as old */
        s->stamp = r->now;
}

static struct ptx_race *find_race(struct ptx_device *d, struct ptx_race what)
{
    for (uint32_t i = 0; i < d->n_races; i++) {
        struct ptx_race *have = &d->races[i];
        if (have->kernel == what.kernel && have->first == what.first && have->then == what.then)
            return have;
    }
    return NULL;
}

static const char *where_text(const struct ptx_exec *x, uint32_t code, struct where *at,
                              struct arena *mem)
{
    const struct ptx_kernel *k = x->kernel;
    struct ptx_source s = k->sources[code];
    const char *file = s.line ? ptx_find_source(k->module, s.file) : NULL;
    *at = file ? AT_LINE(file, (int)s.line) : AT_LINE(k->module->file, k->codes[code].line);
    return arena_printf(mem, "%s:%d", at->file, at->line);
}

static void tell(struct ptx_exec *x, const struct ptx_race *race, uint32_t other, uint32_t warp,
                 uint32_t address)
{
    struct arena mem;
    struct where at, there;
    arena_init(&mem, NULL, NULL);
    const char *codes_at = where_text(x, race->first, &there, &mem);
    where_text(x, race->then, &at, &mem);
    err_warn(x->err, at,
             "kernel %s, CTA (%u,%u,%u): race at shared address 0x%x: '%s' of warp %u and '%s' "
             "(%s) of warp %u have no barrier between them",
             x->kernel->name, x->cta.x, x->cta.y, x->cta.z, address,
             x->kernel->codes[race->then].text, warp, x->kernel->codes[race->first].text, codes_at,
             other);
    arena_free(&mem);
}

/* A conflict of this access with the warps of `others`. */
static void conflict(struct ptx_exec *x, const struct shadow *s, uint32_t warp, uint32_t code,
                     uint32_t others, uint32_t address)
{
    struct ptx_device *d = x->device;
    uint32_t other = (uint32_t)__builtin_ctz(others);
    struct ptx_race what = {.kernel = x->kernel,
                            .first = s->writers & others ? s->write_code : s->read_code,
                            .then = code,
                            .count = 1};
    uint32_t most = x->launch->races == PTX_RACES_ALL ? PTX_MAX_RACES : 1, of_kernel = 0;
    x->n_races++;
    struct ptx_race *have = find_race(d, what);
    if (have) {
        have->count++;
        return;
    }
    for (uint32_t i = 0; i < d->n_races; i++)
        of_kernel += d->races[i].kernel == x->kernel;
    if (of_kernel >= most || d->n_races >= PTX_MAX_RACES)
        return;
    d->races[d->n_races++] = what;
    tell(x, &what, other, warp, address);
}

/* The general case. */
static void touch(struct ptx_exec *x, struct shadow *s, uint32_t warp, const struct ptx_code *c,
                  uint32_t address)
{
    struct ptx_races *r = x->races;
    uint32_t bit = 1u << warp, code = (uint32_t)(c - x->kernel->codes);
    bool writes = ptx_writes(c), is_plain = !ptx_is_strong(c);
    if (s->stamp != r->now)
        forget_ordered(r, s, warp, writes, is_plain);
    uint32_t others = (writes ? s->readers | s->writers : s->writers) & ~bit;
    if (!is_plain)
        others &= s->plain;
    if (others)
        conflict(x, s, warp, code, others, address);
    if (writes) {
        s->writers |= bit;
        s->write_code = code;
    } else {
        s->readers |= bit;
        s->read_code = code;
    }
    if (is_plain)
        s->plain |= bit;
}

/* What nearly always happens: the word was not touched since the barrier, or by nobody to be in
 * conflict with. */
static inline bool is_plain_case(struct shadow *s, uint32_t now, bool is_fresh, uint32_t against)
{
    if (s->stamp == now)
        return !against;
    if (!is_fresh)
        return false;
    s->stamp = now;
    s->readers = s->writers = s->plain = 0;
    return true;
}

void ptx_watch(struct ptx_exec *x, const struct ptx_warp *w, const struct ptx_code *c,
               const uint64_t *address, uint32_t mask, uint32_t bytes)
{
    struct ptx_races *r = x->races;
    uint32_t bit = 1u << w->id, now = r->now, shift = r->shift, n = bytes >> shift;
    uint32_t code = (uint32_t)(c - x->kernel->codes), last = UINT32_MAX;
    uint32_t plain = ptx_is_strong(c) ? 0 : bit;
    bool reads = !ptx_writes(c), is_fresh = r->floor == now;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t at = (uint32_t)address[__builtin_ctz(m)];
        if (at == last) /* lanes that share a word */
            continue;
        last = at;
        struct shadow *s = r->words + (at >> shift);
        for (uint32_t k = 0; k < n; k++, s++) {
            uint32_t against = (reads ? s->writers : s->readers | s->writers) & ~bit;
            if (!is_plain_case(s, now, is_fresh, against)) {
                touch(x, s, w->id, c, at + (k << shift));
                continue;
            }
            s->plain |= plain;
            if (reads) {
                s->readers |= bit;
                s->read_code = code;
            } else {
                s->writers |= bit;
                s->write_code = code;
            }
        }
    }
    if (!plain)
        ptx_races_meet(r, w->id, c, address, mask);
}
