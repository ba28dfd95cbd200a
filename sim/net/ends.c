/* SPDX-License-Identifier: MIT
 *
 * Where packets begin and end: sources send a flit a cycle, sinks take one. */
#include "base/bits.h"
#include "sim/net/engine_impl.h"

/* The VC of the first router that a new packet takes: round robin after the one used last; when
 * that one is outside the packet's range, the range's first and no other. */
static inline int choose_source_vc(const struct net *n, const struct nendpoint *e,
                                   const struct oport *op, uint32_t cls)
{
    uint32_t first = n->vc_first[cls], count = n->vc_count[cls];
    uint32_t next = (uint32_t)(e->last_vc + 1);
    if (count == n->vcs) { /* the usual: any VC, and the next one is free */
        next = next == count ? 0 : next;
        if ((op->free & op->vcs[next].bit) && op->vcs[next].credits)
            return (int)next;
    }
    if (e->last_vc < (int)first || e->last_vc >= (int)(first + count))
        return (op->free >> first & 1) && op->vcs[first].credits ? (int)first : -1;
    uint32_t v = (uint32_t)e->last_vc;
    for (uint32_t i = 0; i < count; i++) {
        v = v + 1 == first + count ? first : v + 1;
        if ((op->free >> v & 1) && op->vcs[v].credits)
            return (int)v;
    }
    return -1;
}

static inline __attribute__((always_inline)) void send_from(struct net *n, uint32_t index)
{
    struct nendpoint *e = &n->ends[index];
    struct oport *op = e->op;
    uint32_t id = e->packet, flit = id;
    struct net_delivery *p = &n->packets[id];
    struct ovc *o;
    if (!e->left) {
        int vc = choose_source_vc(n, e, op, n->one_class ? 0 : n->packet_cls[id]);
        if (vc < 0)
            return;
        e->vc = (uint16_t)vc;
        e->last_vc = (int16_t)vc;
        e->left = p->flits;
        p->injected = n->now;
        flit |= FLIT_HEAD;
        n->totals.packets_injected++;
        o = &op->vcs[vc];
        op->free &= ~o->bit;
        if (n->ahead)
            net_route_ahead(n, o->down.vc, id);
    } else {
        o = &op->vcs[e->vc];
        if (!o->credits)
            return;
    }
    if (n->flit_times)
        n->flit_times[(size_t)id * n->max_flits + (p->flits - e->left)] = (uint32_t)n->now;
    o->credits--;
    op->sent++;
    n->flits_in_flight++;
    if (--e->left == 0) {
        flit |= FLIT_TAIL;
        op->empty += n->packet_empty[id];
        if (n->wait_tail_credit)
            o->owner = TAIL_SENT;
        else
            op->free |= o->bit;
        if (--e->q_n == 0) {
            n->source_busy[index / 64] &= ~((uint64_t)1 << index % 64);
        } else {
            e->q_read = e->q_read + 1u == n->source_depth ? 0 : (uint16_t)(e->q_read + 1);
            e->packet = n->source_queue[(size_t)index * n->source_depth + e->q_read];
        }
    }
    net_send_flit(net_slot(n, op->wire), op, o, flit);
}

/* ---- interfaces that send on all their VCs at once ------------------------------------------- */

/* The packet at the head of the queue begins on the next VC of its range, after the one that began
 * last, that is free and has a credit. False: none is. */
static bool begin_packet(struct net *n, uint32_t index)
{
    struct nendpoint *e = &n->ends[index];
    struct oport *op = e->op;
    uint32_t id = e->packet, cls = n->one_class ? 0 : n->packet_cls[id];
    uint32_t first = n->vc_first[cls], count = n->vc_count[cls];
    uint32_t last = (uint32_t)(e->last_vc + 1); /* from 1; 0: none yet */
    uint32_t v = last > first && last < first + count ? last : first;
    for (uint32_t i = 0; !((op->free >> v & 1) && op->vcs[v].credits); i++) {
        if (i + 1 >= count)
            return false;
        v = v + 1 == first + count ? first : v + 1;
    }
    op->free &= ~op->vcs[v].bit;
    n->open[(index << n->vshift) | v] = (struct nopen){id, n->packets[id].flits};
    n->open_vcs[index] |= op->vcs[v].bit;
    bits_set(n->open_busy, index);
    e->vc = (uint16_t)v;
    e->last_vc = (int16_t)v;
    n->packets[id].injected = n->now;
    n->totals.packets_injected++;
    if (n->ahead)
        net_route_ahead(n, op->vcs[v].down.vc, id);
    if (--e->q_n == 0) {
        bits_clear(n->source_busy, index);
    } else {
        e->q_read = e->q_read + 1u == n->source_depth ? 0 : (uint16_t)(e->q_read + 1);
        e->packet = n->source_queue[(size_t)index * n->source_depth + e->q_read];
    }
    return true;
}

