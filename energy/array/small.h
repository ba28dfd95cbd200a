/* SPDX-License-Identifier: MIT
 *
 * energy/array/small.h: cost of small and odd storage: a few entries, a few bits, very wide words,
 * associativity that is not a power of two. Nothing is searched and nothing is rounded: rows,
 * columns and stages of drivers are real numbers, so that every figure grows steadily with entries,
 * bits and ports, and a neighbour of a shape never costs less.
 *
 * Two designs are known, both from the transistors, wires and layout rules of the array model:
 *     latches   a latch per bit, written through a tri-state gate per write port, read through a
 *               tree of NANDs per read port; compared by an XNOR per bit and an AND tree
 *     cells     the memory cell of the array model, grown by its ports by the same rule, with row
 *               decoder, bit lines, sense amplifiers and match lines, in one plain block
 * One entry is a register of latches, sixteen rows are an array of cells (the fewest that the array
 * model lays out); between them the figures lie between the two designs, in proportion to the
 * logarithm of the entries. A structure that is searched is split: tags in CAM cells, data in plain
 * ones.
 *
 * Limits: one block, no H-trees: above some tens of kilobytes the array model is the better guide,
 * and the rule of energy/array/choice.h hands such structures to it. */
#ifndef CW_ENERGY_ARRAY_SMALL_H
#define CW_ENERGY_ARRAY_SMALL_H

#include "energy/array/mat.h"

/* A block of storage, one bank. */
struct small_block {
    double access, cycle;       /* s; a searched block with data: from key to data */
    double match;               /* s from key to match; searched blocks only */
    double read, write, search; /* J */
    struct leak leak;           /* W */
    double area, height;        /* um2, um */
    double decode, sense;       /* parts of access, s */
};

/* entries x bits with the ports of `s`. Real numbers above 0. */
struct small_block small_ram(const struct side *s, double entries, double bits);
/* entries of `key` compared bits and `bits` others; bits may be 0. */
struct small_block small_cam(const struct side *s, double entries, double key, double bits);
/* A comparator of two words. */
struct small_block small_compare(const struct side *s, double bits);
/* The first of n requests, with its number. */
struct small_block small_priority(const struct side *s, double n);
/* One of n words. */
struct small_block small_select(const struct side *s, double n, double bits);

/* 1: latches, 0: cells. */
double small_latch_share(double entries);

/* The whole request. It must have passed small_check. */
void small_cost(const struct amodel_in *in, const struct array_tables *tables,
                struct arena *scratch, struct amodel_out *out);
bool small_check(const struct amodel_in *in, const struct array_tables *tables, struct where at,
                 struct err *err);

#endif
