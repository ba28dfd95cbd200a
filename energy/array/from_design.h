/* SPDX-License-Identifier: MIT
 *
 * energy/array/from_design.h: from an array of a design to a request to the array models, and from
 * their answer to a cost. Shared by the native engine and the driver of the real tool. */
#ifndef CW_ENERGY_ARRAY_FROM_DESIGN_H
#define CW_ENERGY_ARRAY_FROM_DESIGN_H

#include "cache/array.h"
#include "energy/array/choice.h"
#include "energy/engine.h"

/* Node, temperature and devices of the arrays; what had to give way is appended to `*note`. */
/* Nodes that the tables of arrays have; below, costs of the least are scaled (energy/book/book.c).
 */
enum { ARRAY_LEAST_NM = 22, ARRAY_MOST_NM = 90 };

struct array_setting {
    double nm;
    int temp_low_k, temp_high_k; /* neighbours in the table's steps of 10 K */
    double temp_share;           /* of the upper one */
    enum array_flavour device;
    const char *note;
};
bool array_setting_of(const struct engine_ctx *ctx, struct array_setting *out, struct err *err);

/* The request for an array: its fields in bits, caches in bytes. */
struct amodel_in array_request_of(const struct array *a, const struct array_setting *setting);

/* Cost of an array from an answer. Leakage is sub-threshold plus gate leakage of all banks. An
 * event moves as many bits as the array's port: a cache with lines of several ports' width counts
 * one event for each part. Caches: a search reads and compares the tags of a set, a read or write
 * moves data. */
void array_fill_cost(const struct array *a, const struct array_setting *setting,
                     const struct array_answer *answer, double clock_ghz, struct arena *mem,
                     struct cost *out);

bool array_engine_native(const struct engine_ctx *ctx, const struct array *a, double clock_ghz,
                         struct cost *out, struct err *err);

/* "2:2:0.25:2:4:1", with "; tags …" for caches; "" where nothing was searched. */
const char *array_org_text(const struct amodel_out *o, struct arena *mem);

/* Cycles of an access at a clock, at least 1. */
unsigned array_cycles_at(const struct cost *c, double clock_ghz);

#endif
