/* SPDX-License-Identifier: MIT */
#include "sim/net/full_impl.h"

/* Of several VCs of an input that want one output, the allocator sees the best. */
static void add_request(struct net *n, struct frouter *f, struct nrouter *r, uint32_t ivc,
                        uint32_t output, int32_t priority)
{
    struct net_full *x = n->full;
    uint32_t in = switch_in(n, ivc), port = n->iports[ivc >> n->vshift].local;
    uint32_t out = output * n->out_speedup + port % n->out_speedup;
    uint32_t vc = ivc & n->vmask;
    if (f->hold_in[in] >= 0 || f->hold_out[out] >= 0)
        return;
    r->sa_bids++;
    for (int32_t k = x->first_of_in[in]; k >= 0; k = x->req[k].next_of_in) {
        struct request *q = &x->req[k];
        if (q->out != out)
            continue;
        struct arbiter a = {f->vc_pointer[in], NULL};
        if (goes_before(&a, n->vcs, vc, priority, q->vc, q->priority)) {
            q->vc = vc;
            q->priority = priority;
        }
        return;
    }
    uint32_t k = x->n_req++;
    if (x->first_of_in[in] < 0)
        x->used_ins[x->n_used_ins++] = in;
    if (x->first_of_out[out] < 0)
        x->used_outs[x->n_used_outs++] = out;
    x->req[k] =
        (struct request){in, out, vc, priority, x->first_of_in[in], x->first_of_out[out], false};
    x->first_of_in[in] = x->first_of_out[out] = (int32_t)k;
}

static int32_t best_of_out(const struct net *n, const struct frouter *f, uint32_t out,
                           uint32_t size, bool use_priority, bool forwarded_only)
{
    const struct net_full *x = n->full;
    int32_t best = -1;
    for (int32_t k = x->first_of_out[out]; k >= 0; k = x->req[k].next_of_out) {
        const struct request *q = &x->req[k];
        if (x->match_in[q->in] >= 0 || (forwarded_only && !q->forwarded))
            continue;
        if (best < 0 || goes_before(&f->sa_out[out], size, q->in, use_priority ? q->priority : 0,
                                    x->req[best].in, use_priority ? x->req[best].priority : 0))
            best = k;
    }
    return best;
}

static int32_t best_of_in(const struct net *n, const struct frouter *f, uint32_t in, uint32_t size,
                          bool use_priority, bool granted_only)
{
    const struct net_full *x = n->full;
    int32_t best = -1;
    for (int32_t k = x->first_of_in[in]; k >= 0; k = x->req[k].next_of_in) {
        const struct request *q = &x->req[k];
        if (granted_only && x->grant[q->out] != k)
            continue;
        if (best < 0 || goes_before(&f->sa_in[in], size, q->out, use_priority ? q->priority : 0,
                                    x->req[best].out, use_priority ? x->req[best].priority : 0))
            best = k;
    }
    return best;
}

static void match(struct net *n, struct frouter *f, int32_t k, uint32_t ins, uint32_t outs,
                  bool move_pointers)
{
    struct net_full *x = n->full;
    uint32_t in = x->req[k].in, out = x->req[k].out;
    x->match_in[in] = x->match_out[out] = k;
    if (move_pointers) {
        arbiter_granted(&f->sa_out[out], ins, in);
        arbiter_granted(&f->sa_in[in], outs, out);
    }
}

static void allocate_switch(struct net *n, struct frouter *f, const struct nrouter *r)
{
    struct net_full *x = n->full;
    uint32_t ins = r->n_in * n->in_speedup, outs = r->n_out * n->out_speedup;
    for (uint32_t i = 0; i < x->n_used_ins; i++)
        x->match_in[x->used_ins[i]] = -1;
    for (uint32_t o = 0; o < x->n_used_outs; o++)
        x->match_out[x->used_outs[o]] = -1;
    if (n->sw_alloc == ALLOCATOR_separable_input_first) {
        for (uint32_t i = 0; i < x->n_used_ins; i++)
            x->req[best_of_in(n, f, x->used_ins[i], outs, true, false)].forwarded = true;
        for (uint32_t o = 0; o < x->n_used_outs; o++) {
            int32_t k = best_of_out(n, f, x->used_outs[o], ins, true, true);
            if (k >= 0)
                match(n, f, k, ins, outs, true);
        }
        return;
    }
    bool priority = n->sw_alloc == ALLOCATOR_separable_output_first;
    uint32_t rounds = n->sw_alloc == ALLOCATOR_islip ? n->sw_iterations : 1;
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t o = 0; o < x->n_used_outs; o++) {
            uint32_t out = x->used_outs[o];
            x->grant[out] =
                x->match_out[out] >= 0 ? -1 : best_of_out(n, f, out, ins, priority, false);
        }
        for (uint32_t i = 0; i < x->n_used_ins; i++) {
            uint32_t in = x->used_ins[i];
            int32_t k = x->match_in[in] >= 0 ? -1 : best_of_in(n, f, in, outs, priority, true);
            if (k >= 0)
                match(n, f, k, ins, outs, round == 0);
        }
    }
}

