/* SPDX-License-Identifier: MIT
 *
 * Histogram with 64 bins of the upper six bits of each byte. Counting: each of 64 threads has byte
 * counters of its own in shared memory and reads 16 bytes at a time, so it must not see more than
 * 255 bytes. Merging: one block per bin. */
#include "device.h"

#define BINS 64
#define THREADS 64
#define MERGE 256

struct bytes16 {
    unsigned w[4];
} __attribute__((aligned(16)));

KERNEL hst_count(const bytes16 *data, unsigned *partial, int per_thread)
{
    __shared__ unsigned char counts[BINS * THREADS];
    int t = threadIdx.x;
    for (int b = 0; b < BINS / 4; b++)
        ((unsigned *)counts)[b * THREADS + t] = 0;
    __syncthreads();
    for (int i = 0; i < per_thread; i++) {
        bytes16 v = data[(blockIdx.x * per_thread + i) * THREADS + t];
#pragma unroll
        for (int k = 0; k < 16; k++)
            counts[(v.w[k / 4] >> (8 * (k % 4) + 2) & 63) * THREADS + t]++;
    }
    __syncthreads();
    unsigned sum = 0;
    for (int k = 0; k < THREADS; k++)
        sum += counts[t * THREADS + ((k + t) & (THREADS - 1))]; /* each starts in another bank */
    partial[blockIdx.x * BINS + t] = sum;
}

KERNEL hst_merge(const unsigned *partial, unsigned *bins, int blocks)
{
    __shared__ unsigned sums[MERGE];
    int t = threadIdx.x;
    unsigned sum = 0;
    for (int i = t; i < blocks; i += MERGE)
        sum += partial[blockIdx.x + i * BINS];
    sums[t] = sum;
    for (int half = MERGE / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            sums[t] += sums[t + half];
    }
    if (t == 0)
        bins[blockIdx.x] = sums[0];
}
