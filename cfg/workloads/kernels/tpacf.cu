/* SPDX-License-Identifier: MIT
 *
 * Two-point angular correlation: histograms of the angle between all pairs of points on a sphere,
 * within the data, within each random set, and between both. Block 0 has the data, blocks 1..sets
 * data against a random set, the rest a random set with itself. */
#include "device.h"

#define BINS 20
#define THREADS 256
#define WARPS (THREADS / 32)

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
    __shared__ unsigned counts[BINS][WARPS];
    int t = threadIdx.x, b = blockIdx.x;
    bool cross = b > 0 && b <= sets;
    int first = b <= sets ? 0 : b - sets, second = b <= sets ? b : b - sets; /* sets to pair */
    for (int i = t; i < BINS * WARPS; i += THREADS)
        (&counts[0][0])[i] = 0;
    for (int base = 0; base < n; base += THREADS) {
        __syncthreads();
        if (base + t < n) {
            sx[t] = x[second * n + base + t];
            sy[t] = y[second * n + base + t];
            sz[t] = z[second * n + base + t];
        }
        __syncthreads();
        int here = cw_min(THREADS, n - base);
        for (int i = t; i < n; i += THREADS) {
            float px = x[first * n + i], py = y[first * n + i], pz = z[first * n + i];
            for (int k = 0; k < here; k++) {
                if (!cross && base + k <= i)
                    continue; /* each pair of one set once */
                float dot = px * sx[k] + py * sy[k] + pz * sz[k];
                int lo = 0, hi = BINS;
                while (hi > lo + 1) {
                    int mid = (lo + hi) / 2;
                    if (dot >= bounds[mid])
                        hi = mid;
                    else
                        lo = mid;
                }
                atomicAdd(&counts[lo][t / 32], 1u);
            }
        }
    }
    __syncthreads();
    if (t < BINS) {
        unsigned sum = 0;
        for (int w = 0; w < WARPS; w++)
            sum += counts[t][w];
        histograms[b * BINS + t] = sum;
    }
}
