/* SPDX-License-Identifier: MIT
 *
 * network.dot and network.svg. We give every node its place, so that Graphviz only draws: staged
 * networks from sources on the left to destinations on the right, meshes as the grid they are,
 * request and reply network side by side; parallel channels are one line with their number. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/map.h"
#include "base/printable.h"
#include "base/proc.h"
#include "gen/draw.h"
#include "gen/emit/emit.h"
#include "gen/template.h"

#define ROW 16.0     /* points between endpoints */
#define COLUMN 200.0 /* between stages */
#define GRID 76.0    /* between mesh routers */
#define GAP 140.0    /* between the two networks */

struct pen {
    struct scope *scope;
    const struct noc *noc;
    const char *net; /* "request" */
    double left;     /* where this network begins */
    double width, height;
    struct arena *mem;
};

static const char *endpoint_label(const struct noc_endpoint *p, struct arena *mem)
{
    static const char *const names[] = {"SM", "LLC", "node"};
    if (p->n > 1)
        return arena_printf(mem, "%s %u\xe2\x80\x93%u", names[p->kind], p->first,
                            p->first + p->n - 1);
    return arena_printf(mem, "%s %u", names[p->kind], p->first);
}

static const char *endpoint_colour(enum noc_endpoint_kind kind)
{
    static const char *const colours[] = {"#cfe8cf", "#fbdcb0", "#e8e8e8"};
    return colours[kind];
}

static const char *stage_colour(uint32_t stage)
{
    static const char *const colours[] = {"#bcd3ee", "#e3c6e6", "#f3d9a6", "#c9e6e3"};
    return colours[stage % 4];
}

struct box { /* middle and size */
    double x, y, width, height;
};

/* A name as part of a label in quotation marks. */
static const char *dot_text(struct arena *mem, const char *name)
{
    struct buf b;
    buf_init(&b, mem, BUF_NO_MAX);
    for (const char *c = name; *c; c++) {
        if (*c == '"' || *c == '\\')
            buf_putc(&b, '\\');
        buf_putc(&b, *c);
    }
    return b.data ? b.data : "";
}

static void add_node(struct pen *p, const char *id, const char *label, struct box box,
                     const char *colour)
{
    struct scope *o = scope_item(p->scope, "nodes");
    scope_text(o, "id", id);
    scope_text(o, "label", label);
    scope_format(o, "x", "%.1f", p->left + box.x);
    scope_format(o, "y", "%.1f", box.y);
    scope_format(o, "width", "%.3f", box.width / 72);
    scope_format(o, "height", "%.3f", box.height / 72);
    scope_text(o, "colour", colour);
}

static void add_edge(struct pen *p, const char *from, const char *to, const char *style,
                     uint32_t count)
{
    struct scope *o = scope_item(p->scope, "edges");
    scope_text(o, "from", from);
    scope_text(o, "to", to);
    scope_text(o, "style", style);
    /* staged networks flow from left to right; neighbours in a mesh are one line with two heads */
    scope_text(o, "extra",
               strcmp(style, "both") == 0  ? ", dir=both"
               : strcmp(style, "one") == 0 ? ""
                                           : ", tailport=e, headport=w");
    scope_format(o, "pen", "%.1f", count > 1 ? 1.0 + 0.4 * fmin(count, 8) : 0.6);
    if (count > 1)
        scope_format(o, "count", "%u", count);
    else
        scope_text(o, "count", "");
}

static const char *router_id(const struct pen *p, uint32_t i)
{
    return arena_printf(p->mem, "%s_r%u", p->net, i);
}

static const char *endpoint_id(const struct pen *p, uint32_t i)
{
    return arena_printf(p->mem, "%s_e%u", p->net, i);
}

/* ---- staged networks ------------------------------------------------------------------------- */

static uint32_t count_stages(const struct noc *noc)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < noc->n_routers; i++)
        n = noc->routers[i].stage >= n ? noc->routers[i].stage + 1u : n;
    return n;
}

static void place_endpoints(struct pen *p, bool on_left, uint32_t n, double x)
{
    const struct noc *noc = p->noc;
    uint32_t k = 0;
    for (uint32_t i = 0; i < noc->n_endpoints; i++) {
        if ((noc->endpoints[i].inject != NOC_NONE) != on_left)
            continue;
        double y = p->height - (k++ + 0.5) * p->height / n;
        add_node(p, endpoint_id(p, i), endpoint_label(&noc->endpoints[i], p->mem),
                 (struct box){x, y, 56, fmin(ROW - 3, 13)},
                 endpoint_colour(noc->endpoints[i].kind));
    }
}

