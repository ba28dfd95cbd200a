/* SPDX-License-Identifier: MIT
 *
 * One training pass between the input layer and 16 hidden units. Weights have a row for the bias
 * and a column 0, so rows are 17 words apart. Block 16x16, grid (1, inputs/16). */
#include "device.h"

#define UNITS 16

KERNEL bp_forward(const float *input, float *weights, float *partial)
{
    __shared__ float in[UNITS], w[UNITS][UNITS];
    int tx = threadIdx.x, ty = threadIdx.y, by = blockIdx.y;
    int at = (UNITS + 1) * UNITS * by + (UNITS + 1) * ty + tx + 1 + (UNITS + 1);
    if (tx == 0)
        in[ty] = input[UNITS * by + ty + 1];
    __syncthreads();
    w[ty][tx] = weights[at];
    __syncthreads();
    w[ty][tx] *= in[ty];
    __syncthreads();
    for (int half = 1; half < UNITS; half *= 2) {
        if (ty % (2 * half) == 0)
            w[ty][tx] += w[ty + half][tx];
        __syncthreads();
    }
    weights[at] = w[ty][tx];
    __syncthreads();
    if (tx == 0)
        partial[by * UNITS + ty] = w[tx][ty];
}

KERNEL bp_adjust(const float *delta, const float *layer, float *weights, float *old, float rate,
                 float momentum)
{
    int tx = threadIdx.x, ty = threadIdx.y, by = blockIdx.y;
    int at = (UNITS + 1) * UNITS * by + (UNITS + 1) * ty + tx + 1 + (UNITS + 1);
    int x = tx + 1, y = UNITS * by + ty + 1;
    weights[at] += rate * delta[x] * layer[y] + momentum * old[at];
    old[at] = rate * delta[x] * layer[y] + momentum * old[at];
    __syncthreads();
    if (ty == 0 && by == 0) {
        weights[x] += rate * delta[x] + momentum * old[x];
        old[x] = rate * delta[x] + momentum * old[x];
    }
}
