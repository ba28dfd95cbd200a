/* SPDX-License-Identifier: MIT */
#include "sim/fabric/switch.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"

#define WIRE 2u /* a flit written in cycle t is read in cycle t + 2: channel of one cycle */

struct packet {
    uint32_t v;
    uint16_t dst, flits;
};

struct packets { /* a queue */
    struct packet *at;
    uint32_t mask, first, n;
    uint32_t left; /* flits of the first one that have not passed */
};

struct one_switch {
    struct switch_params p;
    uint64_t cycle;
    uint32_t n_packets; /* not at their sink's end yet */

    /* sources and inputs */
    struct packets in[SWITCH_MAX]; /* those whose tail has not left the input */
    uint32_t queued[SWITCH_MAX];   /* flits at the source */
    uint32_t held[SWITCH_MAX];     /* places of the input buffer the source thinks are taken */
    uint32_t ready[SWITCH_MAX];    /* flits in the input buffer */
    uint64_t has_queued, waiting, active; /* waiting: for an output; active: has it */
    uint64_t coming[WIRE];
    uint32_t owed[SWITCH_MAX]; /* credits for the source, one per cycle */
    uint64_t has_owed, repaid[WIRE];

    /* outputs and sinks */
    uint64_t wants[SWITCH_MAX], wanted; /* inputs that wait for it */
    uint64_t owned;
    uint8_t next[SWITCH_MAX]; /* round robin */
    struct packets out[SWITCH_MAX], done[SWITCH_MAX];
    uint32_t credits[SWITCH_MAX], sendable[SWITCH_MAX], ejected[SWITCH_MAX], bound[SWITCH_MAX];
    uint64_t late, has_sendable, has_ejected, leaving[WIRE], freed[WIRE]; /* freed: credits */
    uint64_t arrived;
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
    s->has_queued |= (uint64_t)1 << src;
    s->n_packets++;
}

/* ---- a cycle ---- */

/* Off the wire into the ejection buffers, from there one flit per cycle into the boundary buffers;
 * with its last flit a packet can be taken. */
static void eject(struct one_switch *s, uint32_t slot)
{
    for (uint64_t m = s->freed[slot]; m; m &= m - 1)
        s->credits[bits_lowest(m)]++;
    s->freed[slot] = 0;
    for (uint64_t m = s->leaving[slot]; m; m &= m - 1)
        s->ejected[bits_lowest(m)]++;
    s->has_ejected |= s->leaving[slot];
    s->leaving[slot] = 0;
    for (uint64_t m = s->has_ejected; m; m &= m - 1) {
        uint32_t o = bits_lowest(m);
        if (s->bound[o] >= s->p.boundary && s->done[o].n)
            continue;
        s->bound[o]++;
        s->freed[slot] |= (uint64_t)1 << o;
        if (!--s->ejected[o])
            s->has_ejected &= ~((uint64_t)1 << o);
        struct packets *q = &s->out[o];
        if (--q->left == 0) {
            push(&s->done[o], *top(q));
            pop(q);
            s->n_packets--;
            s->arrived |= (uint64_t)1 << o;
        }
    }
}

static void bid(struct one_switch *s, uint32_t i)
{
    uint32_t o = top(&s->in[i])->dst;
    s->waiting |= (uint64_t)1 << i;
    s->wants[o] |= (uint64_t)1 << i;
    s->wanted |= (uint64_t)1 << o;
}

static void arrive(struct one_switch *s, uint32_t slot)
{
    for (uint64_t m = s->coming[slot]; m; m &= m - 1) {
        uint32_t i = bits_lowest(m);
        s->ready[i]++;
        if (!((s->waiting | s->active) >> i & 1))
            bid(s, i);
    }
    s->coming[slot] = 0;
}

