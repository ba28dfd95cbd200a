/* SPDX-License-Identifier: MIT
 *
 * The router on bit masks: one-cycle stages (routing one ahead or one cycle), iSLIP with one
 * iteration or separable output-first with round-robin arbiters, for VCs and switch. Everything is
 * driven by events: a switch request changes only when a VC is allocated, a flit comes to an empty
 * VC, the first credit comes back, or a flit leaves; it is kept in masks, and a router without
 * requests is not visited. VC allocation falls apart into one problem per output port.
 *
 * Within a cycle: credits, arrivals that bid at once, sources and sinks, then for each router with
 * work the switch and VC allocation; then heads that arrive are routed. What a stage hands on is
 * thus seen one cycle later.
 *
 * `one`, `plain` and `direct` are constants in every instance: ports and input VCs fit into one
 * word; all wires are alike and there is one route to everywhere; routes come from one small table.
 */
#include <string.h>

#include "base/bits.h"
#include "sim/net/fast_impl.h"

/* With sanitizers (clang needs minutes for ten copies of all) and where lines are counted the
 * instances share their functions. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CW_ONE_COPY
#endif
#endif
#ifdef CW_ONE_COPY
#define ALWAYS static
#else
#define ALWAYS static inline __attribute__((always_inline))
#endif
/* Nothing is kept in registers over this point: the long loops have more to keep than there are. */
#define FORGET __asm__ volatile("" ::: "memory")

/* ---- sets wider than a word ------------------------------------------------------------------ */

/* First member at or after `from`, cyclically; the set is not empty. */
ALWAYS uint32_t cyclic_words(const uint64_t *set, uint32_t words, uint32_t from)
{
    uint32_t w = from / 64;
    if (w < words) {
        uint64_t m = set[w] >> from % 64 << from % 64;
        if (m)
            return w * 64 + bits_lowest(m);
        while (++w < words)
            if (set[w])
                return w * 64 + bits_lowest(set[w]);
    }
    w = 0;
    while (!set[w])
        w++;
    return w * 64 + bits_lowest(set[w]);
}

/* ---- requests for the switch ----------------------------------------------------------------- */

ALWAYS void request_of(const struct ivc *q, struct nrouter *r, struct oport *op, bool one)
{
    const struct iport *ip = q->in;
    uint64_t *pair = &ip->pairs[q->out], before = *pair;
    *pair = before | q->bit;
    r->n_sa++;
    if (one) {
        op->requests |= ip->bit;
        r->sa_out |= op->bit;
    } else if (!before) {
        op->request_words[ip->local / 64] |= ip->bit;
        op->any_requests ^= ip->local;
        if (op->n_requests++ == 0)
            r->sa_words[op->local / 64] |= op->bit;
    }
}

ALWAYS void request(const struct ivc *q, bool one)
{
    struct nrouter *r = q->r;
    request_of(q, r, q->o->port, one);
    *r->busy_word |= r->busy_bit;
}

ALWAYS void withdraw(const struct ivc *q, struct nrouter *r, const struct iport *ip,
                     struct oport *op, uint64_t *pair, bool one)
{
    uint64_t left = *pair & ~q->bit;
    *pair = left;
    r->n_sa--;
    if (left)
        return;
    if (one) {
        uint64_t others = op->requests & ~ip->bit;
        op->requests = others;
        if (!others)
            r->sa_out &= ~op->bit;
    } else {
        op->request_words[ip->local / 64] &= ~ip->bit;
        op->any_requests ^= ip->local;
        if (--op->n_requests == 0)
            r->sa_words[op->local / 64] &= ~op->bit;
    }
}

/* ---- VC allocation --------------------------------------------------------------------------- */

static uint64_t *range_words(const struct net *n, const struct net_fast *f, const struct oport *op,
                             uint32_t range)
{
    return f->by_range + ((size_t)(op - n->oports) * f->n_ranges + range) * f->vc_words;
}

