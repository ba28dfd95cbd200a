/* SPDX-License-Identifier: MIT
 *
 * The router on bit masks: one-cycle stages (routing one ahead or one cycle), iSLIP with one
 * iteration or separable output-first with round-robin arbiters, for VCs and switch. Everything is
 * driven by events: a switch request changes only when a VC is allocated, a flit comes to an empty
 * VC, the first credit comes back, or a flit leaves; it is kept in masks, and a router without
 * requests is not visited. VC allocation falls apart into one problem per output port.
 *
 * Within a cycle: credits, arrivals, sources and sinks, then for each router with work VC
 * allocation (decided), switch allocation (done), the new owners of VCs made active; then routing.
 * What a stage hands on is thus seen one cycle later.
 *
 * `one` is a constant in every instance: true where ports and input VCs fit into one word. */
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "sim/net_impl.h"

#define ALWAYS static inline __attribute__((always_inline))

struct net_fast {
    uint64_t *busy;      /* [bit router] */
    uint64_t *pairs;     /* [(input, output) pair] VCs of the input that want the output */
    uint32_t *va_grant;  /* [output VC] pointer over the router's input VCs */
    uint32_t *va_accept; /* [input VC] pointer over the router's output VCs */
    uint32_t *va_best;   /* [input VC] VC that granted it in this cycle, or NONE32 */
    uint32_t *taken;     /* input VCs that got an output VC in this cycle */
    uint32_t *winners;   /* scratch */
    uint32_t n_taken;
    bool one;
    /* wider routers: sets in words of their own */
    uint32_t in_words, out_words, vc_words;
    uint64_t *sa_out, *va_out; /* [router * out_words] */
    uint64_t *requests;        /* [output port * in_words] */
    uint64_t *waiting;         /* [output port * vc_words] */
    uint32_t n_ranges;         /* distinct VC ranges of the classes */
    uint64_t *by_range;        /* [(output port * n_ranges + range) * vc_words], with several */
    uint64_t range_mask[NOC_MAX_CLASSES];
    uint8_t range_of[NOC_MAX_CLASSES];
    uint32_t *order;
    uint32_t *unit_first, *unit_next; /* [router], [input VC]: waiting for routing units */
    uint32_t *unit_list;
};

/* ---- make --------------------------------------------------------------------------------------
 */

bool net_fast_can(const struct net *n)
{
    bool vc = n->vc_alloc == ALLOC_OUTPUT_FIRST
                  ? !n->matrix_vc
                  : n->vc_alloc == ALLOC_ISLIP && n->vc_iterations == 1;
    bool sw = n->sw_alloc == ALLOC_OUTPUT_FIRST
                  ? !n->matrix_sw
                  : n->sw_alloc == ALLOC_ISLIP && n->sw_iterations == 1;
    return vc && sw && n->routing_delay <= 1 && n->vc_alloc_delay == 1 && n->sw_alloc_delay == 1 &&
           n->st_delay == 1 && !n->extra_alloc && n->in_speedup == 1 && n->out_speedup == 1 &&
           n->internal_speedup == 1.0 && !n->speculative && !n->hold_switch &&
           !n->wait_tail_credit && !n->vc_busy_when_full && n->output_buffer < 0 && !n->merge &&
           !(n->has_unit && n->routing_delay == 0);
}

static void find_ranges(struct net *n, struct net_fast *f)
{
    for (uint32_t c = 0; c < n->noc->n_classes; c++) {
        uint32_t r = 0;
        while (r < f->n_ranges && f->range_mask[r] != n->vc_masks[c])
            r++;
        if (r == f->n_ranges)
            f->range_mask[f->n_ranges++] = n->vc_masks[c];
        f->range_of[c] = (uint8_t)r;
    }
}

