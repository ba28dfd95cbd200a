/* SPDX-License-Identifier: MIT
 *
 * cuda/runtime/cuda_array.h: what a cudaArray_t points to. */
#ifndef CW_CUDA_RUNTIME_CUDA_ARRAY_H
#define CW_CUDA_RUNTIME_CUDA_ARRAY_H

#include "cuda/runtime/session.h"

struct cudaArray {
    struct runtime_array a;
};

#pragma GCC visibility push(hidden)

/* One, two or four channels of 8, 16 or 32 bits each, all alike. */
bool array_is_legal(const struct cudaChannelFormatDesc *d);
struct cudaChannelFormatDesc array_format(const struct runtime_array *a);

#pragma GCC visibility pop

#endif
