/* SPDX-License-Identifier: MIT
 *
 * References of the dense linear algebra: matrix products in double precision. */
#include "sim/reference.h"

#include <math.h>

/* c = a b, row-major, a is m by k, b is k by n. */
static void product(const double *a, const double *b, double *c, int64_t m, int64_t k, int64_t n)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t l = 0; l < k; l++)
            for (int64_t j = 0; j < n; j++)
                c[i * n + j] += a[i * k + l] * b[l * n + j];
}

static void check_mm(struct ref *r)
{
    int64_t n = ref_int(r, "n", 1, 1 << 14);
    double *c = ref_scratch(r, (uint64_t)(n * n), sizeof *c);
    product(ref_in_real(r, "a", (uint64_t)(n * n)), ref_in_real(r, "b", (uint64_t)(n * n)), c, n, n,
            n);
    ref_expect(r, "c", c, (uint64_t)(n * n), 1e-5, sqrt((double)n));
}

const struct reference ref_mm = {"mm", "c = a b; 1e-5 of the larger of |c| and sqrt(n)", check_mm};

/* Doolittle's decomposition, row by row: L with a unit diagonal below, U on and above it. */
static void check_lud(struct ref *r)
{
    int64_t n = ref_int(r, "n", 16, 1 << 13);
    double *a = ref_in_real(r, "a", (uint64_t)(n * n));
    for (int64_t i = 1; i < n; i++)
        for (int64_t k = 0; k < i; k++) {
            double factor = a[i * n + k] /= a[k * n + k];
            for (int64_t j = k + 1; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
        }
    ref_expect(r, "a", a, (uint64_t)(n * n), 1e-5, 1);
}

const struct reference ref_lud = {
    "lud", "both factors in place; 1e-5 of the larger of 1 and the value", check_lud};
