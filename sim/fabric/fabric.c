/* SPDX-License-Identifier: MIT */
#include "sim/fabric/fabric.h"

#include <assert.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/buf.h"
#include "base/err.h"
#include "sim/fabric/switch.h"
#include "sim/frame/request.h"
#include "sim/net/net.h"

/* What arrived and was not taken yet; for the crossbar also what waits at the inputs. */
struct side {
    struct ring *out;  /* [endpoint] */
    uint64_t *arrived; /* bit set over endpoints */
    struct fabric_counts counts;
    struct fabric_end *sent, *received; /* [endpoint]; not where the engine counts */
    struct net *net;
    struct one_switch *one;
    /* crossbar */
    struct packet_queue {
        struct waiting {
            uint32_t v;
            uint16_t dst, flits;
            uint64_t ready;
        } * at;
        uint32_t mask, first, n, used; /* used: flits of the buffer */
    } * in;
    uint64_t *wants;      /* [output * words]: inputs whose first packet goes there */
    uint64_t *has_wants;  /* bit set over outputs */
    uint32_t *next_input; /* [output] */
    uint32_t n_waiting;
    struct delay_ring *held; /* [endpoint]: crossed, still on the way (extra cycles) */
    uint32_t n_held;
    uint64_t *has_held;
    bool *is_held; /* [endpoint] of the engine: told to wait */
    /* serial crossbar: when the last flit is through */
    uint64_t *in_busy, *out_busy; /* [endpoint] */
    uint64_t *resting;            /* inputs whose next packet does not bid yet */
};

struct fabric {
    uint32_t n_endpoints, n_ports, words;
    uint32_t depth, sink_depth, extra;
    bool is_local, is_shared, is_serial, is_switch;
    uint64_t cycle;
    const struct noc *noc[2];
    struct side sides[2];
    /* where a reply never waits on its way, room for it is taken with the request */
    uint32_t reply_slots; /* 0: it may wait */
    uint32_t *reserved;   /* [cluster port] */
    struct bounds bounds;
};

static void side_init(struct fabric *f, struct side *s, const struct fabric_params *p, int dir,
                      struct arena *mem)
{
    uint32_t n = f->n_endpoints;
    uint32_t sink = f->is_local ? p->depth : p->sink_depth + 8;
    if (!f->is_local && p->merge) /* a big packet arrives at once */
        sink += (p->merge->max_flits ? p->merge->max_flits : 64) * (p->merge->per_flit + 1);
    if (dir == NOC_REPLY)
        sink += f->reply_slots;
    s->out = arena_many(mem, struct ring, n);
    s->arrived = arena_many(mem, uint64_t, f->words);
    for (uint32_t i = 0; i < n; i++)
        ring_init(&s->out[i], "what has arrived at an endpoint", sink, &f->bounds, mem);
    s->is_held = arena_many(mem, bool, n);
    if (!f->is_local)
        return;
    uint32_t room = 1u << bits_clog2(p->depth);
    s->in = arena_many(mem, struct packet_queue, n);
    s->held = arena_many(mem, struct delay_ring, n);
    for (uint32_t i = 0; i < n; i++) {
        s->in[i].at = arena_many(mem, struct waiting, room);
        s->in[i].mask = room - 1;
        delay_ring_init(&s->held[i], "the wire to an endpoint", p->depth, &f->bounds, mem);
    }
    s->wants = arena_many(mem, uint64_t, (size_t)n * f->words);
    s->has_wants = arena_many(mem, uint64_t, f->words);
    s->has_held = arena_many(mem, uint64_t, f->words);
    s->next_input = arena_many(mem, uint32_t, n);
    s->in_busy = arena_many(mem, uint64_t, n);
    s->out_busy = arena_many(mem, uint64_t, n);
    s->resting = arena_many(mem, uint64_t, f->words);
}

