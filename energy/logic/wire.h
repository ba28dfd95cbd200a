/* SPDX-License-Identifier: MIT
 *
 * energy/logic/wire.h: resistance and capacitance of a wire between two neighbours over a ground
 * plane, per metre of length. */
#ifndef CW_ENERGY_LOGIC_WIRE_H
#define CW_ENERGY_LOGIC_WIRE_H

struct wire_layer;

struct wire_rc {
    double r;            /* ohm/m */
    double c;            /* F/m: both sides to ground and to the neighbours */
    double c_neighbours; /* of that, to the neighbours */
};

struct wire_rc wire_rc(const struct wire_layer *layer, double width, double spacing);

/* A number as the tool hands it on through text: six significant digits. */
double round6(double v);

#endif
