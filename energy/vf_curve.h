/* SPDX-License-Identifier: MIT
 *
 * energy/vf_curve.h: which supply a clock needs. Points that were read or measured on cards, by
 * node (cfg/tech/vf-curves.csv, each with range, grade and source); between two points linear,
 * below the first its supply (cards have a floor), above the last refused. */
#ifndef CW_ENERGY_VF_CURVE_H
#define CW_ENERGY_VF_CURVE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct arena;

struct vf_point {
    double node_nm, ghz, volt, low, high;
    const char *grade, *source;
};

struct vf_curves {
    const char *file;
    struct vf_point *at; /* node by node, rising clocks and supplies */
    size_t n;
};

struct vf_curve { /* of one node: a part of the file */
    const struct vf_point *at;
    size_t n;
};

#define VF_NODE_NEAR 1.2 /* a curve holds for nodes within this factor of its own */

bool vf_curves_read(const char *path, struct arena *mem, struct vf_curves *out, struct err *err);
/* The curve of the nearest node; false: none is near. */
bool vf_curve_find(const struct vf_curves *curves, double node_nm, struct vf_curve *out);
/* NAN above its last point. */
double vf_curve_volt(const struct vf_curve *curve, double ghz);

#endif
