/* SPDX-License-Identifier: MIT
 *
 * energy/logic/router_model.h: a virtual-channel router as gates: input ports with flip-flop
 * buffers, multiplexer crossbar, separable switch allocator of matrix arbiters, three pipeline
 * registers, clock tree. Area, leakage, energy per event and critical path, sized for a clock.
 *
 * Model: DSENT 0.91 (Sun et al., NOCS 2012), its counting quirks included (docs/cost-routers.md).
 * Virtual-channel allocation is not modelled. All values in SI base units. */
#ifndef CW_ENERGY_LOGIC_ROUTER_MODEL_H
#define CW_ENERGY_LOGIC_ROUTER_MODEL_H

#include "base/err.h"
#include "energy/logic/cell.h"

#define ROUTER_MOST_PORTS 512u /* inputs, and outputs */

extern const char *const timing_mode_names[TIMING_NONE + 1];
extern const char *const arbiter_kind_names[]; /* [enum arbiter_kind] */
extern const char *const switch_kind_names[];  /* [enum switch_kind] */

struct router_point {
    double n_in, n_out;
    double flit_bits;
    double vcs;         /* per input port, in total */
    double bufs_per_vc; /* flits */
    double freq;        /* Hz: the clock it is sized for */
    enum timing_mode mode;
    enum arbiter_kind arbiters;
    enum switch_kind switches; /* mode stage */
    double clk_levels;
    const char *clk_layer;
    double clk_width_mult, clk_spacing_mult;
};

/* 5x5, 128 bits, 4 VCs of 4 flits, 1 GHz, mode all, matrix arbiters; clock: 5 levels, Global, x1,
 * x3. */
struct router_point router_point_default(void);

enum router_part {
    ROUTER_INPUT_PORTS,
    ROUTER_SWALLOC,
    ROUTER_XBAR,
    ROUTER_XBAR_SEL, /* select register of the crossbar */
    ROUTER_CLOCK_TREE,
    ROUTER_PIPE0,
    ROUTER_PIPE1,
    ROUTER_PIPE2,
    ROUTER_PARTS
};
extern const char *const router_part_names[ROUTER_PARTS];

struct router_result {
    double area[ROUTER_PARTS]; /* active, all instances */
    double area_total;
    double wire_metal1, wire_intermediate, wire_semiglobal, wire_global;
    double leak[LEAK_VARIANTS][ROUTER_PARTS];
    double leak_total[LEAK_VARIANTS];
    double e_write, e_read, e_xbar; /* per flit */
    double e_arb1, e_arb2;          /* per arbitration */
    double e_vc_alloc;              /* per VC allocation; 0: not modelled */
    double e_clock;                 /* per cycle */
    double t_ck;                    /* critical path from the clock net, after sizing */
    bool timed;                     /* false in mode none: the next four mean nothing */
    bool met;
    double required, min_delay, slack;
    bool clock_transition_met;
};

/* Relative width at which the search for the largest clock stops. */
#define ROUTER_FMAX_TOLERANCE 1e-3

bool router_point_check(const struct router_point *p, const struct logic_tech *tech,
                        struct where at, struct err *err);

/* The modelled gates of a router, for several sizings of one structure. */
struct router_model;

/* What an output port drives, in a network: a link, and the input register behind it. */
struct router_load {
    uint32_t first_output, n_outputs;
    double pin_cap;    /* of the link's first repeater, F */
    double delay;      /* of the link, s */
    double drive_r;    /* at its end, ohm */
    bool to_own_input; /* ends at a router like this one: the register is sized with it */
    bool to_other;     /* ends at another router's input register */
};

/* `p` must have passed the check; `mem` holds the model. */
struct router_model *router_model_new(struct arena *mem, const struct cell_lib *lib,
                                      const struct router_point *p, const struct router_load *loads,
                                      size_t n_loads);
/* Sizes from scratch for `freq`. */
bool router_model_size(struct router_model *m, double freq, enum timing_mode mode);
/* Costs at the present sizes. */
void router_model_price(struct router_model *m, struct router_result *out);
double router_model_critical(struct router_model *m); /* from the clock net */
void router_model_forget(struct router_model *m);     /* all kept loads and delays */
/* Size of the input register, and that of the register behind `to_other` loads. */
uint8_t router_model_input_size(const struct router_model *m);
void router_model_set_other(struct router_model *m, uint8_t size);

/* Largest clock at which sizing succeeds: from the clock of the unsized router in doubling steps up
 * to the first failure, then bisection down to `tolerance` (relative). The verdict has islands up
 * to 2 % wide; the steps are fixed so that the answer is reproducible. The model is left sized for
 * it. */
double router_model_fmax(struct router_model *m, enum timing_mode mode, double tolerance);

/* Size and price in one step. */
void router_model(const struct cell_lib *lib, const struct router_point *p,
                  struct router_result *out);

#endif
