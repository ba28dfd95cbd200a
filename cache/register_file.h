/* SPDX-License-Identifier: MIT
 *
 * cache/register_file.h: the register file of an SM: rows of one register for the 32 lanes of a
 * warp, spread over single-ported banks that an operand collector reads. One read or write event is
 * one row of one bank. */
#ifndef CW_CACHE_REGISTER_FILE_H
#define CW_CACHE_REGISTER_FILE_H

#include "cache/array.h"

void register_file_array(uint32_t registers, struct array *out);

#endif