static void place_routers(struct pen *p, uint32_t n_stages)
{
    const struct noc *noc = p->noc;
    uint32_t *in_stage = arena_many(p->mem, uint32_t, n_stages + 1);
    uint32_t *next = arena_many(p->mem, uint32_t, n_stages + 1);
    for (uint32_t i = 0; i < noc->n_routers; i++)
        in_stage[noc->routers[i].stage]++;
    for (uint32_t i = 0; i < noc->n_routers; i++) {
        const struct noc_router *r = &noc->routers[i];
        double share = p->height / in_stage[r->stage];
        double y = p->height - (next[r->stage]++ + 0.5) * share;
        const char *name =
            noc->router_names && noc->router_names[i]
                ? arena_printf(p->mem, "%s\\n", dot_text(p->mem, noc->router_names[i]))
                : "";
        add_node(p, router_id(p, i),
                 arena_printf(p->mem, "%s%u\xc3\x97%u", name, r->n_in, r->n_out),
                 (struct box){(r->stage + 1) * COLUMN, y, 60, fmin(share * 0.8, 420)},
                 stage_colour(r->stage));
    }
}

static void draw_staged(struct pen *p)
{
    const struct noc *noc = p->noc;
    uint32_t n_left = 0, n_stages = count_stages(noc);
    for (uint32_t i = 0; i < noc->n_endpoints; i++)
        n_left += noc->endpoints[i].inject != NOC_NONE;
    uint32_t n_right = noc->n_endpoints - n_left;
    uint32_t most = n_left > n_right ? n_left : n_right;
    p->height = ROW * fmax(fmax(most, noc->n_routers / (double)n_stages), 8);
    p->width = (n_stages + 1) * COLUMN;
    place_endpoints(p, true, n_left, 0);
    place_routers(p, n_stages);
    if (n_right)
        place_endpoints(p, false, n_right, (n_stages + 1) * COLUMN);

    struct map pairs; /* parallel channels are one line */
    map_init(&pairs, p->mem);
    struct pair {
        const char *from, *to, *style;
        uint32_t n;
    };
    VEC(struct pair) lines = {0};
    for (uint32_t i = 0; i < noc->n_channels; i++) {
        const struct noc_channel *c = &noc->channels[i];
        const char *from =
            c->src_node == NOC_ROUTER ? router_id(p, c->src) : endpoint_id(p, c->src);
        const char *to = c->dst_node == NOC_ROUTER ? router_id(p, c->dst) : endpoint_id(p, c->dst);
        const char *key = arena_printf(p->mem, "%s %s", from, to);
        size_t k;
        if (map_get(&pairs, key, &k)) {
            assert(k < lines.n);
            lines.at[k].n++;
            continue;
        }
        map_add(&pairs, key, lines.n);
        bool is_end = c->src_node == NOC_ENDPOINT || c->dst_node == NOC_ENDPOINT;
        vec_push(p->mem, &lines, (struct pair){from, to, is_end ? "end" : "inner", 1});
    }
    for (size_t i = 0; i < lines.n; i++)
        add_edge(p, lines.at[i].from, lines.at[i].to, lines.at[i].style, lines.at[i].n);
}

/* ---- meshes ---------------------------------------------------------------------------------- */

/* Nodes of taps in row 0 share their place: one lane below the other, the queues lowest. */
enum { LANE = 40 };

static double lane_of(const struct noc *noc, uint32_t router, uint32_t *lanes)
{
    const struct noc_router *r = &noc->routers[router];
    if (r->kind == NOC_QUEUES)
        return 0;
    return r->y == 0 ? (noc->grid_columns - lanes[r->x]++) * (double)LANE : 0;
}

