/* SPDX-License-Identifier: MIT
 *
 * energy/logic/rollup.h: DSENT's own network models: a mesh and a three-stage Clos of equal routers
 * with repeated links, wires of one layer and minimum pitch. Used to check the composition; the
 * bill of a design comes from its graph. Edge routers of the mesh are not smaller and edge links
 * are not removed. */
#ifndef CW_ENERGY_LOGIC_ROLLUP_H
#define CW_ENERGY_LOGIC_ROLLUP_H

#include "base/err.h"
#include "energy/logic/cell.h"

struct mesh_point {
    double sites, sites_per_router;
    double flit_bits, vcs, bufs_per_vc;
    double freq, site_pitch; /* Hz, m */
};

struct mesh_result {
    double e_unicast, e_broadcast;
    double leak[LEAK_VARIANTS];
    double leak_router, leak_rr, leak_rs; /* variant 0.91: routers, router and site links */
    double area, area_router, area_rr, area_rs;
    double wire_intermediate, wire_global;
    double t_ck;
    bool met;
};

struct clos_point {
    double in_sites, out_sites;
    double ingress, middle, egress; /* routers */
    double flit_bits, vcs, bufs_per_vc;
    double freq, in_pitch, out_pitch;
};

struct clos_result {
    double e_unicast;
    double leak[LEAK_VARIANTS];
    double area, area_ingress, area_middle, area_egress, area_links;
    double wire_intermediate, wire_global;
    double t_ck;
    bool met;
};

bool mesh_point_check(const struct mesh_point *p, const struct logic_tech *tech, struct where at,
                      struct err *err);
void rollup_mesh(const struct cell_lib *lib, const struct mesh_point *p, struct mesh_result *out);

bool clos_point_check(const struct clos_point *p, const struct logic_tech *tech, struct where at,
                      struct err *err);
void rollup_clos(const struct cell_lib *lib, const struct clos_point *p, struct clos_result *out);

#endif
