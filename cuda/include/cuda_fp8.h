/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cuda_fp8.h: says that it is missing. */
#ifndef CW_CUDA_INCLUDE_CUDA_FP8_H
#define CW_CUDA_INCLUDE_CUDA_FP8_H

#error "crosswatt has no 8-bit floating point types"

#endif
