/* SPDX-License-Identifier: MIT */
#include "sim/traffic.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/vec.h"
#include "sim/net_impl.h"

#define ALWAYS static inline __attribute__((always_inline))
#define GAP_TABLE 4096u
#define GUIDE 4096u
#define GUIDE_SHIFT 20
#define WHEEL 1024u
#define HIST 16384u

enum state { WARMING, RUNNING, DRAINING };

struct reply {
    uint32_t to, next; /* next in the node's list or in the free list */
    uint64_t time;
    uint8_t type;
    bool record;
};

struct node {
    uint64_t next;     /* cycle of its next packet's creation (Bernoulli) */
    uint64_t clock;    /* private cycle counter (bursts, batches) */
    uint32_t in_wheel; /* next node in the same bucket */
    uint32_t made;     /* packets and replies so far, batches */
    uint32_t open;     /* requests without an answer */
    uint32_t first_reply, last_reply;
    uint32_t event; /* next of its packets in the trace, or UINT32_MAX */
    uint64_t flits; /* delivered to it while measuring */
    bool is_on;
    bool injects;
};

struct traffic {
    struct traffic_params p;
    struct net *nets[2];
    uint32_t n_nets;
    struct node *nodes;
    struct rng rng;
    uint64_t now;
    enum state state;
    uint64_t reset_time, drain_time;
    uint64_t record_before; /* packets created before are measured */
    struct arena *mem;

    uint64_t *waiting;         /* [bit node] its packet is due and its slot is taken */
    uint32_t *wheel;           /* [bucket] first node */
    const uint16_t *gap_guide; /* [high bits of a draw] first gap to try */
    const uint32_t *gap_limit; /* [gap] draws below it mean this gap or less */
    uint32_t size_sum, weight_sum;
    const uint32_t *fixed; /* [source] target, or NULL */
    uint32_t *event_after; /* [event of the trace] the next of its source, or UINT32_MAX */
    size_t events_sent;
    uint64_t serial; /* packets made, in the order of their creation */

    VEC(struct reply) replies;
    uint32_t free_reply;

    /* statistics since the last reset */
    uint64_t measured_in_flight;
    uint64_t packet_sum, network_sum, hops_sum;
    uint64_t packet_max, network_min, network_max;
    uint64_t flits;
    struct stat_hist hist;
    struct stat_run batches;
    uint64_t part_n, part_sum;
    double occupancy_sum;
    uint64_t occupancy_n;

    traffic_watch *watch;
    void *watch_ctx;
};

#define TAG_RECORD 1u
#define TAG_TYPE(tag) ((uint32_t)(tag) >> 1 & 7)
#define TAG(type, record, serial) ((uint64_t)(serial) << 8 | (uint64_t)(type) << 1 | (record))

/* ---- patterns ----------------------------------------------------------------------------------
 */

static uint32_t digits_plus(const struct traffic_params *p, uint32_t source, uint32_t step)
{
    uint32_t result = 0, weight = 1;
    for (uint32_t d = 0; d < p->n; d++) {
        result += (source / weight % p->k + step) % p->k * weight;
        weight *= p->k;
    }
    return result;
}

uint32_t traffic_fixed_target(const struct traffic_params *p, uint32_t source)
{
    uint32_t bits = bits_clog2(p->nodes), half = bits / 2, low = (1u << half) - 1, result = 0;
    switch (p->pattern) {
    case TRAFFIC_TRANSPOSE: return (source >> half & low) | (source << half & low << half);
    case TRAFFIC_BITCOMP: return ~source & (p->nodes - 1);
    case TRAFFIC_BITREV:
        for (uint32_t b = 0; b < bits; b++)
            result |= (source >> b & 1) << (bits - 1 - b);
        return result;
    case TRAFFIC_SHUFFLE:
        return (source << 1 & (p->nodes - 1)) | (source >> (bits ? bits - 1 : 0) & 1);
    case TRAFFIC_TORNADO: return digits_plus(p, source, (p->k + 1) / 2 - 1);
    case TRAFFIC_NEIGHBOR: return digits_plus(p, source, 1);
    case TRAFFIC_TABLE: return p->targets[source];
    case TRAFFIC_HOTSPOT: return p->n_targets == 1 ? p->targets[0] : UINT32_MAX;
    case TRAFFIC_UNIFORM:
    case TRAFFIC_ASYMMETRIC: return UINT32_MAX;
    }
    return UINT32_MAX;
}

