/* SPDX-License-Identifier: MIT */
#include "gen/price/bill.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"

const char *const bill_activity_names[BILL_ACTIVITIES] = {"flow", "component", "routed",
                                                          "simulated"};
const char *const bill_power_names[BILL_POWERS] = {"buffer", "crossbar", "allocator", "links",
                                                   "clock"};
const enum cost_part bill_power_parts[BILL_POWERS] = {PART_BUFFER, PART_CROSSBAR, PART_ALLOCATOR,
                                                      PART_REPEATER, PART_CLOCK};
const char *const bill_area_names[BILL_AREAS] = {"buffers", "crossbars", "allocators", "clock",
                                                 "repeaters"};
const enum cost_part bill_area_parts[BILL_AREAS] = {PART_BUFFER, PART_CROSSBAR, PART_ALLOCATOR,
                                                    PART_CLOCK, PART_REPEATER};

/* Passas, Katevenis, Pnevmatikatos 2012; Sewell et al. 2012 */
const struct bill_published bill_published[BILL_PUBLISHED] = {
    {"128-radix crossbar, 32 bit, 90 nm", 750, 128, 32, 90},
    {"Swizzle-Switch, 64-radix, 128 bit, 32 nm", 1500, 64, 128, 32},
};

double bill_scaled_mhz(const struct bill_published *p, double radix, double width_bits,
                       double node_nm)
{
    return p->clock_mhz * (p->radix / radix) * (p->width_bits / width_bits) *
           (p->node_nm / node_nm);
}

const struct book_class *bill_slowest(const struct priced *priced)
{
    for (uint32_t k = 0; k < priced->book.n_classes; k++)
        if (priced->classes[k].kind == CK_ROUTER &&
            strcmp(priced->classes[k].name, priced->clock.limited_by) == 0)
            return &priced->classes[k];
    return NULL;
}

double bill_routers_mm2(const struct bill_net *n)
{
    return n->area_mm2[PART_BUFFER] + n->area_mm2[PART_CROSSBAR] + n->area_mm2[PART_ALLOCATOR] +
           n->area_mm2[PART_CLOCK];
}

double bill_active_mm2(const struct bill_net *n)
{
    return bill_routers_mm2(n) + n->area_mm2[PART_REPEATER];
}

double bill_leakage_w(const struct bill_net *n)
{
    double sum = 0;
    for (int p = 0; p < PART_COUNT; p++)
        sum += p == PART_OTHER ? 0 : n->leakage_w[p];
    return sum;
}

double bill_dynamic_w(const struct bill_net *n)
{
    double sum = 0;
    for (int p = 0; p < BILL_POWERS; p++)
        sum += n->dynamic_w[p];
    return sum;
}

/* ---- prices ---------------------------------------------------------------------------------- */

bool bill_price(const struct design *design, const char *data_dir, struct arena *mem,
                struct priced *out, struct err *err)
{
    struct design *networks = arena_new(mem, struct design);
    *networks = *design;
    networks->n_arrays = 0;
    networks->n_components =
        design->groups[GROUP_REPLY_SM_LINKS].first + design->groups[GROUP_REPLY_SM_LINKS].n;
    networks->n_classes = 0;
    for (uint32_t i = 0; i < networks->n_components; i++)
        if (design->components[i].class_id >= networks->n_classes)
            networks->n_classes = design->components[i].class_id + 1;
    return price_design(networks, data_dir, 0, mem, out, err);
}

/* ---- energy of a flit ------------------------------------------------------------------------ */

/* pJ by part; the clock does not depend on flits. `routers` counts how many are on the way. */
struct way {
    double pj[BILL_POWERS], additions_pj, routers;
};

static void way_add(struct way *w, const struct way *more, double times)
{
    for (int i = 0; i < BILL_POWERS; i++)
        w->pj[i] += more->pj[i] * times;
    w->additions_pj += more->additions_pj * times;
    w->routers += more->routers * times;
}

static struct way router_way(const struct cost *c)
{
    struct way w = {.routers = 1, .additions_pj = cost_additions_pj(c)};
    w.pj[BILL_BUFFER] = c->energy_pj[EV_BUF_WRITE] + c->energy_pj[EV_BUF_READ];
    w.pj[BILL_CROSSBAR] = c->energy_pj[EV_XBAR];
    w.pj[BILL_ALLOCATOR] = c->energy_pj[EV_SW_ALLOC] + c->vc_alloc_pj;
    return w;
}

