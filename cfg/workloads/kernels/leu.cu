/* SPDX-License-Identifier: MIT
 *
 * Detection of leukocytes in a video frame: the gradient inverse coefficient of variation on circles
 * around each pixel (Ray and Acton, 2004), then dilation by a disc. One thread per pixel. Images lie
 * column by column, the dilated one row by row. */
#include "device.h"

#define MAX_POINTS 150
#define MAX_CIRCLES 7
#define MAX_DISC 625

__constant__ float sines[MAX_POINTS], cosines[MAX_POINTS];
__constant__ int shift_x[MAX_CIRCLES * MAX_POINTS], shift_y[MAX_CIRCLES * MAX_POINTS];
__constant__ unsigned char disc[MAX_DISC];

/* Tables: one thread per circle and point; circles have radius 8, 10, … */
KERNEL leu_tables(float *sin_table, float *cos_table, int *x, int *y, int points)
{
    int p = threadIdx.x, circle = blockIdx.x;
    float angle = 6.2831853f * p / points, s = cw_sin(angle), c = cw_cos(angle);
    if (circle == 0) {
        sin_table[p] = s;
        cos_table[p] = c;
    }
    x[circle * points + p] = (int)(c * (8 + 2 * circle));
    y[circle * points + p] = (int)(s * (8 + 2 * circle));
}

KERNEL leu_disc(unsigned char *table, int radius)
{
    int x = (int)threadIdx.x - radius, y = (int)threadIdx.y - radius;
    table[threadIdx.y * (2 * radius + 1) + threadIdx.x] = x * x + y * y <= radius * radius;
}

KERNEL leu_gicov(const float *grad_x, const float *grad_y, float *gicov, int height,
                 int circles, int points, int margin)
{
    int x = blockIdx.x + margin, y = threadIdx.x + margin; /* one block per column */
    float best = 0;
    for (int k = 0; k < circles; k++) {
        float mean = 0, squares = 0;
        for (int n = 0; n < points; n++) {
            int at = (x + shift_x[k * points + n]) * height + y + shift_y[k * points + n];
            float p = grad_x[at] * cosines[n] + grad_y[at] * sines[n];
            float d = p - mean; /* running mean and sum of squared deviations */
            mean += d * cw_rcp((float)(n + 1));
            squares += d * (p - mean);
        }
        float value = mean * mean * (points - 1) / squares;
        if (value > best)
            best = value;
    }
    gicov[x * height + y] = best;
}

KERNEL leu_dilate(const float *in, float *out, int width, int height, int radius)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width * height)
        return;
    int y = i % height, x = i / height, side = 2 * radius + 1;
    float most = 0;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++)
            if (y + dy >= 0 && y + dy < height && x + dx >= 0 && x + dx < width &&
                disc[(dy + radius) * side + dx + radius]) {
                float v = in[(x + dx) * height + y + dy];
                if (v > most)
                    most = v;
            }
    out[y * width + x] = most;
}
