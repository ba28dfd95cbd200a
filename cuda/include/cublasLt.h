/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cublasLt.h: says that it is missing. */
#ifndef CW_CUDA_INCLUDE_CUBLASLT_H
#define CW_CUDA_INCLUDE_CUBLASLT_H

#error "crosswatt has no cuBLASLt"

#endif
