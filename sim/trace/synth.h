/* SPDX-License-Identifier: MIT
 *
 * sim/trace/synth.h: made-up kernels for tests and quick studies. Nothing is stored: a CTA's
 * streams are computed when it is launched, so a kernel may be of any length.
 *
 *   stream   each lane the next word, each warp the next line, each round the next block of all
 *   strided  lanes `stride` bytes apart, no reuse
 *   stencil  a point and its four neighbours of a 2-D field; CTAs share their borders
 *   table    every warp reads the same `footprint` bytes
 *   chase    one lane, each load's address depends on the load before
 *   random   each lane anywhere in `footprint` bytes */
#ifndef CW_SIM_TRACE_SYNTH_H
#define CW_SIM_TRACE_SYNTH_H

#include <stdbool.h>

#include "sim/params.h"
#include "sim/trace/trace.h"

/* Names of the patterns, NULL-terminated. */
extern const char *const synth_patterns[];

/* Is there such a pattern? An error says what may have been meant. */
bool trace_synth_known(const char *pattern, struct arena *mem, struct err *err);

bool trace_synth_open(const char *pattern, const struct synth_params *params, struct arena *mem,
                      struct trace_source *out, struct err *err);

#endif
