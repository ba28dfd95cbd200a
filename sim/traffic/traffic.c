/* SPDX-License-Identifier: MIT */
#include "sim/traffic/traffic.h"

#include <string.h>

#include "base/bits.h"
#include "base/buf.h"
#include "base/err.h"
#include "sim/traffic/source_impl.h"

#define HIST 16384u

void traffic_clear_stats(struct traffic *t)
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
    for (uint32_t i = 0; i < t->n_nets; i++)
        net_clear_flit_times(t->nets[i]);
    t->reset_time = t->now;
}

struct traffic *traffic_new(struct net *const *nets, uint32_t n_nets,
                            const struct traffic_params *params, struct arena *mem, struct err *err)
{
    if (!traffic_check_pattern(params, err))
        return NULL;
    struct traffic *t = arena_new(mem, struct traffic);
    t->p = *params;
    t->mem = mem;
    t->n_nets = n_nets;
    t->nodes = arena_many(mem, struct node, params->nodes);
    t->hist = (struct stat_hist){arena_many(mem, uint64_t, HIST), HIST, 0};
    if (params->booksim)
        t->draws = arena_new(mem, struct traffic_draws);
    for (uint32_t i = 0; i < n_nets; i++) {
        t->nets[i] = nets[i];
        if (t->draws)
            net_use_draws(nets[i], &t->draws->ints, mem);
    }
    traffic_make_pattern(t);
    traffic_make_sources(t);
    traffic_clear_stats(t);
    return t;
}

void traffic_set_watch(struct traffic *t, traffic_watch *watch, void *ctx)
{
    t->watch = watch;
    t->watch_ctx = ctx;
}

/* ---- sinks ----------------------------------------------------------------------------------- */

static inline void measure(struct traffic *t, const struct net_delivery *p)
{
    uint64_t latency = p->arrived - p->created, network = p->arrived - p->injected;
    t->packet_sum += latency;
    t->network_sum += network;
    t->hops_sum += p->hops;
    if (latency > t->packet_max)
        t->packet_max = latency;
    if (network < t->network_min)
        t->network_min = network;
    if (network > t->network_max)
        t->network_max = network;
    stat_count(&t->hist, latency); /* counts the packets; its first bin is the least latency */
}

/* What a packet's arrival means for its source and its destination. */
static void answer(struct traffic *t, const struct net_delivery *p)
{
    uint32_t type = TAG_TYPE(p->tag);
    bool record = p->tag & TAG_RECORD;
    if (type == MSG_READ_REQUEST || type == MSG_WRITE_REQUEST)
        traffic_push_reply(t, p->dst, (struct reply){p->src, 0, p->arrived, (uint8_t)type, record});
    else if (type != MSG_ANY)
        t->nodes[p->dst].open--;
    else if (t->p.batch)
        t->nodes[p->src].open--;
    if (t->watch)
        t->watch(t->watch_ctx, p, p->tag >> 8);
}

static void take_delivered(struct traffic *t, struct net *net)
{
    size_t n;
    const struct net_delivery *const *list = net_delivered(net, &n);
    bool answers = t->p.request_reply || t->p.batch || t->watch, all = t->state == WARMING;
    for (size_t i = 0; i < n; i++) {
        const struct net_delivery *p = list[i];
        bool record = p->tag & TAG_RECORD;
        if (all || record)
            measure(t, p);
        t->measured_in_flight -= record;
        if (answers)
            answer(t, p);
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

bool traffic_step(struct traffic *t, struct err *err)
{
    if (t->now % 2048 == 0)
        sample_occupancy(t);
    if (!t->is_closed)
        traffic_step_sources(t);
    for (uint32_t i = 0; i < t->n_nets; i++)
        if (!net_step(t->nets[i]))
            return failed(t, t->nets[i], err);
    for (uint32_t i = 0; i < t->n_nets; i++)
        take_delivered(t, t->nets[i]);
    t->now++;
    return true;
}
