/* SPDX-License-Identifier: MIT
 *
 * sim/study/streams.h: loads of a kernel that had better pass the L1: those whose lines are read
 * once in the whole launch, found from the addresses, or those that the user names. */
#ifndef CW_SIM_STUDY_STREAMS_H
#define CW_SIM_STUDY_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct trace_source;

/* marks[static instruction]: a global load that `what` means: "streams", or a list of
 * "KERNEL:LINE" with lines of the PTX. A list that names what is not there is refused, as far as it
 * is of this source. */
bool study_bypass(const char *what, const struct trace_source *source, uint32_t kernel,
                  uint32_t line_bytes, bool *marks, struct err *err);

#endif
