/* SPDX-License-Identifier: MIT */
#include "sim/net/net.h"

#include "base/bits.h"
#include "base/err.h"
#include "sim/net/engine_impl.h"
#include "sim/net/taps.h"

/* ---- make ------------------------------------------------------------------------------------ */

static uint32_t channel_wait(const struct net_params *params, uint32_t channel)
{
    uint32_t c = params->channel_cycles ? params->channel_cycles[channel] : 1;
    return (c ? c : 1) + 1; /* and one cycle to latch it */
}

/* What a flit needs, and a credit does not: the rest of a switch that is crossed in several cycles.
 */
static uint32_t channel_extra(const struct net_params *params, const struct noc_channel *ch,
                              uint32_t channel)
{
    return params->traversal_extra && ch->src_node == NOC_ROUTER ? params->traversal_extra[channel]
                                                                 : 0;
}

static bool read_params(struct net *n, const struct net_params *p, struct err *err)
{
    const struct router_params *r = p->router;
    n->routing_delay = r->lookahead ? 0 : r->routing_delay;
    n->vc_alloc_delay = r->vc_alloc_delay;
    n->sw_alloc_delay = r->sw_alloc_delay;
    n->st_delay = r->st_delay;
    n->credit_delay = r->credit_delay;
    n->in_speedup = r->input_speedup;
    n->out_speedup = r->output_speedup;
    n->internal_speedup = p->internal_speedup > 0 ? p->internal_speedup : r->internal_speedup;
    n->extra_alloc = r->extra_alloc + p->extra_alloc;
    n->gate_after = r->gate_after;
    n->wake_cycles = r->wake_cycles;
    n->gate_break_even = r->gate_break_even;
    n->all_vcs = r->source_vcs == SOURCE_VCS_all;
    n->speculative = r->speculative;
    n->hold_switch = p->hold_switch;
    n->wait_tail_credit = p->wait_tail_credit;
    n->vc_busy_when_full = p->vc_busy_when_full;
    n->output_buffer = p->output_buffer ? (int32_t)p->output_buffer : -1;
    n->seed = p->seed;
    n->watchdog_cycles = p->watchdog_cycles;
    n->verify = p->verify;
    if (!(n->internal_speedup >= 1.0 && n->internal_speedup <= 16.0))
        return err_add(err, ERR_INPUT, (struct where){NULL, 0, "noc.router.internal_speedup"},
                       "%g is not in 1..16", n->internal_speedup);
    struct net_allocator sw = {r->allocator, r->arbiter, r->iterations},
                         vc = p->vc_allocator ? *p->vc_allocator : sw;
    n->sw_alloc = sw.kind;
    n->sw_iterations = sw.iterations;
    n->vc_alloc = vc.kind;
    n->vc_iterations = vc.iterations;
    /* iSLIP has its own pointers */
    n->matrix_sw = sw.arbiter == ARBITER_matrix && sw.kind != ALLOCATOR_islip;
    n->matrix_vc = vc.arbiter == ARBITER_matrix && vc.kind != ALLOCATOR_islip;
    return true;
}

static bool check_limits(const struct noc *noc, struct err *err)
{
    if (noc->vcs < 1 || noc->vcs > NET_MAX_VCS)
        return err_add(err, ERR_INPUT, (struct where){NULL, 0, "noc.vcs"}, "%u is not in 1..%u",
                       noc->vcs, NET_MAX_VCS);
    if (noc->vc_depth < 1 || noc->vc_depth > 4096)
        return err_add(err, ERR_INPUT, (struct where){NULL, 0, "noc.vc_depth"},
                       "%u is not in 1..4096", noc->vc_depth);
    for (uint32_t r = 0; r < noc->n_routers; r++)
        if (noc->routers[r].n_in > NET_MAX_PORTS || noc->routers[r].n_out > NET_MAX_PORTS)
            return err_add(err, ERR_INPUT, NOWHERE,
                           "router %u has %u x %u ports; the simulator can do %u", r,
                           noc->routers[r].n_in, noc->routers[r].n_out, NET_MAX_PORTS);
    return true;
}

