/* SPDX-License-Identifier: MIT
 *
 * References of the neural networks. */
#include "sim/reference.h"

#include <math.h>

/* Sums of 16 weighted inputs per hidden unit, then the adjusted weights. */
static void check_bp(struct ref *r)
{
    int64_t n = ref_int(r, "n", 16, 1 << 24), words = (n + 1) * 17;
    double rate = ref_real(r, "rate"), momentum = ref_real(r, "momentum");
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
