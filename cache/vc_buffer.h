/* SPDX-License-Identifier: MIT
 *
 * cache/vc_buffer.h: the virtual channel buffers of one router input. Priced with their router. */
#ifndef CW_CACHE_VC_BUFFER_H
#define CW_CACHE_VC_BUFFER_H

#include "cache/array.h"

void vc_buffer_array(uint32_t vcs, uint32_t depth, uint32_t flit_bits, struct array *out);

#endif
