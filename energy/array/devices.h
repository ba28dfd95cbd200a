/* SPDX-License-Identifier: MIT
 *
 * energy/array/devices.h: the technology of the array model. `array_tables` is the content of a
 * file cfg/tech/cacti-*.cfg (gen/config/read_tech.h fills it); `array_tech` is what it says for one
 * node, temperature, pair of device flavours (memory cell, periphery) and choice of wires. Between
 * two nodes of the table values are mixed linearly. Lengths and widths in um, everything else in SI
 * units per um.
 *
 * Limits: 22 to 90 nm, 300 to 400 K in steps of 10. */
#ifndef CW_ENERGY_ARRAY_DEVICES_H
#define CW_ENERGY_ARRAY_DEVICES_H

#include <stdbool.h>
#include <stddef.h>

#include "energy/tech.h"

enum array_layer { ARRAY_LOCAL, ARRAY_SEMI, ARRAY_GLOBAL, ARRAY_LAYERS };
enum array_projection { ARRAY_CONSERVATIVE, ARRAY_AGGRESSIVE, ARRAY_PROJECTIONS };

/* Repeaters of the long wires: fastest, or the cheapest within a share of the fastest's delay. */
enum array_signal {
    ARRAY_WIRE_FASTEST,
    ARRAY_WIRE_5,
    ARRAY_WIRE_10,
    ARRAY_WIRE_20,
    ARRAY_WIRE_30,
    ARRAY_SIGNALS
};

enum { ARRAY_TEMPS = 11, ARRAY_MAX_NODES = 8 }; /* 300, 310, … 400 K */

/* One flavour of transistor; as tabulated at a node, or mixed. */
struct array_device {
    double vdd, vth, l_phy, l_elec;
    double c_ox;     /* F/um2 */
    double mobility; /* um2/(V s) */
    double v_dsat;
    double c_gate;     /* ideal, F/um */
    double c_fringe;   /* F/um */
    double c_junction; /* F/um2 */
    double i_on;       /* A/um */
    double r_factor;   /* effective resistance = r_factor * vdd / i_on */
    double n2p;        /* PMOS width for the strength of an NMOS */
    double gm_ratio;
    double i_off, i_gate; /* A/um, at the temperature of an array_tech */
    double r_n, r_p;      /* ohm um */
    double c_overlap;     /* F/um */
    double c_input;       /* whole gate capacitance, F/um */
};

struct array_wire_rule { /* one layer at one node */
    double aspect, rho, barrier, ild, k;
};

struct array_node {
    double nm;
    struct array_device device[ARRAY_FLAVOURS];
    double i_off[ARRAY_FLAVOURS][ARRAY_TEMPS], i_gate[ARRAY_FLAVOURS][ARRAY_TEMPS];
    struct array_wire_rule semi[ARRAY_PROJECTIONS], global[ARRAY_PROJECTIONS];
    double dishing[ARRAY_PROJECTIONS], scatter[ARRAY_PROJECTIONS];
};

/* Multiples of F in array_tables, um in array_tech. */
struct array_geometry {
    double w_min, w_max, contact, contact_space, poly_space, gap_pn, gap_same, rail, gate_height;
    double stitch, sa_iso, sa_n, sa_p, sa_en;
    double cmp_inv1_p, cmp_inv1_n, cmp_inv2_p, cmp_inv2_n, cmp_inv3_p, cmp_inv3_n;
    double cmp_eval_p, cmp_eval_n, cmp_n, cmp_p;
    double cam_nand, cam_inv_n, cam_inv_p, cam_nor_n, cam_nor_p;
    double cell_access, cell_p, cell_n;
    double pitch_local, pitch_semi, pitch_global;
    double mux_n, cell_w, cell_h, cam_w, cam_h; /* derived */
};

struct array_rules { /* pure numbers and per-um constants, the same at every node */
    double stitch_columns, precharge_factor, decoder_cells, cam_tracks, mux_factor;
    double cell_area, cell_aspect, cam_area, cam_aspect; /* F^2, height / width */
    double sidewall, overlap, swing_share, swing_min, stack, fringe_wire, eps0, k_vertical, miller;
    double short_current;
};

struct array_tables {
    const char *name, *file;
    struct array_geometry geometry;
    struct array_rules rules;
    struct array_node nodes[ARRAY_MAX_NODES]; /* descending */
    size_t n_nodes;
};

struct array_wire {
    double pitch, r, c;    /* um, ohm/um, F/um */
    double aspect, ild, k; /* for the repeated wires */
};

/* Long repeated wires, per metre of wire. */
struct array_repeated {
    double delay, energy, leak, gate_leak;
    double spacing; /* m */
    double size;    /* multiples of the smallest inverter */
    double c;       /* F/m of the bare wire */
};

struct array_tech {
    double f; /* feature size, um */
    struct array_device peri, cell;
    double v_pre;   /* precharge voltage of bit lines */
    double v_swing; /* sensed swing of bit lines */
    struct array_wire local, in, out;
    struct array_geometry g;
    struct array_rules rules;
    struct array_repeated wire;
    double w_pre, w_eq; /* precharge and equaliser transistors */
};

struct array_tech_choice {
    double nm;
    int temp_k;
    enum array_flavour cell, peri;
    enum array_layer in, out; /* layer of the wires inside and outside the mats */
    enum array_projection projection;
    enum array_signal signal;
};

/* The technology of a choice inside the table's range: the caller has checked node and temperature
 * (array_tables_covers). The repeated wires are those of the choice's own periphery. */
void array_tech_make(const struct array_tables *tables, const struct array_tech_choice *choice,
                     struct array_tech *out);
bool array_tables_covers(const struct array_tables *tables, double nm);

extern const char *const array_flavour_names[ARRAY_FLAVOURS];       /* "itrs-hp", … */
extern const char *const array_layer_names[ARRAY_LAYERS];           /* "local", … */
extern const char *const array_projection_names[ARRAY_PROJECTIONS]; /* "conservative", … */
extern const char *const array_signal_names[ARRAY_SIGNALS];         /* "Global", "Global_5", … */

#endif
