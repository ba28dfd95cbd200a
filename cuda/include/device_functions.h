/* SPDX-License-Identifier: MIT
 *
 * cuda/include/device_functions.h: all of it is in cuda_runtime.h. */
#ifndef CW_CUDA_INCLUDE_DEVICE_FUNCTIONS_H
#define CW_CUDA_INCLUDE_DEVICE_FUNCTIONS_H

#include <cuda_runtime.h>

#endif
