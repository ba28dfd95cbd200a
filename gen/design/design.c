/* SPDX-License-Identifier: MIT
 *
 * arch -> design: networks, arrays, then one id for every component and one class for equal ones.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/map.h"
#include "base/vec.h"
#include "gen/config/keys.h"
#include "gen/design/design.h"
#include "gen/design/structures.h"

struct maker {
    const struct arch *arch;
    struct arena *mem;
    struct design *d;
    struct map links; /* "direction width length" -> class */
    VEC(struct book_class) classes;
};

static const char *const net_names[2] = {"request", "reply"};

/* ---- networks -------------------------------------------------------------------------------- */

/* The same mistake in both networks is one mistake. */
static void join_new(struct err *err, const struct err *more, struct arena *mem)
{
    for (const struct err_entry *e = more->first; e; e = e->next) {
        const char *text = err_entry_text(e, mem);
        bool is_known = false;
        for (const struct err_entry *k = err->first; k && !is_known; k = k->next)
            is_known = strcmp(err_entry_text(k, mem), text) == 0;
        if (is_known)
            continue;
        if (e->kind == ERR_WARNING)
            err_warn(err, e->at, "%s", e->text);
        else if (e->kind == ERR_NOTE)
            err_note(err, e->at, "%s", e->text);
        else
            err_add(err, e->kind, e->at, "%s", e->text);
    }
}

static bool find_halves(struct maker *m, struct err *err)
{
    struct design *d = m->d;
    struct noc_halves *h = arena_new(m->mem, struct noc_halves);
    const struct noc_params *params[] = {&d->request_params, &d->reply_params};
    const struct noc *nocs[] = {&d->request, &d->reply};
    if (!d->has_reply || m->arch->llc.sectors_one_by_one || !noc_halves_of(params, nocs, m->mem, h))
        return err_add(err, ERR_INPUT, key_where(m->arch, "llc.far_copies", NOC_REQUEST),
                       "needs hierarchical networks of requests and of replies, of the same GPCs "
                       "and partitions in noc.hierarchical.halves = 2 with as many slices each, "
                       "and llc.sectors_one_by_one = false");
    d->halves = h;
    return true;
}

static bool build_networks(struct maker *m, bool allow_cycles, struct err *err)
{
    struct design *d = m->d;
    d->has_reply = !m->arch->noc_shared;
    d->request_params = m->arch->noc[NOC_REQUEST].params;
    d->reply_params = m->arch->noc[NOC_REPLY].params;
    bool ok = noc_build(&d->request_params, d->has_reply ? NOC_REQUEST : NOC_BOTH, allow_cycles,
                        m->mem, &d->request, &d->request_facts, err);
    if (d->has_reply) {
        struct err more;
        err_init(&more);
        ok &= noc_build(&d->reply_params, NOC_REPLY, allow_cycles, m->mem, &d->reply,
                        &d->reply_facts, &more);
        join_new(err, &more, m->mem);
        err_free(&more);
    }
    if (!ok)
        return false;
    noc_place(&m->arch->place, &d->request, d->has_reply ? &d->reply : NULL, m->mem, &d->floorplan);
    noc_count(&d->request, m->mem, &d->request_counts);
    if (d->has_reply)
        noc_count(&d->reply, m->mem, &d->reply_counts);
    bool wants_halves = m->arch->llc.far_copies && m->arch->gpu.network == NETWORK_design;
    return !wants_halves || find_halves(m, err);
}

/* ---- classes --------------------------------------------------------------------------------- */

static uint32_t add_class(struct maker *m, struct book_class c)
{
    vec_push(m->mem, &m->classes, c);
    return (uint32_t)m->classes.n - 1;
}

/* Output ports that a router's round-robin units choose among. */
static uint32_t rr_unit_ports(const struct noc *noc, const struct noc_router *r, uint64_t *seen)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_rules; i++) {
        const struct noc_rule *rule = &noc->rules[r->first_rule + i];
        for (uint32_t k = 0; rule->select == NOC_SELECT_RR_UNIT && k < rule->n_choices; k++) {
            uint16_t port = noc->choices[rule->first_choice + k];
            n += !bits_test(seen, port);
            bits_set(seen, port);
        }
    }
    if (n)
        memset(seen, 0, bits_words(r->n_out) * sizeof *seen);
    return n;
}

