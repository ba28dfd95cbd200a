/* SPDX-License-Identifier: MIT
 *
 * energy/array/match.h: the match chain of a CAM, the same in an array and in a small block: half a
 * match line discharged by a compare stack, the NAND of the two halves, the dummy row's inverter
 * that strobes all rows, and a NOR in front of the word-line driver. */
#ifndef CW_ENERGY_ARRAY_MATCH_H
#define CW_ENERGY_ARRAY_MATCH_H

#include "energy/array/mat.h"

struct match_chain {
    double delay; /* with the one of the search line */
    double last;  /* of the NOR alone */
    double energy;
    double line_c, line_r; /* half a match line: what is precharged */
};

/* `rows` entries of twice `half` compared bits, behind a search line of this delay and ramp. */
struct match_chain match_chain_make(const struct side *s, double rows, double half,
                                    double search_delay, double search_ramp);

/* Off currents, A: a CAM cell on its write and read ports, a row's precharge, NAND and NOR. */
struct leak match_cell_leak(const struct side *s);
struct leak match_row_leak(const struct side *s);

#endif
