/* SPDX-License-Identifier: MIT */
#include "noc/check.h"

#include <string.h>

#include "base/buf.h"
#include "base/vec.h"

#define MAX_ERRORS 8 /* of one sort; more would repeat the same mistake */

bool check_is_source(const struct noc_endpoint *e, enum check_kind kind)
{
    if (e->inject == NOC_NONE)
        return false;
    return e->kind == NOC_EP_NODE || kind == CHECK_ANY ||
           (e->kind == NOC_EP_SM) == (kind == CHECK_REQUEST);
}

bool check_is_dest(const struct noc_endpoint *e, enum check_kind kind)
{
    if (e->eject == NOC_NONE)
        return false;
    return e->kind == NOC_EP_NODE || kind == CHECK_ANY ||
           (e->kind == NOC_EP_LLC) == (kind == CHECK_REQUEST);
}

static void setup(struct check *c)
{
    const struct noc *noc = c->noc;
    uint8_t first_reply = noc->first_reply_class ? noc->first_reply_class : 1;
    for (uint8_t k = 0; k < noc->n_classes; k++) {
        if (noc->dir == NOC_REQUEST)
            c->kind_of[k] = CHECK_REQUEST;
        else if (noc->dir == NOC_REPLY)
            c->kind_of[k] = CHECK_REPLY;
        else if (noc->class_rule == NOC_CLASS_SINGLE)
            c->kind_of[k] = CHECK_ANY;
        else
            c->kind_of[k] = k < first_reply ? CHECK_REQUEST : CHECK_REPLY;
        c->uses[c->kind_of[k]] = true;
    }
    /* join classes whose VCs overlap, directly or through others */
    uint8_t root[NOC_MAX_CLASSES];
    for (uint8_t k = 0; k < noc->n_classes; k++)
        root[k] = k;
    for (uint8_t k = 1; k < noc->n_classes; k++)
        for (uint8_t j = 0; j < k; j++) {
            struct noc_vc_range a = noc->vc_ranges[j], b = noc->vc_ranges[k];
            if (a.first < b.first + b.n && b.first < a.first + a.n) {
                uint8_t old = root[k];
                for (uint8_t i = 0; i < noc->n_classes; i++)
                    if (root[i] == old)
                        root[i] = root[j];
            }
        }
    for (uint8_t k = 0; k < noc->n_classes; k++)
        c->group_of[k] = root[k] == k ? c->n_groups++ : UINT8_MAX;
    for (uint8_t k = 0; k < noc->n_classes; k++)
        if (c->group_of[k] == UINT8_MAX)
            c->group_of[k] = c->group_of[root[k]];
}

/* ---- structure ------------------------------------------------------------------------------ */

static bool router_error(struct check *c, uint32_t router, const char *text)
{
    struct buf name;
    buf_init(&name, c->mem, 4096);
    noc_name_router(c->noc, router, &name);
    return err_add(c->err, ERR_INPUT, NOWHERE, "%s: %s", name.data, text);
}

static bool port_error(struct check *c, uint32_t channel, const char *text)
{
    struct buf name;
    buf_init(&name, c->mem, 4096);
    noc_name_channel(c->noc, channel, &name);
    return err_add(c->err, ERR_INPUT, NOWHERE, "channel %u (%s): %s", channel, name.data, text);
}

static bool check_channels(struct check *c)
{
    const struct noc *noc = c->noc;
    for (uint32_t i = 0; i < noc->n_channels; i++) {
        const struct noc_channel *ch = &noc->channels[i];
        if (ch->is_side)
            continue;
        bool out_ok = ch->src_node == NOC_ROUTER
                          ? ch->src < noc->n_routers &&
                                ch->src_port < noc->routers[ch->src].n_out &&
                                noc_out_channel(noc, ch->src, ch->src_port) == i
                          : ch->src < noc->n_endpoints && noc->endpoints[ch->src].inject == i;
        bool in_ok = ch->dst_node == NOC_ROUTER
                         ? ch->dst < noc->n_routers && ch->dst_port < noc->routers[ch->dst].n_in &&
                               noc_in_channel(noc, ch->dst, ch->dst_port) == i
                         : ch->dst < noc->n_endpoints && noc->endpoints[ch->dst].eject == i;
        if (!out_ok || !in_ok)
            return port_error(c, i, "dangling: the port it names belongs to another channel");
        if (ch->src_node == NOC_ENDPOINT && ch->dst_node == NOC_ENDPOINT)
            return port_error(c, i, "joins two endpoints without a router");
    }
    return true;
}

