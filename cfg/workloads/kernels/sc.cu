/* SPDX-License-Identifier: MIT
 *
 * Streamcluster: what would be gained by opening a centre at point x? One thread per point compares
 * its present cost with its distance to x. Blocks of 512. */
#include "device.h"

struct point {
    float weight, cost;
    int assign, pad;
};

/* Points start with weight 1 and one of the centres. */
KERNEL sc_begin(point *points, int *table, const float *cost, int n, int centres)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p < n) {
        points[p].weight = 1;
        points[p].cost = cost[p];
        points[p].assign = cw_mix(p) % centres;
        table[p] = p < centres ? p : 0;
    }
}

KERNEL sc_gain(int n, int dims, int x, const point *points, int centres, const float *coord, float *lower,
               const int *table, unsigned char *switched)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x, stride = centres + 1;
    if (p >= n)
        return;
    float distance = 0;
    for (int d = 0; d < dims; d++) {
        float diff = coord[d * n + p] - coord[d * n + x];
        distance += diff * diff;
    }
    float cost = distance * points[p].weight, now = points[p].cost;
    if (cost < now) {
        switched[p] = 1;
        lower[p * stride + centres] += cost - now;
    } else {
        lower[p * stride + table[points[p].assign]] += now - cost;
    }
}
