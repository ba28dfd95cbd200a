/* SPDX-License-Identifier: MIT
 *
 * Tiled product of two square matrices: both tiles of a step in shared memory. */
#include "device.h"

template <int TILE> DEVICE void multiply(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * TILE + tx, row = blockIdx.y * TILE + ty;
    float sum = 0;
    for (int k = 0; k < n; k += TILE) {
        as[ty][tx] = a[row * n + k + tx];
        bs[ty][tx] = b[(k + ty) * n + col];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++)
            sum += as[ty][i] * bs[i][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

KERNEL mm16(const float *a, const float *b, float *c, int n)
{
    multiply<16>(a, b, c, n);
}

KERNEL mm32(const float *a, const float *b, float *c, int n)
{
    multiply<32>(a, b, c, n);
}
