/* SPDX-License-Identifier: MIT
 *
 * LU decomposition in place, without pivoting, by 16x16 tiles: per step the diagonal tile, the
 * tiles right of it and below it (perimeter), then all tiles right and below (internal). */
#include "device.h"

#define T 16

/* Makes the matrix diagonally dominant, so that no pivot is small. */
KERNEL lud_dominate(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i * n + i] += n;
}

KERNEL lud_diagonal(float *a, int n, int off)
{
    __shared__ float d[T][T];
    int t = threadIdx.x;
    for (int i = 0; i < T; i++)
        d[i][t] = a[(off + i) * n + off + t];
    __syncthreads();
    for (int i = 0; i < T - 1; i++) {
        if (t > i) {
            for (int j = 0; j < i; j++)
                d[t][i] -= d[t][j] * d[j][i];
            d[t][i] /= d[i][i];
        }
        __syncthreads();
        if (t > i)
            for (int j = 0; j < i + 1; j++)
                d[i + 1][t] -= d[i + 1][j] * d[j][t];
        __syncthreads();
    }
    for (int i = 1; i < T; i++)
        a[(off + i) * n + off + t] = d[i][t];
}

/* 32 threads: the first half works on a tile of the row, the second on one of the column. */
KERNEL lud_perimeter(float *a, int n, int off)
{
    __shared__ float d[T][T], row[T][T], col[T][T];
    int half = threadIdx.x / T, t = threadIdx.x % T, next = (blockIdx.x + 1) * T;
    for (int i = half * T / 2; i < half * T / 2 + T / 2; i++)
        d[i][t] = a[(off + i) * n + off + t];
    if (half == 0)
        for (int i = 0; i < T; i++)
            row[i][t] = a[(off + i) * n + off + next + t];
    else
        for (int i = 0; i < T; i++)
            col[i][t] = a[(off + next + i) * n + off + t];
    __syncthreads();
    if (half == 0)
        for (int i = 1; i < T; i++)
            for (int j = 0; j < i; j++)
                row[i][t] -= d[i][j] * row[j][t];
    else
        for (int i = 0; i < T; i++) {
            for (int j = 0; j < i; j++)
                col[t][i] -= col[t][j] * d[j][i];
            col[t][i] /= d[i][i];
        }
    __syncthreads();
    if (half == 0)
        for (int i = 1; i < T; i++)
            a[(off + i) * n + off + next + t] = row[i][t];
    else
        for (int i = 0; i < T; i++)
            a[(off + next + i) * n + off + t] = col[i][t];
}

KERNEL lud_internal(float *a, int n, int off)
{
    __shared__ float row[T][T], col[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int gx = off + (blockIdx.x + 1) * T, gy = off + (blockIdx.y + 1) * T;
    row[ty][tx] = a[(off + ty) * n + gx + tx];
    col[ty][tx] = a[(gy + ty) * n + off + tx];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int i = 0; i < T; i++)
        sum += col[ty][i] * row[i][tx];
    a[(gy + ty) * n + gx + tx] -= sum;
}
