/* SPDX-License-Identifier: MIT
 *
 * Alignment of two sequences (Needleman and Wunsch, 1970) by 16x16 tiles: one launch per diagonal of
 * tiles, 16 threads per tile. The score matrix has a border row and column. */
#include "device.h"

#define T 16

DEVICE void cell(int (*s)[T + 1], int (*sim)[T], int y, int x, int penalty)
{
    int best = cw_max(s[y][x] + sim[y][x], s[y + 1][x] - penalty);
    s[y + 1][x + 1] = cw_max(best, s[y][x + 1] - penalty);
}

DEVICE void align_tile(const int *similarity, int *score, int cols, int penalty, int bx, int by)
{
    __shared__ int s[T + 1][T + 1], sim[T][T];
    int t = threadIdx.x, corner = by * T * cols + bx * T;
    if (t == 0)
        s[0][0] = score[corner];
#pragma unroll
    for (int i = 0; i < T; i++)
        sim[i][t] = similarity[corner + (i + 1) * cols + t + 1];
    __syncthreads();
    s[t + 1][0] = score[corner + (t + 1) * cols];
    __syncthreads();
    s[0][t + 1] = score[corner + t + 1];
    __syncthreads();
    /* along the anti-diagonals: thread t has column t while they grow; as they shrink it has row T - 1 - t */
#pragma unroll
    for (int d = 0; d < T; d++) {
        if (t <= d)
            cell(s, sim, d - t, t, penalty);
        __syncthreads();
    }
#pragma unroll
    for (int d = T - 2; d >= 0; d--) {
        if (t <= d)
            cell(s, sim, T - 1 - t, t + T - 1 - d, penalty);
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < T; i++)
        score[corner + (i + 1) * cols + t + 1] = s[i + 1][t + 1];
}

/* Border: gaps only. */
KERNEL nw_begin(int *score, int cols, int penalty)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < cols) {
        score[i] = -i * penalty;
        score[i * cols] = -i * penalty;
    }
}

/* Diagonals of the upper left half: block x of `blocks`. */
KERNEL nw_upper(const int *similarity, int *score, int cols, int penalty, int blocks)
{
    align_tile(similarity, score, cols, penalty, blockIdx.x, blocks - 1 - blockIdx.x);
}

/* Those of the lower right half; `tiles` tiles are on a side. */
KERNEL nw_lower(const int *similarity, int *score, int cols, int penalty, int blocks, int tiles)
{
    align_tile(similarity, score, cols, penalty, blockIdx.x + tiles - blocks, tiles - 1 - blockIdx.x);
}
