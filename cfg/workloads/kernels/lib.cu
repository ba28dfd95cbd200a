/* SPDX-License-Identifier: MIT
 *
 * LIBOR market model by Monte Carlo: each thread follows one path of forward rates, which it keeps in
 * local memory, and values a portfolio of swaptions on it; the second kernel keeps the rates of every
 * step and goes back over them for the value's derivative by the last rate. Blocks of 64 threads. As in
 * the original constants have no suffix, so that sums with them are in double precision. */
#include "device.h"

#define RATES 80
#define STEPS 40
#define SWAPS 40
#define OPTIONS 15

__constant__ int n_rates, n_steps, n_options;
__constant__ float delta;
__constant__ float lambda[RATES];
__constant__ float swap_rates[OPTIONS];
__constant__ int maturities[OPTIONS];

/* approximate, as the original asks for; clang's built-ins, unlike text for the assembler, let loops be unrolled */
#ifdef __CUDACC_VER_MAJOR__
#define cw_divide __fdividef
#define cw_power __expf
#else
#define cw_divide __nvvm_div_approx_f
#define cw_power(x) __nvvm_ex2_approx_f((x)*1.4426950408889634f)
#endif

/* Rates from step to step; `kept` has room for those of every step. */
template <bool KEEP> DEVICE void follow(float *rate, const float *noise, float *kept)
{
    if (KEEP)
        for (int i = 0; i < n_rates; i++)
            kept[i] = rate[i];
    for (int n = 0; n < n_steps; n++) {
        float shock = cw_sqrt(delta) * noise[n], drift = 0;
#pragma unroll 4
        for (int i = n + 1; i < n_rates; i++) {
            float l = lambda[i - n - 1], scaled = delta * l;
            drift += cw_divide(scaled * rate[i], 1.0 + delta * rate[i]);
            float grows = scaled * drift + l * (shock - 0.5 * scaled);
            rate[i] *= cw_power(grows);
            if (KEEP)
                kept[i + (n + 1) * n_rates] = rate[i];
        }
    }
}

KERNEL libor_values(float *values, float noise, float spread)
{
    float rate[RATES], z[RATES], bond[SWAPS], annuity[SWAPS];
    int path = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < n_rates; i++) {
        z[i] = noise + path * spread;
        rate[i] = 0.05f;
    }
    follow<false>(rate, z, nullptr);
    float b = 1, sum = 0, value = 0;
    for (int n = n_steps; n < n_rates; n++) {
        b = b / (1.0 + delta * rate[n]);
        sum = sum + delta * b;
        bond[n - n_steps] = b;
        annuity[n - n_steps] = sum;
    }
    for (int i = 0; i < n_options; i++) {
        int m = maturities[i] - 1;
        float swap = bond[m] + swap_rates[i] * annuity[m] - 1.0;
        if (swap < 0)
            value += -100.0 * swap;
    }
    b = 1;
    for (int n = 0; n < n_steps; n++)
        b = b / (1.0 + delta * rate[n]);
    values[path] = b * value;
}

/* The portfolio's value; rates become the derivatives by them, worked out backwards. */
DEVICE float backwards(float *rate)
{
    float bond[SWAPS], annuity[SWAPS], by_bond[SWAPS], by_annuity[SWAPS];
    float b = 1, sum = 0, value = 0;
    for (int m = 0; m < n_rates - n_steps; m++) {
        b = cw_divide(b, 1.0 + delta * rate[m + n_steps]);
        sum = sum + delta * b;
        bond[m] = b;
        annuity[m] = sum;
    }
    for (int m = 0; m < n_rates - n_steps; m++)
        by_bond[m] = by_annuity[m] = 0;
    for (int i = 0; i < n_options; i++) {
        int m = maturities[i] - 1;
        float swap = bond[m] + swap_rates[i] * annuity[m] - 1.0;
        if (swap < 0) {
            value += -100 * swap;
            by_annuity[m] += -100 * swap_rates[i];
            by_bond[m] += -100;
        }
    }
    for (int m = n_rates - n_steps - 1; m >= 0; m--) {
        int n = m + n_steps;
        float grown = 1.0 + delta * rate[n];
        by_bond[m] += delta * by_annuity[m];
        rate[n] = -by_bond[m] * bond[m] * cw_divide(delta, grown);
        if (m > 0) {
            by_annuity[m - 1] += by_annuity[m];
            by_bond[m - 1] += cw_divide(by_bond[m], grown);
        }
    }
    b = 1;
    for (int n = 0; n < n_steps; n++)
        b = b / (1.0 + delta * rate[n]);
    value = b * value;
    for (int n = 0; n < n_steps; n++)
        rate[n] = -value * delta / (1.0 + delta * rate[n]);
    for (int n = n_steps; n < n_rates; n++)
        rate[n] = b * rate[n];
    return value;
}

KERNEL libor_greeks(float *values, float *derivatives, float noise, float spread)
{
    float rate[RATES], kept[RATES * (STEPS + 1)], z[RATES];
    int path = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < n_rates; i++) {
        z[i] = noise + path * spread;
        rate[i] = 0.05f;
    }
    follow<true>(rate, z, kept);
    values[path] = backwards(rate);
    for (int n = n_steps - 1; n >= 0; n--) {
        const float *before = kept + n * n_rates, *after = before + n_rates;
        float sum = 0;
#pragma unroll 4
        for (int i = n_rates - 1; i > n; i--) {
            float l = lambda[i - n - 1];
            sum += l * after[i] * rate[i];
            float share = cw_divide(delta, 1.0 + delta * before[i]);
            rate[i] = rate[i] * cw_divide(after[i], before[i]) + sum * l * share * share;
        }
    }
    derivatives[path] = rate[n_rates - 1];
}