/* A tap, or the queues at the end of a network of taps. */
static void tap_spec(const struct noc *noc, uint32_t router, struct router_spec *spec)
{
    const struct noc_router *r = &noc->routers[router];
    spec->grant_holder = false;
    spec->merge_entries = spec->merge_bits = 0;
    if (r->kind == NOC_QUEUES) { /* as many flits cross in a cycle as are read */
        spec->outputs = noc->drain_flits;
        spec->vcs = 1;
        spec->vc_depth = noc->queue_flits;
        return;
    }
    spec->is_tap = true;
    spec->vcs = spec->vc_depth = 0;
    for (uint32_t i = 0; i < r->n_in; i++) {
        uint32_t c = noc_in_channel(noc, router, i);
        if (c != NOC_NONE && noc->channels[c].src_node == NOC_ENDPOINT)
            spec->gate_flits = 2; /* its link and the way back, a cycle each */
    }
    for (uint32_t i = 0; i < r->n_out; i++) {
        uint32_t c = noc_out_channel(noc, router, i);
        if (c != NOC_NONE && noc->channels[c].dst_node == NOC_ROUTER)
            spec->hop_mm =
                fmax(spec->hop_mm, round((double)noc->channels[c].length_mm * 100) / 100);
    }
    if (noc->flow == NOC_TOKEN && spec->gate_flits) {
        spec->token_numbers = noc->n_endpoints - noc->n_sm_ports;
        spec->token_bits = 1 + spec->token_numbers * bits_clog2(noc->queue_flits + 1);
    }
}

static const char *router_name(struct maker *m, int net, const struct noc_router *r,
                               const struct router_spec *spec)
{
    if (r->kind == NOC_QUEUES)
        return arena_printf(m->mem, "%s queues of %u x %u flits", net_names[net], spec->inputs,
                            spec->vc_depth);
    if (r->kind == NOC_TAP)
        return arena_printf(m->mem, "%s tap %ux%u%s, %.2f mm", net_names[net], spec->inputs,
                            spec->outputs,
                            spec->token_bits   ? " with token"
                            : spec->gate_flits ? " with source"
                                               : "",
                            spec->hop_mm);
    return arena_printf(m->mem, "%s router %ux%u", net_names[net], spec->inputs, spec->outputs);
}

static uint32_t router_class(struct maker *m, const struct noc *noc, int net, uint32_t router,
                             size_t first_class, uint64_t *seen)
{
    const struct noc_router *r = &noc->routers[router];
    const struct arch_net *a = &m->arch->noc[net];
    const struct design_array *merge = design_array(m->d, ROLE_PACKET_MERGE);
    bool merges = merge && net == NOC_REQUEST;
    struct router_spec spec = {
        .inputs = r->n_in,
        .outputs = r->n_out,
        .flit_bits = noc->width_bits,
        .vcs = noc->vcs,
        .vc_depth = noc->vc_depth,
        .clock_ghz = a->clock_ghz,
        .traversal_stages = a->traversal_stages,
        .two_cycle_alloc = strcmp(a->slow_allocation, "two_cycles") == 0 || a->router.extra_alloc,
        .rr_unit_ports = rr_unit_ports(noc, r, seen),
        .merge_entries = merges ? (uint32_t)merge->geometry.entries : 0,
        .merge_bits = merges ? array_bits_per_entry(&merge->geometry) : 0,
        .grant_holder = merges,
    };
    if (r->kind != NOC_VC_ROUTER)
        tap_spec(noc, router, &spec);
    for (size_t i = first_class; i < m->classes.n; i++) {
        struct book_class *c = &m->classes.at[i];
        if (c->router.inputs == spec.inputs && c->router.outputs == spec.outputs &&
            c->router.rr_unit_ports == spec.rr_unit_ports && c->router.is_tap == spec.is_tap &&
            c->router.gate_flits == spec.gate_flits && c->router.token_bits == spec.token_bits &&
            c->router.hop_mm == spec.hop_mm) {
            c->instances++;
            return (uint32_t)i;
        }
    }
    return add_class(m, (struct book_class){
                            .kind = CK_ROUTER,
                            .name = router_name(m, net, r, &spec),
                            .group = net ? "noc.reply" : "noc.request",
                            .instances = 1,
                            .router = spec,
                        });
}

/* Stages of a link that has a register at least every noc.register_mm, and `more` beyond them. */
static uint32_t stages_of(const struct arch_net *net, double length_mm, uint32_t more)
{
    uint32_t n =
        net->register_mm > 0 ? (uint32_t)fmin(1000, ceil(length_mm / net->register_mm - 1e-9)) : 0;
    return more ? (n ? n : 1) + more : n;
}

