/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cuda_profiler_api.h: all of it is in cuda_runtime.h. */
#ifndef CW_CUDA_INCLUDE_CUDA_PROFILER_API_H
#define CW_CUDA_INCLUDE_CUDA_PROFILER_API_H

#include <cuda_runtime.h>

#endif
