/* SPDX-License-Identifier: MIT
 *
 * Cheapest path down a grid, row by row. Each launch does up to 20 rows on overlapping strips of
 * 256 columns whose halo shrinks by one column a row. */
#include "device.h"

#define BLOCK 256
#define HALO 20

KERNEL pathfinder(int steps, const int *wall, const int *src, int *dst, int cols, int first_row)
{
    __shared__ int before[BLOCK], now[BLOCK];
    int t = threadIdx.x, x = blockIdx.x * (BLOCK - 2 * HALO) + t - HALO;
    bool inside = x >= 0 && x < cols, done = false;
    if (inside)
        before[t] = src[x];
    __syncthreads();
    int left = x > 0 ? t - 1 : t, right = x < cols - 1 ? t + 1 : t;
    for (int i = 0; i < steps; i++) {
        done = inside && t > i && t < BLOCK - 1 - i;
        if (done) {
            int least = cw_min(before[t], cw_min(before[left], before[right]));
            now[t] = least + wall[(first_row + i) * cols + x];
        }
        __syncthreads();
        if (done)
            before[t] = now[t];
        __syncthreads();
    }
    if (inside && t >= HALO && t < BLOCK - HALO)
        dst[x] = before[t];
}