bool net_fast_init(struct net *n, struct arena *mem, struct err *err)
{
    (void)err;
    struct net_fast *f = n->fast = arena_new(mem, struct net_fast);
    uint32_t most_in = 1, most_out = 1;
    size_t pairs = 1;
    for (uint32_t r = 0; r < n->n_routers; r++) {
        const struct nrouter *t = &n->routers[r];
        most_in = t->n_in > most_in ? t->n_in : most_in;
        most_out = t->n_out > most_out ? t->n_out : most_out;
        pairs += (size_t)t->n_in * t->n_out;
    }
    size_t ivcs = (size_t)n->n_iports << n->vshift, ovcs = (size_t)n->n_oports << n->vshift;
    find_ranges(n, f);
    f->one = most_in << n->vshift <= 64 && most_out <= 64 && f->n_ranges == 1;
    f->in_words = (uint32_t)bits_words(most_in);
    f->out_words = (uint32_t)bits_words(most_out);
    f->vc_words = (uint32_t)bits_words((size_t)most_in << n->vshift);
    f->busy = arena_many(mem, uint64_t, bits_words(n->n_routers) + 1);
    f->pairs = arena_many(mem, uint64_t, pairs);
    f->va_grant = arena_many(mem, uint32_t, ovcs);
    f->va_accept = arena_many(mem, uint32_t, ivcs);
    f->va_best = arena_many(mem, uint32_t, ivcs);
    memset(f->va_best, 0xff, ivcs * sizeof *f->va_best);
    f->taken = arena_many(mem, uint32_t, ((size_t)most_in << n->vshift) + 1);
    f->winners = arena_many(mem, uint32_t, ((size_t)most_in << n->vshift) + most_out + 1);
    f->order = arena_many(mem, uint32_t, n->n_routers);
    if (!f->one) {
        f->sa_out = arena_many(mem, uint64_t, (size_t)n->n_routers * f->out_words);
        f->va_out = arena_many(mem, uint64_t, (size_t)n->n_routers * f->out_words);
        f->requests = arena_many(mem, uint64_t, (size_t)n->n_router_oports * f->in_words);
        f->waiting = arena_many(mem, uint64_t, (size_t)n->n_router_oports * f->vc_words);
        if (f->n_ranges > 1)
            f->by_range =
                arena_many(mem, uint64_t, (size_t)n->n_router_oports * f->n_ranges * f->vc_words);
    }
    if (n->has_unit) {
        f->unit_first = arena_many(mem, uint32_t, n->n_routers);
        memset(f->unit_first, 0xff, n->n_routers * sizeof *f->unit_first);
        f->unit_next = arena_many(mem, uint32_t, ivcs);
        f->unit_list = arena_many(mem, uint32_t, ivcs);
    }
    for (uint32_t i = 0; i < n->n_iports; i++)
        n->iports[i].best = NO_PORT;
    for (uint32_t o = 0; o < n->n_oports; o++)
        n->oports[o].flit_wait = (uint16_t)(n->oports[o].wire + n->st_delay);
    return true;
}

/* ---- sets wider than a word --------------------------------------------------------------------
 */

/* First member at or after `from`, cyclically; the set is not empty. */
static uint32_t cyclic_words(const uint64_t *set, uint32_t words, uint32_t from)
{
    uint32_t w = from / 64;
    uint64_t m = w < words ? set[w] >> from % 64 << from % 64 : 0;
    for (uint32_t i = 0; !m; i++) { /* at most once round */
        w = w + 1 >= words ? 0 : w + 1;
        m = set[w];
        if (i > words)
            return 0;
    }
    return w * 64 + bits_lowest(m);
}

/* ---- requests for the switch -------------------------------------------------------------------
 */

ALWAYS void request(struct net *n, struct net_fast *f, uint32_t ivc, const struct ivc *q, bool one)
{
    const struct iport *ip = &n->iports[ivc >> n->vshift];
    struct nrouter *r = &n->routers[ip->router];
    uint32_t oport = q->ovc >> n->vshift;
    struct oport *op = &n->oports[oport];
    uint64_t before = f->pairs[q->pair];
    f->pairs[q->pair] = before | (uint64_t)1 << (ivc & n->vmask);
    r->n_sa++;
    f->busy[ip->router / 64] |= (uint64_t)1 << ip->router % 64;
    if (one) {
        op->requests |= (uint64_t)1 << ip->local;
        r->sa_out |= (uint64_t)1 << op->local;
    } else if (!before) {
        bits_set(f->requests + (size_t)oport * f->in_words, ip->local);
        op->any_requests ^= ip->local;
        if (op->n_requests++ == 0)
            bits_set(f->sa_out + (size_t)ip->router * f->out_words, op->local);
    }
}

