/* SPDX-License-Identifier: MIT
 *
 * BookSim2's anynet: a graph from a file of lines "router 0 node 0 node 1 router 1 5 …" (a number
 * after a link is its latency). One link per pair of routers and direction; minimal static routing
 * by latency. Ports: own nodes in ascending order, then neighbour routers in ascending order. There
 * is no deadlock avoidance: noc_check shows a cycle where there is one. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "noc/topology/plain.h"

#define MOST 16384u

struct any_link {
    uint32_t to;
    uint32_t latency;
};

struct any_router {
    VEC(struct any_link) nodes;
    VEC(struct any_link) links;
    bool named;
};

struct any {
    struct any_router *routers;
    uint32_t n_routers; /* highest number + 1 */
    uint32_t *home;     /* [node] router, or UINT32_MAX */
    uint32_t n_nodes;
    struct arena *mem;
};

static struct any_link *find(struct any_link *at, size_t n, uint32_t to)
{
    for (size_t i = 0; i < n; i++)
        if (at[i].to == to)
            return &at[i];
    return NULL;
}

static struct any_link *link_to(struct any *a, uint32_t from, uint32_t to)
{
    struct any_router *r = &a->routers[from];
    struct any_link *l = find(r->links.at, r->links.n, to);
    if (l)
        return l;
    vec_push(a->mem, &r->links, (struct any_link){to, 1});
    return &r->links.at[r->links.n - 1];
}

static bool add_node(struct any *a, uint32_t router, uint32_t node, struct where at,
                     struct err *err)
{
    if (a->home[node] != UINT32_MAX && a->home[node] != router)
        return err_add(err, ERR_INPUT, at, "node %u is at router %u and at router %u", node,
                       a->home[node], router);
    if (a->home[node] == UINT32_MAX) {
        vec_push(a->mem, &a->routers[router].nodes, (struct any_link){node, 1});
        a->home[node] = router;
    }
    a->n_nodes = node + 1 > a->n_nodes ? node + 1 : a->n_nodes;
    return true;
}

static void name_router(struct any *a, uint32_t r)
{
    a->routers[r].named = true;
    a->n_routers = r + 1 > a->n_routers ? r + 1 : a->n_routers;
}

/* The next word of a line, NUL-terminated in `word`; false at its end. */
static bool next_word(const char **p, const char *end, char word[24])
{
    while (*p < end && (**p == ' ' || **p == '\t' || **p == '\r'))
        (*p)++;
    size_t n = 0;
    while (*p < end && **p != ' ' && **p != '\t' && **p != '\r') {
        if (n < 23)
            word[n++] = **p;
        (*p)++;
    }
    word[n] = 0;
    return n > 0;
}

static bool number(const char *word, uint32_t most, uint32_t *out)
{
    char *end;
    unsigned long v = strtoul(word, &end, 10);
    if (word[0] < '0' || word[0] > '9' || *end || v > most)
        return false;
    *out = (uint32_t)v;
    return true;
}

static bool read_line(struct any *a, const char *p, const char *end, struct where at,
                      struct err *err)
{
    char kind[24], word[24];
    uint32_t head, body, latency;
    if (!next_word(&p, end, kind))
        return true;
    bool is_router = !strcmp(kind, "router");
    if (!is_router && strcmp(kind, "node"))
        return err_add(err, ERR_INPUT, at, "expected 'router' or 'node', found '%s'", kind);
    if (!next_word(&p, end, word) || !number(word, MOST - 1, &head))
        return err_add(err, ERR_INPUT, at, "expected a number below %u after '%s', found '%s'",
                       MOST, kind, word);
    if (is_router)
        name_router(a, head);
    struct any_link *last = NULL; /* what a latency would belong to */
    while (next_word(&p, end, kind)) {
        if (last && number(kind, 1000, &latency) && latency > 0) {
            last->latency = latency;
            last = NULL;
            continue;
        }
        bool to_router = !strcmp(kind, "router");
        if (!to_router && strcmp(kind, "node"))
            return err_add(err, ERR_INPUT, at, "expected 'router', 'node' or a latency, found '%s'",
                           kind);
        if (!next_word(&p, end, word) || !number(word, MOST - 1, &body))
            return err_add(err, ERR_INPUT, at, "expected a number below %u after '%s', found '%s'",
                           MOST, kind, word);
        if (!is_router && !to_router)
            return err_add(err, ERR_INPUT, at, "node %u cannot be linked to node %u", head, body);
        last = NULL;
        if (is_router && to_router) {
            if (head == body)
                return err_add(err, ERR_INPUT, at, "router %u is linked to itself", head);
            name_router(a, body);
            link_to(a, body, head);
            last = link_to(a, head, body);
            last->latency = 1; /* said again: starts anew */
        } else {
            uint32_t router = is_router ? head : body, node = is_router ? body : head;
            name_router(a, router);
            if (!add_node(a, router, node, at, err))
                return false;
            last = is_router ? find(a->routers[router].nodes.at, a->routers[router].nodes.n, node)
                             : NULL;
        }
    }
    return true;
}

