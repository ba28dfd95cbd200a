/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cudaProfiler.h: says that it is missing. */
#ifndef CW_CUDA_INCLUDE_CUDAPROFILER_H
#define CW_CUDA_INCLUDE_CUDAPROFILER_H

#error "crosswatt has no CUDA driver API"

#endif
