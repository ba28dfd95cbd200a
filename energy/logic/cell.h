/* SPDX-License-Identifier: MIT
 *
 * energy/logic/cell.h: the seven standard cells that routers and links are made of, at every drive
 * size of a technology: area, pin capacitance, delay, drive resistance, capacitance that switches
 * with each signal, and leakage by input state in both published variants.
 *
 * A cell is composed of transistor networks (inverter, nand, nor, tri-state inverter) with
 * folded fingers; delays are 0.693 RC. Model: DSENT (Sun et al., NOCS 2012). */
#ifndef CW_ENERGY_LOGIC_CELL_H
#define CW_ENERGY_LOGIC_CELL_H

#include <stddef.h>
#include <stdint.h>

#include "energy/logic/process.h"
#include "energy/tech.h"

enum cell_kind { CELL_INV, CELL_NAND2, CELL_NOR2, CELL_AND2, CELL_OR2, CELL_MUX2, CELL_DFFQ };
enum { CELL_KINDS = 7, CELL_PINS_MAX = 3, CELL_STATES_MAX = 8 };

/* Pins by cell: INV A; two-input gates A B; MUX2 A B S; DFFQ D CK. */
enum { PIN_A = 0, PIN_B = 1, PIN_S = 2, PIN_D = 0, PIN_CK = 1 };

extern const char *const cell_names[CELL_KINDS];
extern const char *const leak_variant_names[LEAK_VARIANTS]; /* "0.91", "2013" */

struct cell {
    double area; /* m^2 */
    double pin_cap[CELL_PINS_MAX];
    double delay[CELL_PINS_MAX]; /* pin to output inside the cell; DFFQ: D is the setup time */
    double drive_r;              /* ohm */
    double out_cap;              /* of the output net, inside the cell */
    double cap_y;                /* everything inside that switches with the output */
    double cap_s;                /* MUX2: switches with S; DFFQ: with CK */
    double cap_d;                /* DFFQ: switches with D */
    double cap_m;                /* DFFQ: switches with the master node */
    /* Leakage power, W, by state: bits in pin order, the first pin is the highest bit.
     * DFFQ: D CK Q. */
    double leak[LEAK_VARIANTS][CELL_STATES_MAX];
    double leak_mean[LEAK_VARIANTS];
};

struct cell_lib {
    const struct logic_tech *tech;
    double pn_ratio;      /* P to N transistor width */
    double height;        /* of a cell, m */
    double active_height; /* of that, usable for transistors */
    double metal_cap;     /* of Metal1 inside cells, F/m */
    double heat;          /* leakage at the temperature over that at characterisation */
    size_t n_sizes;
    struct cell cells[CELL_KINDS][LOGIC_SIZES_MAX];
};

/* `tech` must have passed logic_tech_check and must outlive the library. */
void cell_lib_make(const struct logic_tech *tech, struct cell_lib *lib);

unsigned cell_pins(enum cell_kind kind);
unsigned cell_states(enum cell_kind kind);

#endif
