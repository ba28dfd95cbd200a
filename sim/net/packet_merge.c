/* SPDX-License-Identifier: MIT
 *
 * Packet coalescing in routers: read requests on their way to one DRAM row are held for a while in
 * a merge table and go on as one big packet. Detector (how long), table (who joins whom), scheduler
 * (back into a virtual channel when the time is over) and grant holder, as docs/network-engine.md
 * describes them. The whole of it is here: without a table the engine does not come by.
 *
 * A held packet leaves its VC, whose slots are free at once. A released one is put into a VC
 * of the port it came in by that has no packet under way, before those that wait there, in slots
 * that belong to the table: its flits owe no credit upstream. */
#include <assert.h>

#include "base/bits.h"
#include "sim/net/engine_impl.h"

struct held {
    uint64_t key, since, until; /* since: when the first packet came */
    uint32_t packet, last;      /* the big packet is known by its first; last of its chain */
    uint32_t flits, requests;
    uint64_t entered; /* sum over its requests of the cycle in which they came */
    uint32_t iport;
    uint16_t cls;
    bool is_used, is_full; /* full: nobody joins any more */
};

struct net_merge {
    struct packet_merge_params p;
    struct held *table;         /* [router * entries] */
    uint32_t *n_held;           /* [router] */
    uint64_t *busy;             /* [bit router] something is held */
    uint64_t *searches, *holds; /* [router] */
    uint32_t *extra;            /* [input VC] flits at the front that came from the table */
    /* by packet */
    uint32_t *next;      /* in the same big packet, or NONE32 */
    uint16_t *own_flits; /* before merging */
    uint16_t *path;      /* routers from source to destination */
    uint32_t *slack;     /* cycles it may still be held */
    uint32_t *requests;  /* in it */
    uint64_t flits;      /* in all tables */
};

void net_merge_init(struct net *n, const struct packet_merge_params *p, struct arena *mem)
{
    assert(p->entries && p->per_flit && p->max_flits && p->max_flits <= NET_MAX_FLITS);
    struct net_merge *m = n->merge = arena_new(mem, struct net_merge);
    m->p = *p;
    m->table = arena_many(mem, struct held, (size_t)n->n_routers * p->entries);
    m->n_held = arena_many(mem, uint32_t, n->n_routers);
    m->busy = arena_many(mem, uint64_t, bits_words(n->n_routers) + 1);
    m->searches = arena_many(mem, uint64_t, n->n_routers);
    m->holds = arena_many(mem, uint64_t, n->n_routers);
    m->extra = arena_many(mem, uint32_t, (size_t)n->n_iports << n->vshift);
}

void net_merge_packets(struct net *n, struct arena *mem)
{
    struct net_merge *m = n->merge;
    m->next = arena_many(mem, uint32_t, n->n_packets);
    m->own_flits = arena_many(mem, uint16_t, n->n_packets);
    m->path = arena_many(mem, uint16_t, n->n_packets);
    m->slack = arena_many(mem, uint32_t, n->n_packets);
    m->requests = arena_many(mem, uint32_t, n->n_packets);
}

/* ---- detector -------------------------------------------------------------------------------- */

/* The dynamic rule gives router t of H a share t of F * H cycles. Whole cycles by rounding the sum,
 * so that the total is exact: floor(S(t)) - floor(S(t - 1)) with S(t) = F t (t + 1) / (H + 1). */
uint32_t net_merge_delay(enum merge_slack slack, uint32_t per_hop, uint32_t t, uint32_t path)
{
    if (slack == SLACK_none || t < 1 || t > path)
        return 0;
    if (slack == SLACK_fixed)
        return per_hop;
    uint64_t f = per_hop, d = path + 1ull;
    return (uint32_t)(f * t * (t + 1) / d - f * (t - 1) * t / d);
}

