/* SPDX-License-Identifier: MIT
 *
 * The shapes that PolyBench's kernels share. Results are accumulated in global memory, so that each
 * iteration stores, as in the original. */
#ifndef CW_CFG_WORKLOADS_KERNELS_POLYBENCH_H
#define CW_CFG_WORKLOADS_KERNELS_POLYBENCH_H

#include "device.h"

#define THREAD_X (blockIdx.x * blockDim.x + threadIdx.x)
#define THREAD_Y (blockIdx.y * blockDim.y + threadIdx.y)

/* out[i] += sum over j of a[i][j] v[j]: each thread walks a row. */
DEVICE void rows_times(const float *a, const float *v, float *out, int rows, int cols)
{
    int i = THREAD_X;
    if (i < rows)
        for (int j = 0; j < cols; j++)
            out[i] += a[i * cols + j] * v[j];
}

/* out[j] += sum over i of a[i][j] v[i]: a warp reads a row together. */
DEVICE void columns_times(const float *a, const float *v, float *out, int rows, int cols)
{
    int j = THREAD_X;
    if (j < cols)
        for (int i = 0; i < rows; i++)
            out[j] += a[i * cols + j] * v[i];
}

/* c = alpha a b + beta c for one element per thread; a is ni by nk, b is nk by nj. */
DEVICE void matrices_times(const float *a, const float *b, float *c, int ni, int nj, int nk,
                           float alpha, float beta)
{
    int j = THREAD_X, i = THREAD_Y;
    if (i < ni && j < nj) {
        c[i * nj + j] *= beta;
        for (int k = 0; k < nk; k++)
            c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
    }
}

#endif
