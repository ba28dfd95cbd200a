/* SPDX-License-Identifier: MIT */
#include "sim/net/taps.h"

#include "base/bits.h"
#include "base/err.h"

struct event {
    uint32_t flit;    /* packet and flags; of a credit: how many */
    uint32_t channel; /* at whose end it is */
};

struct wheel_slot {
    struct event *at;
    uint32_t n;
};

/* Flits that have come to the tap of their endpoint. */
struct gate {
    uint32_t *flits, mask, first, n;
    uint32_t on_wire, cap;
    uint32_t tap;
    uint64_t *waits; /* its bit among those with flits */
};

struct queue {
    uint32_t *packets, mask, first, n; /* whole ones */
    uint32_t flits;
    uint32_t credit_channel, column;
};

struct sink { /* a slice with its queues */
    struct queue *queues;
    uint32_t n, router, endpoint, channel, next;
    uint32_t now, left; /* queue that is being emptied, flits of its packet still there */
    uint32_t flits;     /* in all of them */
};

struct column {
    uint32_t *ends, n; /* SM ports, the lowest first */
    uint32_t at;       /* who has the token */
    uint64_t ready;    /* from when on */
    uint32_t left;     /* flits of his packet still to send */
    uint32_t packet;   /* which it is */
    uint32_t way_down; /* cycles of a flit from the highest tap to the lowest */
    uint32_t *hop;     /* [place] cycles from there to the next place of the token */
    uint32_t *wire;    /* [place] the channel on which it leaves */
    uint32_t *room;    /* [slice] that the token knows of */
    uint32_t *back;    /* [slice] that waits for it */
};

struct net_taps {
    const uint16_t *given; /* channels' cycles, NULL: 1 each */
    struct wheel_slot *slots;
    uint32_t mask;
    uint64_t *taken;     /* [channel] 1 + the cycle in which a flit last entered it */
    uint64_t *side_sent; /* [channel] */
    uint64_t *crossed, *asked, *written, *read, *empty; /* [router] */
    struct gate *gates;                                 /* [endpoint] */
    uint64_t *waiting;                                  /* [bit endpoint] its gate has flits */
    struct sink *sinks;
    uint32_t *sink_of; /* [router] */
    uint32_t n_sinks;
    struct column *columns;
    uint32_t n_columns;
    uint64_t buffered; /* flits at gates and in queues */
    bool is_token;
};

static uint32_t cycles_of(const struct net_taps *t, uint32_t channel)
{
    uint32_t c = t->given ? t->given[channel] : 1;
    return c ? c : 1;
}

/* ---- make ---- */

static void make_gates(struct net *n, struct net_taps *t, struct arena *mem)
{
    t->gates = arena_many(mem, struct gate, n->n_ends);
    t->waiting = arena_many(mem, uint64_t, bits_words(n->n_ends) + 1);
    for (uint32_t e = 0; e < n->n_ends; e++) {
        uint32_t channel = n->noc->endpoints[e].inject;
        if (channel == NOC_NONE)
            continue;
        struct gate *g = &t->gates[e];
        g->cap = 2 * cycles_of(t, channel);
        g->mask = (1u << bits_clog2(g->cap)) - 1;
        g->flits = arena_many(mem, uint32_t, g->mask + 1);
        g->tap = n->noc->channels[channel].dst;
    }
}

static void make_sinks(struct net *n, struct net_taps *t, struct arena *mem)
{
    const struct noc *noc = n->noc;
    uint32_t room = 1u << bits_clog2(noc->queue_flits + 1);
    t->sink_of = arena_many(mem, uint32_t, noc->n_routers);
    t->sinks = arena_many(mem, struct sink, n->n_ends);
    for (uint32_t r = 0; r < noc->n_routers; r++) {
        t->sink_of[r] = NONE32;
        if (noc->routers[r].kind != NOC_QUEUES)
            continue;
        struct sink *s = &t->sinks[t->n_sinks];
        t->sink_of[r] = t->n_sinks++;
        *s = (struct sink){.n = noc->routers[r].n_in,
                           .router = r,
                           .channel = noc_out_channel(noc, r, 0),
                           .now = NONE32};
        s->endpoint = noc->channels[s->channel].dst;
        s->queues = arena_many(mem, struct queue, s->n);
        for (uint32_t q = 0; q < s->n; q++)
            s->queues[q] = (struct queue){.packets = arena_many(mem, uint32_t, room),
                                          .mask = room - 1,
                                          .credit_channel = NONE32,
                                          .column = NONE32};
    }
}

