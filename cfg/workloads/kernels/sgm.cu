/* SPDX-License-Identifier: MIT
 *
 * c = alpha a b + beta c with matrices stored column by column (b row by row): block 16x8 has a tile
 * of 128 rows and 16 columns; 8 by 16 elements of b are in shared memory at a time, a is streamed. */
#include "device.h"

#define COLS 16
#define DEPTH 8

KERNEL sgemm(const float *a, const float *b, float *c, int lda, int ldb, int ldc, int depth, float alpha,
             float beta)
{
    __shared__ float bs[DEPTH][COLS];
    int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.y * COLS;
    int row = blockIdx.x * COLS * DEPTH + ty * COLS + tx;
    float sum[COLS];
#pragma unroll
    for (int i = 0; i < COLS; i++)
        sum[i] = 0;
    for (int k = 0; k < depth; k += DEPTH) {
        bs[ty][tx] = b[col + tx + (k + ty) * ldb];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < DEPTH; j++) {
            float x = a[row + (k + j) * lda];
#pragma unroll
            for (int i = 0; i < COLS; i++)
                sum[i] += x * bs[j][i];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < COLS; i++) {
        float *at = &c[row + (col + i) * ldc];
        *at = *at * beta + alpha * sum[i];
    }
}
