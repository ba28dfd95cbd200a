/* SPDX-License-Identifier: MIT */
#include "noc/graph.h"

#include <assert.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"

/* ---- building ------------------------------------------------------------------------------- */

struct built_rule {
    uint32_t router, order; /* order of addition */
    struct noc_rule rule;
};

struct noc_builder {
    struct arena *mem;
    const char *topology;
    enum noc_dir dir;
    VEC(struct noc_router) routers;
    VEC(struct noc_channel) channels;
    VEC(struct noc_endpoint) endpoints;
    VEC(uint32_t) ins;
    VEC(uint32_t) outs;
    VEC(struct built_rule) rules;
    VEC(uint16_t) choices;
    VEC(const char *) names; /* as long as the last router that was named */
    uint32_t n_sm_ports;
};

struct noc_builder *noc_builder_new(struct arena *scratch, const char *topology, enum noc_dir dir)
{
    struct noc_builder *b = arena_new(scratch, struct noc_builder);
    b->mem = scratch;
    b->topology = topology;
    b->dir = dir;
    return b;
}

uint32_t noc_add_router(struct noc_builder *b, uint16_t n_in, uint16_t n_out, uint16_t stage,
                        uint16_t x, uint16_t y)
{
    struct noc_router r = {.n_in = n_in,
                           .n_out = n_out,
                           .first_in = (uint32_t)b->ins.n,
                           .first_out = (uint32_t)b->outs.n,
                           .stage = stage,
                           .x = x,
                           .y = y};
    for (uint32_t i = 0; i < n_in; i++)
        vec_push(b->mem, &b->ins, NOC_NONE);
    for (uint32_t i = 0; i < n_out; i++)
        vec_push(b->mem, &b->outs, NOC_NONE);
    vec_push(b->mem, &b->routers, r);
    return (uint32_t)b->routers.n - 1;
}

void noc_set_router_name(struct noc_builder *b, uint32_t router, const char *name)
{
    assert(router < b->routers.n);
    while (b->names.n <= router)
        vec_push(b->mem, &b->names, NULL);
    b->names.at[router] = name;
}

uint32_t noc_add_endpoint(struct noc_builder *b, enum noc_endpoint_kind kind, uint32_t first,
                          uint32_t n, uint16_t x, uint16_t y)
{
    struct noc_endpoint e = {.kind = kind,
                             .first = first,
                             .n = n,
                             .x = x,
                             .y = y,
                             .inject = NOC_NONE,
                             .eject = NOC_NONE};
    if (kind == NOC_EP_SM) {
        assert(b->n_sm_ports == b->endpoints.n); /* SM ports come first */
        b->n_sm_ports++;
    }
    vec_push(b->mem, &b->endpoints, e);
    return (uint32_t)b->endpoints.n - 1;
}

static uint32_t add_channel(struct noc_builder *b, struct noc_channel c)
{
    vec_push(b->mem, &b->channels, c);
    return (uint32_t)b->channels.n - 1;
}

static uint8_t endpoint_link_class(const struct noc_endpoint *e)
{
    return e->kind == NOC_EP_LLC ? NOC_LINK_LLC : NOC_LINK_SM;
}

static uint32_t *in_slot(struct noc_builder *b, uint32_t router, uint16_t port)
{
    assert(router < b->routers.n && port < b->routers.at[router].n_in);
    uint32_t *slot = &b->ins.at[b->routers.at[router].first_in + port];
    assert(*slot == NOC_NONE);
    return slot;
}

static uint32_t *out_slot(struct noc_builder *b, uint32_t router, uint16_t port)
{
    assert(router < b->routers.n && port < b->routers.at[router].n_out);
    uint32_t *slot = &b->outs.at[b->routers.at[router].first_out + port];
    assert(*slot == NOC_NONE);
    return slot;
}

uint32_t noc_link(struct noc_builder *b, uint32_t from, uint16_t out_port, uint32_t to,
                  uint16_t in_port)
{
    uint32_t *out = out_slot(b, from, out_port), *in = in_slot(b, to, in_port);
    *out = *in = add_channel(b, (struct noc_channel){.src_node = NOC_ROUTER,
                                                     .dst_node = NOC_ROUTER,
                                                     .src = from,
                                                     .dst = to,
                                                     .src_port = out_port,
                                                     .dst_port = in_port,
                                                     .link_class = NOC_LINK_ROUTER});
    return *out;
}

