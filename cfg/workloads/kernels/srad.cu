/* SPDX-License-Identifier: MIT
 *
 * Speckle-reducing anisotropic diffusion (Yu and Acton, 2002): two kernels per step. Block 16x16;
 * tile and halo go through shared memory. As in the original every thread loads from the halo's
 * rows and columns, though only those on the tile's border use what they loaded. */
#include "device.h"

#define TILE 16

KERNEL srad_1(const float *image, float *d_n, float *d_s, float *d_w, float *d_e, float *c, int cols,
              int rows, float q0sqr)
{
    __shared__ float tile[TILE][TILE], north[TILE][TILE], south[TILE][TILE], west[TILE][TILE], east[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    int x = left + tx, y = top + ty, at = y * cols + x;
    north[ty][tx] = image[cw_max(top - 1, 0) * cols + x];
    south[ty][tx] = image[cw_min(top + TILE, rows - 1) * cols + x];
    west[ty][tx] = image[y * cols + cw_max(left - 1, 0)];
    east[ty][tx] = image[y * cols + cw_min(left + TILE, cols - 1)];
    tile[ty][tx] = image[at];
    __syncthreads();
    float here = tile[ty][tx];
    float n = ty > 0 ? tile[ty - 1][tx] : north[ty][tx];
    float s = ty < TILE - 1 ? tile[ty + 1][tx] : south[ty][tx];
    float w = tx > 0 ? tile[ty][tx - 1] : west[ty][tx];
    float e = tx < TILE - 1 ? tile[ty][tx + 1] : east[ty][tx];
    n -= here;
    s -= here;
    w -= here;
    e -= here;
    float g2 = (n * n + s * s + w * w + e * e) / (here * here);
    float l = (n + s + w + e) / here;
    float num = 0.5f * g2 - (1.0f / 16) * (l * l);
    float den = 1 + 0.25f * l;
    float q = num / (den * den);
    den = (q - q0sqr) / (q0sqr * (1 + q0sqr));
    float k = 1 / (1 + den);
    d_n[at] = n;
    d_s[at] = s;
    d_w[at] = w;
    d_e[at] = e;
    c[at] = k < 0 ? 0 : k > 1 ? 1 : k;
}

KERNEL srad_2(float *image, const float *d_n, const float *d_s, const float *d_w, const float *d_e,
              const float *c, int cols, int rows, float lambda)
{
    __shared__ float tile[TILE][TILE], south[TILE][TILE], east[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    int x = left + tx, y = top + ty, at = y * cols + x;
    south[ty][tx] = c[cw_min(top + TILE, rows - 1) * cols + x];
    east[ty][tx] = c[y * cols + cw_min(left + TILE, cols - 1)];
    tile[ty][tx] = c[at];
    __syncthreads();
    float here = tile[ty][tx];
    float s = ty < TILE - 1 ? tile[ty + 1][tx] : south[ty][tx];
    float e = tx < TILE - 1 ? tile[ty][tx + 1] : east[ty][tx];
    float d = here * d_n[at] + s * d_s[at] + here * d_w[at] + e * d_e[at];
    image[at] += 0.25f * lambda * d;
}