ALWAYS void withdraw(struct net *n, struct net_fast *f, uint32_t router, struct nrouter *r,
                     const struct iport *ip, uint32_t vc, struct oport *op, uint32_t pair, bool one)
{
    uint64_t left = f->pairs[pair] & ~((uint64_t)1 << vc);
    f->pairs[pair] = left;
    r->n_sa--;
    if (left)
        return;
    if (one) {
        op->requests &= ~((uint64_t)1 << ip->local);
        if (!op->requests)
            r->sa_out &= ~((uint64_t)1 << op->local);
    } else {
        bits_clear(f->requests + (size_t)(op - n->oports) * f->in_words, ip->local);
        op->any_requests ^= ip->local;
        if (--op->n_requests == 0)
            bits_clear(f->sa_out + (size_t)router * f->out_words, op->local);
    }
}

/* ---- VC allocation -----------------------------------------------------------------------------
 */

/* A routed VC joins those that wait for a VC of its output. */
ALWAYS void wait_for_vc(struct net *n, struct net_fast *f, uint32_t router, uint32_t ivc,
                        struct ivc *q, bool one)
{
    struct nrouter *r = &n->routers[router];
    uint32_t oport = r->first_out + q->out, local = ivc - r->first_ivc;
    struct oport *op = &n->oports[oport];
    q->state = VC_ALLOC;
    op->n_waiting++;
    f->busy[router / 64] |= (uint64_t)1 << router % 64;
    if (one) {
        op->waiting |= (uint64_t)1 << local;
        r->va_out |= (uint64_t)1 << q->out;
    } else {
        op->any_waiting ^= local;
        bits_set(f->waiting + (size_t)oport * f->vc_words, local);
        bits_set(f->va_out + (size_t)router * f->out_words, q->out);
        if (f->n_ranges > 1)
            bits_set(f->by_range +
                         ((size_t)oport * f->n_ranges + f->range_of[net_vc_class(n, ivc)]) *
                             f->vc_words,
                     local);
    }
}

ALWAYS void give_vc(struct net *n, struct net_fast *f, const struct nrouter *r, uint32_t oport,
                    struct oport *op, uint32_t local, uint32_t v, bool one)
{
    uint32_t ivc = r->first_ivc + local, ovc = (oport << n->vshift) | v;
    struct ivc *q = &n->ivcs[ivc];
    op->free &= ~((uint64_t)1 << v);
    n->owner[ovc] = ivc;
    q->ovc = ovc;
    q->pair = r->pairs + (local >> n->vshift) * r->n_out + op->local;
    f->va_grant[ovc] = local + 1 == r->n_in << n->vshift ? 0 : local + 1;
    f->va_accept[ivc] = ((uint32_t)op->local << n->vshift) + v + 1;
    op->n_waiting--;
    if (one) {
        op->waiting &= ~((uint64_t)1 << local);
    } else {
        op->any_waiting ^= local;
        bits_clear(f->waiting + (size_t)oport * f->vc_words, local);
        if (f->n_ranges > 1)
            bits_clear(f->by_range +
                           ((size_t)oport * f->n_ranges + f->range_of[net_vc_class(n, ivc)]) *
                               f->vc_words,
                       local);
    }
    f->taken[f->n_taken++] = ivc;
}

/* Where an input VC begins to look among the VCs of one output. */
ALWAYS uint32_t accept_from(const struct net *n, const struct net_fast *f, uint32_t ivc,
                            uint32_t out)
{
    uint32_t a = f->va_accept[ivc];
    return a >> n->vshift == out ? a & n->vmask : 0;
}

/* The waiting input VC that a free output VC grants, or NONE32. */
ALWAYS uint32_t va_winner(const struct net *n, const struct net_fast *f, uint32_t oport,
                          const struct oport *op, uint32_t v, bool one)
{
    uint32_t from = f->va_grant[(oport << n->vshift) | v];
    if (one)
        return (uint32_t)cyclic_first(op->waiting, from);
    if (f->n_ranges == 1)
        return cyclic_words(f->waiting + (size_t)oport * f->vc_words, f->vc_words, from);
    uint64_t set[NET_MAX_PORTS * NET_MAX_VCS / 64], any = 0;
    for (uint32_t w = 0; w < f->vc_words; w++) {
        set[w] = 0;
        for (uint32_t k = 0; k < f->n_ranges; k++)
            if (f->range_mask[k] >> v & 1)
                set[w] |= f->by_range[((size_t)oport * f->n_ranges + k) * f->vc_words + w];
        any |= set[w];
    }
    return any ? cyclic_words(set, f->vc_words, from) : NONE32;
}