/* The VC of which a flit goes in this cycle: that of the last one as long as it has credits, else
 * the next one under way that has, else that of a packet that begins. */
static bool choose_open_vc(struct net *n, uint32_t index)
{
    struct nendpoint *e = &n->ends[index];
    uint64_t open = n->open_vcs[index];
    if ((open >> e->vc & 1) && e->op->vcs[e->vc].credits)
        return true;
    uint64_t later = e->vc + 1u < 64 ? open >> (e->vc + 1u) << (e->vc + 1u) : 0;
    for (int turn = 0; turn < 2; turn++)
        for (uint64_t m = turn ? open & ~later : later; m; m &= m - 1)
            if (e->op->vcs[bits_lowest(m)].credits) {
                e->vc = (uint16_t)bits_lowest(m);
                return true;
            }
    return e->q_n && begin_packet(n, index);
}

static void send_from_all(struct net *n, uint32_t index)
{
    struct nendpoint *e = &n->ends[index];
    struct oport *op = e->op;
    if (!choose_open_vc(n, index))
        return;
    struct nopen *open = &n->open[(index << n->vshift) | e->vc];
    struct ovc *o = &op->vcs[e->vc];
    uint32_t id = open->packet, flits = n->packets[id].flits, flit = id;
    if (open->left == flits)
        flit |= FLIT_HEAD;
    if (n->flit_times)
        n->flit_times[(size_t)id * n->max_flits + (flits - open->left)] = (uint32_t)n->now;
    o->credits--;
    op->sent++;
    n->flits_in_flight++;
    if (--open->left == 0) {
        flit |= FLIT_TAIL;
        op->empty += n->packet_empty[id];
        if (n->wait_tail_credit)
            o->owner = TAIL_SENT;
        else
            op->free |= o->bit;
        n->open_vcs[index] &= ~o->bit;
        if (!n->open_vcs[index])
            bits_clear(n->open_busy, index);
    }
    net_send_flit(net_slot(n, op->wire), op, o, flit);
}

static inline void step_sources(struct net *n)
{
    if (n->all_vcs) {
        for (uint32_t w = 0; w < n->n_source_words; w++)
            for (uint64_t m = n->source_busy[w] | n->open_busy[w]; m; m &= m - 1)
                send_from_all(n, w * 64 + bits_lowest(m));
        return;
    }
    for (uint32_t w = 0; w < n->n_source_words; w++)
        for (uint64_t m = n->source_busy[w]; m; m &= m - 1)
            send_from(n, w * 64 + bits_lowest(m));
}

/* ---- sinks ----------------------------------------------------------------------------------- */

static void count_flit_time(struct net *n, uint32_t id, uint32_t flit)
{
    uint64_t latency = n->now - n->flit_times[(size_t)id * n->max_flits + flit];
    n->totals.flit_latency_n++;
    n->totals.flit_latency_sum += latency;
    if (latency < n->totals.flit_latency_min)
        n->totals.flit_latency_min = latency;
    if (latency > n->totals.flit_latency_max)
        n->totals.flit_latency_max = latency;
}

static inline __attribute__((always_inline)) void retire(struct net *n, uint32_t endpoint,
                                                         uint32_t vc, uint32_t flit)
{
    struct nendpoint *e = &n->ends[endpoint];
    uint32_t id = flit & FLIT_PACKET, at = 0;
    struct net_delivery *p = &n->packets[id];
    net_send_credit(net_slot(n, e->eject_wait), e->feeder + vc);
    e->received++;
    n->flits_in_flight--;
    if (p->flits > 1)
        at = n->packet_arrived[id]++;
    if (n->flit_times && !n->merge)
        count_flit_time(n, id, at);
    if (at == 0)
        p->head_arrived = n->now;
    if (!(flit & FLIT_TAIL))
        return;
    p->arrived = n->now;
    if (p->dst != endpoint || at + 1 != p->flits)
        net_fail(n, "packet %u from %u to %u ended at %u with %u of %u flits", id, p->src, p->dst,
                 endpoint, at + 1, p->flits);
    n->delivered[n->n_delivered++] = p;
    if (n->merge)
        net_merge_deliver(n, id);
}