/* Taps that feed one another are a column; its lowest is the one that the queues send credits to.
 */
static void make_columns(struct net *n, struct net_taps *t, struct arena *mem)
{
    const struct noc *noc = n->noc;
    uint32_t *end_of = arena_many(mem, uint32_t, noc->n_routers); /* SM port of a tap */
    uint32_t *column_of = arena_many(mem, uint32_t, noc->n_routers);
    for (uint32_t r = 0; r < noc->n_routers; r++)
        end_of[r] = column_of[r] = NONE32;
    for (uint32_t e = 0; e < n->n_ends; e++)
        if (noc->endpoints[e].inject != NOC_NONE)
            end_of[t->gates[e].tap] = e;
    t->columns = arena_many(mem, struct column, n->n_ends);
    for (uint32_t e = 0; e < n->n_ends; e++) {
        if (noc->endpoints[e].inject == NOC_NONE)
            continue;
        uint32_t below = noc->channels[noc_out_channel(noc, t->gates[e].tap, 0)].dst;
        if (end_of[below] != NONE32)
            continue;
        struct column *c = &t->columns[t->n_columns];
        c->ends = arena_many(mem, uint32_t, noc->n_endpoints);
        c->hop = arena_many(mem, uint32_t, noc->n_endpoints);
        c->wire = arena_many(mem, uint32_t, noc->n_endpoints);
        c->room = arena_many(mem, uint32_t, t->n_sinks);
        c->back = arena_many(mem, uint32_t, t->n_sinks);
        for (uint32_t s = 0; s < t->n_sinks; s++)
            c->room[s] = noc->queue_flits;
        for (uint32_t at = e; at != NONE32;) {
            c->ends[c->n] = at;
            c->wire[c->n++] = NONE32;
            uint32_t tap = t->gates[at].tap, above = NONE32;
            column_of[tap] = t->n_columns;
            for (uint32_t p = 0; p < noc->routers[tap].n_in; p++) {
                uint32_t ch = noc_in_channel(noc, tap, p);
                if (ch == NOC_NONE || noc->channels[ch].src_node != NOC_ROUTER)
                    continue;
                above = end_of[noc->channels[ch].src];
                c->way_down += cycles_of(t, ch);
            }
            at = above;
        }
        t->n_columns++;
    }
    for (uint32_t ch = 0; ch < noc->n_channels; ch++) {
        const struct noc_channel *side = &noc->channels[ch];
        if (!side->is_side)
            continue;
        uint32_t c = column_of[side->dst];
        uint32_t sink = t->sink_of[side->src];
        if (sink != NONE32) { /* a credit; the queue is that of the column's subnet */
            for (uint32_t q = 0; q < t->sinks[sink].n; q++)
                if (q == c)
                    t->sinks[sink].queues[q].credit_channel = ch,
                    t->sinks[sink].queues[q].column = c;
            continue;
        }
        for (uint32_t i = 0; i < t->columns[c].n; i++)
            if (t->gates[t->columns[c].ends[i]].tap == side->src)
                t->columns[c].wire[i] = ch;
    }
}

/* Cycles of the token's hops where nothing was sent; a flit sent makes ways down one longer. */
static void time_tokens(const struct net *n, struct net_taps *t)
{
    bool down = n->noc->token_goes_down;
    for (uint32_t k = 0; k < t->n_columns; k++) {
        struct column *c = &t->columns[k];
        for (uint32_t i = 0; i < c->n; i++) {
            uint32_t wire = c->wire[i] == NONE32 ? 1 : cycles_of(t, c->wire[i]), data = 1;
            if (down && i > 0)
                data = cycles_of(t, noc_out_channel(n->noc, t->gates[c->ends[i]].tap, 0));
            else if (!down && i + 1 == c->n && c->way_down)
                data = c->way_down;
            c->hop[i] = wire > data ? wire : data;
        }
    }
}

