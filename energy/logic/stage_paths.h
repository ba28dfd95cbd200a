/* SPDX-License-Identifier: MIT
 *
 * energy/logic/stage_paths.h: the paths of gates and wires through each stage of a router; inside
 * energy/logic. */
#ifndef CW_ENERGY_LOGIC_STAGE_PATHS_H
#define CW_ENERGY_LOGIC_STAGE_PATHS_H

#include "energy/logic/path.h"
#include "energy/logic/stage_model.h"

/* Blocks that are placed as one, with the wires of their paths across them. */
enum stage_block { BLOCK_SWITCH, BLOCK_VC_ALLOC, BLOCK_SW_ALLOC, BLOCK_BUFFER, STAGE_BLOCKS };

/* Sizes of a router and of its blocks on the die. */
struct stage_shape {
    const struct cell_lib *lib;
    const struct wire_layer *layer; /* of the wires inside */
    enum arbiter_kind arbiters;
    enum switch_kind switches;
    uint32_t n_in, n_out, bits, vcs, entries;
    uint32_t mux_size;           /* index of the first multiplexers' drive size */
    double across;               /* length of an input line of the switch, m */
    double down;                 /* of an output's column, m */
    double wire_area;            /* that the wires of the switch need, m^2 */
    double least[STAGE_BLOCKS];  /* area of the smallest cells of each block, m^2 */
    bool is_fixed[STAGE_BLOCKS]; /* lengths that do not follow from the cells */
    double sw_side, vc_side;     /* edges of the placed allocators, m */
    double buffer_side;          /* of an input port's buffer, m */
};

/* With the smallest cells everywhere. */
struct stage_shape stage_shape_of(const struct cell_lib *lib, const struct router_point *p,
                                  const struct stage_options *options);

/* The lengths of a block whose cells cover `cells_m2`. */
void stage_shape_place(struct stage_shape *s, enum stage_block block, double cells_m2);

enum stage_path {
    PATH_ROUTE,
    PATH_VC_ALLOC,
    PATH_SW_ALLOC,
    PATH_SW_UPDATE, /* of a matrix arbiter's flip-flops; empty for trees */
    PATH_READ,
    PATH_DATA,
    PATH_SELECT,
    PATH_SINGLE,       /* arbitration and traversal in one cycle */
    PATH_SINGLE_GRANT, /* arbitration and the grant back to who asked, in one cycle */
    STAGE_PATHS
};

/* Cells of one arbiter over n requests, counted. */
double stage_arbiter_area(const struct cell_lib *lib, enum arbiter_kind kind, uint32_t n);

void stage_path_build(const struct stage_shape *s, enum stage_path which, struct path *out);

#endif