uint32_t noc_inject(struct noc_builder *b, uint32_t endpoint, uint32_t router, uint16_t in_port)
{
    struct noc_endpoint *e = &b->endpoints.at[endpoint];
    assert(endpoint < b->endpoints.n && e->inject == NOC_NONE);
    uint32_t *in = in_slot(b, router, in_port);
    *in = e->inject = add_channel(b, (struct noc_channel){.src_node = NOC_ENDPOINT,
                                                          .dst_node = NOC_ROUTER,
                                                          .src = endpoint,
                                                          .dst = router,
                                                          .dst_port = in_port,
                                                          .link_class = endpoint_link_class(e)});
    return *in;
}

uint32_t noc_eject(struct noc_builder *b, uint32_t router, uint16_t out_port, uint32_t endpoint)
{
    struct noc_endpoint *e = &b->endpoints.at[endpoint];
    assert(endpoint < b->endpoints.n && e->eject == NOC_NONE);
    uint32_t *out = out_slot(b, router, out_port);
    *out = e->eject = add_channel(b, (struct noc_channel){.src_node = NOC_ROUTER,
                                                          .dst_node = NOC_ENDPOINT,
                                                          .src = router,
                                                          .dst = endpoint,
                                                          .src_port = out_port,
                                                          .link_class = endpoint_link_class(e)});
    return *out;
}

void noc_set_length(struct noc_builder *b, uint32_t channel, double length_mm)
{
    assert(channel < b->channels.n);
    b->channels.at[channel].length_mm = (float)length_mm;
    b->channels.at[channel].fixed_length = true;
}

void noc_set_more_stages(struct noc_builder *b, uint32_t channel, uint16_t stages)
{
    assert(channel < b->channels.n);
    b->channels.at[channel].more_stages = stages;
}

void noc_add_rule(struct noc_builder *b, uint32_t router, struct noc_rule rule,
                  const uint16_t *choices, uint16_t n_choices)
{
    assert(router < b->routers.n && n_choices > 0);
    rule.first_choice = (uint32_t)b->choices.n;
    rule.n_choices = n_choices;
    if (n_choices == 1)
        rule.select = NOC_SELECT_ONLY;
    for (uint32_t i = 0; i < n_choices; i++)
        vec_push(b->mem, &b->choices, choices[i]);
    b->routers.at[router].n_rules++;
    vec_push(b->mem, &b->rules, (struct built_rule){router, (uint32_t)b->rules.n, rule});
}

/* Rules in the order in which noc_route searches them. */
static int compare_rules(const void *left, const void *right)
{
    const struct noc_rule *a = &((const struct built_rule *)left)->rule;
    const struct noc_rule *b = &((const struct built_rule *)right)->rule;
    if (a->x0 != b->x0)
        return a->x0 < b->x0 ? -1 : 1;
    if (a->y0 != b->y0)
        return a->y0 < b->y0 ? -1 : 1;
    uint32_t i = ((const struct built_rule *)left)->order,
             j = ((const struct built_rule *)right)->order;
    return (i > j) - (i < j);
}

static bool is_banded(const struct noc_rule *rules, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        bool same = rules[i].x0 == rules[i - 1].x0 && rules[i].x1 == rules[i - 1].x1;
        if (!same && rules[i].x0 <= rules[i - 1].x1)
            return false;
    }
    return true;
}

