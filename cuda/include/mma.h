/* SPDX-License-Identifier: MIT
 *
 * cuda/include/mma.h: says that it is missing. */
#ifndef CW_CUDA_INCLUDE_MMA_H
#define CW_CUDA_INCLUDE_MMA_H

#error "crosswatt has no WMMA (mma.h)"

#endif
