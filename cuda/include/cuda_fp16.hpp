/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cuda_fp16.hpp: all of it is in cuda_fp16.h. */
#ifndef CW_CUDA_INCLUDE_CUDA_FP16_HPP
#define CW_CUDA_INCLUDE_CUDA_FP16_HPP

#include <cuda_fp16.h>

#endif
