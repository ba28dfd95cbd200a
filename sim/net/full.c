/* SPDX-License-Identifier: MIT
 *
 * The router with every option: pipeline delays beyond one cycle, speculation, speed-ups, held
 * switches, separable and matrix arbitration, bounded output buffers, non-pipelined allocation,
 * merge tables. Stages keep work lists: what is handed from one stage to the next is seen one cycle
 * later, since all stages decide before any of them changes state. A stage that takes several
 * cycles works on one batch at a time; what comes meanwhile waits for the next batch. */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "sim/net/full_impl.h"

/* ---- make ------------------------------------------------------------------------------------ */

static struct arbiter *make_arbiters(uint32_t n, uint32_t size, bool matrix, struct arena *mem)
{
    struct arbiter *a = arena_many(mem, struct arbiter, n);
    size_t words = bits_words(size);
    for (uint32_t k = 0; matrix && k < n; k++) {
        a[k].before = arena_many(mem, uint64_t, size * words);
        for (uint32_t i = 0; i < size; i++) /* at first the highest index goes first */
            for (uint32_t j = 0; j < i; j++)
                bits_set(a[k].before + i * words, j);
    }
    return a;
}

static void make_stage(struct stage *s, uint32_t n, struct arena *mem)
{
    s->cap = 2 * n + 1;
    s->list = arena_many(mem, struct entry, s->cap);
}

static bool matrices_fit(const struct net *n, struct err *err)
{
    double bytes = 0;
    for (uint32_t r = 0; r < n->n_routers; r++) {
        double in = n->routers[r].n_in, out = n->routers[r].n_out;
        if (n->matrix_sw)
            bytes += (in * out * (in + out)) / 8;
        if (n->matrix_vc) {
            double v = 1u << n->vshift;
            bytes += (in * v) * (out * v) * (in + out) * v / 8;
        }
    }
    if (bytes > 1e9)
        return err_add(err, ERR_INPUT, (struct where){NULL, 0, "noc.router.arbiter"},
                       "matrix arbiters of this network need %.3g GB; use round_robin",
                       bytes / 1e9);
    return true;
}

static void make_frouter(struct net *n, uint32_t index, struct frouter *f, struct arena *mem)
{
    const struct nrouter *r = &n->routers[index];
    uint32_t in_vcs = r->n_in << n->vshift, out_vcs = r->n_out << n->vshift;
    uint32_t ins = r->n_in * n->in_speedup, outs = r->n_out * n->out_speedup;
    make_stage(&f->rc, in_vcs, mem);
    make_stage(&f->va, in_vcs, mem);
    make_stage(&f->hold, in_vcs, mem);
    make_stage(&f->sa, in_vcs, mem);
    uint32_t steps = (uint32_t)n->internal_speedup + 1;
    f->cap_crossing = ins * (n->st_delay + 2) * steps * 2 + 1;
    f->crossing = arena_many(mem, struct crossing, f->cap_crossing);
    f->va_in = make_arbiters(in_vcs, out_vcs, n->matrix_vc, mem);
    f->va_out = make_arbiters(out_vcs, in_vcs, n->matrix_vc, mem);
    f->sa_in = make_arbiters(ins, outs, n->matrix_sw, mem);
    f->sa_out = make_arbiters(outs, ins, n->matrix_sw, mem);
    f->vc_pointer = arena_many(mem, uint32_t, ins);
    f->hold_in = arena_many(mem, int32_t, ins);
    f->hold_vc = arena_many(mem, int32_t, ins);
    f->hold_out = arena_many(mem, int32_t, outs);
    memset(f->hold_in, 0xff, ins * sizeof *f->hold_in);
    memset(f->hold_vc, 0xff, ins * sizeof *f->hold_vc);
    memset(f->hold_out, 0xff, outs * sizeof *f->hold_out);
    for (uint32_t i = 0; i < ins; i++)
        f->vc_pointer[i] = i % n->in_speedup;
}

