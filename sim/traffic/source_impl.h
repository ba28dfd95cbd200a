/* SPDX-License-Identifier: MIT
 *
 * sim/traffic/source_impl.h: the inside of synthetic traffic, shared by its files and by nobody
 * else. traffic.c makes it and steps it, traffic_pattern.c knows who sends to whom,
 * traffic_source.c when packets are made, traffic_booksim.c the same with BookSim2's random
 * numbers, traffic_run.c the phases of a measurement. */
#ifndef CW_SIM_TRAFFIC_SOURCE_IMPL_H
#define CW_SIM_TRAFFIC_SOURCE_IMPL_H

#include "base/lagfib.h"
#include "base/rng.h"
#include "base/vec.h"
#include "sim/net/engine_impl.h"
#include "sim/traffic/traffic.h"

#define ALWAYS static inline __attribute__((always_inline))

enum traffic_state { WARMING, RUNNING, DRAINING };

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
    uint64_t unused; /* 64 bytes: found by shifting */
};
_Static_assert(sizeof(struct node) == 64, "found by shifting");

struct traffic_draws { /* BookSim2's: two generators for the whole program */
    struct lagfib_ints ints;
    struct lagfib_units units;
    struct lagfib_trials trials; /* instead of `units`, where fractions serve injection alone */
};

struct traffic {
    struct traffic_params p;
    struct net *nets[2];
    uint32_t n_nets;
    struct node *nodes;
    struct rng rng;
    struct traffic_draws *draws; /* NULL: `rng` */
    uint64_t now;
    enum traffic_state state;
    bool is_closed; /* no new packets */
    uint64_t reset_time, drain_time;
    uint64_t record_before; /* packets created before are measured */
    struct arena *mem;

    uint64_t *late;            /* [bit node] has cycles to catch up with … */
    uint64_t *clocks;          /* [node] … from this one on */
    uint64_t *senders;         /* [bit node] creates packets */
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

/* ---- drawing -----------------------------------------------------------------------------------
 * `booksim` is a constant in every caller that runs often. */

ALWAYS uint32_t draw_below(struct traffic *t, uint32_t n, bool booksim)
{
    return booksim ? lagfib_below(&t->draws->ints, n) : rng_below(&t->rng, n);
}

ALWAYS double draw_unit(struct traffic *t, bool booksim)
{
    return booksim ? lagfib_unit(&t->draws->units) : rng_unit(&t->rng);
}

/* ---- traffic_pattern.c ----------------------------------------------------------------------- */

bool traffic_check_pattern(const struct traffic_params *p, struct err *err);
void traffic_make_pattern(struct traffic *t);
/* Patterns and mixtures of sizes that are drawn and are not the usual ones. */
uint32_t traffic_drawn_target(struct traffic *t, uint32_t source);
uint16_t traffic_drawn_size(struct traffic *t);

ALWAYS uint32_t target_of(struct traffic *t, uint32_t source, bool booksim)
{
    if (t->fixed)
        return t->fixed[source];
    if (t->p.pattern == TRAFFIC_UNIFORM)
        return draw_below(t, t->p.nodes, booksim);
    return traffic_drawn_target(t, source);
}

ALWAYS uint16_t size_of(struct traffic *t)
{
    return t->p.n_sizes == 1 ? t->p.sizes[0] : traffic_drawn_size(t);
}

/* ---- sending --------------------------------------------------------------------------------- */

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

struct message {
    uint32_t src, dst, type, flits;
    uint64_t created;
    bool record; /* it is measured */
};

ALWAYS void send(struct traffic *t, struct message m, bool booksim)
{
    uint32_t net = 0, cls = t->p.type_class[m.type];
    if (m.type != MSG_ANY)
        net = t->p.type_net[m.type];
    else if (t->n_nets > 1)
        net = draw_below(t, t->n_nets, booksim);
    else if (booksim)
        lagfib_skip(&t->draws->ints); /* of one network, too, one is drawn */
    if (t->p.use_noc_classes)
        cls = noc_first_class(net_noc(t->nets[net]), m.src, m.dst, m.type >= MSG_READ_REPLY);
    if (m.created < t->record_before)
        m.record = true;
    t->measured_in_flight += m.record;
    net_offer_first(t->nets[net], m.src, m.dst, m.flits, cls, TAG(m.type, m.record, t->serial++),
                    m.created);
}

/* A packet of the pattern: first its size is drawn, then its destination, then its network. */
ALWAYS void send_any(struct traffic *t, uint32_t src, uint64_t created, bool booksim)
{
    uint16_t flits = size_of(t);
    uint32_t dst = target_of(t, src, booksim);
    send(t, (struct message){src, dst, MSG_ANY, flits, created, false}, booksim);
}

/* ---- traffic_source.c ------------------------------------------------------------------------ */

void traffic_make_sources(struct traffic *t);
void traffic_step_sources(struct traffic *t);
/* A request has arrived; its answer is sent when the node is next free. */
void traffic_push_reply(struct traffic *t, uint32_t node, struct reply r);
/* While draining: packets that are measured have yet to be made. */
bool traffic_sources_owe(const struct traffic *t);

/* ---- traffic_booksim.c ----------------------------------------------------------------------- */

bool traffic_has_trials(const struct traffic_params *p);
void traffic_make_booksim(struct traffic *t);
void traffic_step_trials(struct traffic *t);
bool traffic_trials_owe(const struct traffic *t);

/* ---- traffic.c ------------------------------------------------------------------------------- */

bool traffic_step(struct traffic *t, struct err *err);
void traffic_clear_stats(struct traffic *t);

#endif
