/* SPDX-License-Identifier: MIT
 *
 * custom: routers and links as listed in the config.
 *
 *     noc.custom.routers = ( { name = "left"; }, { name = "right"; inputs = 4; } )
 *     noc.custom.links   = ( { from = "sm 0-3"; to = "left"; }, { from = "left"; to = "right"; },
 *                            { from = "right"; to = "llc *"; } )
 *     noc.custom.routes  = ( { at = "left"; to = "llc *"; via = "right"; } )
 *
 * Links are unidirectional. "sm 3", "sm 0-9" and "sm *" mean SM ports, "llc …" LLC slices; a range
 * makes one link each. Several links between the same two routers are parallel: either may be used.
 * The request network takes the links that lead out of SMs, into slices and between routers. The
 * reply network takes those out of slices and into SMs; if the list has none of these it is the
 * request network with every link turned round. A shared network takes all.
 *
 * Routes: `via` names the next router, or several of which any may be chosen (noc.routing says
 * how); delivery to an endpoint at the router itself needs no route. vc_class is the group of VCs
 * that the packet uses on this hop. Without routes for a direction they are found: shortest paths
 * if their channel dependencies have no cycle, else up*-down* paths (Schroeder 1991), which have
 * none. */
#include "noc/topology/custom.h"

#include <string.h>

static const char *const keys[] = {"noc.custom.routers", "noc.custom.links", "noc.custom.routes",
                                   NULL};
static const char *const routings[] = {"least_loaded", "random", "round_robin",
                                       "random_two",   "source", NULL};
extern const struct topology noc_custom;

#define MAX_ROOTS 16u /* roots tried for up*-down* routing */

static bool complete(struct noc_params *params, struct err *err)
{
    if (!noc_complete_common(params, &noc_custom, err))
        return false;
    if (!params->n_routers || !params->n_links)
        return err_add(err, ERR_INPUT, params->at,
                       "noc.topology = 'custom' needs noc.custom.routers and noc.custom.links");
    if (params->n_routers > 65536)
        return err_add(err, ERR_INPUT, params->at,
                       "noc.custom.routers has more than 65536 entries");
    return true;
}

/* ---- reading -------------------------------------------------------------------------------- */

static bool parse_number(const char **text, uint32_t *out)
{
    uint64_t v = 0;
    const char *s = *text;
    if (*s < '0' || *s > '9')
        return false;
    for (; *s >= '0' && *s <= '9'; s++) {
        v = 10 * v + (uint64_t)(*s - '0');
        if (v > UINT32_MAX)
            return false;
    }
    *text = s;
    *out = (uint32_t)v;
    return true;
}

/* "sm" or "llc" followed by a blank: the rest of the text, else NULL. */
static const char *after_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(text, word, n) || text[n] != ' ')
        return NULL;
    for (text += n; *text == ' ';)
        text++;
    return text;
}

bool custom_parse_end(struct custom *c, const char *text, struct where at, struct custom_end *out)
{
    const char *sm = after_word(text, "sm"), *llc = after_word(text, "llc");
    size_t router;
    if (!sm && !llc) {
        if (!map_get(&c->names, text, &router))
            return err_add(c->err, ERR_INPUT, at,
                           "'%s' is neither a name in noc.custom.routers nor 'sm N' or 'llc N'",
                           text);
        *out = (struct custom_end){CUSTOM_ROUTER, (uint32_t)router, (uint32_t)router};
        return true;
    }
    const char *s = sm ? sm : llc;
    uint32_t n = sm ? c->params->n_sm_ports : c->params->n_llcs, first = 0, last = n - 1;
    bool ok = true;
    if (!strcmp(s, "*")) {
        s++;
    } else if ((ok = parse_number(&s, &first))) {
        last = first;
        if (*s == '-') {
            s++;
            ok = parse_number(&s, &last);
        }
    }
    if (!ok || *s || first > last)
        return err_add(c->err, ERR_INPUT, at, "'%s' is not like 'sm 3', 'sm 0-9' or 'sm *'", text);
    if (last >= n)
        return err_add(c->err, ERR_INPUT, at, "'%s': there are only %u (%s)", text, n,
                       sm ? "SM ports, from gpu.sms" : "slices, llc.slices");
    *out = (struct custom_end){sm ? CUSTOM_SM : CUSTOM_LLC, first, last};
    return true;
}

