/* SPDX-License-Identifier: MIT
 * A file in C beside those in CUDA. */
#include <cuda_runtime_api.h>

int answer(void);
int answer(void)
{
    int n = 0;
    return cudaGetDeviceCount(&n) == cudaSuccess ? 20 + n : 0;
}
