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

/* Rates grow by the drift of the market model; the portfolio pays where a swap is below par. The
 * derivative by the last rate is carried along: `by_last` is the derivative of the last
 * rate by its own start, and no other rate depends on it. */
enum { LIB_RATES = 80, LIB_OPTIONS = 15 };

struct libor {
    int64_t steps, rates;
    double delta, *lambda, *swap_rates;
    const int32_t *maturities;
};

static void libor_path(const struct libor *m, double noise, double *value, double *derivative)
{
    double rate[LIB_RATES], bond[LIB_RATES] = {0}, annuity[LIB_RATES] = {0}, b = 1, sum = 0,
                            by_last = 1;
    int64_t last = m->rates - 1;
    for (int i = 0; i < LIB_RATES; i++)
        rate[i] = 0.05;
    for (int64_t n = 0; n < m->steps; n++)
        for (int64_t i = n + 1; i < m->rates; i++) {
            /* each rate enters the drift as it was before this step */
            double l = m->lambda[i - n - 1], drift = 0, dl = m->delta * l;
            double grown = 1 + m->delta * rate[i];
            bond[i] = dl * rate[i] / grown;
            for (int64_t k = n + 1; k <= i; k++)
                drift += bond[k];
            double factor = exp(dl * drift + l * (sqrt(m->delta) * noise - 0.5 * dl));
            if (i == last)
                by_last *= factor * (1 + rate[i] * dl * dl / (grown * grown));
            rate[i] *= factor;
        }
    for (int64_t n = m->steps; n < m->rates; n++) {
        b /= 1 + m->delta * rate[n];
        sum += m->delta * b;
        bond[n - m->steps] = b;
        annuity[n - m->steps] = sum;
    }
    double discount = 1, paid = 0, change = 0;
    for (int64_t n = 0; n < m->steps; n++)
        discount /= 1 + m->delta * rate[n];
    for (int i = 0; i < LIB_OPTIONS; i++) {
        int32_t at = m->maturities[i] - 1;
        double swap = bond[at] + m->swap_rates[i] * annuity[at] - 1;
        if (swap >= 0)
            continue;
        paid -= 100 * swap;
        if (at + m->steps == last) /* its bond and the last part of its annuity */
            change += 100 * bond[at] * m->delta / (1 + m->delta * rate[last]) *
                      (1 + m->swap_rates[i] * m->delta);
    }
    *value = discount * paid;
    *derivative = discount * change * by_last;
}

static void check_lib(struct ref *r)
{
    int64_t paths = 64 * ref_int(r, "blocks", 1, 1 << 20);
    struct libor m = {.steps = ref_int(r, "steps", 1, 40), .rates = ref_int(r, "rates", 1, 80)};
    double noise = ref_real(r, "noise"), spread = ref_real(r, "spread");
    m.delta = *ref_in_real(r, "delta", 1);
    m.lambda = ref_in_real(r, "lambda", LIB_RATES);
    m.swap_rates = ref_in_real(r, "swap_rates", LIB_OPTIONS);
    m.maturities = ref_in(r, "maturities", REF_S32, LIB_OPTIONS);
    for (int i = 0; i < LIB_OPTIONS; i++)
        if (!ref_require(r, m.maturities[i] > 0 && m.maturities[i] <= m.rates - m.steps,
                         "maturity %d is out of range", m.maturities[i]))
            return;
    for (int64_t p = 0; p < paths; p++) {
        double value, derivative;
        libor_path(&m, noise + (double)p * spread, &value, &derivative);
        ref_expect_one(r, "values", (uint64_t)p, value, 1e-4, 10);
        ref_expect_one(r, "again", (uint64_t)p, value, 1e-4, 10);
        ref_expect_one(r, "derivatives", (uint64_t)p, derivative, 1e-3, 1);
    }
}

const struct reference ref_lib = {"lib",
                                  "the portfolio's value on every path; 1e-4 of the larger of 10 "
                                  "and the value; its derivative, 1e-3",
                                  check_lib};
