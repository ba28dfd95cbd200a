/* SPDX-License-Identifier: MIT
 *
 * noc/topology/grid.h: what mesh and S-mesh share: size, placement of the endpoints,
 * dimension-order rules. Row 0 is the bottom row, column 0 the left one. Not for other folders. */
#ifndef CW_NOC_TOPOLOGY_GRID_H
#define CW_NOC_TOPOLOGY_GRID_H

#include "noc/build.h"

enum grid_port { GRID_EAST, GRID_WEST, GRID_NORTH, GRID_SOUTH, GRID_LOCAL, GRID_PORTS };
#define GRID_NO_PORT UINT16_MAX
#define GRID_MAX_NODES 65536u

/* Columns and rows from the counts, or checked against them. */
bool grid_complete(struct noc_params *params, struct err *err);

/* The place of every endpoint as row * columns + column; n_sm_ports + n_llcs entries. With
 * `odd_only` memory nodes take only places with odd column + row. */
bool grid_place(const struct noc_params *params, bool odd_only, struct arena *scratch,
                uint32_t *cell, struct err *err);

/* Endpoints, one router per place and the links between neighbours. ports[] are the port numbers of
 * the five directions, the same for inputs (from there) and outputs (to there); GRID_NO_PORT: the
 * network has no link that way. Local ports: SMs inject requests, slices inject replies. */
struct grid_ports {
    uint16_t in[GRID_PORTS], out[GRID_PORTS];
    uint16_t n; /* ports of a router */
};
void grid_add_routers(struct noc_builder *b, const struct noc_params *params, enum noc_dir dir,
                      const struct grid_ports *ports, const uint32_t *cell);

/* Who ejects where: has_eject[cell]. */
bool *grid_ejecting(const struct noc_params *params, enum noc_dir dir, const uint32_t *cell,
                    struct arena *scratch);

enum grid_order { GRID_X_FIRST, GRID_Y_FIRST };
struct grid_rules {
    enum grid_order order;
    bool has_eject;
    uint16_t classes;
    uint8_t class_to; /* as in struct noc_rule */
};
/* Dimension-order rules of one router. A missing vertical port means that no destination lies that
 * way. */
void grid_add_rules(struct noc_builder *b, const struct noc_params *params, uint32_t router,
                    const struct grid_ports *ports, struct grid_rules rules);

#endif