static bool check_pattern(const struct traffic_params *p, struct err *err)
{
    bool by_bits = p->pattern == TRAFFIC_TRANSPOSE || p->pattern == TRAFFIC_BITCOMP ||
                   p->pattern == TRAFFIC_BITREV || p->pattern == TRAFFIC_SHUFFLE;
    struct where at = {NULL, 0, "traffic"};
    if (by_bits && !bits_is_pow2(p->nodes))
        return err_add(err, ERR_INPUT, at,
                       "this pattern needs a power of two as number of nodes, not %u", p->nodes);
    if (p->pattern == TRAFFIC_TRANSPOSE && bits_clog2(p->nodes) % 2)
        return err_add(err, ERR_INPUT, at,
                       "transpose needs an even power of two as number of nodes, not %u", p->nodes);
    if (p->pattern == TRAFFIC_HOTSPOT || p->pattern == TRAFFIC_TABLE)
        for (uint32_t i = 0; i < p->n_targets; i++)
            if (p->targets[i] >= p->nodes)
                return err_add(err, ERR_INPUT, at, "node %u is not in 0..%u", p->targets[i],
                               p->nodes - 1);
    for (uint32_t s = 0; s < p->nodes; s++) {
        uint32_t to = traffic_fixed_target(p, s);
        if (to != UINT32_MAX && to >= p->nodes)
            return err_add(err, ERR_INPUT, at, "node %u would send to %u, beyond %u nodes", s, to,
                           p->nodes);
    }
    return true;
}

ALWAYS uint32_t target_of(struct traffic *t, uint32_t source)
{
    if (t->fixed)
        return t->fixed[source];
    const struct traffic_params *p = &t->p;
    if (p->pattern == TRAFFIC_UNIFORM)
        return rng_below(&t->rng, p->nodes);
    if (p->pattern == TRAFFIC_ASYMMETRIC)
        return source % (p->nodes / 2) + (rng_u64(&t->rng) >> 63 ? p->nodes / 2 : 0);
    if (!p->weights)
        return p->targets[rng_below(&t->rng, p->n_targets)];
    uint32_t at = rng_below(&t->rng, t->weight_sum), i = 0;
    while (at >= p->weights[i])
        at -= p->weights[i++];
    return p->targets[i];
}

static inline uint16_t size_of(struct traffic *t)
{
    const struct traffic_params *p = &t->p;
    if (p->n_sizes == 1)
        return p->sizes[0];
    uint32_t at = rng_below(&t->rng, t->size_sum), i = 0;
    while (at >= p->size_weights[i])
        at -= p->size_weights[i++];
    return p->sizes[i];
}

/* ---- gaps between packets ----------------------------------------------------------------------
 */

/* A Bernoulli trial per cycle succeeds after a geometric number of cycles. Drawn from a table by
 * one 32-bit number; what lies beyond the table starts afresh there, since the trial has no memory.
 */
static void make_gaps(struct traffic *t)
{
    uint32_t *limit = arena_many(t->mem, uint32_t, GAP_TABLE + 1);
    uint16_t *guide = arena_many(t->mem, uint16_t, GUIDE);
    double p = t->p.rate, left = 1.0;
    for (uint32_t g = 1; g <= GAP_TABLE; g++) {
        left *= 1.0 - p;
        double below = (1.0 - left) * 4294967296.0;
        limit[g] = below >= 4294967295.0 ? UINT32_MAX : (uint32_t)below;
    }
    uint32_t g = 1;
    for (uint32_t h = 0; h < GUIDE; h++) {
        while (g <= GAP_TABLE && limit[g] <= h << GUIDE_SHIFT && limit[g] != UINT32_MAX)
            g++;
        guide[h] = (uint16_t)g;
    }
    t->gap_limit = limit;
    t->gap_guide = guide;
}