static bool read_routers(struct custom *c)
{
    bool ok = true;
    map_init(&c->names, c->mem);
    for (uint32_t i = 0; i < c->params->n_routers; i++) {
        const struct noc_custom_router *r = &c->params->routers[i];
        const char *name = r->name ? r->name : "";
        if (!*name || strchr(name, ' ') || !strcmp(name, "sm") || !strcmp(name, "llc") ||
            !strcmp(name, "*"))
            ok = err_add(c->err, ERR_INPUT, r->at, "'%s' cannot be the name of a router", name);
        else if (!map_add(&c->names, name, i))
            ok = err_add(c->err, ERR_INPUT, r->at, "two routers are called '%s'", name);
        if (r->n_in > UINT16_MAX || r->n_out > UINT16_MAX)
            ok = err_add(c->err, ERR_INPUT, r->at, "router '%s' has more than %u ports", name,
                         UINT16_MAX);
    }
    return ok;
}

struct parsed_link {
    struct custom_end from, to;
};

static void add_channels(struct custom *c, const struct noc_custom_link *link,
                         struct parsed_link ends)
{
    int32_t from_port = link->from_port, to_port = link->to_port;
    if (c->is_mirrored) {
        ends = (struct parsed_link){ends.to, ends.from};
        from_port = link->to_port;
        to_port = link->from_port;
    }
    bool from_end = ends.from.kind != CUSTOM_ROUTER, to_end = ends.to.kind != CUSTOM_ROUTER;
    struct custom_end range = from_end ? ends.from : ends.to;
    uint32_t base = range.kind == CUSTOM_LLC ? c->params->n_sm_ports : 0;
    if (from_end && c->dir != NOC_BOTH && (range.kind == CUSTOM_SM) != (c->dir == NOC_REQUEST))
        return; /* belongs to the other direction */
    if (to_end && c->dir != NOC_BOTH && (range.kind == CUSTOM_LLC) != (c->dir == NOC_REQUEST))
        return;
    for (uint32_t i = range.first; i <= range.last; i++) {
        int32_t step = (int32_t)(i - range.first);
        struct custom_channel ch = {.from_endpoint = from_end,
                                    .to_endpoint = to_end,
                                    .from = from_end ? base + i : ends.from.first,
                                    .to = to_end ? base + i : ends.to.first,
                                    .from_port = from_port < 0 || from_end ? -1 : from_port + step,
                                    .to_port = to_port < 0 || to_end ? -1 : to_port + step,
                                    .length_mm = link->length_mm,
                                    .link = link};
        vec_push(c->mem, &c->channels, ch);
    }
}

static bool read_links(struct custom *c)
{
    const struct noc_params *p = c->params;
    struct parsed_link *ends = arena_many(c->mem, struct parsed_link, p->n_links);
    bool ok = true, has_reply_links = false;
    for (uint32_t i = 0; i < p->n_links; i++) {
        const struct noc_custom_link *l = &p->links[i];
        if (!custom_parse_end(c, l->from, l->at, &ends[i].from) ||
            !custom_parse_end(c, l->to, l->at, &ends[i].to)) {
            ok = false;
            continue;
        }
        if (ends[i].from.kind != CUSTOM_ROUTER && ends[i].to.kind != CUSTOM_ROUTER)
            ok = err_add(c->err, ERR_INPUT, l->at, "a link joins '%s' and '%s' without a router",
                         l->from, l->to);
        if (l->from_port > UINT16_MAX || l->to_port > UINT16_MAX)
            ok = err_add(c->err, ERR_INPUT, l->at, "port numbers end at %u", UINT16_MAX);
        has_reply_links |= ends[i].from.kind == CUSTOM_LLC || ends[i].to.kind == CUSTOM_SM;
    }
    if (!ok)
        return false;
    c->is_mirrored = c->dir == NOC_REPLY && !has_reply_links;
    for (uint32_t i = 0; i < p->n_links; i++)
        add_channels(c, &p->links[i], ends[i]);
    return true;
}

