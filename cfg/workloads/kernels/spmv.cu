/* SPDX-License-Identifier: MIT
 *
 * Sparse matrix times vector in jagged diagonal storage: rows sorted by length, one thread per row;
 * all rows of a warp are padded to the longest. Row k of a warp's diagonal lies at ptr[k] + row. The
 * next element is loaded one iteration ahead. */
#include "device.h"

#define MAX_WARPS 5000

__constant__ int lengths[MAX_WARPS]; /* per warp */
__constant__ int ptr[MAX_WARPS];     /* per diagonal */

/* Lengths that fall from `longest` to 4 as a parabola, the diagonals' starts, and a permutation of
 * the rows (their number must not be divisible by 7919). One thread. */
KERNEL spmv_begin(int *length, int *start, int *perm, int rows, int longest)
{
    int warps = rows / 32, at = 0;
    for (int w = 0; w < warps; w++) {
        long long x = warps - w;
        length[w] = 4 + (int)((longest - 4) * x * x / ((long long)warps * warps));
    }
    for (int k = 0, w = warps; k < longest; k++) {
        while (w > 0 && length[w - 1] <= k)
            w--;
        start[k] = at;
        at += 32 * w;
    }
    for (int i = 0; i < rows; i++)
        perm[i] = (int)((7919LL * i + 13) % rows);
}

KERNEL spmv(float *dst, const float *data, const int *index, const int *perm, const float *x, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    int bound = lengths[row / 32], j = ptr[0] + row;
    float sum = 0, d = data[j], t = x[index[j]];
    for (int k = 1; k < bound; k++) {
        j = ptr[k] + row;
        float next_d = data[j], next_t = x[index[j]];
        sum += d * t;
        d = next_d;
        t = next_t;
    }
    sum += d * t;
    dst[perm[row]] = sum;
}