/* Several wait: each free VC grants one of them, each of those accepts one VC. */
ALWAYS void allocate_many(struct net *n, struct net_fast *f, const struct nrouter *r,
                          uint32_t oport, struct oport *op, uint64_t free, bool one)
{
    uint32_t count = 0;
    for (uint64_t m = free; m; m &= m - 1) {
        uint32_t v = bits_lowest(m), local = va_winner(n, f, oport, op, v, one);
        if (!one && local == NONE32)
            continue;
        uint32_t ivc = r->first_ivc + local, best = f->va_best[ivc];
        if (best == NONE32) {
            f->va_best[ivc] = v;
            f->winners[count++] = local;
            continue;
        }
        uint32_t from = accept_from(n, f, ivc, op->local);
        if (((v - from) & n->vmask) < ((best - from) & n->vmask))
            f->va_best[ivc] = v;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t local = f->winners[i], ivc = r->first_ivc + local;
        uint32_t v = f->va_best[ivc];
        f->va_best[ivc] = NONE32;
        give_vc(n, f, r, oport, op, local, v, one);
    }
}

ALWAYS void allocate_output(struct net *n, struct net_fast *f, struct nrouter *r, uint32_t router,
                            uint32_t out, bool one)
{
    uint32_t oport = r->first_out + out;
    struct oport *op = &n->oports[oport];
    uint64_t free = op->free;
    if (one || f->n_ranges == 1)
        free &= n->vc_masks[0];
    if (free) {
        r->va_bids += op->n_waiting;
        if (op->n_waiting == 1) {
            uint32_t local = one ? bits_lowest(op->waiting) : op->any_waiting;
            uint32_t ivc = r->first_ivc + local;
            if (!one && f->n_ranges > 1)
                free &= n->vc_masks[net_vc_class(n, ivc)];
            if (free)
                give_vc(n, f, r, oport, op, local,
                        (uint32_t)cyclic_first(free, accept_from(n, f, ivc, out)), one);
        } else {
            allocate_many(n, f, r, oport, op, free, one);
        }
        if (op->n_waiting)
            return;
    }
    /* nobody waits, or nothing is free: looked at again when that changes */
    if (one)
        r->va_out &= ~((uint64_t)1 << out);
    else
        bits_clear(f->va_out + (size_t)router * f->out_words, out);
}

/* ---- switch allocation -------------------------------------------------------------------------
 */

ALWAYS void send_flit(struct net *n, struct net_fast *f, struct nrouter *r, uint32_t router,
                      struct iport *ip, struct oport *op, bool one)
{
    uint32_t pair = r->pairs + ip->local * r->n_out + op->local;
    uint32_t vc = (uint32_t)cyclic_first(f->pairs[pair], ip->vc_pointer);
    uint32_t ivc = (uint32_t)((ip - n->iports) << n->vshift) | vc;
    struct ivc *q = &n->ivcs[ivc];
    uint32_t flit = n->buf[((size_t)ivc << n->dshift) + q->read], ovc = q->ovc;
    uint32_t left = --q->n, credits = --n->credits[ovc];
    ip->vc_pointer = vc + 1 == n->vcs ? 0 : (uint16_t)(vc + 1);
    q->read = (uint16_t)((q->read + 1) & n->dmask);
    op->sent++;
    net_send_flit(n, op, ovc & n->vmask, flit, op->flit_wait);
    net_send_credit(n, ip->up | vc, ip->credit_wait);
    if (flit & FLIT_TAIL) {
        op->free |= (uint64_t)1 << (ovc & n->vmask);
        n->owner[ovc] = NONE32;
        if (op->n_waiting) {
            if (one)
                r->va_out |= (uint64_t)1 << op->local;
            else
                bits_set(f->va_out + (size_t)router * f->out_words, op->local);
        }
        withdraw(n, f, router, r, ip, vc, op, pair, one);
        q->state = left ? VC_ROUTING : VC_IDLE;
        if (left)
            n->rc_next[n->n_rc_next++] = ivc;
    } else if (!left || !credits) {
        withdraw(n, f, router, r, ip, vc, op, pair, one);
    }
}

