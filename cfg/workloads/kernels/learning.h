/* SPDX-License-Identifier: MIT
 *
 * What the kernels of neural networks share: reductions over a warp and the tensor cores. */
#ifndef CW_CFG_WORKLOADS_KERNELS_LEARNING_H
#define CW_CFG_WORKLOADS_KERNELS_LEARNING_H

#include "device.h"

DEVICE float from_lane_xor(float x, int mask)
{
    float y;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, -1;" : "=f"(y) : "f"(x), "r"(mask));
    return y;
}

DEVICE float larger(float a, float b)
{
    return a > b ? a : b;
}

DEVICE float warp_sum(float x)
{
    for (int mask = 16; mask; mask /= 2)
        x += from_lane_xor(x, mask);
    return x;
}

DEVICE float warp_max(float x)
{
    for (int mask = 16; mask; mask /= 2)
        x = larger(x, from_lane_xor(x, mask));
    return x;
}

#endif
