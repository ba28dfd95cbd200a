/* SPDX-License-Identifier: MIT
 *
 * energy/tech.h: technology and operating point that everything is priced at; keys tech.*. The
 * words a description may say are X lists, from which the enum, the names and the configuration's
 * choices are made; the first is the default. */
#ifndef CW_ENERGY_TECH_H
#define CW_ENERGY_TECH_H

/* DSENT's two published rules for the leakage of stacked transistors. */
#define LEAK_VARIANT_LIST(X) X(LEAK_091, "0.91") X(LEAK_2013, "2013")

/* How the largest clock of a router is found: along DSENT's netlist from two inverters that drive
 * the whole clock load (the tool's default) or from the clock net, or from register to register,
 * stage by stage, with the wires of the switch (energy/logic/stage_model.h). */
#define TIMING_MODES(X) X(TIMING_ALL, "all") X(TIMING_CK, "ck") X(TIMING_STAGE, "stage")

/* What an arbiter is made of: a flip-flop for each pair of requests (DSENT), or a tree of
 * round-robin nodes of two. */
#define ARBITER_KINDS(X) X(ARBITER_MATRIX_CELLS, "matrix") X(ARBITER_TREE_CELLS, "tree")

/* Transistors of the arrays: high performance, low standby power, low operating power. */
#define ARRAY_FLAVOUR_LIST(X) X(ARRAY_HP, "hp") X(ARRAY_LSTP, "lstp") X(ARRAY_LOP, "lop")

/* Where static power comes from, so that none is counted twice: the fit of the coefficients, in
 * which the leakage of arrays and networks lies; our models alone; or, as it once was, both. */
#define LEAKAGE_SOURCES(X) X(fit) X(model) X(both)

#define X(name) LEAKS_##name,
enum leakage_source { LEAKAGE_SOURCES(X) };
#undef X

/* Families of technologies of routers and links, and what a description may say: the node's own
 * (DSENT's down to its last node, FinFETs below), or one of them. */
#define LOGIC_FAMILIES(X) X(dsent) X(finfet)
#define LOGIC_CHOICES(X) X(node) LOGIC_FAMILIES(X)

#define X(name) LOGIC_##name,
enum logic_family { LOGIC_FAMILIES(X) LOGIC_FAMILY_COUNT };
#undef X
#define X(name) LOGIC_CHOICE_##name,
enum logic_choice { LOGIC_CHOICES(X) };
#undef X

/* What fitted coefficients do at another node, supply or temperature than their card's: scale
 * (energy/scaling.h), or stay. */
#define COEFFICIENT_SCALINGS(X) X(node) X(none)
/* What a card's constant power does in a machine of another size: each part of it goes with the
 * SMs, the L2, the controllers it belongs to; or all of it stays. */
#define CONSTANT_RULES(X) X(parts) X(card)

/* What moves with the core clock, clock and supply, where the clock is swept. */
#define DVFS_MOVES(X) X(chip) X(core)

#define X(name) DVFS_MOVES_##name,
enum dvfs_moves { DVFS_MOVES(X) };
#undef X
#define X(name) SCALED_BY_##name,
enum coefficient_scaling { COEFFICIENT_SCALINGS(X) };
#undef X
#define X(name) CONSTANT_BY_##name,
enum constant_rule { CONSTANT_RULES(X) };
#undef X

/* How the switch of a router is built, for timing mode stage: multiplexers with repeated wires, or
 * crosspoints on lines that cross it whole and cannot be repeated, since any crosspoint may drive
 * them. */
#define SWITCH_KINDS(X) X(SWITCH_MUXES, "muxes") X(SWITCH_LINES, "lines")
/* What an array does that is slower than its clock: it takes an access each so many cycles as it
 * needs, or each cycle, as if it could. */
#define ARRAY_LIMITS(X) X(ARRAYS_BY_CYCLE, "cycle") X(ARRAYS_UNLIMITED, "none")

#define X(name, word) name,
enum array_limit { ARRAY_LIMITS(X) };
enum leak_variant { LEAK_VARIANT_LIST(X) LEAK_VARIANTS };
enum timing_mode { TIMING_MODES(X) TIMING_NONE /* nothing is sized */ };
enum arbiter_kind { ARBITER_KINDS(X) ARBITER_KIND_COUNT };
enum switch_kind { SWITCH_KINDS(X) SWITCH_KIND_COUNT };
enum array_flavour { ARRAY_FLAVOUR_LIST(X) ARRAY_FLAVOURS };
#undef X

struct tech_params {
    double node_nm;       /* 45, 32, 22, 11 modelled for logic; between them scaled */
    double array_node_nm; /* node the arrays are costed at: 3..90, scaled below 22 */
    double temperature_k;
    double utilisation; /* of placed logic: area of cells over area of the tile */
    double voltage_v;   /* 0: the node's nominal */
    double volt_ratio;  /* over the nominal; derived when it is priced; 0: 1 */
    enum logic_choice logic;
    enum leak_variant leakage;
    enum timing_mode timing_mode;
    enum arbiter_kind arbiters;
    enum switch_kind switches;
    double cell_margin; /* mode stage: delay of a gate over the model's */
    double skew;        /* mode stage: clock skew as a share of the period */
    enum array_flavour array_device;
    enum array_limit array_limit;
    const char *vf_curve; /* of supplies by clock: "node", "law" or a file */
    enum dvfs_moves dvfs;
    const char *data_dir; /* where templates/ is, for the real tools */
};

#endif
