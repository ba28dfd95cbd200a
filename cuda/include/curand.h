/* SPDX-License-Identifier: MIT
 *
 * cuda/include/curand.h: says that it is missing. */
#ifndef CW_CUDA_INCLUDE_CURAND_H
#define CW_CUDA_INCLUDE_CURAND_H

#error "crosswatt has no cuRAND"

#endif