/* Every port is either tied off or knows a channel that knows it. */
static bool check_ports(struct check *c)
{
    const struct noc *noc = c->noc;
    for (uint32_t r = 0; r < noc->n_routers; r++) {
        for (uint32_t p = 0; p < noc->routers[r].n_in; p++) {
            uint32_t i = noc_in_channel(noc, r, p);
            if (i != NOC_NONE && (i >= noc->n_channels || noc->channels[i].dst_node != NOC_ROUTER ||
                                  noc->channels[i].dst != r || noc->channels[i].dst_port != p))
                return router_error(c, r, "dangling input port");
        }
        for (uint32_t p = 0; p < noc->routers[r].n_out; p++) {
            uint32_t i = noc_out_channel(noc, r, p);
            if (i != NOC_NONE && (i >= noc->n_channels || noc->channels[i].src_node != NOC_ROUTER ||
                                  noc->channels[i].src != r || noc->channels[i].src_port != p))
                return router_error(c, r, "dangling output port");
        }
    }
    return true;
}

static bool check_endpoints(struct check *c)
{
    const struct noc *noc = c->noc;
    uint32_t n_bad = 0;
    for (uint32_t i = 0; i < noc->n_endpoints; i++) {
        const struct noc_endpoint *e = &noc->endpoints[i];
        bool sends = e->kind == NOC_EP_NODE || noc->dir == NOC_BOTH ||
                     (e->kind == NOC_EP_SM) == (noc->dir == NOC_REQUEST);
        bool gets = e->kind == NOC_EP_NODE || noc->dir == NOC_BOTH ||
                    (e->kind == NOC_EP_LLC) == (noc->dir == NOC_REQUEST);
        bool no_way_in = sends && e->inject == NOC_NONE, no_way_out = gets && e->eject == NOC_NONE;
        if (!no_way_in && !no_way_out)
            continue;
        if (n_bad++ < MAX_ERRORS) {
            struct buf name;
            buf_init(&name, c->mem, 256);
            noc_name_endpoint(noc, i, &name);
            err_add(c->err, ERR_INPUT, NOWHERE, "%s has no channel %s the %s network", name.data,
                    no_way_in ? "into" : "out of",
                    noc->dir == NOC_REPLY     ? "reply"
                    : noc->dir == NOC_REQUEST ? "request"
                                              : "shared");
        }
    }
    return !n_bad;
}

/* Rules of one class never overlap. */
static bool rules_are_disjoint(const struct noc *noc, const struct noc_router *r)
{
    const struct noc_rule *rules = noc->rules + r->first_rule;
    int32_t last[NOC_MAX_CLASSES]; /* highest y so far in this band, by class */
    if (r->is_banded) {
        for (uint32_t i = 0; i < r->n_rules; i++) {
            if (!i || rules[i].x0 > rules[i - 1].x1)
                memset(last, -1, sizeof last);
            else if (rules[i].x0 != rules[i - 1].x0 || rules[i].x1 != rules[i - 1].x1)
                return false;
            for (uint8_t k = 0; k < noc->n_classes; k++) {
                if (!(rules[i].classes >> k & 1u))
                    continue;
                if (rules[i].y0 <= last[k])
                    return false;
                last[k] = rules[i].y1;
            }
        }
        return true;
    }
    uint16_t used = (uint16_t)((1u << noc->n_classes) - 1);
    for (uint32_t i = 0; i < r->n_rules; i++)
        for (uint32_t j = i + 1; j < r->n_rules && rules[j].x0 <= rules[i].x1; j++)
            if ((rules[i].classes & rules[j].classes & used) && rules[i].y0 <= rules[j].y1 &&
                rules[j].y0 <= rules[i].y1)
                return false;
    return true;
}

static bool check_rules(struct check *c)
{
    const struct noc *noc = c->noc;
    uint32_t n_bad = 0;
    for (uint32_t i = 0; i < noc->n_routers && n_bad < MAX_ERRORS; i++) {
        const struct noc_router *r = &noc->routers[i];
        for (uint32_t j = 0; j < r->n_rules; j++) {
            const struct noc_rule *rule = &noc->rules[r->first_rule + j];
            bool ok = rule->x0 <= rule->x1 && rule->y0 <= rule->y1 && rule->n_choices > 0 &&
                      (rule->class_to == NOC_SAME_CLASS || rule->class_to < noc->n_classes);
            for (uint32_t k = 0; ok && k < rule->n_choices; k++) {
                uint16_t port = noc->choices[rule->first_choice + k];
                ok = port < r->n_out && noc->out_channels[r->first_out + port] != NOC_NONE;
            }
            if (!ok) {
                router_error(c, i, "a route leads to a port that is not connected");
                n_bad++;
                break;
            }
        }
        if (!rules_are_disjoint(noc, r)) {
            router_error(c, i, "two routes for the same destination and class");
            n_bad++;
        }
    }
    return !n_bad;
}