/* A routed VC joins those that wait for a VC of its output. */
ALWAYS void wait_for_vc(const struct net *n, const struct net_fast *f, struct nrouter *r,
                        struct ivc *q, bool one, bool plain)
{
    struct oport *op = &r->outs[q->out];
    *r->busy_word |= r->busy_bit;
    if (one) {
        op->waiting |= q->local_bit;
        r->va_out |= op->bit;
    } else {
        op->n_waiting++;
        op->any_waiting ^= q->local;
        op->waiting_words[q->local / 64] |= q->local_bit;
        r->va_words[q->out / 64] |= op->bit;
        if (!plain && f->n_ranges > 1)
            bits_set(range_words(n, f, op, f->range_of[net_vc_class(n, q)]), q->local);
    }
}

/* The input VC owns the output VC and bids for the switch from the next cycle on: who wins it in
 * this one is decided already. */
ALWAYS void give_vc(const struct net *n, struct nrouter *r, struct oport *op, struct ivc *q,
                    uint32_t v, bool one, bool plain)
{
    struct ovc *o = &op->vcs[v];
    /* pointers need no wrapping: beyond the last there is nothing, and it starts from the first */
    op->free &= ~o->bit;
    o->user = q;
    if (one)
        o->grant_after = q->after;
    else
        o->grant = q->local_next;
    q->o = o;
    q->accept_out = q->out;
    q->accept_after = o->after;
    if (one) {
        op->waiting &= ~q->local_bit;
    } else {
        uint32_t local = q->local;
        op->n_waiting--;
        op->any_waiting ^= local;
        op->waiting_words[local / 64] &= ~q->local_bit;
        const struct net_fast *f = n->fast;
        if (!plain && f->n_ranges > 1)
            bits_clear(range_words(n, f, op, f->range_of[net_vc_class(n, q)]), local);
    }
    if (o->credits)
        request_of(q, r, op, one);
}

/* The VCs of its output among which an input VC looks first. */
ALWAYS uint64_t accepts_first(const struct ivc *q)
{
    return q->accept_out == q->out ? q->accept_after : UINT64_MAX;
}

/* The waiting input VC that a free output VC grants, or NONE32. */
static uint32_t winner_of_ranges(const struct net *n, const struct net_fast *f,
                                 const struct oport *op, uint32_t v)
{
    uint64_t set[NET_MAX_PORTS * NET_MAX_VCS / 64], any = 0;
    for (uint32_t w = 0; w < f->vc_words; w++) {
        set[w] = 0;
        for (uint32_t k = 0; k < f->n_ranges; k++)
            if (f->range_mask[k] >> v & 1)
                set[w] |= range_words(n, f, op, k)[w];
        any |= set[w];
    }
    return any ? cyclic_words(set, f->vc_words, op->vcs[v].grant) : NONE32;
}

ALWAYS uint32_t va_winner(const struct net *n, const struct net_fast *f, const struct oport *op,
                          uint32_t v, bool one, bool plain)
{
    if (one)
        return lowest_of(op->waiting, op->vcs[v].grant_after);
    if (plain || f->n_ranges == 1)
        return cyclic_words(op->waiting_words, f->vc_words, op->vcs[v].grant);
    return winner_of_ranges(n, f, op, v);
}

/* Several wait: each free VC grants one of them, each of those accepts one VC. */
ALWAYS void allocate_many(const struct net *n, const struct net_fast *f, struct nrouter *r,
                          struct oport *op, uint64_t free, bool one, bool plain)
{
    uint32_t count = 0;
    do {
        uint32_t v = bits_lowest(free), local = va_winner(n, f, op, v, one, plain);
        if (!one && !plain && local == NONE32)
            continue;
        uint32_t best = f->va_best[local];
        struct ivc *q = &r->vcs[local];
        if (best == NONE32) {
            f->va_best[local] = v;
            f->bidders[count++] = q;
            continue;
        }
        if (lowest_of((uint64_t)1 << v | (uint64_t)1 << best, accepts_first(q)) == v)
            f->va_best[local] = v;
    } while (free &= free - 1);
    for (uint32_t i = 0; i < count; i++) {
        struct ivc *q = f->bidders[i];
        uint32_t v = f->va_best[q->local];
        f->va_best[q->local] = NONE32;
        give_vc(n, r, op, q, v, one, plain);
    }
}