static void make_routers(struct net *n, struct arena *mem)
{
    const struct noc *noc = n->noc;
    n->n_routers = noc->n_routers;
    n->n_ends = noc->n_endpoints;
    n->routers = arena_many(mem, struct nrouter, n->n_routers);
    for (uint32_t r = 0; r < n->n_routers; r++) {
        struct nrouter *t = &n->routers[r];
        t->first_in = n->n_iports;
        t->first_out = n->n_oports;
        t->first_ivc = n->n_iports << n->vshift;
        t->n_in = noc->routers[r].n_in;
        t->n_out = noc->routers[r].n_out;
        n->n_iports += t->n_in;
        n->n_oports += t->n_out;
    }
    n->n_router_oports = n->n_oports;
    n->n_oports += n->n_ends;
    n->iports = arena_many(mem, struct iport, n->n_iports);
    n->oports = arena_many(mem, struct oport, n->n_oports);
    n->ends = arena_many(mem, struct nendpoint, n->n_ends);
    n->ivcs = arena_many(mem, struct ivc, (size_t)n->n_iports << n->vshift);
    n->ovcs = arena_many(mem, struct ovc, (size_t)n->n_oports << n->vshift);
    n->buf = arena_many(mem, uint32_t, (size_t)n->n_iports << (n->vshift + n->dshift));
}

static void make_ports(struct net *n)
{
    for (uint32_t r = 0; r < n->n_routers; r++) {
        struct nrouter *t = &n->routers[r];
        t->ins = &n->iports[t->first_in];
        t->outs = &n->oports[t->first_out];
        t->vcs = &n->ivcs[t->first_ivc];
        for (uint32_t i = 0; i < t->n_in; i++)
            t->ins[i] = (struct iport){.bit = (uint64_t)1 << i % 64,
                                       .r = t,
                                       .vcs = &t->vcs[i << n->vshift],
                                       .router = r,
                                       .local = i,
                                       .channel = noc_in_channel(n->noc, r, i)};
        for (uint32_t v = 0; v < t->n_in << n->vshift; v++)
            t->vcs[v] = (struct ivc){.local = v,
                                     .local_bit = (uint64_t)1 << v % 64,
                                     .in = &t->ins[v >> n->vshift],
                                     .r = t,
                                     .slots = n->buf + ((size_t)(t->first_ivc + v) << n->dshift),
                                     .bit = (uint64_t)1 << (v & n->vmask),
                                     .index = t->first_ivc + v};
        for (uint32_t o = 0; o < t->n_out; o++)
            t->outs[o] = (struct oport){.bit = (uint64_t)1 << o % 64,
                                        .r = t,
                                        .down = NONE32,
                                        .local = (uint16_t)o,
                                        .router = r,
                                        .channel = noc_out_channel(n->noc, r, o)};
    }
    for (uint32_t e = 0; e < n->n_ends; e++) {
        n->ends[e] = (struct nendpoint){.last_vc = -1};
        n->oports[n->n_router_oports + e] =
            (struct oport){.down = NONE32, .router = NONE32, .channel = NOC_NONE};
    }
    for (uint32_t o = 0; o < n->n_oports; o++) {
        n->oports[o].vcs = &n->ovcs[o << n->vshift];
        for (uint32_t v = 0; v <= n->vmask; v++)
            n->oports[o].vcs[v] =
                (struct ovc){.owner = NONE32, .bit = (uint64_t)1 << v, .port = &n->oports[o]};
    }
}

/* Connects both sides of every channel. */
static void wire_up(struct net *n, const struct net_params *params)
{
    for (uint32_t c = 0; c < n->noc->n_channels; c++) {
        const struct noc_channel *ch = &n->noc->channels[c];
        if (ch->is_side)
            continue;
        uint32_t wait = channel_wait(params, c);
        struct oport *op = ch->src_node == NOC_ROUTER ? &n->routers[ch->src].outs[ch->src_port]
                                                      : &n->oports[n->n_router_oports + ch->src];
        op->wire = (uint16_t)(wait + channel_extra(params, ch, c));
        op->channel = c;
        op->free = n->vcs == 64 ? UINT64_MAX : ((uint64_t)1 << n->vcs) - 1;
        if (ch->src_node == NOC_ENDPOINT)
            n->ends[ch->src].op = op;
        if (ch->dst_node == NOC_ROUTER) {
            struct iport *ip = &n->routers[ch->dst].ins[ch->dst_port];
            op->down = (uint32_t)(ip - n->iports) << n->vshift;
            ip->up = op->vcs;
            ip->credit_wait = (uint16_t)(wait + (ch->src_node == NOC_ROUTER ? n->credit_delay : 0));
        } else {
            op->down = ch->dst << n->vshift;
            op->to_endpoint = 1;
            n->ends[ch->dst].feeder = op->vcs;
            n->ends[ch->dst].eject_wait = (uint16_t)(wait + n->credit_delay);
        }
        for (uint32_t v = 0; v < n->vcs; v++) {
            op->vcs[v].credits = (uint16_t)n->depth;
            if (op->to_endpoint)
                op->vcs[v].down.end = op->down | v;
            else
                op->vcs[v].down.vc = &n->ivcs[op->down | v];
        }
    }
}

