/* SPDX-License-Identifier: MIT
 *
 * y = alpha A x + beta B x. One thread per row. */
#include "polybench.h"

KERNEL gesummv(const float *a, const float *b, const float *x, float *y, float *tmp, int rows, int cols,
               float alpha, float beta)
{
    int i = THREAD_X;
    if (i < rows) {
        for (int j = 0; j < cols; j++) {
            tmp[i] += a[i * cols + j] * x[j];
            y[i] += b[i * cols + j] * x[j];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
    }
}