static struct way link_way(const struct cost *c)
{
    struct way w = {.routers = 0};
    w.pj[BILL_LINKS] = c->energy_pj[EV_LINK];
    return w;
}

/* One network with the prices of its parts. */
struct net {
    const struct noc *noc;
    const struct priced *priced;
    uint32_t first_router, first_channel; /* component ids */
};

static const struct cost *router_cost(const struct net *n, uint32_t router)
{
    return &n->priced->book.costs[n->priced->class_of[n->first_router + router]];
}

static const struct cost *channel_cost(const struct net *n, uint32_t channel)
{
    return &n->priced->book.costs[n->priced->class_of[n->first_channel + channel]];
}

/* Mean ways from every (router, route class) to one destination, found once each. */
struct walk {
    const struct net *net;
    uint32_t dst;
    struct way *ways;
    uint8_t *state; /* 0 unknown, 1 being found, 2 known */
};

static bool walk_from(struct walk *k, uint32_t router, uint8_t cls, const struct way **out)
{
    const struct noc *noc = k->net->noc;
    size_t at = (size_t)router * noc->n_classes + cls;
    *out = &k->ways[at];
    if (k->state[at] == 2)
        return true;
    const struct noc_rule *rule = noc_route(noc, router, k->dst, cls);
    if (k->state[at] == 1 || !rule || rule->n_choices == 0)
        return false;
    k->state[at] = 1;
    struct way sum = router_way(router_cost(k->net, router));
    uint8_t next_class = rule->class_to == NOC_SAME_CLASS ? cls : rule->class_to;
    for (uint16_t i = 0; i < rule->n_choices; i++) {
        uint32_t channel = noc_out_channel(noc, router, noc->choices[rule->first_choice + i]);
        if (channel == NOC_NONE)
            return false;
        double share = 1.0 / rule->n_choices;
        struct way link = link_way(channel_cost(k->net, channel));
        way_add(&sum, &link, share);
        const struct noc_channel *c = &noc->channels[channel];
        const struct way *rest;
        if (c->dst_node == NOC_ENDPOINT)
            continue;
        if (!walk_from(k, c->dst, next_class, &rest))
            return false;
        way_add(&sum, rest, share);
    }
    k->ways[at] = sum;
    k->state[at] = 2;
    return true;
}

/* The mean over all pairs of a source of `from` and a destination of `to`. */
static bool routed_way(const struct net *n, enum noc_endpoint_kind from, enum noc_endpoint_kind to,
                       bool is_reply, struct way *out, struct err *err)
{
    const struct noc *noc = n->noc;
    size_t states = (size_t)noc->n_routers * noc->n_classes, pairs = 0;
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct walk k = {.net = n,
                     .ways = arena_many(&mem, struct way, states),
                     .state = arena_many(&mem, uint8_t, states)};
    struct way sum = {.routers = 0};
    bool ok = true;
    for (uint32_t d = 0; ok && d < noc->n_endpoints; d++) {
        if (noc->endpoints[d].kind != to || noc->endpoints[d].eject == NOC_NONE)
            continue;
        k.dst = d;
        memset(k.state, 0, states);
        for (uint32_t s = 0; ok && s < noc->n_endpoints; s++) {
            const struct noc_endpoint *e = &noc->endpoints[s];
            if (e->kind != from || e->inject == NOC_NONE || s == d)
                continue;
            struct way in = link_way(channel_cost(n, e->inject));
            const struct way *rest;
            ok = walk_from(&k, noc->channels[e->inject].dst, noc_first_class(noc, s, d, is_reply),
                           &rest);
            if (!ok)
                break;
            way_add(&sum, &in, 1);
            way_add(&sum, rest, 1);
            pairs++;
        }
    }
    arena_free(&mem);
    if (!ok)
        return err_add(err, ERR_INPUT, NOWHERE, "a route of this network does not arrive");
    memset(out, 0, sizeof *out);
    if (pairs)
        way_add(out, &sum, 1.0 / (double)pairs);
    return true;
}