ALWAYS void allocate_output(const struct net *n, const struct net_fast *f, struct nrouter *r,
                            uint32_t out, bool one, bool plain)
{
    struct oport *op = &r->outs[out];
    uint64_t free = op->free;
    if (!plain && (one || f->n_ranges == 1))
        free &= n->vc_masks[0];
    if (free) {
        bool single = one ? !(op->waiting & (op->waiting - 1)) : op->n_waiting == 1;
        if (single) {
            struct ivc *q = &r->vcs[one ? bits_lowest(op->waiting) : op->any_waiting];
            r->va_bids++;
            if (!one && !plain && f->n_ranges > 1)
                free &= n->vc_masks[net_vc_class(n, q)];
            if (free)
                give_vc(n, r, op, q, lowest_of(free, accepts_first(q)), one, plain);
            if (!one && !plain && op->n_waiting)
                return;
        } else {
            r->va_bids += one ? bits_count(op->waiting) : op->n_waiting;
            allocate_many(n, f, r, op, free, one, plain);
            if (one ? op->waiting : op->n_waiting)
                return;
        }
    }
    /* nobody waits, or nothing is free: looked at again when that changes */
    if (one)
        r->va_out &= ~op->bit;
    else
        r->va_words[out / 64] &= ~op->bit;
}

/* ---- switch allocation ----------------------------------------------------------------------- */

ALWAYS void send_flit(struct net *n, struct nrouter *r, struct iport *ip, struct oport *op,
                      uint32_t out, bool one, bool plain)
{
    struct ivc *q = &ip->vcs[ip->best_vc];
    uint32_t read = q->read, flit = q->slots[read], left = --q->n;
    q->read = (read + 1) & n->dmask;
    ip->vc_after = q->vc_after;
    uint64_t *pair = &ip->pairs[out];
    struct ovc *o = q->o;
    o->credits--;
    op->sent++;
    FORGET;
    if (plain) {
        struct flit_event *e = n->flit_end[op->to_endpoint]++;
        e->to = o->down;
        e->flit = flit;
        *n->credit_end++ = q->up;
    } else {
        net_send_flit(net_slot(n, op->flit_wait), op, o, flit);
        net_send_credit(net_slot(n, ip->credit_wait), q->up);
    }
    if (flit & FLIT_TAIL) {
        op->empty += n->packet_empty[flit & FLIT_PACKET];
        op->free |= o->bit;
        o->user = NULL;
        q->o = NULL;
        if (one) {
            if (op->waiting)
                r->va_out |= op->bit;
        } else if (op->n_waiting) {
            r->va_words[op->local / 64] |= op->bit;
        }
        withdraw(q, r, ip, op, pair, one);
        if (left)
            n->rc_next[n->n_rc_next++] = q;
        else
            q->left_at = n->now;
    } else if (!left || !o->credits) {
        withdraw(q, r, ip, op, pair, one);
    }
}

ALWAYS uint32_t granted_input(const struct net_fast *f, const struct oport *op, bool one)
{
    if (one)
        return lowest_of(op->requests, op->grant_after);
    if (op->n_requests == 1)
        return op->any_requests;
    return cyclic_words(op->request_words, f->in_words, op->grant);
}

/* One output grants one input; an input keeps the grant that comes first after its pointer. */
ALWAYS struct iport **grant_output(const struct net_fast *f, const struct nrouter *r, uint32_t out,
                                   struct iport **winners, bool one)
{
    struct iport *ip = &r->ins[granted_input(f, &r->outs[out], one)];
    uint32_t a = ip->accept, b = ip->best;
    if (b == NO_PORT) {
        *winners++ = ip;
    } else {
        uint32_t d_out = out >= a ? out - a : out + r->n_out - a;
        uint32_t d_best = b >= a ? b - a : b + r->n_out - a;
        if (d_out >= d_best)
            return winners;
    }
    ip->best = out;
    ip->best_vc = lowest_of(ip->pairs[out], ip->vc_after);
    return winners;
}