/* ---- ports ---------------------------------------------------------------------------------- */

/* Ports of one side of all routers: those the user numbered, then the lowest free ones in order. */
static bool number_ports(struct custom *c, bool outputs, uint32_t *n_ports)
{
    const struct noc_params *p = c->params;
    uint32_t *count = arena_many(c->mem, uint32_t, p->n_routers);
    bool ok = true;
    for (size_t i = 0; i < c->channels.n; i++) {
        const struct custom_channel *ch = &c->channels.at[i];
        if (outputs ? ch->from_endpoint : ch->to_endpoint)
            continue;
        uint32_t r = outputs ? ch->from : ch->to;
        int32_t port = outputs ? ch->from_port : ch->to_port;
        count[r]++;
        if (port >= 0 && (uint32_t)port + 1 > n_ports[r])
            n_ports[r] = (uint32_t)port + 1;
    }
    bool **used = arena_many(c->mem, bool *, p->n_routers);
    for (uint32_t r = 0; r < p->n_routers; r++) {
        const struct noc_custom_router *router = &p->routers[r];
        uint32_t said = outputs != c->is_mirrored ? router->n_out : router->n_in;
        uint32_t need = count[r] > n_ports[r] ? count[r] : n_ports[r];
        if (need > UINT16_MAX)
            ok = err_add(c->err, ERR_INPUT, router->at, "router '%s' needs more than %u ports",
                         router->name, UINT16_MAX);
        else if (said && need > said)
            ok = err_add(c->err, ERR_INPUT, router->at,
                         "router '%s' has %u %s, its noc.custom.links need %u", router->name, said,
                         outputs != c->is_mirrored ? "outputs" : "inputs", need);
        n_ports[r] = said ? said : need;
        used[r] = ok ? arena_many(c->mem, bool, n_ports[r]) : NULL;
    }
    uint32_t *next = arena_many(c->mem, uint32_t, p->n_routers);
    for (int given = 1; ok && given >= 0; given--)
        for (size_t i = 0; i < c->channels.n; i++) {
            struct custom_channel *ch = &c->channels.at[i];
            uint32_t r = outputs ? ch->from : ch->to;
            int32_t *port = outputs ? &ch->from_port : &ch->to_port;
            if ((outputs ? ch->from_endpoint : ch->to_endpoint) || (given && *port < 0))
                continue;
            if (*port >= 0 && !given)
                continue;
            if (!given) {
                while (used[r][next[r]])
                    next[r]++;
                *port = (int32_t)next[r];
            } else if (used[r][*port]) {
                ok = err_add(c->err, ERR_INPUT, ch->link->at,
                             "port %d of router '%s' has two links", *port, p->routers[r].name);
                continue;
            }
            used[r][*port] = true;
        }
    return ok;
}

static bool check_ends(struct custom *c)
{
    uint32_t n = c->params->n_sm_ports + c->params->n_llcs;
    bool *sends = arena_many(c->mem, bool, n), *gets = arena_many(c->mem, bool, n), ok = true;
    c->eject_at = arena_many(c->mem, uint32_t, n);
    c->eject_port = arena_many(c->mem, uint16_t, n);
    memset(c->eject_at, 0xff, n * sizeof *c->eject_at);
    for (size_t i = 0; i < c->channels.n; i++) {
        const struct custom_channel *ch = &c->channels.at[i];
        if (!ch->from_endpoint && !ch->to_endpoint)
            continue;
        uint32_t e = ch->from_endpoint ? ch->from : ch->to;
        bool *taken = ch->from_endpoint ? &sends[e] : &gets[e], is_sm = e < c->params->n_sm_ports;
        if (*taken)
            ok = err_add(c->err, ERR_INPUT, ch->link->at, "%s %u has two links %s the network",
                         is_sm ? "sm" : "llc", is_sm ? e : e - c->params->n_sm_ports,
                         ch->from_endpoint ? "into" : "out of");
        *taken = true;
        if (ch->to_endpoint) {
            c->eject_at[e] = ch->from;
            c->eject_port[e] = (uint16_t)ch->from_port;
        }
    }
    return ok;
}