static void draw_grid(struct pen *p)
{
    const struct noc *noc = p->noc;
    uint32_t columns = noc->grid_columns, rows = noc->grid_rows;
    for (uint32_t i = 0; i < noc->n_routers && noc->flow == NOC_RING; i++) {
        columns = noc->routers[i].x >= columns ? noc->routers[i].x + 1u : columns;
        rows = noc->routers[i].y >= rows ? noc->routers[i].y + 1u : rows;
    }
    double raised = noc->flow == NOC_TOKEN ? columns * (double)LANE : 0;
    uint32_t *lanes = arena_many(p->mem, uint32_t, columns);
    p->width = (columns - 1) * GRID;
    p->height = (rows - 1) * GRID + raised;
    const char **labels = arena_many(p->mem, const char *, noc->n_routers);
    const char **colours = arena_many(p->mem, const char *, noc->n_routers);
    for (uint32_t i = 0; i < noc->n_endpoints; i++) {
        uint32_t r = noc_endpoint_router(noc, i);
        if (r == NOC_NONE)
            continue;
        const char *label = endpoint_label(&noc->endpoints[i], p->mem);
        labels[r] = labels[r] ? arena_printf(p->mem, "%s\\n%s", labels[r], label) : label;
        colours[r] = endpoint_colour(noc->endpoints[i].kind);
    }
    for (uint32_t i = 0; i < noc->n_routers; i++) {
        const struct noc_router *r = &noc->routers[i];
        add_node(p, router_id(p, i), labels[i] ? labels[i] : "",
                 (struct box){r->x * GRID,
                              r->y * GRID + (r->y                     ? raised
                                             : noc->flow == NOC_TOKEN ? lane_of(noc, i, lanes)
                                                                      : 0),
                              46, 30},
                 colours[i] ? colours[i] : "#ffffff");
    }
    /* both directions between neighbours are one line with two heads */
    struct map seen;
    map_init(&seen, p->mem);
    for (uint32_t i = 0; i < noc->n_channels; i++) {
        const struct noc_channel *c = &noc->channels[i];
        if (c->src_node == NOC_ROUTER && c->dst_node == NOC_ROUTER && !c->is_side)
            map_add(&seen, arena_printf(p->mem, "%u %u", c->src, c->dst), i);
    }
    for (uint32_t i = 0; i < noc->n_channels; i++) {
        const struct noc_channel *c = &noc->channels[i];
        if (c->src_node != NOC_ROUTER || c->dst_node != NOC_ROUTER || c->is_side)
            continue;
        size_t back;
        bool is_double = map_get(&seen, arena_printf(p->mem, "%u %u", c->dst, c->src), &back);
        if (!is_double || c->src < c->dst)
            add_edge(p, router_id(p, c->src), router_id(p, c->dst), is_double ? "both" : "one", 1);
    }
}

/* ---- the picture ----------------------------------------------------------------------------- */

static void draw(struct pen *p)
{
    if (p->noc->grid_columns || p->noc->flow == NOC_RING)
        draw_grid(p);
    else
        draw_staged(p);
    struct scope *o = scope_item(p->scope, "titles");
    scope_format(o, "id", "%s_title", p->net);
    scope_format(o, "label", "%s network: %s, %u routers, %u channels of %u bit", p->net,
                 p->noc->topology, p->noc->n_routers, p->noc->n_channels, p->noc->width_bits);
    scope_format(o, "x", "%.1f", p->left + p->width / 2);
    scope_format(o, "y", "%.1f", p->height + 40);
}

static void draw_svg(struct emit *e, struct err *err)
{
    const char *neato = proc_find("neato", e->mem);
    const char *picture = path_join(e->mem, e->dir, "network.svg");
    remove(picture); /* of an earlier run */
    if (!neato) {
        err_warn_once(err, NOWHERE,
                      "network.svg is not drawn: neato is not installed (Debian: apt-get install "
                      "graphviz); network.dot is there");
        return;
    }
    const char *const argv[] = {neato, "-n", "-Tsvg", "network.dot", "-o", "network.svg", NULL};
    if (!draw_run(argv, e->dir, 300, "network.svg is not drawn", e->mem, err))
        remove(picture); /* half of one */
    else if (file_exists(picture))
        vec_push(e->mem, &e->files, "network.svg");
    else
        err_warn_once(err, NOWHERE, "network.svg is not drawn: neato wrote no picture");
}

static bool write(struct emit *e, struct err *err)
{
    const struct design *d = e->design;
    struct scope *s = scope_new(e->mem);
    scope_text(s, "file", printable_text(e->mem, d->arch->file));
    scope_list(s, "nodes");
    scope_list(s, "edges");
    scope_list(s, "titles");
    struct pen request = {s, &d->request, d->has_reply ? "request" : "shared", 0, 0, 0, e->mem};
    draw(&request);
    if (d->has_reply) {
        struct pen reply = {s, &d->reply, "reply", request.width + GAP, 0, 0, e->mem};
        draw(&reply);
    }
    if (!emit_template(e, "network.dot", "network.dot", s, err))
        return false;
    draw_svg(e, err);
    return true;
}

const struct emitter emit_picture = {
    .name = "picture",
    .meaning = "network.dot and network.svg: both networks, drawn by Graphviz at our places",
    .write = write,
};
