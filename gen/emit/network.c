/* SPDX-License-Identifier: MIT
 *
 * network.json: all routers, ports, channels and endpoints of both networks; routing rules on
 * request. */
#include <jansson.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/table.h"
#include "gen/emit/emit.h"

static json_t *millimetres(float v)
{
    return json_num((double)(int64_t)(v * 1000 + 0.5f) / 1000);
}

static json_t *ports_json(const uint32_t *channels, uint32_t n)
{
    json_t *a = json_array();
    for (uint32_t i = 0; i < n; i++)
        json_array_append_new(a, channels[i] == NOC_NONE ? json_null() : json_integer(channels[i]));
    return a;
}

static const char *const select_names[] = {"only",         "source",     "random", "round_robin",
                                           "least_loaded", "random_two", "rr_unit"};

static json_t *rules_json(const struct noc *noc, const struct noc_router *r)
{
    json_t *a = json_array();
    for (uint32_t i = 0; i < r->n_rules; i++) {
        const struct noc_rule *rule = &noc->rules[r->first_rule + i];
        json_t *o =
            json_pack("{s:[i,i], s:[i,i], s:i, s:s}", "x", rule->x0, rule->x1, "y", rule->y0,
                      rule->y1, "classes", rule->classes, "select", select_names[rule->select]);
        if (rule->class_to != NOC_SAME_CLASS)
            json_object_set_new(o, "class_to", json_integer(rule->class_to));
        json_t *ports = json_array();
        for (uint32_t k = 0; k < rule->n_choices; k++)
            json_array_append_new(ports, json_integer(noc->choices[rule->first_choice + k]));
        json_object_set_new(o, "ports", ports);
        json_array_append_new(a, o);
    }
    return a;
}

static json_t *routers_json(const struct noc *noc, bool routes, struct arena *mem)
{
    static const char *const kinds[] = {"router", "tap", "queues"};
    json_t *a = json_array();
    for (uint32_t i = 0; i < noc->n_routers; i++) {
        const struct noc_router *r = &noc->routers[i];
        struct buf name;
        buf_init(&name, mem, 256);
        noc_name_router(noc, i, &name);
        json_t *o = json_object();
        json_object_set_new(o, "id", json_integer(i));
        json_object_set_new(o, "name", json_string(name.data));
        if (noc->flow != NOC_WORMHOLE)
            json_object_set_new(o, "kind", json_string(kinds[r->kind]));
        json_object_set_new(o, "stage", json_integer(r->stage));
        json_object_set_new(o, "x_mm", millimetres(r->x_mm));
        json_object_set_new(o, "y_mm", millimetres(r->y_mm));
        json_object_set_new(o, "inputs", ports_json(noc->in_channels + r->first_in, r->n_in));
        json_object_set_new(o, "outputs", ports_json(noc->out_channels + r->first_out, r->n_out));
        if (routes)
            json_object_set_new(o, "routes", rules_json(noc, r));
        json_array_append_new(a, o);
    }
    return a;
}

static json_t *end_json(enum noc_node node, uint32_t id, uint16_t port)
{
    if (node == NOC_ENDPOINT)
        return json_pack("{s:i}", "endpoint", (int)id);
    return json_pack("{s:i, s:i}", "router", (int)id, "port", (int)port);
}

static json_t *channels_json(const struct noc *noc)
{
    static const char *const classes[] = {"sm", "llc", "router"};
    json_t *a = json_array();
    for (uint32_t i = 0; i < noc->n_channels; i++) {
        const struct noc_channel *c = &noc->channels[i];
        json_t *o = json_object();
        json_object_set_new(o, "id", json_integer(i));
        if (c->is_side) { /* on no port */
            json_object_set_new(o, "from", json_pack("{s:i}", "router", (int)c->src));
            json_object_set_new(o, "to", json_pack("{s:i}", "router", (int)c->dst));
        } else {
            json_object_set_new(o, "from", end_json(c->src_node, c->src, c->src_port));
            json_object_set_new(o, "to", end_json(c->dst_node, c->dst, c->dst_port));
        }
        json_object_set_new(o, "class", json_string(classes[c->link_class]));
        if (c->is_side)
            json_object_set_new(
                o, "carries",
                json_string(noc->routers[c->src].kind == NOC_QUEUES ? "credits" : "token"));
        json_object_set_new(o, "width_bits", json_integer(c->width_bits));
        json_object_set_new(o, "length_mm", millimetres(c->length_mm));
        json_array_append_new(a, o);
    }
    return a;
}

