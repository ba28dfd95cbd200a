/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/bits.h"
#include "sim/traffic/source_impl.h"

#define GAP_TABLE 4096u
#define GUIDE 4096u
#define GUIDE_SHIFT 20
#define WHEEL 1024u

/* ---- gaps between packets -------------------------------------------------------------------- */

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

/* ---- sources without answers ----------------------------------------------------------------- */

static inline bool is_calendar(const struct traffic *t)
{
    return !t->draws && !t->p.request_reply && !t->p.batch && !t->p.on_off && !t->p.trace;
}

static inline void to_wheel(struct traffic *t, uint32_t node)
{
    uint32_t *bucket = &t->wheel[t->nodes[node].next % WHEEL];
    t->nodes[node].in_wheel = *bucket;
    *bucket = node;
}

ALWAYS void send_next(struct traffic *t, uint32_t i)
{
    struct node *n = &t->nodes[i];
    send_any(t, i, n->next, false);
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
    for (uint32_t w = 0; w < bits_words(t->p.nodes); w++) {
        uint64_t busy = t->nets[0]->source_busy[w]; /* their one slot is taken */
        if (t->n_nets > 1)
            busy |= t->nets[1]->source_busy[w];
        uint64_t nodes = t->waiting[w] & ~busy;
        t->waiting[w] &= busy;
        for (uint64_t m = nodes; m; m &= m - 1)
            send_next(t, w * 64 + bits_lowest(m));
    }
}

/* ---- sources with a private counter ---------------------------------------------------------- */

void traffic_push_reply(struct traffic *t, uint32_t node, struct reply r)
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
    if (t->draws)
        target_of(t, node, true); /* BookSim2 draws a destination, and does not use it */
    send(t, (struct message){node, r.to, type, t->p.type_flits[type], r.time, r.record}, t->draws);
}

static void send_request(struct traffic *t, uint32_t node, uint64_t created, double writes)
{
    uint32_t type = draw_unit(t, t->draws) < writes ? MSG_WRITE_REQUEST : MSG_READ_REQUEST;
    t->nodes[node].open++;
    uint32_t to = target_of(t, node, t->draws);
    send(t, (struct message){node, to, type, t->p.type_flits[type], created, false}, t->draws);
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
        if (t->draws)
            size_of(t); /* BookSim2 draws it twice */
        send_any(t, i, created, t->draws);
    }
    return true;
}

static bool is_in_burst(struct traffic *t, struct node *n)
{
    double u = draw_unit(t, t->draws);
    n->is_on = n->is_on ? u >= t->p.beta : u < t->p.alpha;
    return n->injects && n->is_on && draw_unit(t, t->draws) < t->p.burst_rate;
}

/* One cycle of the node's private counter, with bursts or with BookSim2's draws. */
static bool tick_trial(struct traffic *t, uint32_t i)
{
    struct node *n = &t->nodes[i];
    uint64_t created = n->clock++;
    bool makes = t->p.on_off ? is_in_burst(t, n) : n->injects && draw_unit(t, t->draws) < t->p.rate;
    if (!makes)
        return false;
    if (t->p.request_reply)
        send_request(t, i, created, t->p.write_fraction);
    else
        send_any(t, i, created, t->draws);
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
        } else if (t->p.on_off || t->draws) {
            while (n->clock <= t->now && !tick_trial(t, i))
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
        send(t, (struct message){e->src, e->dst, MSG_ANY, e->flits, e->cycle, true}, false);
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

/* ---- all of them ----------------------------------------------------------------------------- */

void traffic_make_sources(struct traffic *t)
{
    const struct traffic_params *p = &t->p;
    t->waiting = arena_many(t->mem, uint64_t, bits_words(p->nodes) + 1);
    t->wheel = arena_many(t->mem, uint32_t, WHEEL);
    memset(t->wheel, 0xff, WHEEL * sizeof *t->wheel);
    t->free_reply = UINT32_MAX;
    rng_seed(&t->rng, p->seed, "traffic", 0);
    if (!t->draws && !p->batch && !p->on_off && !p->trace && p->rate > 0)
        make_gaps(t);
    for (uint32_t i = 0; i < p->nodes; i++) {
        struct node *n = &t->nodes[i];
        n->injects = !p->injects || p->injects[i];
        n->first_reply = n->last_reply = n->event = UINT32_MAX;
        n->is_on = rng_u64(&t->rng) >> 63;
        n->next = n->injects && t->gap_limit ? draw_gap(t) - 1 : UINT64_MAX;
        if (is_calendar(t) && n->next != UINT64_MAX)
            to_wheel(t, i);
    }
    if (p->trace)
        make_trace(t);
    if (t->draws)
        traffic_make_booksim(t);
}

void traffic_step_sources(struct traffic *t)
{
    if (is_calendar(t))
        step_calendar(t);
    else if (t->p.trace)
        step_trace(t);
    else if (t->senders)
        traffic_step_trials(t);
    else
        step_nodes(t);
}

bool traffic_sources_owe(const struct traffic *t)
{
    if (t->senders)
        return traffic_trials_owe(t);
    for (uint32_t i = 0; i < t->p.nodes; i++)
        if (t->draws ? t->nodes[i].clock <= t->drain_time
                     : !t->p.on_off && t->nodes[i].next < t->drain_time)
            return true;
    return false;
}
