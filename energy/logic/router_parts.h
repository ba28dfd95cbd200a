/* SPDX-License-Identifier: MIT
 *
 * energy/logic/router_parts.h: the blocks of a router as gates: decoder, multiplexer, OR tree,
 * arbiters. A wire is a net together with the statistics of its signal. */
#ifndef CW_ENERGY_LOGIC_ROUTER_PARTS_H
#define CW_ENERGY_LOGIC_ROUTER_PARTS_H

#include "energy/logic/netlist.h"

struct gate_wire {
    uint32_t net;
    struct signal sig;
};

struct gate_build {
    struct netlist *nl;
    uint32_t reuse; /* next statistics record to use again, or NL_NONE: make new ones */
};

/* Consecutive cells. */
struct cell_range {
    uint32_t first, n;
};

struct gate_wire gate_inv(struct gate_build *b, struct gate_wire a);
struct gate_wire gate_two(struct gate_build *b, enum cell_kind kind, struct gate_wire a,
                          struct gate_wire c);
struct gate_wire gate_mux2(struct gate_build *b, struct gate_wire a, struct gate_wire c,
                           struct gate_wire s, double select_copies);
/* A flip-flop whose pins are connected by the caller; returns its output wire. */
struct gate_wire gate_dff(struct gate_build *b, struct signal d, struct signal ck);
static inline uint32_t gate_cell(const struct gate_build *b, struct gate_wire out)
{
    return b->nl->nets.at[out.net].driver;
}

/* n outputs from ceil(log2 n) address wires. */
void part_decoder(struct gate_build *b, uint32_t n, const struct gate_wire *address,
                  struct gate_wire *out);

struct part_mux {
    struct cell_range inverters, slice;
    struct gate_wire out;
};
/* n:1, one bit slice; each select passes two inverters and then drives `bits` slices. */
struct part_mux part_multiplexer(struct gate_build *b, uint32_t n, const struct gate_wire *in,
                                 const struct gate_wire *select, double bits);

/* An arbiter over n requests (nets). A single request is a wire: no cells. */
typedef struct cell_range part_arbiter_fn(struct gate_build *b, uint32_t n,
                                          const uint32_t *requests);
part_arbiter_fn part_arbiter;                  /* matrix */
part_arbiter_fn part_tree_arbiter;             /* n - 1 round-robin nodes of two */
extern part_arbiter_fn *const part_arbiters[]; /* [enum arbiter_kind] */

#endif
