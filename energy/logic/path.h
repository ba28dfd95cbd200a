/* SPDX-License-Identifier: MIT
 *
 * energy/logic/path.h: one path of gates from a register to a register, with the wires between
 * them. Each gate drives copies of the next one, other pins and a wire; drive sizes are chosen
 * together, for the least delay or for the least area that is fast enough, by dynamic programming
 * over the sizes of the library. A path also knows how many of each gate a router has and how many
 * of them switch in an event, so that what was sized can be priced.
 *
 * Delays are those of the library's cells (0.693 RC); a wire is distributed. Wires lie in
 * buses whose neighbours switch at the same edge, so for delay (not for energy) the capacitance
 * to neighbours counts twice (Weste and Harris, CMOS VLSI Design, 4th ed., 6.3.3). */
#ifndef CW_ENERGY_LOGIC_PATH_H
#define CW_ENERGY_LOGIC_PATH_H

#include "energy/logic/cell.h"
#include "energy/logic/netlist.h"

enum { PATH_GATES_MAX = 1024 };

/* What a wire in a bus is for a path, per metre. */
struct path_wire {
    double r, c;    /* c: that switches, for energy */
    double c_delay; /* with the neighbours against it */
};

struct path_gate {
    enum cell_kind kind;
    uint8_t pin;     /* entered here */
    double fanout;   /* of the next gate that it drives, at least 1 */
    double side_cap; /* of other pins, F */
    double taps;     /* along the wire: pins like the next gate's, as large as that */
    double drains;   /* along the wire: outputs like its own, as large as its own */
    bool is_given;   /* its size is the one in `given` */
    uint8_t given;
    double wire;    /* to the next gate, m */
    double copies;  /* gates like this in the router */
    double active;  /* rises of such outputs in an event */
    bool elsewhere; /* gates of another path, met again: they weigh in sizing, not in the price */
};

struct path {
    const struct cell_lib *lib;
    struct path_wire wire;
    struct path_gate gates[PATH_GATES_MAX];
    uint8_t size[PATH_GATES_MAX]; /* chosen; index into the technology's sizes */
    size_t n;
};

struct path_wire path_wire_of(const struct wire_layer *layer);

void path_begin(struct path *p, const struct cell_lib *lib, const struct wire_layer *layer);
/* A gate; the returned one stays valid until the path ends. More than fit are left out, which no
 * legal router reaches (asserted). */
struct path_gate *path_add(struct path *p, enum cell_kind kind, unsigned pin, double fanout);
/* A wire of that length behind the last gate, with repeaters where they make it faster. `taps_cap`
 * are pins along it, F. */
void path_add_wire(struct path *p, double length, double taps_cap, double copies, double active);
/* The same without repeaters; `taps` pins like the next gate's and `drains` outputs like the last
 * gate's hang on it. */
void path_add_line(struct path *p, double length, double taps, double drains);
/* Inverters that multiply the last gate's output `fanout` times, each level about four times as
 * many as the one before; the last level drives the gate that is added next. */
void path_add_tree(struct path *p, double fanout, double copies_of_root, double active_of_root);

/* Least delay, s; sizes are set. */
double path_fastest(struct path *p);
/* The sizes for which delay + price x area (copies counted) is least; price in s per m^2. Returns
 * the delay. */
double path_trade(struct path *p, double price);
/* Least area (copies counted) whose delay is at most `budget`; the fastest where that is too slow.
 * Returns the delay. */
double path_within(struct path *p, double budget);
void path_smallest(struct path *p);
double path_delay(const struct path *p); /* at the sizes set */
double path_gate_delay(const struct path *p, size_t gate);

/* All copies of all gates, wires' energy included; register gates (DFFQ) are left out: the router
 * counts its registers. */
struct nl_sum path_price(const struct path *p);

#endif
