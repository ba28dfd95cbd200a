/* SPDX-License-Identifier: MIT
 *
 * Quasi-random numbers in three dimensions: the exclusive or of the direction numbers that the bits
 * of the index select. Block (128, 3), grid 128. */
#include "device.h"

#define DIMENSIONS 3
#define BITS 31

__constant__ unsigned directions[DIMENSIONS * BITS];

/* Sobol's direction numbers for the polynomials 1, x + 1, x^2 + x + 1. */
KERNEL qrg_table(unsigned *table)
{
    for (int i = 0; i < BITS; i++) {
        unsigned top = 1u << (30 - i);
        unsigned *a = table, *b = table + BITS, *c = table + 2 * BITS;
        a[i] = top;
        b[i] = i == 0 ? top : b[i - 1] ^ b[i - 1] >> 1;
        c[i] = i == 0 ? top : i == 1 ? 3u << 29 : c[i - 1] ^ c[i - 2] ^ c[i - 2] >> 2;
    }
}

KERNEL qrg_generate(float *out, unsigned seed, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned value = 0, bits = seed + i;
#pragma unroll
        for (int b = 0; b < BITS; b++, bits >>= 1)
            if (bits & 1)
                value ^= directions[threadIdx.y * BITS + b];
        out[threadIdx.y * n + i] = (float)(value + 1) * (1.0f / 2147483649.0f);
    }
}