ALWAYS uint64_t draw_gap(struct traffic *t)
{
    uint64_t beyond = 0;
    for (;;) {
        uint32_t u = (uint32_t)(rng_u64(&t->rng) >> 32), g = t->gap_guide[u >> GUIDE_SHIFT];
        while (g <= GAP_TABLE && u >= t->gap_limit[g] && t->gap_limit[g] != UINT32_MAX)
            g++;
        if (g <= GAP_TABLE)
            return beyond + g;
        beyond += GAP_TABLE;
        if (beyond > UINT32_MAX)
            return beyond;
    }
}

/* ---- make --------------------------------------------------------------------------------------
 */

static void make_trace(struct traffic *t);

static inline bool is_calendar(const struct traffic *t)
{
    return !t->p.request_reply && !t->p.batch && !t->p.on_off && !t->p.trace;
}

static inline void to_wheel(struct traffic *t, uint32_t node)
{
    uint32_t *bucket = &t->wheel[t->nodes[node].next % WHEEL];
    t->nodes[node].in_wheel = *bucket;
    *bucket = node;
}

static void clear_stats(struct traffic *t)
{
    t->packet_sum = t->network_sum = t->hops_sum = t->flits = 0;
    t->network_min = UINT64_MAX;
    t->packet_max = t->network_max = 0;
    memset(t->hist.bins, 0, t->hist.n_bins * sizeof *t->hist.bins);
    t->hist.n = 0;
    t->batches = (struct stat_run){0};
    t->part_n = t->part_sum = 0;
    t->occupancy_sum = 0;
    t->occupancy_n = 0;
    for (uint32_t i = 0; i < t->p.nodes; i++)
        t->nodes[i].flits = 0;
    t->reset_time = t->now;
}

struct traffic *traffic_new(struct net *const *nets, uint32_t n_nets,
                            const struct traffic_params *params, struct arena *mem, struct err *err)
{
    if (!check_pattern(params, err))
        return NULL;
    struct traffic *t = arena_new(mem, struct traffic);
    t->p = *params;
    t->mem = mem;
    t->n_nets = n_nets;
    for (uint32_t i = 0; i < n_nets; i++)
        t->nets[i] = nets[i];
    t->nodes = arena_many(mem, struct node, params->nodes);
    t->waiting = arena_many(mem, uint64_t, bits_words(params->nodes) + 1);
    t->wheel = arena_many(mem, uint32_t, WHEEL);
    memset(t->wheel, 0xff, WHEEL * sizeof *t->wheel);
    t->free_reply = UINT32_MAX;
    t->hist = (struct stat_hist){arena_many(mem, uint64_t, HIST), HIST, 0};
    rng_seed(&t->rng, params->seed, "traffic", 0);
    for (uint32_t i = 0; i < params->n_sizes; i++)
        t->size_sum += params->size_weights ? params->size_weights[i] : 1;
    for (uint32_t i = 0; i < params->n_targets && params->weights; i++)
        t->weight_sum += params->weights[i];
    if (params->pattern != TRAFFIC_UNIFORM && params->pattern != TRAFFIC_ASYMMETRIC &&
        (params->pattern != TRAFFIC_HOTSPOT || params->n_targets == 1)) {
        uint32_t *fixed = arena_many(mem, uint32_t, params->nodes);
        for (uint32_t s = 0; s < params->nodes; s++)
            fixed[s] = traffic_fixed_target(params, s);
        t->fixed = fixed;
    }
    if (!params->batch && !params->on_off && !params->trace && params->rate > 0)
        make_gaps(t);
    for (uint32_t i = 0; i < params->nodes; i++) {
        struct node *n = &t->nodes[i];
        n->injects = !params->injects || params->injects[i];
        n->first_reply = n->last_reply = n->event = UINT32_MAX;
        n->is_on = rng_u64(&t->rng) >> 63;
        n->next = n->injects && t->gap_limit ? draw_gap(t) - 1 : UINT64_MAX;
        if (is_calendar(t) && n->next != UINT64_MAX)
            to_wheel(t, i);
    }
    if (params->trace)
        make_trace(t);
    clear_stats(t);
    return t;
}

