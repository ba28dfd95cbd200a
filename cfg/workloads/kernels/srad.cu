/* SPDX-License-Identifier: MIT
 *
 * Speckle-reducing anisotropic diffusion (Yu and Acton, 2002): two kernels per step. Block 16x16;
 * a neighbour is read from the tile in shared memory, or from global memory on the tile's border. */
#include "device.h"

#define TILE 16

KERNEL srad_1(const float *image, float *d_n, float *d_s, float *d_w, float *d_e, float *c, int cols,
              int rows, float q0sqr)
{
    __shared__ float tile[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty, at = y * cols + x;
    float here = image[at];
    tile[ty][tx] = here;
    __syncthreads();
    float n = ty > 0 ? tile[ty - 1][tx] : image[y > 0 ? at - cols : at];
    float s = ty < TILE - 1 ? tile[ty + 1][tx] : image[y < rows - 1 ? at + cols : at];
    float w = tx > 0 ? tile[ty][tx - 1] : image[x > 0 ? at - 1 : at];
    float e = tx < TILE - 1 ? tile[ty][tx + 1] : image[x < cols - 1 ? at + 1 : at];
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
    __shared__ float tile[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty, at = y * cols + x;
    float here = c[at];
    tile[ty][tx] = here;
    __syncthreads();
    float s = ty < TILE - 1 ? tile[ty + 1][tx] : c[y < rows - 1 ? at + cols : at];
    float e = tx < TILE - 1 ? tile[ty][tx + 1] : c[x < cols - 1 ? at + 1 : at];
    float d = here * d_n[at] + s * d_s[at] + here * d_w[at] + e * d_e[at];
    image[at] += 0.25f * lambda * d;
}