static void wait_at_endpoint(struct net *n, uint32_t endpoint, uint32_t vc, uint32_t flit)
{
    struct nendpoint *e = &n->ends[endpoint];
    uint32_t cap = n->vcs * n->depth;
    uint32_t at = (e->e_read + e->e_n++) % cap;
    uint32_t *q = &n->eject_queue[((size_t)endpoint * cap + at) * 2];
    q[0] = flit;
    q[1] = vc;
    if (!bits_test(n->eject_busy, endpoint)) {
        bits_set(n->eject_busy, endpoint);
        n->n_eject_busy++;
    }
}

/* Endpoints that held flits back take one each when they are let go. */
static void step_waiting(struct net *n)
{
    uint32_t cap = n->vcs * n->depth;
    for (uint32_t w = 0; w < bits_words(n->n_ends); w++)
        for (uint64_t m = n->eject_busy[w]; m; m &= m - 1) {
            uint32_t endpoint = w * 64 + bits_lowest(m);
            struct nendpoint *e = &n->ends[endpoint];
            if (e->held)
                continue;
            const uint32_t *q = &n->eject_queue[((size_t)endpoint * cap + e->e_read) * 2];
            uint32_t flit = q[0], vc = q[1];
            e->e_read = (e->e_read + 1) % cap;
            if (--e->e_n == 0) {
                bits_clear(n->eject_busy, endpoint);
                n->n_eject_busy--;
            }
            n->totals.flits_delivered++;
            retire(n, endpoint, vc, flit);
        }
}

void net_hold(struct net *n, uint32_t endpoint, bool hold)
{
    n->ends[endpoint].held = hold;
    n->simple_sinks &= !hold;
}

/* Where sinks only take flits and hand packets on. */
static inline void step_simple_sinks(struct net *n, struct slot *s)
{
    const struct flit_event *last = s->end[1];
    struct slot *back = net_slot(n, n->same_eject_wait);
    struct ovc **credits = back->credits_end;
    uint32_t vshift = n->vshift, vmask = n->vmask, done = n->n_delivered;
    for (const struct flit_event *ev = s->first[1]; ev < last; ev++) {
        uint32_t evc = (uint32_t)ev->to.end, flit = (uint32_t)ev->flit, at = 0;
        struct nendpoint *e = &n->ends[evc >> vshift];
        struct net_delivery *p = &n->packets[flit & FLIT_PACKET];
        *credits++ = e->feeder + (evc & vmask);
        e->received++;
        if (p->flits > 1)
            at = n->packet_arrived[flit & FLIT_PACKET]++;
        if (at == 0)
            p->head_arrived = n->now;
        if (!(flit & FLIT_TAIL))
            continue;
        p->arrived = n->now;
        if (p->dst != evc >> vshift || at + 1 != p->flits)
            net_fail(n, "packet %u from %u to %u ended at %u with %u of %u flits",
                     flit & FLIT_PACKET, p->src, p->dst, evc >> vshift, at + 1, p->flits);
        n->delivered[done++] = p;
    }
    back->credits_end = credits;
    n->flits_in_flight -= (uint64_t)(last - s->first[1]);
    n->n_delivered = done;
}

static inline void step_sinks(struct net *n)
{
    struct slot *s = net_slot(n, 0);
    if (n->n_eject_busy)
        step_waiting(n);
    const struct flit_event *last = s->end[1];
    n->totals.flits_delivered += (uint64_t)(last - s->first[1]);
    if (n->simple_sinks && !n->n_eject_busy) {
        step_simple_sinks(n, s);
    } else {
        for (const struct flit_event *ev = s->first[1]; ev < last; ev++) {
            uint32_t evc = (uint32_t)ev->to.end, flit = (uint32_t)ev->flit;
            uint32_t endpoint = evc >> n->vshift;
            const struct nendpoint *e = &n->ends[endpoint];
            if (e->held || e->e_n) {
                n->totals.flits_delivered--;
                wait_at_endpoint(n, endpoint, evc & n->vmask, flit);
            } else {
                retire(n, endpoint, evc & n->vmask, flit);
            }
        }
    }
    s->end[1] = s->first[1];
    if (n->n_delivered) {
        n->last_move = n->now;
        n->in_flight -= n->n_delivered;
        n->totals.packets_delivered += n->n_delivered;
    }
}

/* Credits, then arrivals, are done by the two evaluations; these are the parts they share. */
void net_step_ends(struct net *n)
{
    step_sources(n);
    step_sinks(n);
}