void traffic_set_watch(struct traffic *t, traffic_watch *watch, void *ctx)
{
    t->watch = watch;
    t->watch_ctx = ctx;
}

/* ---- sources -----------------------------------------------------------------------------------
 */

/* A node has one packet under way at a time, whichever network it sends it on. */
static inline bool slot_is_free(const struct traffic *t, uint32_t node)
{
    if (t->n_nets == 1)
        return net_has_room(t->nets[0], node);
    for (uint32_t i = 0; i < 2; i++)
        if (t->nets[i]->ends[node].op && !net_has_room(t->nets[i], node))
            return false;
    return true;
}

ALWAYS void send(struct traffic *t, uint32_t src, uint32_t dst, uint32_t type, uint32_t flits,
                 uint64_t created, bool record)
{
    uint32_t net = type != MSG_ANY ? t->p.type_net[type]
                   : t->n_nets > 1 ? rng_below(&t->rng, t->n_nets)
                                   : 0;
    uint32_t cls = t->p.use_noc_classes
                       ? noc_first_class(net_noc(t->nets[net]), src, dst, type >= MSG_READ_REPLY)
                       : t->p.type_class[type];
    if (created < t->record_before)
        record = true;
    t->measured_in_flight += record;
    net_offer(t->nets[net], src, dst, flits, cls, TAG(type, record, t->serial++), created);
}

ALWAYS void send_next(struct traffic *t, uint32_t i)
{
    struct node *n = &t->nodes[i];
    send(t, i, target_of(t, i), MSG_ANY, size_of(t), n->next, false);
    n->next += draw_gap(t);
    if (n->next > t->now)
        to_wheel(t, i);
    else
        bits_set(t->waiting, i); /* backlog: due already */
}

static void step_calendar(struct traffic *t)
{
    uint32_t *bucket = &t->wheel[t->now % WHEEL], i = *bucket;
    *bucket = UINT32_MAX;
    while (i != UINT32_MAX) {
        uint32_t next = t->nodes[i].in_wheel;
        if (t->nodes[i].next > t->now)
            to_wheel(t, i); /* a later turn of the wheel */
        else
            bits_set(t->waiting, i);
        i = next;
    }
    for (uint32_t w = 0; w < bits_words(t->p.nodes); w++)
        for (uint64_t m = t->waiting[w]; m; m &= m - 1) {
            uint32_t node = w * 64 + bits_lowest(m);
            if (slot_is_free(t, node)) {
                t->waiting[w] &= ~(m & -m);
                send_next(t, node);
            }
        }
}

static uint32_t reply_push(struct traffic *t, uint32_t node, struct reply r)
{
    uint32_t at = t->free_reply;
    if (at != UINT32_MAX)
        t->free_reply = t->replies.at[at].next;
    else {
        at = (uint32_t)t->replies.n;
        vec_push(t->mem, &t->replies, r);
    }
    r.next = UINT32_MAX;
    t->replies.at[at] = r;
    struct node *n = &t->nodes[node];
    if (n->last_reply == UINT32_MAX)
        n->first_reply = at;
    else
        t->replies.at[n->last_reply].next = at;
    n->last_reply = at;
    return at;
}

static void send_reply(struct traffic *t, uint32_t node)
{
    struct node *n = &t->nodes[node];
    uint32_t at = n->first_reply;
    struct reply r = t->replies.at[at];
    n->first_reply = r.next;
    if (n->first_reply == UINT32_MAX)
        n->last_reply = UINT32_MAX;
    t->replies.at[at].next = t->free_reply;
    t->free_reply = at;
    uint32_t type = r.type == MSG_READ_REQUEST ? MSG_READ_REPLY : MSG_WRITE_REPLY;
    send(t, node, r.to, type, t->p.type_flits[type], r.time, r.record);
}

