/* SPDX-License-Identifier: MIT
 *
 * References of option pricing. */
#include "sim/reference.h"

#include <math.h>

/* The normal distribution by the error function, not by the kernel's polynomial. */
static double normal(double d)
{
    return 0.5 * erfc(-d / sqrt(2));
}

static void check_bs(struct ref *r)
{
    int64_t n = ref_int(r, "n", 1, 1 << 26);
    double rate = ref_real(r, "rate"), v = ref_real(r, "volatility");
    double *s = ref_in_real(r, "price", (uint64_t)n), *x = ref_in_real(r, "strike", (uint64_t)n);
    double *t = ref_in_real(r, "years", (uint64_t)n);
    double *call = ref_scratch(r, (uint64_t)n, sizeof *call);
    double *put = ref_scratch(r, (uint64_t)n, sizeof *put);
    for (int64_t i = 0; i < n; i++) {
        double d = (log(s[i] / x[i]) + (rate + v * v / 2) * t[i]) / (v * sqrt(t[i]));
        double later = x[i] * exp(-rate * t[i]);
        call[i] = s[i] * normal(d) - later * normal(d - v * sqrt(t[i]));
        put[i] = call[i] - s[i] + later; /* put-call parity */
    }
    ref_expect(r, "call", call, (uint64_t)n, 1e-5, 30);
    ref_expect(r, "put", put, (uint64_t)n, 1e-5, 30);
}

const struct reference ref_bs = {
    "bs", "prices of calls and puts; 1e-5 of the larger of 30 and the price", check_bs};

static void check_mon(struct ref *r)
{
    int64_t options = ref_int(r, "options", 1, 1 << 20), paths = ref_int(r, "paths", 1, 1 << 26);
    double *s = ref_in_real(r, "price", (uint64_t)options);
    double *x = ref_in_real(r, "strike", (uint64_t)options);
    double *drift = ref_in_real(r, "drift", (uint64_t)options);
    double *spread = ref_in_real(r, "spread", (uint64_t)options);
    double *samples = ref_in_real(r, "samples", (uint64_t)paths);
    for (int64_t o = 0; o < options; o++) {
        double sum = 0, squares = 0;
        for (int64_t i = 0; i < paths; i++) {
            double gain = fmax(0, s[o] * exp(drift[o] + spread[o] * samples[i]) - x[o]);
            sum += gain / (double)paths;
            squares += gain * gain / (double)paths;
        }
        ref_expect_one(r, "value", (uint64_t)o, sum, 1e-5, 1);
        ref_expect_one(r, "deviation", (uint64_t)o, squares, 1e-5, 10);
    }
}

const struct reference ref_mon = {"mon", "mean gain and mean squared gain; 1e-5", check_mon};
