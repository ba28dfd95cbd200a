/* SPDX-License-Identifier: MIT
 *
 * sim/frame/array_events.h: the events of arrays (sim/arrays.h). Whoever counts for an array says
 * in its NAME_events, once, which of its counters are the reads, writes and searches of instance
 * `i`, e.g. of the L1 of SM i. Zero where the machine has no such array. */
#ifndef CW_SIM_FRAME_ARRAY_EVENTS_H
#define CW_SIM_FRAME_ARRAY_EVENTS_H

#include "sim/arrays.h"

struct gpu;

#define DECLARE_WITH_ROUTER(name)
#define DECLARE_READ_WRITE(name) struct array_counts name##_events(const struct gpu *g, uint32_t i);
#define DECLARE_READ_WRITE_SEARCH(name) DECLARE_READ_WRITE(name)
#define X(id, name, scope, events) DECLARE_##events(name)
ARRAYS(X)
#undef X
#undef DECLARE_WITH_ROUTER
#undef DECLARE_READ_WRITE
#undef DECLARE_READ_WRITE_SEARCH

#endif
