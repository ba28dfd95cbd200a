/* SPDX-License-Identifier: MIT
 *
 * The floorplan. Tiles are squares of the given areas; both networks share one die.
 *
 *   meshes   one cell per node, as large as its largest tile; the router at the upper right corner
 *            of its cell, so that the link to its node and the link to a neighbour are both one
 *            cell long; memory controllers in rows along the bottom edge
 *   others   LLC slices in rows across the middle, half of the SMs above and half below, filled
 *            column by column (SMs of one local crossbar lie together), memory controllers along
 * the upper and the lower edge; a switch lies in the middle of what hangs on it
 *
 * What the die holds besides (networks, spare SMs, what is not modelled) lies between the tiles:
 * all distances grow until the die has its area.
 *
 * A channel is as long as the Manhattan distance of its ends, at least 0.1 mm. */
#include <math.h>

#include "base/arena.h"
#include "noc/topology.h"

#define SHORTEST_MM 0.1

struct point {
    double x, y;
};

struct plan {
    const struct noc_place_params *params;
    struct noc_floorplan *out;
    struct point *sms, *llcs; /* centres; [SM], [slice] */
    const struct noc *grid;   /* the mesh the tiles follow, or NULL */
    double cell;              /* its cell's side */
    double grid_y;            /* where its lowest row begins */
    double width, height;
};

static void add_tile(struct plan *p, enum noc_endpoint_kind kind, bool is_mc, uint32_t index,
                     double x, double y, double side)
{
    p->out->tiles[p->out->n_tiles++] = (struct noc_tile){.kind = kind,
                                                         .is_mc = is_mc,
                                                         .index = index,
                                                         .x_mm = (float)x,
                                                         .y_mm = (float)y,
                                                         .width_mm = (float)side,
                                                         .height_mm = (float)side};
    struct point centre = {x + side / 2, y + side / 2};
    if (is_mc)
        return;
    if (kind == NOC_EP_LLC)
        p->llcs[index] = centre;
    else
        p->sms[index] = centre;
}

/* Memory controllers first..first + n - 1 in as many rows as they need, spread over the width;
 * returns the height of the rows. */
static double add_mcs(struct plan *p, uint32_t first, uint32_t n, double y)
{
    double side = sqrt(p->params->mc_area_mm2);
    if (!n || side <= 0)
        return 0;
    uint32_t per_row = (uint32_t)fmax(1, floor(p->width / side));
    uint32_t rows = (n - 1) / per_row + 1;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t row = i / per_row, in_row = row + 1 < rows ? per_row : n - row * per_row;
        double pitch = p->width / in_row;
        add_tile(p, NOC_EP_LLC, true, first + i, (i % per_row + 0.5) * pitch - side / 2,
                 y + row * side, side);
    }
    return rows * side;
}

/* ---- meshes --------------------------------------------------------------------------------- */

static void place_grid(struct plan *p)
{
    const struct noc *noc = p->grid;
    double sm = sqrt(p->params->sm_area_mm2), llc = sqrt(p->params->llc_area_mm2);
    uint32_t most = 1;
    for (uint32_t i = 0; i < noc->n_sm_ports; i++)
        most = noc->endpoints[i].n > most ? noc->endpoints[i].n : most;
    double side_tiles = ceil(sqrt(most));
    p->cell = fmax(side_tiles * sm, llc);
    p->width = p->cell * noc->grid_columns;
    p->grid_y = add_mcs(p, 0, p->params->n_mcs, 0);
    p->height = p->grid_y + p->cell * noc->grid_rows;
    for (uint32_t i = 0; i < noc->n_endpoints; i++) {
        const struct noc_endpoint *e = &noc->endpoints[i];
        bool is_llc = e->kind == NOC_EP_LLC;
        double x = e->x * p->cell, y = p->grid_y + e->y * p->cell;
        for (uint32_t j = 0; j < e->n; j++) {
            if (e->first + j >= (is_llc ? p->params->n_llcs : p->params->n_sms))
                break;
            double col = j % (uint32_t)side_tiles, row = floor(j / side_tiles);
            add_tile(p, e->kind, false, e->first + j, is_llc ? x : x + col * sm,
                     is_llc ? y : y + row * sm, is_llc ? llc : sm);
        }
    }
}

/* ---- other networks ------------------------------------------------------------------------- */

/* `n` tiles in columns of `rows`, centred on the width; returns their height. */
static double add_columns(struct plan *p, uint32_t first, uint32_t n, uint32_t rows, double y,
                          double side)
{
    uint32_t columns = n ? (n - 1) / rows + 1 : 0;
    double x0 = (p->width - columns * side) / 2;
    for (uint32_t i = 0; i < n; i++)
        add_tile(p, NOC_EP_SM, false, first + i, x0 + i / rows * side, y + i % rows * side, side);
    return n ? rows * side : 0;
}

