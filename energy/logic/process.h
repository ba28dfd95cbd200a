/* SPDX-License-Identifier: MIT
 *
 * energy/logic/process.h: what the logic model (routers, links, standard cells) knows of a process:
 * supply, transistors per metre of width, wires by layer, cell geometry. Plain values in SI base
 * units; gen/ fills them from cfg/tech/dsent-*.cfg. Four nodes are published (45, 32, 22 nm bulk,
 * 11 nm tri-gate: the technology files of DSENT 0.91, Sun et al., NOCS 2012); nodes between two
 * of them are interpolated (logic_tech_between), nodes outside are refused. */
#ifndef CW_ENERGY_LOGIC_PROCESS_H
#define CW_ENERGY_LOGIC_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

struct err;

enum { LOGIC_LAYERS_MAX = 8, LOGIC_SIZES_MAX = 16, LOGIC_NAME_MAX = 32 };

struct wire_layer {
    char name[LOGIC_NAME_MAX];
    double width;        /* minimum width, m */
    double spacing;      /* minimum spacing, m */
    double resistivity;  /* ohm m */
    double thickness;    /* of the metal, m */
    double dielectric;   /* thickness of the dielectric, m */
    double permittivity; /* relative */
};

/* One polarity of transistor, per metre of width where it says so. */
struct transistor {
    double resistance;  /* effective on resistance times width, ohm m */
    double stack_ratio; /* resistance added per further transistor in series, relative */
    double off_current; /* A/m at characterisation conditions */
    double min_off;     /* smallest off current of a finger, A */
    double swing;       /* subthreshold swing, V/decade */
    double dibl;        /* drain-induced barrier lowering, V/V */
};

struct logic_tech {
    char name[LOGIC_NAME_MAX];
    double node_nm;
    double vdd;
    double temperature;      /* K */
    double char_temperature; /* K at which off currents hold */
    double char_vdd;         /* V at which off currents hold (leakage variant 2013) */
    double temp_swing;       /* K per decade of leakage */
    double gate_pitch;       /* contacted, m */
    double min_width;        /* of a transistor, m */
    double gate_cap;         /* F/m */
    double drain_cap;        /* F/m */
    struct transistor nmos, pmos;
    double tracks;          /* cell height in Metal1 pitches */
    double height_overhead; /* cell height over height usable for transistors */
    double sizes[LOGIC_SIZES_MAX];
    size_t n_sizes;
    struct wire_layer layers[LOGIC_LAYERS_MAX];
    size_t n_layers;
};

/* The layer of that name, or NULL. */
const struct wire_layer *logic_tech_layer(const struct logic_tech *tech, const char *name);

/* All values positive and finite, a Metal1 layer present. */
bool logic_tech_check(const struct logic_tech *tech, const char *file, struct err *err);

/* The same with gates whose delay is `margin` times as long, wires as they are. */
struct logic_tech logic_tech_slower(const struct logic_tech *tech, double margin);

/* The process of a node between `a` and `b` (a.node_nm > node_nm > b.node_nm), every quantity
 * interpolated geometrically in the node, sizes and shared constants taken from `a`; layers that
 * only one of the two has are absent. False when the node is outside. */
bool logic_tech_between(const struct logic_tech *a, const struct logic_tech *b, double node_nm,
                        struct logic_tech *out, struct err *err);

#endif
