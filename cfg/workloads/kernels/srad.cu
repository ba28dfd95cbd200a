/* SPDX-License-Identifier: MIT
 *
 * Speckle-reducing anisotropic diffusion (Yu and Acton, 2002): two kernels per step. Block 16x16;
 * tile and halo go through shared memory. As in the original every thread loads from the halo's
 * rows and columns, though only those on the tile's border use what they loaded; a thread's place in
 * the tile chooses among all cases; results pass through shared memory; constants are in double precision. */
#include "device.h"

#define TILE 16
#define LAST (TILE - 1)

KERNEL srad_1(const float *image, float *d_n, float *d_s, float *d_w, float *d_e, float *c, int cols, int rows,
              float q0sqr)
{
    __shared__ float tile[TILE][TILE], result[TILE][TILE];
    __shared__ float north[TILE][TILE], south[TILE][TILE], west[TILE][TILE], east[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    int x = left + tx, y = top + ty, at = y * cols + x;
    north[ty][tx] = image[cw_max(top - 1, 0) * cols + x];
    south[ty][tx] = image[cw_min(top + TILE, rows - 1) * cols + x];
    __syncthreads();
    west[ty][tx] = image[y * cols + cw_max(left - 1, 0)];
    east[ty][tx] = image[y * cols + cw_min(left + TILE, cols - 1)];
    __syncthreads();
    tile[ty][tx] = image[at];
    __syncthreads();
    float here = tile[ty][tx], n, s, w, e;
    if (ty == 0) {
        n = north[ty][tx] - here;
        s = tile[ty + 1][tx] - here;
        if (tx == 0) {
            w = west[ty][tx] - here;
            e = tile[ty][tx + 1] - here;
        } else if (tx == LAST) {
            w = tile[ty][tx - 1] - here;
            e = east[ty][tx] - here;
        } else {
            w = tile[ty][tx - 1] - here;
            e = tile[ty][tx + 1] - here;
        }
    } else if (ty == LAST) {
        n = tile[ty - 1][tx] - here;
        s = south[ty][tx] - here;
        if (tx == 0) {
            w = west[ty][tx] - here;
            e = tile[ty][tx + 1] - here;
        } else if (tx == LAST) {
            w = tile[ty][tx - 1] - here;
            e = east[ty][tx] - here;
        } else {
            w = tile[ty][tx - 1] - here;
            e = tile[ty][tx + 1] - here;
        }
    } else {
        n = tile[ty - 1][tx] - here;
        s = tile[ty + 1][tx] - here;
        if (tx == 0) {
            w = west[ty][tx] - here;
            e = tile[ty][tx + 1] - here;
        } else if (tx == LAST) {
            w = tile[ty][tx - 1] - here;
            e = east[ty][tx] - here;
        } else {
            w = tile[ty][tx - 1] - here;
            e = tile[ty][tx + 1] - here;
        }
    }
    float g2 = (n * n + s * s + w * w + e * e) / (here * here);
    float l = (n + s + w + e) / here;
    float num = 0.5 * g2 - (1.0 / 16.0) * (l * l);
    float den = 1 + 0.25 * l;
    float q = num / (den * den);
    den = (q - q0sqr) / (q0sqr * (1 + q0sqr));
    float k = 1.0 / (1.0 + den);
    if (k < 0)
        result[ty][tx] = 0;
    else if (k > 1)
        result[ty][tx] = 1;
    else
        result[ty][tx] = k;
    __syncthreads();
    c[at] = result[ty][tx];
    d_e[at] = e;
    d_w[at] = w;
    d_s[at] = s;
    d_n[at] = n;
}

KERNEL srad_2(float *image, const float *d_n, const float *d_s, const float *d_w, const float *d_e, const float *c,
              int cols, int rows, float lambda)
{
    __shared__ float tile[TILE][TILE], south[TILE][TILE], east[TILE][TILE], old[TILE][TILE], result[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    int x = left + tx, y = top + ty, at = y * cols + x;
    old[ty][tx] = image[at];
    __syncthreads();
    south[ty][tx] = c[cw_min(top + TILE, rows - 1) * cols + x];
    __syncthreads();
    east[ty][tx] = c[y * cols + cw_min(left + TILE, cols - 1)];
    __syncthreads();
    tile[ty][tx] = c[at];
    __syncthreads();
    float here = tile[ty][tx], s, e;
    if (tx == LAST) {
        e = east[ty][tx];
        s = ty == LAST ? south[ty][tx] : tile[ty + 1][tx];
    } else {
        e = tile[ty][tx + 1];
        s = ty == LAST ? south[ty][tx] : tile[ty + 1][tx];
    }
    float d = here * d_n[at] + s * d_s[at] + here * d_w[at] + e * d_e[at];
    result[ty][tx] = old[ty][tx] + 0.25 * lambda * d;
    __syncthreads();
    image[at] = result[ty][tx];
}
