/* SPDX-License-Identifier: MIT
 *
 * sim/trace/content.h: what a trace is known by, a hash of all that happened in it. It does not
 * depend on where the trace is kept: a file and memory give the same. The order of calls is that of
 * a sink (sim/trace/sink.h). */
#ifndef CW_SIM_TRACE_CONTENT_H
#define CW_SIM_TRACE_CONTENT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/trace/cta_code.h"
#include "sim/trace/trace.h"

/* A kernel's name and shape, and its instructions, as a file holds them. */
void trace_put_kernel(struct trace_bytes *to, const struct trace_kernel *k);
void trace_put_statics(struct trace_bytes *to, const struct trace_static *statics, uint32_t n);

uint64_t trace_identity_begin(const char *workload);

/* What was put into `b` from its byte `from` on belongs to the trace. False: there was no memory.
 */
bool trace_identity_add(uint64_t *identity, const struct trace_bytes *b, size_t from);

#endif
