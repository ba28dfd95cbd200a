/* SPDX-License-Identifier: MIT
 *
 * Convolution of an image with a 3x3 mask. Block 32x8, one thread per point. */
#include "device.h"

KERNEL conv2d(const float *a, float *b, int rows, int cols)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > 0 && j > 0 && i < rows - 1 && j < cols - 1)
        b[i * cols + j] = 0.2f * a[(i - 1) * cols + j - 1] - 0.3f * a[(i - 1) * cols + j] +
                          0.4f * a[(i - 1) * cols + j + 1] + 0.5f * a[i * cols + j - 1] +
                          0.6f * a[i * cols + j] + 0.7f * a[i * cols + j + 1] -
                          0.8f * a[(i + 1) * cols + j - 1] - 0.9f * a[(i + 1) * cols + j] +
                          0.1f * a[(i + 1) * cols + j + 1];
}
