/* SPDX-License-Identifier: MIT
 *
 * energy/book/native.h: how the parts of the router model fall into the parts of a cost. Shared
 * with the driver of the real tool, whose parts are the same. */
#ifndef CW_ENERGY_BOOK_NATIVE_H
#define CW_ENERGY_BOOK_NATIVE_H

#include "energy/engine.h"
#include "energy/logic/router_model.h"

/* Sets buffer, crossbar, allocator and clock; leaves the others. */
void native_router_parts(const double part[ROUTER_PARTS], double out[PART_COUNT]);

#endif