static void make_ring(struct net *n, const struct net_params *params, struct arena *mem)
{
    uint32_t longest = 2;
    for (uint32_t c = 0; c < n->noc->n_channels; c++) {
        uint32_t wait = channel_wait(params, c);
        wait += channel_extra(params, &n->noc->channels[c], c);
        longest = wait > longest ? wait : longest;
    }
    uint32_t slots = 1u << bits_clog2(longest + n->st_delay + n->credit_delay + 2);
    n->ring_mask = slots - 1;
    /* a message frees at most one slot per crossbar input of its port, and a held connection */
    size_t credits =
        (size_t)n->n_iports * (n->in_speedup + 1) * ((uint32_t)n->internal_speedup + 1) +
        n->n_ends + 1;
    if (n->merge)
        credits += (size_t)n->n_iports * n->max_flits;
    n->slot_credits = credits;
    n->slots = arena_many(mem, struct slot, slots);
    for (uint32_t i = 0; i < slots; i++) {
        struct slot *s = &n->slots[i];
        s->first[0] = s->end[0] = arena_many(mem, struct flit_event, n->n_iports + 1);
        s->first[1] = s->end[1] = arena_many(mem, struct flit_event, n->n_ends + 1);
        s->credits = s->credits_end = arena_many(mem, struct ovc *, credits);
    }
    n->under_way = (struct net_under_way){
        .to_input = arena_many(mem, uint32_t, (size_t)n->n_iports << n->vshift),
        .to_end = arena_many(mem, uint32_t, (size_t)n->n_ends << n->vshift),
        .credits = arena_many(mem, uint32_t, (size_t)n->n_oports << n->vshift)};
}

static void make_packets(struct net *n, const struct net_params *params, struct arena *mem)
{
    n->source_depth = params->source_depth ? params->source_depth : 1;
    uint64_t want = params->max_packets;
    if (!want) /* every buffer slot, every wire and every source */
        want = (uint64_t)n->n_iports * n->vcs * n->depth + (uint64_t)n->n_ends * n->vcs * n->depth +
               (uint64_t)n->n_oports * 4 + (uint64_t)n->n_ends * n->source_depth +
               (n->all_vcs ? (uint64_t)n->n_ends * n->vcs : 0) +
               (uint64_t)n->n_iports * n->noc->queue_flits;
    if (want > FLIT_PACKET)
        want = FLIT_PACKET;
    n->n_packets = (uint32_t)want;
    n->packets = arena_many(mem, struct net_delivery, n->n_packets);
    if (n->has_choice)
        n->packet_keys = arena_many(mem, uint64_t, n->n_packets);
    n->packet_cls = arena_many(mem, uint16_t, n->n_packets);
    n->packet_empty = arena_many(mem, uint16_t, n->n_packets);
    n->packet_arrived = arena_many(mem, uint16_t, n->n_packets);
    n->free_packets = arena_many(mem, struct net_delivery *, n->n_packets);
    for (uint32_t i = 0; i < n->n_packets; i++)
        n->free_packets[i] = &n->packets[n->n_packets - 1 - i];
    n->n_free_packets = n->n_packets;
    if (params->keep_flit_times)
        n->flit_times = arena_many(mem, uint32_t, (size_t)n->n_packets * n->max_flits);
    n->source_queue = arena_many(mem, uint32_t, (size_t)n->n_ends * n->source_depth);
    n->source_busy = arena_many(mem, uint64_t, bits_words(n->n_ends) + 1);
    if (n->all_vcs) {
        n->open = arena_array(mem, (size_t)n->n_ends << n->vshift, sizeof *n->open);
        n->open_vcs = arena_many(mem, uint64_t, n->n_ends);
        n->open_busy = arena_many(mem, uint64_t, bits_words(n->n_ends) + 1);
    }
    n->eject_queue = arena_many(mem, uint32_t, (size_t)n->n_ends * n->vcs * n->depth * 2);
    n->eject_busy = arena_many(mem, uint64_t, bits_words(n->n_ends) + 1);
    /* a big packet delivers many at once */
    n->delivered = arena_many(mem, struct net_delivery *, n->n_packets);
}

