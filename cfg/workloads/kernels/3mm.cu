/* SPDX-License-Identifier: MIT
 *
 * Three matrix products: e = a b, f = c d, g = e f. */
#include "polybench.h"

DEVICE void product(const float *a, const float *b, float *c, int n)
{
    int j = THREAD_X, i = THREAD_Y;
    if (i < n && j < n)
        for (int k = 0; k < n; k++)
            c[i * n + j] += a[i * n + k] * b[k * n + j];
}

KERNEL mm3_1(const float *a, const float *b, float *e, int n)
{
    product(a, b, e, n);
}

KERNEL mm3_2(const float *c, const float *d, float *f, int n)
{
    product(c, d, f, n);
}

KERNEL mm3_3(const float *e, const float *f, float *g, int n)
{
    product(e, f, g, n);
}
