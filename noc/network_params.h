/* SPDX-License-Identifier: MIT
 *
 * noc/network_params.h: what a topology is built from. gen/ fills this from the key table; one
 * struct per network, since request and reply network can be overridden separately. 0 in a size
 * means: chosen from the SM and LLC counts (CD-Xbar paper, Table 1). */
#ifndef CW_NOC_NETWORK_PARAMS_H
#define CW_NOC_NETWORK_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* Where the memory nodes are: in the bottom rows, the top rows, both, the left and right columns,
 * spread over rows and columns (Abts 2009), as GPGPU-Sim has them on 8 x 8, at the coordinates
 * given, or where the topology wants them. */
#define NOC_PLACEMENTS(X)                                                                          \
    X(NOC_PLACE_BOTTOM, "bottom")                                                                  \
    X(NOC_PLACE_TOP, "top")                                                                        \
    X(NOC_PLACE_TOP_BOTTOM, "top_bottom")                                                          \
    X(NOC_PLACE_LEFT_RIGHT, "left_right")                                                          \
    X(NOC_PLACE_DIAMOND, "diamond")                                                                \
    X(NOC_PLACE_GPGPUSIM, "gpgpusim")                                                              \
    X(NOC_PLACE_LIST, "list")                                                                      \
    X(NOC_PLACE_AUTO, "auto")

#define X(name, word) name,
enum noc_placement { NOC_PLACEMENTS(X) };
#undef X

/* custom topology: one router, one link, one route as the user lists them */
struct noc_custom_router {
    const char *name;
    uint32_t n_in, n_out; /* 0: as many as its links need */
    struct where at;
};
struct noc_custom_link {
    const char *from, *to;      /* router name, or "sm 3", "llc 0" */
    int32_t from_port, to_port; /* -1: next free */
    double length_mm;           /* 0: by class */
    struct where at;
};
struct noc_custom_route {
    const char *router;
    const char *to;  /* "sm 3", "llc *", … */
    const char *via; /* next router or endpoint name; several separated by blanks: any of them */
    uint32_t vc_class;
    struct where at;
};

struct noc_params {
    const char *topology;
    uint32_t n_sms, n_llcs;
    uint32_t sms_per_port; /* SMs sharing one network port, the last one may have fewer; 0: 1 */
    uint32_t n_sm_ports; /* ports on the SM side (clusters), SMs dealt evenly, larger groups first;
                            0: n_sms / sms_per_port, rounded up */
    uint32_t width_bits, vcs, vc_depth;

    const char *routing; /* name, legal ones depend on the topology */

    uint32_t mesh_columns, mesh_rows;
    enum noc_placement placement;
    const int64_t *place_list; /* x0, y0, x1, y1, … for NOC_PLACE_LIST */
    uint32_t n_place_list;

    uint32_t clos_m, clos_n, clos_r;
    uint32_t fly_k, fly_n;
    uint32_t cd_groups, cd_ports; /* CD-Xbar: local crossbars, converged ports of each */
    uint32_t hier_tpc, hier_gpcs; /* hierarchical: SM ports of a TPC, GPCs */
    uint32_t hier_tpc_ports,
        hier_gpc_ports; /* … links of a TPC to its GPC, of a GPC to the crossbar */
    uint32_t hier_partitions, hier_crossings; /* … of the L2, links between two of them, each way */
    uint32_t hier_crossing_cycles;            /* … that such a link takes beyond its length */
    uint32_t hier_halves; /* … parts of the chip, with links between partitions of one place */
    bool hier_direct;     /* every GPC has links to every partition of its half */

    const struct noc_custom_router *routers;
    uint32_t n_routers;
    const struct noc_custom_link *links;
    uint32_t n_links;
    const struct noc_custom_route *routes;
    uint32_t n_routes;

    struct where at; /* of the noc section, for errors that concern several keys */
};

/* Where channels get their lengths: fixed per class, or from the floorplan. */
#define NOC_LINK_FLOORPLAN (-1.0)
/* Area of a tile that the description leaves to the node; completed before a design is made. */
#define NOC_TILE_BY_NODE (-1.0)

struct noc_place_params {
    double link_mm[3];     /* by enum noc_link_class; NOC_LINK_FLOORPLAN: Manhattan on the die */
    double track_um;       /* pitch of a wire; 0: of the node's global layer */
    uint32_t track_layers; /* that run one way and may carry the networks */
    double sm_area_mm2, llc_area_mm2, mc_area_mm2;
    double noc_area_mm2, other_area_mm2; /* of the die: between the tiles */
    uint32_t n_sms, n_llcs, n_mcs;
    uint32_t n_spare_sms; /* on the die, but switched off */
};

#endif
