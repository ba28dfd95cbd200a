/* SPDX-License-Identifier: MIT
 *
 * Dynamic power from simulated activity: the design's own network under uniform random traffic of
 * one-flit packets, every event counted and priced. Contention shows: a flit that bids for the
 * switch again pays again, and a saturated network takes fewer flits than are offered. */
#include <math.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/rng.h"
#include "gen/price/bill.h"
#include "sim/net/net.h"

struct traffic {
    const struct noc *noc;
    struct net *net;
    struct rng rng;
    uint32_t *sources, *targets; /* endpoints */
    uint32_t n_sources, n_targets;
    double rate; /* of one source */
    bool is_reply;
};

static void endpoints_of(struct traffic *t, enum noc_endpoint_kind from, enum noc_endpoint_kind to,
                         struct arena *mem)
{
    t->sources = arena_many(mem, uint32_t, t->noc->n_endpoints);
    t->targets = arena_many(mem, uint32_t, t->noc->n_endpoints);
    for (uint32_t e = 0; e < t->noc->n_endpoints; e++) {
        const struct noc_endpoint *ep = &t->noc->endpoints[e];
        if (ep->kind == from && ep->inject != NOC_NONE)
            t->sources[t->n_sources++] = e;
        if (ep->kind == to && ep->eject != NOC_NONE)
            t->targets[t->n_targets++] = e;
    }
}

static void offer(struct traffic *t)
{
    for (uint32_t s = 0; s < t->n_sources; s++) {
        if (rng_unit(&t->rng) >= t->rate || t->n_targets == 0)
            continue;
        uint32_t src = t->sources[s], dst = t->targets[rng_below(&t->rng, t->n_targets)];
        if (dst == src)
            continue;
        struct net_packet p = {.src = src,
                               .dst = dst,
                               .flits = 1,
                               .cls = noc_first_class(t->noc, src, dst, t->is_reply),
                               .created = net_cycle(t->net)};
        net_inject(t->net, &p); /* a full source queue drops it: the flits taken are reported */
    }
}

static void price_counts(const struct priced *priced, int net, const struct net *sim,
                         double per_cycle, struct bill_net *out)
{
    const struct design *d = priced->design;
    const struct noc *noc = net_noc(sim);
    uint32_t first_router = d->groups[net ? GROUP_REPLY_ROUTERS : GROUP_REQUEST_ROUTERS].first;
    uint32_t first_channel = d->groups[net ? GROUP_REPLY_CHANNELS : GROUP_REQUEST_CHANNELS].first;
    double watts = per_cycle * priced->clock.clock_ghz * 1e-3; /* of one pJ */
    for (uint32_t r = 0; r < noc->n_routers; r++) {
        const struct cost *cost = &priced->book.costs[priced->class_of[first_router + r]];
        const double *pj = cost->energy_pj;
        uint64_t n[EV_COUNT] = {0};
        net_router_counts(sim, r, n);
        out->dynamic_w[BILL_BUFFER] += watts * ((double)n[EV_BUF_WRITE] * pj[EV_BUF_WRITE] +
                                                (double)n[EV_BUF_READ] * pj[EV_BUF_READ]);
        out->dynamic_w[BILL_CROSSBAR] += watts * (double)n[EV_XBAR] * pj[EV_XBAR];
        out->dynamic_w[BILL_ALLOCATOR] += watts * ((double)n[EV_SW_ALLOC] * pj[EV_SW_ALLOC] +
                                                   (double)n[EV_VC_ALLOC] * cost->vc_alloc_pj);
        out->additions_w +=
            watts * (double)n[EV_VC_ALLOC] * fmax(0, pj[EV_VC_ALLOC] - cost->vc_alloc_pj);
        if (n[EV_MERGE_SEARCH])
            out->additions_w += watts * ((double)n[EV_MERGE_SEARCH] * pj[EV_MERGE_SEARCH] +
                                         (double)n[EV_MERGE_HOLD] * pj[EV_MERGE_HOLD]);
    }
    for (uint32_t c = 0; c < noc->n_channels; c++) {
        const double *pj = priced->book.costs[priced->class_of[first_channel + c]].energy_pj;
        uint64_t n[EV_COUNT] = {0};
        net_channel_counts(sim, c, n);
        out->dynamic_w[BILL_LINKS] += watts * (double)n[EV_LINK] * pj[EV_LINK];
    }
}

static bool run(struct net *net, struct traffic *t, size_t n_traffic, uint64_t cycles,
                struct err *err)
{
    for (uint64_t c = 0; c < cycles; c++) {
        for (size_t i = 0; i < n_traffic; i++)
            offer(&t[i]);
        if (net_step(net))
            continue;
        struct arena mem;
        struct buf why;
        arena_init(&mem, NULL, NULL);
        buf_init(&why, &mem, 4096);
        net_problem(net, &why);
        err_add(err, ERR_MACHINE, NOWHERE, "the network simulation stopped: %s", why.data);
        arena_free(&mem);
        return false;
    }
    return true;
}

bool bill_simulate(const struct priced *priced, int net, bool requests, bool replies,
                   const struct bill_options *options, struct bill_net *out, struct err *err)
{
    const struct design *d = priced->design;
    const struct noc *noc = net ? &d->reply : &d->request;
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct net_params params = {
        .router = &d->arch->noc[net].router,
        .channel_cycles = net ? priced->timing.reply_channel : priced->timing.request_channel,
        .traversal_extra = net ? priced->timing.reply_traversal : priced->timing.request_traversal,
        .extra_alloc = priced->timing.extra_alloc[net],
        .source_depth = 64,
        .max_flits = 1,
        .seed = d->arch->sim.seed,
        .watchdog_cycles = 100000};
    struct net *sim = net_new(noc, &params, &mem, err);
    struct traffic traffic[2] = {{.noc = noc}, {.noc = noc}};
    size_t n_traffic = 0;
    for (int is_reply = 0; sim && is_reply < 2; is_reply++) {
        if (!(is_reply ? replies : requests))
            continue;
        struct traffic *t = &traffic[n_traffic++];
        t->net = sim;
        t->is_reply = is_reply;
        endpoints_of(t, is_reply ? NOC_EP_LLC : NOC_EP_SM, is_reply ? NOC_EP_SM : NOC_EP_LLC, &mem);
        if (t->n_sources == 0) /* plain terminals: all to all */
            endpoints_of(t, NOC_EP_NODE, NOC_EP_NODE, &mem);
        t->rate = options->rate;
        if (is_reply && options->reply_is_same && t->n_sources)
            t->rate *= (double)t->n_targets / t->n_sources;
        rng_seed(&t->rng, d->arch->sim.seed, is_reply ? "cost reply" : "cost request", 0);
    }
    bool ok = sim && run(sim, traffic, n_traffic, options->cycles, err);
    if (ok) {
        struct net_totals totals;
        net_get_totals(sim, &totals);
        price_counts(priced, net, sim, 1.0 / (double)options->cycles, out);
        out->flits = (double)totals.flits_injected / (double)options->cycles;
        out->mean_routers =
            totals.flits_injected ? (double)totals.flit_hops / (double)totals.flits_injected : 0;
    }
    arena_free(&mem);
    return ok;
}