static bool check_classes(struct check *c)
{
    const struct noc *noc = c->noc;
    if (noc->n_classes < 1 || noc->n_classes > NOC_MAX_CLASSES)
        return err_add(c->err, ERR_INPUT, NOWHERE, "%u route classes are not in 1..%u",
                       noc->n_classes, NOC_MAX_CLASSES);
    for (uint8_t k = 0; k < noc->n_classes; k++)
        if (!noc->vc_ranges[k].n || noc->vc_ranges[k].first + noc->vc_ranges[k].n > noc->vcs)
            return err_add(c->err, ERR_INPUT, NOWHERE,
                           "route class %u has no VCs among the noc.vcs = %u", k, noc->vcs);
    return true;
}

/* ---- cycles --------------------------------------------------------------------------------- */

struct walk {
    uint32_t node, next; /* next edge to look at */
};

struct check_cycle check_find_cycle(uint32_t n_nodes, const struct check_edges *edges,
                                    struct arena *mem)
{
    uint32_t *first = arena_many(mem, uint32_t, (size_t)n_nodes + 1);
    uint32_t *to = arena_many(mem, uint32_t, edges->n);
    for (size_t i = 0; i < edges->n; i++)
        first[edges->at[i][0]]++;
    for (uint32_t i = 0, sum = 0; i <= n_nodes; i++) {
        sum += first[i];
        first[i] = sum; /* end; the filling below turns it into the start */
    }
    for (size_t i = edges->n; i-- > 0;)
        to[--first[edges->at[i][0]]] = edges->at[i][1];

    enum { WHITE, GREY, BLACK };
    uint8_t *colour = arena_many(mem, uint8_t, n_nodes);
    struct walk *stack = arena_many(mem, struct walk, n_nodes);
    for (uint32_t start = 0; start < n_nodes; start++) {
        if (colour[start] != WHITE || first[start] == first[start + 1])
            continue;
        uint32_t depth = 0;
        stack[depth++] = (struct walk){start, first[start]};
        colour[start] = GREY;
        while (depth) {
            struct walk *top = &stack[depth - 1];
            if (top->next == first[top->node + 1]) {
                colour[top->node] = BLACK;
                depth--;
                continue;
            }
            uint32_t node = to[top->next++];
            if (colour[node] == WHITE) {
                colour[node] = GREY;
                stack[depth++] = (struct walk){node, first[node]};
            } else if (colour[node] == GREY) {
                uint32_t from = depth - 1;
                while (stack[from].node != node)
                    from--;
                struct check_cycle cycle = {arena_many(mem, uint32_t, depth - from), depth - from};
                for (uint32_t i = 0; i < cycle.n; i++)
                    cycle.nodes[i] = stack[from + i].node;
                return cycle;
            }
        }
    }
    return (struct check_cycle){NULL, 0};
}

static void record_cycle(struct check *c, const struct check_cycle *cycle, struct arena *mem,
                         struct noc_facts *facts)
{
    uint32_t *channels = arena_many(mem, uint32_t, cycle->n);
    uint8_t *classes = arena_many(mem, uint8_t, cycle->n);
    for (uint32_t i = 0; i < cycle->n; i++) {
        channels[i] = cycle->nodes[i] / c->n_groups;
        uint8_t group = (uint8_t)(cycle->nodes[i] % c->n_groups);
        while (c->group_of[classes[i]] != group)
            classes[i]++;
    }
    facts->cycle = (struct noc_cycle){channels, classes, cycle->n};
}

static bool cycle_error(struct check *c, const struct noc_cycle *cycle)
{
    struct buf text;
    buf_init(&text, c->mem, 16384);
    for (uint32_t i = 0; i < cycle->n; i++) {
        buf_add(&text, i ? "; " : "");
        noc_name_channel(c->noc, cycle->channels[i], &text);
        if (c->noc->n_classes > 1)
            buf_printf(&text, " (class %u)", cycle->classes[i]);
    }
    return err_add(c->err, ERR_INPUT, NOWHERE,
                   "the %s network can deadlock: %u channels wait for each other in a cycle: %s%s",
                   c->noc->dir == NOC_REPLY     ? "reply"
                   : c->noc->dir == NOC_REQUEST ? "request"
                                                : "shared",
                   cycle->n, text.data, text.overflowed ? " …" : "");
}

