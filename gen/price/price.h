/* SPDX-License-Identifier: MIT
 *
 * gen/price/price.h: from a design to its prices and to the timing the simulator is given, without
 * a hand in between. The network's clock is its target, lowered to what the slowest router can do
 * where noc.clock_limit = "fmax"; routers are then sized for the clock in force. Array access times
 * become cycles of the core or L2 clock; a channel's delay becomes cycles on the wire. Keys
 * override each of these, and every number knows where it came from. */
#ifndef CW_GEN_PRICE_PRICE_H
#define CW_GEN_PRICE_PRICE_H

#include "energy/book/book.h"
#include "energy/scaling.h"
#include "gen/design/design.h"
#include "sim/timing.h"

/* Why the network runs at its clock. */
struct clock_choice {
    double target_ghz, fmax_ghz, clock_ghz;
    const char *limited_by;       /* name of the slowest class of routers */
    const char *stage;            /* what limits it there: "switch traversal", … */
    const char *limit;            /* "fmax" or "none" */
    const char *timing_mode;      /* "all", "ck" or "stage" */
    double mode_ghz[TIMING_NONE]; /* [enum timing_mode] largest clock in each mode; NAN unless the
                                     target is above the largest clock in the mode in force, and
                                     of designs that share their prices */
};

/* "in mode all 0.573 GHz, …": the largest clocks in the modes that are not in force; "" where they
 * are not known. */
const char *clock_other_modes(const struct clock_choice *c, struct arena *mem);

/* A number of struct timing, its value and its origin; for `show --why` and reports. */
struct derived {
    const char *name, *unit, *why;
    double value;
};

/* The whole die; made by gen/price/die.h. */
struct die {
    double sm_mm2; /* of one */
    double spare_mm2, l2_mm2, mc_mm2, noc_mm2, other_mm2, total_mm2;
    double spread;           /* what the steps between nodes leave open of the tiles' areas */
    double rest_mm2, rest_w; /* what belongs to no component: area, and leakage if modelled */
};

/* What the coefficients of energy.core are multiplied by: at the design's node, supply and
 * temperature instead of their card's (gen/price/scale.h). All 1 at the card's own. */
struct coefficient_scale {
    double from_nm, to_nm;
    double volt_ratio; /* supply over the node's nominal */
    double energy;     /* of events */
    double leakage;    /* of idle and static power, and of the constant power of the SMs */
    double l2_leakage; /* of that of the L2, whose supply may stay (tech.dvfs) */
    double cold;       /* the same at the nominal supply: of parts with supplies of their own */
    double energy_spread, leakage_spread; /* what the steps between the nodes leave open, factors */
};

/* Room for wires across a cut. */
struct cut_use {
    struct noc_cut cut;
    double tracks, share; /* available, used of them */
};

struct priced {
    const struct design *design;
    struct book book;
    struct book_class *classes; /* the design's, at the clock in force */
    uint32_t *class_of;         /* [component] */
    struct gpuwattch gpuwattch;
    struct gw_base gw_base;
    struct dram_energies dram; /* of energy.dram; no file: GPUWattch's coefficients */
    struct dram_shape dram_shape;
    const struct tech_scaling *scaling;
    const char *logic; /* family of routers and links: " FinFET", " DSENT"; "" where there is one */
    struct coefficient_scale scale;
    struct die die;
    struct clock_choice clock;
    struct timing timing;
    struct cut_use cuts[NOC_CUTS]; /* as noc_cuts */
    struct derived *derived;
    uint32_t n_derived;
    const char **notes; /* what must be said in the first lines of every result */
    uint32_t n_notes;
    uint64_t sources; /* hash of the contents of all files the prices were made from */
};

/* The GPUWattch file and table that energy.core and energy.core_base name. `sources` (NULL: nobody
 * asks) goes on with the hash of their contents. */
bool price_read_gpuwattch(const struct arch *arch, const char *data_dir, struct arena *mem,
                          struct gpuwattch *g, struct gw_base *base, uint64_t *sources,
                          struct err *err);

/* Prices everything. `data_dir` is where cfg/tech is. */
bool price_design(const struct design *design, const char *data_dir, unsigned n_threads,
                  struct arena *mem, struct priced *out, struct err *err);

/* The same for one of many designs: what they have in common is read and priced once
 * (gen/price/shared.h). `shared` outlives the prices. */
struct price_shared;
bool price_design_shared(const struct design *design, struct price_shared *shared,
                         const char *data_dir, struct arena *mem, struct priced *out,
                         struct err *err);

#endif
