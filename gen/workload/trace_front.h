/* SPDX-License-Identifier: MIT
 *
 * gen/workload/trace_front.h: from what a user writes as WORKLOAD to a trace. It may be
 *   - the name of a workload of the suite (`mm`: cfg/workloads/mm.cfg), or a workload file (.cfg);
 *   - a trace file of ours;
 *   - a CUDA program with its arguments ("./prog 1024"), which is run (gen/workload/program.h);
 *   - an Accel-Sim command list (kernelslist.g) or kernel trace (.traceg, .traceg.gz, .traceg.xz).
 * A workload is executed once: its trace is kept in a cache folder under a name made of the
 * contents of the workload file and its PTX, the preset, the changed parameters and the trace
 * format. */
#ifndef CW_GEN_WORKLOAD_TRACE_FRONT_H
#define CW_GEN_WORKLOAD_TRACE_FRONT_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/workload/workload.h"

struct trace_request {
    const char *workload;    /* as the user wrote it */
    const char *preset;      /* NULL: the default */
    const char *const *sets; /* "name=value", parameters of the workload */
    size_t n_sets;
    bool as_ptx; /* instructions as PTX has them, not as hardware has them (docs/ptx.md) */
    const char *data_dir;
    const char *cache_dir; /* NULL: trace_cache_dir(); "": no cache, the trace stays in memory */
};

/* `out->close` when done. */
bool trace_front_open(const struct trace_request *request, struct arena *mem,
                      struct trace_source *out, struct err *err);

/* Executes a workload and keeps its trace in memory, no file of a cache. */
bool trace_front_run(const struct workload *w, bool as_ptx, struct trace_source *out,
                     struct err *err);

/* $CROSSWATT_CACHE, or crosswatt in $XDG_CACHE_HOME or ~/.cache; "" where there is none. */
const char *trace_cache_dir(struct arena *mem);

#endif