/* Inputs of the tap at the end of a channel that comes from one: a hop of one cycle. */
static uint32_t inputs_of_tap(const struct noc *noc, const struct noc_channel *ch)
{
    if (ch->is_side || ch->src_node != NOC_ROUTER || ch->dst_node != NOC_ROUTER ||
        noc->routers[ch->src].kind != NOC_TAP || noc->routers[ch->dst].kind != NOC_TAP)
        return 0;
    return noc->routers[ch->dst].n_in;
}

/* Lengths that differ by less than 10 um are one class. */
static uint32_t link_class(struct maker *m, const struct noc_channel *ch, int net,
                           uint32_t tap_inputs)
{
    double length_mm = round((double)ch->length_mm * 100) / 100;
    char key[64];
    snprintf(key, sizeof key, "%d %u %.2f %u %u %d", net, ch->width_bits, length_mm,
             ch->more_stages, tap_inputs, ch->is_side);
    size_t id;
    if (map_get(&m->links, key, &id)) {
        m->classes.at[id].instances++;
        return (uint32_t)id;
    }
    id = add_class(
        m, (struct book_class){
               .kind = CK_CHANNEL,
               .name = arena_printf(m->mem, "%s %s %.2f mm", net_names[net],
                                    ch->is_side ? "token or credit wires" : "link", length_mm),
               .group = net ? "noc.reply" : "noc.request",
               .instances = 1,
               .link = {.width_bits = ch->width_bits,
                        .length_mm = length_mm,
                        .delay_ns = 1 / m->arch->noc[net].clock_ghz,
                        .stages = stages_of(&m->arch->noc[net], length_mm, ch->more_stages),
                        .tap_inputs = tap_inputs},
           });
    map_add(&m->links, key, id);
    return (uint32_t)id;
}

/* ---- components ------------------------------------------------------------------------------ */

static bool has_concentrators(const struct arch *arch)
{
    return arch->gpu.n_clusters < arch->gpu.n_sms &&
           strcmp(arch->cluster.concentrator, "hardware") == 0;
}

static uint32_t count_components(const struct design *d)
{
    uint32_t n = d->request.n_routers + d->request.n_channels;
    if (d->has_reply)
        n += d->reply.n_routers + d->reply.n_channels;
    for (uint32_t i = 0; i < d->n_arrays; i++) {
        if (!array_role_is_in_router(d->arrays[i].role))
            n += d->arrays[i].geometry.instances;
    }
    if (has_concentrators(d->arch))
        n += 2 * (d->arch->gpu.n_clusters + d->arch->gpu.n_sms);
    return n + d->arch->gpu.n_sms + 2 * d->arch->dram.controllers;
}

static void add_component(struct design *d, enum component_kind kind, uint32_t class_id,
                          uint32_t index)
{
    d->components[d->n_components++] = (struct component){kind, class_id, index};
}

static void begin_group(struct design *d, enum component_group g)
{
    d->groups[g].first = d->n_components;
}

static void end_group(struct design *d, enum component_group g)
{
    d->groups[g].n = d->n_components - d->groups[g].first;
}

static void add_network(struct maker *m, const struct noc *noc, int net)
{
    struct design *d = m->d;
    enum component_group routers = net ? GROUP_REPLY_ROUTERS : GROUP_REQUEST_ROUTERS;
    enum component_group channels = net ? GROUP_REPLY_CHANNELS : GROUP_REQUEST_CHANNELS;
    bool is_there = net == NOC_REQUEST || d->has_reply;
    uint64_t *seen = arena_many(m->mem, uint64_t, bits_words(UINT16_MAX + 1));
    size_t first_class = m->classes.n;

    begin_group(d, routers);
    for (uint32_t i = 0; is_there && i < noc->n_routers; i++)
        add_component(d, CK_ROUTER, router_class(m, noc, net, i, first_class, seen), i);
    end_group(d, routers);
    begin_group(d, channels);
    for (uint32_t i = 0; is_there && i < noc->n_channels; i++)
        add_component(d, CK_CHANNEL,
                      link_class(m, &noc->channels[i], net, inputs_of_tap(noc, &noc->channels[i])),
                      i);
    end_group(d, channels);
}

/* Multiplexer, buffers and arbiter between the SMs of a port and the network, as the local crossbar
 * of a CD-Xbar with one converged port; for replies the other way round. */
