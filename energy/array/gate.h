/* SPDX-License-Identifier: MIT
 *
 * energy/array/gate.h: circuit primitives of the array model: capacitance and resistance of
 * transistors, ramp-aware gate delay, leakage, layout area, buffer chains sized by logical effort,
 * and long repeated wires. Widths in um, everything else in SI units. */
#ifndef CW_ENERGY_ARRAY_GATE_H
#define CW_ENERGY_ARRAY_GATE_H

#include <math.h>
#include <stdbool.h>

#include "energy/array/devices.h"

enum fet { FET_N, FET_P };

/* Two kinds of leakage are carried side by side everywhere. */
struct leak {
    double sub, gate; /* A or W */
};

static inline struct leak leak_sum(struct leak a, struct leak b)
{
    return (struct leak){a.sub + b.sub, a.gate + b.gate};
}

static inline struct leak leak_times(double k, struct leak a)
{
    return (struct leak){k * a.sub, k * a.gate};
}

/* ceil and fmax for the finite, moderate numbers of layouts: as calls into libm they would take a
 * third of a search's time. */
static inline int round_up(double x)
{
    int n = (int)x;
    return n + (n < x);
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* ---- transistors ---- */

static inline double gate_c(const struct array_device *d, double w)
{
    return d->c_input * w;
}

static inline double on_r(const struct array_device *d, double w, enum fet type, int stack)
{
    return stack * (type == FET_N ? d->r_n : d->r_p) / w;
}

/* Widest finger of a transistor in a gate of this height: N takes a third, P two thirds. */
static inline double gate_finger(const struct array_tech *t, double height, enum fet type)
{
    double p = 2.0 / 3.0, room = height - 2 * t->g.rail - t->g.gap_pn;
    return room * (type == FET_P ? p : 1 - p);
}

/* Drain capacitance of a stack of equal transistors folded into fingers no wider than `finger`:
 * junction, side walls, overlap and fringe, and the metal that joins the fingers. */
static inline double drain_c(const struct array_tech *t, const struct array_device *d, double w,
                             int stack, double finger)
{
    int nf = round_up(w / finger);
    double gap = t->g.poly_space, contact = t->g.contact + 2 * t->g.contact_space;
    double width = contact + (stack - 1) * gap, wf = w, side = w, gates = w, metal = 0;

    if (nf > 1) {
        width += (nf - 2) * contact + (nf - 1) * (stack - 1) * gap;
        wf = finger;
        side = nf % 2 ? wf : 0;
        gates = wf * nf;
        metal = t->local.c * width;
    }
    gates *= 1 + 2 * (stack - 1);
    return d->c_junction * width * wf + t->rules.sidewall * (side + 2 * width) +
           (2 * d->c_fringe + 2 * d->c_overlap) * gates + metal;
}

/* The same inside a gate of the given height. */
static inline double drain_in_gate(const struct array_tech *t, double w, enum fet type, int stack,
                                   double height)
{
    return drain_c(t, &t->peri, w, stack, gate_finger(t, height, type));
}

/* ---- delay ---- */

/* Horowitz 1984: delay of a stage of time constant tf, input ramp t_in, thresholds v1 (input) and
 * v2 (output) as shares of Vdd, for rising and falling input. */
double delay_rise(double t_in, double tf, double v1, double v2);
double delay_fall(double t_in, double tf, double v1, double v2);

#define LN2_SQUARED 0.48045301391820142467 /* ln(1/2)^2 */

/* Rising input, both thresholds one half. */
static inline double delay_half(double t_in, double tf)
{
    return sqrt(tf * (LN2_SQUARED * tf + 0.5 * t_in));
}

/* ---- leakage currents, A ---- */

struct leak leak_nmos(const struct array_tech *t, const struct array_device *d, double w, int k);
struct leak leak_pmos(const struct array_tech *t, const struct array_device *d, double w, int k);
struct leak leak_nand(const struct array_tech *t, const struct array_device *d, double wn,
                      double wp, int k);
struct leak leak_nor(const struct array_tech *t, const struct array_device *d, double wn, double wp,
                     int k);

static inline struct leak leak_inv(const struct array_device *d, double wn, double wp)
{
    return (struct leak){(wn * d->i_off + wp * d->i_off) / 2,
                         (wn * d->i_gate + wp * d->i_gate) / 2};
}

/* ---- layout ---- */

enum gate_kind { GATE_INV, GATE_NAND, GATE_NOR };

double gate_area(const struct array_tech *t, enum gate_kind kind, int k, double wp, double wn,
                 double height);
/* Extent of a transistor folded to fit a pitch. */
double fold_height(const struct array_tech *t, double w, double pitch);

/* ---- chains ---- */

enum { CHAIN_MAX = 12 }; /* a chain to the widest transistor has 6 at most */

/* A first gate (NAND or inverter) and the inverters behind it. */
struct chain {
    int n;
    double wn[CHAIN_MAX], wp[CHAIN_MAX];
};

/* Sizes a chain: first gate of the given widths and logical effort, even number of stages of
 * effort about 4, last stage no wider than allowed. */
void chain_size(const struct array_tech *t, double effort, double first_n, double first_p,
                double load, struct chain *out);

struct path { /* what a chain costs */
    double delay, ramp, energy;
    struct leak leak; /* W */
    double area;      /* um2 */
};

/* First gate NAND of `fan_in` (1: inverter), loads as given. */
struct chain_load {
    double c, r; /* at the end: capacitance, and the wire's resistance in front of half of it */
};

/* A buffer: smallest inverter first, then sized for gate and wire load; full-swing energy. */
struct path buffer_path(const struct array_tech *t, double c_gate, double c_wire, double r_wire,
                        double ramp, struct chain *chain);

/* ---- repeated wires ---- */

void array_repeated_make(const struct array_tech *t, enum array_signal signal,
                         struct array_repeated *out);

#endif