static void send_request(struct traffic *t, uint32_t node, uint64_t created, double writes)
{
    uint32_t type = rng_unit(&t->rng) < writes ? MSG_WRITE_REQUEST : MSG_READ_REQUEST;
    t->nodes[node].open++;
    send(t, node, target_of(t, node), type, t->p.type_flits[type], created, false);
}

/* One cycle of the node's private counter: true when a packet was made. */
static bool tick_batch(struct traffic *t, uint32_t i)
{
    struct node *n = &t->nodes[i];
    bool may =
        n->injects && n->made < t->p.batch && (!t->p.outstanding || n->open < t->p.outstanding);
    if (t->p.request_reply && n->first_reply != UINT32_MAX) {
        n->made++;
        send_reply(t, i);
        return true; /* a reply does not use up a cycle of the counter */
    }
    uint64_t created = n->clock++;
    if (!may)
        return false;
    n->made++;
    if (t->p.request_reply) {
        send_request(t, i, created, 0.5);
    } else {
        n->open++;
        send(t, i, target_of(t, i), MSG_ANY, size_of(t), created, false);
    }
    return true;
}

static bool tick_bursts(struct traffic *t, uint32_t i)
{
    struct node *n = &t->nodes[i];
    uint64_t created = n->clock++;
    n->is_on = n->is_on ? rng_unit(&t->rng) >= t->p.beta : rng_unit(&t->rng) < t->p.alpha;
    if (!n->injects || !n->is_on || rng_unit(&t->rng) >= t->p.burst_rate)
        return false;
    if (t->p.request_reply)
        send_request(t, i, created, t->p.write_fraction);
    else
        send(t, i, target_of(t, i), MSG_ANY, size_of(t), created, false);
    return true;
}

static bool tick_requests(struct traffic *t, uint32_t i)
{
    struct node *n = &t->nodes[i];
    if (n->next > t->now || (t->p.outstanding && n->open >= t->p.outstanding))
        return false;
    uint64_t created = n->next;
    n->next += draw_gap(t);
    send_request(t, i, created, t->p.write_fraction);
    return true;
}

static void step_nodes(struct traffic *t)
{
    for (uint32_t i = 0; i < t->p.nodes; i++) {
        if (!slot_is_free(t, i))
            continue;
        struct node *n = &t->nodes[i];
        if (t->p.batch) {
            while (n->clock <= t->now && !tick_batch(t, i))
                ;
        } else if (t->p.request_reply && n->first_reply != UINT32_MAX) {
            send_reply(t, i);
        } else if (t->p.on_off) {
            while (n->clock <= t->now && !tick_bursts(t, i))
                ;
        } else {
            tick_requests(t, i);
        }
    }
}

/* Each source sends its packets of the trace in order, none before its cycle. */
static void step_trace(struct traffic *t)
{
    for (uint32_t i = 0; i < t->p.nodes; i++) {
        struct node *n = &t->nodes[i];
        if (n->event == UINT32_MAX)
            continue;
        const struct traffic_event *e = &t->p.trace[n->event];
        if (e->cycle > t->now || !slot_is_free(t, i))
            continue;
        send(t, e->src, e->dst, MSG_ANY, e->flits, e->cycle, true);
        n->event = t->event_after[n->event];
        t->events_sent++;
    }
}

static void make_trace(struct traffic *t)
{
    t->event_after = arena_many(t->mem, uint32_t, t->p.n_trace + 1);
    for (size_t i = t->p.n_trace; i > 0; i--) {
        struct node *n = &t->nodes[t->p.trace[i - 1].src];
        t->event_after[i - 1] = n->event;
        n->event = (uint32_t)(i - 1);
    }
}