static void bid_for_switch(struct net *n, struct frouter *f, struct nrouter *r, uint32_t ivc)
{
    const struct ivc *q = &n->ivcs[ivc];
    uint32_t oport = r->first_out + q->out;
    if (q->state == VC_ACTIVE) {
        if (q->o->credits && output_has_room(n, (uint32_t)(q->o->port - n->oports)))
            add_request(n, f, r, ivc, q->out, 1);
        return;
    }
    /* speculation: worthwhile when some VC that it may take is free and has a credit */
    uint64_t able =
        n->oports[oport].free & n->vc_masks[net_vc_class(n, q)] & net_full_with_credit(n, oport);
    if (able && output_has_room(n, oport))
        add_request(n, f, r, ivc, q->out, 0);
}

/* The VC allocator's answer of this very cycle, or -1. Where its cycles are more than one, what it
 * will answer is known before it counts: the packet has no VC until then. */
static int32_t va_answer(const struct net *n, const struct frouter *f, uint32_t ivc)
{
    if (n->now < f->va.due)
        return -1;
    for (uint32_t b = 0; b < f->va.batch; b++)
        if (f->va.list[b].ivc == ivc)
            return f->va.list[b].result;
    return -1;
}

/* A grant holds only if it can still be used in the cycle in which it takes effect. */
static bool grant_is_good(struct net *n, const struct frouter *f, const struct nrouter *r,
                          const struct entry *e)
{
    const struct ivc *q = &n->ivcs[e->ivc];
    if (f->hold_in[switch_in(n, e->ivc)] >= 0 || f->hold_out[e->result] >= 0)
        return false;
    if (q->state == VC_ACTIVE)
        return q->o->credits > 0;
    int32_t res = va_answer(n, f, e->ivc);
    return res >= 0 && n->ovcs[(r->first_out << n->vshift) + (uint32_t)res].credits > 0;
}

void net_full_sa_evaluate(struct net *n, struct frouter *f, struct nrouter *r)
{
    struct net_full *x = n->full;
    if (begin_batch(&f->sa, n->now, n->sw_alloc_delay + n->extra_alloc)) {
        x->n_req = x->n_used_ins = x->n_used_outs = 0;
        for (uint32_t b = 0; b < f->sa.batch; b++) {
            f->sa.list[b].result = -1;
            bid_for_switch(n, f, r, f->sa.list[b].ivc);
        }
        allocate_switch(n, f, r);
        for (uint32_t b = 0; b < f->sa.batch; b++) {
            uint32_t ivc = f->sa.list[b].ivc, in = switch_in(n, ivc);
            int32_t k = x->first_of_in[in] >= 0 ? x->match_in[in] : -1;
            if (k < 0 || x->req[k].vc != (ivc & n->vmask))
                continue;
            f->sa.list[b].result = (int32_t)x->req[k].out;
            f->vc_pointer[in] = ((ivc & n->vmask) + n->in_speedup) % n->vcs;
        }
        for (uint32_t i = 0; i < x->n_used_ins; i++)
            x->first_of_in[x->used_ins[i]] = -1;
        for (uint32_t o = 0; o < x->n_used_outs; o++)
            x->first_of_out[x->used_outs[o]] = -1;
    }
    if (f->sa.batch && n->now == f->sa.due &&
        (n->speculative || n->sw_alloc_delay + n->extra_alloc > 1))
        for (uint32_t b = 0; b < f->sa.batch; b++)
            if (f->sa.list[b].result >= 0 && !grant_is_good(n, f, r, &f->sa.list[b]))
                f->sa.list[b].result = -1;
}

