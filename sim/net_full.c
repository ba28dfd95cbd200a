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
#include "sim/net_impl.h"

struct entry {
    uint32_t ivc;
    int32_t result; /* output VC (VC allocation) or crossbar output (switch allocation); -1: none */
};

struct stage {
    struct entry *list;
    uint32_t n, batch; /* the first `batch` entries are being worked on … */
    uint64_t due;      /* … until this cycle */
};

struct crossing {
    uint32_t flit, oport;
    uint8_t vc;
};

struct arbiter { /* of one port: a pointer, or a matrix of who goes before whom */
    uint32_t pointer;
    uint64_t *before; /* [i * words + j / 64] i goes before j; NULL: round robin */
};

struct frouter {
    struct stage rc, va, hold, sa;
    struct crossing *crossing;
    uint32_t n_crossing, crossing_batch;
    uint64_t crossing_due;
    struct arbiter *va_in, *va_out;        /* [local padded input VC], [local padded output VC] */
    struct arbiter *sa_in, *sa_out;        /* [crossbar input], [crossbar output] */
    uint32_t *vc_pointer;                  /* [crossbar input] */
    int32_t *hold_in, *hold_out, *hold_vc; /* by crossbar input, output, input; -1: none */
};

struct request { /* for the switch, one per (crossbar input, crossbar output) */
    uint32_t in, out, vc;
    int32_t priority;
    int32_t next_of_in, next_of_out;
    bool forwarded;
};

struct out_queue { /* behind the switch, where speed-ups make it longer than one */
    struct crossing *flits;
    uint32_t read, n, cap;
};
struct credit_queue {
    uint64_t *masks;
    uint32_t read, n, cap;
};

struct net_full {
    struct frouter *routers;
    uint64_t *busy;             /* [bit router] */
    struct out_queue *outs;     /* [router output port] */
    struct credit_queue *creds; /* [input port], with internal speed-up */
    uint64_t *freed;            /* [input port] VCs with a slot freed in this step */
    uint64_t *sending;          /* [bit router] output queues hold flits or credits */
    uint64_t *received;         /* [input port] */
    double partial;             /* of an internal step, left over */
    uint32_t steps;             /* internal ones in this cycle */
    /* scratch of one router's allocation */
    struct request *req;
    uint32_t n_req;
    int32_t *first_of_in, *first_of_out; /* heads of lists of requests or VC bidders */
    uint32_t *used_ins, *used_outs;
    uint32_t n_used_ins, n_used_outs;
    int32_t *match_in, *match_out; /* request index, or -1 */
    int32_t *next_bidder;
    uint64_t *bid_mask, *grant_mask;
    int32_t *grant;
    uint32_t *order;
};

/* ---- arbiters ----------------------------------------------------------------------------------
 */

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

/* Whether x (with its priority) goes before y. */
static bool goes_before(const struct arbiter *a, uint32_t size, uint32_t x, int32_t px, uint32_t y,
                        int32_t py)
{
    if (px != py)
        return px > py;
    if (a->before)
        return bits_test(a->before + x * bits_words(size), y);
    uint32_t dx = x >= a->pointer ? x - a->pointer : x + size - a->pointer;
    uint32_t dy = y >= a->pointer ? y - a->pointer : y + size - a->pointer;
    return dx < dy;
}

static void arbiter_granted(struct arbiter *a, uint32_t size, uint32_t winner)
{
    a->pointer = winner + 1 >= size ? 0 : winner + 1;
    if (!a->before)
        return;
    size_t words = bits_words(size);
    for (uint32_t i = 0; i < size; i++)
        if (i != winner) {
            bits_clear(a->before + winner * words, i);
            bits_set(a->before + i * words, winner);
        }
}

/* ---- make --------------------------------------------------------------------------------------
 */

