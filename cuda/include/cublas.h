/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cublas.h: says that it is missing. */
#ifndef CW_CUDA_INCLUDE_CUBLAS_H
#define CW_CUDA_INCLUDE_CUBLAS_H

#error "crosswatt has no cuBLAS"

#endif
