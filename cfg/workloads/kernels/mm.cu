/* SPDX-License-Identifier: MIT
 *
 * Tiled product of two matrices: both tiles of a step in shared memory. The width of a is wa, that of
 * b and c is wb. */
#include "device.h"

template <int TILE> DEVICE void multiply(const float *a, const float *b, float *c, int wa, int wb)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * TILE + tx, row = blockIdx.y * TILE + ty;
    float sum = 0;
    for (int k = 0; k < wa; k += TILE) {
        as[ty][tx] = a[row * wa + k + tx];
        bs[ty][tx] = b[(k + ty) * wb + col];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++)
            sum += as[ty][i] * bs[i][tx];
        __syncthreads();
    }
    c[row * wb + col] = sum;
}

KERNEL mm16(const float *a, const float *b, float *c, int wa, int wb)
{
    multiply<16>(a, b, c, wa, wb);
}

KERNEL mm32(const float *a, const float *b, float *c, int wa, int wb)
{
    multiply<32>(a, b, c, wa, wb);
}