static int by_number(const void *x, const void *y)
{
    const struct any_link *a = x, *b = y;
    return a->to < b->to ? -1 : a->to > b->to;
}

static bool read_file(struct any *a, const struct noc_plain *p, struct err *err)
{
    int line = 1;
    const char *at = p->text, *end = p->text + p->text_len;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        if (!read_line(a, at, stop, AT_LINE(p->file, line), err))
            return false;
        at = stop + 1;
        line++;
    }
    if (!a->n_nodes || !a->n_routers)
        return err_add(err, ERR_INPUT, AT_FILE(p->file), "no router with a node");
    for (uint32_t r = 0; r < a->n_routers; r++) {
        struct any_router *t = &a->routers[r];
        if (!t->named)
            return err_add(err, ERR_INPUT, AT_FILE(p->file),
                           "routers are numbered 0..%u, but "
                           "router %u is missing",
                           a->n_routers - 1, r);
        if (t->nodes.n)
            qsort(t->nodes.at, t->nodes.n, sizeof *t->nodes.at, by_number);
        if (t->links.n)
            qsort(t->links.at, t->links.n, sizeof *t->links.at, by_number);
    }
    for (uint32_t e = 0; e < a->n_nodes; e++)
        if (a->home[e] == UINT32_MAX)
            return err_add(err, ERR_INPUT, AT_FILE(p->file),
                           "nodes are numbered 0..%u, but node %u is missing", a->n_nodes - 1, e);
    return true;
}

/* Shortest paths from `start` (Dijkstra 1959); of equally near routers the lowest number is settled
 * first and an equal path does not replace an earlier one. next[r]: the first hop towards r. */
static bool shortest(const struct any *a, uint32_t start, uint64_t *dist, uint32_t *prev,
                     uint32_t *next)
{

    const uint32_t settled = 0x80000000u;
    for (uint32_t r = 0; r < a->n_routers; r++) {
        dist[r] = UINT64_MAX;
        prev[r] = 0x7fffffffu;
    }
    dist[start] = 0;
    for (uint32_t i = 0; i < a->n_routers; i++) {
        uint32_t near = UINT32_MAX;
        for (uint32_t r = 0; r < a->n_routers; r++)
            if (!(prev[r] & settled) && dist[r] != UINT64_MAX &&
                (near == UINT32_MAX || dist[r] < dist[near]))
                near = r;
        if (near == UINT32_MAX)
            return false;
        prev[near] |= settled;
        const struct any_router *t = &a->routers[near];
        for (size_t l = 0; l < t->links.n; l++) {
            uint32_t to = t->links.at[l].to;
            if (dist[near] + t->links.at[l].latency < dist[to]) {
                dist[to] = dist[near] + t->links.at[l].latency;
                prev[to] = near;
            }
        }
    }
    for (uint32_t r = 0; r < a->n_routers; r++) {
        uint32_t at = r;
        while (at != start && (prev[at] & ~settled) != start)
            at = prev[at] & ~settled;
        next[r] = at;
    }
    return true;
}

static uint32_t port_of(const struct any *a, uint32_t router, uint32_t neighbour)
{
    const struct any_router *t = &a->routers[router];
    for (size_t l = 0; l < t->links.n; l++)
        if (t->links.at[l].to == neighbour)
            return (uint32_t)(t->nodes.n + l);
    return 0;
}