static struct way mean_link(const struct net *n, enum noc_link_class cls)
{
    struct way mean = {.routers = 0};
    uint32_t count = 0;
    for (uint32_t c = 0; c < n->noc->n_channels; c++) {
        if (n->noc->channels[c].link_class != cls)
            continue;
        struct way w = link_way(channel_cost(n, c));
        way_add(&mean, &w, 1);
        count++;
    }
    struct way out = {.routers = 0};
    if (count)
        way_add(&out, &mean, 1.0 / count);
    return out;
}

/* Uniform traffic on a mesh: (columns + rows) / 3 hops, one router more, a channel at each end. */
static struct way mesh_way(const struct net *n)
{
    double hops = (n->noc->grid_columns + n->noc->grid_rows) / 3.0;
    struct way mean = {.routers = 0}, out = {.routers = 0};
    for (uint32_t r = 0; r < n->noc->n_routers; r++) {
        struct way w = router_way(router_cost(n, r));
        way_add(&mean, &w, 1.0 / n->noc->n_routers);
    }
    struct way between = mean_link(n, NOC_LINK_ROUTER), sm = mean_link(n, NOC_LINK_SM),
               llc = mean_link(n, NOC_LINK_LLC);
    way_add(&out, &mean, hops + 1);
    way_add(&out, &between, hops);
    way_add(&out, &sm, 1);
    way_add(&out, &llc, 1);
    return out;
}

static struct way component_way(const struct net *n)
{
    struct way out = {.routers = 0};
    for (uint32_t r = 0; r < n->noc->n_routers; r++) {
        struct way w = router_way(router_cost(n, r));
        way_add(&out, &w, n->noc->routers[r].n_in);
    }
    for (uint32_t c = 0; c < n->noc->n_channels; c++) {
        struct way w = link_way(channel_cost(n, c));
        way_add(&out, &w, 1);
    }
    return out;
}

/* ---- one network ----------------------------------------------------------------------------- */

static void add_flits(struct bill_net *b, const struct way *w, double flits, double ghz)
{
    for (int i = 0; i < BILL_POWERS; i++)
        b->dynamic_w[i] += flits * w->pj[i] * ghz * 1e-3;
    b->additions_w += flits * w->additions_pj * ghz * 1e-3;
}

static double count_endpoints(const struct noc *noc, enum noc_endpoint_kind kind)
{
    double n = 0;
    for (uint32_t e = 0; e < noc->n_endpoints; e++)
        n += noc->endpoints[e].kind == kind;
    return n;
}

static bool flow_power(const struct net *n, const struct bill_options *o, bool requests,
                       bool replies, struct bill_net *b, struct err *err)
{
    double ghz = n->priced->clock.clock_ghz, sms = count_endpoints(n->noc, NOC_EP_SM),
           llcs = count_endpoints(n->noc, NOC_EP_LLC), routers = 0;
    for (int is_reply = 0; is_reply < 2; is_reply++) {
        if (!(is_reply ? replies : requests))
            continue;
        double flits = o->rate * (is_reply && !o->reply_is_same ? llcs : sms);
        enum noc_endpoint_kind from = is_reply ? NOC_EP_LLC : NOC_EP_SM,
                               to = is_reply ? NOC_EP_SM : NOC_EP_LLC;
        if (sms == 0 || llcs == 0) /* plain terminals: all to all */
            flits = o->rate * count_endpoints(n->noc, from = to = NOC_EP_NODE);
        struct way w = {.routers = 0};
        if (o->activity == BILL_FLOW && n->noc->grid_columns)
            w = mesh_way(n);
        else if (!routed_way(n, from, to, is_reply, &w, err))
            return false;
        add_flits(b, &w, flits, ghz);
        b->flits += flits;
        routers += w.routers * flits;
    }
    b->mean_routers = b->flits > 0 ? routers / b->flits : 0;
    return true;
}

static void add_cost(const struct cost *c, bool is_router, double ghz, struct bill_net *b,
                     bool *meets)
{
    for (int p = 0; p < PART_COUNT; p++) {
        b->area_mm2[p] += c->area_um2[p] * 1e-6;
        b->leakage_w[p] += c->leakage_w[p];
    }
    b->wire_mm2 += c->wire_area_um2 * 1e-6;
    if (is_router)
        b->dynamic_w[BILL_CLOCK] += c->energy_pj[EV_ROUTER_CLOCK] * ghz * 1e-3;
    *meets &= c->meets_timing;
}

