/* SPDX-License-Identifier: MIT
 *
 * gen/workload/read_workload.h: workload files (docs/workloads.md) -> struct workload, strictly:
 * unknown keys and names are errors with file, line and the nearest legal word. Goes on after an
 * error, so that one run reports all of them. */
#ifndef CW_GEN_WORKLOAD_READ_WORKLOAD_H
#define CW_GEN_WORKLOAD_READ_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/workload/workload.h"

struct workload_request {
    const char *file;
    const char *text;        /* contents; NULL: read from `file` */
    const char *preset;      /* NULL: `small` where the file has it, else none */
    const char *const *sets; /* "name=value" */
    size_t n_sets;
};

bool workload_read(const struct workload_request *request, struct arena *mem, struct workload *out,
                   struct err *err);

#endif