static uint32_t concentrator_class(struct maker *m, int net, const struct noc_endpoint *port)
{
    const struct design *d = m->d;
    int described = d->has_reply ? net : NOC_REQUEST;
    const struct noc *noc = described ? &d->reply : &d->request;
    const struct arch_net *a = &m->arch->noc[described];
    struct router_spec spec = {
        .inputs = net ? 1 : port->n,
        .outputs = net ? port->n : 1,
        .flit_bits = noc->width_bits,
        .vcs = noc->vcs,
        .vc_depth = noc->vc_depth,
        .clock_ghz = a->clock_ghz,
        .traversal_stages = a->traversal_stages,
        .two_cycle_alloc = strcmp(a->slow_allocation, "two_cycles") == 0 || a->router.extra_alloc,
    };
    const char *name =
        arena_printf(m->mem, "%s %ux%u", net ? "reply distributor" : "request concentrator",
                     spec.inputs, spec.outputs);
    for (size_t i = 0; i < m->classes.n; i++)
        if (strcmp(m->classes.at[i].name, name) == 0) {
            m->classes.at[i].instances++;
            return (uint32_t)i;
        }
    return add_class(m, (struct book_class){.kind = CK_ROUTER,
                                            .name = name,
                                            .group = described ? "noc.reply" : "noc.request",
                                            .instances = 1,
                                            .router = spec});
}

/* Lengths from the SMs' tiles to the middle of those that share a port, mm; [SM]. */
static double *sm_lengths(struct maker *m, const struct noc *noc)
{
    const struct noc_floorplan *die = &m->d->floorplan;
    uint32_t n_sms = m->arch->gpu.n_sms;
    double *mm = arena_many(m->mem, double, n_sms);
    const struct noc_endpoint **port = arena_many(m->mem, const struct noc_endpoint *, n_sms);
    for (uint32_t e = 0; e < noc->n_endpoints; e++)
        for (uint32_t k = 0; noc->endpoints[e].kind == NOC_EP_SM && k < noc->endpoints[e].n; k++)
            port[noc->endpoints[e].first + k] = &noc->endpoints[e];
    for (uint32_t i = 0; i < n_sms; i++)
        mm[i] = 0.1;
    for (uint32_t i = 0; i < die->n_tiles; i++) {
        const struct noc_tile *t = &die->tiles[i];
        if (t->kind != NOC_EP_SM || t->is_mc || t->index >= n_sms || !port[t->index])
            continue;
        mm[t->index] =
            fmax(0.1, fabs((double)t->x_mm + t->width_mm / 2 - port[t->index]->x_mm) +
                          fabs((double)t->y_mm + t->height_mm / 2 - port[t->index]->y_mm));
    }
    return mm;
}

static void add_concentrators(struct maker *m, int net)
{
    struct design *d = m->d;
    const struct noc *noc = net && d->has_reply ? &d->reply : &d->request;
    bool is_there = has_concentrators(m->arch);
    enum component_group routers = net ? GROUP_REPLY_CONCENTRATORS : GROUP_REQUEST_CONCENTRATORS;
    enum component_group links = net ? GROUP_REPLY_SM_LINKS : GROUP_REQUEST_SM_LINKS;
    begin_group(d, routers);
    for (uint32_t e = 0, i = 0; is_there && e < noc->n_endpoints; e++)
        if (noc->endpoints[e].kind == NOC_EP_SM)
            add_component(d, CK_ROUTER, concentrator_class(m, net, &noc->endpoints[e]), i++);
    end_group(d, routers);
    begin_group(d, links);
    const double *mm = is_there ? sm_lengths(m, noc) : NULL;
    for (uint32_t sm = 0; mm && sm < m->arch->gpu.n_sms; sm++) {
        struct noc_channel link = {.width_bits = (uint16_t)noc->width_bits,
                                   .length_mm = (float)mm[sm]};
        add_component(d, CK_CHANNEL, link_class(m, &link, d->has_reply ? net : NOC_REQUEST, 0), sm);
    }
    end_group(d, links);
}

static void add_arrays(struct maker *m)
{
    struct design *d = m->d;
    begin_group(d, GROUP_ARRAYS);
    for (uint32_t i = 0; i < d->n_arrays; i++) {
        struct design_array *a = &d->arrays[i];
        a->first_component = a->class_id = DESIGN_NONE;
        if (array_role_is_in_router(a->role))
            continue;
        a->first_component = d->n_components;
        a->class_id = add_class(m, (struct book_class){.kind = CK_ARRAY,
                                                       .name = a->geometry.name,
                                                       .group = a->geometry.name,
                                                       .instances = a->geometry.instances,
                                                       .array = &a->geometry});
        for (uint32_t k = 0; k < a->geometry.instances; k++)
            add_component(d, CK_ARRAY, a->class_id, k);
    }
    end_group(d, GROUP_ARRAYS);
}