/* Kahn's algorithm over routers; what it cannot reach lies on or behind a cycle. */
bool check_depths(const struct noc *noc, struct arena *mem, struct check_depth **out,
                  bool **in_cycle)
{
    struct check_depth *depth = arena_many(mem, struct check_depth, noc->n_routers);
    uint32_t *waits = arena_many(mem, uint32_t, noc->n_routers);
    uint32_t *queue = arena_many(mem, uint32_t, noc->n_routers), n = 0;
    for (uint32_t i = 0; i < noc->n_channels; i++)
        if (noc->channels[i].src_node == NOC_ROUTER && noc->channels[i].dst_node == NOC_ROUTER &&
            !noc->channels[i].is_side)
            waits[noc->channels[i].dst]++;
    for (uint32_t r = 0; r < noc->n_routers; r++) {
        depth[r].least = UINT32_MAX;
        for (uint32_t p = 0; p < noc->routers[r].n_in; p++) {
            uint32_t in = noc_in_channel(noc, r, p);
            if (in != NOC_NONE && noc->channels[in].src_node == NOC_ENDPOINT)
                depth[r] = (struct check_depth){1, 1};
        }
        if (!waits[r])
            queue[n++] = r;
    }
    for (uint32_t i = 0; i < n; i++) {
        struct check_depth here = depth[queue[i]];
        for (uint32_t p = 0; p < noc->routers[queue[i]].n_out; p++) {
            uint32_t ch = noc_out_channel(noc, queue[i], p);
            if (ch == NOC_NONE || noc->channels[ch].dst_node != NOC_ROUTER)
                continue;
            uint32_t to = noc->channels[ch].dst;
            if (here.least != UINT32_MAX) {
                if (here.least + 1 < depth[to].least)
                    depth[to].least = here.least + 1;
                if (here.most + 1 > depth[to].most)
                    depth[to].most = here.most + 1;
            }
            if (!--waits[to])
                queue[n++] = to;
        }
    }
    *out = depth;
    *in_cycle = arena_many(mem, bool, noc->n_routers);
    for (uint32_t r = 0; r < noc->n_routers; r++)
        (*in_cycle)[r] = waits[r] > 0;
    return n == noc->n_routers;
}

/* What goes in and out at the ports of one network in a cycle, at most. */
static void count_ports(const struct noc *noc, struct noc_facts *facts)
{
    facts->injection_bits = facts->ejection_bits = 0;
    for (uint32_t e = 0; e < noc->n_endpoints; e++) {
        const struct noc_endpoint *end = &noc->endpoints[e];
        if (end->inject != NOC_NONE)
            facts->injection_bits += noc->channels[end->inject].width_bits;
        if (end->eject != NOC_NONE)
            facts->ejection_bits += noc->channels[end->eject].width_bits;
    }
}

/* ---- all of it ------------------------------------------------------------------------------ */

static bool check_all(struct check *c, bool allow_cycles, struct arena *mem,
                      struct noc_facts *facts)
{
    if (!check_classes(c) || !check_channels(c) || !check_ports(c) || !check_endpoints(c) ||
        !check_rules(c))
        return false;
    setup(c);
    facts->is_deadlock_free = true;
    if (check_fast(c, facts) == CHECK_DONT_KNOW) {
        struct check_cycle cycle;
        if (!check_exact(c, facts, &cycle))
            return false;
        /* what is under way on a ring of taps waits for nothing: there is no dependency */
        if (cycle.n && c->noc->flow != NOC_RING) {
            facts->is_deadlock_free = false;
            record_cycle(c, &cycle, mem, facts);
            if (!allow_cycles)
                return cycle_error(c, &facts->cycle);
        }
    }
    check_bisection(c, facts);
    count_ports(c->noc, facts);
    return true;
}

bool noc_check(const struct noc *noc, bool allow_cycles, struct arena *mem, struct noc_facts *facts,
               struct err *err)
{
    struct arena scratch;
    arena_init(&scratch, mem->out_of_memory, mem->ctx);
    struct check c = {.noc = noc, .mem = &scratch, .err = err};
    struct noc_facts found = {0};
    bool ok = check_all(&c, allow_cycles, mem, &found);
    if (ok)
        *facts = found;
    arena_free(&scratch);
    return ok;
}