struct fabric *fabric_new(const struct fabric_params *p, struct arena *mem, struct err *err)
{
    struct fabric *f = arena_new(mem, struct fabric);
    f->n_ports = p->n_ports;
    f->n_endpoints = p->n_ports + p->n_slices;
    f->words = (uint32_t)bits_words(f->n_endpoints);
    f->is_local = p->request == NULL;
    f->is_switch = f->is_local && p->is_switch;
    assert(!f->is_switch || f->n_endpoints <= SWITCH_MAX);
    f->is_shared = !f->is_local && p->reply == NULL;
    f->is_serial = p->is_serial;
    f->depth = p->depth;
    f->extra = p->cycles;
    f->sink_depth = p->sink_depth;
    f->noc[NOC_REQUEST] = p->request;
    f->noc[NOC_REPLY] = f->is_shared ? p->request : p->reply;
    if (!f->is_local && f->noc[NOC_REPLY]->flow == NOC_RING) {
        f->reply_slots = f->noc[NOC_REPLY]->reply_slots;
        f->reserved = arena_many(mem, uint32_t, f->n_endpoints);
    }
    for (int d = 0; d < 2; d++) {
        f->sides[d].sent = arena_many(mem, struct fabric_end, f->n_endpoints);
        f->sides[d].received = arena_many(mem, struct fabric_end, f->n_endpoints);
        if (f->is_switch) {
            struct switch_params sp = {f->n_endpoints, p->source_flits, p->depth, p->sink_flits};
            f->sides[d].one = switch_new(&sp, mem);
            continue;
        }
        side_init(f, &f->sides[d], p, d, mem);
        if (f->is_local)
            continue;
        if (d == NOC_REPLY && f->is_shared) {
            f->sides[d].net = f->sides[0].net;
            continue;
        }
        struct net_params np = {.router = p->router[d],
                                .channel_cycles = p->channel_cycles[d],
                                .traversal_extra = p->traversal_extra[d],
                                .extra_alloc = p->extra_alloc[d],
                                .source_depth = p->source_depth,
                                .seed = p->seed + (uint64_t)d,
                                .start = p->start,
                                .watchdog_cycles = 0,
                                .verify = p->verify,
                                .merge = d == NOC_REQUEST ? p->merge : NULL};
        f->sides[d].net = net_new(f->noc[d], &np, mem, err);
        if (!f->sides[d].net)
            return NULL;
    }
    return f;
}

/* ---- in and out ---- */

bool fabric_can_send(const struct fabric *f, enum noc_dir dir, uint32_t src, uint16_t flits)
{
    const struct side *s = &f->sides[dir];
    if (!f->is_local)
        return net_can_inject(s->net, src) &&
               (!f->reply_slots || dir != NOC_REQUEST || f->reserved[src] < f->reply_slots);
    if (f->is_switch)
        return switch_can_send(s->one, src, flits);
    /* a packet longer than the buffer passes when the buffer is empty */
    return s->in[src].used + flits <= f->depth || !s->in[src].used;
}

static void want(struct fabric *f, struct side *s, uint32_t src)
{
    uint32_t dst = s->in[src].at[s->in[src].first & s->in[src].mask].dst;
    bits_set(s->wants + (size_t)dst * f->words, src);
    bits_set(s->has_wants, dst);
}

void fabric_send(struct fabric *f, enum noc_dir dir, const struct fabric_packet *p)
{
    struct side *s = &f->sides[dir];
    s->counts.packets++;
    s->counts.flits += p->flits;
    if (!f->is_local) {
        struct net_packet packet = {
            .src = p->src,
            .dst = p->dst,
            .flits = p->flits,
            .bytes = p->bytes,
            .cls = noc_first_class(f->noc[dir], p->src, p->dst, dir == NOC_REPLY),
            .tag = (uint64_t)p->v << 1 | dir,
            .created = net_cycle(s->net),
            .merge_key = p->merge_key};
        if (f->reply_slots && dir == NOC_REQUEST && !p->is_unanswered)
            f->reserved[p->src]++;
        if (!net_inject(s->net, &packet))
            bounds_break(&f->bounds, "the source of an endpoint", false);
        return;
    }
    s->sent[p->src].flits += p->flits;
    s->sent[p->src].bytes += p->bytes;
    s->received[p->dst].flits += p->flits;
    s->received[p->dst].bytes += p->bytes;
    if (f->is_switch) {
        switch_send(s->one, p->src, p->dst, p->v, p->flits);
        return;
    }
    struct packet_queue *q = &s->in[p->src];
    if (q->n > q->mask) {
        bounds_break(&f->bounds, "the queue of an endpoint", false);
        return;
    }
    q->at[(q->first + q->n++) & q->mask] =
        (struct waiting){p->v, (uint16_t)p->dst, p->flits, f->cycle};
    q->used += p->flits;
    s->n_waiting++;
    if (q->n != 1)
        return;
    if (f->is_serial && s->in_busy[p->src] > f->cycle)
        bits_set(s->resting, p->src);
    else
        want(f, s, p->src);
}

