/* SPDX-License-Identifier: MIT
 *
 * cache/shared_memory.h: the shared memory of an SM: banks of 4-byte words. One read or write event
 * is one word of one bank. */
#ifndef CW_CACHE_SHARED_MEMORY_H
#define CW_CACHE_SHARED_MEMORY_H

#include "cache/array.h"

void shared_memory_array(uint32_t bytes, uint32_t banks, struct array *out);

#endif
