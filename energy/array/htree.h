/* SPDX-License-Identifier: MIT
 *
 * energy/array/htree.h: the H-trees that join the mats of a bank and the banks of an array. Costs
 * are per bit: every tree over the same leaves has the same levels, so one walk serves address and
 * data, and the caller multiplies by the number of bits. */
#ifndef CW_ENERGY_ARRAY_HTREE_H
#define CW_ENERGY_ARRAY_HTREE_H

#include "energy/array/gate.h"

struct htree_bit { /* one bit through a tree */
    double delay, energy;
    double search;    /* energy where every branch of the tree is driven */
    struct leak leak; /* W */
};

enum htree_kind { HTREE_IN, HTREE_OUT };

/* What nodes and wires of a technology have in common, made once. */
struct htree_tech {
    const struct array_tech *t;
    double delay, energy, spacing; /* of the repeated wire, per um; um */
    struct leak leak;              /* W per um */
    double size, c;                /* F per um of bare wire */
    double ramp;                   /* s of ramp per um of wire that a node sees */
    double v, ln_v2;               /* switching threshold of nodes, square of its logarithm */
    struct leak nand, tri_nand, tri_nor, inv; /* W for size 1 */
    double finger_n, finger_p;
    /* nodes between wires longer than the repeater spacing are all equal */
    struct htree_bit full[2]; /* [kind], for one bit */
};
void htree_tech_make(const struct array_tech *t, struct htree_tech *out);

struct htree_shape {
    double width, height; /* of the whole, um */
    int h, v;             /* levels */
    bool between_banks;   /* plain wires instead of gated nodes */
};

/* n_v x n_h leaves, powers of two; `address` bits (with search bits) and `data` bits of all ports
 * are routed beside the leaves. */
struct htree_shape htree_bank(const struct array_tech *t, double leaf_w, double leaf_h, int n_v,
                              int n_h, double address, double data);
struct htree_shape htree_banks(const struct array_tech *t, double leaf_w, double leaf_h, int n_v,
                               int n_h, double address, double data);

struct htree_bit htree_walk(const struct htree_tech *k, const struct htree_shape *s,
                            enum htree_kind kind, bool search);

#endif