static void make_stage(struct stage *s, uint32_t n, struct arena *mem)
{
    s->list = arena_many(mem, struct entry, 2 * (size_t)n + 1);
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
    f->crossing = arena_many(mem, struct crossing, (size_t)ins * (n->st_delay + 2) * steps * 2 + 1);
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

/* ---- handing VCs from stage to stage -----------------------------------------------------------
 */

static void enlist(struct stage *s, uint32_t ivc)
{
    s->list[s->n++] = (struct entry){ivc, -1};
}

/* Drops the finished batch; what was enlisted meanwhile moves up. */
static void drop_batch(struct stage *s)
{
    memmove(s->list, s->list + s->batch, (s->n - s->batch) * sizeof *s->list);
    s->n -= s->batch;
    s->batch = 0;
}

/* Starts a batch when none is under way. */
static bool begin_batch(struct stage *s, uint64_t now, uint32_t delay)
{
    if (s->batch || !s->n)
        return false;
    s->batch = s->n;
    s->due = now + delay - 1;
    return true;
}

/* A packet has come to the front of a VC. */
static void start_packet(struct net *n, struct frouter *f, uint32_t router, uint32_t ivc)
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

static void arrive(struct net *n, uint32_t ivc, uint32_t flit)
{
    struct ivc *q = &n->ivcs[ivc];
    uint32_t port = ivc >> n->vshift, router = n->iports[port].router;
    struct frouter *f = &n->full->routers[router];
    q->slots[(q->read + q->n) & n->dmask] = flit;
    q->n++;
    n->full->received[port]++;
    if (n->slot_time)
        n->slot_time[((size_t)ivc << n->dshift) + ((q->read + q->n - 1u) & n->dmask)] = n->now;
    bits_set(n->full->busy, router);
    if (q->state == VC_IDLE || (q->state == VC_COLLECT && (flit & FLIT_TAIL))) {
        start_packet(n, f, router, ivc);
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

/* ---- VC allocation -----------------------------------------------------------------------------
 */

static uint64_t vcs_with_credit(const struct net *n, uint32_t oport)
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
    uint32_t rounds = n->vc_alloc == ALLOC_ISLIP ? n->vc_iterations : 1;
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

static void va_evaluate(struct net *n, struct frouter *f, struct nrouter *r)
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
                x->bid_mask[b] &= vcs_with_credit(n, oport);
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
            if (n->vc_alloc == ALLOC_INPUT_FIRST)
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

static void va_update(struct net *n, struct frouter *f, const struct nrouter *r)
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

/* ---- switch allocation -------------------------------------------------------------------------
 */

static uint32_t switch_in(const struct net *n, uint32_t ivc)
{
    return n->iports[ivc >> n->vshift].local * n->in_speedup + (ivc & n->vmask) % n->in_speedup;
}

static bool output_has_room(const struct net *n, uint32_t oport)
{
    return n->output_buffer < 0 || n->full->outs[oport].n < (uint32_t)n->output_buffer;
}

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
    if (n->sw_alloc == ALLOC_INPUT_FIRST) {
        for (uint32_t i = 0; i < x->n_used_ins; i++)
            x->req[best_of_in(n, f, x->used_ins[i], outs, true, false)].forwarded = true;
        for (uint32_t o = 0; o < x->n_used_outs; o++) {
            int32_t k = best_of_out(n, f, x->used_outs[o], ins, true, true);
            if (k >= 0)
                match(n, f, k, ins, outs, true);
        }
        return;
    }
    bool priority = n->sw_alloc == ALLOC_OUTPUT_FIRST;
    uint32_t rounds = n->sw_alloc == ALLOC_ISLIP ? n->sw_iterations : 1;
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
        n->oports[oport].free & n->vc_masks[net_vc_class(n, q)] & vcs_with_credit(n, oport);
    if (able && output_has_room(n, oport))
        add_request(n, f, r, ivc, q->out, 0);
}

/* The VC allocator's answer of this very cycle, or -1. */
static int32_t va_answer(const struct frouter *f, uint32_t ivc)
{
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
    int32_t res = va_answer(f, e->ivc);
    return res >= 0 && n->ovcs[(r->first_out << n->vshift) + (uint32_t)res].credits > 0;
}

static void sa_evaluate(struct net *n, struct frouter *f, struct nrouter *r)
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
        if (n->wait_tail_credit) {
            q->o->owner = TAIL_SENT;
        } else {
            q->o->owner = NONE32;
            op->free |= q->o->bit;
        }
    }
    f->crossing[f->n_crossing++] =
        (struct crossing){flit, (uint32_t)(op - n->oports), (uint8_t)(q->o - op->vcs)};
    if (!n->merge || !net_merge_from_table(n, ivc))
        n->full->freed[ivc >> n->vshift] |= (uint64_t)1 << (ivc & n->vmask);
    return flit;
}

