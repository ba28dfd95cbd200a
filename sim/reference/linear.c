/* SPDX-License-Identifier: MIT
 *
 * References of the linear algebra, in double precision. */
#include "sim/reference/reference.h"

#include <math.h>

static double *reals(struct ref *r, int64_t count)
{
    return ref_scratch(r, (uint64_t)count, sizeof(double));
}

static double *matrix(struct ref *r, const char *name, int64_t rows, int64_t cols)
{
    return ref_in_real(r, name, (uint64_t)(rows * cols));
}

/* c += alpha a b, row-major, a is m by k, b is k by n. */
static void product(const double *a, const double *b, double *c, int64_t m, int64_t k, int64_t n,
                    double alpha)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t l = 0; l < k; l++)
            for (int64_t j = 0; j < n; j++)
                c[i * n + j] += alpha * a[i * k + l] * b[l * n + j];
}

static double *transposed(struct ref *r, const double *a, int64_t rows, int64_t cols)
{
    double *t = reals(r, rows * cols);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            t[j * rows + i] = a[i * cols + j];
    return t;
}

static void scale(double *a, int64_t n, double factor)
{
    for (int64_t i = 0; i < n; i++)
        a[i] *= factor;
}

/* Sums in single precision of `terms` products, added one by one; `products` numbers of size 1 are
 * behind a result, so its size is about their root. The error grows with the number of terms. */
static void expect_sums(struct ref *r, const char *name, const double *want, int64_t count,
                        int64_t terms, int64_t products)
{
    ref_expect(r, name, want, (uint64_t)count, 1e-5 * fmax(1, sqrt((double)terms) / 100),
               sqrt((double)products));
}

static void check_mm(struct ref *r)
{
    int64_t ha = ref_int(r, "ha", 1, 1 << 14), wa = ref_int(r, "wa", 1, 1 << 14);
    int64_t wb = ref_int(r, "wb", 1, 1 << 14);
    double *c = reals(r, ha * wb);
    product(matrix(r, "a", ha, wa), matrix(r, "b", wa, wb), c, ha, wa, wb, 1);
    expect_sums(r, "c", c, ha * wb, wa, wa);
}

const struct reference ref_mm = {"mm", "c = a b; 1e-5 of the larger of |c| and sqrt(wa)", check_mm};

