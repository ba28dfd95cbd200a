/* SPDX-License-Identifier: MIT
 *
 * Discrete cosine transform of 8x8 blocks of an image: one block of 64 threads each. */
#include "device.h"

/* cosines[u][x] = s(u) cos((2x + 1) u pi / 16), s(0) = 1/sqrt(8), else 1/2 */
__constant__ float cosines[8][8] = {
    {0.353553391f, 0.353553391f, 0.353553391f, 0.353553391f, 0.353553391f, 0.353553391f, 0.353553391f, 0.353553391f},
    {0.49039264f, 0.415734806f, 0.277785117f, 0.097545161f, -0.097545161f, -0.277785117f, -0.415734806f, -0.49039264f},
    {0.461939766f, 0.191341716f, -0.191341716f, -0.461939766f, -0.461939766f, -0.191341716f, 0.191341716f, 0.461939766f},
    {0.415734806f, -0.097545161f, -0.49039264f, -0.277785117f, 0.277785117f, 0.49039264f, 0.097545161f, -0.415734806f},
    {0.353553391f, -0.353553391f, -0.353553391f, 0.353553391f, 0.353553391f, -0.353553391f, -0.353553391f, 0.353553391f},
    {0.277785117f, -0.49039264f, 0.097545161f, 0.415734806f, -0.415734806f, -0.097545161f, 0.49039264f, -0.277785117f},
    {0.191341716f, -0.461939766f, 0.461939766f, -0.191341716f, -0.191341716f, 0.461939766f, -0.461939766f, 0.191341716f},
    {0.097545161f, -0.277785117f, 0.415734806f, -0.49039264f, 0.49039264f, -0.415734806f, 0.277785117f, -0.097545161f},
};

KERNEL dct8x8(const float *image, float *out, int width)
{
    __shared__ float a[8][8], b[8][8];
    int tx = threadIdx.x, ty = threadIdx.y;
    int at = (8 * blockIdx.y + ty) * width + 8 * blockIdx.x + tx;
    a[ty][tx] = image[at];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 8; i++)
        sum += cosines[ty][i] * a[i][tx];
    b[ty][tx] = sum;
    __syncthreads();
    sum = 0;
#pragma unroll
    for (int i = 0; i < 8; i++)
        sum += b[ty][i] * cosines[tx][i];
    out[at] = sum;
}