/* Decides who goes; returns the end of the list of winners. */
ALWAYS struct iport **allocate_switch(const struct net_fast *f, const struct nrouter *r, bool one)
{
    struct iport **end = f->winners;
    if (one) {
        uint64_t m = r->sa_out;
        do {
            FORGET;
            end = grant_output(f, r, bits_lowest(m), end, one);
        } while (m &= m - 1);
        return end;
    }
    for (uint32_t w = 0; w < f->out_words; w++)
        for (uint64_t m = r->sa_words[w]; m; m &= m - 1)
            end = grant_output(f, r, w * 64 + bits_lowest(m), end, one);
    return end;
}

/* There is at least one. */
ALWAYS void send_winners(struct net *n, const struct net_fast *f, struct nrouter *r,
                         struct iport **end, bool one, bool plain)
{
    struct iport **w = f->winners;
    do {
        FORGET;
        struct iport *ip = *w;
        uint32_t out = ip->best;
        struct oport *op = &r->outs[out];
        ip->best = NO_PORT;
        if (one)
            op->grant_after = ip->after;
        else
            op->grant = ip->next;
        ip->accept = out + 1;
        send_flit(n, r, ip, op, out, one, plain);
    } while (++w < end);
}

ALWAYS void allocate_vcs(const struct net *n, const struct net_fast *f, struct nrouter *r, bool one,
                         bool plain)
{
    if (one)
        for (uint64_t m = r->va_out; m; m &= m - 1)
            allocate_output(n, f, r, bits_lowest(m), one, plain);
    else
        for (uint32_t w = 0; w < f->out_words; w++)
            for (uint64_t m = r->va_words[w]; m; m &= m - 1)
                allocate_output(n, f, r, w * 64 + bits_lowest(m), one, plain);
}

ALWAYS bool has_waiting(const struct net_fast *f, const struct nrouter *r)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < f->out_words; w++)
        any |= r->va_words[w];
    return any;
}

/* The switch decides on the state before VC allocation, and VC allocation on the state before flits
 * leave: what either hands on is seen in the next cycle. */
ALWAYS void step_router(struct net *n, const struct net_fast *f, uint32_t router, bool one,
                        bool plain)
{
    struct nrouter *r = &n->routers[router];
    uint32_t bids = r->n_sa;
    if (!bids) {
        allocate_vcs(n, f, r, one, plain);
    } else {
        r->sa_bids += bids;
        struct iport **end = allocate_switch(f, r, one);
        allocate_vcs(n, f, r, one, plain);
        send_winners(n, f, r, end, one, plain);
    }
    if (!r->n_sa && (one ? !r->va_out : !has_waiting(f, r)))
        *r->busy_word &= ~r->busy_bit;
}

/* ---- a cycle --------------------------------------------------------------------------------- */

ALWAYS void take_credits(struct slot *s, bool one)
{
    struct ovc **last = s->credits_end;
    for (struct ovc **c = s->credits; c < last; c++) {
        struct ovc *o = *c;
        if (o->credits++)
            continue;
        const struct ivc *q = o->user;
        if (q && q->n)
            request(q, one);
    }
    s->credits_end = s->credits;
}

ALWAYS uint32_t buffer_flit(const struct net *n, struct ivc *q, uint32_t flit)
{
    uint32_t before = q->n;
    q->slots[(q->read + before) & n->dmask] = flit;
    q->n = before + 1;
    return before;
}

/* Flits that come to the front of an active VC bid at once. With `all` also heads are taken, to be
 * routed in this cycle; else they are left to land_heads. */
ALWAYS void take_flits(struct net *n, struct slot *s, bool all, bool one, bool plain)
{
    const struct flit_event *last = s->end[0];
    struct ivc **rc = n->rc + n->n_rc;
    for (const struct flit_event *e = s->first[0]; e < last; e++) {
        struct ivc *q = e->to.vc;
        uint32_t flit = (uint32_t)e->flit;
        if (!all && (flit & FLIT_HEAD))
            continue;
        if (!plain && n->slot_time)
            n->slot_time[((size_t)q->index << n->dshift) + ((q->read + q->n) & n->dmask)] = n->now;
        if (buffer_flit(n, q, flit))
            continue;
        if (!q->o)
            *rc++ = q;
        else if (q->o->credits)
            request(q, one);
    }
    n->n_rc = (uint32_t)(rc - n->rc);
}

