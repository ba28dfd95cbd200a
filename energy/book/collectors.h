/* SPDX-License-Identifier: MIT
 *
 * energy/book/collectors.h: what lies between the banks of a register file and the units: a switch
 * and operand collectors. Priced by the router model: banks as inputs, collectors as outputs, a
 * slice of a row as flit; a collector is the three registers of a router's input. They are at the
 * node of the arrays, with which they are one block. */
#ifndef CW_ENERGY_BOOK_COLLECTORS_H
#define CW_ENERGY_BOOK_COLLECTORS_H

#include "energy/engine.h"

/* Adds them to the cost of the array: a row that is read crosses the switch, is written into a
 * collector and read from it; a result crosses a switch of the same size to its bank. */
bool collectors_add(const struct engine_ctx *ctx, const struct array *array, double clock_ghz,
                    struct cost *cost, struct err *err);

#endif
