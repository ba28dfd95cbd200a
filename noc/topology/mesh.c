/* SPDX-License-Identifier: MIT
 *
 * mesh: columns x rows of 5-port routers, one node each; edge routers keep their five ports.
 *
 *     (0,1) <-> (1,1) <-> (2,1)       ports 0 east, 1 west, 2 north, 3 south, 4 local;
 *       ^         ^         ^         an input port has the number of the side it comes from
 *       v         v         v
 *     (0,0) <-> (1,0) <-> (2,0)
 *
 * Routing: xy and yx (dimension order), xy_yx (requests xy, replies yx), yx_xy, and checkerboard
 * after Bakhoda 2010: routers with odd column + row are half-routers, in which packets pass
 * straight on, enter or leave, but do not turn. Memory nodes sit on half-routers, so that of the
 * two turning points (dst.x, src.y) and (src.x, dst.y) exactly one is a full router when the other
 * end is on a full router: class 0 goes xy, class 1 yx. Between two half-routers whose turning
 * points are both half-routers, class 2 makes one step in y, which leads to a full router, and goes
 * on from there as class 0. Classes 1 and 2 use the upper half of the VCs, class 0 the lower half.
 * Nothing leads back from class 0 to the others, and each of the two halves is dimension-ordered:
 * no cycle. */
#include "noc/topology/grid.h"

static const char *const keys[] = {"noc.mesh.columns", "noc.mesh.rows", "noc.mesh.placement",
                                   "noc.mesh.memory_nodes", NULL};
static const char *const routings[] = {"xy", "yx", "xy_yx", "yx_xy", "checkerboard", NULL};
extern const struct topology noc_mesh;

static const struct grid_ports ports = {.in = {0, 1, 2, 3, 4}, .out = {0, 1, 2, 3, 4}, .n = 5};

static bool complete(struct noc_params *params, struct err *err)
{
    if (params->placement == NOC_PLACE_AUTO) /* docs/mesh-placement.md has the measurements */
        params->placement = NOC_PLACE_DIAMOND;
    return noc_complete_common(params, &noc_mesh, err) && grid_complete(params, err);
}

/* Class 2 of one router: a step in y out of a half-router, xy as class `then` from a full one. */
static void add_detour_rules(struct noc_builder *b, const struct noc_params *params,
                             uint32_t router, bool has_eject, uint8_t cls, uint8_t then)
{
    uint16_t columns = (uint16_t)params->mesh_columns, rows = (uint16_t)params->mesh_rows;
    uint16_t x = (uint16_t)(router % columns), y = (uint16_t)(router / columns);
    uint16_t classes = (uint16_t)(1u << cls);
    if (!((x + y) & 1)) {
        grid_add_rules(b, params, router, &ports,
                       (struct grid_rules){GRID_X_FIRST, has_eject, classes, then});
        return;
    }
    struct noc_rule rule = {
        .x1 = (uint16_t)(columns - 1), .classes = classes, .class_to = NOC_SAME_CLASS};
    if (y > 0) {
        rule.y0 = 0, rule.y1 = (uint16_t)(y - 1);
        noc_add_single(b, router, rule, ports.out[GRID_SOUTH]);
    }
    if (y + 1 < rows) {
        rule.y0 = (uint16_t)(y + 1), rule.y1 = (uint16_t)(rows - 1);
        noc_add_single(b, router, rule, ports.out[GRID_NORTH]);
    }
    rule.y0 = rule.y1 = y;
    rule.class_to = then;
    if (x > 0) {
        rule.x0 = 0, rule.x1 = (uint16_t)(x - 1);
        noc_add_single(b, router, rule, ports.out[GRID_WEST]);
    }
    if (x + 1 < columns) {
        rule.x0 = (uint16_t)(x + 1), rule.x1 = (uint16_t)(columns - 1);
        noc_add_single(b, router, rule, ports.out[GRID_EAST]);
    }
    if (has_eject) {
        rule.x0 = rule.x1 = x;
        noc_add_single(b, router, rule, ports.out[GRID_LOCAL]);
    }
}

static enum grid_order order_of(const struct noc_params *params, bool is_reply)
{
    if (noc_routing_is(params, "yx"))
        return GRID_Y_FIRST;
    if (noc_routing_is(params, "xy_yx"))
        return is_reply ? GRID_Y_FIRST : GRID_X_FIRST;
    if (noc_routing_is(params, "yx_xy"))
        return is_reply ? GRID_X_FIRST : GRID_Y_FIRST;
    return GRID_X_FIRST;
}

