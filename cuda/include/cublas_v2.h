/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cublas_v2.h: says that it is missing. */
#ifndef CW_CUDA_INCLUDE_CUBLAS_V2_H
#define CW_CUDA_INCLUDE_CUBLAS_V2_H

#error "crosswatt has no cuBLAS"

#endif