/* Channels between routers, by the router they enter; then by the router they leave, and there by
 * the one they enter (the second sort keeps the order of the first). */
static struct custom_links index_links(const struct custom *c, bool outgoing)
{
    uint32_t n = c->params->n_routers;
    struct custom_links l = {arena_many(c->mem, uint32_t, n + 1), NULL};
    for (size_t i = 0; i < c->channels.n; i++) {
        const struct custom_channel *ch = &c->channels.at[i];
        if (!ch->from_endpoint && !ch->to_endpoint)
            l.first[(outgoing ? ch->from : ch->to) + 1]++;
    }
    for (uint32_t i = 0; i < n; i++)
        l.first[i + 1] += l.first[i];
    l.channel = arena_many(c->mem, uint32_t, l.first[n]);
    uint32_t *fill = arena_many(c->mem, uint32_t, n);
    size_t n_all = outgoing ? l.first[n] : c->channels.n;
    for (size_t i = 0; i < n_all; i++) {
        uint32_t id = outgoing ? c->in.channel[i] : (uint32_t)i;
        const struct custom_channel *ch = &c->channels.at[id];
        uint32_t r = outgoing ? ch->from : ch->to;
        if (!ch->from_endpoint && !ch->to_endpoint)
            l.channel[l.first[r] + fill[r]++] = id;
    }
    return l;
}

/* ---- building ------------------------------------------------------------------------------- */

static struct noc_builder *start(const struct custom *c)
{
    const struct noc_params *p = c->params;
    struct noc_builder *b = noc_builder_new(c->mem, noc_custom.name, c->dir);
    for (uint32_t i = 0; i < p->n_routers; i++) {
        noc_add_router(b, (uint16_t)c->n_in[i], (uint16_t)c->n_out[i], 0, 0, 0);
        noc_set_router_name(b, i, p->routers[i].name);
    }
    for (uint32_t i = 0; i < p->n_sm_ports; i++)
        noc_add_sm_port(b, p, i, (uint16_t)i, 0);
    for (uint32_t i = 0; i < p->n_llcs; i++)
        noc_add_llc(b, i, (uint16_t)(p->n_sm_ports + i), 0);
    for (size_t i = 0; i < c->channels.n; i++) {
        const struct custom_channel *ch = &c->channels.at[i];
        uint32_t id;
        if (ch->from_endpoint)
            id = noc_inject(b, ch->from, ch->to, (uint16_t)ch->to_port);
        else if (ch->to_endpoint)
            id = noc_eject(b, ch->from, (uint16_t)ch->from_port, ch->to);
        else
            id = noc_link(b, ch->from, (uint16_t)ch->from_port, ch->to, (uint16_t)ch->to_port);
        if (ch->length_mm > 0)
            noc_set_length(b, id, ch->length_mm);
    }
    return b;
}

/* For the drawing: a router's stage is its distance from the nearest source. */
static void set_stages(struct noc *noc, struct arena *scratch)
{
    uint32_t *queue = arena_many(scratch, uint32_t, noc->n_routers), n = 0;
    bool *seen = arena_many(scratch, bool, noc->n_routers);
    for (uint32_t i = 0; i < noc->n_endpoints; i++)
        if (noc->endpoints[i].inject != NOC_NONE) {
            uint32_t r = noc->channels[noc->endpoints[i].inject].dst;
            if (!seen[r])
                queue[n++] = r;
            seen[r] = true;
        }
    uint16_t *width = arena_many(scratch, uint16_t, noc->n_routers + 1);
    for (uint32_t i = 0; i < n; i++) {
        struct noc_router *r = &noc->routers[queue[i]];
        r->y = r->stage;
        r->x = width[r->stage]++;
        for (uint32_t p = 0; p < r->n_out; p++) {
            uint32_t ch = noc_out_channel(noc, queue[i], p);
            if (ch == NOC_NONE || noc->channels[ch].dst_node != NOC_ROUTER ||
                seen[noc->channels[ch].dst])
                continue;
            seen[noc->channels[ch].dst] = true;
            noc->routers[noc->channels[ch].dst].stage = (uint16_t)(r->stage + 1);
            queue[n++] = noc->channels[ch].dst;
        }
    }
}

