/* SPDX-License-Identifier: MIT */
#include "gen/run/identity.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "gen/config/keys.h"
#include "gen/store/sources.h"

/* Field by field: what lies between fields is not the same in two runs. */
static uint64_t network_hash(const struct noc *noc, uint64_t h)
{
    for (uint32_t i = 0; i < noc->n_channels; i++) {
        const struct noc_channel *c = &noc->channels[i];
        const uint64_t fields[] = {c->src_node,     c->dst_node,   c->src,        c->dst,
                                   c->src_port,     c->dst_port,   c->width_bits, c->link_class,
                                   c->fixed_length, c->more_stages};
        h = map_hash_bytes(fields, sizeof fields, h);
        h = map_hash_bytes(&c->length_mm, sizeof c->length_mm, h);
    }
    for (uint32_t i = 0; i < noc->n_rules; i++) {
        const struct noc_rule *r = &noc->rules[i];
        const uint64_t fields[] = {r->x0,       r->x1,     r->y0,           r->y1,       r->classes,
                                   r->class_to, r->select, r->first_choice, r->n_choices};
        h = map_hash_bytes(fields, sizeof fields, h);
    }
    return map_hash_bytes(noc->choices, noc->n_choices * sizeof *noc->choices, h);
}

uint64_t identity_inputs(const struct arch *arch, uint64_t files, struct arena *mem)
{
    const char *values = arch_hash(arch, mem);
    const uint64_t all[] = {sources_number(), arch->sources, files};
    return map_hash_bytes(values, strlen(values), map_hash_bytes(all, sizeof all, 0));
}

uint64_t identity_design(const struct sim_setup *s, struct arena *mem)
{
    uint64_t h = identity_inputs(s->arch, s->priced ? s->priced->sources : 0, mem);
    if (s->priced)
        h = book_hash(&s->priced->book, h);
    if (s->design) {
        h = network_hash(&s->design->request, h);
        if (s->design->has_reply)
            h = network_hash(&s->design->reply, h);
    }
    return h;
}

uint64_t identity_pair(uint64_t design, uint64_t workload, uint64_t window)
{
    const uint64_t all[] = {workload, window};
    return map_hash_bytes(all, (window ? 2 : 1) * sizeof *all, design);
}

static void add_line(const struct key *k, const struct arch *arch, int net, bool is_both,
                     struct buf *out)
{
    if (!k->per_network || is_both)
        buf_add(out, k->path);
    else
        buf_printf(out, "noc.%s%s", net ? "reply" : "request", k->path + 3);
    buf_add(out, " = ");
    key_add_value(k, arch, net, out);
    buf_putc(out, '\n');
}

const char *identity_description(const struct arch *arch, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, BUF_NO_MAX);
    for (const struct key *k = keys; k < keys + n_keys; k++) {
        bool is_both = k->per_network && key_equal(k, arch, 0, arch, 1);
        for (int net = 0; net < (k->per_network && !is_both ? 2 : 1); net++)
            add_line(k, arch, net, is_both, &b);
    }
    return b.data;
}

const char *identity_changes(const struct arch *from, const struct arch *to, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, BUF_NO_MAX);
    for (const struct key *k = keys; k < keys + n_keys; k++) {
        bool is_both = k->per_network && key_equal(k, to, 0, to, 1);
        bool differs =
            !key_equal(k, from, 0, to, 0) || (k->per_network && !key_equal(k, from, 1, to, 1));
        for (int net = 0; differs && net < (k->per_network && !is_both ? 2 : 1); net++)
            add_line(k, to, net, is_both, &b);
    }
    return b.data;
}

struct store_component *identity_components(const struct priced *p, struct arena *mem, size_t *n)
{
    static const char *const kinds[CK_COUNT] = {
        [CK_ROUTER] = "router",
        [CK_CHANNEL] = "channel",
        [CK_ARRAY] = "array",
        [CK_SM_CORE] = "SM core",
        [CK_MEMORY_CONTROLLER] = "memory controller",
        [CK_DRAM] = "DRAM",
        [CK_USER] = "user",
    };
    struct store_component *list = arena_many(mem, struct store_component, p->book.n_classes);
    for (uint32_t k = 0; k < p->book.n_classes; k++) {
        const struct book_class *cls = &p->classes[k];
        const struct cost *c = &p->book.costs[k];
        list[k] = (struct store_component){.name = cls->name,
                                           .group = cls->group,
                                           .kind = kinds[cls->kind],
                                           .engine = c->engine,
                                           .model = c->model,
                                           .technology = c->technology,
                                           .instances = cls->instances,
                                           .area_mm2 = cost_area_um2(c) * 1e-6,
                                           .wire_area_mm2 = c->wire_area_um2 * 1e-6,
                                           .leakage_w = cost_leakage_w(c),
                                           .fmax_ghz = c->fmax_ghz,
                                           .access_ns = c->access_ns};
    }
    *n = p->book.n_classes;
    return list;
}
