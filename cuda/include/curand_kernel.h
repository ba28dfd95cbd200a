/* SPDX-License-Identifier: MIT
 *
 * cuda/include/curand_kernel.h: says that it is missing. */
#ifndef CW_CUDA_INCLUDE_CURAND_KERNEL_H
#define CW_CUDA_INCLUDE_CURAND_KERNEL_H

#error "crosswatt has no cuRAND"

#endif