/* Heads, after the routers have been evaluated: one that comes to an empty VC is routed in this
 * cycle and waits for an output VC from the next on; but if a tail has left the VC in this very
 * cycle it is routed in the next. */
ALWAYS void land_heads(struct net *n, const struct net_fast *f, struct slot *s, bool bodies,
                       bool one, bool plain, bool direct)
{
    const struct flit_event *last = s->end[0];
    for (const struct flit_event *e = s->first[0]; e < last; e++) {
        struct ivc *q = e->to.vc;
        uint32_t flit = (uint32_t)e->flit;
        if ((bodies && !(flit & FLIT_HEAD)) || buffer_flit(n, q, flit))
            continue;
        if (q->left_at == n->now) {
            n->rc_next[n->n_rc_next++] = q;
            continue;
        }
        struct net_delivery *p = &n->packets[flit & FLIT_PACKET];
        p->hops++;
        q->out = direct ? q->direct[p->dst] : net_route_entry(n, q->in->router, p->dst, 0);
        wait_for_vc(n, f, q->r, q, one, plain);
    }
}

/* Routing units look at all waiting VCs of their router at once. */
static void run_units(struct net *n, const struct net_fast *f)
{
    uint32_t routers = 0;
    for (uint32_t i = 0; i < n->n_rc; i++) {
        struct ivc *q = n->rc[i];
        if (!f->unit_first[q->in->router])
            f->order[routers++] = q->in->router;
        f->unit_next[q->index] = f->unit_first[q->in->router];
        f->unit_first[q->in->router] = q;
    }
    for (uint32_t i = 0; i < routers; i++) {
        uint32_t router = f->order[i], count = 0;
        for (struct ivc *q = f->unit_first[router]; q; q = f->unit_next[q->index])
            f->unit_list[count++] = q;
        f->unit_first[router] = NULL;
        net_route_unit(n, router, f->unit_list, count);
    }
}

/* Chooses the port of every VC to be routed, before this cycle's allocations change what is free.
 */
static void choose_ports(struct net *n, const struct net_fast *f)
{
    if (n->has_unit)
        run_units(n, f);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n->n_rc; i++) {
        struct ivc *q = n->rc[i];
        if (net_route_vc(n, q->in->router, q, false))
            n->rc[kept++] = q;
        else
            n->rc_next[n->n_rc_next++] = q;
    }
    n->n_rc = kept;
}

ALWAYS void route(struct net *n, const struct net_fast *f, bool chosen, bool one, bool plain,
                  bool direct)
{
    struct ivc **last = n->rc + n->n_rc;
    for (struct ivc **v = n->rc; v < last; v++) {
        struct ivc *q = *v;
        if (!chosen)
            net_route_vc(n, q->in->router, q, plain && direct);
        wait_for_vc(n, f, q->r, q, one, plain);
    }
    n->n_rc = 0;
}

ALWAYS void step_shuffled(struct net *n, const struct net_fast *f, bool one, bool plain)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < f->n_words; w++)
        for (uint64_t m = f->busy[w]; m; m &= m - 1)
            f->order[count++] = w * 64 + bits_lowest(m);
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = rng_below(&n->shuffle, i), t = f->order[j];
        f->order[j] = f->order[i - 1];
        f->order[i - 1] = t;
    }
    for (uint32_t i = 0; i < count; i++)
        step_router(n, f, f->order[i], one, plain);
}

