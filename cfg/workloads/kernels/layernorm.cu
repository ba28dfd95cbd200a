/* SPDX-License-Identifier: MIT
 *
 * Layer normalisation: each row to mean 0 and variance 1, then scaled and shifted by column. A warp
 * has a row, four columns an access; eight rows a block. Mean and variance in one pass (sums of x and x^2). */
#include "learning.h"

#define WARPS 8

KERNEL layernorm(const float4 *in, const float4 *weight, const float4 *bias, float4 *out, int rows, int quads,
                 float epsilon)
{
    int row = blockIdx.x * WARPS + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float4 *x = in + (long long)row * quads;
    float4 *y = out + (long long)row * quads;
    float sum = 0, squares = 0;
    for (int i = lane; i < quads; i += 32) {
        float4 v = x[i];
        sum += v.x + v.y + v.z + v.w;
        squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    float mean = warp_sum(sum) / (4 * quads);
    float scale = cw_rsqrt(warp_sum(squares) / (4 * quads) - mean * mean + epsilon);
    for (int i = lane; i < quads; i += 32) {
        float4 v = x[i], w = weight[i], b = bias[i];
        v.x = (v.x - mean) * scale * w.x + b.x;
        v.y = (v.y - mean) * scale * w.y + b.y;
        v.z = (v.z - mean) * scale * w.z + b.z;
        v.w = (v.w - mean) * scale * w.w + b.w;
        y[i] = v;
    }
}