static bool finish(struct custom *c, enum custom_method method, uint32_t root, struct arena *mem,
                   struct noc *out)
{
    const struct noc_params *p = c->params;
    struct noc_builder *b = start(c);
    if (!custom_add_rules(c, b, method, root))
        return false;
    noc_freeze(b, p->width_bits, p->vcs, p->vc_depth, mem, out);
    uint32_t all = c->dir == NOC_BOTH ? 2 * c->classes : c->classes;
    uint8_t group_of[NOC_MAX_CLASSES];
    for (uint32_t k = 0; k < all; k++)
        group_of[k] = (uint8_t)k;
    noc_split_vcs(out, all, all, group_of);
    if (c->dir == NOC_BOTH) {
        out->class_rule = NOC_CLASS_MESSAGE;
        out->first_reply_class = (uint8_t)c->classes;
    }
    set_stages(out, c->mem);
    return true;
}

static bool works(const struct noc *noc, struct arena *mem)
{
    struct err findings;
    struct noc_facts facts;
    err_init(&findings);
    bool ok = noc_check(noc, false, mem, &facts, &findings);
    err_free(&findings);
    return ok;
}

static bool build_automatic(struct custom *c, struct arena *mem, struct noc *out)
{
    struct noc noc;
    if (!finish(c, CUSTOM_SHORTEST, 0, mem, &noc))
        return false;
    if (!works(&noc, c->mem)) {
        uint32_t roots = c->params->n_routers < MAX_ROOTS ? c->params->n_routers : MAX_ROOTS;
        for (uint32_t i = 0; i < roots; i++) {
            struct noc other;
            if (finish(c, CUSTOM_UP_DOWN, i, mem, &other) && works(&other, c->mem)) {
                noc = other;
                break;
            }
        }
    }
    *out = noc; /* where nothing works the check tells why shortest paths do not */
    return true;
}

static bool build_in(struct custom *c, struct arena *mem, struct noc *out)
{
    const struct noc_params *p = c->params;
    if (!read_routers(c) || !read_links(c))
        return false;
    c->n_in = arena_many(c->mem, uint32_t, p->n_routers);
    c->n_out = arena_many(c->mem, uint32_t, p->n_routers);
    if (!number_ports(c, true, c->n_out) || !number_ports(c, false, c->n_in) || !check_ends(c))
        return false;
    c->in = index_links(c, false);
    c->out = index_links(c, true);
    c->classes = 1;
    bool ok = true, has_routes = custom_has_routes(c, &ok);
    if (!ok)
        return false;
    uint32_t all = c->dir == NOC_BOTH ? 2 * c->classes : c->classes;
    if (all > p->vcs || all > NOC_MAX_CLASSES)
        return err_add(c->err, ERR_INPUT, p->at,
                       "noc.custom.routes%s need %u classes of VCs, more than %s = %u",
                       c->dir == NOC_BOTH ? " and noc.shared" : "", all,
                       all > p->vcs ? "noc.vcs" : "the limit",
                       all > p->vcs ? p->vcs : NOC_MAX_CLASSES);
    return has_routes ? finish(c, CUSTOM_TABLE, 0, mem, out) : build_automatic(c, mem, out);
}

static bool build(const struct noc_params *params, enum noc_dir dir, struct arena *mem,
                  struct noc *out, struct err *err)
{
    struct arena scratch;
    noc_scratch(&scratch, mem);
    struct custom c = {.params = params, .dir = dir, .mem = &scratch, .err = err};
    bool ok = build_in(&c, mem, out);
    arena_free(&scratch);
    return ok;
}

const struct topology noc_custom = {
    .name = "custom",
    .meaning = "routers, links and routes as listed in noc.custom",
    .keys = keys,
    .routings = routings,
    .complete = complete,
    .build = build,
};