static void add_parts(struct maker *m, enum component_group g, enum component_kind kind,
                      const char *name, const char *group, uint32_t n)
{
    begin_group(m->d, g);
    uint32_t class_id = add_class(
        m, (struct book_class){.kind = kind, .name = name, .group = group, .instances = n});
    for (uint32_t i = 0; i < n; i++)
        add_component(m->d, kind, class_id, i);
    end_group(m->d, g);
}

bool design_make(const struct arch *arch, bool allow_cycles, struct arena *mem, struct design *out,
                 struct err *err)
{
    *out = (struct design){.arch = arch};
    struct maker m = {.arch = arch, .mem = mem, .d = out};
    map_init(&m.links, mem);
    if (!build_networks(&m, allow_cycles, err))
        return false;
    structures_make(arch, out, mem);
    out->components = arena_many(mem, struct component, count_components(out));
    add_network(&m, &out->request, NOC_REQUEST);
    add_network(&m, &out->reply, NOC_REPLY);
    add_concentrators(&m, NOC_REQUEST);
    add_concentrators(&m, NOC_REPLY);
    add_arrays(&m);
    uint32_t controllers = arch->dram.controllers;
    add_parts(&m, GROUP_SM_CORES, CK_SM_CORE, "SM core", "core", arch->gpu.n_sms);
    add_parts(&m, GROUP_MEMORY_CONTROLLERS, CK_MEMORY_CONTROLLER, "memory controller", "mc",
              controllers);
    add_parts(&m, GROUP_DRAM_CHANNELS, CK_DRAM, "DRAM channel", "dram", controllers);
    begin_group(out, GROUP_USER);
    end_group(out, GROUP_USER);
    assert(out->n_components == count_components(out));
    out->classes = m.classes.at;
    out->n_classes = (uint32_t)m.classes.n;
    return true;
}

/* ---- asking ---------------------------------------------------------------------------------- */

const char *design_topology(const struct design *d, struct arena *mem)
{
    if (!d->has_reply || strcmp(d->request.topology, d->reply.topology) == 0)
        return d->request.topology;
    return arena_printf(mem, "%s/%s", d->request.topology, d->reply.topology);
}

static const char *network_text(const struct noc *noc, const char *routing, struct arena *mem)
{
    const char *text = arena_printf(mem, "%s%s%s, %u bit", noc->topology, routing[0] ? ", " : "",
                                    routing, noc->width_bits);
    if (noc->flow == NOC_TOKEN)
        return arena_printf(mem, "%s, queues of %u flits", text, noc->queue_flits);
    if (noc->flow == NOC_RING)
        return text;
    return arena_printf(mem, "%s, %u VCs of %u flits", text, noc->vcs, noc->vc_depth);
}

const char *design_networks(const struct design *d, bool with_routing, struct arena *mem)
{
    const char *texts[2] = {"", ""};
    for (int net = 0; net < (d->has_reply ? 2 : 1); net++) {
        const char *routing = (net ? &d->reply_params : &d->request_params)->routing;
        texts[net] =
            network_text(net ? &d->reply : &d->request,
                         with_routing ? arena_printf(mem, "%s routing", routing) : "", mem);
    }
    if (!d->has_reply || strcmp(d->request.topology, d->reply.topology) == 0)
        return texts[0];
    return arena_printf(mem, "requests %s; replies %s", texts[0], texts[1]);
}

const struct design_array *design_array(const struct design *d, enum array_role role)
{
    for (uint32_t i = 0; i < d->n_arrays; i++) {
        if (d->arrays[i].role == role)
            return &d->arrays[i];
    }
    return NULL;
}

const char *design_component_name(const struct design *d, uint32_t component, struct arena *mem)
{
    static const char *const names[GROUP_COUNT] = {
        "request router",    "request channel",      "reply router",
        "reply channel",     "request concentrator", "request SM link",
        "reply distributor", "reply SM link",        "array",
        "SM core",           "memory controller",    "DRAM channel",
        "user component"};
    for (int g = 0; g < GROUP_COUNT; g++) {
        if (component < d->groups[g].first || component - d->groups[g].first >= d->groups[g].n)
            continue;
        const struct component *c = &d->components[component];
        if (g != GROUP_ARRAYS)
            return arena_printf(mem, "%s %u", names[g], c->index);
        const struct array *a = d->classes[c->class_id].array;
        return arena_printf(mem, "%s %u", a->name, c->index);
    }
    return arena_printf(mem, "component %u", component);
}
