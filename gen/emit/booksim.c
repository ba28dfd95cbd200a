/* SPDX-License-Identifier: MIT
 *
 * booksim-request.cfg and booksim-reply.cfg: the networks as BookSim2 configurations. Meshes,
 * butterflies and crossbars are its own; the others are `anynet` with a network file. What it
 * cannot express is said in the file:
 *   - anynet has one channel between two routers and one route to each node, so CD-Xbar's global
 *     crossbar is cut into as many slices as there are converged ports, each with a share of the
 *     destinations: the same channels, without the choice;
 *   - every node injects, since BookSim has no list of sources. */
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/printable.h"
#include "gen/config/keys.h"
#include "gen/emit/emit.h"
#include "gen/template.h"

struct page {
    struct emit *e;
    const struct noc *noc;
    const struct noc_params *params;
    const struct router_params *router;
    const char *name; /* "request" */
    struct scope *s;
    bool is_mesh;       /* BookSim's own: nodes are numbered by place */
    struct buf remarks; /* lines beginning with // */
};

/* BookSim's number of an endpoint. */
static uint32_t node_of(const struct page *b, uint32_t endpoint)
{
    if (b->is_mesh) {
        const struct noc_router *r = &b->noc->routers[noc_endpoint_router(b->noc, endpoint)];
        return r->y * (uint32_t)b->noc->grid_columns + r->x;
    }
    return endpoint;
}

static void remark(struct page *b, const char *text)
{
    buf_printf(&b->remarks, "// %s\n", text);
}

static void set_traffic(struct page *b)
{
    struct buf t;
    buf_init(&t, b->e->mem, BUF_NO_MAX);
    buf_add(&t, "hotspot({{");
    const char *comma = "";
    for (uint32_t i = 0; i < b->noc->n_endpoints; i++) {
        if (b->noc->endpoints[i].eject == NOC_NONE)
            continue;
        buf_printf(&t, "%s%u", comma, node_of(b, i));
        comma = ",";
    }
    buf_add(&t, "}})");
    scope_text(b->s, "traffic", t.data);
}

static void set_built_in(struct page *b, const char *topology, uint32_t k, uint32_t n,
                         const char *routing)
{
    scope_text(b->s, "topology", topology);
    scope_int(b->s, "k", k);
    scope_int(b->s, "n", n);
    scope_text(b->s, "routing", routing);
    scope_text(b->s, "network_file", "");
}

/* ---- anynet ---------------------------------------------------------------------------------- */

/* How many slices a router is cut into: the most parallel channels that it has with another. */
static uint32_t slices_of(const struct noc *noc, uint32_t router, struct arena *mem)
{
    const struct noc_router *r = &noc->routers[router];
    uint32_t most = 1;
    struct map seen;
    map_init(&seen, mem);
    uint32_t *counts = arena_many(mem, uint32_t, (size_t)r->n_in + r->n_out + 1);
    for (uint32_t i = 0; i < (uint32_t)r->n_in + r->n_out; i++) {
        uint32_t ch = i < r->n_in ? noc_in_channel(noc, router, i)
                                  : noc_out_channel(noc, router, i - r->n_in);
        if (ch == NOC_NONE)
            continue;
        const struct noc_channel *c = &noc->channels[ch];
        bool is_in = i < r->n_in;
        if ((is_in ? c->src_node : c->dst_node) != NOC_ROUTER)
            continue;
        const char *key = arena_printf(mem, "%d %u", is_in, is_in ? c->src : c->dst);
        size_t k = seen.n;
        if (!map_get(&seen, key, &k)) {
            map_add(&seen, key, seen.n);
            k = seen.n - 1;
        }
        counts[k]++;
        most = counts[k] > most ? counts[k] : most;
    }
    return most;
}