/* Routers from source to destination; any of several choices has the same length. */
static uint32_t path_length(const struct net *n, uint32_t src, uint32_t dst, uint32_t cls)
{
    const struct noc *noc = n->noc;
    uint32_t channel = noc->endpoints[src].inject, hops = 0;
    while (channel != NOC_NONE && hops < 4096) {
        const struct noc_channel *ch = &noc->channels[channel];
        if (ch->dst_node == NOC_ENDPOINT)
            return hops;
        uint32_t entry = net_route_entry(n, ch->dst, dst, cls);
        if (entry == ROUTE_NEVER)
            return hops;
        uint32_t port = entry;
        if (entry & ROUTE_SPECIAL) {
            const struct noc_rule *rule =
                &noc->rules[noc->routers[ch->dst].first_rule + (entry & ~ROUTE_SPECIAL)];
            port = noc->choices[rule->first_choice];
            if (rule->class_to != NOC_SAME_CLASS)
                cls = rule->class_to;
        }
        channel = noc_out_channel(noc, ch->dst, port);
        hops++;
    }
    return hops;
}

void net_merge_offer(struct net *n, uint32_t packet, uint64_t key)
{
    struct net_merge *m = n->merge;
    const struct net_delivery *p = &n->packets[packet];
    m->next[packet] = NONE32;
    m->own_flits[packet] = p->flits;
    m->requests[packet] = 1;
    if (!key)
        return;
    m->path[packet] = (uint16_t)path_length(n, p->src, p->dst, p->cls);
    m->slack[packet] = m->p.cycles_per_hop * m->path[packet];
}

/* ---- table ----------------------------------------------------------------------------------- */

/* Takes the whole front packet out of its VC; its slots are free at once. */
static void leave_vc(struct net *n, struct ivc *q, uint32_t flits)
{
    struct iport *ip = q->in;
    for (uint32_t i = 0; i < flits; i++) {
        q->read = (uint16_t)((q->read + 1) & n->dmask);
        q->n--;
        net_send_credit(net_slot(n, ip->credit_wait), ip->up + (q - ip->vcs));
    }
    n->last_move = n->now;
}

static uint32_t flits_of(const struct net_merge *m, uint32_t requests, uint32_t flits)
{
    return m->p.per_flit == 1 ? flits : (requests + m->p.per_flit - 1) / m->p.per_flit;
}

static void join(struct net *n, struct held *e, uint32_t packet, uint64_t until)
{
    struct net_merge *m = n->merge;
    uint32_t flits = n->packets[packet].flits;
    uint32_t requests = e->requests + m->requests[packet];
    uint32_t total = flits_of(m, requests, e->flits + flits);
    uint32_t empty = n->packet_empty[e->packet] + n->packet_empty[packet];
    uint32_t saved = (e->flits + flits - total) * (n->noc->width_bits / 8);
    n->packet_empty[e->packet] = (uint16_t)(empty > saved ? empty - saved : 0);
    n->flits_in_flight -= e->flits + flits - total;
    m->flits += total - e->flits;
    e->flits = total;
    e->requests = requests;
    e->entered += n->now * m->requests[packet];
    m->next[e->last] = packet;
    while (m->next[e->last] != NONE32)
        e->last = m->next[e->last];
    e->until = until < e->until ? until : e->until;
    if (m->slack[packet] < m->slack[e->packet])
        m->slack[e->packet] = m->slack[packet];
    n->totals.merged++;
    n->totals.merge_writes++;
}

bool net_merge_collects(const struct net *n, uint32_t ivc)
{
    const struct ivc *q = &n->ivcs[ivc];
    const struct net_delivery *p = &n->packets[q->slots[q->read] & FLIT_PACKET];
    return p->merge_key && p->flits > q->n && p->flits <= n->depth;
}