bool net_taps_init(struct net *n, const struct net_params *params, struct arena *mem,
                   struct err *err)
{
    const struct noc *noc = n->noc;
    struct net_taps *t = arena_new(mem, struct net_taps);
    n->taps = t;
    t->given = params->channel_cycles;
    t->is_token = noc->flow == NOC_TOKEN;
    if (t->is_token && params->max_flits > noc->queue_flits)
        return err_add(err, ERR_INPUT, (struct where){NULL, 0, "noc.cfnoc.queue"},
                       "a packet of %u flits does not fit into a queue of %u", params->max_flits,
                       noc->queue_flits);
    uint32_t longest = 1;
    for (uint32_t c = 0; c < noc->n_channels; c++)
        longest = cycles_of(t, c) > longest ? cycles_of(t, c) : longest;
    t->mask = (1u << bits_clog2(longest + 1)) - 1;
    t->slots = arena_many(mem, struct wheel_slot, t->mask + 1);
    for (uint32_t i = 0; i <= t->mask; i++)
        t->slots[i].at = arena_many(mem, struct event, noc->n_channels + 1);
    t->taken = arena_many(mem, uint64_t, noc->n_channels);
    t->side_sent = arena_many(mem, uint64_t, noc->n_channels);
    uint64_t **counts[] = {&t->crossed, &t->asked, &t->written, &t->read, &t->empty};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        *counts[i] = arena_many(mem, uint64_t, noc->n_routers);
    make_gates(n, t, mem);
    make_sinks(n, t, mem);
    if (t->is_token) {
        make_columns(n, t, mem);
        time_tokens(n, t);
        struct rng r;
        rng_seed(&r, params->start, "start", 0);
        for (uint32_t k = 0; params->start && k < t->n_columns; k++)
            t->columns[k].at = rng_below(&r, t->columns[k].n);
    }
    return true;
}

/* ---- moving ---- */

static void put(struct net *n, uint32_t channel, uint32_t flit)
{
    struct net_taps *t = n->taps;
    if (t->taken[channel] == n->now + 1) {
        net_fail(n, "two flits meet at channel %u of a network without buffers", channel);
        return;
    }
    t->taken[channel] = n->now + 1;
    struct wheel_slot *s = &t->slots[(n->now + cycles_of(t, channel)) & t->mask];
    s->at[s->n++] = (struct event){flit, channel};
}

/* A flit leaves a tap or a queue over this channel. */
static void cross(struct net *n, uint32_t channel, uint32_t flit)
{
    const struct noc_channel *ch = &n->noc->channels[channel];
    struct oport *op = &n->routers[ch->src].outs[ch->src_port];
    uint32_t id = flit & FLIT_PACKET;
    n->taps->crossed[ch->src]++;
    op->sent++;
    if (flit & FLIT_TAIL) {
        op->empty += n->packet_empty[id];
        n->taps->empty[ch->src] += n->packet_empty[id];
    }
    if (flit & FLIT_HEAD)
        n->packets[id].hops++;
    n->last_move = n->now;
    put(n, channel, flit);
}

static uint32_t way_out(const struct net *n, uint32_t tap, uint32_t flit)
{
    uint32_t dst = n->packets[flit & FLIT_PACKET].dst;
    return noc_out_channel(n->noc, tap, net_route_entry(n, tap, dst, 0));
}

static void count_flit_times(struct net *n, uint32_t id, uint32_t first, uint32_t flits)
{
    for (uint32_t i = first; n->flit_times && i < first + flits; i++) {
        uint64_t latency = n->now - n->flit_times[(size_t)id * n->max_flits + i];
        struct net_totals *s = &n->totals;
        s->flit_latency_n++;
        s->flit_latency_sum += latency;
        s->flit_latency_min = latency < s->flit_latency_min ? latency : s->flit_latency_min;
        s->flit_latency_max = latency > s->flit_latency_max ? latency : s->flit_latency_max;
    }
}

