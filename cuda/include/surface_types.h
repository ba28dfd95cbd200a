/* SPDX-License-Identifier: MIT
 *
 * cuda/include/surface_types.h: all of it is in cuda_runtime.h. */
#ifndef CW_CUDA_INCLUDE_SURFACE_TYPES_H
#define CW_CUDA_INCLUDE_SURFACE_TYPES_H

#include <cuda_runtime.h>

#endif