static json_t *endpoints_json(const struct noc *noc)
{
    static const char *const kinds[] = {"sm", "llc", "node"};
    json_t *a = json_array();
    for (uint32_t i = 0; i < noc->n_endpoints; i++) {
        const struct noc_endpoint *p = &noc->endpoints[i];
        json_t *o = json_object();
        json_object_set_new(o, "id", json_integer(i));
        json_object_set_new(o, "kind", json_string(kinds[p->kind]));
        json_object_set_new(o, "first", json_integer(p->first));
        json_object_set_new(o, "count", json_integer(p->n));
        json_object_set_new(o, "x", json_integer(p->x));
        json_object_set_new(o, "y", json_integer(p->y));
        if (p->inject != NOC_NONE)
            json_object_set_new(o, "inject", json_integer(p->inject));
        if (p->eject != NOC_NONE)
            json_object_set_new(o, "eject", json_integer(p->eject));
        json_array_append_new(a, o);
    }
    return a;
}

static json_t *noc_json(const struct noc *noc, const struct noc_params *params, bool routes,
                        struct arena *mem)
{
    json_t *o = json_object();
    json_object_set_new(o, "topology", json_string(noc->topology));
    json_object_set_new(o, "routing", json_string(params->routing));
    json_object_set_new(o, "width_bits", json_integer(noc->width_bits));
    json_object_set_new(o, "vcs", json_integer(noc->vcs));
    json_object_set_new(o, "vc_depth", json_integer(noc->vc_depth));
    json_object_set_new(o, "route_classes", json_integer(noc->n_classes));
    if (noc->flow == NOC_TOKEN)
        json_object_set_new(o, "queues",
                            json_pack("{s:i, s:i, s:s}", "flits", (int)noc->queue_flits,
                                      "drain_flits", (int)noc->drain_flits, "token",
                                      noc->token_goes_down ? "down" : "up"));
    if (noc->flow == NOC_RING)
        json_object_set_new(o, "reply_slots", json_integer(noc->reply_slots));
    json_object_set_new(o, "routers", routers_json(noc, routes, mem));
    json_object_set_new(o, "channels", channels_json(noc));
    json_object_set_new(o, "endpoints", endpoints_json(noc));
    return o;
}

static bool write(struct emit *e, struct err *err)
{
    const struct design *d = e->design;
    json_t *all = json_object();
    json_object_set_new(all, "crosswatt", json_string(CW_VERSION));
    json_object_set_new(all, "file", json_text(d->arch->file));
    json_object_set_new(all, d->has_reply ? "request" : "shared",
                        noc_json(&d->request, &d->request_params, e->routes, e->mem));
    if (d->has_reply)
        json_object_set_new(all, "reply", noc_json(&d->reply, &d->reply_params, e->routes, e->mem));
    char *text = json_dumps(all, JSON_INDENT(1) | JSON_REAL_PRECISION(10));
    struct buf b;
    buf_init(&b, e->mem, BUF_NO_MAX);
    buf_add(&b, text);
    buf_add(&b, "\n");
    free(text);
    json_decref(all);
    return emit_text(e, "network.json", &b, err);
}

const struct emitter emit_network = {
    .name = "network",
    .meaning = "network.json: routers, ports, channels with length and width, endpoints",
    .write = write,
};