/* `flits` of a packet are at its destination. */
static void arrive_at_end(struct net *n, uint32_t endpoint, uint32_t flit, uint32_t flits)
{
    uint32_t id = flit & FLIT_PACKET, at = 0;
    struct net_delivery *p = &n->packets[id];
    n->ends[endpoint].received += flits;
    n->flits_in_flight -= flits;
    n->totals.flits_delivered += flits;
    if (p->flits > 1) {
        at = n->packet_arrived[id];
        n->packet_arrived[id] = (uint16_t)(at + flits);
    }
    count_flit_times(n, id, at, flits);
    if (at == 0)
        p->head_arrived = n->now;
    if (!(flit & FLIT_TAIL))
        return;
    p->arrived = n->now;
    n->in_flight--;
    n->totals.packets_delivered++;
    if (p->dst != endpoint || at + flits != p->flits)
        net_fail(n, "packet %u from %u to %u ended at %u with %u of %u flits", id, p->src, p->dst,
                 endpoint, at + flits, p->flits);
    n->delivered[n->n_delivered++] = p;
}

static void arrive_in_queue(struct net *n, const struct noc_channel *ch, uint32_t flit)
{
    struct net_taps *t = n->taps;
    struct sink *s = &t->sinks[t->sink_of[ch->dst]];
    struct queue *q = &s->queues[ch->dst_port];
    t->written[s->router]++;
    t->buffered++;
    s->flits++;
    n->totals.flit_hops++;
    if (++q->flits > n->noc->queue_flits)
        net_fail(n, "queue %u of slice %u holds more than its %u flits", ch->dst_port, s->endpoint,
                 n->noc->queue_flits);
    if (flit & FLIT_TAIL)
        q->packets[(q->first + q->n++) & q->mask] = flit & FLIT_PACKET;
}

static void take_arrivals(struct net *n)
{
    struct net_taps *t = n->taps;
    struct wheel_slot *s = &t->slots[n->now & t->mask];
    uint32_t count = s->n;
    s->n = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct event e = s->at[i];
        const struct noc_channel *ch = &n->noc->channels[e.channel];
        if (ch->is_side) { /* credits to the foot of a column */
            struct sink *from = &t->sinks[t->sink_of[ch->src]];
            for (uint32_t q = 0; q < from->n; q++)
                if (from->queues[q].credit_channel == e.channel)
                    t->columns[from->queues[q].column].back[t->sink_of[ch->src]] += e.flit;
        } else if (ch->src_node == NOC_ENDPOINT) {
            struct gate *g = &t->gates[ch->src];
            g->on_wire--;
            g->flits[(g->first + g->n++) & g->mask] = e.flit;
            t->written[g->tap]++;
            t->buffered++;
            bits_set(t->waiting, ch->src);
        } else if (ch->dst_node == NOC_ENDPOINT) {
            bool whole = t->is_token; /* queues hand packets over, taps flits */
            arrive_at_end(n, ch->dst, e.flit, whole ? n->packets[e.flit & FLIT_PACKET].flits : 1);
        } else if (n->noc->routers[ch->dst].kind == NOC_QUEUES) {
            arrive_in_queue(n, ch, e.flit);
        } else {
            n->totals.flit_hops++;
            cross(n, way_out(n, ch->dst, e.flit), e.flit);
        }
    }
}

static void leave_gate(struct net *n, uint32_t end)
{
    struct net_taps *t = n->taps;
    struct gate *g = &t->gates[end];
    uint32_t flit = g->flits[g->first++ & g->mask];
    t->read[g->tap]++;
    t->buffered--;
    n->totals.flit_hops++;
    if (--g->n == 0)
        bits_clear(t->waiting, end);
    cross(n, way_out(n, g->tap, flit), flit);
}

/* ---- a ring: whoever finds his output free ---- */