static void add_checkerboard(struct noc_builder *b, const struct noc_params *params, bool both,
                             const bool *ejecting)
{
    uint16_t xy = both ? 1u | 1u << 3 : 1u, yx = (uint16_t)(xy << 1);
    for (uint32_t r = 0; r < params->mesh_columns * params->mesh_rows; r++) {
        grid_add_rules(b, params, r, &ports,
                       (struct grid_rules){GRID_X_FIRST, ejecting[r], xy, NOC_SAME_CLASS});
        grid_add_rules(b, params, r, &ports,
                       (struct grid_rules){GRID_Y_FIRST, ejecting[r], yx, NOC_SAME_CLASS});
        add_detour_rules(b, params, r, ejecting[r], 2, 0);
        if (both)
            add_detour_rules(b, params, r, ejecting[r], 5, 3);
    }
}

static void add_rules(struct noc_builder *b, const struct noc_params *params, enum noc_dir dir,
                      const bool *ejecting)
{
    enum grid_order request = order_of(params, false), reply = order_of(params, true);
    for (uint32_t r = 0; r < params->mesh_columns * params->mesh_rows; r++) {
        if (dir != NOC_BOTH || request == reply) {
            grid_add_rules(b, params, r, &ports,
                           (struct grid_rules){dir == NOC_REPLY ? reply : request, ejecting[r],
                                               NOC_ALL_CLASSES, NOC_SAME_CLASS});
        } else {
            grid_add_rules(b, params, r, &ports,
                           (struct grid_rules){request, ejecting[r], 1u << 0, NOC_SAME_CLASS});
            grid_add_rules(b, params, r, &ports,
                           (struct grid_rules){reply, ejecting[r], 1u << 1, NOC_SAME_CLASS});
        }
    }
}

static void set_classes(struct noc *noc, bool both, bool checkerboard)
{
    if (checkerboard) {
        noc->class_rule = NOC_CLASS_CHECKERBOARD;
        noc->first_reply_class = both ? 3 : 0;
        noc_split_vcs(noc, both ? 6 : 3, both ? 4 : 2, (const uint8_t[]){0, 1, 1, 2, 3, 3});
    } else if (both) {
        noc->class_rule = NOC_CLASS_MESSAGE;
        noc->first_reply_class = 1;
        noc_split_vcs(noc, 2, 2, (const uint8_t[]){0, 1});
    }
}

static bool build(const struct noc_params *params, enum noc_dir dir, struct arena *mem,
                  struct noc *out, struct err *err)
{
    bool both = dir == NOC_BOTH, checkerboard = noc_routing_is(params, "checkerboard");
    uint32_t groups = (both ? 2u : 1u) * (checkerboard ? 2u : 1u);
    if (params->vcs < groups)
        return err_add(err, ERR_INPUT, params->at,
                       "noc.routing = '%s'%s needs noc.vcs of at least %u, found %u",
                       params->routing, both ? " with noc.shared = true" : "", groups, params->vcs);

    struct arena scratch;
    noc_scratch(&scratch, mem);
    uint32_t *cell = arena_many(&scratch, uint32_t, params->n_sm_ports + params->n_llcs);
    bool ok = grid_place(params, checkerboard, &scratch, cell, err);
    if (ok) {
        struct noc_builder *b = noc_builder_new(&scratch, noc_mesh.name, dir);
        const bool *ejecting = grid_ejecting(params, dir, cell, &scratch);
        grid_add_routers(b, params, dir, &ports, cell);
        if (checkerboard)
            add_checkerboard(b, params, both, ejecting);
        else
            add_rules(b, params, dir, ejecting);
        noc_freeze(b, params->width_bits, params->vcs, params->vc_depth, mem, out);
        out->grid_columns = (uint16_t)params->mesh_columns;
        out->grid_rows = (uint16_t)params->mesh_rows;
        set_classes(out, both, checkerboard);
    }
    arena_free(&scratch);
    return ok;
}

const struct topology noc_mesh = {
    .name = "mesh",
    .meaning = "columns x rows of 5-port routers, one SM port or LLC slice at each",
    .keys = keys,
    .routings = routings,
    .complete = complete,
    .build = build,
};
