/* SPDX-License-Identifier: MIT
 *
 * cuda/include/nccl.h: says that it is missing. */
#ifndef CW_CUDA_INCLUDE_NCCL_H
#define CW_CUDA_INCLUDE_NCCL_H

#error "crosswatt has no NCCL"

#endif
