/* SPDX-License-Identifier: MIT
 *
 * Sparse matrix times vector in jagged diagonal storage: rows sorted by length, one thread per row;
 * all rows of a warp are padded to the longest. Row k of a warp's diagonal lies at ptr[k] + row. The
 * next element is loaded one iteration ahead. */
#include "device.h"

#define MAX_WARPS 5000

__constant__ int lengths[MAX_WARPS]; /* per warp */
__constant__ int ptr[MAX_WARPS];     /* per diagonal */

#define KINDS 8   /* kinds of nodes of the mesh, each with its number of neighbours */
#define PATCH 512 /* nodes that lie together are numbered in no order */

/* Lengths that fall from `longest` to 4 as a parabola, the diagonals' starts, and the rows in the
 * order of their lengths: those of a kind of node are equally far apart in the mesh. One thread. */
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
        perm[i] = i % (rows / KINDS) * KINDS + i / (rows / KINDS);
}

DEVICE int number_of(int node, int nodes)
{
    int first = node / PATCH * PATCH;
    return first + PATCH > nodes ? node : first + (node % PATCH * 181 + 77) % PATCH;
}

/* The columns of a row: a node of a mesh `side` wide and those around it. */
KERNEL spmv_columns(int *index, const int *length, const int *start, const int *perm, int rows, int side)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    int n = length[row / 32], width = 1;
    while (width * width < n)
        width++;
    for (int k = 0; k < n; k++) {
        int at = perm[row] + (k / width - width / 2) * side + k % width - width / 2;
        at = at < 0 ? at + rows : at >= rows ? at - rows : at;
        index[start[k] + row] = number_of(at, rows);
    }
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
