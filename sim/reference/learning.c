/* SPDX-License-Identifier: MIT
 *
 * References of neural networks' layers, in double precision. */
#include "sim/reference/reference.h"

#include <math.h>

static void check_softmax(struct ref *r)
{
    int64_t rows = ref_int(r, "rows", 1, 1 << 20), cols = ref_int(r, "cols", 1, 1 << 16);
    double *x = ref_in_real(r, "in", (uint64_t)(rows * cols));
    for (int64_t i = 0; i < rows; i++) {
        double *row = x + i * cols, most = row[0], sum = 0;
        for (int64_t j = 1; j < cols; j++)
            most = fmax(most, row[j]);
        for (int64_t j = 0; j < cols; j++)
            sum += row[j] = exp(row[j] - most);
        for (int64_t j = 0; j < cols; j++)
            row[j] /= sum;
    }
    ref_expect(r, "out", x, (uint64_t)(rows * cols), 1e-5, 1e-9);
}

const struct reference ref_softmax = {"softmax", "exp(x) over the row's sum; 1e-5", check_softmax};

static void check_layernorm(struct ref *r)
{
    int64_t rows = ref_int(r, "rows", 1, 1 << 20), cols = ref_int(r, "cols", 4, 1 << 16);
    double *x = ref_in_real(r, "in", (uint64_t)(rows * cols));
    const double *weight = ref_in_real(r, "weight", (uint64_t)cols);
    const double *bias = ref_in_real(r, "bias", (uint64_t)cols), epsilon = ref_real(r, "epsilon");
    for (int64_t i = 0; i < rows; i++) {
        double *row = x + i * cols, mean = 0, variance = 0;
        for (int64_t j = 0; j < cols; j++)
            mean += row[j] / (double)cols;
        for (int64_t j = 0; j < cols; j++)
            variance += (row[j] - mean) * (row[j] - mean) / (double)cols;
        for (int64_t j = 0; j < cols; j++)
            row[j] = (row[j] - mean) / sqrt(variance + epsilon) * weight[j] + bias[j];
    }
    ref_expect(r, "out", x, (uint64_t)(rows * cols), 2e-5, 1);
}

const struct reference ref_layernorm = {
    "layernorm", "(x - mean) / deviation, scaled and shifted by column; 2e-5", check_layernorm};

static void check_attention(struct ref *r)
{
    enum { DIM = 32 };
    int64_t heads = ref_int(r, "heads", 1, 1 << 12), length = ref_int(r, "length", 64, 1 << 14);
    uint64_t count = (uint64_t)(heads * length) * DIM;
    const double *q = ref_in_real(r, "q", count), *k = ref_in_real(r, "k", count),
                 *v = ref_in_real(r, "v", count);
    double scale = ref_real(r, "scale"), *want = ref_scratch(r, count, sizeof *want),
           *score = ref_scratch(r, (uint64_t)length, sizeof *score);
    for (int64_t row = 0; row < heads * length; row++) {
        int64_t head = row / length * length; /* its first row */
        double sum = 0, most = -INFINITY;
        for (int64_t j = 0; j < length; j++) {
            score[j] = 0;
            for (int d = 0; d < DIM; d++)
                score[j] += scale * q[row * DIM + d] * k[(head + j) * DIM + d];
            most = fmax(most, score[j]);
        }
        for (int64_t j = 0; j < length; j++)
            sum += score[j] = exp(score[j] - most);
        for (int64_t j = 0; j < length; j++)
            for (int d = 0; d < DIM; d++)
                want[row * DIM + d] += score[j] / sum * v[(head + j) * DIM + d];
    }
    ref_expect(r, "out", want, count, 1e-4, 0.1);
}

const struct reference ref_attention = {
    "attention", "softmax(q k^T scale) v with the whole row of scores; 1e-4", check_attention};

/* The halves are i / 8 exactly; b is stored by columns. Products are multiples of 1/64 below 1, and
 * sums of up to 2^18 of them are exact in single precision. */
static void check_tgemm(struct ref *r)
{
    int64_t m = ref_int(r, "m", 64, 1 << 14), n = ref_int(r, "n", 64, 1 << 14);
    int64_t k = ref_int(r, "k", 32, 1 << 14);
    const double *a = ref_in_real(r, "ai", (uint64_t)(m * k));
    const double *b = ref_in_real(r, "bi", (uint64_t)(n * k));
    double *c = ref_scratch(r, (uint64_t)(m * n), sizeof *c);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t l = 0; l < k; l++)
                c[i * n + j] += a[i * k + l] * b[j * k + l] / 64;
    ref_expect(r, "c", c, (uint64_t)(m * n), 0, 0);
}

const struct reference ref_tgemm = {"tgemm", "a b of halves, sums in single precision; exact",
                                    check_tgemm};