/* What of the general rules of sources and sinks is not needed here. */
static void simplify_ends(struct net *n)
{
    n->simple_sinks = !n->merge && !n->flit_times;
    n->sends_first = !n->all_vcs && !n->merge && !n->flit_times && !n->wait_tail_credit &&
                     n->routing_delay && n->one_class && n->vc_count[0] == n->vcs;
    n->same_eject_wait = n->n_ends ? n->ends[0].eject_wait : 0;
    for (uint32_t e = 0; e < n->n_ends; e++) {
        if (n->ends[e].eject_wait != n->same_eject_wait)
            n->same_eject_wait = 0;
        if (n->ends[e].op && n->ends[e].op->down == NONE32)
            n->sends_first = false;
    }
    if (!n->same_eject_wait)
        n->simple_sinks = false;
}

/* Switch arbiters and sources begin anywhere. */
static void begin_anywhere(struct net *n, uint32_t start)
{
    struct rng r;
    rng_seed(&r, start, "start", 0);
    for (uint32_t e = 0; e < n->n_ends; e++)
        n->ends[e].last_vc = (int16_t)((int)rng_below(&r, n->vcs) - 1);
    for (uint32_t i = 0; i < n->n_routers; i++)
        for (uint32_t o = 0; o < n->routers[i].n_out; o++) {
            struct oport *op = &n->routers[i].outs[o];
            uint32_t at = rng_below(&r, n->routers[i].n_in);
            op->grant = at; /* in wide routers, and in narrow ones as a mask */
            op->grant_after = at < 64 ? UINT64_MAX << at : 0;
            if (n->full)
                net_full_begin_at(n, i, o, at);
        }
}

struct net *net_new(const struct noc *noc, const struct net_params *params, struct arena *mem,
                    struct err *err)
{
    if (!check_limits(noc, err))
        return NULL;
    struct net *n = arena_new(mem, struct net);
    n->noc = noc;
    if (!read_params(n, params, err) || !net_route_fits(noc, err))
        return NULL;
    if (noc->flow != NOC_WORMHOLE) /* there are no VCs */
        n->all_vcs = false;
    n->vcs = noc->vcs;
    n->vshift = bits_clog2(n->vcs);
    n->vmask = (1u << n->vshift) - 1;
    n->depth = noc->vc_depth;
    n->max_flits = params->max_flits ? params->max_flits : NET_MAX_FLITS;
    uint32_t slots = n->depth;
    if (params->merge) {
        slots += params->merge->max_flits;
        if (params->merge->max_flits > n->max_flits)
            n->max_flits = params->merge->max_flits;
    }
    n->dshift = bits_clog2(slots);
    n->dmask = (1u << n->dshift) - 1;
    make_routers(n, mem);
    make_ports(n);
    wire_up(n, params);
    if (params->merge && noc->flow == NOC_WORMHOLE)
        net_merge_init(n, params->merge, mem);
    if (!net_route_init(n, mem, err))
        return NULL;
    make_ring(n, params, mem);
    make_packets(n, params, mem);
    if (n->merge)
        net_merge_packets(n, mem);
    n->rc = arena_many(mem, struct ivc *, ((size_t)n->n_iports << n->vshift) + 1);
    n->rc_next = arena_many(mem, struct ivc *, ((size_t)n->n_iports << n->vshift) + 1);
    n->n_source_words = (uint32_t)bits_words(n->n_ends);
    n->totals.flit_latency_min = UINT64_MAX;
    if (noc->flow != NOC_WORMHOLE)
        return net_taps_init(n, params, mem, err) ? n : NULL;
    simplify_ends(n);
    bool ok = !params->general && net_fast_can(n) ? net_fast_init(n, mem, err)
                                                  : net_full_init(n, mem, err);
    if (ok && params->start)
        begin_anywhere(n, params->start);
    return ok ? n : NULL;
}

/* ---- sources --------------------------------------------------------------------------------- */

