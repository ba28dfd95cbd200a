/* SPDX-License-Identifier: MIT
 *
 * The exact check: for every destination, all the states (router, class) its packets can come to,
 * from the sources that may send to it. Destinations x states; used where the linear proof does not
 * apply. */
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/vec.h"
#include "noc/check.h"

#define MAX_ERRORS 8

struct frame {
    uint32_t state, next; /* next choice to look at */
};

struct exact {
    struct check *c;
    const struct noc *noc;
    enum check_kind kind;
    uint32_t dst;
    uint32_t n_errors;

    /* [router * n_classes + class], valid where stamp is this destination's */
    uint32_t *stamp;
    bool *is_open; /* on the stack now */
    uint32_t *least, *most;
    double *mean;
    uint32_t now;
    struct frame *stack;

    struct check_edges edges;
    uint64_t *set; /* edges so far, open addressing, 0: empty */
    size_t n_slots;

    double total;
    uint64_t pairs;
    uint32_t min_hops, max_hops;
};

static void add_edge(struct exact *x, uint32_t from, uint32_t to)
{
    struct arena *mem = x->c->mem;
    if (x->n_slots < 2 * (x->edges.n + 1)) {
        size_t n = x->n_slots ? 2 * x->n_slots : 1024;
        uint64_t *set = arena_many(mem, uint64_t, n);
        for (size_t i = 0; i < x->edges.n; i++) {
            uint64_t key = ((uint64_t)x->edges.at[i][0] << 32 | x->edges.at[i][1]) + 1;
            size_t slot = map_hash_bytes(&key, sizeof key, 0) & (n - 1);
            while (set[slot])
                slot = (slot + 1) & (n - 1);
            set[slot] = key;
        }
        x->set = set;
        x->n_slots = n;
    }
    uint64_t key = ((uint64_t)from << 32 | to) + 1;
    size_t slot = map_hash_bytes(&key, sizeof key, 0) & (x->n_slots - 1);
    for (; x->set[slot]; slot = (slot + 1) & (x->n_slots - 1))
        if (x->set[slot] == key)
            return;
    x->set[slot] = key;
    vec_reserve(mem, &x->edges, 1);
    x->edges.at[x->edges.n][0] = from;
    x->edges.at[x->edges.n++][1] = to;
}

static void route_error(struct exact *x, uint32_t router, const char *text)
{
    if (x->n_errors++ >= MAX_ERRORS)
        return;
    struct buf at, to;
    buf_init(&at, x->c->mem, 4096);
    buf_init(&to, x->c->mem, 4096);
    noc_name_router(x->noc, router, &at);
    noc_name_endpoint(x->noc, x->dst, &to);
    err_add(x->c->err, ERR_INPUT, NOWHERE, "%s: packets to %s %s", at.data, to.data, text);
}

static uint8_t class_after(const struct noc_rule *rule, uint8_t cls)
{
    return rule->class_to == NOC_SAME_CLASS ? cls : rule->class_to;
}

/* Dependencies of the channel just taken on those the next router may choose. */
static void add_dependencies(struct exact *x, uint32_t channel, uint8_t cls)
{
    const struct noc *noc = x->noc;
    uint32_t router = noc->channels[channel].dst, groups = x->c->n_groups;
    const struct noc_rule *rule = noc_route(noc, router, x->dst, cls);
    if (!rule)
        return;
    uint8_t then = class_after(rule, cls);
    for (uint32_t i = 0; i < rule->n_choices; i++) {
        uint32_t next = noc_out_channel(noc, router, noc->choices[rule->first_choice + i]);
        if (noc->channels[next].dst_node == NOC_ROUTER)
            add_edge(x, channel * groups + x->c->group_of[cls],
                     next * groups + x->c->group_of[then]);
    }
}

/* Looks at one choice of a state; returns the state it leads to if that is still to be visited,
 * else NOC_NONE. */
