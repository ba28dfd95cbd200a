/* SPDX-License-Identifier: MIT
 *
 * Convolution in three dimensions with a sparse mask of eleven points, four of them used twice; one
 * launch per plane i, block 32x8 over k and j. */
#include "device.h"

KERNEL conv3d(const float *a, float *b, int nj, int nk, int ni, int i)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || i >= ni - 1 || j < 1 || j >= nj - 1 || k < 1 || k >= nk - 1)
        return;
    const float *up = a + (i - 1) * nj * nk, *here = a + i * nj * nk, *down = a + (i + 1) * nj * nk;
    int m = (j - 1) * nk + k, c = j * nk + k, p = (j + 1) * nk + k;
    b[i * nj * nk + c] = 2.0f * up[m - 1] + 4.0f * down[m - 1] + 5.0f * up[m - 1] + 7.0f * down[m - 1] -
                         8.0f * up[m - 1] + 10.0f * down[m - 1] - 3.0f * here[m] + 6.0f * here[c] -
                         9.0f * here[p] + 2.0f * up[m + 1] + 4.0f * down[m + 1] + 5.0f * up[c + 1] +
                         7.0f * down[c + 1] - 8.0f * up[p + 1] + 10.0f * down[p + 1];
}
