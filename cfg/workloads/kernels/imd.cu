/* SPDX-License-Identifier: MIT
 *
 * Removal of noise from an image by non-local means (Buades et al., 2005): block 8x8; each pixel
 * becomes the mean over a 7x7 window, weighted by how alike the 7x7 surroundings are. */
#include "device.h"

#define R 3

DEVICE float pixel(const float *image, int x, int y, int width, int height)
{
    x = cw_min(cw_max(x, 0), width - 1);
    y = cw_min(cw_max(y, 0), height - 1);
    return image[y * width + x];
}

KERNEL nlm(const float *image, float *out, int width, int height, float noise)
{
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float weights = 0, sum = 0;
    for (int dy = -R; dy <= R; dy++)
        for (int dx = -R; dx <= R; dx++) {
            float distance = 0;
            for (int py = -R; py <= R; py++)
                for (int px = -R; px <= R; px++) {
                    float d = pixel(image, x + dx + px, y + dy + py, width, height) -
                              pixel(image, x + px, y + py, width, height);
                    distance += d * d;
                }
            float w = cw_exp(-(distance * noise + (dx * dx + dy * dy) * (1.0f / 49)));
            weights += w;
            sum += w * pixel(image, x + dx, y + dy, width, height);
        }
    out[y * width + x] = sum / weights;
}