static void freeze_rules(struct noc_builder *b, struct arena *mem, struct noc *out)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < out->n_routers; i++) {
        out->routers[i].first_rule = next;
        next += out->routers[i].n_rules;
    }
    struct built_rule *sorted = arena_many(b->mem, struct built_rule, b->rules.n);
    uint32_t *fill = arena_many(b->mem, uint32_t, out->n_routers);
    for (size_t i = 0; i < b->rules.n; i++) {
        uint32_t r = b->rules.at[i].router;
        sorted[out->routers[r].first_rule + fill[r]++] = b->rules.at[i];
    }
    out->n_rules = (uint32_t)b->rules.n;
    out->rules = arena_many(mem, struct noc_rule, out->n_rules);
    for (uint32_t i = 0; i < out->n_routers; i++) {
        struct noc_router *r = &out->routers[i];
        struct built_rule *first = sorted + r->first_rule;
        for (uint32_t j = 1; j < r->n_rules; j++)
            if (compare_rules(&first[j - 1], &first[j]) > 0) {
                qsort(first, r->n_rules, sizeof *first, compare_rules);
                break;
            }
        for (uint32_t j = 0; j < r->n_rules; j++)
            out->rules[r->first_rule + j] = first[j].rule;
        r->is_banded = is_banded(out->rules + r->first_rule, r->n_rules);
    }
}

#define FREEZE(mem, type, v) ((type *)copy_array((mem), (v).at, (v).n, sizeof(type)))
static void *copy_array(struct arena *mem, const void *from, size_t n, size_t size)
{
    void *to = arena_array(mem, n, size);
    if (n)
        memcpy(to, from, n * size);
    return to;
}

void noc_freeze(struct noc_builder *b, uint32_t width_bits, uint32_t vcs, uint32_t vc_depth,
                struct arena *mem, struct noc *out)
{
    *out = (struct noc){.topology = b->topology,
                        .dir = b->dir,
                        .width_bits = width_bits,
                        .vcs = vcs,
                        .vc_depth = vc_depth,
                        .n_routers = (uint32_t)b->routers.n,
                        .n_channels = (uint32_t)b->channels.n,
                        .n_endpoints = (uint32_t)b->endpoints.n,
                        .n_sm_ports = b->n_sm_ports,
                        .n_choices = (uint32_t)b->choices.n,
                        .n_classes = 1,
                        .class_rule = NOC_CLASS_SINGLE};
    out->vc_ranges[0] = (struct noc_vc_range){0, (uint8_t)vcs};
    out->routers = FREEZE(mem, struct noc_router, b->routers);
    out->channels = FREEZE(mem, struct noc_channel, b->channels);
    for (uint32_t i = 0; i < out->n_channels; i++)
        out->channels[i].width_bits = (uint16_t)width_bits;
    out->endpoints = FREEZE(mem, struct noc_endpoint, b->endpoints);
    out->in_channels = FREEZE(mem, uint32_t, b->ins);
    out->out_channels = FREEZE(mem, uint32_t, b->outs);
    out->choices = FREEZE(mem, uint16_t, b->choices);
    freeze_rules(b, mem, out);
    if (b->names.n) {
        out->router_names = arena_many(mem, const char *, out->n_routers);
        for (uint32_t i = 0; i < out->n_routers; i++)
            if (i < b->names.n && b->names.at[i])
                out->router_names[i] = arena_strdup(mem, b->names.at[i]);
    }
}

/* ---- asking --------------------------------------------------------------------------------- */

static bool serves(const struct noc_rule *rule, uint32_t x, uint32_t y, uint8_t cls)
{
    return rule->x0 <= x && x <= rule->x1 && rule->y0 <= y && y <= rule->y1 &&
           (rule->classes >> cls & 1u);
}

