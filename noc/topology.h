/* SPDX-License-Identifier: MIT
 *
 * noc/topology.h: the interface of a topology, and what can be asked of every network. To add one:
 * one file that defines a `const struct topology`, its name in NOC_TOPOLOGIES, its keys in the
 * key table. */
#ifndef CW_NOC_TOPOLOGY_H
#define CW_NOC_TOPOLOGY_H

#include "noc/graph.h"
#include "noc/network_params.h"

struct noc_facts;

struct topology {
    const char *name;        /* as written in the config: noc.topology = "mesh" */
    const char *meaning;     /* one line for `crosswatt keys` */
    const char *const *keys; /* config keys only it reads ("noc.mesh.columns"), NULL-terminated */
    const char *const *routings; /* legal noc.routing; the first is the default; NULL-terminated */
    bool is_one_way;             /* it carries only what goes this way: */
    enum noc_dir way;

    /* Fills sizes that are 0 from the counts. Contract: pure; all contradictions are errors that
     * name both keys. */
    bool (*complete)(struct noc_params *params, struct err *err);
    /* Builds one direction from completed params. Contract: uses only `params` and `mem`. */
    bool (*build)(const struct noc_params *params, enum noc_dir dir, struct arena *mem,
                  struct noc *out, struct err *err);
};

/* All of them, by name: noc_NAME is the struct, "NAME" what the config says. */
#define NOC_TOPOLOGIES(X)                                                                          \
    X(mesh)                                                                                        \
    X(smesh) X(clos) X(butterfly) X(crossbar) X(cdxbar) X(hierarchical) X(cfnoc) X(hrcnet) X(custom)

extern const struct topology *const noc_topologies[]; /* NULL-terminated */
const struct topology *noc_topology_find(const char *name);

/* complete + build + check; the only way others make networks. `dir` NOC_BOTH (one physical
 * network, requests and replies on separate VCs) is offered by mesh, crossbar and custom.
 * `allow_cycles` and `facts` as in noc_check; `facts` may be NULL. */
bool noc_build(struct noc_params *params, enum noc_dir dir, bool allow_cycles, struct arena *mem,
               struct noc *out, struct noc_facts *facts, struct err *err);

/* ---- halves of the chip (noc/topology/hierarchical.c) ---------------------------------------- */

/* The halves of a request and a reply network, from completed params. False: these are not two
 * hierarchical networks of the same two halves with as many slices each. */
bool noc_halves_of(const struct noc_params *const params[2], const struct noc *const nocs[2],
                   struct arena *mem, struct noc_halves *out);

/* ---- checks (noc/check.c) -------------------------------------------------------------------- */

struct noc_cycle { /* a cycle in the channel-dependency graph */
    const uint32_t *channels;
    const uint8_t *classes;
    uint32_t n;
};

struct noc_facts {
    uint32_t min_hops, max_hops; /* routers on a path */
    double mean_hops;
    uint64_t bisection_bits; /* per cycle and direction, over the best balanced cut known (staged
                                networks: the narrowest stage boundary) */
    bool bisection_is_exact; /* false for custom networks: the best cut found */
    uint64_t injection_bits, ejection_bits; /* per cycle, what all ports together send and take */
    bool is_deadlock_free;
    struct noc_cycle cycle; /* where it is not */
};

/* Reachability of every destination from every source it may talk to, port and rule consistency,
 * acyclic channel dependencies. Errors name the channels. With `allow_cycles` a cycle is only
 * recorded in the facts. Linear in channels and rules. */
bool noc_check(const struct noc *noc, bool allow_cycles, struct arena *mem, struct noc_facts *facts,
               struct err *err);

/* ---- counts (noc/count.c) -------------------------------------------------------------------- */

struct noc_shape { /* equal routers */
    uint32_t inputs, outputs, count;
    uint32_t rr_unit_ports; /* CD-Xbar's routing unit over so many ports; 0: none */
};
struct noc_counts {
    uint32_t routers, vc_buffers, links;
    const struct noc_shape *shapes; /* in `mem`, in the order of their first router */
    uint32_t n_shapes;
};
void noc_count(const struct noc *noc, struct arena *mem, struct noc_counts *out);
/* Adds the counts of a second network, equal shapes joined. */
void noc_count_add(struct noc_counts *sum, const struct noc_counts *more, struct arena *mem);

/* ---- floorplan (noc/place.c) ----------------------------------------------------------------- */

struct noc_tile {
    enum noc_endpoint_kind kind;
    bool is_mc;
    uint32_t index;
    float x_mm, y_mm, width_mm, height_mm; /* lower left corner */
};
struct noc_floorplan {
    float width_mm, height_mm;
    struct noc_tile *tiles;
    uint32_t n_tiles;
};
/* Places tiles, gives routers and endpoints their position and every channel its length. `reply` is
 * NULL where one network carries both. */
void noc_place(const struct noc_place_params *params, struct noc *request, struct noc *reply,
               struct arena *mem, struct noc_floorplan *out);

/* A straight cut through the die and the wires of both networks that cross it (noc/tracks.c). */
struct noc_cut {
    bool is_vertical, is_fullest;
    double at_mm, length_mm; /* x of a vertical cut, y of a horizontal one; how long it is */
    uint64_t wires;
};
enum { NOC_CUTS_ONE_WAY = 8, NOC_CUTS = 2 * NOC_CUTS_ONE_WAY };
/* For each direction the fullest cut, then seven at equal distances; vertical ones first. Counts by
 * position, whatever lengths tech.links.* gives. */
void noc_cuts(const struct noc_floorplan *die, const struct noc *request, const struct noc *reply,
              struct noc_cut out[NOC_CUTS]);

#endif
