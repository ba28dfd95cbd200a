/* SPDX-License-Identifier: MIT
 *
 * energy/logic/clock_tree.h: a buffered H-tree over a square block (the clock tree of DSENT).
 * Inverters are chosen so that no transition takes longer than 40 ps. */
#ifndef CW_ENERGY_LOGIC_CLOCK_TREE_H
#define CW_ENERGY_LOGIC_CLOCK_TREE_H

#include "energy/logic/cell.h"

struct clock_tree {
    double area, leak[LEAK_VARIANTS];
    double energy; /* per cycle, the clock pins it drives included */
    double wire_area;
    bool transition_met; /* false: the leaf drivers are too weak for their load */
};

/* `width` and `spacing` in m; `pitch` is the side of the block, `load` all clock pins. */
struct clock_tree clock_tree_make(const struct cell_lib *lib, const struct wire_layer *layer,
                                  double width, double spacing, unsigned levels, double pitch,
                                  double load);

#endif
