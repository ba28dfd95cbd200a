/* SPDX-License-Identifier: MIT
 *
 * Alignment of two sequences (Needleman and Wunsch, 1970) by 16x16 tiles: one launch per diagonal of
 * tiles, 16 threads per tile. The score matrix has a border row and column. */
#include "device.h"

#define T 16

/* `s` is the cell up and to the left of the one to fill, `sim` the similarity of that one. */
DEVICE void cell(int *s, const int *sim, int penalty)
{
    int best = cw_max(s[0] + *sim, s[T + 1] - penalty);
    s[T + 2] = cw_max(best, s[1] - penalty);
}

__attribute__((always_inline)) DEVICE void align_tile(const int *similarity, int *score, int cols, int penalty, int bx, int by)
{
    __shared__ int s[(T + 1) * (T + 1)], sim[T * T];
    int t = threadIdx.x, corner = by * T * cols + bx * T;
    if (t == 0)
        s[0] = score[corner];
    const int *from = &similarity[corner + cols + t + 1];
#pragma unroll
    for (int i = 0; i < T; i++)
        sim[T * i + t] = from[i * cols];
    __syncthreads();
    s[(t + 1) * (T + 1)] = score[corner + (t + 1) * cols];
    __syncthreads();
    s[t + 1] = score[corner + t + 1];
    __syncthreads();
    /* along the anti-diagonals: thread t has column t while they grow; as they shrink it has row T - 1 - t */
    int *cells = s + t - t * (T + 1), *alike = sim + t - t * T;
#pragma unroll
    for (int d = 0; d < T; d++) {
        if (t <= d)
            cell(cells + d * (T + 1), alike + d * T, penalty);
        __syncthreads();
    }
    cells = s + (T - 1 - t) * (T + 1) + t + T - 1;
    alike = sim + (T - 1 - t) * T + t + T - 1;
#pragma unroll
    for (int d = T - 2; d >= 0; d--) {
        if (t <= d)
            cell(cells - d, alike - d, penalty);
        __syncthreads();
    }
    int *to = &score[corner + cols + t + 1];
#pragma unroll
    for (int i = 0; i < T; i++)
        to[i * cols] = s[(i + 1) * (T + 1) + t + 1];
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
