/* SPDX-License-Identifier: MIT
 *
 * Transposition of a square matrix: column-wise loads; column-wise stores; through a tile in shared memory; through a
 * padded tile, whose columns lie in different banks. Block 32x16, two rows per thread. */
#include "device.h"

#define TILE 32
#define ROWS 16

KERNEL transpose_naive(const float *in, float *out, int n)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        out[(y + k) * n + x] = in[x * n + y + k];
}

KERNEL transpose_stores(const float *in, float *out, int n)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        out[x * n + y + k] = in[(y + k) * n + x];
}

template <int PITCH> DEVICE void through_tile(const float *in, float *out, int n)
{
    __shared__ float tile[TILE][PITCH];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

KERNEL transpose_shared(const float *in, float *out, int n)
{
    through_tile<TILE>(in, out, n);
}

KERNEL transpose_padded(const float *in, float *out, int n)
{
    through_tile<TILE + 1>(in, out, n);
}
