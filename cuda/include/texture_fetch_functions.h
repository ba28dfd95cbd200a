/* SPDX-License-Identifier: MIT
 *
 * cuda/include/texture_fetch_functions.h: all of it is in cuda_runtime.h. */
#ifndef CW_CUDA_INCLUDE_TEXTURE_FETCH_FUNCTIONS_H
#define CW_CUDA_INCLUDE_TEXTURE_FETCH_FUNCTIONS_H

#include <cuda_runtime.h>

#endif
