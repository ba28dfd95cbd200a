/* SPDX-License-Identifier: MIT
 *
 * energy/logic/netlist.h: cells and nets of a modelled block, with what the cost of a cell depends
 * on: its size, the load of its output, the statistics of its signals.
 *
 * One modelled cell stands for many equal ones: connections carry a multiplicity (256 flip-flops
 * on one clock net are one edge of multiplicity 256), and a net may be a selector, whose load is
 * the largest of its children instead of their sum (one bit slice drives a bus). Loads, delay and
 * drivers of the timing graph are implied by (cell, pin) pairs. Wires inside a block have neither
 * resistance nor capacitance.
 *
 * Loads and remaining delays are kept and recomputed only where a change of size made a hole
 * (value below 0), so that an extraction after enlarging one cell costs the cells it touched. */
#ifndef CW_ENERGY_LOGIC_NETLIST_H
#define CW_ENERGY_LOGIC_NETLIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "energy/logic/cell.h"
#include "energy/logic/signal.h"

#define NL_NONE UINT32_MAX
enum { NL_NET_PIN = 255, NL_FIXED_MAX = 4, NL_BLOCK = 32 };

struct nl_cell {
    uint32_t in[CELL_PINS_MAX]; /* nets */
    uint32_t out;
    uint32_t stat; /* into stats */
    uint8_t kind;  /* enum cell_kind; CELL_KINDS + i: fixed[i] */
    uint8_t size;  /* index into the technology's sizes */
};

struct nl_edge {
    double copies;
    uint32_t to; /* cell, or net where pin is NL_NET_PIN */
    uint8_t pin;
};

struct nl_net {
    uint32_t first, n;  /* edges */
    uint32_t driver;    /* cell, or first parent net if by_net; NL_NONE for none */
    uint32_t n_parents; /* parent nets follow each other */
    uint32_t up;        /* its edge under the first of them, in up_edges */
    bool by_net, is_selector;
};

/* What the energy and leakage of a cell take from its signals. Equal cells share one. */
struct nl_stat {
    double p1[CELL_PINS_MAX];          /* probability of 1 on each pin; DFFQ: D, CK, Q */
    double n01_y, n01_s, n01_d, n01_m; /* as the capacitances of struct cell */
};

struct nl_pending {
    struct nl_edge edge;
    uint32_t net;
};

struct netlist {
    struct arena *mem;
    const struct cell_lib *lib;
    VEC(struct nl_cell) cells;
    VEC(struct nl_net) nets;
    VEC(struct nl_stat) stats;
    VEC(struct nl_pending) pending;
    struct nl_edge *edges;
    uint32_t *pin_edges;             /* [cell][pin] the edge that ends there */
    uint32_t *up_edges;              /* [net under others][parent] */
    struct cell fixed[NL_FIXED_MAX]; /* drivers that cannot be enlarged */
    uint32_t n_fixed;
    double *cap;       /* [net] load, F; below 0: not known */
    double *edge_cap;  /* [edge] its part of it */
    double *net_rest;  /* [net] longest delay from here to an end, s; below 0: not known */
    double *cell_rest; /* [cell] the same from its driver on */
    /* A wide net, of all entries of a buffer, asks few of its edges again: */
    double *edge_rest;     /* [edge] the same from its end on */
    double *block_rest;    /* [NL_BLOCK edges] the longest of them, where all are of one net */
    uint32_t *block_worst; /* [NL_BLOCK edges] and its edge */
    uint32_t *worst;       /* [net] edge that attains it */
    double *leak;          /* [stat][size][variant], filled on demand; below 0: not known */
};

void nl_init(struct netlist *nl, struct arena *mem, const struct cell_lib *lib);
/* Room for that many more cells and connections, so that building does not copy. */
void nl_reserve(struct netlist *nl, size_t cells, size_t connections);
uint32_t nl_net(struct netlist *nl);
uint32_t nl_stat(struct netlist *nl);
/* A cell with a fresh output net; its pins are connected one by one. The order of connections on a
 * net decides between equally long paths. */
uint32_t nl_cell(struct netlist *nl, enum cell_kind kind, uint32_t stat);
/* A kind of driver that cannot be enlarged, and cells of it. At most NL_FIXED_MAX kinds. */
uint32_t nl_fixed_kind(struct netlist *nl, const struct cell *data);
uint32_t nl_fixed(struct netlist *nl, uint32_t kind);
void nl_connect(struct netlist *nl, uint32_t net, uint32_t cell, unsigned pin, double copies);
/* Hangs a net under another; several parents must be joined in ascending order and be neighbours.
 */
void nl_join(struct netlist *nl, uint32_t parent, uint32_t child);
static inline uint32_t nl_out(const struct netlist *nl, uint32_t cell)
{
    return nl->cells.at[cell].out;
}
/* Sorts connections; no cell, net or connection may be added afterwards. */
void nl_freeze(struct netlist *nl);

/* Everything known of loads and delays is computed again when it is asked for. */
void nl_forget(struct netlist *nl);
/* All cells back to the smallest size. */
void nl_reset(struct netlist *nl);
/* One size up; false for the largest and for fixed drivers. */
bool nl_enlarge(struct netlist *nl, uint32_t cell);
bool nl_can_enlarge(const struct netlist *nl, uint32_t cell);
void nl_set_size(struct netlist *nl, uint32_t cell, uint8_t size);

static inline const struct cell *nl_data(const struct netlist *nl, uint32_t cell)
{
    const struct nl_cell *c = &nl->cells.at[cell];
    return c->kind < CELL_KINDS ? &nl->lib->cells[c->kind][c->size]
                                : &nl->fixed[c->kind - CELL_KINDS];
}

double nl_cap(struct netlist *nl, uint32_t net);
/* Longest delay from the net on; afterwards `worst` leads along it. */
double nl_longest(struct netlist *nl, uint32_t net);

double nl_area(const struct netlist *nl, uint32_t cell);
double nl_leak(struct netlist *nl, uint32_t cell, enum leak_variant variant);
/* Energy of one event at the statistics of the cell, its load included. */
double nl_energy(struct netlist *nl, uint32_t cell);

/* Sums over cells first .. first + n - 1. */
struct nl_sum {
    double area, leak[LEAK_VARIANTS], energy;
};
struct nl_sum nl_sum(struct netlist *nl, uint32_t first, uint32_t n);
void nl_sum_add(struct nl_sum *sum, struct nl_sum part, double copies);

#endif