static uint32_t look(struct exact *x, uint32_t state, const struct noc_rule *rule, uint32_t choice)
{
    const struct noc *noc = x->noc;
    uint32_t router = state / noc->n_classes;
    uint8_t then = class_after(rule, (uint8_t)(state % noc->n_classes));
    uint32_t channel = noc_out_channel(noc, router, noc->choices[rule->first_choice + choice]);
    const struct noc_channel *ch = &noc->channels[channel];
    uint32_t share = rule->n_choices;

    if (ch->dst_node == NOC_ENDPOINT) {
        if (ch->dst != x->dst)
            route_error(x, router, "are handed to another endpoint");
        x->least[state] = 1;
        x->most[state] = x->most[state] ? x->most[state] : 1;
        x->mean[state] += 1.0 / share;
        return NOC_NONE;
    }
    uint32_t next = ch->dst * noc->n_classes + then;
    if (x->stamp[next] != x->now)
        return next;
    if (x->is_open[next]) {
        route_error(x, router, "go round in a circle");
        return NOC_NONE;
    }
    if (x->least[next] + 1 < x->least[state])
        x->least[state] = x->least[next] + 1;
    if (x->most[next] + 1 > x->most[state])
        x->most[state] = x->most[next] + 1;
    x->mean[state] += (x->mean[next] + 1) / share;
    return NOC_NONE;
}

static void open_state(struct exact *x, uint32_t state)
{
    x->stamp[state] = x->now;
    x->is_open[state] = true;
    x->least[state] = UINT32_MAX - 1;
    x->most[state] = 0;
    x->mean[state] = 0;
}

static void visit(struct exact *x, uint32_t start)
{
    const struct noc *noc = x->noc;
    uint32_t depth = 0;
    open_state(x, start);
    x->stack[depth++] = (struct frame){start, 0};
    while (depth) {
        struct frame *top = &x->stack[depth - 1];
        uint32_t router = top->state / noc->n_classes;
        const struct noc_rule *rule =
            noc_route(noc, router, x->dst, (uint8_t)(top->state % noc->n_classes));
        if (!rule)
            route_error(x, router, "have no route");
        if (!rule || top->next == rule->n_choices) {
            x->is_open[top->state] = false;
            depth--;
            continue;
        }
        uint32_t next = look(x, top->state, rule, top->next);
        if (next != NOC_NONE) { /* come back to this choice when its end is known */
            open_state(x, next);
            x->stack[depth++] = (struct frame){next, 0};
            continue;
        }
        uint32_t channel =
            noc_out_channel(noc, router, noc->choices[rule->first_choice + top->next]);
        if (noc->channels[channel].dst_node == NOC_ROUTER)
            add_dependencies(x, channel, class_after(rule, (uint8_t)(top->state % noc->n_classes)));
        top->next++;
    }
}

static void follow_destination(struct exact *x, uint32_t dst)
{
    const struct noc *noc = x->noc;
    x->dst = dst;
    x->now++;
    for (uint32_t s = 0; s < noc->n_endpoints; s++) {
        if (!check_is_source(&noc->endpoints[s], x->kind))
            continue;
        uint8_t cls = check_first_class(noc, x->kind, s, dst);
        uint32_t state = noc->channels[noc->endpoints[s].inject].dst * noc->n_classes + cls;
        if (x->stamp[state] != x->now)
            visit(x, state);
        x->pairs++;
        x->total += x->mean[state];
        x->min_hops = x->least[state] < x->min_hops ? x->least[state] : x->min_hops;
        x->max_hops = x->most[state] > x->max_hops ? x->most[state] : x->max_hops;
    }
}

bool check_exact(struct check *c, struct noc_facts *facts, struct check_cycle *cycle)
{
    const struct noc *noc = c->noc;
    size_t n = (size_t)noc->n_routers * noc->n_classes;
    struct exact x = {.c = c,
                      .noc = noc,
                      .stamp = arena_many(c->mem, uint32_t, n),
                      .is_open = arena_many(c->mem, bool, n),
                      .least = arena_many(c->mem, uint32_t, n),
                      .most = arena_many(c->mem, uint32_t, n),
                      .mean = arena_many(c->mem, double, n),
                      .stack = arena_many(c->mem, struct frame, n),
                      .min_hops = UINT32_MAX};
    for (int kind = 0; kind < CHECK_KINDS; kind++) {
        x.kind = (enum check_kind)kind;
        for (uint32_t d = 0; c->uses[kind] && d < noc->n_endpoints; d++)
            if (check_is_dest(&noc->endpoints[d], x.kind))
                follow_destination(&x, d);
    }
    if (x.n_errors)
        return false;
    facts->min_hops = x.pairs ? x.min_hops : 0;
    facts->max_hops = x.max_hops;
    facts->mean_hops = x.pairs ? x.total / (double)x.pairs : 0;
    *cycle = check_find_cycle(noc->n_channels * c->n_groups, &x.edges, c->mem);
    return true;
}