/* How many of the first rules have (x0, y0) <= (x, y) in the order of their sorting. */
static uint32_t count_up_to(const struct noc_rule *rules, uint32_t n, uint32_t x, uint32_t y)
{
    uint32_t lo = 0, hi = n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (rules[mid].x0 < x || (rules[mid].x0 == x && rules[mid].y0 <= y))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

const struct noc_rule *noc_route(const struct noc *noc, uint32_t router, uint32_t dst, uint8_t cls)
{
    const struct noc_router *r = &noc->routers[router];
    const struct noc_rule *rules = noc->rules + r->first_rule;
    uint32_t n = r->n_rules, x = noc->endpoints[dst].x, y = noc->endpoints[dst].y;

    if (n > 8 && r->is_banded) {
        /* tables with one rule per destination, in order: the place is known */
        uint32_t guess = x - rules[0].x0;
        if (guess < n && serves(&rules[guess], x, y, cls))
            return &rules[guess];
        uint32_t up_to = count_up_to(rules, n, x, UINT32_MAX);
        if (!up_to)
            return NULL;
        uint32_t band = rules[up_to - 1].x0;
        for (uint32_t i = count_up_to(rules, n, band, y); i-- > 0 && rules[i].x0 == band;)
            if (serves(&rules[i], x, y, cls))
                return &rules[i];
        return NULL;
    }
    for (uint32_t i = 0; i < n; i++)
        if (serves(&rules[i], x, y, cls))
            return &rules[i];
    return NULL;
}

/* Checkerboard (after Bakhoda 2010): places with odd x + y are half-routers, where a packet cannot
 * turn. XY turns at (dst.x, src.y), YX at (src.x, dst.y); if both are half-routers the packet makes
 * one step in Y first, onto a full router (class 2; noc/topology/mesh.c). */
static uint8_t checkerboard_class(const struct noc_endpoint *s, const struct noc_endpoint *d)
{
    if (s->x == d->x || s->y == d->y || !((d->x + s->y) & 1))
        return 0;
    return (s->x + d->y) & 1 ? 2 : 1;
}

uint8_t noc_first_class(const struct noc *noc, uint32_t src, uint32_t dst, bool is_reply)
{
    uint8_t base = 0;
    if (is_reply && noc->dir == NOC_BOTH)
        base = noc->first_reply_class;
    switch (noc->class_rule) {
    case NOC_CLASS_SINGLE: return 0;
    case NOC_CLASS_CHECKERBOARD:
        return (uint8_t)(base + checkerboard_class(&noc->endpoints[src], &noc->endpoints[dst]));
    case NOC_CLASS_MESSAGE:
        if (is_reply)
            return noc->first_reply_class ? noc->first_reply_class : 1;
        return 0;
    }
    return 0;
}

uint32_t noc_endpoint_of_sm(const struct noc *noc, uint32_t sm)
{
    uint32_t lo = 0, hi = noc->n_sm_ports;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        const struct noc_endpoint *e = &noc->endpoints[mid];
        if (sm < e->first)
            hi = mid;
        else if (sm >= e->first + e->n)
            lo = mid + 1;
        else
            return mid;
    }
    return NOC_NONE;
}

uint32_t noc_endpoint_router(const struct noc *noc, uint32_t endpoint)
{
    const struct noc_endpoint *e = &noc->endpoints[endpoint];
    if (e->inject != NOC_NONE)
        return noc->channels[e->inject].dst;
    return e->eject != NOC_NONE ? noc->channels[e->eject].src : NOC_NONE;
}

/* ---- names ---------------------------------------------------------------------------------- */

void noc_name_router(const struct noc *noc, uint32_t router, struct buf *out)
{
    if (noc->router_names && noc->router_names[router])
        buf_add(out, noc->router_names[router]);
    else if (noc->grid_columns)
        buf_printf(out, "router (%u,%u)", noc->routers[router].x, noc->routers[router].y);
    else
        buf_printf(out, "router %u", router);
}

void noc_name_endpoint(const struct noc *noc, uint32_t endpoint, struct buf *out)
{
    switch (noc->endpoints[endpoint].kind) {
    case NOC_EP_SM: buf_printf(out, "sm %u", endpoint); return;
    case NOC_EP_LLC: buf_printf(out, "llc %u", endpoint - noc->n_sm_ports); return;
    case NOC_EP_NODE: buf_printf(out, "node %u", endpoint); return;
    }
}

void noc_name_channel(const struct noc *noc, uint32_t channel, struct buf *out)
{
    const struct noc_channel *c = &noc->channels[channel];
    if (c->src_node == NOC_ROUTER)
        noc_name_router(noc, c->src, out);
    else
        noc_name_endpoint(noc, c->src, out);
    buf_add(out, " -> ");
    if (c->dst_node == NOC_ROUTER)
        noc_name_router(noc, c->dst, out);
    else
        noc_name_endpoint(noc, c->dst, out);
}
