/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cooperative_groups/scan.h: all of it is in cooperative_groups.h. */
#ifndef CW_CUDA_INCLUDE_COOPERATIVE_GROUPS_SCAN_H
#define CW_CUDA_INCLUDE_COOPERATIVE_GROUPS_SCAN_H

#include <cooperative_groups.h>

#endif
