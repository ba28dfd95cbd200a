/* SPDX-License-Identifier: MIT
 *
 * noc/topology/plain.h: regular networks of equal nodes, each both source and destination, with the
 * numbering of routers, ports and nodes that BookSim2 uses, so that its configurations give the
 * same cycles: arbiters start at port 0, so the order of ports matters. Endpoint i is node i. */
#ifndef CW_NOC_TOPOLOGY_PLAIN_H
#define CW_NOC_TOPOLOGY_PLAIN_H

#include "noc/graph.h"

struct arena;
struct err;

struct noc_plain {
    uint32_t k, n; /* radix and dimensions, stages or levels */
    uint32_t rows; /* mesh of two dimensions: rows; 0: k */
    uint32_t vcs, vc_depth, width_bits;
    uint32_t classes; /* message classes that share the routes, at least 1 */
    bool long_links;  /* cmesh: wires as long as the tile they cross (2 cycles) */
    bool adaptive;    /* fattree: the freer of two random up ports instead of one random port */
    const char *file; /* anynet: for messages */
    const char *text; /* anynet: the file's content */
    size_t text_len;
};

/* Each fills `out` and, for every channel, its cycles on the wire. */
bool noc_plain_mesh(const struct noc_plain *p, struct arena *mem, struct noc *out,
                    const uint16_t **cycles, struct err *err);
bool noc_plain_cmesh(const struct noc_plain *p, struct arena *mem, struct noc *out,
                     const uint16_t **cycles, struct err *err);
bool noc_plain_fly(const struct noc_plain *p, struct arena *mem, struct noc *out,
                   const uint16_t **cycles, struct err *err);
bool noc_plain_fattree(const struct noc_plain *p, struct arena *mem, struct noc *out,
                       const uint16_t **cycles, struct err *err);
bool noc_plain_anynet(const struct noc_plain *p, struct arena *mem, struct noc *out,
                      const uint16_t **cycles, struct err *err);

/* Shared by them: one rule for one port; freezing; all wires of one cycle. */
struct noc_region { /* destinations, both ends included */
    uint32_t x0, x1, y0, y1;
};
void noc_plain_rule(struct noc_builder *b, const struct noc_plain *p, uint32_t router,
                    struct noc_region to, uint32_t port);
const uint16_t *noc_plain_finish(struct noc_builder *b, const struct noc_plain *p,
                                 struct arena *mem, struct noc *out);
/* k to the power of e; 0 when that is more than 65,536 nodes. */
uint32_t noc_plain_power(uint32_t k, uint32_t e);

#endif
