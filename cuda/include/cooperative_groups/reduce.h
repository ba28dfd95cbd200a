/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cooperative_groups/reduce.h: all of it is in cooperative_groups.h. */
#ifndef CW_CUDA_INCLUDE_COOPERATIVE_GROUPS_REDUCE_H
#define CW_CUDA_INCLUDE_COOPERATIVE_GROUPS_REDUCE_H

#include <cooperative_groups.h>

#endif
