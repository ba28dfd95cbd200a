/* SPDX-License-Identifier: MIT
 *
 * gen/price/bill.h: the network's bill: area, leakage and power of the request and the reply
 * network, by part. Router, repeater and wire area are never added up with each other unsaid:
 * active silicon is routers plus repeaters; wires are listed beside it; what a paper adds to its
 * routers (routing unit, merge table, grant holder) is a part of its own and not in the sum. */
#ifndef CW_GEN_PRICE_BILL_H
#define CW_GEN_PRICE_BILL_H

#include "gen/price/price.h"

/* How much of it switches at an injection rate. */
enum bill_activity {
    BILL_FLOW,      /* each flit pays for every router and channel on its way; on meshes the mean
                       way of uniform traffic, (columns + rows) / 3 hops */
    BILL_COMPONENT, /* the rate at every router input port and on every channel: the recipe of
                       DSENT's example */
    BILL_ROUTED,    /* as flow, but meshes by the routes between SMs and LLC slices, too */
    BILL_SIMULATED, /* events counted by the network simulator under uniform random traffic */
    BILL_ACTIVITIES
};
extern const char *const bill_activity_names[BILL_ACTIVITIES];

struct bill_options {
    double rate;        /* flits per cycle from every SM port (and LLC slice, see reply_is_same) */
    bool reply_is_same; /* as many reply flits as request flits; else the rate from every slice */
    enum bill_activity activity;
    uint64_t cycles; /* simulated; BILL_SIMULATED alone */
};

enum bill_power { BILL_BUFFER, BILL_CROSSBAR, BILL_ALLOCATOR, BILL_LINKS, BILL_CLOCK, BILL_POWERS };
extern const char *const bill_power_names[BILL_POWERS];
extern const enum cost_part bill_power_parts[BILL_POWERS]; /* whose leakage belongs to it */

enum { BILL_AREAS = 5 }; /* of active silicon */
extern const char *const bill_area_names[BILL_AREAS];
extern const enum cost_part bill_area_parts[BILL_AREAS];

struct bill_net {
    double area_mm2[PART_COUNT], leakage_w[PART_COUNT];
    double wire_mm2; /* global wires: channels and clock trees */
    double dynamic_w[BILL_POWERS];
    double additions_w;  /* dynamic, of PART_OTHER */
    double flits;        /* injected per cycle */
    double mean_routers; /* on a flit's way */
};

enum { BILL_REQUEST, BILL_REPLY, BILL_SUM, BILL_NETS };

struct bill {
    const struct priced *priced;
    struct bill_options options;
    struct bill_net nets[BILL_NETS];
    bool has_reply; /* else one network carries both and stands under BILL_REQUEST */
    bool meets_timing;
};

/* Sums without PART_OTHER. */
double bill_active_mm2(const struct bill_net *n);
double bill_routers_mm2(const struct bill_net *n);
double bill_leakage_w(const struct bill_net *n);
double bill_dynamic_w(const struct bill_net *n);

/* Prices the networks of a design alone (no arrays, no cores). */
bool bill_price(const struct design *design, const char *data_dir, struct arena *mem,
                struct priced *out, struct err *err);
bool bill_make(const struct priced *priced, const struct bill_options *options, struct bill *out,
               struct err *err);

/* The part of bill_make that simulates (gen/price/bill_sim.c): dynamic power, flits and mean way of
 * one network. `requests` and `replies` say what travels on it. */
bool bill_simulate(const struct priced *priced, int net, bool requests, bool replies,
                   const struct bill_options *options, struct bill_net *out, struct err *err);

/* First-order scaling of a published crossbar to a radix, width and node: clock times the ratios of
 * radix, width and node (CD-Xbar, section 3.6). */
struct bill_published {
    const char *name;
    double clock_mhz, radix, width_bits, node_nm;
};
enum { BILL_PUBLISHED = 2 };
extern const struct bill_published bill_published[BILL_PUBLISHED];
double bill_scaled_mhz(const struct bill_published *p, double radix, double width_bits,
                       double node_nm);
/* The class of routers that limits the clock, or NULL. */
const struct book_class *bill_slowest(const struct priced *priced);

#endif
