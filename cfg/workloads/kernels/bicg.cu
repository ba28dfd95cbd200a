/* SPDX-License-Identifier: MIT
 *
 * The two products of the biconjugate gradient method: s = A^T r, q = A p. */
#include "polybench.h"

KERNEL bicg_1(const float *a, const float *r, float *s, int rows, int cols)
{
    columns_times(a, r, s, rows, cols);
}

KERNEL bicg_2(const float *a, const float *p, float *q, int rows, int cols)
{
    rows_times(a, p, q, rows, cols);
}
