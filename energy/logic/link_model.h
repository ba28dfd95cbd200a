/* SPDX-License-Identifier: MIT
 *
 * energy/logic/link_model.h: a bundle of wires with inverters as repeaters, chosen for a delay
 * budget: first larger inverters, then more segments. */
#ifndef CW_ENERGY_LOGIC_LINK_MODEL_H
#define CW_ENERGY_LOGIC_LINK_MODEL_H

#include "base/err.h"
#include "energy/logic/cell.h"

struct link_point {
    const char *layer;
    double bits;
    double length;       /* m */
    double delay;        /* budget, s */
    double width_mult;   /* of the layer's minimum width; at least 1 */
    double spacing_mult; /* of the layer's minimum spacing; at least 1 */
    bool keep_parity;    /* an even number of inverters */
};

/* Global layer, 128 bits, 1 mm, 1 ns, minimum wires, parity kept. */
struct link_point link_point_default(void);

struct link_result {
    double energy;              /* per flit of random bits, J */
    double leak[LEAK_VARIANTS]; /* W */
    double area;                /* repeaters, m^2 */
    double wire_area;           /* on its layer, m^2 */
    double delay;               /* achieved, s */
    double segments;
    size_t size; /* index of the inverter's size */
    bool met;    /* false: no solution; the other numbers are those of the search's last state */
    double best_delay; /* smallest delay the search can reach, s */
    double pin_cap;    /* of the first repeater, F */
    double drive_r;    /* of the last repeater with its wire, ohm */
};

/* Each out of range value is an error naming its field. */
bool link_point_check(const struct link_point *p, const struct logic_tech *tech, struct where at,
                      struct err *err);
/* `p` must have passed the check. */
void link_model(const struct cell_lib *lib, const struct link_point *p, struct link_result *out);

#endif