/* One output grants one input; an input keeps the grant that comes first after its pointer. */
ALWAYS uint32_t grant_output(struct net *n, struct net_fast *f, const struct nrouter *r,
                             uint32_t out, uint32_t count, bool one)
{
    uint32_t oport = r->first_out + out, in;
    const struct oport *op = &n->oports[oport];
    if (one)
        in = (uint32_t)cyclic_first(op->requests, op->grant);
    else if (op->n_requests == 1)
        in = op->any_requests;
    else
        in = cyclic_words(f->requests + (size_t)oport * f->in_words, f->in_words, op->grant);
    struct iport *ip = &n->iports[r->first_in + in];
    if (ip->best == NO_PORT) {
        ip->best = (uint16_t)out;
        f->winners[count] = in;
        return count + 1;
    }
    uint32_t a = ip->accept, b = ip->best;
    uint32_t d_out = out >= a ? out - a : out + r->n_out - a;
    uint32_t d_best = b >= a ? b - a : b + r->n_out - a;
    if (d_out < d_best)
        ip->best = (uint16_t)out;
    return count;
}

ALWAYS void allocate_switch(struct net *n, struct net_fast *f, struct nrouter *r, uint32_t router,
                            bool one)
{
    uint32_t count = 0;
    if (one)
        for (uint64_t m = r->sa_out; m; m &= m - 1)
            count = grant_output(n, f, r, bits_lowest(m), count, one);
    else
        for (uint32_t w = 0; w < f->out_words; w++)
            for (uint64_t m = f->sa_out[(size_t)router * f->out_words + w]; m; m &= m - 1)
                count = grant_output(n, f, r, w * 64 + bits_lowest(m), count, one);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t in = f->winners[i];
        struct iport *ip = &n->iports[r->first_in + in];
        uint32_t out = ip->best;
        struct oport *op = &n->oports[r->first_out + out];
        ip->best = NO_PORT;
        op->grant = in + 1 == r->n_in ? 0 : (uint16_t)(in + 1);
        ip->accept = out + 1 == r->n_out ? 0 : (uint16_t)(out + 1);
        send_flit(n, f, r, router, ip, op, one);
    }
}

ALWAYS bool outputs_wait(const struct net_fast *f, const uint64_t *set, uint32_t router)
{
    for (uint32_t w = 0; w < f->out_words; w++)
        if (set[(size_t)router * f->out_words + w])
            return true;
    return false;
}

ALWAYS void step_router(struct net *n, struct net_fast *f, uint32_t router, bool one)
{
    struct nrouter *r = &n->routers[router];
    f->n_taken = 0;
    if (one)
        for (uint64_t m = r->va_out; m; m &= m - 1)
            allocate_output(n, f, r, router, bits_lowest(m), one);
    else
        for (uint32_t w = 0; w < f->out_words; w++)
            for (uint64_t m = f->va_out[(size_t)router * f->out_words + w]; m; m &= m - 1)
                allocate_output(n, f, r, router, w * 64 + bits_lowest(m), one);
    if (r->n_sa) {
        r->sa_bids += r->n_sa;
        n->last_move = n->now;
        allocate_switch(n, f, r, router, one);
    }
    for (uint32_t i = 0; i < f->n_taken; i++) {
        uint32_t ivc = f->taken[i];
        struct ivc *q = &n->ivcs[ivc];
        q->state = VC_ACTIVE;
        if (n->credits[q->ovc])
            request(n, f, ivc, q, one);
    }
    if (!r->n_sa && (one ? !r->va_out : !outputs_wait(f, f->va_out, router)))
        f->busy[router / 64] &= ~((uint64_t)1 << router % 64);
}

/* ---- a cycle -----------------------------------------------------------------------------------
 */

ALWAYS void take_credits(struct net *n, struct net_fast *f, uint32_t slot, bool one)
{
    const uint32_t *list = &n->ring_credits[(size_t)slot * n->credit_cap];
    uint32_t count = n->counts[slot].credits;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t ovc = list[i];
        if (n->credits[ovc]++ || n->owner[ovc] == NONE32)
            continue;
        uint32_t ivc = n->owner[ovc];
        if (n->ivcs[ivc].n)
            request(n, f, ivc, &n->ivcs[ivc], one);
    }
    n->counts[slot].credits = 0;
}

