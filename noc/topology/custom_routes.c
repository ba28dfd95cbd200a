/* SPDX-License-Identifier: MIT
 *
 * Routes of custom networks: from the list in the config, or found. */
#include <stdlib.h>
#include <string.h>

#include "noc/topology/custom.h"

static uint8_t select_of(const struct noc_params *params)
{
    static const struct {
        const char *name;
        uint8_t select;
    } table[] = {{"least_loaded", NOC_SELECT_LEAST_LOADED},
                 {"random", NOC_SELECT_RANDOM},
                 {"round_robin", NOC_SELECT_ROUND_ROBIN},
                 {"random_two", NOC_SELECT_RANDOM_TWO},
                 {"source", NOC_SELECT_SOURCE}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (noc_routing_is(params, table[i].name))
            return table[i].select;
    return NOC_SELECT_LEAST_LOADED;
}

/* A run of destinations with one way at one router, not yet a rule. */
struct run {
    uint32_t first, last; /* endpoints */
    uint32_t way;         /* route index + 1, or next router + 1; 0: none */
};

struct routing {
    struct custom *c;
    struct noc_builder *b;
    struct run *open; /* [router] */
    bool is_table;
    VEC(uint16_t) ports;
};

/* ---- the rules of one run ------------------------------------------------------------------- */

static struct noc_rule rule_for(const struct custom *c, uint32_t first, uint32_t last)
{
    uint32_t classes = c->classes;
    uint16_t mask = (uint16_t)((1u << classes) - 1);
    bool to_sm = first < c->params->n_sm_ports;
    struct noc_rule rule = {.x0 = (uint16_t)first,
                            .x1 = (uint16_t)last,
                            .classes = mask,
                            .class_to = NOC_SAME_CLASS,
                            .select = select_of(c->params)};
    if (c->dir == NOC_BOTH && to_sm)
        rule.classes = (uint16_t)(mask << classes);
    return rule;
}

static void add_ports_to(struct routing *r, uint32_t router, uint32_t next)
{
    const struct custom_links *out = &r->c->out;
    const struct custom_channel *channels = r->c->channels.at;
    uint32_t lo = out->first[router], hi = out->first[router + 1];
    while (lo < hi) { /* sorted by the router they lead to */
        uint32_t mid = lo + (hi - lo) / 2;
        if (channels[out->channel[mid]].to < next)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < out->first[router + 1] && channels[out->channel[lo]].to == next; lo++)
        vec_push(r->c->mem, &r->ports, (uint16_t)channels[out->channel[lo]].from_port);
}

/* The next word of a list, with the number after "sm" and "llc"; NULL at its end. */
static const char *next_name(struct arena *mem, const char **text)
{
    while (**text == ' ')
        ++*text;
    const char *begin = *text;
    size_t n = strcspn(begin, " ");
    if (!n)
        return NULL;
    if ((n == 2 && !strncmp(begin, "sm", 2)) || (n == 3 && !strncmp(begin, "llc", 3))) {
        size_t blanks = strspn(begin + n, " ");
        n += blanks + strcspn(begin + n + blanks, " ");
    }
    *text = begin + n;
    return arena_strndup(mem, begin, n);
}

/* Ports that a listed route may take. */
static bool read_via(struct routing *r, const struct noc_custom_route *route, uint32_t router)
{
    struct custom *c = r->c;
    const char *text = route->via;
    const char *name;
    r->ports.n = 0;
    while ((name = next_name(c->mem, &text))) {
        struct custom_end end;
        size_t before = r->ports.n;
        if (!custom_parse_end(c, name, route->at, &end))
            return false;
        if (end.kind == CUSTOM_ROUTER) {
            add_ports_to(r, router, end.first);
        } else {
            uint32_t base = end.kind == CUSTOM_LLC ? c->params->n_sm_ports : 0;
            for (uint32_t e = base + end.first; e <= base + end.last; e++)
                if (c->eject_at[e] == router)
                    vec_push(c->mem, &r->ports, c->eject_port[e]);
        }
        if (r->ports.n == before)
            return err_add(c->err, ERR_INPUT, route->at,
                           "noc.custom.routes: router '%s' has no link to '%s' in noc.custom.links",
                           route->router, name);
    }
    if (!r->ports.n || r->ports.n > UINT16_MAX)
        return err_add(c->err, ERR_INPUT, route->at, "noc.custom.routes: 'via' names no router");
    return true;
}

static bool close_run(struct routing *r, uint32_t router)
{
    struct custom *c = r->c;
    struct run run = r->open[router];
    if (!run.way)
        return true;
    r->open[router].way = 0;
    struct noc_rule rule = rule_for(c, run.first, run.last);
    if (r->is_table) {
        const struct noc_custom_route *route = &c->params->routes[run.way - 1];
        if (!read_via(r, route, router))
            return false;
        uint32_t classes = c->classes;
        if (classes > 1)
            rule.class_to =
                (uint8_t)(route->vc_class +
                          (c->dir == NOC_BOTH && run.first < c->params->n_sm_ports ? classes : 0));
    } else {
        r->ports.n = 0;
        add_ports_to(r, router, run.way - 1);
    }
    noc_add_rule(r->b, router, rule, r->ports.at, (uint16_t)r->ports.n);
    return true;
}

/* Destinations first..last go `way` at `router`; runs grow where they can. SMs and slices stay
 * apart, since they may differ in their classes. */
static bool add_way(struct routing *r, uint32_t router, uint32_t first, uint32_t last, uint32_t way)
{
    struct run *open = &r->open[router];
    if (open->way == way && open->last + 1 == first && first != r->c->params->n_sm_ports) {
        open->last = last;
        return true;
    }
    if (!close_run(r, router))
        return false;
    *open = (struct run){first, last, way};
    return true;
}

static bool close_all(struct routing *r)
{
    bool ok = true;
    for (uint32_t i = 0; i < r->c->params->n_routers; i++)
        ok &= close_run(r, i);
    return ok;
}

static void add_deliveries(struct routing *r)
{
    const struct custom *c = r->c;
    for (uint32_t e = 0; e < c->params->n_sm_ports + c->params->n_llcs; e++)
        if (c->eject_at[e] != NOC_NONE)
            noc_add_single(r->b, c->eject_at[e], rule_for(c, e, e), c->eject_port[e]);
}

/* ---- listed routes -------------------------------------------------------------------------- */

/* Does a route's destination belong to this direction? */
static bool applies(const struct custom *c, const struct custom_end *to)
{
    if (c->dir == NOC_BOTH)
        return true;
    return (to->kind == CUSTOM_LLC) == (c->dir == NOC_REQUEST);
}

bool custom_has_routes(struct custom *c, bool *ok)
{
    bool any = false;
    for (uint32_t i = 0; i < c->params->n_routes; i++) {
        const struct noc_custom_route *route = &c->params->routes[i];
        struct custom_end router, to;
        if (!custom_parse_end(c, route->router, route->at, &router) ||
            !custom_parse_end(c, route->to, route->at, &to)) {
            *ok = false;
            continue;
        }
        if (router.kind != CUSTOM_ROUTER || to.kind == CUSTOM_ROUTER) {
            *ok = err_add(c->err, ERR_INPUT, route->at,
                          "noc.custom.routes: from a router to 'sm N' or 'llc N', found '%s' to "
                          "'%s'",
                          route->router, route->to);
            continue;
        }
        if (route->vc_class >= NOC_MAX_CLASSES) {
            *ok = err_add(c->err, ERR_INPUT, route->at, "vc_class = %u is not in 0..%u",
                          route->vc_class, NOC_MAX_CLASSES - 1);
            continue;
        }
        if (!applies(c, &to))
            continue;
        any = true;
        if (route->vc_class >= c->classes)
            c->classes = route->vc_class + 1;
    }
    return any;
}

struct entry { /* one route of one router, for sorting */
    uint32_t router, first, last, route;
};

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    if (a->router != b->router)
        return a->router < b->router ? -1 : 1;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return (a->route > b->route) - (a->route < b->route);
}