static double add_llcs(struct plan *p, double y)
{
    double side = sqrt(p->params->llc_area_mm2);
    uint32_t n = p->params->n_llcs;
    if (!n)
        return 0;
    uint32_t per_row = side > 0 ? (uint32_t)fmax(1, floor(p->width / side)) : n;
    uint32_t rows = (n - 1) / per_row + 1;
    per_row = (n - 1) / rows + 1;
    for (uint32_t i = 0; i < n; i++) {
        double pitch = p->width / per_row;
        add_tile(p, NOC_EP_LLC, false, i, (i % per_row + 0.5) * pitch - side / 2,
                 y + i / per_row * side, side);
    }
    return rows * side;
}

static void place_halves(struct plan *p)
{
    const struct noc_place_params *q = p->params;
    double sm = sqrt(q->sm_area_mm2);
    double area =
        q->n_sms * q->sm_area_mm2 + q->n_llcs * q->llc_area_mm2 + q->n_mcs * q->mc_area_mm2;
    uint32_t below = q->n_sms / 2, above = q->n_sms - below;
    double columns = sm > 0 ? fmax(1, floor(sqrt(area) / sm)) : 1;
    uint32_t rows = (uint32_t)fmax(1, ceil(above / columns));
    uint32_t used = above ? (above - 1) / rows + 1 : 1;
    p->width = fmax(used * sm, fmax(sqrt(q->llc_area_mm2), sqrt(q->mc_area_mm2)));

    uint32_t mcs_below = q->n_mcs / 2;
    double y = add_mcs(p, 0, mcs_below, 0);
    y += add_columns(p, above, below, rows, y, sm);
    y += add_llcs(p, y);
    y += add_columns(p, 0, above, rows, y, sm);
    y += add_mcs(p, mcs_below, q->n_mcs - mcs_below, y);
    p->height = y;
}

/* ---- positions and lengths ------------------------------------------------------------------ */

static void place_endpoints(const struct plan *p, struct noc *noc)
{
    for (uint32_t i = 0; i < noc->n_endpoints; i++) {
        struct noc_endpoint *e = &noc->endpoints[i];
        const struct point *at = e->kind == NOC_EP_LLC ? p->llcs : p->sms;
        uint32_t limit = e->kind == NOC_EP_LLC ? p->params->n_llcs : p->params->n_sms, n = 0;
        struct point sum = {0, 0};
        for (uint32_t j = 0; j < e->n && e->first + j < limit; j++, n++) {
            sum.x += at[e->first + j].x;
            sum.y += at[e->first + j].y;
        }
        e->x_mm = (float)(n ? sum.x / n : p->width / 2);
        e->y_mm = (float)(n ? sum.y / n : p->height / 2);
    }
}

/* The middle of the endpoints (or, second round, of the routers already placed) around a router. */
static bool place_between(struct noc *noc, uint32_t router, enum noc_node by, const bool *placed)
{
    struct noc_router *r = &noc->routers[router];
    double x = 0, y = 0;
    uint32_t n = 0;
    for (uint32_t p = 0; p < (uint32_t)r->n_in + r->n_out; p++) {
        bool is_in = p < r->n_in;
        uint32_t c = is_in ? noc->in_channels[r->first_in + p]
                           : noc->out_channels[r->first_out + p - r->n_in];
        if (c == NOC_NONE)
            continue;
        const struct noc_channel *ch = &noc->channels[c];
        enum noc_node node = is_in ? ch->src_node : ch->dst_node;
        uint32_t other = is_in ? ch->src : ch->dst;
        if (node != by || (node == NOC_ROUTER && !placed[other]))
            continue;
        x += node == NOC_ROUTER ? noc->routers[other].x_mm : noc->endpoints[other].x_mm;
        y += node == NOC_ROUTER ? noc->routers[other].y_mm : noc->endpoints[other].y_mm;
        n++;
    }
    if (!n)
        return false;
    r->x_mm = (float)(x / n);
    r->y_mm = (float)(y / n);
    return true;
}

static void place_routers(const struct plan *p, struct noc *noc, struct arena *scratch)
{
    if (noc->grid_columns) {
        double w = p->width / noc->grid_columns, h = (p->height - p->grid_y) / noc->grid_rows;
        for (uint32_t i = 0; i < noc->n_routers; i++) {
            noc->routers[i].x_mm = (float)((noc->routers[i].x + 1) * w);
            noc->routers[i].y_mm = (float)(p->grid_y + (noc->routers[i].y + 1) * h);
        }
        return;
    }
    bool *placed = arena_many(scratch, bool, noc->n_routers);
    for (uint32_t i = 0; i < noc->n_routers; i++)
        placed[i] = place_between(noc, i, NOC_ENDPOINT, NULL);
    bool *before = arena_many(scratch, bool, noc->n_routers);
    for (uint32_t i = 0; i < noc->n_routers; i++)
        before[i] = placed[i];
    for (uint32_t i = 0; i < noc->n_routers; i++)
        if (!before[i] && !place_between(noc, i, NOC_ROUTER, before)) {
            noc->routers[i].x_mm = (float)(p->width / 2);
            noc->routers[i].y_mm = (float)(p->height / 2);
        }
}