bool net_merge_take(struct net *n, uint32_t ivc)
{
    struct net_merge *m = n->merge;
    struct ivc *q = &n->ivcs[ivc];
    uint32_t packet = q->slots[q->read] & FLIT_PACKET, router = q->in->router;
    struct net_delivery *p = &n->packets[packet];
    if (!p->merge_key || p->flits > q->n) /* not a read request, or not all of it is here yet */
        return false;
    uint32_t delay =
        net_merge_delay(m->p.slack, m->p.cycles_per_hop, p->hops + 1u, m->path[packet]);
    if (delay > m->slack[packet])
        delay = m->slack[packet];
    struct held *table = &m->table[(size_t)router * m->p.entries], *unused = NULL, *match = NULL;
    n->totals.merge_searches++;
    m->searches[router]++;
    for (uint32_t i = 0; i < m->p.entries; i++) {
        struct held *e = &table[i];
        if (!e->is_used)
            unused = unused ? unused : e;
        else if (e->key == p->merge_key && e->cls == n->packet_cls[packet] &&
                 n->packets[e->packet].dst == p->dst && !e->is_full && !m->p.delay_only)
            match = e;
    }
    if (match) {
        uint32_t total =
            flits_of(m, match->requests + m->requests[packet], match->flits + p->flits);
        if (total <= m->p.max_flits) {
            leave_vc(n, q, p->flits);
            m->slack[packet] -= delay;
            join(n, match, packet, n->now + delay);
            m->holds[router]++;
            return true;
        }
        match->is_full = true; /* it goes at once, and a new one begins */
        match->until = n->now;
    }
    if (!delay || !unused)
        return false;
    leave_vc(n, q, p->flits);
    m->slack[packet] -= delay;
    *unused = (struct held){.key = p->merge_key,
                            .since = n->now,
                            .until = n->now + delay,
                            .packet = packet,
                            .last = packet,
                            .flits = p->flits,
                            .requests = m->requests[packet],
                            .entered = n->now * m->requests[packet],
                            .iport = (uint32_t)(q->in - n->iports),
                            .cls = n->packet_cls[packet],
                            .is_used = true};
    while (m->next[unused->last] != NONE32)
        unused->last = m->next[unused->last];
    m->flits += p->flits;
    m->n_held[router]++;
    m->holds[router]++;
    bits_set(m->busy, router);
    n->totals.held++;
    n->totals.merge_writes++;
    return true;
}

/* ---- scheduler ------------------------------------------------------------------------------- */

/* An idle VC of the port that the packet may use, or NULL. */
static struct ivc *idle_vc(const struct net *n, const struct held *e)
{
    for (uint64_t v = n->vc_masks[e->cls]; v; v &= v - 1) {
        struct ivc *q = &n->iports[e->iport].vcs[bits_lowest(v)];
        if (q->state == VC_IDLE && !q->n)
            return q;
    }
    return NULL;
}

static void release(struct net *n, uint32_t router, struct held *e, struct ivc *q)
{
    struct net_merge *m = n->merge;
    struct net_delivery *p = &n->packets[e->packet];
    p->flits = (uint16_t)e->flits;
    m->requests[e->packet] = e->requests;
    n->packet_arrived[e->packet] = 0;
    q->read = (uint16_t)((q->read - e->flits) & n->dmask); /* before what waits there */
    for (uint32_t i = 0; i < e->flits; i++)
        q->slots[(q->read + i) & n->dmask] =
            e->packet | (i == 0 ? FLIT_HEAD : 0) | (i + 1 == e->flits ? FLIT_TAIL : 0);
    q->n = (uint16_t)(q->n + e->flits);
    m->extra[q->index] = e->flits;
    m->flits -= e->flits;
    e->is_used = false;
    if (--m->n_held[router] == 0)
        bits_clear(m->busy, router);
    n->totals.merge_reads++;
    n->totals.hold_cycles += n->now * e->requests - e->entered;
    n->last_move = n->now;
    net_full_wake(n, q->index);
}

