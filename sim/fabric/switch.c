/* SPDX-License-Identifier: MIT */
#include "sim/fabric/switch.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "sim/params.h"

#define WIRE 2u /* a flit written in cycle t is read in cycle t + 2: channel of one cycle */
#define WORDS (SWITCH_MAX / 64u)
#define ALWAYS static inline __attribute__((always_inline)) /* once for one word, once for many */

struct packet {
    uint32_t v;
    uint16_t dst, flits;
};

struct packets { /* a queue */
    struct packet *at;
    uint32_t mask, first, n;
    uint32_t left; /* flits of the first one that have not passed */
};

typedef uint64_t ports[WORDS]; /* bit set; those of `words` are used */

struct one_switch {
    struct switch_params p;
    uint32_t words;
    uint64_t cycle;
    uint32_t n_packets; /* not at their sink's end yet */

    /* sources and inputs */
    struct packets in[SWITCH_MAX];     /* those whose tail has not left the input */
    uint32_t queued[SWITCH_MAX];       /* flits at the source */
    uint32_t held[SWITCH_MAX];         /* places of the input buffer the source thinks are taken */
    uint32_t ready[SWITCH_MAX];        /* flits in the input buffer */
    ports has_queued, waiting, active; /* waiting: for an output; active: has it */
    ports coming[WIRE];
    uint32_t owed[SWITCH_MAX]; /* credits for the source, one per cycle */
    ports has_owed, repaid[WIRE];

    /* outputs and sinks */
    uint64_t *wants; /* [output * words]: inputs that wait for it */
    ports wanted, owned;
    uint16_t next[SWITCH_MAX]; /* round robin */
    struct packets out[SWITCH_MAX], done[SWITCH_MAX];
    uint32_t credits[SWITCH_MAX], sendable[SWITCH_MAX], ejected[SWITCH_MAX], bound[SWITCH_MAX];
    ports late, has_sendable, has_ejected, leaving[WIRE], freed[WIRE]; /* freed: credits */
    ports arrived;
};

static void queue_init(struct packets *q, uint32_t cap, struct arena *mem)
{
    uint32_t n = 1u << bits_clog2(cap < 2 ? 2 : cap);
    q->at = arena_many(mem, struct packet, n);
    q->mask = n - 1;
}

static void push(struct packets *q, struct packet p)
{
    if (!q->n)
        q->left = p.flits;
    assert(q->n <= q->mask);
    q->at[(q->first + q->n++) & q->mask] = p;
}

static struct packet *top(struct packets *q)
{
    return &q->at[q->first & q->mask];
}

static void pop(struct packets *q)
{
    assert(q->n);
    q->first++;
    if (--q->n)
        q->left = top(q)->flits;
}

struct one_switch *switch_new(const struct switch_params *p, struct arena *mem)
{
    struct one_switch *s = arena_new(mem, struct one_switch);
    s->p = *p;
    s->words = (uint32_t)bits_words(p->n);
    s->wants = arena_many(mem, uint64_t, (size_t)p->n * s->words);
    for (uint32_t i = 0; i < p->n; i++) {
        queue_init(&s->in[i], p->queue + p->depth + 2, mem);
        queue_init(&s->out[i], 2 * p->depth + p->boundary + 8, mem);
        queue_init(&s->done[i], p->depth + p->boundary + 2, mem);
        s->credits[i] = p->depth;
    }
    return s;
}

bool switch_can_send(const struct one_switch *s, uint32_t src, uint32_t flits)
{
    /* a packet longer than the queue passes when the queue is empty */
    return s->queued[src] + flits <= s->p.queue || (!s->queued[src] && flits > s->p.queue);
}

void switch_send(struct one_switch *s, uint32_t src, uint32_t dst, uint32_t v, uint32_t flits)
{
    push(&s->in[src], (struct packet){v, (uint16_t)dst, (uint16_t)flits});
    s->queued[src] += flits;
    bits_set(s->has_queued, src);
    s->n_packets++;
}

/* ---- a cycle ---- */

ALWAYS bool any(const uint64_t *set, uint32_t words)
{
    uint64_t m = 0;
    for (uint32_t w = 0; w < words; w++)
        m |= set[w];
    return m;
}

/* Off the wire into the ejection buffers, from there one flit per cycle into the boundary buffers;
 * with its last flit a packet can be taken. */
ALWAYS void eject(struct one_switch *s, uint32_t slot, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t m = s->freed[slot][w]; m; m &= m - 1)
            s->credits[w * 64 + bits_lowest(m)]++;
        s->freed[slot][w] = 0;
        for (uint64_t m = s->leaving[slot][w]; m; m &= m - 1)
            s->ejected[w * 64 + bits_lowest(m)]++;
        s->has_ejected[w] |= s->leaving[slot][w];
        s->leaving[slot][w] = 0;
        for (uint64_t m = s->has_ejected[w]; m; m &= m - 1) {
            uint32_t o = w * 64 + bits_lowest(m);
            if (s->bound[o] >= s->p.boundary && s->done[o].n)
                continue;
            s->bound[o]++;
            s->freed[slot][w] |= m & -m;
            if (!--s->ejected[o])
                s->has_ejected[w] &= ~(m & -m);
            struct packets *q = &s->out[o];
            if (--q->left == 0) {
                push(&s->done[o], *top(q));
                pop(q);
                s->n_packets--;
                s->arrived[w] |= m & -m;
            }
        }
    }
}

