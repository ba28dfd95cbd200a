/* SPDX-License-Identifier: MIT
 *
 * Histogram with bins that saturate at 255: each block counts a part of the input in shared memory
 * and adds it to the global counts; a last kernel saturates. */
#include "device.h"

#define BINS 1024

KERNEL hist_count(const unsigned *in, unsigned *counts, int n)
{
    __shared__ unsigned local[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[in[i] % BINS], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        if (local[b])
            atomicAdd(&counts[b], local[b]);
}

KERNEL hist_saturate(const unsigned *counts, unsigned char *bins)
{
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned c = counts[b];
    bins[b] = (unsigned char)(c > 255 ? 255 : c);
}