bool net_full_init(struct net *n, struct arena *mem, struct err *err)
{
    if (!matrices_fit(n, err))
        return false;
    if (n->st_delay < 1)
        n->st_delay = 1;
    struct net_full *f = n->full = arena_new(mem, struct net_full);
    n->orders_inputs = n->out_speedup > 1 || n->internal_speedup > 1;
    f->routers = arena_many(mem, struct frouter, n->n_routers);
    f->busy = arena_many(mem, uint64_t, bits_words(n->n_routers) + 1);
    f->sending = arena_many(mem, uint64_t, bits_words(n->n_routers) + 1);
    f->received = arena_many(mem, uint64_t, n->n_iports);
    f->freed = arena_many(mem, uint64_t, n->n_iports);
    f->outs = arena_many(mem, struct out_queue, n->n_router_oports);
    f->creds = arena_many(mem, struct credit_queue, n->n_iports);
    uint32_t cap = n->vcs * n->depth + 2;
    for (uint32_t o = 0; o < n->n_router_oports; o++)
        f->outs[o] = (struct out_queue){arena_many(mem, struct crossing, cap), 0, 0, cap};
    for (uint32_t i = 0; i < n->n_iports && n->internal_speedup > 1; i++)
        f->creds[i] = (struct credit_queue){arena_many(mem, uint64_t, cap), 0, 0, cap};
    uint32_t ins = 1, outs = 1, vcs_in = 1, vcs_out = 1;
    for (uint32_t r = 0; r < n->n_routers; r++) {
        const struct nrouter *t = &n->routers[r];
        make_frouter(n, r, &f->routers[r], mem);
        ins = t->n_in > ins ? t->n_in : ins;
        outs = t->n_out > outs ? t->n_out : outs;
    }
    vcs_in = ins << n->vshift;
    vcs_out = outs << n->vshift;
    ins *= n->in_speedup;
    outs *= n->out_speedup;
    uint32_t most = vcs_in > vcs_out ? vcs_in : vcs_out;
    most = most > ins ? most : ins;
    most = most > outs ? most : outs;
    f->req = arena_many(mem, struct request, vcs_in);
    f->first_of_in = arena_many(mem, int32_t, most);
    f->first_of_out = arena_many(mem, int32_t, most);
    f->used_ins = arena_many(mem, uint32_t, most);
    f->used_outs = arena_many(mem, uint32_t, most);
    f->match_in = arena_many(mem, int32_t, most);
    f->match_out = arena_many(mem, int32_t, most);
    f->next_bidder = arena_many(mem, int32_t, vcs_in);
    f->bid_mask = arena_many(mem, uint64_t, vcs_in);
    f->grant_mask = arena_many(mem, uint64_t, vcs_in);
    f->grant = arena_many(mem, int32_t, most);
    f->order = arena_many(mem, uint32_t, n->n_routers);
    memset(f->first_of_in, 0xff, most * sizeof *f->first_of_in);
    memset(f->first_of_out, 0xff, most * sizeof *f->first_of_out);
    return true;
}

/* ---- handing VCs from stage to stage --------------------------------------------------------- */

void net_full_start(struct net *n, struct frouter *f, uint32_t router, uint32_t ivc)
{
    struct ivc *q = &n->ivcs[ivc];
    while (n->merge && net_merge_take(n, ivc))
        if (!q->n) {
            q->state = VC_IDLE;
            return;
        }
    if (n->merge && net_merge_resume(n, ivc))
        return;
    if (n->merge && net_merge_collects(n, ivc)) {
        q->state = VC_COLLECT;
        return;
    }
    if (n->routing_delay || n->has_unit) { /* the unit decides at the router itself */
        q->state = VC_ROUTING;
        enlist(&f->rc, ivc);
        return;
    }
    net_route_vc(n, router, q, false);
    q->state = VC_ALLOC;
    enlist(&f->va, ivc);
    if (n->speculative)
        enlist(&f->sa, ivc);
}

