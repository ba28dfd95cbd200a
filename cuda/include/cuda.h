/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cuda.h: programs of the runtime include it for a few names; the driver API itself is
 * not here. */
#ifndef CW_CUDA_INCLUDE_CUDA_H
#define CW_CUDA_INCLUDE_CUDA_H

#include <cuda_runtime.h>

#define CUDA_SUCCESS 0
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;

#endif
