/* SPDX-License-Identifier: MIT
 *
 * energy/logic/tap_model.h: a node of a network without buffers on the way: for each output a
 * multiplexer over the inputs and a register, both as wide as a flit. Where an endpoint sends,
 * a few flits of its own wait in flip-flops; where a token comes by, it is held and compared.
 *
 * One cycle is a hop: out of a register, over the wire, through the multiplexer into the next
 * register. What comes over the wire says with a bit of its own where it goes (decided a hop
 * before), and that bit drives the selects of the whole width: the longer of the two paths.
 * Multiplexers and the select's tree are sized for the least delay, so that the wire has the most.
 * Registers on the way are clocked in every cycle, as the pipeline registers of a router are, and
 * a flit is latched by the registers of all outputs. All values in SI base units. */
#ifndef CW_ENERGY_LOGIC_TAP_MODEL_H
#define CW_ENERGY_LOGIC_TAP_MODEL_H

#include "energy/logic/cell.h"

struct tap_point {
    uint32_t n_in, n_out, bits;
    uint32_t gate_flits; /* of its endpoint, that wait here; 0: none sends here */
    uint32_t token_bits; /* 0: no token comes by */
    uint32_t counters;   /* numbers that the token carries, one of which is looked at */
};

enum tap_part { TAP_SWITCH, TAP_REGISTERS, TAP_GATE, TAP_CONTROL, TAP_CLOCK, TAP_PARTS };

struct tap_result {
    double area[TAP_PARTS], leak[LEAK_VARIANTS][TAP_PARTS];
    double e_cross;         /* a flit goes through and is latched */
    double e_write, e_read; /* a flit of the endpoint comes, and leaves */
    double e_ask;           /* the token comes by; or who goes next is decided */
    double e_clock;         /* per cycle */
    double logic;           /* gates between the wire and the register, s */
    bool clock_transition_met;
};

void tap_model(const struct cell_lib *lib, const struct tap_point *p, struct tap_result *out);
/* `logic` alone. */
double tap_logic_delay(const struct cell_lib *lib, uint32_t n_in, uint32_t bits);

#endif
