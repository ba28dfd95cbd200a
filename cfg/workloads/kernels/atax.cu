/* SPDX-License-Identifier: MIT
 *
 * y = A^T (A x). */
#include "polybench.h"

KERNEL atax_1(const float *a, const float *x, float *tmp, int rows, int cols)
{
    rows_times(a, x, tmp, rows, cols);
}

KERNEL atax_2(const float *a, const float *tmp, float *y, int rows, int cols)
{
    columns_times(a, tmp, y, rows, cols);
}