/* A router with parallel channels is cut only if its partners are not; of two such, the larger. */
static uint32_t *cut_routers(const struct noc *noc, struct arena *mem, uint32_t *n_parts)
{
    uint32_t *first = arena_many(mem, uint32_t, (size_t)noc->n_routers + 1);
    uint32_t largest = 0;
    for (uint32_t i = 0; i < noc->n_routers; i++) {
        uint32_t ports = (uint32_t)noc->routers[i].n_in * noc->routers[i].n_out;
        largest = ports > largest ? ports : largest;
    }
    for (uint32_t i = 0; i < noc->n_routers; i++) {
        uint32_t ports = (uint32_t)noc->routers[i].n_in * noc->routers[i].n_out;
        first[i + 1] = first[i] + (ports == largest ? slices_of(noc, i, mem) : 1);
    }
    *n_parts = first[noc->n_routers];
    return first;
}

static void add_nodes(const struct noc *noc, uint32_t router, uint32_t part, uint32_t parts,
                      struct buf *text)
{
    const struct noc_router *r = &noc->routers[router];
    uint32_t n = 0, total = 0;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < (uint32_t)r->n_in + r->n_out; i++) {
            bool is_in = i < r->n_in;
            uint32_t ch =
                is_in ? noc_in_channel(noc, router, i) : noc_out_channel(noc, router, i - r->n_in);
            if (ch == NOC_NONE)
                continue;
            const struct noc_channel *c = &noc->channels[ch];
            if ((is_in ? c->src_node : c->dst_node) != NOC_ENDPOINT)
                continue;
            uint32_t endpoint = is_in ? c->src : c->dst;
            if (!is_in && noc->endpoints[endpoint].inject != NOC_NONE &&
                noc->channels[noc->endpoints[endpoint].inject].dst == router)
                continue; /* said with its injection */
            if (pass == 0)
                total++;
            else if ((uint64_t)n++ * parts / total == part)
                buf_printf(text, " node %u", endpoint);
        }
    }
}

static bool write_anynet(struct page *b, struct err *err)
{
    const struct noc *noc = b->noc;
    struct arena *mem = b->e->mem;
    uint32_t n_parts;
    uint32_t *first = cut_routers(noc, mem, &n_parts);
    struct buf text;
    buf_init(&text, mem, BUF_NO_MAX);
    bool is_cut = n_parts > noc->n_routers;
    uint32_t n_hidden = 0;
    for (uint32_t i = 0; i < noc->n_routers; i++) {
        uint32_t parts = first[i + 1] - first[i];
        for (uint32_t k = 0; k < parts; k++) {
            buf_printf(&text, "router %u", first[i] + k);
            add_nodes(noc, i, k, parts, &text);
            struct map seen;
            map_init(&seen, mem);
            uint32_t n_to = 0;
            for (uint32_t o = 0; o < noc->routers[i].n_out; o++) {
                uint32_t ch = noc_out_channel(noc, i, o);
                if (ch == NOC_NONE || noc->channels[ch].dst_node != NOC_ROUTER)
                    continue;
                uint32_t to = noc->channels[ch].dst, to_parts = first[to + 1] - first[to];
                for (uint32_t t = 0; t < to_parts; t++) {
                    const char *key = arena_printf(mem, "%u", first[to] + t);
                    if (map_add(&seen, key, n_to++))
                        buf_printf(&text, " router %u", first[to] + t);
                    else if (!is_cut)
                        n_hidden++;
                }
            }
            buf_add(&text, "\n");
        }
    }
    if (is_cut)
        remark(b,
               "Routers with parallel channels are cut into slices, one per channel, each with a\n"
               "// share of the nodes: anynet has one channel between two routers.");
    if (n_hidden)
        remark(b, "Parallel channels between two routers are one channel here.");
    set_built_in(b, "anynet", 1, 1, "min");
    const char *file = arena_printf(mem, "booksim-%s.net", b->name);
    scope_text(b->s, "network_file", file);
    return emit_text(b->e, file, &text, err);
}

/* ---- one network ----------------------------------------------------------------------------- */