/* ---- sinks -------------------------------------------------------------------------------------
 */

static inline void measure(struct traffic *t, const struct net_delivery *p)
{
    uint64_t latency = p->arrived - p->created, network = p->arrived - p->injected;
    t->packet_sum += latency;
    t->network_sum += network;
    t->hops_sum += p->hops;
    t->packet_max = latency > t->packet_max ? latency : t->packet_max;
    t->network_min = network < t->network_min ? network : t->network_min;
    t->network_max = network > t->network_max ? network : t->network_max;
    stat_count(&t->hist, latency); /* counts the packets; its first bin is the least latency */
}

static void take_delivered(struct traffic *t, struct net *net)
{
    size_t n;
    const struct net_delivery *const *list = net_delivered(net, &n);
    uint32_t counts_open = t->p.batch != 0;
    for (size_t i = 0; i < n; i++) {
        const struct net_delivery *p = list[i];
        uint32_t type = TAG_TYPE(p->tag);
        bool record = p->tag & TAG_RECORD;
        if (t->state == WARMING || record)
            measure(t, p);
        t->measured_in_flight -= record;
        if (type == MSG_READ_REQUEST || type == MSG_WRITE_REQUEST)
            reply_push(t, p->dst, (struct reply){p->src, 0, p->arrived, (uint8_t)type, record});
        else if (type == MSG_ANY)
            t->nodes[p->src].open -= counts_open;
        else
            t->nodes[p->dst].open--;
        if (t->watch)
            t->watch(t->watch_ctx, p, p->tag >> 8);
    }
}

static bool failed(struct traffic *t, struct net *net, struct err *err)
{
    struct buf text;
    buf_init(&text, t->mem, 8192);
    net_problem(net, &text);
    return err_add(err, ERR_INPUT, NOWHERE, "%s", text.data);
}

static void sample_occupancy(struct traffic *t)
{
    for (uint32_t k = 0; k < t->n_nets; k++) {
        const struct net *n = t->nets[k];
        uint64_t flits = 0, slots = (uint64_t)n->n_iports * n->vcs * n->depth;
        for (uint32_t i = 0; i < n->n_iports << n->vshift; i++)
            flits += n->ivcs[i].n;
        t->occupancy_sum += (double)flits / (double)slots / t->n_nets;
    }
    t->occupancy_n++;
}

static bool step(struct traffic *t, struct err *err)
{
    if (t->now % 2048 == 0)
        sample_occupancy(t);
    if (is_calendar(t))
        step_calendar(t);
    else if (t->p.trace)
        step_trace(t);
    else
        step_nodes(t);
    for (uint32_t i = 0; i < t->n_nets; i++)
        if (!net_step(t->nets[i]))
            return failed(t, t->nets[i], err);
    for (uint32_t i = 0; i < t->n_nets; i++)
        take_delivered(t, t->nets[i]);
    t->now++;
    return true;
}

/* ---- results -----------------------------------------------------------------------------------
 */

static uint64_t node_flits(const struct traffic *t, uint32_t node)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < t->n_nets; i++)
        n += net_endpoint_flits(t->nets[i], node);
    return n;
}

/* `base` holds each node's flits when measuring began. */
static void mark_flits(struct traffic *t)
{
    for (uint32_t i = 0; i < t->p.nodes; i++)
        t->nodes[i].flits = node_flits(t, i);
}

static void accepted_rates(const struct traffic *t, uint64_t until, double *avg, double *least,
                           double *most)
{
    double span = (double)(until - t->reset_time), sum = 0;
    *least = INFINITY;
    *most = 0;
    for (uint32_t i = 0; i < t->p.nodes; i++) {
        double rate = span > 0 ? (double)(node_flits(t, i) - t->nodes[i].flits) / span : 0;
        sum += rate;
        *least = rate < *least ? rate : *least;
        *most = rate > *most ? rate : *most;
    }
    *avg = sum / t->p.nodes;
}

