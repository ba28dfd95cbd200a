/* SPDX-License-Identifier: MIT
 *
 * Two matrix-vector products: x1 += A y1, x2 += A^T y2. */
#include "polybench.h"

KERNEL mvt_1(const float *a, const float *y1, float *x1, int rows, int cols)
{
    rows_times(a, y1, x1, rows, cols);
}

KERNEL mvt_2(const float *a, const float *y2, float *x2, int rows, int cols)
{
    columns_times(a, y2, x2, rows, cols);
}
