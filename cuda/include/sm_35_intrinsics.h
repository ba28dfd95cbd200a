/* SPDX-License-Identifier: MIT
 *
 * cuda/include/sm_35_intrinsics.h: all of it is in cuda_runtime.h. */
#ifndef CW_CUDA_INCLUDE_SM_35_INTRINSICS_H
#define CW_CUDA_INCLUDE_SM_35_INTRINSICS_H

#include <cuda_runtime.h>

#endif
