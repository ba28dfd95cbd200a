/* SPDX-License-Identifier: MIT
 *
 * Prices of European options (Black and Scholes, 1973); the normal distribution by Hull's polynomial.
 * Grid-stride over the options. */
#include "device.h"

DEVICE float normal(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * cw_abs(d));
    float tail = 0.39894228040143f * cw_exp(-0.5f * d * d) *
                 (k * (0.31938153f +
                       k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1 - tail : tail;
}

KERNEL black_scholes(float *call, float *put, const float *price, const float *strike, const float *years,
                     float rate, float volatility, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float s = price[i], x = strike[i], t = years[i], root = cw_sqrt(t);
        float d1 = (0.69314718f * cw_log2(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
        float d2 = d1 - volatility * root, n1 = normal(d1), n2 = normal(d2);
        float discounted = x * cw_exp(-rate * t);
        call[i] = s * n1 - discounted * n2;
        put[i] = discounted * (1 - n2) - s * (1 - n1);
    }
}