/* Doolittle's decomposition, row by row: L with a unit diagonal below, U on and above it. */
static void check_lud(struct ref *r)
{
    int64_t n = ref_int(r, "n", 16, 1 << 13);
    double *a = matrix(r, "a", n, n);
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

/* The programs with one tall matrix. */
struct tall {
    int64_t rows, cols;
    double *a, *a_t;
};

static struct tall tall(struct ref *r)
{
    struct tall t = {ref_int(r, "rows", 1, 1 << 20), ref_int(r, "cols", 1, 1 << 16), NULL, NULL};
    t.a = matrix(r, "a", t.rows, t.cols);
    t.a_t = transposed(r, t.a, t.rows, t.cols);
    return t;
}

static void check_atax(struct ref *r)
{
    struct tall t = tall(r);
    double *tmp = reals(r, t.rows), *y = reals(r, t.cols);
    product(t.a, matrix(r, "x", t.cols, 1), tmp, t.rows, t.cols, 1, 1);
    product(t.a_t, tmp, y, t.cols, t.rows, 1, 1);
    expect_sums(r, "tmp", tmp, t.rows, t.cols, t.cols);
    expect_sums(r, "y", y, t.cols, t.rows, t.rows * t.cols);
}

const struct reference ref_atax = {"atax", "A x and A^T (A x); 1e-5", check_atax};

static void check_bicg(struct ref *r)
{
    struct tall t = tall(r);
    double *q = reals(r, t.rows), *s = reals(r, t.cols);
    product(t.a, matrix(r, "p", t.cols, 1), q, t.rows, t.cols, 1, 1);
    product(t.a_t, matrix(r, "r", t.rows, 1), s, t.cols, t.rows, 1, 1);
    expect_sums(r, "q", q, t.rows, t.cols, t.cols);
    expect_sums(r, "s", s, t.cols, t.rows, t.rows);
}

const struct reference ref_bicg = {"bicg", "A p and A^T r; 1e-5", check_bicg};

static void check_mvt(struct ref *r)
{
    struct tall t = tall(r);
    double *x1 = matrix(r, "x1", t.rows, 1), *x2 = matrix(r, "x2", t.cols, 1);
    product(t.a, matrix(r, "y1", t.cols, 1), x1, t.rows, t.cols, 1, 1);
    product(t.a_t, matrix(r, "y2", t.rows, 1), x2, t.cols, t.rows, 1, 1);
    expect_sums(r, "x1", x1, t.rows, t.cols, t.cols);
    expect_sums(r, "x2", x2, t.cols, t.rows, t.rows);
}

const struct reference ref_mvt = {"mvt", "x1 + A y1 and x2 + A^T y2; 1e-5", check_mvt};

static void check_gesummv(struct ref *r)
{
    struct tall t = tall(r);
    double *x = matrix(r, "x", t.cols, 1), *y = reals(r, t.rows);
    product(t.a, x, y, t.rows, t.cols, 1, ref_real(r, "alpha"));
    product(matrix(r, "b", t.rows, t.cols), x, y, t.rows, t.cols, 1, ref_real(r, "beta"));
    expect_sums(r, "y", y, t.rows, t.cols, t.cols);
}

const struct reference ref_gesummv = {"gesummv", "alpha A x + beta B x; 1e-5", check_gesummv};

static void check_gemm(struct ref *r)
{
    int64_t ni = ref_int(r, "ni", 1, 1 << 14), nj = ref_int(r, "nj", 1, 1 << 14);
    int64_t nk = ref_int(r, "nk", 1, 1 << 14);
    double *c = matrix(r, "c", ni, nj);
    scale(c, ni * nj, ref_real(r, "beta"));
    product(matrix(r, "a", ni, nk), matrix(r, "b", nk, nj), c, ni, nk, nj, ref_real(r, "alpha"));
    expect_sums(r, "c", c, ni * nj, nk, nk);
}

const struct reference ref_gemm = {"gemm", "alpha a b + beta c; 1e-5", check_gemm};

static void check_2mm(struct ref *r)
{
    int64_t n = ref_int(r, "n", 1, 1 << 13);
    double *c = reals(r, n * n), *e = reals(r, n * n);
    product(matrix(r, "a", n, n), matrix(r, "b", n, n), c, n, n, n, 1);
    product(c, matrix(r, "d", n, n), e, n, n, n, 1);
    expect_sums(r, "c", c, n * n, n, n);
    expect_sums(r, "e", e, n * n, n, n * n);
}

const struct reference ref_2mm = {"2mm", "a b and a b d; 1e-5", check_2mm};

static void check_3mm(struct ref *r)
{
    int64_t n = ref_int(r, "n", 1, 1 << 13);
    double *e = reals(r, n * n), *f = reals(r, n * n), *g = reals(r, n * n);
    product(matrix(r, "a", n, n), matrix(r, "b", n, n), e, n, n, n, 1);
    product(matrix(r, "c", n, n), matrix(r, "d", n, n), f, n, n, n, 1);
    product(e, f, g, n, n, n, 1);
    expect_sums(r, "e", e, n * n, n, n);
    expect_sums(r, "f", f, n * n, n, n);
    expect_sums(r, "g", g, n * n, n, n * n * n);
}

const struct reference ref_3mm = {"3mm", "a b, c d and their product; 1e-5", check_3mm};

/* c = alpha (a b^T + b a^T) + beta c; with one matrix only, c = alpha a a^T + beta c. */
static void rank_update(struct ref *r, bool two)
{
    int64_t n = ref_int(r, "n", 1, 1 << 13), m = ref_int(r, "m", 1, 1 << 13);
    double alpha = ref_real(r, "alpha");
    double *a = matrix(r, "a", n, m), *b = two ? matrix(r, "b", n, m) : a;
    double *c = matrix(r, "c", n, n);
    scale(c, n * n, ref_real(r, "beta"));
    product(a, transposed(r, b, n, m), c, n, m, n, alpha);
    if (two)
        product(b, transposed(r, a, n, m), c, n, m, n, alpha);
    expect_sums(r, "c", c, n * n, m, m);
}

static void check_syrk(struct ref *r)
{
    rank_update(r, false);
}

static void check_syr2k(struct ref *r)
{
    rank_update(r, true);
}

const struct reference ref_syrk = {"syrk", "alpha a a^T + beta c; 1e-5", check_syrk};
const struct reference ref_syr2k = {"syr2k", "alpha (a b^T + b a^T) + beta c; 1e-5", check_syr2k};

/* Centres the columns of an n by m matrix and divides by their deviation where asked. */
static void centre(double *data, double *mean, double *dev, int64_t m, int64_t n)
{
    for (int64_t j = 0; j < m; j++) {
        double squares = 0;
        for (int64_t i = 0; i < n; i++)
            mean[j] += data[i * m + j] / (double)n;
        for (int64_t i = 0; i < n; i++) {
            data[i * m + j] -= mean[j];
            squares += data[i * m + j] * data[i * m + j];
        }
        if (!dev)
            continue;
        dev[j] = sqrt(squares / (double)n);
        if (dev[j] <= 0.005)
            dev[j] = 1;
        for (int64_t i = 0; i < n; i++)
            data[i * m + j] /= sqrt((double)n) * dev[j];
    }
}

static void check_corr(struct ref *r)
{
    int64_t m = ref_int(r, "m", 1, 1 << 13), n = ref_int(r, "n", 1, 1 << 20);
    int64_t limit = ref_int(r, "limit", 0, m);
    double *data = matrix(r, "data", n, m), *mean = reals(r, m), *dev = reals(r, m);
    double *result = reals(r, m * m);
    centre(data, mean, dev, m, n);
    if (limit)
        product(transposed(r, data, n, m), data, result, m, n, m, 1);
    for (int64_t i = 0; i < m * m; i++) {
        int64_t least = i / m < i % m ? i / m : i % m;
        if (least >= limit) /* rows from the limit on are not asked for */
            result[i] = 0;
        else if (i / m == i % m)
            result[i] = 1;
    }
    ref_expect(r, "mean", mean, (uint64_t)m, 1e-5, 1);
    ref_expect(r, "dev", dev, (uint64_t)m, 1e-5, 1);
    ref_expect(r, "data", data, (uint64_t)(n * m), 1e-5, 1);
    ref_expect(r, "result", result, (uint64_t)(m * m), 1e-5, 1);
}

const struct reference ref_corr = {"corr", "means, deviations, normalised data, correlations; 1e-5",
                                   check_corr};

static void check_covar(struct ref *r)
{
    int64_t m = ref_int(r, "m", 1, 1 << 13), n = ref_int(r, "n", 1, 1 << 20);
    double *data = matrix(r, "data", n, m), *mean = reals(r, m), *result = reals(r, m * m);
    centre(data, mean, NULL, m, n);
    product(transposed(r, data, n, m), data, result, m, n, m, 1);
    ref_expect(r, "mean", mean, (uint64_t)m, 1e-5, 1);
    ref_expect(r, "data", data, (uint64_t)(n * m), 1e-5, 1);
    expect_sums(r, "result", result, m * m, n, n);
}

const struct reference ref_covar = {"covar", "means, centred data, covariances; 1e-5", check_covar};

/* Each row from its own elements, in coordinates: row i of the storage is row perm[i]. */
static void check_spmv(struct ref *r)
{
    int64_t rows = ref_int(r, "rows", 32, 1 << 20), longest = ref_int(r, "longest", 1, 5000);
    const int32_t *index = ref_in(r, "index", REF_S32, (uint64_t)(rows * longest));
    const int32_t *perm = ref_in(r, "perm", REF_S32, (uint64_t)rows);
    const int32_t *length = ref_in(r, "t_length", REF_S32, (uint64_t)(rows / 32));
    double *data = matrix(r, "data", rows, longest), *x = matrix(r, "x", rows, 1);
    double *want = reals(r, rows);
    bool sound = rows % 32 == 0;
    int64_t at = 0;

    for (int64_t i = 0; i < rows * longest; i++)
        sound = sound && index[i] >= 0 && index[i] < rows;
    for (int64_t i = 0; i < rows; i++)
        sound = sound && perm[i] >= 0 && perm[i] < rows && length[i / 32] >= 1 &&
                length[i / 32] <= longest;
    if (!ref_require(r, sound, "index, perm or t_length is out of range"))
        return;
    /* diagonal by diagonal: those rows that are longer than k */
    for (int64_t k = 0; k < longest; k++)
        for (int64_t i = 0; i < rows && length[i / 32] > k; i++, at++)
            want[perm[i]] += data[at] * x[index[at]];
    expect_sums(r, "dst", want, rows, longest, longest);
}

const struct reference ref_spmv = {"spmv", "the product, diagonal by diagonal; 1e-5", check_spmv};

static void check_transpose(struct ref *r)
{
    int64_t n = ref_int(r, "n", 1, 1 << 14);
    ref_expect(r, "out", transposed(r, matrix(r, "in", n, n), n, n), (uint64_t)(n * n), 0, 0);
}

const struct reference ref_transpose = {"transpose", "the transposed matrix; exact",
                                        check_transpose};

/* a and c lie column by column, b row by row. */
static void check_sgm(struct ref *r)
{
    int64_t m = ref_int(r, "m", 1, 1 << 14), n = ref_int(r, "n", 1, 1 << 14);
    int64_t k = ref_int(r, "k", 1, 1 << 14);
    double alpha = ref_real(r, "alpha");
    double *a = matrix(r, "a", k, m), *b = matrix(r, "b", k, n), *c = matrix(r, "c", n, m);
    scale(c, m * n, ref_real(r, "beta"));
    product(transposed(r, b, k, n), a, c, n, k, m, alpha);
    expect_sums(r, "c", c, m * n, k, k);
}

const struct reference ref_sgm = {"sgm", "alpha a b + beta c; 1e-5", check_sgm};
