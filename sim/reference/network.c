/* SPDX-License-Identifier: MIT
 *
 * References of the neural networks. */
#include "sim/reference/reference.h"

#include <math.h>

/* Sums of 16 weighted inputs per hidden unit, then the adjusted weights. */
static void check_bp(struct ref *r)
{
    int64_t n = ref_int(r, "n", 16, 1 << 24), words = (n + 1) * 17;
    const double rate = 0.3, momentum = 0.3; /* constants of the kernel */
    double *input = ref_in_real(r, "input", (uint64_t)n + 1);
    double *w = ref_in_real(r, "given", (uint64_t)words);
    double *old = ref_in_real(r, "old", (uint64_t)words);
    double *delta = ref_in_real(r, "delta", 17);
    double *partial = ref_scratch(r, (uint64_t)n, sizeof *partial);

    for (int64_t group = 0; group < n / 16; group++)
        for (int64_t unit = 0; unit < 16; unit++)
            for (int64_t i = group * 16 + 1; i <= group * 16 + 16; i++)
                partial[group * 16 + unit] += w[i * 17 + unit + 1] * input[i];
    for (int64_t i = 0; i <= n; i++) /* row 0 belongs to the bias, whose input is 1 */
        for (int64_t unit = 1; unit <= 16; unit++) {
            double change = rate * delta[unit] * (i ? input[i] : 1) + momentum * old[i * 17 + unit];
            w[i * 17 + unit] += change;
            old[i * 17 + unit] = change;
        }
    ref_require(r, n % 16 == 0, "n is %lld, not a multiple of 16", (long long)n);
    ref_expect(r, "partial", partial, (uint64_t)n, 1e-5, 1);
    ref_expect(r, "weights", w, (uint64_t)words, 1e-5, 1);
    ref_expect(r, "old", old, (uint64_t)words, 1e-5, 1);
}

const struct reference ref_bp = {
    "bp", "partial sums, weights and last changes; 1e-5 of the larger of 1 and the value",
    check_bp};

static double squash(double x)
{
    return 1.7159 * tanh(x * 2 / 3);
}

/* A 5x5 window, moved by two, over `maps` square maps of `side` points: weight 0 is the bias, then
 * for each point of the window one weight per map. */
static double window(const double *in, const double *w, int maps, int side, int x, int y)
{
    double sum = w[0];
    for (int k = 0; k < 25; k++)
        for (int m = 0; m < maps; m++)
            sum +=
                in[m * side * side + (2 * y + k / 5) * side + 2 * x + k % 5] * w[1 + k * maps + m];
    return squash(sum);
}

static void full(const double *in, const double *w, double *out, int inputs, int outputs)
{
    for (int o = 0; o < outputs; o++) {
        double sum = w[o * (inputs + 1)];
        for (int i = 0; i < inputs; i++)
            sum += in[i] * w[o * (inputs + 1) + 1 + i];
        out[o] = squash(sum);
    }
}

static void check_nn(struct ref *r)
{
    int64_t images = ref_int(r, "images", 1, 10000);
    double *in = ref_in_real(r, "image", (uint64_t)(29 * 29 * images));
    double *w1 = ref_in_real(r, "w1", 26 * 6), *w2 = ref_in_real(r, "w2", 156 * 50);
    double *w3 = ref_in_real(r, "w3", 1251 * 100), *w4 = ref_in_real(r, "w4", 101 * 10);
    double *n1 = ref_scratch(r, (uint64_t)(1014 * images), sizeof *n1);
    double *n2 = ref_scratch(r, (uint64_t)(1250 * images), sizeof *n2);
    double *n3 = ref_scratch(r, (uint64_t)(100 * images), sizeof *n3);
    double *n4 = ref_scratch(r, (uint64_t)(10 * images), sizeof *n4);

    for (int64_t i = 0; i < images; i++) {
        for (int k = 0; k < 1014; k++)
            n1[1014 * i + k] =
                window(in + 841 * i, w1 + 26 * (k / 169), 1, 29, k % 13, k % 169 / 13);
        for (int k = 0; k < 1250; k++)
            n2[1250 * i + k] = window(n1 + 1014 * i, w2 + 156 * (k / 25), 6, 13, k % 5, k % 25 / 5);
        full(n2 + 1250 * i, w3, n3 + 100 * i, 1250, 100);
        full(n3 + 100 * i, w4, n4 + 10 * i, 100, 10);
    }
    ref_expect(r, "n1", n1, (uint64_t)(1014 * images), 1e-4, 1);
    ref_expect(r, "n2", n2, (uint64_t)(1250 * images), 1e-4, 1);
    ref_expect(r, "n3", n3, (uint64_t)(100 * images), 1e-4, 1);
    ref_expect(r, "n4", n4, (uint64_t)(10 * images), 1e-4, 1);
}

const struct reference ref_nn = {"nn", "all four layers; 1e-4 of the larger of 1 and the value",
                                 check_nn};
