/* SPDX-License-Identifier: MIT
 *
 * The engine checks itself: conservation of flits and credits, order within VCs, and a watchdog
 * that names the packets which wait for each other. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "sim/net/engine_impl.h"

bool net_fail(struct net *n, const char *fmt, ...)
{
    if (n->failed)
        return false;
    n->failed = true;
    int at = snprintf(n->text, sizeof n->text, "cycle %llu: ", (unsigned long long)n->now);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(n->text + at, sizeof n->text - (size_t)at, fmt, ap);
    va_end(ap);
    return false;
}

static void add_text(struct net *n, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add_text(struct net *n, const char *fmt, ...)
{
    size_t at = strlen(n->text);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(n->text + at, sizeof n->text - at, fmt, ap);
    va_end(ap);
}

void net_problem(const struct net *n, struct buf *out)
{
    buf_add(out, n->failed ? n->text : "no problem");
}

/* ---- invariants ------------------------------------------------------------------------------ */

/* What is on its way, by where it arrives: one pass over the lists, however many output VCs ask. */
static void count_under_way(struct net *n)
{
    struct net_under_way *way = &n->under_way;
    memset(way->to_input, 0, ((size_t)n->n_iports << n->vshift) * sizeof *way->to_input);
    memset(way->to_end, 0, ((size_t)n->n_ends << n->vshift) * sizeof *way->to_end);
    memset(way->credits, 0, ((size_t)n->n_oports << n->vshift) * sizeof *way->credits);
    for (uint32_t i = 0; i <= n->ring_mask; i++) {
        const struct slot *s = &n->slots[i];
        for (const struct flit_event *e = s->first[0]; e < s->end[0]; e++)
            way->to_input[e->to.vc - n->ivcs]++;
        for (const struct flit_event *e = s->first[1]; e < s->end[1]; e++)
            way->to_end[e->to.end]++;
        for (struct ovc **c = s->credits; c < s->credits_end; c++)
            way->credits[*c - n->ovcs]++;
    }
    uint32_t cap = n->vcs * n->depth;
    for (uint32_t e = 0; e < n->n_ends; e++) {
        const struct nendpoint *end = &n->ends[e];
        for (uint32_t i = 0; i < end->e_n; i++) {
            size_t at = (size_t)e * cap + (end->e_read + i) % cap;
            way->to_end[(e << n->vshift) | n->eject_queue[at * 2 + 1]]++;
        }
    }
}

/* Flits and credits between an output VC and what it feeds. */
static void count_between(const struct net *n, uint32_t ovc, uint32_t *flits, uint32_t *credits)
{
    const struct oport *op = &n->oports[ovc >> n->vshift];
    uint32_t to = op->down | (ovc & n->vmask);
    *flits = op->to_endpoint ? n->under_way.to_end[to] : n->under_way.to_input[to];
    *flits += n->full ? net_full_leaving(n, ovc) : 0;
    *credits = n->under_way.credits[ovc];
    if (n->full && !op->to_endpoint)
        *credits += net_full_owed(n, to);
}

static bool check_credits(struct net *n)
{
    count_under_way(n);
    for (uint32_t o = 0; o < n->n_oports; o++) {
        const struct oport *op = &n->oports[o];
        if (op->down == NONE32)
            continue;
        for (uint32_t v = 0; v < n->vcs; v++) {
            uint32_t ovc = (o << n->vshift) + v, flits, credits, held = 0;
            count_between(n, ovc, &flits, &credits);
            if (!op->to_endpoint) {
                held = n->ivcs[op->down + v].n;
                if (n->merge)
                    held -= net_merge_extra(n, op->down + v);
            }
            if (n->ovcs[ovc].credits + flits + credits + held != n->depth)
                return net_fail(n,
                                "router %d output %u VC %u: %u credits + %u flits and %u credits "
                                "under way + %u buffered are not %u",
                                (int)op->router, op->local, v, n->ovcs[ovc].credits, flits, credits,
                                held, n->depth);
        }
    }
    return true;
}

/* A VC holds whole packets in order: after a tail a head, after anything else the same packet. */
static bool check_order(struct net *n)
{
    for (uint32_t ivc = 0; ivc < n->n_iports << n->vshift; ivc++) {
        const struct ivc *q = &n->ivcs[ivc];
        uint32_t last = FLIT_TAIL;
        for (uint32_t i = 0; i < q->n; i++) {
            uint32_t f = q->slots[(q->read + i) & n->dmask];
            bool starts = f & FLIT_HEAD;
            if (i && ((last & FLIT_TAIL) ? !starts : (starts || ((f ^ last) & FLIT_PACKET))))
                return net_fail(n, "router %u input %u VC %u: packet %u is out of order",
                                n->iports[ivc >> n->vshift].router,
                                n->iports[ivc >> n->vshift].local, ivc & n->vmask, f & FLIT_PACKET);
            last = f;
        }
        if (net_vc_state(n, q) == VC_IDLE && q->n)
            return net_fail(n, "router %u input %u VC %u: idle with %u flits",
                            n->iports[ivc >> n->vshift].router, n->iports[ivc >> n->vshift].local,
                            ivc & n->vmask, q->n);
        if (net_vc_state(n, q) == VC_ACTIVE && net_owner(n, q->o) != ivc)
            return net_fail(n, "router %u output VC %u has two owners",
                            n->iports[ivc >> n->vshift].router, (uint32_t)(q->o - q->o->port->vcs));
    }
    return true;
}