uint32_t fabric_top(const struct fabric *f, enum noc_dir dir, uint32_t dst)
{
    if (f->is_switch)
        return bits_test(switch_arrived(f->sides[dir].one), dst)
                   ? switch_top(f->sides[dir].one, dst)
                   : FABRIC_NONE;
    const struct ring *r = &f->sides[dir].out[dst];
    return r->n ? ring_top(r) : FABRIC_NONE;
}

uint32_t fabric_take(struct fabric *f, enum noc_dir dir, uint32_t dst)
{
    struct side *s = &f->sides[dir];
    if (f->is_switch)
        return switch_take(s->one, dst);
    uint32_t v = ring_pop(&s->out[dst]);
    if (f->reply_slots && dir == NOC_REPLY && f->reserved[dst])
        f->reserved[dst]--;
    if (!s->out[dst].n)
        bits_clear(s->arrived, dst);
    if (s->is_held[dst] && s->out[dst].n < f->sink_depth) {
        s->is_held[dst] = false;
        net_hold(s->net, dst, false);
    }
    return v;
}

const uint64_t *fabric_arrived(const struct fabric *f, enum noc_dir dir)
{
    return f->is_switch ? switch_arrived(f->sides[dir].one) : f->sides[dir].arrived;
}

/* ---- a cycle ---- */

static void land(struct fabric *f, struct side *s)
{
    for (uint32_t w = 0; w < f->words && s->n_held; w++)
        for (uint64_t m = s->has_held[w]; m; m &= m - 1) {
            uint32_t i = w * 64 + bits_lowest(m);
            while (delay_ready(&s->held[i], f->cycle)) {
                ring_push(&s->out[i], delay_pop(&s->held[i]));
                bits_set(s->arrived, i);
                s->n_held--;
            }
            if (!s->held[i].n)
                bits_clear(s->has_held, i);
        }
}

static void cross(struct fabric *f, struct side *s)
{
    if (s->n_held)
        land(f, s);
    if (f->is_serial)
        for (uint32_t w = 0; w < f->words; w++)
            for (uint64_t m = s->resting[w]; m; m &= m - 1) {
                uint32_t in = w * 64 + bits_lowest(m);
                if (s->in_busy[in] > f->cycle)
                    continue;
                bits_clear(s->resting, in);
                want(f, s, in);
            }
    for (uint32_t w = 0; w < f->words && s->n_waiting; w++)
        for (uint64_t m = s->has_wants[w], done = 0; m;
             done |= m & -m, m = s->has_wants[w] & ~done & ~((m & -m) - 1)) {
            uint32_t out = w * 64 + bits_lowest(m);
            if (s->out[out].n + s->held[out].n >= s->out[out].cap ||
                (f->is_serial && s->out_busy[out] > f->cycle))
                continue;
            uint64_t *wants = s->wants + (size_t)out * f->words;
            uint32_t in = bits_next(wants, f->words, s->next_input[out]);
            struct packet_queue *q = &s->in[in];
            struct waiting p = q->at[q->first++ & q->mask];
            q->n--;
            q->used -= p.flits;
            s->n_waiting--;
            s->next_input[out] = in + 1 == f->n_endpoints ? 0 : in + 1;
            bits_clear(wants, in);
            bool any = false;
            for (uint32_t k = 0; k < f->words; k++)
                any |= wants[k] != 0;
            if (!any)
                bits_clear(s->has_wants, out);
            uint32_t extra = f->extra;
            if (f->is_serial) {
                s->in_busy[in] = s->out_busy[out] = f->cycle + p.flits;
                extra += p.flits - 1u;
                if (q->n)
                    bits_set(s->resting, in);
            } else if (q->n) {
                want(f, s, in);
            }
            if (extra) {
                delay_push(&s->held[out], f->cycle + extra, p.v);
                bits_set(s->has_held, out);
                s->n_held++;
            } else {
                ring_push(&s->out[out], p.v);
                bits_set(s->arrived, out);
            }
        }
}

