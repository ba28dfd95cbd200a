/* SPDX-License-Identifier: MIT
 *
 * LIBOR market model by Monte Carlo: each thread follows one path of forward rates, which it keeps in
 * local memory, and values a portfolio of swaptions on it. Blocks of 64 threads. */
#include "device.h"

#define RATES 80
#define OPTIONS 15

__constant__ float lambda[RATES];
__constant__ float swap_rates[OPTIONS];
__constant__ int maturities[OPTIONS];

KERNEL libor(const float *noise, float *values, int steps, float delta)
{
    float rate[RATES], bond[RATES], annuity[RATES];
    int path = blockIdx.x * blockDim.x + threadIdx.x, paths = gridDim.x * blockDim.x;
    for (int i = 0; i < RATES; i++)
        rate[i] = 0.051f;
    for (int n = 0; n < steps; n++) {
        float shock = cw_sqrt(delta) * noise[n * paths + path], drift = 0;
        for (int i = n + 1; i < RATES; i++) {
            float scaled = delta * lambda[i - n - 1];
            drift += scaled * rate[i] / (1 + delta * rate[i]);
            rate[i] *= cw_exp(scaled * drift + lambda[i - n - 1] * (shock - 0.5f * scaled));
        }
    }
    float b = 1, sum = 0;
    for (int n = steps; n < RATES; n++) {
        b /= 1 + delta * rate[n];
        sum += delta * b;
        bond[n - steps] = b;
        annuity[n - steps] = sum;
    }
    float value = 0;
    for (int i = 0; i < OPTIONS; i++) {
        int m = maturities[i] - 1;
        float swap = bond[m] + swap_rates[i] * annuity[m] - 1;
        if (swap < 0)
            value -= 100 * swap;
    }
    for (int n = 0; n < steps; n++)
        value /= 1 + delta * rate[n];
    values[path] = value;
}