static void fill_latencies(const struct traffic *t, struct traffic_result *r)
{
    double n = t->hist.n ? (double)t->hist.n : 1;
    r->packets = t->hist.n;
    r->packet_avg = (double)t->packet_sum / n;
    r->network_avg = (double)t->network_sum / n;
    r->source_avg = r->packet_avg - r->network_avg;
    r->hops_avg = (double)t->hops_sum / n;
    r->packet_min = t->hist.n ? (double)stat_percentile(&t->hist, 0) : 0;
    r->packet_max = (double)t->packet_max;
    r->network_min = t->hist.n ? (double)t->network_min : 0;
    r->network_max = (double)t->network_max;
    if (t->hist.n) {
        r->packet_p50 = (double)stat_percentile(&t->hist, 0.50);
        r->packet_p95 = (double)stat_percentile(&t->hist, 0.95);
        r->packet_p99 = (double)stat_percentile(&t->hist, 0.99);
    }
    r->packet_half95 = stat_half_width_95(&t->batches);
    r->cycles = t->now;
    r->vc_occupancy = t->occupancy_n ? t->occupancy_sum / (double)t->occupancy_n : 0;
    uint64_t flit_sum = 0, flits = 0, least = UINT64_MAX, most = 0;
    for (uint32_t i = 0; i < t->n_nets; i++) {
        struct net_totals s;
        net_get_totals(t->nets[i], &s);
        r->flits_delivered += s.flits_delivered;
        r->flit_hops += s.flit_hops;
        r->flits_injected += s.flits_injected;
        flit_sum += s.flit_latency_sum;
        flits += s.flits_delivered;
        if (s.flits_delivered && s.flit_latency_min < least)
            least = s.flit_latency_min;
        most = s.flit_latency_max > most ? s.flit_latency_max : most;
    }
    r->flit_avg = flits ? (double)flit_sum / (double)flits : 0;
    r->flit_min = flits && least != UINT64_MAX ? (double)least : 0;
    r->flit_max = (double)most;
}

/* ---- runs --------------------------------------------------------------------------------------
 */

static double change(double now, double before)
{
    return now != 0 ? fabs((now - before) / now) : 0;
}

/* Mean latency with the packets still under way, each counted with its age so far. */
static double latency_so_far(const struct traffic *t)
{
    double sum = (double)t->packet_sum, n = (double)t->hist.n;
    for (uint32_t i = 0; i < t->n_nets; i++) {
        double ages;
        uint64_t flits;
        net_ages(t->nets[i], t->now, &ages, &flits);
        sum += ages;
        n += (double)flits;
    }
    return n > 0 ? sum / n : 0;
}

static bool wants_more(const struct traffic *t)
{
    if (t->measured_in_flight)
        return true;
    for (uint32_t i = 0; i < t->p.nodes && !t->p.on_off; i++)
        if (t->nodes[i].next < t->drain_time)
            return true;
    return false;
}

static bool drain(struct traffic *t, const struct traffic_phases *ph, bool *over, struct err *err)
{
    for (uint64_t steps = 1; wants_more(t); steps++) {
        if (!step(t, err))
            return false;
        bool late =
            ph->latency_limit >= 0 && steps % 1000 == 0 && latency_so_far(t) > ph->latency_limit;
        if (late || steps > (uint64_t)ph->sample_period * ph->max_samples * 100) {
            *over = true;
            return true;
        }
    }
    return true;
}

static void end_part(struct traffic *t)
{
    if (t->hist.n > t->part_n)
        stat_add(&t->batches,
                 (double)(t->packet_sum - t->part_sum) / (double)(t->hist.n - t->part_n));
    t->part_n = t->hist.n;
    t->part_sum = t->packet_sum;
}