bool net_merge_resume(struct net *n, uint32_t ivc)
{
    struct net_merge *m = n->merge;
    struct ivc *q = &n->ivcs[ivc];
    uint32_t router = q->in->router, vc = ivc & n->vmask;
    if (!m->n_held[router] || m->extra[ivc])
        return false;
    struct held *table = &m->table[(size_t)router * m->p.entries], *best = NULL;
    for (uint32_t i = 0; i < m->p.entries; i++) {
        struct held *e = &table[i];
        if (e->is_used && e->until <= n->now && e->iport == (uint32_t)(q->in - n->iports) &&
            (n->vc_masks[e->cls] >> vc & 1) && (!best || e->since < best->since))
            best = e;
    }
    if (best)
        release(n, router, best, q);
    return best != NULL;
}

/* One release for each input port and cycle, the oldest first. */
static void step_table(struct net *n, uint32_t router)
{
    struct net_merge *m = n->merge;
    struct held *table = &m->table[(size_t)router * m->p.entries];
    uint64_t done[NET_MAX_PORTS / 64] = {0};
    for (;;) {
        struct held *best = NULL;
        for (uint32_t i = 0; i < m->p.entries; i++) {
            struct held *e = &table[i];
            if (e->is_used && e->until <= n->now && !bits_test(done, n->iports[e->iport].local) &&
                (!best || e->since < best->since))
                best = e;
        }
        if (!best)
            return;
        bits_set(done, n->iports[best->iport].local);
        struct ivc *q = idle_vc(n, best);
        if (q) /* else it stays, and others may still join it */
            release(n, router, best, q);
    }
}

void net_merge_step(struct net *n)
{
    for (uint32_t w = 0; w < bits_words(n->n_routers); w++)
        for (uint64_t b = n->merge->busy[w]; b; b &= b - 1)
            step_table(n, w * 64 + bits_lowest(b));
}

uint64_t net_merge_next(const struct net *n)
{
    const struct net_merge *m = n->merge;
    uint64_t next = NET_NEVER;
    for (uint32_t w = 0; w < bits_words(n->n_routers); w++)
        for (uint64_t b = m->busy[w]; b; b &= b - 1) {
            const struct held *table = &m->table[(size_t)(w * 64 + bits_lowest(b)) * m->p.entries];
            for (uint32_t i = 0; i < m->p.entries; i++)
                if (table[i].is_used && table[i].until < next)
                    next = table[i].until;
        }
    return next != NET_NEVER && next < n->now ? n->now : next;
}

/* ---- the rest of the router ------------------------------------------------------------------ */

bool net_merge_from_table(struct net *n, uint32_t ivc)
{
    if (!n->merge->extra[ivc])
        return false;
    n->merge->extra[ivc]--;
    return true;
}

bool net_merge_holds_grant(const struct net *n, uint32_t packet)
{
    return n->merge->p.hold_grant && n->merge->next[packet] != NONE32;
}

/* A big packet is unpacked in the order in which its requests joined. */
void net_merge_deliver(struct net *n, uint32_t packet)
{
    struct net_merge *m = n->merge;
    struct net_delivery *big = &n->packets[packet];
    big->flits = m->own_flits[packet];
    uint32_t id = m->next[packet];
    m->next[packet] = NONE32;
    big->is_merged = id != NONE32;
    while (id != NONE32) {
        struct net_delivery *p = &n->packets[id];
        uint32_t after = m->next[id];
        m->next[id] = NONE32;
        p->flits = m->own_flits[id];
        p->is_merged = true;
        p->hops = big->hops;
        p->head_arrived = big->head_arrived;
        p->arrived = big->arrived;
        n->delivered[n->n_delivered++] = p;
        id = after;
    }
}

void net_merge_counts(const struct net *n, uint32_t router, uint64_t counts[EV_COUNT])
{
    counts[EV_MERGE_SEARCH] += n->merge->searches[router];
    counts[EV_MERGE_HOLD] += n->merge->holds[router];
}

uint32_t net_merge_extra(const struct net *n, uint32_t ivc)
{
    return n->merge->extra[ivc];
}

uint64_t net_merge_flits(const struct net *n)
{
    return n->merge->flits;
}