static void enter_ring(struct net *n)
{
    struct net_taps *t = n->taps;
    for (uint32_t w = 0; w < bits_words(n->n_ends); w++)
        for (uint64_t m = t->waiting[w]; m; m &= m - 1) {
            uint32_t e = w * 64 + bits_lowest(m);
            struct gate *g = &t->gates[e];
            t->asked[g->tap]++;
            if (t->taken[way_out(n, g->tap, g->flits[g->first & g->mask])] != n->now + 1)
                leave_gate(n, e);
        }
}

/* ---- tokens ---- */

static void collect_room(const struct net_taps *t, struct column *c)
{
    for (uint32_t s = 0; c->at == 0 && s < t->n_sinks; s++) {
        c->room[s] += c->back[s];
        c->back[s] = 0;
    }
}

static void pass_token(struct net *n, struct column *c, bool has_sent)
{
    bool down = n->noc->token_goes_down, last = down ? c->at == 0 : c->at + 1 == c->n;
    /* behind the last flit where it goes down, or where the next one is the same */
    bool behind = c->n == 1 ? false : down ? !last : last;
    if (c->wire[c->at] != NONE32)
        n->taps->side_sent[c->wire[c->at]]++;
    c->ready = n->now + c->hop[c->at] + (behind && has_sent);
    c->at = last ? (down ? c->n - 1 : 0) : down ? c->at - 1 : c->at + 1;
}

static void step_column(struct net *n, struct column *c)
{
    struct net_taps *t = n->taps;
    if (c->ready > n->now)
        return;
    uint32_t end = c->ends[c->at];
    struct gate *g = &t->gates[end];
    if (!c->left) {
        collect_room(t, c);
        t->asked[g->tap]++;
        if (!g->n) {
            pass_token(n, c, false);
            return;
        }
        const struct net_delivery *p = &n->packets[g->flits[g->first & g->mask] & FLIT_PACKET];
        uint32_t *room = &c->room[p->dst - n->noc->n_sm_ports];
        if (*room < p->flits) {
            pass_token(n, c, false);
            return;
        }
        *room -= p->flits;
        c->left = p->flits;
        c->packet = (uint32_t)(p - n->packets);
    }
    c->ready = n->now + 1;
    if (!g->n) /* its next flit is still on the way here */
        return;
    leave_gate(n, end);
    if (--c->left == 0)
        pass_token(n, c, true);
}

/* Reads up to `drain_flits` of one packet. */
static void empty_queues(struct net *n, struct sink *s)
{
    struct net_taps *t = n->taps;
    if (s->now == NONE32) {
        if (n->ends[s->endpoint].held)
            return;
        uint32_t i = 0;
        while (i < s->n && !s->queues[(s->next + i) % s->n].n)
            i++;
        if (i == s->n)
            return;
        s->now = (s->next + i) % s->n;
        s->next = (s->now + 1) % s->n;
        struct queue *q = &s->queues[s->now];
        s->left = n->packets[q->packets[q->first & q->mask]].flits;
        t->asked[s->router]++;
    }
    struct queue *q = &s->queues[s->now];
    uint32_t id = q->packets[q->first & q->mask], flits = n->noc->drain_flits;
    flits = flits < s->left ? flits : s->left;
    struct oport *op = &n->routers[s->router].outs[0];
    n->last_move = n->now;
    op->sent++;
    t->read[s->router] += flits;
    t->crossed[s->router] += flits;
    t->buffered -= flits;
    s->flits -= flits;
    q->flits -= flits;
    s->left -= flits;
    if (q->credit_channel != NONE32) {
        t->side_sent[q->credit_channel]++;
        put(n, q->credit_channel, flits);
    }
    if (s->left)
        return;
    uint32_t unused = (n->noc->drain_flits - flits) * (n->noc->width_bits / 8);
    op->empty += n->packet_empty[id] + unused;
    t->empty[s->router] += n->packet_empty[id];
    n->packets[id].hops++;
    put(n, s->channel, id | FLIT_HEAD | FLIT_TAIL);
    q->first++;
    q->n--;
    s->now = NONE32;
}

/* ---- sources ---- */