void net_full_wake(struct net *n, uint32_t ivc)
{
    uint32_t router = n->iports[ivc >> n->vshift].router;
    bits_set(n->full->busy, router);
    struct ivc *q = &n->ivcs[ivc];
    q->state = VC_ROUTING;
    enlist(&n->full->routers[router].rc, ivc);
}

/* Cycles that an empty router has been off by now. */
static uint64_t off_by_now(const struct net *n, const struct frouter *f)
{
    uint64_t off_at = f->idle_since + n->gate_after;
    return n->now > off_at ? n->now - off_at : 0;
}

/* A flit comes to an empty router: if it was switched off, it wakes first. */
static void leave_sleep(struct net *n, struct frouter *f)
{
    uint64_t off = off_by_now(n, f);
    if (!off)
        return;
    f->off_cycles += off;
    f->n_off++;
    f->awake_at = n->now + n->wake_cycles;
}

void net_full_begin_at(struct net *n, uint32_t router, uint32_t out, uint32_t in)
{
    struct frouter *f = &n->full->routers[router];
    for (uint32_t i = 0; i < n->out_speedup; i++)
        f->sa_out[out * n->out_speedup + i].pointer = in * n->in_speedup;
}

uint64_t net_full_off(const struct net *n, uint32_t router)
{
    const struct frouter *f = &n->full->routers[router];
    uint64_t now = bits_test(n->full->busy, router) ? 0 : off_by_now(n, f);
    uint64_t off = f->off_cycles + now, price = (f->n_off + (now > 0)) * n->gate_break_even;
    return off > price ? off - price : 0;
}

static void arrive(struct net *n, uint32_t ivc, uint32_t flit)
{
    struct ivc *q = &n->ivcs[ivc];
    uint32_t port = ivc >> n->vshift, router = n->iports[port].router;
    struct frouter *f = &n->full->routers[router];
    q->slots[(q->read + q->n) & n->dmask] = flit;
    q->n++;
    n->full->received[port]++;
    if (n->gate_after && !bits_test(n->full->busy, router))
        leave_sleep(n, f);
    if (n->slot_time)
        n->slot_time[((size_t)ivc << n->dshift) + ((q->read + q->n - 1u) & n->dmask)] = n->now;
    bits_set(n->full->busy, router);
    if (q->state == VC_IDLE || (q->state == VC_COLLECT && (flit & FLIT_TAIL))) {
        net_full_start(n, f, router, ivc);
    } else if (q->state == VC_ACTIVE && q->n == 1) {
        uint32_t in = n->iports[port].local * n->in_speedup + (ivc & n->vmask) % n->in_speedup;
        if (f->hold_vc[in] == (int32_t)(ivc & n->vmask))
            enlist(&f->hold, ivc);
        else
            enlist(&f->sa, ivc);
    }
}

static void take_credit(struct net *n, uint32_t ovc)
{
    n->ovcs[ovc].credits++;
    if (n->wait_tail_credit && n->ovcs[ovc].credits == n->depth &&
        n->ovcs[ovc].owner == TAIL_SENT) {
        n->ovcs[ovc].owner = NONE32;
        n->oports[ovc >> n->vshift].free |= (uint64_t)1 << (ovc & n->vmask);
    }
}

/* ---- one router ------------------------------------------------------------------------------ */

static void rc_update(struct net *n, struct frouter *f, uint32_t router)
{
    if (!f->rc.batch || n->now < f->rc.due)
        return;
    if (n->has_unit) {
        for (uint32_t b = 0; b < f->rc.batch; b++)
            n->rc[b] = &n->ivcs[f->rc.list[b].ivc];
        net_route_unit(n, router, n->rc, f->rc.batch);
    }
    for (uint32_t b = 0; b < f->rc.batch; b++) {
        uint32_t ivc = f->rc.list[b].ivc;
        struct ivc *q = &n->ivcs[ivc];
        if (!net_route_vc(n, router, q, false)) {
            enlist(&f->rc, ivc);
            continue;
        }
        q->state = VC_ALLOC;
        enlist(&f->va, ivc);
        if (n->speculative)
            enlist(&f->sa, ivc);
    }
    drop_batch(&f->rc);
}