/* The front flit enters the switch. Returns it. */
static uint32_t take_flit(struct net *n, struct frouter *f, uint32_t ivc)
{
    struct ivc *q = &n->ivcs[ivc];
    struct oport *op = q->o->port;
    uint32_t flit = q->slots[q->read];
    q->read = (uint16_t)((q->read + 1) & n->dmask);
    q->n--;
    q->o->credits--;
    op->sent++;
    n->last_move = n->now;
    if (n->ahead && (flit & FLIT_HEAD) && !op->to_endpoint)
        net_route_ahead(n, q->o->down.vc, flit & FLIT_PACKET);
    if (flit & FLIT_TAIL) {
        op->empty += n->packet_empty[flit & FLIT_PACKET];
        if (n->wait_tail_credit) {
            q->o->owner = TAIL_SENT;
        } else {
            q->o->owner = NONE32;
            op->free |= q->o->bit;
        }
    }
    assert(f->n_crossing < f->cap_crossing);
    f->crossing[f->n_crossing++] =
        (struct crossing){flit, (uint32_t)(op - n->oports), (uint8_t)(q->o - op->vcs)};
    if (!n->merge || !net_merge_from_table(n, ivc))
        n->full->freed[ivc >> n->vshift] |= (uint64_t)1 << (ivc & n->vmask);
    return flit;
}

/* A VC's way through the switch. */
struct switch_way {
    uint32_t ivc, in, out;
    bool was_held;
};

/* What a VC does after its front flit has left. */
static void after_flit(struct net *n, struct frouter *f, uint32_t router, uint32_t flit,
                       struct switch_way way)
{
    uint32_t ivc = way.ivc, in = way.in, out = way.out;
    struct ivc *q = &n->ivcs[ivc];
    bool ends = q->n == 0 || (flit & FLIT_TAIL);
    bool holds = n->hold_switch || (n->merge && net_merge_holds_grant(n, flit & FLIT_PACKET));
    if (ends && way.was_held)
        f->hold_in[in] = f->hold_vc[in] = f->hold_out[out] = -1;
    if (q->n == 0) {
        if (flit & FLIT_TAIL)
            q->state = VC_IDLE;
    } else if (flit & FLIT_TAIL) {
        net_full_start(n, f, router, ivc);
    } else if (holds) {
        f->hold_vc[in] = (int32_t)(ivc & n->vmask);
        f->hold_in[in] = (int32_t)out;
        f->hold_out[out] = (int32_t)in;
        enlist(&f->hold, ivc);
    } else {
        enlist(&f->sa, ivc);
    }
}

void net_full_sa_update(struct net *n, struct frouter *f, uint32_t router)
{
    if (!f->sa.batch || n->now < f->sa.due)
        return;
    for (uint32_t b = 0; b < f->sa.batch; b++) {
        uint32_t ivc = f->sa.list[b].ivc;
        int32_t out = f->sa.list[b].result;
        if (out < 0) {
            enlist(&f->sa, ivc);
            continue;
        }
        uint32_t flit = take_flit(n, f, ivc);
        after_flit(n, f, router, flit,
                   (struct switch_way){ivc, switch_in(n, ivc), (uint32_t)out, false});
    }
    drop_batch(&f->sa);
}

/* ---- held connections ------------------------------------------------------------------------ */

void net_full_hold_evaluate(struct net *n, struct frouter *f)
{
    if (!begin_batch(&f->hold, n->now, 1))
        return;
    for (uint32_t b = 0; b < f->hold.batch; b++) {
        uint32_t ivc = f->hold.list[b].ivc;
        f->hold.list[b].result = n->ivcs[ivc].o->credits ? f->hold_in[switch_in(n, ivc)] : -1;
    }
}

void net_full_hold_update(struct net *n, struct frouter *f, uint32_t router)
{
    if (!f->hold.batch)
        return;
    for (uint32_t b = 0; b < f->hold.batch; b++) {
        uint32_t ivc = f->hold.list[b].ivc, in = switch_in(n, ivc);
        int32_t out = f->hold.list[b].result;
        if (out >= 0 && output_has_room(n, (uint32_t)(n->ivcs[ivc].o->port - n->oports))) {
            uint32_t flit = take_flit(n, f, ivc);
            f->vc_pointer[in] = ((ivc & n->vmask) + n->in_speedup) % n->vcs;
            after_flit(n, f, router, flit, (struct switch_way){ivc, in, (uint32_t)out, true});
        } else {
            f->hold_out[f->hold_in[in]] = -1;
            f->hold_in[in] = f->hold_vc[in] = -1;
            enlist(&f->sa, ivc);
        }
    }
    drop_batch(&f->hold);
}
