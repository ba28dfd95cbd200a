/* SPDX-License-Identifier: MIT
 *
 * tests/unit/noc_oracle.h: a second opinion on networks, written without noc/check: every packet is
 * followed over every choice it may make. Slow and plain. */
#ifndef CW_TESTS_UNIT_NOC_ORACLE_H
#define CW_TESTS_UNIT_NOC_ORACLE_H

#include "tests/unit/test.h"

#include "noc/topology.h"

struct oracle {
    const struct noc *noc;
    bool *
        depends; /* [from node * n_nodes + to node]; node = channel * vcs + first VC of its class */
    uint32_t n_nodes;
    uint32_t min_hops, max_hops;
    double total;
    uint64_t pairs;
    uint32_t bad; /* packets that did not arrive where they should */
    bool saw_turn_at_half;
};

static inline uint32_t oracle_node(const struct oracle *o, uint32_t channel, uint8_t cls)
{
    return channel * o->noc->vcs + o->noc->vc_ranges[cls].first;
}

/* The first rule that fits, by looking at all of them. */
static inline const struct noc_rule *oracle_route(const struct noc *noc, uint32_t router,
                                                  uint32_t dst, uint8_t cls)
{
    const struct noc_endpoint *e = &noc->endpoints[dst];
    for (uint32_t i = 0; i < noc->routers[router].n_rules; i++) {
        const struct noc_rule *r = &noc->rules[noc->routers[router].first_rule + i];
        if (r->x0 <= e->x && e->x <= r->x1 && r->y0 <= e->y && e->y <= r->y1 &&
            (r->classes >> cls & 1))
            return r;
    }
    return NULL;
}

/* Mean number of routers from here on; `came` is the channel the packet sits in. */
static inline double oracle_follow(struct oracle *o, uint32_t came, uint32_t dst, uint8_t cls,
                                   uint32_t hops)
{
    const struct noc *noc = o->noc;
    uint32_t router = noc->channels[came].dst;
    const struct noc_rule *rule = oracle_route(noc, router, dst, cls);
    if (rule != noc_route(noc, router, dst, cls) || !rule || hops > noc->n_routers) {
        o->bad++;
        return 0;
    }
    double mean = 0;
    uint8_t then = rule->class_to == NOC_SAME_CLASS ? cls : rule->class_to;
    for (uint32_t i = 0; i < rule->n_choices; i++) {
        uint16_t port = noc->choices[rule->first_choice + i];
        uint32_t next = noc_out_channel(noc, router, port);
        const struct noc_channel *ch = &noc->channels[next], *in = &noc->channels[came];
        if (ch->dst_node == NOC_ENDPOINT) {
            o->bad += ch->dst != dst;
            o->min_hops = hops + 1 < o->min_hops ? hops + 1 : o->min_hops;
            o->max_hops = hops + 1 > o->max_hops ? hops + 1 : o->max_hops;
            mean += 1.0;
            continue;
        }
        if (o->depends)
            o->depends[(size_t)oracle_node(o, came, cls) * o->n_nodes +
                       oracle_node(o, next, then)] = true;
        if (noc->grid_columns && in->src_node == NOC_ROUTER) {
            bool was_x = noc->routers[in->src].y == noc->routers[router].y;
            bool is_x = noc->routers[ch->dst].y == noc->routers[router].y;
            o->saw_turn_at_half |=
                was_x != is_x && (noc->routers[router].x + noc->routers[router].y) % 2;
        }
        mean += 1.0 + oracle_follow(o, next, dst, then, hops + 1);
    }
    return mean / rule->n_choices;
}

static inline bool oracle_talks(const struct noc *noc, uint32_t s, uint32_t d, bool is_reply)
{
    enum noc_endpoint_kind from = noc->endpoints[s].kind, to = noc->endpoints[d].kind;
    return is_reply ? from == NOC_EP_LLC && to == NOC_EP_SM : from == NOC_EP_SM && to == NOC_EP_LLC;
}

static inline bool oracle_visit(const struct oracle *o, uint32_t node, uint8_t *colour)
{
    colour[node] = 1;
    for (uint32_t to = 0; to < o->n_nodes; to++) {
        if (!o->depends[(size_t)node * o->n_nodes + to])
            continue;
        if (colour[to] == 1 || (!colour[to] && oracle_visit(o, to, colour)))
            return true;
    }
    colour[node] = 2;
    return false;
}

/* Follows all packets; with `cycles` dependencies are kept (quadratic in channels). True if they
 * have a cycle. */
static inline bool oracle_run(struct oracle *o, const struct noc *noc, bool cycles)
{
    *o = (struct oracle){.noc = noc, .n_nodes = noc->n_channels * noc->vcs, .min_hops = UINT32_MAX};
    if (cycles)
        o->depends = calloc((size_t)o->n_nodes * o->n_nodes, sizeof *o->depends);
    for (int is_reply = noc->dir == NOC_REPLY; is_reply <= (noc->dir != NOC_REQUEST); is_reply++)
        for (uint32_t s = 0; s < noc->n_endpoints; s++)
            for (uint32_t d = 0; d < noc->n_endpoints; d++)
                if (oracle_talks(noc, s, d, is_reply)) {
                    o->pairs++;
                    o->total += oracle_follow(o, noc->endpoints[s].inject, d,
                                              noc_first_class(noc, s, d, is_reply), 0);
                }
    bool found = false;
    if (cycles) {
        uint8_t *colour = calloc(o->n_nodes, 1);
        for (uint32_t i = 0; i < o->n_nodes && !found; i++)
            found = !colour[i] && oracle_visit(o, i, colour);
        free(colour);
        free(o->depends);
    }
    return found;
}

#endif
