/* SPDX-License-Identifier: MIT
 *
 * K-means: transposes the points' features, then finds the nearest centre of each point. One
 * thread per point, blocks of 256; the centres are in constant memory. */
#include "device.h"

#define MAX_CENTRE_WORDS 1024
__constant__ float centres[MAX_CENTRE_WORDS];

KERNEL kmeans_invert(const float *in, float *out, int points, int features)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p < points)
        for (int f = 0; f < features; f++)
            out[f * points + p] = in[p * features + f];
}

KERNEL kmeans_point(const float *feature, int *membership, int points, int features, int clusters)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= points)
        return;
    int nearest = -1;
    float least = 3.0e38f;
    for (int c = 0; c < clusters; c++) {
        float sum = 0;
        for (int f = 0; f < features; f++) {
            float d = feature[f * points + p] - centres[c * features + f];
            sum += d * d;
        }
        if (sum < least) {
            least = sum;
            nearest = c;
        }
    }
    membership[p] = nearest;
}
