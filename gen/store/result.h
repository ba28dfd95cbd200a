/* SPDX-License-Identifier: MIT
 *
 * gen/store/result.h: what one design did on one workload: named numbers (the rows of the
 * statistics table and what the account adds), and energy and area by group. Results are kept
 * (gen/store/store.h), so that an interrupted comparison goes on where it stopped. */
#ifndef CW_GEN_STORE_RESULT_H
#define CW_GEN_STORE_RESULT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct arena;

struct result_value {
    const char *name, *unit;
    double value;
};

struct result_group { /* a line of the account */
    const char *name;
    double dynamic_j, leakage_j, total_j;
    double area_mm2, wire_area_mm2;
};

struct result {
    const char *design, *workload; /* short names */
    const char *error;             /* NULL: it ran */
    bool is_machine;               /* the error is the machine's, or a run that stuck */
    struct result_value *values;
    size_t n_values;
    struct result_group *groups;
    size_t n_groups;
    double *link_use; /* [channel of both networks] flits per cycle; for the heat map */
    size_t n_links;
};

/* NAN if it is not there. */
double result_get(const struct result *r, const char *name);
const struct result_group *result_group(const struct result *r, const char *name);

json_t *result_json(const struct result *r);
/* `file` is for messages. */
bool result_from_json(const json_t *json, const char *file, struct arena *mem, struct result *out,
                      struct err *err);

#endif