bool traffic_run_phases(struct traffic *t, const struct traffic_phases *ph,
                        struct traffic_result *out, struct err *err)
{
    uint32_t settled = 0, phases = 0;
    double last_latency = 0, last_accepted = 0;
    bool clear = false, over = false;
    *out = (struct traffic_result){0};
    t->state = WARMING;
    t->record_before = 0;
    while (phases < ph->max_samples && !over && (t->state != RUNNING || settled < 3)) {
        if (clear || (t->state == WARMING && phases % 2 == 0)) {
            clear = false;
            clear_stats(t);
            mark_flits(t);
        }
        for (uint32_t i = 0; i < ph->sample_period; i++)
            if (!step(t, err))
                return false;
        end_part(t);
        double latency = t->hist.n ? (double)t->packet_sum / (double)t->hist.n : 0, least, most,
               accepted;
        accepted_rates(t, t->now, &accepted, &least, &most);
        double by_latency = change(latency, last_latency);
        double by_accepted = change(accepted, last_accepted);
        last_latency = latency;
        last_accepted = accepted;
        if (ph->measure_latency && ph->latency_limit >= 0 &&
            latency_so_far(t) > ph->latency_limit) {
            over = true;
            break;
        }
        if (t->state == WARMING) {
            bool warm = ph->warmup_periods
                            ? phases + 1 >= ph->warmup_periods
                            : (!ph->measure_latency || by_latency <= ph->warm_change) &&
                                  by_accepted <= ph->accepted_warm_change;
            if (warm) {
                clear = true;
                t->state = RUNNING;
                t->record_before = UINT64_MAX;
            }
        } else if ((!ph->measure_latency || by_latency <= ph->stop_change) &&
                   by_accepted <= ph->accepted_stop_change) {
            settled++;
        } else {
            settled = 0;
        }
        phases++;
    }
    bool running = t->state == RUNNING && !over;
    t->state = DRAINING;
    t->drain_time = t->record_before = t->now;
    accepted_rates(t, t->now, &out->accepted_avg, &out->accepted_min, &out->accepted_max);
    if (running && ph->measure_latency && !drain(t, ph, &over, err))
        return false;
    out->converged = running && !over;
    fill_latencies(t, out);
    return true;
}

static bool is_idle(const struct traffic *t)
{
    bool idle = true;
    for (uint32_t i = 0; i < t->n_nets; i++)
        idle &= net_is_idle(t->nets[i]);
    return idle;
}

static bool batch_is_sent(const struct traffic *t)
{
    for (uint32_t i = 0; i < t->p.nodes; i++)
        if (t->nodes[i].injects && t->nodes[i].made < t->p.batch)
            return false;
    return true;
}

bool traffic_run_batch(struct traffic *t, struct traffic_result *out, struct err *err)
{
    *out = (struct traffic_result){0};
    t->state = RUNNING;
    t->record_before = UINT64_MAX;
    clear_stats(t);
    mark_flits(t);
    do {
        if (!step(t, err))
            return false;
    } while (!batch_is_sent(t));
    while (!is_idle(t))
        if (!step(t, err))
            return false;
    end_part(t);
    accepted_rates(t, t->now, &out->accepted_avg, &out->accepted_min, &out->accepted_max);
    fill_latencies(t, out);
    out->batch_cycles = t->now;
    out->converged = true;
    return true;
}

bool traffic_run_cycles(struct traffic *t, uint64_t warmup, uint64_t cycles,
                        struct traffic_result *out, struct err *err)
{
    *out = (struct traffic_result){0};
    t->state = WARMING;
    t->record_before = 0;
    clear_stats(t);
    mark_flits(t);
    uint64_t part = (cycles - warmup) / 20 ? (cycles - warmup) / 20 : 1;
    for (uint64_t i = 0; i < cycles; i++) {
        if (i == warmup && warmup) {
            clear_stats(t);
            mark_flits(t);
        }
        if (!step(t, err))
            return false;
        if (i >= warmup && (i - warmup) % part == part - 1)
            end_part(t);
        if (t->p.trace && t->events_sent == t->p.n_trace && is_idle(t))
            break;
    }
    accepted_rates(t, t->now, &out->accepted_avg, &out->accepted_min, &out->accepted_max);
    fill_latencies(t, out);
    out->converged = true;
    return true;
}
