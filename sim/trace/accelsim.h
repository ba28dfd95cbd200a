/* SPDX-License-Identifier: MIT
 *
 * sim/trace/accelsim.h: traces of real GPU programs as the NVBit tracer of Accel-Sim writes them:
 * a command list (kernelslist.g) and one grouped text file per kernel (.traceg; plain, gzip or xz).
 * Tracer versions 1 to 5, every address form. docs/simulator.md says what is accepted and how
 * oddities are taken. */
#ifndef CW_SIM_TRACE_ACCELSIM_H
#define CW_SIM_TRACE_ACCELSIM_H

#include <stdbool.h>

#include "sim/trace/trace.h"

/* `path` is a command list, or one kernel's .traceg file. Every kernel is read once, here, and
 * checked whole; its CTAs are kept packed, in memory or (large traces) in a temporary file.
 * Warnings (unknown opcodes, unknown commands) are added to `err` without failing. */
bool trace_accelsim_open(const char *path, struct arena *mem, struct trace_source *out,
                         struct err *err);

#endif
