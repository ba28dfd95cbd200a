/* SPDX-License-Identifier: MIT */
#include "sim/net/full_impl.h"

uint64_t net_full_with_credit(const struct net *n, uint32_t oport)
{
    uint64_t mask = 0;
    for (uint32_t v = 0; v < n->vcs; v++)
        if (n->ovcs[(oport << n->vshift) + v].credits)
            mask |= (uint64_t)1 << v;
    return mask;
}

/* Within one output port the first VC at or after an input VC's pointer, which counts over all
 * output VCs of the router. */
static uint32_t first_vc(const struct arbiter *a, uint32_t size, uint32_t base, uint64_t mask)
{
    uint32_t best = NONE32;
    for (uint64_t m = mask; m; m &= m - 1) {
        uint32_t v = bits_lowest(m);
        if (best == NONE32 || goes_before(a, size, base + v, 0, base + best, 0))
            best = v;
    }
    return best;
}

/* The bidder that an output VC chooses, or -1. */
static int32_t choose_bidder(const struct net *n, const struct frouter *f, uint32_t out, uint32_t v,
                             uint32_t first_ivc, uint32_t in_size)
{
    const struct net_full *x = n->full;
    const struct arbiter *a = &f->va_out[(out << n->vshift) + v];
    int32_t best = -1;
    for (int32_t b = x->first_of_out[out]; b >= 0; b = x->next_bidder[b]) {
        if (f->va.list[b].result >= 0 || !(x->bid_mask[b] >> v & 1))
            continue;
        if (best < 0 || goes_before(a, in_size, f->va.list[b].ivc - first_ivc, 0,
                                    f->va.list[best].ivc - first_ivc, 0))
            best = b;
    }
    return best;
}

/* Grants of the output VCs first (iSLIP, separable output-first), then each bidder accepts one. */
static void allocate_out_first(struct net *n, struct frouter *f, const struct nrouter *r,
                               uint32_t out, uint64_t wanted)
{
    struct net_full *x = n->full;
    uint32_t in_size = r->n_in << n->vshift, out_size = r->n_out << n->vshift;
    uint32_t rounds = n->vc_alloc == ALLOCATOR_islip ? n->vc_iterations : 1;
    for (uint32_t round = 0; round < rounds && wanted; round++) {
        for (uint64_t m = wanted; m; m &= m - 1) {
            uint32_t v = bits_lowest(m);
            int32_t b = choose_bidder(n, f, out, v, r->first_ivc, in_size);
            if (b >= 0)
                x->grant_mask[b] |= (uint64_t)1 << v;
        }
        for (int32_t b = x->first_of_out[out]; b >= 0; b = x->next_bidder[b]) {
            if (!x->grant_mask[b])
                continue;
            uint32_t local = f->va.list[b].ivc - r->first_ivc, base = out << n->vshift;
            uint32_t v = first_vc(&f->va_in[local], out_size, base, x->grant_mask[b]);
            x->grant_mask[b] = 0;
            f->va.list[b].result = (int32_t)(base + v);
            wanted &= ~((uint64_t)1 << v);
            if (round == 0) {
                arbiter_granted(&f->va_out[base + v], in_size, local);
                arbiter_granted(&f->va_in[local], out_size, base + v);
            }
        }
    }
}

/* Each bidder forwards one request, then each output VC chooses among those it was sent. */
static void allocate_in_first(struct net *n, struct frouter *f, const struct nrouter *r,
                              uint32_t out, uint64_t wanted)
{
    struct net_full *x = n->full;
    uint32_t in_size = r->n_in << n->vshift, out_size = r->n_out << n->vshift;
    uint32_t base = out << n->vshift;
    for (int32_t b = x->first_of_out[out]; b >= 0; b = x->next_bidder[b])
        if (x->bid_mask[b]) {
            uint32_t local = f->va.list[b].ivc - r->first_ivc;
            x->bid_mask[b] = (uint64_t)1
                             << first_vc(&f->va_in[local], out_size, base, x->bid_mask[b]);
        }
    for (uint64_t m = wanted; m; m &= m - 1) {
        uint32_t v = bits_lowest(m);
        int32_t b = choose_bidder(n, f, out, v, r->first_ivc, in_size);
        if (b < 0)
            continue;
        uint32_t local = f->va.list[b].ivc - r->first_ivc;
        f->va.list[b].result = (int32_t)(base + v);
        arbiter_granted(&f->va_out[base + v], in_size, local);
        arbiter_granted(&f->va_in[local], out_size, base + v);
    }
}

void net_full_va_evaluate(struct net *n, struct frouter *f, struct nrouter *r)
{
    struct net_full *x = n->full;
    if (begin_batch(&f->va, n->now, n->vc_alloc_delay + n->extra_alloc)) {
        x->n_used_outs = 0;
        for (uint32_t b = 0; b < f->va.batch; b++) {
            uint32_t ivc = f->va.list[b].ivc;
            const struct ivc *q = &n->ivcs[ivc];
            uint32_t oport = r->first_out + q->out;
            f->va.list[b].result = -1;
            x->grant_mask[b] = 0;
            x->bid_mask[b] = n->oports[oport].free & n->vc_masks[net_vc_class(n, q)];
            if (n->vc_busy_when_full)
                x->bid_mask[b] &= net_full_with_credit(n, oport);
            if (!x->bid_mask[b])
                continue;
            r->va_bids++;
            if (x->first_of_out[q->out] < 0)
                x->used_outs[x->n_used_outs++] = q->out;
            x->next_bidder[b] = x->first_of_out[q->out];
            x->first_of_out[q->out] = (int32_t)b;
        }
        for (uint32_t k = 0; k < x->n_used_outs; k++) {
            uint32_t out = x->used_outs[k];
            uint64_t wanted = 0;
            for (int32_t b = x->first_of_out[out]; b >= 0; b = x->next_bidder[b])
                wanted |= x->bid_mask[b];
            if (n->vc_alloc == ALLOCATOR_separable_input_first)
                allocate_in_first(n, f, r, out, wanted);
            else
                allocate_out_first(n, f, r, out, wanted);
            x->first_of_out[out] = -1;
        }
    } else if (f->va.batch && n->now == f->va.due) { /* may have been taken meanwhile */
        for (uint32_t b = 0; b < f->va.batch; b++) {
            int32_t res = f->va.list[b].result;
            if (res < 0)
                continue;
            uint32_t oport = r->first_out + ((uint32_t)res >> n->vshift);
            uint32_t v = (uint32_t)res & n->vmask;
            if (!(n->oports[oport].free >> v & 1) ||
                (n->vc_busy_when_full && !n->ovcs[(oport << n->vshift) + v].credits))
                f->va.list[b].result = -1;
        }
    }
}

void net_full_va_update(struct net *n, struct frouter *f, const struct nrouter *r)
{
    if (!f->va.batch || n->now < f->va.due)
        return;
    for (uint32_t b = 0; b < f->va.batch; b++) {
        uint32_t ivc = f->va.list[b].ivc;
        int32_t res = f->va.list[b].result;
        if (res < 0) {
            enlist(&f->va, ivc);
            continue;
        }
        struct ivc *q = &n->ivcs[ivc];
        q->o = &r->outs[(uint32_t)res >> n->vshift].vcs[(uint32_t)res & n->vmask];
        q->o->port->free &= ~q->o->bit;
        q->o->owner = ivc;
        q->state = VC_ACTIVE;
        if (!n->speculative)
            enlist(&f->sa, ivc);
    }
    drop_batch(&f->va);
}