/* Places between two nodes of a network of taps, whose coordinates are columns and rows. */
static double places_between(const struct noc *noc, const struct noc_channel *ch)
{
    if (noc->flow == NOC_WORMHOLE || ch->link_class != NOC_LINK_ROUTER)
        return 1;
    const struct noc_router *a = &noc->routers[ch->src], *b = &noc->routers[ch->dst];
    return fmax(1, fabs((double)a->x - b->x) + fabs((double)a->y - b->y));
}

static void set_lengths(const struct plan *p, struct noc *noc)
{
    for (uint32_t i = 0; i < noc->n_channels; i++) {
        struct noc_channel *ch = &noc->channels[i];
        if (ch->fixed_length)
            continue;
        double fixed = p->params->link_mm[ch->link_class];
        if (fixed >= 0) {
            ch->length_mm = (float)(fixed * places_between(noc, ch));
            continue;
        }
        bool from_router = ch->src_node == NOC_ROUTER, to_router = ch->dst_node == NOC_ROUTER;
        double x0 = from_router ? noc->routers[ch->src].x_mm : noc->endpoints[ch->src].x_mm;
        double y0 = from_router ? noc->routers[ch->src].y_mm : noc->endpoints[ch->src].y_mm;
        double x1 = to_router ? noc->routers[ch->dst].x_mm : noc->endpoints[ch->dst].x_mm;
        double y1 = to_router ? noc->routers[ch->dst].y_mm : noc->endpoints[ch->dst].y_mm;
        ch->length_mm = (float)fmax(SHORTEST_MM, fabs(x1 - x0) + fabs(y1 - y0));
    }
}

/* What lies between the tiles makes the die larger and everything farther apart. */
static void stretch(struct plan *p)
{
    const struct noc_place_params *q = p->params;
    double between = q->noc_area_mm2 + q->other_area_mm2 + q->n_spare_sms * q->sm_area_mm2;
    double tiles =
        q->n_sms * q->sm_area_mm2 + q->n_llcs * q->llc_area_mm2 + q->n_mcs * q->mc_area_mm2;
    double box = p->width * p->height;
    if (!(between > 0) || tiles + between <= box)
        return;
    double f = sqrt((tiles + between) / box);
    for (uint32_t i = 0; i < p->out->n_tiles; i++) {
        struct noc_tile *t = &p->out->tiles[i];
        t->x_mm = (float)((t->x_mm + t->width_mm / 2) * f - t->width_mm / 2);
        t->y_mm = (float)((t->y_mm + t->height_mm / 2) * f - t->height_mm / 2);
    }
    for (uint32_t i = 0; i < q->n_sms; i++)
        p->sms[i] = (struct point){p->sms[i].x * f, p->sms[i].y * f};
    for (uint32_t i = 0; i < q->n_llcs; i++)
        p->llcs[i] = (struct point){p->llcs[i].x * f, p->llcs[i].y * f};
    p->width *= f;
    p->height *= f;
    p->grid_y *= f;
    p->cell *= f;
}

void noc_place(const struct noc_place_params *params, struct noc *request, struct noc *reply,
               struct arena *mem, struct noc_floorplan *out)
{
    struct arena scratch;
    arena_init(&scratch, mem->out_of_memory, mem->ctx);
    *out = (struct noc_floorplan){0};
    out->tiles =
        arena_many(mem, struct noc_tile, (size_t)params->n_sms + params->n_llcs + params->n_mcs);
    struct plan p = {.params = params,
                     .out = out,
                     .sms = arena_many(&scratch, struct point, params->n_sms),
                     .llcs = arena_many(&scratch, struct point, params->n_llcs)};
    if (request->grid_columns)
        p.grid = request;
    else if (reply && reply->grid_columns)
        p.grid = reply;
    if (p.grid)
        place_grid(&p);
    else
        place_halves(&p);
    stretch(&p);
    out->width_mm = (float)p.width;
    out->height_mm = (float)p.height;

    struct noc *both[2] = {request, reply};
    for (int i = 0; i < 2 && both[i]; i++) {
        place_endpoints(&p, both[i]);
        place_routers(&p, both[i], &scratch);
        set_lengths(&p, both[i]);
    }
    arena_free(&scratch);
}
