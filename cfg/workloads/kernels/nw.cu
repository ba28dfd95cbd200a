/* SPDX-License-Identifier: MIT
 *
 * Alignment of two sequences (Needleman and Wunsch, 1970) by 16x16 tiles: one launch per diagonal of
 * tiles, one thread per column of a tile. The score matrix has a border row and column. */
#include "device.h"

#define T 16

DEVICE void align_tile(const int *similarity, int *score, int cols, int penalty, int bx, int by)
{
    __shared__ int s[T + 1][T + 1], sim[T][T];
    int t = threadIdx.x, corner = by * T * cols + bx * T;
    for (int i = 0; i < T; i++)
        sim[i][t] = similarity[corner + (i + 1) * cols + t + 1];
    if (t == 0)
        s[0][0] = score[corner];
    s[t + 1][0] = score[corner + (t + 1) * cols];
    s[0][t + 1] = score[corner + t + 1];
    __syncthreads();
    for (int d = 0; d < 2 * T - 1; d++) {
        int y = d - t; /* thread t has column t; row by row along the anti-diagonal */
        if (y >= 0 && y < T) {
            int best = s[y][t] + sim[y][t];
            best = cw_max(best, s[y + 1][t] - penalty);
            s[y + 1][t + 1] = cw_max(best, s[y][t + 1] - penalty);
        }
        __syncthreads();
    }
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