static void cross_update(struct net *n, struct frouter *f, uint32_t router)
{
    if (!f->crossing_batch || n->now < f->crossing_due)
        return;
    for (uint32_t c = 0; c < f->crossing_batch; c++) {
        struct out_queue *q = &n->full->outs[f->crossing[c].oport];
        assert(q->n < q->cap);
        uint32_t at = q->read + q->n++;
        q->flits[at >= q->cap ? at - q->cap : at] = f->crossing[c];
    }
    f->n_crossing -= f->crossing_batch;
    memmove(f->crossing, f->crossing + f->crossing_batch, f->n_crossing * sizeof *f->crossing);
    f->crossing_batch = 0;
    bits_set(n->full->sending, router);
}

static void queue_credits(struct net *n, const struct nrouter *r, uint32_t router)
{
    for (uint32_t i = r->first_in; i < r->first_in + r->n_in; i++) {
        uint64_t mask = n->full->freed[i];
        if (!mask)
            continue;
        n->full->freed[i] = 0;
        if (n->internal_speedup > 1) {
            struct credit_queue *q = &n->full->creds[i];
            assert(q->n < q->cap);
            uint32_t at = q->read + q->n++;
            q->masks[at >= q->cap ? at - q->cap : at] = mask;
            bits_set(n->full->sending, router);
            continue;
        }
        for (; mask; mask &= mask - 1)
            net_send_credit(net_slot(n, n->iports[i].credit_wait),
                            n->iports[i].up + bits_lowest(mask));
    }
}

static void internal_step(struct net *n, uint32_t router)
{
    struct frouter *f = &n->full->routers[router];
    struct nrouter *r = &n->routers[router];
    begin_batch(&f->rc, n->now, n->routing_delay ? n->routing_delay : 1);
    net_full_va_evaluate(n, f, r);
    net_full_hold_evaluate(n, f);
    net_full_sa_evaluate(n, f, r);
    if (!f->crossing_batch && f->n_crossing) {
        f->crossing_batch = f->n_crossing;
        f->crossing_due = n->now + n->st_delay - 1;
    }
    rc_update(n, f, router);
    net_full_va_update(n, f, r);
    net_full_hold_update(n, f, router);
    net_full_sa_update(n, f, router);
    cross_update(n, f, router);
    queue_credits(n, r, router);
    if (!f->rc.n && !f->va.n && !f->sa.n && !f->hold.n && !f->n_crossing)
        bits_clear(n->full->busy, router);
    if (n->gate_after && !bits_test(n->full->busy, router))
        f->idle_since = n->now + 1;
}

static void step_router(struct net *n, uint32_t router)
{
    if (n->gate_after && n->now < n->full->routers[router].awake_at)
        return;
    for (uint32_t i = 0; i < n->full->steps && bits_test(n->full->busy, router); i++)
        internal_step(n, router);
}

/* One flit per output port and one credit message per input port leave in a cycle. */
static void send_outputs(struct net *n, uint32_t router)
{
    const struct nrouter *r = &n->routers[router];
    bool more = false;
    for (uint32_t o = r->first_out; o < r->first_out + r->n_out; o++) {
        struct out_queue *q = &n->full->outs[o];
        if (!q->n)
            continue;
        const struct crossing *c = &q->flits[q->read];
        net_send_flit(net_slot(n, n->oports[o].wire), &n->oports[o], n->oports[o].vcs + c->vc,
                      c->flit);
        q->read = q->read + 1 == q->cap ? 0 : q->read + 1;
        more |= --q->n > 0;
    }
    for (uint32_t i = r->first_in; i < r->first_in + r->n_in && n->internal_speedup > 1; i++) {
        struct credit_queue *q = &n->full->creds[i];
        if (!q->n)
            continue;
        for (uint64_t mask = q->masks[q->read]; mask; mask &= mask - 1)
            net_send_credit(net_slot(n, n->iports[i].credit_wait),
                            n->iports[i].up + bits_lowest(mask));
        q->read = q->read + 1 == q->cap ? 0 : q->read + 1;
        more |= --q->n > 0;
    }
    if (!more)
        bits_clear(n->full->sending, router);
}

