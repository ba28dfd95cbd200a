/* SPDX-License-Identifier: MIT
 *
 * gen/design/design.h: the elaborated hardware. Networks, arrays, and the list of all components:
 * each instance has one id, valid in the design, the book (energy/engine.h) and the counters of the
 * simulator alike, and belongs to one class of equal parts. Frozen once made; lives in the arena
 * given to design_make.
 *
 * Ids are handed out group by group, so that a module finds "router 5 of the reply network" or "the
 * L1 of SM 7" by adding to the first id of a group:
 *
 *     uint32_t id = design_group(d, GROUP_REPLY_ROUTERS)->first + 5;
 *     uint32_t l1 = design_array(d, ROLE_L1)->first_component + 7;
 *
 * VC buffers and packet-merge tables are listed as arrays, but are not components of their own:
 * they are priced and counted with their router. */
#ifndef CW_GEN_DESIGN_DESIGN_H
#define CW_GEN_DESIGN_DESIGN_H

#include "cache/array.h"
#include "energy/engine.h"
#include "gen/config/arch.h"
#include "noc/topology.h"
#include "sim/arrays.h"
#include "sim/events.h"

#define DESIGN_NONE UINT32_MAX

struct design_array {
    enum array_role role;
    struct array geometry;
    uint32_t first_component; /* of `geometry.instances` ids; DESIGN_NONE: priced with its router */
    uint32_t class_id;        /* or DESIGN_NONE */
};

/* Groups of components in the order of their ids; the arrays come between. */
enum component_group {
    GROUP_REQUEST_ROUTERS,
    GROUP_REQUEST_CHANNELS,
    GROUP_REPLY_ROUTERS, /* empty where one network carries both */
    GROUP_REPLY_CHANNELS,
    /* Where several SMs share a port: a concentrator of each port and a link of each SM; else empty
     */
    GROUP_REQUEST_CONCENTRATORS,
    GROUP_REQUEST_SM_LINKS,
    GROUP_REPLY_CONCENTRATORS,
    GROUP_REPLY_SM_LINKS,
    GROUP_ARRAYS, /* all of them; each array knows its own first id */
    GROUP_SM_CORES,
    GROUP_MEMORY_CONTROLLERS,
    GROUP_DRAM_CHANNELS,
    GROUP_USER,
    GROUP_COUNT
};

struct group {
    uint32_t first, n;
};

struct component {
    enum component_kind kind;
    uint32_t class_id; /* into design.classes */
    uint32_t index;    /* within its group or array: router 5, L1 of SM 7 */
};

struct design {
    const struct arch *arch;
    struct noc request, reply; /* reply is empty if !has_reply: request then carries both */
    bool has_reply;
    struct noc_params request_params, reply_params; /* completed: no size is 0 any more */
    struct noc_facts request_facts, reply_facts;
    struct noc_counts request_counts, reply_counts;
    struct noc_floorplan floorplan;
    const struct noc_halves *halves; /* that keep copies of each other's lines; NULL: none */

    struct design_array *arrays;
    uint32_t n_arrays;

    struct component *components; /* [component id] */
    uint32_t n_components;
    struct group groups[GROUP_COUNT];
    struct book_class *classes; /* [class id] */
    uint32_t n_classes;
};

/* Builds all of it. On false at least one error is in `err`. With `allow_cycles` a network that can
 * deadlock is made all the same and its facts say so. */
bool design_make(const struct arch *arch, bool allow_cycles, struct arena *mem, struct design *out,
                 struct err *err);

/* "mesh", or "cfnoc/smesh" where requests and replies differ: built in `mem`. */
const char *design_topology(const struct design *d, struct arena *mem);
/* "mesh, xy routing, 256 bit, 4 VCs of 4 flits", for each network where they differ. */
const char *design_networks(const struct design *d, bool with_routing, struct arena *mem);

/* The array of a role, or NULL if this design has none. */
const struct design_array *design_array(const struct design *d, enum array_role role);

static inline const struct group *design_group(const struct design *d, enum component_group g)
{
    return &d->groups[g];
}

/* "request router 5", "l1 7" (that of SM 7): built in `mem`. */
const char *design_component_name(const struct design *d, uint32_t component, struct arena *mem);

#endif
