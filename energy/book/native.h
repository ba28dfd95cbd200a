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

/* What standard cells of the technology leak, in W per mm2 of cells: mean of gates and registers of
 * the smallest size at tech.temperature. */
bool native_logic_leakage(const struct engine_ctx *ctx, double *w_per_mm2, struct err *err);

#endif
