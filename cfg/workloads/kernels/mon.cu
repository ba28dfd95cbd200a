/* SPDX-License-Identifier: MIT
 *
 * Option prices by Monte Carlo: one block per option streams all samples; sums in double precision. */
#include "device.h"

#define THREADS 256

KERNEL monte_carlo(const float *price, const float *strike, const float *drift, const float *spread,
                   const float *samples, double *value, double *deviation, int paths)
{
    __shared__ double sums[THREADS], squares[THREADS];
    int t = threadIdx.x, option = blockIdx.x;
    float s = price[option], x = strike[option], mu = drift[option], sigma = spread[option];
    double sum = 0, square = 0;
    for (int i = t; i < paths; i += THREADS) {
        float end = s * cw_exp(mu + sigma * samples[i]) - x;
        float gain = end > 0 ? end : 0;
        sum += gain;
        square += gain * gain;
    }
    sums[t] = sum;
    squares[t] = square;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            sums[t] += sums[t + half];
            squares[t] += squares[t + half];
        }
    }
    if (t == 0) {
        value[option] = sums[0] / paths;
        deviation[option] = squares[0] / paths;
    }
}
