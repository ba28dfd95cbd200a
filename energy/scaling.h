/* SPDX-License-Identifier: MIT
 *
 * energy/scaling.h: how a price at one node, supply and temperature becomes that at another, for
 * parts that no model lays out there (fitted coefficients, arrays below CACTI's last node, tiles of
 * a die). Values by node are in cfg/tech/scaling.csv, each with range, grade and source; nodes
 * between two rows are mixed geometrically, nodes outside are refused.
 *
 *     dynamic energy   s(node) x (V / V0)^2
 *     delay            s(node) x (V / V0) ((V0 - Vt) / (V - Vt))^alpha     (Sakurai, Newton 1990)
 *     leakage          s(node) x (V / V0) 10^(dibl (V - V0) / swing) x 10^((T - T0) / swing_k)
 *
 * The range of a row is that of its step from the row before. Steps are independent: their
 * logarithms add in quadrature, a part of a step with its share. */
#ifndef CW_ENERGY_SCALING_H
#define CW_ENERGY_SCALING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct arena;

#define SCALING_QUANTITIES(X)                                                                      \
    X(vdd_v)                                                                                       \
    X(energy)                                                                                      \
    X(delay)                                                                                       \
    X(leakage)                                                                                     \
    X(area_logic)                                                                                  \
    X(sram_um2)                                                                                    \
    X(area_analogue)                                                                               \
    X(vth_v)                                                                                       \
    X(alpha)                                                                                       \
    X(dibl_v_per_v)                                                                                \
    X(swing_v)                                                                                     \
    X(swing_k)

#define X(name) SCALE_##name,
enum scaling_quantity { SCALING_QUANTITIES(X) SCALING_QUANTITY_COUNT };
#undef X

struct scaling_value {
    double node_nm, value, low, high;
    const char *grade, *source;
};

struct tech_scaling {
    const char *file;
    struct scaling_value *of[SCALING_QUANTITY_COUNT]; /* coarsest node first */
    size_t n[SCALING_QUANTITY_COUNT];
};

const char *scaling_name(enum scaling_quantity q);
bool scaling_read(const char *path, struct arena *mem, struct tech_scaling *out, struct err *err);

/* Is the node within the rows of every quantity? An error names the key that says the node. */
bool scaling_check(const struct tech_scaling *s, double node_nm, const char *key, struct err *err);

/* Nodes must be covered. */
double scaling_at(const struct tech_scaling *s, enum scaling_quantity q, double node_nm);
double scaling_ratio(const struct tech_scaling *s, enum scaling_quantity q, double from_nm,
                     double to_nm);
/* What the ratio may be wrong by, as a factor: 1 where from and to are equal. */
double scaling_spread(const struct tech_scaling *s, enum scaling_quantity q, double from_nm,
                      double to_nm);

/* Of a supply of `ratio` times the nominal one. */
double scaling_volt_dynamic(double ratio);
double scaling_volt_leakage(const struct tech_scaling *s, double node_nm, double ratio);
/* INFINITY at and below the threshold. */
double scaling_volt_delay(const struct tech_scaling *s, double node_nm, double ratio);
/* The ratio at which delay is `slowdown` times that at the nominal supply: its inverse. */
double scaling_volt_for_delay(const struct tech_scaling *s, double node_nm, double slowdown);
double scaling_heat(const struct tech_scaling *s, double node_nm, double from_k, double to_k);

#endif
