/* SPDX-License-Identifier: MIT
 *
 * Softmax of each row. A block of four warps has a row: its largest element, the sum of the
 * exponentials, then the quotients; the row is read three times, as kernels do that cannot keep it. */
#include "learning.h"

#define WARPS 4

DEVICE float block_all(float mine, float *shared, bool is_sum)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float x = is_sum ? warp_sum(mine) : warp_max(mine);
    if (lane == 0)
        shared[warp] = x;
    __syncthreads();
    x = shared[0];
    for (int i = 1; i < WARPS; i++)
        x = is_sum ? x + shared[i] : larger(x, shared[i]);
    __syncthreads(); /* the next one writes there */
    return x;
}

KERNEL softmax(const float *in, float *out, int cols)
{
    __shared__ float partial[WARPS];
    const float *row = in + (long long)blockIdx.x * cols;
    float *to = out + (long long)blockIdx.x * cols;
    float most = row[0], sum = 0;
    for (int i = threadIdx.x; i < cols; i += 32 * WARPS)
        most = larger(most, row[i]);
    most = block_all(most, partial, false);
    for (int i = threadIdx.x; i < cols; i += 32 * WARPS)
        sum += cw_exp(row[i] - most);
    float scale = cw_rcp(block_all(sum, partial, true));
    for (int i = threadIdx.x; i < cols; i += 32 * WARPS)
        to[i] = cw_exp(row[i] - most) * scale;
}