/* ---- a cycle --------------------------------------------------------------------------------- */

static void for_routers(struct net *n, const uint64_t *set, void (*act)(struct net *, uint32_t))
{
    uint32_t count = 0;
    uint32_t *order = n->full->order;
    for (uint32_t w = 0; w < bits_words(n->n_routers); w++)
        for (uint64_t m = set[w]; m; m &= m - 1)
            order[count++] = w * 64 + bits_lowest(m);
    for (uint32_t i = count; n->shuffle_seed && i > 1; i--) {
        uint32_t j = rng_below(&n->shuffle, i), t = order[j];
        order[j] = order[i - 1];
        order[i - 1] = t;
    }
    for (uint32_t i = 0; i < count; i++)
        act(n, order[i]);
}

static int by_input(const void *x, const void *y)
{
    const struct flit_event *a = x, *b = y;
    return a->to.vc->index < b->to.vc->index ? -1 : a->to.vc->index > b->to.vc->index;
}

void net_full_step(struct net *n)
{
    struct net_full *f = n->full;
    struct slot *s = net_slot(n, 0);
    bool late = n->ahead; /* sources look at routers as they were in the cycle before */
    for (struct ovc **c = s->credits; c < s->credits_end; c++)
        if (!late || (*c)->port->router == NONE32)
            take_credit(n, (uint32_t)(*c - n->ovcs));
    if (n->orders_inputs)
        qsort(s->first[0], (size_t)(s->end[0] - s->first[0]), sizeof *s->first[0], by_input);
    for (const struct flit_event *e = s->first[0]; e < s->end[0]; e++)
        arrive(n, e->to.vc->index, (uint32_t)e->flit);
    s->end[0] = s->first[0];
    net_step_ends(n);
    for (struct ovc **c = s->credits; late && c < s->credits_end; c++)
        if ((*c)->port->router != NONE32)
            take_credit(n, (uint32_t)(*c - n->ovcs));
    s->credits_end = s->credits;
    if (n->merge)
        net_merge_step(n);
    f->steps = 0;
    f->partial += n->internal_speedup;
    while (f->partial >= 1.0) {
        f->partial -= 1.0;
        f->steps++;
    }
    for_routers(n, f->busy, step_router);
    for_routers(n, f->sending, send_outputs);
}

bool net_full_is_busy(const struct net *n)
{
    for (uint32_t w = 0; w < bits_words(n->n_routers); w++)
        if (n->full->busy[w] || n->full->sending[w])
            return true;
    return false;
}

uint64_t net_full_received(const struct net *n, uint32_t iport)
{
    return n->full->received[iport];
}

uint32_t net_full_leaving(const struct net *n, uint32_t ovc)
{
    uint32_t oport = ovc >> n->vshift, count = 0;
    if (oport >= n->n_router_oports)
        return 0;
    const struct frouter *f = &n->full->routers[n->oports[oport].router];
    for (uint32_t c = 0; c < f->n_crossing; c++)
        count += f->crossing[c].oport == oport && f->crossing[c].vc == (ovc & n->vmask);
    const struct out_queue *q = &n->full->outs[oport];
    for (uint32_t i = 0; i < q->n; i++)
        count += q->flits[(q->read + i) % q->cap].vc == (ovc & n->vmask);
    return count;
}

uint32_t net_full_owed(const struct net *n, uint32_t ivc)
{
    const struct credit_queue *q = &n->full->creds[ivc >> n->vshift];
    uint32_t count = 0;
    for (uint32_t i = 0; i < q->n; i++)
        count += q->masks[(q->read + i) % q->cap] >> (ivc & n->vmask) & 1;
    return count;
}
