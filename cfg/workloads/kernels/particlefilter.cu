/* SPDX-License-Identifier: MIT
 *
 * Particle filter that tracks a disc in noisy frames: likelihood of each particle's place, then
 * normalised weights and their running sum, then resampling by search in that sum. Blocks of 512. */
#include "device.h"

#define THREADS 512

/* Offsets of the pixels of a disc, packed as x, y; one thread. */
KERNEL pf_disc(int *offsets, int *count, int radius)
{
    int n = 0;
    for (int y = -radius; y <= radius; y++)
        for (int x = -radius; x <= radius; x++)
            if (x * x + y * y < radius * radius) {
                offsets[2 * n] = x;
                offsets[2 * n + 1] = y;
                n++;
            }
    *count = n;
}

KERNEL pf_likelihood(const float *x, const float *y, const int *offsets, const int *count,
                     const unsigned char *frame, int width, int height, const float *before, float *weights,
                     float *sums, int particles)
{
    __shared__ float part[THREADS];
    int t = threadIdx.x, p = blockIdx.x * THREADS + t;
    float weight = 0;
    if (p < particles) {
        float sum = 0;
        int n = *count, px = (int)(x[p] + 0.5f), py = (int)(y[p] + 0.5f);
        for (int k = 0; k < n; k++) {
            int fx = px + offsets[2 * k], fy = py + offsets[2 * k + 1];
            fx = cw_min(cw_max(fx, 0), width - 1);
            fy = cw_min(cw_max(fy, 0), height - 1);
            float v = frame[fy * width + fx];
            sum += ((v - 100) * (v - 100) - (v - 228) * (v - 228)) * (1.0f / 50);
        }
        weight = before[p] * cw_exp(sum / n * 0.01f);
        weights[p] = weight;
    }
    part[t] = weight;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            part[t] += part[t + half];
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

/* One thread: the sum of all blocks. */
KERNEL pf_sum(float *sums, int blocks)
{
    float sum = 0;
    for (int i = 0; i < blocks; i++)
        sum += sums[i];
    sums[0] = sum;
}

KERNEL pf_normalize(float *weights, const float *sums, int particles)
{
    __shared__ float total;
    int p = blockIdx.x * THREADS + threadIdx.x;
    if (threadIdx.x == 0)
        total = sums[0];
    __syncthreads();
    if (p < particles)
        weights[p] /= total;
}

/* Running sum of the weights; one thread, as in the original. */
KERNEL pf_running(const float *weights, float *running, int particles)
{
    float sum = 0;
    for (int i = 0; i < particles; i++) {
        sum += weights[i];
        running[i] = sum;
    }
}

/* Each of `searching` particles looks for the first place where the running sum reaches u. */
KERNEL pf_find(const float *x, const float *y, const float *running, const float *u, float *new_x, float *new_y,
               int *found, int particles, int searching)
{
    int p = blockIdx.x * THREADS + threadIdx.x;
    if (p >= searching)
        return;
    int at = particles - 1;
    for (int i = 0; i < particles; i++)
        if (running[i] >= u[p]) {
            at = i;
            break;
        }
    found[p] = at;
    new_x[p] = x[at];
    new_y[p] = y[at];
}
