/* SPDX-License-Identifier: MIT
 *
 * sim/memory/slice_draws.h: blocks of memory that lie in slices drawn at random, each when it is
 * first used, as GPGPU-Sim's partition indexing 4 does. It draws with the C library's generator
 * after seed 1, so that the draws, taken in the same order, are the same; that generator is the
 * additive one of BSD and glibc, x[n] = x[n-3] + x[n-31]. */
#ifndef CW_SIM_MEMORY_SLICE_DRAWS_H
#define CW_SIM_MEMORY_SLICE_DRAWS_H

#include <stdint.h>

struct arena;
struct slice_draws;

struct slice_draws *slice_draws_new(struct arena *mem);
/* The slice of a block, drawn if this is the first time. */
uint32_t slice_drawn(struct slice_draws *d, uint64_t block, uint32_t n_slices);

#endif
