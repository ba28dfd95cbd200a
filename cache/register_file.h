/* SPDX-License-Identifier: MIT
 *
 * cache/register_file.h: the register file of an SM: rows of one register for the 32 lanes of a
 * warp, spread over banks that an operand collector reads. A row is cut into slices of four lanes
 * that lie beside their lanes, so that no bit crosses the whole file. One read or write event is
 * one row of one bank, in all slices. A row that is read crosses a switch to an operand collector,
 * which keeps it until the instruction has all of its operands; with sub-cores banks and collectors
 * are divided among them. */
#ifndef CW_CACHE_REGISTER_FILE_H
#define CW_CACHE_REGISTER_FILE_H

#include "cache/array.h"

/* `banks` 0: no conflicts are simulated; the usual number is built. `ports`: accesses of a bank in
 * a cycle, reads or writes. */
void register_file_array(uint32_t registers, uint32_t banks, uint32_t ports, struct array *out);

#endif