ALWAYS void take_flits(struct net *n, struct net_fast *f, uint32_t slot, bool one)
{
    const uint64_t *list = &n->ring_flits[(size_t)slot * n->flit_cap];
    uint32_t count = n->counts[slot].flits;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t ivc = (uint32_t)(list[i] >> 32);
        struct ivc *q = &n->ivcs[ivc];
        size_t at = ((size_t)ivc << n->dshift) + ((q->read + q->n) & n->dmask);
        n->buf[at] = (uint32_t)list[i];
        if (n->slot_time)
            n->slot_time[at] = n->now;
        uint32_t before = q->n++;
        if (q->state == VC_IDLE) {
            q->state = VC_ROUTING;
            n->rc[n->n_rc++] = ivc;
        } else if (!before && q->state == VC_ACTIVE && n->credits[q->ovc]) {
            request(n, f, ivc, q, one);
        }
    }
    n->counts[slot].flits = 0;
}

/* Routing units look at all waiting VCs of their router at once. */
static void run_units(struct net *n, struct net_fast *f)
{
    uint32_t routers = 0;
    for (uint32_t i = 0; i < n->n_rc; i++) {
        uint32_t ivc = n->rc[i], router = n->iports[ivc >> n->vshift].router;
        if (f->unit_first[router] == NONE32)
            f->order[routers++] = router;
        f->unit_next[ivc] = f->unit_first[router];
        f->unit_first[router] = ivc;
    }
    for (uint32_t i = 0; i < routers; i++) {
        uint32_t router = f->order[i], count = 0;
        for (uint32_t v = f->unit_first[router]; v != NONE32; v = f->unit_next[v])
            f->unit_list[count++] = v;
        f->unit_first[router] = NONE32;
        net_route_unit(n, router, f->unit_list, count);
    }
}

/* Chooses the port of every VC to be routed, before this cycle's allocations change what is free.
 */
static void choose_ports(struct net *n, struct net_fast *f)
{
    if (n->has_unit)
        run_units(n, f);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n->n_rc; i++) {
        uint32_t ivc = n->rc[i];
        if (net_route_vc(n, n->iports[ivc >> n->vshift].router, ivc, &n->ivcs[ivc]))
            n->rc[kept++] = ivc;
        else
            n->rc_next[n->n_rc_next++] = ivc;
    }
    n->n_rc = kept;
}

ALWAYS void route(struct net *n, struct net_fast *f, bool chosen, bool one)
{
    for (uint32_t i = 0; i < n->n_rc; i++) {
        uint32_t ivc = n->rc[i], router = n->iports[ivc >> n->vshift].router;
        struct ivc *q = &n->ivcs[ivc];
        if (!chosen)
            net_route_vc(n, router, ivc, q);
        wait_for_vc(n, f, router, ivc, q, one);
    }
    n->n_rc = 0;
}

static void step_shuffled(struct net *n, struct net_fast *f)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < bits_words(n->n_routers); w++)
        for (uint64_t m = f->busy[w]; m; m &= m - 1)
            f->order[count++] = w * 64 + bits_lowest(m);
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = rng_below(&n->shuffle, i), t = f->order[j];
        f->order[j] = f->order[i - 1];
        f->order[i - 1] = t;
    }
    for (uint32_t i = 0; i < count; i++)
        step_router(n, f, f->order[i], f->one);
}

ALWAYS void step(struct net *n, struct net_fast *f, bool one)
{
    uint32_t slot = (uint32_t)n->now & n->ring_mask;
    take_credits(n, f, slot, one);
    take_flits(n, f, slot, one);
    net_step_ends(n);
    bool early = n->is_adaptive || n->has_unit;
    if (early)
        choose_ports(n, f);
    if (!n->routing_delay)
        route(n, f, early, one);
    if (n->shuffle_seed)
        step_shuffled(n, f);
    else
        for (uint32_t w = 0; w < bits_words(n->n_routers); w++)
            for (uint64_t m = f->busy[w]; m; m &= m - 1)
                step_router(n, f, w * 64 + bits_lowest(m), one);
    if (n->routing_delay)
        route(n, f, early, one);
    uint32_t *list = n->rc;
    n->rc = n->rc_next;
    n->rc_next = list;
    n->n_rc = n->n_rc_next;
    n->n_rc_next = 0;
}

static void step_one(struct net *n)
{
    step(n, n->fast, true);
}

static void step_wide(struct net *n)
{
    step(n, n->fast, false);
}

void net_fast_step(struct net *n)
{
    if (n->fast->one)
        step_one(n);
    else
        step_wide(n);
}

bool net_fast_is_busy(const struct net *n)
{
    if (n->n_rc)
        return true;
    for (uint32_t w = 0; w < bits_words(n->n_routers); w++)
        if (n->fast->busy[w])
            return true;
    return false;
}