static uint32_t node_port(const struct any_router *t, uint32_t node)
{
    uint32_t i = 0;
    while (t->nodes.at[i].to != node)
        i++;
    return i;
}

/* One rule for each run of nodes that leave by the same port. */
static bool add_routes(const struct any *a, const struct noc_plain *p, struct noc_builder *b,
                       struct arena *mem, struct err *err)
{
    uint64_t *dist = arena_many(mem, uint64_t, a->n_routers);
    uint32_t *prev = arena_many(mem, uint32_t, a->n_routers);
    uint32_t *next = arena_many(mem, uint32_t, a->n_routers);
    for (uint32_t r = 0; r < a->n_routers; r++) {
        if (!shortest(a, r, dist, prev, next))
            return err_add(err, ERR_INPUT, AT_FILE(p->file),
                           "not every router can be reached from router %u", r);
        uint32_t first = 0, port = 0;
        for (uint32_t e = 0; e <= a->n_nodes; e++) {
            uint32_t to = UINT32_MAX;
            if (e < a->n_nodes)
                to = a->home[e] == r ? node_port(&a->routers[r], e)
                                     : port_of(a, r, next[a->home[e]]);
            if (e && to != port)
                noc_plain_rule(b, p, r, (struct noc_region){first, e - 1, 0, 0}, port);
            if (e == 0 || to != port) {
                first = e;
                port = to;
            }
        }
    }
    return true;
}

bool noc_plain_anynet(const struct noc_plain *p, struct arena *mem, struct noc *out,
                      const uint16_t **cycles, struct err *err)
{
    struct any a = {.mem = mem};
    a.routers = arena_array(mem, MOST, sizeof *a.routers);
    a.home = arena_many(mem, uint32_t, MOST);
    memset(a.home, 0xff, MOST * sizeof *a.home);
    if (!read_file(&a, p, err))
        return false;
    struct noc_builder *b = noc_builder_new(mem, "anynet", NOC_BOTH);
    for (uint32_t r = 0; r < a.n_routers; r++) {
        size_t ports = a.routers[r].nodes.n + a.routers[r].links.n;
        if (ports > 512)
            return err_add(err, ERR_INPUT, AT_FILE(p->file),
                           "router %u has %zu ports, more than 512", r, ports);
        noc_add_router(b, (uint16_t)ports, (uint16_t)ports, 0, (uint16_t)r, 0);
    }
    for (uint32_t e = 0; e < a.n_nodes; e++)
        noc_add_endpoint(b, NOC_EP_NODE, e, 1, (uint16_t)e, 0);
    for (uint32_t r = 0; r < a.n_routers; r++) {
        const struct any_router *t = &a.routers[r];
        for (size_t i = 0; i < t->nodes.n; i++) {
            noc_inject(b, t->nodes.at[i].to, r, (uint16_t)i);
            noc_eject(b, r, (uint16_t)i, t->nodes.at[i].to);
        }
        for (size_t l = 0; l < t->links.n; l++)
            noc_link(b, r, (uint16_t)(t->nodes.n + l), t->links.at[l].to,
                     (uint16_t)port_of(&a, t->links.at[l].to, r));
    }
    if (!add_routes(&a, p, b, mem, err))
        return false;
    noc_plain_finish(b, p, mem, out);
    uint16_t *c = arena_many(mem, uint16_t, out->n_channels);
    for (uint32_t i = 0; i < out->n_channels; i++) {
        const struct noc_channel *ch = &out->channels[i];
        struct any_router *t = &a.routers[ch->src_node == NOC_ROUTER ? ch->src : ch->dst];
        const struct any_link *l;
        if (ch->src_node == NOC_ROUTER && ch->dst_node == NOC_ROUTER)
            l = find(t->links.at, t->links.n, ch->dst);
        else
            l = find(t->nodes.at, t->nodes.n, ch->src_node == NOC_ROUTER ? ch->dst : ch->src);
        c[i] = (uint16_t)(l ? l->latency : 1);
    }
    *cycles = c;
    return true;
}