static bool step_engine(struct fabric *f, struct net *net)
{
    if (!net_step(net))
        return false;
    size_t n;
    const struct net_delivery *const *d = net_delivered(net, &n);
    for (size_t i = 0; i < n; i++) {
        struct side *s = &f->sides[d[i]->tag & 1];
        ring_push(&s->out[d[i]->dst], (uint32_t)(d[i]->tag >> 1));
        bits_set(s->arrived, d[i]->dst);
        s->counts.mergeable += d[i]->merge_key != 0;
        s->counts.in_big += d[i]->is_merged;
        if (s->out[d[i]->dst].n >= f->sink_depth && !s->is_held[d[i]->dst]) {
            s->is_held[d[i]->dst] = true;
            net_hold(net, d[i]->dst, true);
        }
    }
    return true;
}

bool fabric_step(struct fabric *f)
{
    f->cycle++;
    if (f->is_switch) {
        for (int d = 0; d < 2; d++)
            if (switch_is_idle(f->sides[d].one))
                switch_skip(f->sides[d].one, 1);
            else
                switch_step(f->sides[d].one);
        return true;
    }
    if (f->is_local) {
        for (int d = 0; d < 2; d++)
            if (f->sides[d].n_waiting || f->sides[d].n_held)
                cross(f, &f->sides[d]);
        return !f->bounds.broken;
    }
    for (int d = 0; d < (f->is_shared ? 1 : 2); d++)
        if (!step_engine(f, f->sides[d].net))
            return false;
    return !f->bounds.broken;
}

/* ---- ask ---- */

bool fabric_is_idle(const struct fabric *f)
{
    if (f->is_switch)
        return switch_is_idle(f->sides[0].one) && switch_is_idle(f->sides[1].one);
    if (f->is_local)
        return !(f->sides[0].n_waiting | f->sides[0].n_held | f->sides[1].n_waiting |
                 f->sides[1].n_held);
    return net_is_idle(f->sides[0].net) && net_is_idle(f->sides[1].net);
}

uint64_t fabric_next_busy(const struct fabric *f)
{
    uint64_t next = UINT64_MAX;
    if (f->is_switch)
        return fabric_is_idle(f) ? UINT64_MAX : f->cycle;
    for (int d = 0; d < 2; d++) {
        const struct side *s = &f->sides[d];
        if (f->is_local) {
            if (s->n_waiting)
                return f->cycle;
            if (!s->n_held)
                continue;
            for (uint32_t i = 0; i < f->n_endpoints; i++)
                if (s->held[i].n && delay_next(&s->held[i]) - 1 < next)
                    next = delay_next(&s->held[i]) - 1;
            continue;
        }
        uint64_t t = net_next_busy(s->net);
        if (t < next)
            next = t;
    }
    return next < f->cycle ? f->cycle : next;
}

void fabric_skip_to(struct fabric *f, uint64_t cycle)
{
    if (f->is_switch)
        for (int d = 0; d < 2; d++)
            switch_skip(f->sides[d].one, cycle - f->cycle);
    f->cycle = cycle;
    if (!f->is_local)
        for (int d = 0; d < (f->is_shared ? 1 : 2); d++)
            net_skip_to(f->sides[d].net, cycle);
}

struct fabric_counts fabric_counts(const struct fabric *f, enum noc_dir dir)
{
    return f->sides[dir].counts;
}

struct fabric_end fabric_end(const struct fabric *f, enum noc_dir dir, uint32_t endpoint,
                             bool is_source)
{
    const struct side *s = &f->sides[dir];
    return is_source ? s->sent[endpoint] : s->received[endpoint];
}

struct net *fabric_net(const struct fabric *f, enum noc_dir dir)
{
    return f->is_shared && dir == NOC_REPLY ? NULL : f->sides[dir].net;
}

void fabric_problem(const struct fabric *f, struct buf *out)
{
    if (f->bounds.broken)
        buf_printf(out, "%s was %s", f->bounds.broken, bounds_text(&f->bounds));
    for (int d = 0; d < 2; d++)
        if (!f->bounds.broken && f->sides[d].net && (d == 0 || !f->is_shared))
            net_problem(f->sides[d].net, out);
}