static void send_from(struct net *n, uint32_t end)
{
    struct nendpoint *e = &n->ends[end];
    struct gate *g = &n->taps->gates[end];
    if (g->n + g->on_wire >= g->cap)
        return;
    uint32_t id = e->packet, flit = id;
    struct net_delivery *p = &n->packets[id];
    if (!e->left) {
        e->left = p->flits;
        p->injected = n->now;
        flit |= FLIT_HEAD;
        n->totals.packets_injected++;
    }
    if (n->flit_times)
        n->flit_times[(size_t)id * n->max_flits + (p->flits - e->left)] = (uint32_t)n->now;
    e->op->sent++;
    n->flits_in_flight++;
    n->last_move = n->now;
    g->on_wire++;
    if (--e->left == 0) {
        flit |= FLIT_TAIL;
        e->op->empty += n->packet_empty[id];
        if (--e->q_n == 0) {
            n->source_busy[end / 64] &= ~((uint64_t)1 << end % 64);
        } else {
            e->q_read = e->q_read + 1u == n->source_depth ? 0 : (uint16_t)(e->q_read + 1);
            e->packet = n->source_queue[(size_t)end * n->source_depth + e->q_read];
        }
    }
    put(n, n->noc->endpoints[end].inject, flit);
}

void net_taps_step(struct net *n)
{
    struct net_taps *t = n->taps;
    take_arrivals(n);
    for (uint32_t i = 0; i < t->n_columns; i++)
        step_column(n, &t->columns[i]);
    for (uint32_t i = 0; i < t->n_sinks; i++)
        if (t->sinks[i].flits)
            empty_queues(n, &t->sinks[i]);
    if (!t->is_token)
        enter_ring(n);
    for (uint32_t w = 0; w < n->n_source_words; w++)
        for (uint64_t m = n->source_busy[w]; m; m &= m - 1)
            send_from(n, w * 64 + bits_lowest(m));
}

/* ---- ask ---- */

bool net_taps_is_quiet(const struct net *n)
{
    for (uint32_t i = 0; i <= n->taps->mask; i++)
        if (n->taps->slots[i].n)
            return false;
    return true;
}

uint64_t net_taps_next(const struct net *n)
{
    const struct net_taps *t = n->taps;
    if (!n->in_flight)
        return NET_NEVER;
    if (t->buffered)
        return n->now;
    for (uint32_t w = 0; w < n->n_source_words; w++)
        if (n->source_busy[w])
            return n->now;
    for (uint64_t c = n->now; c <= n->now + t->mask; c++)
        if (t->slots[c & t->mask].n)
            return c;
    return n->now;
}

/* Tokens go round, credits come home; nothing else happens meanwhile. */
void net_taps_skip(struct net *n, uint64_t cycle)
{
    struct net_taps *t = n->taps;
    uint64_t start = n->now;
    for (uint32_t i = 0; i <= t->mask && start + i < cycle; i++) {
        n->now = start + i;
        take_arrivals(n);
    }
    for (uint32_t k = 0; k < t->n_columns; k++) {
        struct column *c = &t->columns[k];
        uint64_t round = 0;
        for (uint32_t i = 0; i < c->n; i++)
            round += c->hop[i];
        if (c->ready >= cycle || c->left)
            continue;
        uint64_t rounds = (cycle - c->ready) / round;
        c->ready += rounds * round;
        for (uint32_t i = 0; rounds && i < c->n; i++) {
            t->asked[t->gates[c->ends[i]].tap] += rounds;
            if (c->wire[i] != NONE32)
                t->side_sent[c->wire[i]] += rounds;
        }
        for (uint32_t s = 0; rounds && s < t->n_sinks; s++) {
            c->room[s] += c->back[s];
            c->back[s] = 0;
        }
        while (c->ready < cycle) {
            n->now = c->ready;
            collect_room(t, c);
            t->asked[t->gates[c->ends[c->at]].tap]++;
            pass_token(n, c, false);
        }
    }
    n->now = start;
}

uint64_t net_taps_buffered(const struct net *n)
{
    return n->taps->buffered;
}