static bool check_flits(struct net *n)
{
    uint64_t held = 0;
    for (uint32_t i = 0; i < n->n_iports << n->vshift; i++)
        held += n->ivcs[i].n;
    for (uint32_t i = 0; i <= n->ring_mask; i++)
        for (int k = 0; k < 2; k++)
            held += (uint64_t)(n->slots[i].end[k] - n->slots[i].first[k]);
    for (uint32_t e = 0; e < n->n_ends; e++)
        held += n->ends[e].e_n;
    if (n->full)
        for (uint32_t o = 0; o < n->n_router_oports << n->vshift; o++)
            held += net_full_leaving(n, o);
    if (n->merge)
        held += net_merge_flits(n);
    if (held != n->flits_in_flight)
        return net_fail(n, "%llu flits are in the network, %llu should be",
                        (unsigned long long)held, (unsigned long long)n->flits_in_flight);
    return true;
}

/* No list holds more than it has room for. */
static bool check_bounds(struct net *n)
{
    for (uint32_t i = 0; i <= n->ring_mask; i++) {
        const struct slot *s = &n->slots[i];
        size_t flits = (size_t)(s->end[0] - s->first[0]), out = (size_t)(s->end[1] - s->first[1]);
        size_t credits = (size_t)(s->credits_end - s->credits);
        if (flits > n->n_iports || out > n->n_ends || credits > n->slot_credits)
            return net_fail(n,
                            "%zu flits at %u router inputs, %zu at %u endpoints and %zu credits "
                            "(room for %zu) are to arrive at once",
                            flits, n->n_iports, out, n->n_ends, credits, n->slot_credits);
    }
    if (n->n_free_packets + n->n_delivered > n->n_packets)
        return net_fail(n, "more packets are free than there are");
    for (uint32_t i = 0; i < n->n_iports << n->vshift; i++)
        if (n->ivcs[i].n > n->dmask + 1u)
            return net_fail(n, "router %u input %u VC %u: %u flits in %u slots",
                            n->iports[i >> n->vshift].router, n->iports[i >> n->vshift].local,
                            i & n->vmask, n->ivcs[i].n, n->dmask + 1u);
    for (uint32_t i = 0; i < n->n_ends; i++)
        if (n->ends[i].q_n > n->source_depth || n->ends[i].e_n > n->vcs * n->depth)
            return net_fail(n, "endpoint %u: %u packets in a source of %u, %u flits at its sink", i,
                            n->ends[i].q_n, n->source_depth, n->ends[i].e_n);
    return true;
}

bool net_check(struct net *n)
{
    return !n->failed && check_bounds(n) && check_flits(n) && check_credits(n) && check_order(n);
}

/* ---- watchdog -------------------------------------------------------------------------------- */

/* The input VC that `ivc` waits for: the owner of the output VC it wants, or the VC downstream that
 * gives no credits. NONE32: it does not wait for a VC. */
static uint32_t waits_for(const struct net *n, uint32_t ivc)
{
    const struct ivc *q = &n->ivcs[ivc];
    uint32_t router = n->iports[ivc >> n->vshift].router;
    if (net_vc_state(n, q) == VC_ALLOC) {
        uint32_t oport = n->routers[router].first_out + q->out;
        for (uint64_t m = n->vc_masks[net_vc_class(n, q)]; m; m &= m - 1) {
            uint32_t o =
                net_owner(n, &n->ovcs[(oport << n->vshift) + (uint32_t)__builtin_ctzll(m)]);
            if (o < TAIL_SENT)
                return o;
        }
        return NONE32;
    }
    if (net_vc_state(n, q) != VC_ACTIVE || q->o->credits)
        return NONE32;
    return q->o->port->to_endpoint ? NONE32 : q->o->down.vc->index;
}

static void name_packet(struct net *n, uint32_t ivc)
{
    const struct ivc *q = &n->ivcs[ivc];
    const struct iport *ip = &n->iports[ivc >> n->vshift];
    if (!q->n) {
        add_text(n, "\n  router %u input %u VC %u (its packet's next flit is elsewhere)",
                 ip->router, ip->local, ivc & n->vmask);
        return;
    }
    uint32_t id = q->slots[q->read] & FLIT_PACKET;
    const struct net_delivery *p = &n->packets[id];
    add_text(n,
             "\n  packet %u (%u -> %u, created %llu) at router %u input %u VC %u wants output %u",
             id, p->src, p->dst, (unsigned long long)p->created, ip->router, ip->local,
             ivc & n->vmask, q->out);
}

void net_watchdog(struct net *n)
{
    uint32_t total = n->n_iports << n->vshift, start = NONE32;
    for (uint32_t i = 0; i < total && start == NONE32; i++)
        if (n->ivcs[i].n && waits_for(n, i) != NONE32)
            start = i;
    net_fail(n, "nothing has moved for %llu cycles with %llu flits in flight",
             (unsigned long long)(n->now - n->last_move), (unsigned long long)n->flits_in_flight);
    if (start == NONE32)
        return;
    uint32_t at = start; /* after `total` steps we are on the cycle, if there is one */
    for (uint32_t i = 0; i < total && at != NONE32; i++)
        at = waits_for(n, at);
    if (at == NONE32) {
        add_text(n, "; the first packet that waits:");
        name_packet(n, start);
        return;
    }
    add_text(n, "; these packets wait for each other in a ring:");
    uint32_t first = at;
    do {
        name_packet(n, at);
        at = waits_for(n, at);
    } while (at != first && strlen(n->text) + 200 < sizeof n->text);
}
