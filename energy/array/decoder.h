/* SPDX-License-Identifier: MIT
 *
 * energy/array/decoder.h: predecoders and final decoders of the array model. A predecoder turns up
 * to 18 address bits into one-hot lines in two halves of at most 9 bits, each one or two levels of
 * NAND2/NAND3; a final decoder ANDs one line of each half and drives a word line or a column
 * multiplexer. */
#ifndef CW_ENERGY_ARRAY_DECODER_H
#define CW_ENERGY_ARRAY_DECODER_H

#include "energy/array/gate.h"

enum { PREDEC_BITS = 9 };

/* The part of a predecoder half that does not depend on its load: address buffers, and the first
 * level of NANDs where there are two. Made once per technology. */
struct predec_front {
    double delay[2], ramp[2]; /* at the last level, by the NAND2 and the NAND3 path */
    double buffers;           /* energy of the address buffers, J */
    double level1[2];         /* energy of one NAND2 and one NAND3 path of the first level */
    struct leak leak;         /* W */
    double area;
};

struct array_circuits { /* a technology and what is computed once from it */
    struct array_tech t;
    struct predec_front front[PREDEC_BITS + 1];
    double c_nand[4]; /* input capacitance of the first gate of a NAND path by fan-in; 0 unused */
};

void array_circuits_make(struct array_circuits *c);

struct decoder {
    bool exists;
    int fan_in;
    struct chain chain;
    double tf[CHAIN_MAX]; /* time constant of each stage */
    double energy, area;
    double load, wire_r; /* what it drives; known also when it does not exist */
    double c_in;         /* of its first gate */
    struct leak leak;
};

/* n_lines: how many it chooses from; way: gated by a way-select signal; v_load: voltage to which
 * the load is charged; height: of its gates. */
struct decoder decoder_make(const struct array_circuits *c, long n_lines, bool way, double load,
                            double wire_r, double v_load, double height);
/* Delay from an input ramp; 0 and ramp 0 for a decoder that does not exist. */
double decoder_delay(const struct decoder *d, double ramp_in, double *ramp_out);

struct predecoder {
    double delay, ramp, energy, area;
    struct leak leak;
    int bits[2]; /* of the halves */
};

/* For n_lines with n_dec final decoders on each line and a wire along them. */
struct predecoder predecoder_make(const struct array_circuits *c, long n_lines, int n_dec,
                                  const struct decoder *d, double wire_c, double wire_r);

/* Area of the drivers of n way-select signals for the given decoder. */
double way_select_area(const struct array_circuits *c, int n, const struct decoder *d);

#endif