static bool add_listed(struct routing *r)
{
    struct custom *c = r->c;
    VEC(struct entry) entries = {0};
    for (uint32_t i = 0; i < c->params->n_routes; i++) {
        const struct noc_custom_route *route = &c->params->routes[i];
        struct custom_end router, to;
        if (!custom_parse_end(c, route->router, route->at, &router) ||
            !custom_parse_end(c, route->to, route->at, &to))
            return false;
        uint32_t base = to.kind == CUSTOM_LLC ? c->params->n_sm_ports : 0;
        if (applies(c, &to))
            vec_push(c->mem, &entries,
                     (struct entry){router.first, base + to.first, base + to.last, i});
    }
    if (entries.n)
        qsort(entries.at, entries.n, sizeof *entries.at, compare_entries);
    bool ok = true;
    for (size_t i = 0; i < entries.n; i++) {
        const struct entry *e = &entries.at[i];
        if (i && e[-1].router == e->router && e[-1].last >= e->first) {
            ok = err_add(c->err, ERR_INPUT, c->params->routes[e->route].at,
                         "noc.custom.routes: router '%s' has two routes to '%s'",
                         c->params->routes[e->route].router, c->params->routes[e->route].to);
            continue;
        }
        /* endpoints at the router itself are delivered without a route */
        for (uint32_t d = e->first, from = d; d <= e->last + 1; d++) {
            bool here = d <= e->last && c->eject_at[d] == e->router;
            if ((here || d > e->last) && from < d)
                ok &= add_way(r, e->router, from, d - 1, e->route + 1);
            if (here)
                from = d + 1;
        }
    }
    return ok;
}

/* ---- found routes --------------------------------------------------------------------------- */

