/* SPDX-License-Identifier: MIT
 *
 * N queens: placements of the first rows are listed first; then one thread per placement counts
 * its completions by backtracking with its stack in shared memory; a block adds up. Blocks of 96. */
#include "device.h"

#define THREADS 96
#define DEPTH 10

/* Lists the placements of `rows` queens: columns and both diagonals taken. One thread. */
KERNEL nqu_begin(int n, int rows, unsigned *cols, unsigned *lefts, unsigned *rights, unsigned *count, int capacity)
{
    unsigned free[DEPTH], col[DEPTH], left[DEPTH], right[DEPTH], all = (1u << n) - 1;
    int i = 0, found = 0;
    col[0] = left[0] = right[0] = 0;
    free[0] = all;
    while (i >= 0) {
        if (!free[i]) {
            i--;
            continue;
        }
        unsigned bit = free[i] & -free[i];
        free[i] ^= bit;
        unsigned c = col[i] | bit, l = (left[i] | bit) << 1, r = (right[i] | bit) >> 1;
        if (i + 1 == rows) {
            if (found < capacity) {
                cols[found] = c;
                lefts[found] = l;
                rights[found] = r;
            }
            found++;
        } else {
            i++;
            col[i] = c;
            left[i] = l;
            right[i] = r;
            free[i] = all & ~(c | l | r);
        }
    }
    *count = found;
}

KERNEL nqu_solve(int n, int rows, const unsigned *cols, const unsigned *lefts, const unsigned *rights,
                 const unsigned *count, unsigned *results)
{
    __shared__ unsigned free[THREADS][DEPTH], col[THREADS][DEPTH], left[THREADS][DEPTH], right[THREADS][DEPTH];
    __shared__ unsigned sums[THREADS];
    unsigned t = threadIdx.x, id = blockIdx.x * THREADS + t, all = (1u << n) - 1, found = 0;
    if (id < *count) {
        int i = 0, last = n - rows;
        col[t][0] = cols[id];
        left[t][0] = lefts[id];
        right[t][0] = rights[id];
        free[t][0] = all & ~(cols[id] | lefts[id] | rights[id]);
        while (i >= 0) {
            unsigned m = free[t][i];
            if (!m) {
                i--;
            } else if (i + 1 == last) {
                found++; /* the last row: at most one place is free */
                i--;
            } else {
                unsigned bit = m & -m;
                free[t][i] = m ^ bit;
                unsigned c = col[t][i] | bit, l = (left[t][i] | bit) << 1, r = (right[t][i] | bit) >> 1;
                i++;
                col[t][i] = c;
                left[t][i] = l;
                right[t][i] = r;
                free[t][i] = all & ~(c | l | r);
            }
        }
    }
    sums[t] = found;
    for (int half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (t < half && t + half < THREADS)
            sums[t] += sums[t + half];
    }
    if (t == 0)
        results[blockIdx.x] = sums[0];
}
