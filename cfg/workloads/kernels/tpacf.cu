/* SPDX-License-Identifier: MIT
 *
 * Two-point angular correlation: histograms of the angle between all pairs of points on a sphere,
 * within the data, within each random set, and between both. Blocks 0..sets pair a set with itself
 * (set 0 is the data), the rest a random set with the data. The data's tile is in shared memory. */
#include "device.h"

#define BINS 20
#define THREADS 256
#define COPIES 128 /* of the histogram: two threads share one */

__constant__ float bounds[BINS + 1]; /* descending cosines of the bins' edges */

/* Points on the sphere from uniform numbers in [-1, 1) and [0, 2 pi). */
KERNEL tpacf_points(const float *height, const float *angle, float *x, float *y, float *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float h = height[i], r = cw_sqrt(1 - h * h);
        x[i] = r * cw_cos(angle[i]);
        y[i] = r * cw_sin(angle[i]);
        z[i] = h;
    }
}

KERNEL tpacf_histograms(const float *x, const float *y, const float *z, unsigned *histograms, int n, int sets)
{
    __shared__ float sx[THREADS], sy[THREADS], sz[THREADS];
    __shared__ unsigned counts[BINS][COPIES];
    int t = threadIdx.x, b = blockIdx.x;
    bool cross = b > sets;
    int own = cross ? b - sets : b, data = cross ? 0 : b; /* sets to pair */
    for (int i = t; i < BINS * COPIES; i += THREADS)
        (&counts[0][0])[i] = 0;
    for (int base = 0; base < n; base += THREADS) {
        __syncthreads();
        if (base + t < n) {
            sx[t] = x[data * n + base + t];
            sy[t] = y[data * n + base + t];
            sz[t] = z[data * n + base + t];
        }
        __syncthreads();
        int here = cw_min(THREADS, n - base);
        for (int i = t; i < n; i += THREADS) {
            float px = x[own * n + i], py = y[own * n + i], pz = z[own * n + i];
            for (int k = 0; k < here; k++) {
                if (!cross && base + k >= i)
                    break; /* each pair of one set once */
                float dot = px * sx[k] + py * sy[k] + pz * sz[k];
                int lo = 0, hi = BINS;
                while (hi > lo + 1) {
                    int mid = (lo + hi) / 2;
                    if (dot >= bounds[mid])
                        hi = mid;
                    else
                        lo = mid;
                }
                atomicAdd(&counts[lo][t / (THREADS / COPIES)], 1u);
            }
        }
    }
    __syncthreads();
    if (t < BINS) {
        unsigned sum = 0;
        for (int c = 0; c < COPIES; c++)
            sum += counts[t][c];
        histograms[b * BINS + t] = sum;
    }
}