uint32_t net_offer(struct net *n, uint32_t src, uint32_t dst, uint32_t flits, uint32_t cls,
                   uint64_t tag, uint64_t created)
{
    struct nendpoint *e = &n->ends[src];
    uint32_t id = (uint32_t)(net_take_packet(n, src, dst, flits, cls, tag, created) - n->packets);
    if (flits > 1) {
        n->packet_arrived[id] = 0;
        n->has_bodies = true;
    }
    if (e->q_n++ == 0) {
        e->packet = id;
        e->q_read = 0;
        n->source_busy[src / 64] |= (uint64_t)1 << src % 64;
        if (n->source_depth == 1)
            return id;
    }
    uint32_t at = (uint32_t)e->q_read + e->q_n - 1;
    n->source_queue[(size_t)src * n->source_depth +
                    (at >= n->source_depth ? at - n->source_depth : at)] = id;
    return id;
}

bool net_can_inject(const struct net *n, uint32_t src)
{
    return net_has_room(n, src);
}

bool net_inject(struct net *n, const struct net_packet *p)
{
    if (!net_has_room(n, p->src))
        return false;
    uint32_t id = net_offer(n, p->src, p->dst, p->flits, p->cls, p->tag, p->created);
    n->packets[id].merge_key = p->merge_key;
    uint32_t room = p->flits * (n->noc->width_bits / 8);
    n->packet_empty[id] = (uint16_t)(p->bytes && p->bytes < room ? room - p->bytes : 0);
    if (n->merge)
        net_merge_offer(n, id, p->merge_key);
    return true;
}

/* ---- a cycle --------------------------------------------------------------------------------- */

const struct net_delivery *const *net_delivered(const struct net *n, size_t *count)
{
    *count = n->n_delivered;
    return (const struct net_delivery *const *)n->delivered;
}

bool net_step(struct net *n)
{
    if (n->failed)
        return false;
    struct net_delivery **restrict to = n->free_packets + n->n_free_packets;
    struct net_delivery *const *restrict from = n->delivered;
    for (uint32_t i = 0; i < n->n_delivered; i++)
        to[i] = from[i];
    n->n_free_packets += n->n_delivered;
    n->n_delivered = 0;
    const struct slot *slot = net_slot(n, 0);
    n->totals.flit_hops += (uint64_t)(slot->end[0] - slot->first[0]);
    if (n->fast)
        net_fast_step(n);
    else if (n->full)
        net_full_step(n);
    else
        net_taps_step(n);
    if (n->watchdog_cycles && n->flits_in_flight && n->now - n->last_move >= n->watchdog_cycles)
        net_watchdog(n);
    if (n->verify && n->taps)
        net_taps_check(n);
    else if (n->verify)
        net_check(n);
    n->now++;
    return !n->failed;
}

/* ---- questions ------------------------------------------------------------------------------- */

uint64_t net_cycle(const struct net *n)
{
    return n->now;
}

bool net_is_idle(const struct net *n)
{
    return n->in_flight == 0;
}

bool net_is_quiet(const struct net *n)
{
    if (n->in_flight || (n->full && net_full_is_busy(n)) || (n->taps && !net_taps_is_quiet(n)))
        return false;
    for (uint32_t i = 0; i <= n->ring_mask; i++)
        if (n->slots[i].credits_end != n->slots[i].credits)
            return false;
    return true;
}

static bool slot_is_empty(const struct net *n, uint64_t cycle)
{
    const struct slot *s = &n->slots[cycle & n->ring_mask];
    return s->end[0] == s->first[0] && s->end[1] == s->first[1] && s->credits_end == s->credits;
}

uint64_t net_next_busy(const struct net *n)
{
    if (n->taps)
        return net_taps_next(n);
    bool busy = n->fast ? net_fast_is_busy(n) : net_full_is_busy(n);
    for (uint32_t w = 0; w < bits_words(n->n_ends) && !busy; w++)
        busy =
            n->source_busy[w] != 0 || n->eject_busy[w] != 0 || (n->all_vcs && n->open_busy[w] != 0);
    if (busy)
        return n->now;
    uint64_t next = n->merge ? net_merge_next(n) : NET_NEVER;
    for (uint64_t c = n->now; c <= n->now + n->ring_mask; c++)
        if (!slot_is_empty(n, c))
            return c < next ? c : next;
    return next;
}