struct search {
    struct routing *r;
    uint32_t *next, *cost; /* [router] next router on the way; NOC_NONE: none */
    uint32_t *queue;
    uint32_t n;
    uint32_t *order, *rank; /* up*-down*: routers from the root outwards, and their place there */
};

/* Shortest ways to `target`, channels taken backwards; only `down` ones if rank is given. */
static void search_back(struct search *s, uint32_t target)
{
    const struct custom *c = s->r->c;
    s->n = 0;
    s->queue[s->n++] = target;
    s->next[target] = target;
    s->cost[target] = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t at = s->queue[i];
        for (uint32_t j = c->in.first[at]; j < c->in.first[at + 1]; j++) {
            uint32_t from = c->channels.at[c->in.channel[j]].from;
            if (s->next[from] != NOC_NONE || (s->rank && s->rank[from] > s->rank[at]))
                continue;
            s->next[from] = at;
            s->cost[from] = s->cost[at] + 1;
            s->queue[s->n++] = from;
        }
    }
}

/* Routers that cannot go down only: up to the neighbour from where it is nearest. */
static void search_up(struct search *s)
{
    const struct custom *c = s->r->c;
    for (uint32_t i = 0; i < c->params->n_routers; i++) {
        uint32_t at = s->order[i];
        if (s->next[at] != NOC_NONE)
            continue;
        uint32_t best = NOC_NONE;
        for (uint32_t j = c->out.first[at]; j < c->out.first[at + 1]; j++) {
            uint32_t to = c->channels.at[c->out.channel[j]].to;
            if (s->rank[to] < s->rank[at] && s->next[to] != NOC_NONE &&
                (best == NOC_NONE || s->cost[to] < s->cost[best]))
                best = to;
        }
        if (best == NOC_NONE)
            continue;
        s->next[at] = best;
        s->cost[at] = s->cost[best] + 1;
        s->queue[s->n++] = at;
    }
}

/* Routers by distance from the root, channels taken both ways. */
static void make_order(struct search *s, uint32_t root)
{
    const struct custom *c = s->r->c;
    uint32_t n_routers = c->params->n_routers, n = 0;
    s->order = arena_many(c->mem, uint32_t, n_routers);
    s->rank = arena_many(c->mem, uint32_t, n_routers);
    memset(s->rank, 0xff, n_routers * sizeof *s->rank);
    for (uint32_t start = root, tried = 0; tried <= n_routers; start = tried++) {
        if (start >= n_routers || s->rank[start] != NOC_NONE)
            continue;
        s->rank[start] = n;
        s->order[n++] = start;
        for (uint32_t i = s->rank[start]; i < n; i++) {
            uint32_t at = s->order[i];
            for (int back = 0; back < 2; back++) {
                const struct custom_links *l = back ? &c->in : &c->out;
                for (uint32_t j = l->first[at]; j < l->first[at + 1]; j++) {
                    const struct custom_channel *ch = &c->channels.at[l->channel[j]];
                    uint32_t to = back ? ch->from : ch->to;
                    if (s->rank[to] == NOC_NONE) {
                        s->rank[to] = n;
                        s->order[n++] = to;
                    }
                }
            }
        }
    }
}

/* One search per router with destinations; its runs of consecutive endpoints are routed at every
 * router found. */
static bool add_found(struct routing *r, bool up_down, uint32_t root)
{
    struct custom *c = r->c;
    uint32_t n = c->params->n_routers, n_ends = c->params->n_sm_ports + c->params->n_llcs;
    struct search s = {.r = r,
                       .next = arena_many(c->mem, uint32_t, n),
                       .cost = arena_many(c->mem, uint32_t, n),
                       .queue = arena_many(c->mem, uint32_t, n)};
    memset(s.next, 0xff, n * sizeof *s.next);
    if (up_down)
        make_order(&s, root);
    bool ok = true;
    for (uint32_t e = 0; ok && e < n_ends;) {
        uint32_t target = c->eject_at[e], first = e++;
        if (target == NOC_NONE)
            continue;
        while (e < n_ends && c->eject_at[e] == target && e != c->params->n_sm_ports)
            e++;
        search_back(&s, target);
        if (up_down)
            search_up(&s);
        for (uint32_t i = 0; i < s.n; i++) {
            uint32_t at = s.queue[i];
            if (at != target)
                ok &= add_way(r, at, first, e - 1, s.next[at] + 1);
            s.next[at] = NOC_NONE;
        }
    }
    return ok;
}

bool custom_add_rules(struct custom *c, struct noc_builder *b, enum custom_method method,
                      uint32_t root)
{
    struct routing r = {.c = c,
                        .b = b,
                        .open = arena_many(c->mem, struct run, c->params->n_routers),
                        .is_table = method == CUSTOM_TABLE};
    add_deliveries(&r);
    bool ok =
        method == CUSTOM_TABLE ? add_listed(&r) : add_found(&r, method == CUSTOM_UP_DOWN, root);
    return close_all(&r) && ok;
}
