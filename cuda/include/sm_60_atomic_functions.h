/* SPDX-License-Identifier: MIT
 *
 * cuda/include/sm_60_atomic_functions.h: all of it is in cuda_runtime.h. */
#ifndef CW_CUDA_INCLUDE_SM_60_ATOMIC_FUNCTIONS_H
#define CW_CUDA_INCLUDE_SM_60_ATOMIC_FUNCTIONS_H

#include <cuda_runtime.h>

#endif