/* What a VC does after its front flit has left. `in`, `out`: its way through the switch. */
static void after_flit(struct net *n, struct frouter *f, uint32_t router, uint32_t ivc,
                       uint32_t flit, uint32_t in, uint32_t out, bool was_held)
{
    struct ivc *q = &n->ivcs[ivc];
    bool ends = q->n == 0 || (flit & FLIT_TAIL);
    bool holds = n->hold_switch || (n->merge && net_merge_holds_grant(n, flit & FLIT_PACKET));
    if (ends && was_held)
        f->hold_in[in] = f->hold_vc[in] = f->hold_out[out] = -1;
    if (q->n == 0) {
        if (flit & FLIT_TAIL)
            q->state = VC_IDLE;
    } else if (flit & FLIT_TAIL) {
        start_packet(n, f, router, ivc);
    } else if (holds) {
        f->hold_vc[in] = (int32_t)(ivc & n->vmask);
        f->hold_in[in] = (int32_t)out;
        f->hold_out[out] = (int32_t)in;
        enlist(&f->hold, ivc);
    } else {
        enlist(&f->sa, ivc);
    }
}

static void sa_update(struct net *n, struct frouter *f, uint32_t router)
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
        after_flit(n, f, router, ivc, flit, switch_in(n, ivc), (uint32_t)out, false);
    }
    drop_batch(&f->sa);
}

/* ---- held connections --------------------------------------------------------------------------
 */

static void hold_evaluate(struct net *n, struct frouter *f)
{
    if (!begin_batch(&f->hold, n->now, 1))
        return;
    for (uint32_t b = 0; b < f->hold.batch; b++) {
        uint32_t ivc = f->hold.list[b].ivc;
        f->hold.list[b].result = n->ivcs[ivc].o->credits ? f->hold_in[switch_in(n, ivc)] : -1;
    }
}

static void hold_update(struct net *n, struct frouter *f, uint32_t router)
{
    if (!f->hold.batch)
        return;
    for (uint32_t b = 0; b < f->hold.batch; b++) {
        uint32_t ivc = f->hold.list[b].ivc, in = switch_in(n, ivc);
        int32_t out = f->hold.list[b].result;
        if (out >= 0 && output_has_room(n, (uint32_t)(n->ivcs[ivc].o->port - n->oports))) {
            uint32_t flit = take_flit(n, f, ivc);
            f->vc_pointer[in] = ((ivc & n->vmask) + n->in_speedup) % n->vcs;
            after_flit(n, f, router, ivc, flit, in, (uint32_t)out, true);
        } else {
            f->hold_out[f->hold_in[in]] = -1;
            f->hold_in[in] = f->hold_vc[in] = -1;
            enlist(&f->sa, ivc);
        }
    }
    drop_batch(&f->hold);
}

/* ---- one router --------------------------------------------------------------------------------
 */

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
    va_evaluate(n, f, r);
    hold_evaluate(n, f);
    sa_evaluate(n, f, r);
    if (!f->crossing_batch && f->n_crossing) {
        f->crossing_batch = f->n_crossing;
        f->crossing_due = n->now + n->st_delay - 1;
    }
    rc_update(n, f, router);
    va_update(n, f, r);
    hold_update(n, f, router);
    sa_update(n, f, router);
    cross_update(n, f, router);
    queue_credits(n, r, router);
    if (!f->rc.n && !f->va.n && !f->sa.n && !f->hold.n && !f->n_crossing)
        bits_clear(n->full->busy, router);
}

static void step_router(struct net *n, uint32_t router)
{
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

/* ---- a cycle -----------------------------------------------------------------------------------
 */

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
    for (f->partial += n->internal_speedup; f->partial >= 1.0; f->partial -= 1.0)
        f->steps++;
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
