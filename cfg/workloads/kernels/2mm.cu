/* SPDX-License-Identifier: MIT
 *
 * Chain of two matrix products: c = a b, e = c d. */
#include "polybench.h"

DEVICE void product(const float *a, const float *b, float *c, int n)
{
    int j = THREAD_X, i = THREAD_Y;
    if (i < n && j < n)
        for (int k = 0; k < n; k++)
            c[i * n + j] += a[i * n + k] * b[k * n + j];
}

KERNEL mm2_1(const float *a, const float *b, float *c, int n)
{
    product(a, b, c, n);
}

KERNEL mm2_2(const float *c, const float *d, float *e, int n)
{
    product(c, d, e, n);
}
