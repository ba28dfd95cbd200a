/* SPDX-License-Identifier: MIT
 *
 * cache/structure.h: elaboration as a structure sees it: parameters in, geometry out. Each row of
 * the table of arrays (sim/arrays.h) has its NAME_geometry in the structure's own file. */
#ifndef CW_CACHE_STRUCTURE_H
#define CW_CACHE_STRUCTURE_H

#include "cache/array.h"
#include "sim/arrays.h"
#include "sim/params.h"

/* A network in numbers; 0 routers: there is none. */
struct network_size {
    uint32_t routers, inputs; /* inputs: of all routers together */
    uint32_t vcs, vc_depth, width_bits;
};

struct structure_params {
    const struct gpu_params *gpu;
    const struct sm_params *sm;
    const struct l1_params *l1;
    const struct coalescer_params *coalescer;
    const struct cluster_params *cluster;
    const struct llc_params *llc;
    const struct dram_params *dram;
    const struct packet_merge_params *merge;
    const struct array_size *arrays; /* [role] */
    struct network_size request, reply;
};

/* False: these parameters have none. Fills kind, entries, fields, ports. */
#define X(id, name, scope, events)                                                                 \
    bool name##_geometry(const struct structure_params *p, struct array *out);
ARRAYS(X)
#undef X

/* The same by role, with name, scope and instances. */
bool structure_make(enum array_role role, const struct structure_params *p, struct array *out);

#endif