void net_taps_router_counts(const struct net *n, uint32_t router, uint64_t counts[EV_COUNT])
{
    const struct net_taps *t = n->taps;
    counts[EV_BUF_WRITE] += t->written[router];
    counts[EV_BUF_READ] += t->read[router];
    counts[EV_XBAR] += t->crossed[router];
    counts[EV_SW_ALLOC] += t->asked[router];
    counts[EV_XBAR_GATED] += t->empty[router];
    if (n->noc->routers[router].kind == NOC_QUEUES)
        counts[EV_BUF_GATED] += t->empty[router];
    counts[EV_ROUTER_CLOCK] += n->now;
}

void net_taps_side_counts(const struct net *n, uint32_t channel, uint64_t counts[EV_COUNT])
{
    counts[EV_LINK] += n->taps->side_sent[channel];
}

/* ---- check ---- */

/* Room that the token knows of, room on its way back, what is taken and what is under way to the
 * queue make up the queue. */
static bool check_room(struct net *n)
{
    struct net_taps *t = n->taps;
    for (uint32_t k = 0; k < t->n_sinks; k++)
        for (uint32_t q = 0; q < t->sinks[k].n; q++) {
            const struct queue *queue = &t->sinks[k].queues[q];
            const struct column *c = &t->columns[queue->column];
            uint32_t sum = c->room[k] + c->back[k] + queue->flits;
            for (uint32_t i = 0; i <= t->mask; i++)
                for (uint32_t e = 0; e < t->slots[i].n; e++) {
                    const struct event *ev = &t->slots[i].at[e];
                    const struct noc_channel *ch = &n->noc->channels[ev->channel];
                    if (ch->is_side)
                        sum += ev->channel == queue->credit_channel ? ev->flit : 0;
                    else if (ch->src_node == NOC_ROUTER && ch->dst_node == NOC_ROUTER) {
                        const struct net_delivery *p = &n->packets[ev->flit & FLIT_PACKET];
                        bool ours = false;
                        for (uint32_t s = 0; s < c->n; s++)
                            ours |= c->ends[s] == p->src;
                        sum += ours && p->dst == t->sinks[k].endpoint;
                    }
                }
            if (c->left && n->packets[c->packet].dst == t->sinks[k].endpoint)
                sum += c->left; /* the rest of the packet that is being sent */
            if (sum != n->noc->queue_flits)
                return net_fail(n, "queue %u of slice %u: its flits and its room are %u, not %u", q,
                                t->sinks[k].endpoint, sum, n->noc->queue_flits);
        }
    return true;
}

bool net_taps_check(struct net *n)
{
    const struct net_taps *t = n->taps;
    uint64_t held = t->buffered, buffered = 0;
    for (uint32_t i = 0; i <= t->mask; i++) {
        if (t->slots[i].n > n->noc->n_channels)
            return net_fail(n, "more flits are to arrive at once than there are channels");
        for (uint32_t e = 0; e < t->slots[i].n; e++) {
            const struct noc_channel *ch = &n->noc->channels[t->slots[i].at[e].channel];
            uint32_t flits = n->packets[t->slots[i].at[e].flit & FLIT_PACKET].flits;
            if (!ch->is_side)
                held += ch->dst_node == NOC_ENDPOINT && t->is_token ? flits : 1;
        }
    }
    for (uint32_t e = 0; e < n->n_ends; e++)
        buffered += t->gates[e].n;
    for (uint32_t i = 0; i < t->n_sinks; i++) {
        buffered += t->sinks[i].flits;
        if (t->sinks[i].now != NONE32) /* read, not yet handed over */
            held += n->packets[t->sinks[i]
                                   .queues[t->sinks[i].now]
                                   .packets[t->sinks[i].queues[t->sinks[i].now].first &
                                            t->sinks[i].queues[t->sinks[i].now].mask]]
                        .flits -
                    t->sinks[i].left;
    }
    if (held != n->flits_in_flight || buffered != t->buffered)
        return net_fail(n, "%llu flits are in the network, %llu should be",
                        (unsigned long long)held, (unsigned long long)n->flits_in_flight);
    return !t->is_token || check_room(n);
}
