/* SPDX-License-Identifier: MIT
 *
 * sim/trace/sink.h: where a functional run puts what it did. The order of calls is: for each kernel
 * one begin, its CTAs in ascending order, one end. Two sinks are made here: a trace file, and
 * memory (which afterwards is a trace_source for tests and quick simulations). */
#ifndef CW_SIM_TRACE_SINK_H
#define CW_SIM_TRACE_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/trace/trace.h"

struct trace_sink {
    void *ctx;
    /* `kernel` is without statics and instruction counts: those come with end_kernel. Everything
     * pointed to is the caller's and is copied. */
    bool (*begin_kernel)(void *ctx, const struct trace_kernel *kernel, struct err *err);
    bool (*add_cta)(void *ctx, const struct trace_cta *cta, struct err *err);
    bool (*end_kernel)(void *ctx, const struct trace_static *statics, uint32_t n, struct err *err);
};

struct trace_sink trace_writer_sink(struct trace_writer *w);

/* A recorder in memory. trace_memory_source hands everything recorded to `out`, whose close frees
 * it; a recorder that is not turned into a source is freed by trace_memory_free. */
struct trace_memory;

struct trace_memory *trace_memory_new(const char *workload);
struct trace_sink trace_memory_sink(struct trace_memory *m);
void trace_memory_source(struct trace_memory *m, struct trace_source *out);
void trace_memory_free(struct trace_memory *m);

#endif