void net_skip_to(struct net *n, uint64_t cycle)
{
    if (cycle > n->now) {
        if (n->taps)
            net_taps_skip(n, cycle);
        /* credits that wait for their turn come back meanwhile: else they pile up on the wires */
        while (n->full && n->now < cycle && !net_is_quiet(n) && net_step(n))
            ;
        n->last_move += cycle - n->now; /* standing still in an idle span is not a deadlock */
        n->now = cycle;
    }
}

static uint64_t on_wire(const struct net *n, const struct oport *op)
{
    uint64_t flits = 0;
    for (uint32_t i = 0; i <= n->ring_mask; i++) {
        const struct slot *s = &n->slots[i];
        for (const struct flit_event *e = s->first[0]; e < s->end[0]; e++)
            flits += e->to.vc->index >> n->vshift == op->down >> n->vshift;
    }
    return flits;
}

void net_router_counts(const struct net *n, uint32_t router, uint64_t counts[EV_COUNT])
{
    if (n->taps) {
        net_taps_router_counts(n, router, counts);
        return;
    }
    const struct nrouter *r = &n->routers[router];
    uint64_t in = 0, out = 0, empty = 0;
    for (uint32_t i = 0; i < r->n_in; i++)
        if (r->ins[i].up) {
            const struct oport *op = r->ins[i].up->port;
            in += n->full ? net_full_received(n, r->first_in + i) : op->sent - on_wire(n, op);
        }
    for (uint32_t o = 0; o < r->n_out; o++) {
        out += n->oports[r->first_out + o].sent;
        empty += n->oports[r->first_out + o].empty;
    }
    counts[EV_BUF_WRITE] += in;
    counts[EV_BUF_READ] += out;
    counts[EV_XBAR] += out;
    counts[EV_BUF_GATED] += empty;
    counts[EV_XBAR_GATED] += empty;
    counts[EV_VC_ALLOC] += r->va_bids;
    counts[EV_SW_ALLOC] += r->sa_bids;
    counts[EV_ROUTER_CLOCK] += n->now;
    if (n->gate_after)
        counts[EV_ROUTER_OFF] += net_full_off(n, router);
    if (n->merge)
        net_merge_counts(n, router, counts);
}

void net_channel_counts(const struct net *n, uint32_t channel, uint64_t counts[EV_COUNT])
{
    const struct noc_channel *ch = &n->noc->channels[channel];
    if (ch->is_side) {
        net_taps_side_counts(n, channel, counts);
        return;
    }
    uint32_t from = ch->src_node == NOC_ROUTER ? n->routers[ch->src].first_out + ch->src_port
                                               : n->n_router_oports + ch->src;
    counts[EV_LINK] += n->oports[from].sent;
    counts[EV_LINK_GATED] += n->oports[from].empty;
}

void net_get_totals(const struct net *n, struct net_totals *out)
{
    *out = n->totals;
    out->flits_injected = n->totals.flits_delivered + n->flits_in_flight;
    uint64_t buffered = n->taps ? net_taps_buffered(n) : 0;
    for (uint32_t i = 0; i < n->n_iports << n->vshift; i++)
        buffered += n->ivcs[i].n;
    out->flits_buffered = buffered;
    if (!n->totals.flit_latency_n)
        out->flit_latency_min = 0;
}

void net_clear_flit_times(struct net *n)
{
    n->totals.flit_latency_n = n->totals.flit_latency_sum = n->totals.flit_latency_max = 0;
    n->totals.flit_latency_min = UINT64_MAX;
}

uint64_t net_endpoint_flits(const struct net *n, uint32_t endpoint)
{
    return n->ends[endpoint].received;
}

const struct noc *net_noc(const struct net *n)
{
    return n->noc;
}

void net_ages(const struct net *n, uint64_t now, double *ages, uint64_t *flits)
{
    *ages = 0;
    *flits = 0;
    for (uint32_t id = 0; id < n->n_packets; id++) {
        const struct net_delivery *p = &n->packets[id];
        if (!p->flits || p->arrived != NET_NEVER)
            continue;
        uint32_t left = p->flits - (p->flits > 1 ? n->packet_arrived[id] : 0u);
        *ages += (double)left * (double)(now - n->packets[id].created);
        *flits += left;
    }
}

void net_shuffle(struct net *n, uint64_t seed)
{
    n->shuffle_seed = seed;
    rng_seed(&n->shuffle, seed, "order", 0);
}
