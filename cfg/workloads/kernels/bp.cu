/* SPDX-License-Identifier: MIT
 *
 * One training pass between the input layer and `hidden` units (16). Weights have a row for the bias
 * and a column 0, so rows are hidden + 1 words apart. Block 16x16, grid (1, inputs/16). As in the
 * original the rates of learning are in double precision, and the span of the sum, a power of two
 * made from a real number, is not known to the compiler: the remainder is computed. */
#include "device.h"

#define UNITS 16
#define RATE 0.3
#define MOMENTUM 0.3

DEVICE int cw_whole(float x)
{
    int i;
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(i) : "f"(x));
    return i;
}

KERNEL bp_forward(const float *input, float *weights, float *partial, int hidden)
{
    __shared__ float in[UNITS], w[UNITS][UNITS];
    int tx = threadIdx.x, ty = threadIdx.y, by = blockIdx.y;
    int at = (hidden + 1) * UNITS * by + (hidden + 1) * ty + tx + 1 + (hidden + 1);
    if (tx == 0)
        in[ty] = input[UNITS * by + ty + 1];
    __syncthreads();
    w[ty][tx] = weights[at];
    __syncthreads();
    w[ty][tx] = w[ty][tx] * in[ty];
    __syncthreads();
#pragma unroll
    for (int i = 1; i <= 4; i++) {
        int span = cw_whole((float)(1 << i));
        if (ty % span == 0)
            w[ty][tx] = w[ty][tx] + w[ty + span / 2][tx];
        __syncthreads();
    }
    weights[at] = w[ty][tx];
    __syncthreads();
    if (tx == 0)
        partial[by * hidden + ty] = w[tx][ty];
}

KERNEL bp_adjust(const float *delta, int hidden, const float *layer, float *weights, float *old)
{
    int tx = threadIdx.x, ty = threadIdx.y, by = blockIdx.y;
    int at = (hidden + 1) * UNITS * by + (hidden + 1) * ty + tx + 1 + (hidden + 1);
    int x = tx + 1, y = UNITS * by + ty + 1;
    weights[at] += RATE * delta[x] * layer[y] + MOMENTUM * old[at];
    old[at] = RATE * delta[x] * layer[y] + MOMENTUM * old[at];
    __syncthreads();
    if (ty == 0 && by == 0) {
        weights[x] += RATE * delta[x] + MOMENTUM * old[x];
        old[x] = RATE * delta[x] + MOMENTUM * old[x];
    }
}