static void add_costs(const struct net *n, struct bill_net *b, bool *meets)
{
    double ghz = n->priced->clock.clock_ghz;
    for (uint32_t i = 0; i < n->noc->n_routers + n->noc->n_channels; i++) {
        bool is_router = i < n->noc->n_routers;
        add_cost(is_router ? router_cost(n, i) : channel_cost(n, i - n->noc->n_routers), is_router,
                 ghz, b, meets);
    }
}

/* Concentrators and links between SMs and the network's ports: their cost, and that of every flit,
 * which passes one of each. `first` and `last` are the directions that belong to this network. */
static void add_concentrators(const struct priced *p, int first, int last,
                              const struct bill_options *o, struct bill_net *b, bool *meets)
{
    static const enum component_group groups[2][2] = {
        {GROUP_REQUEST_CONCENTRATORS, GROUP_REQUEST_SM_LINKS},
        {GROUP_REPLY_CONCENTRATORS, GROUP_REPLY_SM_LINKS}};
    double ghz = p->clock.clock_ghz;
    struct way each = {.routers = 0}, inputs = {.routers = 0};
    uint32_t sms = p->design->arch->gpu.n_sms * (uint32_t)(last - first + 1);
    for (int net = first; net <= last; net++)
        for (int is_link = 0; is_link < 2; is_link++) {
            const struct group *g = &p->design->groups[groups[net][is_link]];
            for (uint32_t i = 0; i < g->n; i++) {
                const uint32_t k = p->class_of[g->first + i];
                const struct cost *c = &p->book.costs[k];
                const struct router_spec *s = &p->classes[k].router;
                struct way w = is_link ? link_way(c) : router_way(c);
                double served = is_link ? 1 : s->inputs > s->outputs ? s->inputs : s->outputs;
                add_cost(c, !is_link, ghz, b, meets);
                way_add(&each, &w, served / sms);
                way_add(&inputs, &w, is_link ? 1 : s->inputs);
            }
        }
    if (o->activity == BILL_COMPONENT)
        add_flits(b, &inputs, o->rate, ghz);
    else
        add_flits(b, &each, b->flits, ghz);
    b->mean_routers += each.routers;
}

static void add_net(struct bill_net *sum, const struct bill_net *n)
{
    for (int p = 0; p < PART_COUNT; p++) {
        sum->area_mm2[p] += n->area_mm2[p];
        sum->leakage_w[p] += n->leakage_w[p];
    }
    for (int p = 0; p < BILL_POWERS; p++)
        sum->dynamic_w[p] += n->dynamic_w[p];
    sum->additions_w += n->additions_w;
    sum->wire_mm2 += n->wire_mm2;
    double flits = sum->flits + n->flits;
    sum->mean_routers =
        flits > 0 ? (sum->mean_routers * sum->flits + n->mean_routers * n->flits) / flits : 0;
    sum->flits = flits;
}

bool bill_make(const struct priced *priced, const struct bill_options *options, struct bill *out,
               struct err *err)
{
    const struct design *d = priced->design;
    struct bill b = {
        .priced = priced, .options = *options, .has_reply = d->has_reply, .meets_timing = true};
    for (int i = 0; i < (d->has_reply ? 2 : 1); i++) {
        struct net n = {
            .noc = i ? &d->reply : &d->request,
            .priced = priced,
            .first_router = d->groups[i ? GROUP_REPLY_ROUTERS : GROUP_REQUEST_ROUTERS].first,
            .first_channel = d->groups[i ? GROUP_REPLY_CHANNELS : GROUP_REQUEST_CHANNELS].first};
        struct bill_net *bn = &b.nets[i];
        add_costs(&n, bn, &b.meets_timing);
        if (options->activity == BILL_COMPONENT) {
            struct way w = component_way(&n);
            add_flits(bn, &w, options->rate, priced->clock.clock_ghz);
        } else if (options->activity == BILL_SIMULATED) {
            if (!bill_simulate(priced, i, i == 0, i == 1 || !d->has_reply, options, bn, err))
                return false;
        } else if (!flow_power(&n, options, i == 0, i == 1 || !d->has_reply, bn, err)) {
            return false;
        }
        add_concentrators(priced, i, d->has_reply ? i : 1, options, bn, &b.meets_timing);
        add_net(&b.nets[BILL_SUM], bn);
    }
    *out = b;
    return true;
}