ALWAYS void bid(struct one_switch *s, uint32_t i, uint32_t words)
{
    uint32_t o = top(&s->in[i])->dst;
    bits_set(s->waiting, i);
    bits_set(s->wants + (size_t)o * words, i);
    bits_set(s->wanted, o);
}

ALWAYS void arrive(struct one_switch *s, uint32_t slot, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t m = s->coming[slot][w]; m; m &= m - 1) {
            uint32_t i = w * 64 + bits_lowest(m);
            s->ready[i]++;
            if (!((s->waiting[w] | s->active[w]) & m & -m))
                bid(s, i, words);
        }
        s->coming[slot][w] = 0;
    }
}

ALWAYS void inject(struct one_switch *s, uint32_t slot, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t m = s->repaid[slot][w]; m; m &= m - 1)
            s->held[w * 64 + bits_lowest(m)]--;
        s->repaid[slot][w] = 0;
        for (uint64_t m = s->has_queued[w]; m; m &= m - 1) {
            uint32_t i = w * 64 + bits_lowest(m);
            if (s->held[i] >= s->p.depth)
                continue;
            s->held[i]++;
            s->coming[slot][w] |= m & -m;
            if (!--s->queued[i])
                s->has_queued[w] &= ~(m & -m);
        }
    }
}

/* The flit of an active input crosses. */
ALWAYS void cross(struct one_switch *s, uint32_t i, bool is_late, uint32_t words)
{
    struct packets *q = &s->in[i];
    uint32_t o = top(q)->dst;
    if (!s->ready[i] || !s->credits[o])
        return;
    s->ready[i]--;
    s->owed[i]++;
    bits_set(s->has_owed, i);
    s->credits[o]--;
    if (q->left == top(q)->flits)
        push(&s->out[o], *top(q));
    if (is_late) {
        bits_set(s->late, o);
    } else {
        s->sendable[o]++;
        bits_set(s->has_sendable, o);
    }
    if (--q->left)
        return;
    pop(q);
    bits_clear(s->owned, o);
    bits_clear(s->active, i);
    if (s->ready[i])
        bid(s, i, words);
}

/* VC allocation and switch allocation decide on what was so before the step. */
ALWAYS void step(struct one_switch *s, bool is_late, uint32_t words)
{
    ports go, granted;
    for (uint32_t w = 0; w < words; w++) {
        go[w] = s->active[w];
        granted[w] = 0;
    }
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t m = s->wanted[w] & ~s->owned[w]; m; m &= m - 1) {
            uint32_t o = w * 64 + bits_lowest(m);
            uint64_t *wants = s->wants + (size_t)o * words;
            uint32_t i = bits_next(wants, words, s->next[o]);
            s->next[o] = (uint16_t)(i + 1 == s->p.n ? 0 : i + 1);
            bits_clear(wants, i);
            if (!any(wants, words))
                s->wanted[w] &= ~(m & -m);
            bits_clear(s->waiting, i);
            s->owned[w] |= m & -m;
            bits_set(granted, i);
        }
    for (uint32_t w = 0; w < words; w++)
        s->active[w] |= granted[w];
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t m = go[w]; m; m &= m - 1)
            cross(s, w * 64 + bits_lowest(m), is_late, words);
}

/* What is known as a count for each port and as a set of those that have some gives one of each. */
ALWAYS void give_one(uint32_t *count, uint64_t *has, uint64_t *given, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++) {
        given[w] = has[w];
        for (uint64_t m = has[w]; m; m &= m - 1)
            if (!--count[w * 64 + bits_lowest(m)])
                has[w] &= ~(m & -m);
    }
}

ALWAYS void cycle(struct one_switch *s, uint32_t words)
{
    uint32_t slot = (uint32_t)(++s->cycle % WIRE);
    if (any(s->leaving[slot], words) | any(s->has_ejected, words) | any(s->freed[slot], words))
        eject(s, slot, words);
    if (any(s->coming[slot], words))
        arrive(s, slot, words);
    if (any(s->has_queued, words) | any(s->repaid[slot], words))
        inject(s, slot, words);
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t m = s->late[w]; m; m &= m - 1)
            s->sendable[w * 64 + bits_lowest(m)]++;
        s->has_sendable[w] |= s->late[w];
        s->late[w] = 0;
    }
    if (any(s->wanted, words) | any(s->active, words)) {
        step(s, false, words);
        step(s, true, words);
    }
    give_one(s->owed, s->has_owed, s->repaid[slot], words);
    give_one(s->sendable, s->has_sendable, s->leaving[slot], words);
}

void switch_step(struct one_switch *s)
{
    if (s->words == 1)
        cycle(s, 1);
    else
        cycle(s, s->words);
}

void switch_skip(struct one_switch *s, uint64_t cycles)
{
    s->cycle += cycles;
}

bool switch_is_idle(const struct one_switch *s)
{
    if (s->n_packets)
        return false;
    uint64_t m = 0;
    for (uint32_t w = 0; w < s->words; w++)
        m |= s->has_owed[w] | s->repaid[0][w] | s->repaid[1][w] | s->freed[0][w] | s->freed[1][w];
    return !m;
}

const uint64_t *switch_arrived(const struct one_switch *s)
{
    return s->arrived;
}

uint32_t switch_top(const struct one_switch *s, uint32_t dst)
{
    return s->done[dst].at[s->done[dst].first & s->done[dst].mask].v;
}

uint32_t switch_take(struct one_switch *s, uint32_t dst)
{
    struct packets *q = &s->done[dst];
    struct packet p = *top(q);
    s->bound[dst] -= p.flits;
    pop(q);
    if (!q->n)
        bits_clear(s->arrived, dst);
    return p.v;
}
