/* SPDX-License-Identifier: MIT
 *
 * Symmetric rank-2k update: c = alpha (a b^T + b a^T) + beta c. Block 32x8. */
#include "polybench.h"

KERNEL syr2k(const float *a, const float *b, float *c, int n, int m, float alpha, float beta)
{
    int j = THREAD_X, i = THREAD_Y;
    if (i < n && j < n) {
        c[i * n + j] *= beta;
#pragma unroll 4
        for (int k = 0; k < m; k++)
            c[i * n + j] += alpha * a[i * m + k] * b[j * m + k] + alpha * b[i * m + k] * a[j * m + k];
    }
}
