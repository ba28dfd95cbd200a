/* SPDX-License-Identifier: MIT
 *
 * smesh: the mesh without what GPU traffic never uses (CD-Xbar paper). All memory nodes lie at one
 * edge, so requests never travel away from it and replies never towards it: one of the four
 * directions is missing in each network, and every router is a 4x4 switch.
 *
 *     SM  SM  SM        requests: east, west, towards the memory (x first)
 *     SM  SM  SM        replies:  east, west, away from it (y first)
 *     M   M   M         ports 0 east, 1 west, 2 vertical, 3 local
 *
 * With n x n nodes and S + L endpoints a network has 3n(n-1) + S + L channels and 4 x 4 ports. */
#include "noc/topology/grid.h"

static const char *const keys[] = {"noc.mesh.columns", "noc.mesh.rows", "noc.mesh.placement", NULL};
static const char *const routings[] = {"xy_yx", "xy", "yx", "yx_xy", NULL};
extern const struct topology noc_smesh;

static bool complete(struct noc_params *params, struct err *err)
{
    if (!noc_complete_common(params, &noc_smesh, err) || !grid_complete(params, err))
        return false;
    if (params->placement == NOC_PLACE_AUTO)
        params->placement = NOC_PLACE_BOTTOM;
    if (params->placement != NOC_PLACE_BOTTOM && params->placement != NOC_PLACE_TOP)
        return err_add(err, ERR_INPUT, params->at,
                       "noc.mesh.placement: noc.topology = 'smesh' has its memory nodes at one "
                       "edge: bottom or top");
    return true;
}

static bool build(const struct noc_params *params, enum noc_dir dir, struct arena *mem,
                  struct noc *out, struct err *err)
{
    if (dir == NOC_BOTH)
        return noc_no_both(params, err);
    bool south = (params->placement == NOC_PLACE_BOTTOM) == (dir == NOC_REQUEST);
    struct grid_ports ports = {.in = {0, 1, GRID_NO_PORT, GRID_NO_PORT, 3},
                               .out = {0, 1, GRID_NO_PORT, GRID_NO_PORT, 3},
                               .n = 4};
    ports.out[south ? GRID_SOUTH : GRID_NORTH] = 2;
    ports.in[south ? GRID_NORTH : GRID_SOUTH] = 2;

    bool reply = dir == NOC_REPLY;
    bool y_first =
        noc_routing_is(params, "yx") || noc_routing_is(params, reply ? "xy_yx" : "yx_xy");
    struct arena scratch;
    noc_scratch(&scratch, mem);
    uint32_t *cell = arena_many(&scratch, uint32_t, params->n_sm_ports + params->n_llcs);
    bool ok = grid_place(params, false, &scratch, cell, err);
    if (ok) {
        struct noc_builder *b = noc_builder_new(&scratch, noc_smesh.name, dir);
        const bool *ejecting = grid_ejecting(params, dir, cell, &scratch);
        grid_add_routers(b, params, dir, &ports, cell);
        for (uint32_t r = 0; r < params->mesh_columns * params->mesh_rows; r++)
            grid_add_rules(b, params, r, &ports,
                           (struct grid_rules){y_first ? GRID_Y_FIRST : GRID_X_FIRST, ejecting[r],
                                               NOC_ALL_CLASSES, NOC_SAME_CLASS});
        noc_freeze(b, params->width_bits, params->vcs, params->vc_depth, mem, out);
        out->grid_columns = (uint16_t)params->mesh_columns;
        out->grid_rows = (uint16_t)params->mesh_rows;
    }
    arena_free(&scratch);
    return ok;
}

const struct topology noc_smesh = {
    .name = "smesh",
    .meaning = "mesh without the direction that GPU traffic never uses: 4-port routers",
    .keys = keys,
    .routings = routings,
    .complete = complete,
    .build = build,
};
