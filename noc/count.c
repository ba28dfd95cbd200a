/* SPDX-License-Identifier: MIT
 *
 * Component counts. VC buffers are counted at every router input port, tied-off ones included, as
 * the CD-Xbar paper does; links are the channels that exist. */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "noc/topology.h"

/* Ports of the largest round-robin unit of a router. */
static uint32_t rr_unit_ports(const struct noc *noc, const struct noc_router *r)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < r->n_rules; i++) {
        const struct noc_rule *rule = &noc->rules[r->first_rule + i];
        if (rule->select == NOC_SELECT_RR_UNIT && rule->n_choices > most)
            most = rule->n_choices;
    }
    return most;
}

struct shapes {
    VEC(struct noc_shape) list;
    uint32_t *slots; /* open addressing: index + 1 */
    uint32_t n_slots;
};

static uint32_t *find_slot(const struct shapes *s, const struct noc_shape *shape)
{
    uint32_t key[3] = {shape->inputs, shape->outputs, shape->rr_unit_ports};
    uint32_t i = (uint32_t)map_hash_bytes(key, sizeof key, 0) & (s->n_slots - 1);
    for (;; i = (i + 1) & (s->n_slots - 1)) {
        if (!s->slots[i])
            return &s->slots[i];
        const struct noc_shape *there = &s->list.at[s->slots[i] - 1];
        if (there->inputs == key[0] && there->outputs == key[1] && there->rr_unit_ports == key[2])
            return &s->slots[i];
    }
}

static void add_shape(struct shapes *s, struct noc_shape shape, struct arena *mem)
{
    if (s->n_slots < 2 * (s->list.n + 1)) {
        s->n_slots = s->n_slots ? 2 * s->n_slots : 16;
        s->slots = arena_many(mem, uint32_t, s->n_slots);
        for (uint32_t i = 0; i < s->list.n; i++)
            *find_slot(s, &s->list.at[i]) = i + 1;
    }
    uint32_t *slot = find_slot(s, &shape);
    if (*slot) {
        assert(*slot <= s->list.n);
        s->list.at[*slot - 1].count += shape.count;
        return;
    }
    vec_push(mem, &s->list, shape);
    *slot = (uint32_t)s->list.n;
}

void noc_count(const struct noc *noc, struct arena *mem, struct noc_counts *out)
{
    struct shapes shapes = {0};
    *out = (struct noc_counts){.routers = noc->n_routers, .links = noc->n_channels};
    for (uint32_t i = 0; i < noc->n_routers; i++) {
        const struct noc_router *r = &noc->routers[i];
        if (r->kind != NOC_TAP) /* a queue is one buffer */
            out->vc_buffers += r->n_in * (r->kind == NOC_QUEUES ? 1 : noc->vcs);
        add_shape(&shapes, (struct noc_shape){r->n_in, r->n_out, 1, rr_unit_ports(noc, r)}, mem);
    }
    out->shapes = shapes.list.at;
    out->n_shapes = (uint32_t)shapes.list.n;
}

void noc_count_add(struct noc_counts *sum, const struct noc_counts *more, struct arena *mem)
{
    struct shapes shapes = {0};
    for (uint32_t i = 0; i < sum->n_shapes; i++)
        add_shape(&shapes, sum->shapes[i], mem);
    for (uint32_t i = 0; i < more->n_shapes; i++)
        add_shape(&shapes, more->shapes[i], mem);
    sum->routers += more->routers;
    sum->vc_buffers += more->vc_buffers;
    sum->links += more->links;
    sum->shapes = shapes.list.at;
    sum->n_shapes = (uint32_t)shapes.list.n;
}
