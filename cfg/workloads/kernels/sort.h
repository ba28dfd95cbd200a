/* SPDX-License-Identifier: MIT
 *
 * Bitonic sort of keys with one value each; n is a power of two, at least 512. Blocks of 256
 * threads work on 512 elements. Steps that reach further than that go through global memory. */
#ifndef CW_CFG_WORKLOADS_KERNELS_SORT_H
#define CW_CFG_WORKLOADS_KERNELS_SORT_H

#include "device.h"

DEVICE void sort_exchange(unsigned *keys, unsigned *values, int a, int b, bool up)
{
    if ((keys[a] > keys[b]) == up) {
        unsigned k = keys[a], v = values[a];
        keys[a] = keys[b];
        values[a] = values[b];
        keys[b] = k;
        values[b] = v;
    }
}

/* From size `first` to size `last`, each with all its steps inside the tile. */
DEVICE void sort_in_tile(unsigned *keys, unsigned *values, int first, int last)
{
    __shared__ unsigned k[512], v[512];
    int t = threadIdx.x, base = blockIdx.x * 512;
    k[t] = keys[base + t];
    v[t] = values[base + t];
    k[t + 256] = keys[base + t + 256];
    v[t + 256] = values[base + t + 256];
    for (int size = first; size <= last; size *= 2)
        for (int step = cw_min(size / 2, 256); step > 0; step /= 2) {
            __syncthreads();
            int a = 2 * t - (t & (step - 1));
            sort_exchange(k, v, a, a + step, ((base + a) & size) == 0);
        }
    __syncthreads();
    keys[base + t] = k[t];
    values[base + t] = v[t];
    keys[base + t + 256] = k[t + 256];
    values[base + t + 256] = v[t + 256];
}

KERNEL sort_tile(unsigned *keys, unsigned *values)
{
    sort_in_tile(keys, values, 2, 512);
}

KERNEL sort_tail(unsigned *keys, unsigned *values, int size)
{
    sort_in_tile(keys, values, size, size);
}

KERNEL sort_step(unsigned *keys, unsigned *values, int size, int step)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int a = 2 * t - (t & (step - 1));
    sort_exchange(keys, values, a, a + step, (a & size) == 0);
}

/* The first of each run of equal keys gets the run's length, the others 0; all ones is no key. */
KERNEL sort_count(const unsigned *keys, unsigned *counts, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned key = keys[i], count = 0;
    if (key != ~0u && (i == 0 || keys[i - 1] != key))
        for (int j = i; j < n && keys[j] == key; j++)
            count++;
    counts[i] = count;
}

#endif
