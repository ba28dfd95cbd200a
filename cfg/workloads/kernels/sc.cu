/* SPDX-License-Identifier: MIT
 *
 * Streamcluster: what would be gained by opening a centre at point x? One thread per point compares
 * its present cost with its distance to x. Blocks of 512. */
#include "device.h"

/* as on a 64-bit host: 32 bytes */
struct point {
    float weight;
    const float *coord;
    long long assign;
    float cost;
};

/* Points start with weight 1 and one of the centres. */
KERNEL sc_begin(point *points, int *table, const float *cost, int n, int centres)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p < n) {
        points[p].weight = 1;
        points[p].coord = nullptr;
        points[p].cost = cost[p];
        points[p].assign = cw_mix(p) % centres;
        table[p] = p < centres ? p : 0;
    }
}

KERNEL sc_gain(int n, int dims, long long x, const point *points, int centres, int stride, const float *coord,
               float *work, const int *table, unsigned char *switched)
{
    int block = blockIdx.x + gridDim.x * blockIdx.y, p = blockDim.x * block + threadIdx.x;
    if (p >= n)
        return;
    float *lower = work + p * stride, distance = 0;
#pragma unroll 4
    for (int d = 0; d < dims; d++) {
        float diff = coord[d * n + p] - coord[d * n + (int)x];
        distance += diff * diff;
    }
    float cost = distance * points[p].weight;
    if (cost < points[p].cost) {
        switched[p] = 1;
        lower[centres] += cost - points[p].cost;
    } else {
        lower[table[points[p].assign]] += points[p].cost - cost;
    }
}