static void inject(struct one_switch *s, uint32_t slot)
{
    for (uint64_t m = s->repaid[slot]; m; m &= m - 1)
        s->held[bits_lowest(m)]--;
    s->repaid[slot] = 0;
    for (uint64_t m = s->has_queued; m; m &= m - 1) {
        uint32_t i = bits_lowest(m);
        if (s->held[i] >= s->p.depth)
            continue;
        s->held[i]++;
        s->coming[slot] |= (uint64_t)1 << i;
        if (!--s->queued[i])
            s->has_queued &= ~((uint64_t)1 << i);
    }
}

/* The flit of an active input crosses. */
static void cross(struct one_switch *s, uint32_t i, bool is_late)
{
    struct packets *q = &s->in[i];
    uint32_t o = top(q)->dst;
    uint64_t bit = (uint64_t)1 << i;
    if (!s->ready[i] || !s->credits[o])
        return;
    s->ready[i]--;
    s->owed[i]++;
    s->has_owed |= bit;
    s->credits[o]--;
    if (q->left == top(q)->flits)
        push(&s->out[o], *top(q));
    if (is_late) {
        s->late |= (uint64_t)1 << o;
    } else {
        s->sendable[o]++;
        s->has_sendable |= (uint64_t)1 << o;
    }
    if (--q->left)
        return;
    pop(q);
    s->owned &= ~((uint64_t)1 << o);
    s->active &= ~bit;
    if (s->ready[i])
        bid(s, i);
}

/* VC allocation and switch allocation decide on what was so before the step. */
static void step(struct one_switch *s, bool is_late)
{
    uint64_t go = s->active, granted = 0;
    for (uint64_t m = s->wanted & ~s->owned; m; m &= m - 1) {
        uint32_t o = bits_lowest(m);
        uint64_t w = s->wants[o], above = w & (UINT64_MAX << s->next[o]);
        uint32_t i = bits_lowest(above ? above : w);
        s->next[o] = (uint8_t)(i + 1 == s->p.n ? 0 : i + 1);
        s->wants[o] &= ~((uint64_t)1 << i);
        if (!s->wants[o])
            s->wanted &= ~((uint64_t)1 << o);
        s->waiting &= ~((uint64_t)1 << i);
        s->owned |= (uint64_t)1 << o;
        granted |= (uint64_t)1 << i;
    }
    s->active |= granted;
    for (; go; go &= go - 1)
        cross(s, bits_lowest(go), is_late);
}

void switch_step(struct one_switch *s)
{
    uint32_t slot = (uint32_t)(++s->cycle % WIRE);
    if (s->leaving[slot] | s->has_ejected | s->freed[slot])
        eject(s, slot);
    if (s->coming[slot])
        arrive(s, slot);
    if (s->has_queued | s->repaid[slot])
        inject(s, slot);
    for (uint64_t m = s->late; m; m &= m - 1) {
        s->sendable[bits_lowest(m)]++;
        s->has_sendable |= m & -m;
    }
    s->late = 0;
    if (s->wanted | s->active) {
        step(s, false);
        step(s, true);
    }
    s->repaid[slot] = s->has_owed;
    for (uint64_t m = s->has_owed; m; m &= m - 1)
        if (!--s->owed[bits_lowest(m)])
            s->has_owed &= ~(m & -m);
    s->leaving[slot] = s->has_sendable;
    for (uint64_t m = s->has_sendable; m; m &= m - 1)
        if (!--s->sendable[bits_lowest(m)])
            s->has_sendable &= ~(m & -m);
}

void switch_skip(struct one_switch *s, uint64_t cycles)
{
    s->cycle += cycles;
}

bool switch_is_idle(const struct one_switch *s)
{
    return s->n_packets == 0 &&
           !(s->has_owed | s->repaid[0] | s->repaid[1] | s->freed[0] | s->freed[1]);
}

const uint64_t *switch_arrived(const struct one_switch *s)
{
    return &s->arrived;
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
        s->arrived &= ~((uint64_t)1 << dst);
    return p.v;
}
