/* SPDX-License-Identifier: MIT
 *
 * References of option pricing. */
#include "sim/reference/reference.h"

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

/* Rates grow by the drift of the market model; the portfolio pays where a swap is below par. */
static void check_lib(struct ref *r)
{
    enum { RATES = 80, OPTIONS = 15 };
    int64_t paths = 64 * ref_int(r, "blocks", 1, 1 << 20), steps = ref_int(r, "steps", 1, 40);
    double delta = ref_real(r, "delta");
    double *noise = ref_in_real(r, "noise", (uint64_t)(steps * paths));
    double *lambda = ref_in_real(r, "lambda", RATES);
    double *swap_rates = ref_in_real(r, "swap_rates", OPTIONS);
    const int32_t *maturities = ref_in(r, "maturities", REF_S32, OPTIONS);

    for (int64_t p = 0; p < paths; p++) {
        double rate[RATES], bond[RATES], annuity[RATES], b = 1, sum = 0, value = 0;
        for (int i = 0; i < RATES; i++)
            rate[i] = 0.051;
        for (int64_t n = 0; n < steps; n++)
            for (int64_t i = n + 1; i < RATES; i++) {
                /* each rate enters the drift as it was before this step */
                double l = lambda[i - n - 1], drift = 0;
                bond[i] = delta * l * rate[i] / (1 + delta * rate[i]);
                for (int64_t k = n + 1; k <= i; k++)
                    drift += bond[k];
                rate[i] *= exp(delta * l * drift +
                               l * (sqrt(delta) * noise[n * paths + p] - 0.5 * delta * l));
            }
        for (int64_t n = steps; n < RATES; n++) {
            b /= 1 + delta * rate[n];
            sum += delta * b;
            bond[n - steps] = b;
            annuity[n - steps] = sum;
        }
        for (int i = 0; i < OPTIONS; i++) {
            int32_t m = maturities[i] - 1;
            if (!ref_require(r, m >= 0 && m < RATES - steps, "maturity %d is out of range", m + 1))
                return;
            value += 100 * fmax(0, 1 - bond[m] - swap_rates[i] * annuity[m]);
        }
        for (int64_t n = 0; n < steps; n++)
            value /= 1 + delta * rate[n];
        ref_expect_one(r, "values", (uint64_t)p, value, 1e-4, 10);
    }
}

const struct reference ref_lib = {
    "lib", "the portfolio's value on every path; 1e-4 of the larger of 10 and the value",
    check_lib};
