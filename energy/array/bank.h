/* SPDX-License-Identifier: MIT
 *
 * energy/array/bank.h: from a mat to the whole array: H-trees inside a bank and between banks, and
 * the sums. */
#ifndef CW_ENERGY_ARRAY_BANK_H
#define CW_ENERGY_ARRAY_BANK_H

#include "energy/array/mat.h"

/* Bits of a bank on all ports. */
struct bank_bits {
    double address, in, out, search_in, search_out;
};

struct bank_grid {
    int mats_h, mats_v, mats;
};

struct bank_trees {
    struct htree_shape bank, banks;
    struct htree_bit in, out;         /* inside a bank */
    struct htree_bit uca_in, uca_out; /* between banks */
};

/* With one bank the trees between banks are empty. `statics`: leakage too is wanted. */
void bank_trees_make(const struct side *s, double mat_w, double mat_h, const struct bank_grid *grid,
                     const struct bank_bits *bits, struct bank_trees *out);

/* The figures a search compares. */
struct bank_quick {
    double access, read, leak, cycle, height, width;
    double before, select, after;
};

struct bank_bits bank_bits_of(const struct side *s, const struct cut *cut, int mats);

void bank_quick(const struct side *s, const struct mat *m, const struct cut *cut,
                const struct bank_grid *grid, struct bank_quick *q);

/* Everything about an SRAM array. */
void bank_full(const struct side *s, const struct mat_steps *of, const struct mat *m,
               const struct cut *cut, const struct bank_grid *grid, struct amodel_side *o);

/* FA and CAM: one subarray column of `ndbl` subarrays. False if there is no such organisation. */
bool cam_full(const struct side *s, int ndbl, struct amodel_side *o);

/* bits and one check bit for each 8 of them */
static inline long with_ecc(const struct side *s, long bits)
{
    return s->in->ecc ? bits + (bits + 7) / 8 : bits;
}

#endif