ALWAYS void step(struct net *n, const struct net_fast *f, bool one, bool plain, bool direct)
{
    struct slot *s = net_slot(n, 0);
    struct slot *flits = net_slot(n, n->same_flit_wait);
    struct slot *credits = net_slot(n, n->same_credit_wait);
    bool late = plain && n->routing_delay; /* heads do nothing before the routers have run */
    take_credits(s, one);
    if (!late)
        take_flits(n, s, true, one, plain);
    else if (n->has_bodies)
        take_flits(n, s, false, one, plain);
    net_step_ends(n);
    memcpy(n->flit_end, flits->end, sizeof n->flit_end);
    n->credit_end = credits->credits_end;
    bool early = !plain && (n->is_adaptive || n->has_unit);
    if (early)
        choose_ports(n, f);
    if (!n->routing_delay)
        route(n, f, early, one, plain, direct);
    if (n->shuffle_seed)
        step_shuffled(n, f, one, plain);
    else
        for (uint32_t w = 0; w < f->n_words; w++)
            for (uint64_t m = f->busy[w]; m; m &= m - 1)
                step_router(n, f, w * 64 + bits_lowest(m), one, plain);
    if (plain) {
        memcpy(flits->end, n->flit_end, sizeof n->flit_end);
        credits->credits_end = n->credit_end;
    }
    if (flits->end[0] != flits->first[0])
        n->last_move = n->now;
    if (n->routing_delay)
        route(n, f, early, one, plain, direct);
    if (late && n->has_bodies)
        land_heads(n, f, s, true, one, plain, direct);
    else if (late)
        land_heads(n, f, s, false, one, plain, direct);
    s->end[0] = s->first[0];
    struct ivc **list = n->rc;
    n->rc = n->rc_next;
    n->rc_next = list;
    n->n_rc = n->n_rc_next;
    n->n_rc_next = 0;
}

#define STEP(name, attribute, one, plain, direct)                                                  \
    attribute static void name(struct net *n)                                                      \
    {                                                                                              \
        step(n, n->fast, one, plain, direct);                                                      \
    }
#define STEPS(suffix, attribute)                                                                   \
    STEP(step_one##suffix, attribute, true, true, true)                                            \
    STEP(step_one_large##suffix, attribute, true, true, false)                                     \
    STEP(step_one_wires##suffix, attribute, true, false, false)                                    \
    STEP(step_wide##suffix, attribute, false, true, true)                                          \
    STEP(step_wide_wires##suffix, attribute, false, false, false)

STEPS(, )
#if defined(__x86_64__) && defined(__GNUC__)
STEPS(_bmi, __attribute__((target("bmi,bmi2,popcnt"))))
#define PICK(name) (__builtin_cpu_supports("bmi2") ? name##_bmi : name)
#else
#define PICK(name) name
#endif

/* Every route is one port. */
static bool has_plain_routes(const struct net *n)
{
    const uint16_t *entries = n->direct ? n->direct : n->cells;
    size_t count = n->direct ? (size_t)n->n_routers * n->n_ends : n->n_cells;
    for (size_t i = 0; i < count; i++)
        if (entries[i] & ROUTE_SPECIAL)
            return false;
    return true;
}

/* The instance for this network and this processor. */
void (*net_fast_choose(const struct net *n))(struct net *)
{
    bool plain = n->same_flit_wait && n->same_credit_wait && n->one_class && !n->slot_time &&
                 n->vc_count[0] == n->vcs && n->vcs < 64 && has_plain_routes(n);
    if (n->fast->one && plain)
        return n->direct ? PICK(step_one) : PICK(step_one_large);
    if (n->fast->one)
        return PICK(step_one_wires);
    return plain && n->direct ? PICK(step_wide) : PICK(step_wide_wires);
}

void net_fast_step(struct net *n)
{
    n->fast->step(n);
}

bool net_fast_is_busy(const struct net *n)
{
    if (n->n_rc)
        return true;
    for (uint32_t w = 0; w < n->fast->n_words; w++)
        if (n->fast->busy[w])
            return true;
    return false;
}

_Static_assert(sizeof(struct ivc) == 128 && sizeof(struct ovc) == 64 &&
                   sizeof(struct iport) == 128 && sizeof(struct oport) == 128 &&
                   sizeof(struct nrouter) == 128 && sizeof(struct net_delivery) == 64,
               "records are powers of two, so that they are found by shifting");