static bool set_topology(struct page *b, struct err *err)
{
    const struct noc *noc = b->noc;
    if (noc->grid_columns && noc->grid_columns == noc->grid_rows) {
        if (strcmp(b->params->routing, "xy") != 0)
            remark(b,
                   arena_printf(b->e->mem, "Routing here is %s; BookSim's mesh has dim_order (xy).",
                                b->params->routing));
        if (strcmp(noc->topology, "smesh") == 0)
            remark(b, "S-Mesh: BookSim's mesh also has the direction that no packet takes.");
        b->is_mesh = true;
        set_built_in(b, "mesh", noc->grid_columns, 2, "dim_order");
        return true;
    }
    if (strcmp(noc->topology, "butterfly") == 0) {
        set_built_in(b, "fly", b->params->fly_k, b->params->fly_n, "dest_tag");
        return true;
    }
    if (strcmp(noc->topology, "crossbar") == 0) {
        set_built_in(b, "fly", noc->n_endpoints, 1, "dest_tag");
        return true;
    }
    return write_anynet(b, err);
}

static bool write_net(struct emit *e, const struct noc *noc, const struct noc_params *params,
                      const struct router_params *router, const char *name, struct err *err)
{
    if (noc->flow != NOC_WORMHOLE) { /* a file all the same, so that nobody looks for it */
        struct buf text;
        buf_init(&text, e->mem, 1024);
        buf_printf(
            &text,
            "// The %s network is %s, which BookSim2 cannot describe: its routers have input "
            "buffers and\n// allocators, this network has neither. `crosswatt net` "
            "simulates it.\n",
            name, noc->topology);
        return emit_text(e, arena_printf(e->mem, "booksim-%s.cfg", name), &text, err);
    }
    struct page b = {.e = e, .noc = noc, .params = params, .router = router, .name = name};
    b.s = scope_new(e->mem);
    buf_init(&b.remarks, e->mem, 4096);
    scope_text(b.s, "file", printable_text(e->mem, e->design->arch->file));
    scope_text(b.s, "net", name);
    scope_text(b.s, "design", noc->topology);
    if (!set_topology(&b, err))
        return false;
    set_traffic(&b);
    scope_text(b.s, "remarks", b.remarks.data);
    scope_int(b.s, "vcs", noc->vcs);
    scope_int(b.s, "vc_depth", noc->vc_depth);
    scope_int(b.s, "routing_delay", router->lookahead ? 0 : router->routing_delay);
    scope_int(b.s, "vc_alloc_delay", router->vc_alloc_delay);
    scope_int(b.s, "sw_alloc_delay", router->sw_alloc_delay);
    scope_int(b.s, "st_delay", router->st_delay);
    scope_int(b.s, "credit_delay", router->credit_delay);
    scope_int(b.s, "speculative", router->speculative);
    scope_int(b.s, "input_speedup", router->input_speedup);
    scope_int(b.s, "output_speedup", router->output_speedup);
    scope_int(b.s, "internal_speedup", router->internal_speedup);
    /* BookSim's router takes iterations and arbiters from the allocator's name only */
    const char *allocator = key_choice("noc.router.allocator", router->allocator);
    if (router->allocator != ALLOCATOR_islip)
        scope_format(b.s, "allocator", "%s(%s)", allocator,
                     key_choice("noc.router.arbiter", router->arbiter));
    else if (router->iterations > 1)
        scope_format(b.s, "allocator", "%s(%u)", allocator, router->iterations);
    else
        scope_text(b.s, "allocator", allocator);
    return emit_template(e, arena_printf(e->mem, "booksim-%s.cfg", name), "booksim.cfg", b.s, err);
}

static bool write(struct emit *e, struct err *err)
{
    const struct design *d = e->design;
    const struct arch *a = d->arch;
    bool ok = write_net(e, &d->request, &d->request_params, &a->noc[NOC_REQUEST].router,
                        d->has_reply ? "request" : "shared", err);
    if (d->has_reply)
        ok &= write_net(e, &d->reply, &d->reply_params, &a->noc[NOC_REPLY].router, "reply", err);
    return ok;
}

const struct emitter emit_booksim = {
    .name = "booksim",
    .meaning = "booksim-request.cfg, booksim-reply.cfg: BookSim2 configurations",
    .write = write,
};
