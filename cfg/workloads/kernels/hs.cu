/* SPDX-License-Identifier: MIT
 *
 * Thermal simulation of a chip: `steps` steps of a five-point stencil per launch on overlapping tiles.
 * Block 16x16; each block owns its inner cells and reads a halo as wide as the steps. As in the
 * original the factor 2.0 has no suffix, so most of a cell's sum is in double precision, and every
 * thread divides for the constants of the model. */
#include "device.h"

#define TILE 16

KERNEL hotspot(int steps, const float *power, const float *src, float *dst, int cols, int rows, float cap, float rx,
               float ry, float rz, float step)
{
    __shared__ float temp[TILE][TILE], heat[TILE][TILE], next[TILE][TILE];
    float ambient = 80.0f, step_cap = step / cap, rx_inv = 1 / rx, ry_inv = 1 / ry, rz_inv = 1 / rz;
    int tx = threadIdx.x, ty = threadIdx.y, inner = TILE - 2 * steps;
    int left = inner * (int)blockIdx.x - steps, top = inner * (int)blockIdx.y - steps;
    int col = left + tx, row = top + ty, at = cols * row + col;
    if (row >= 0 && row < rows && col >= 0 && col < cols) {
        temp[ty][tx] = src[at];
        heat[ty][tx] = power[at];
    }
    __syncthreads();
    /* the part of the tile that lies on the chip; beyond its edge the cell itself stands for its neighbour */
    int y0 = top < 0 ? -top : 0, y1 = cw_min(TILE - 1, rows - 1 - top);
    int x0 = left < 0 ? -left : 0, x1 = cw_min(TILE - 1, cols - 1 - left);
    int n = cw_max(ty - 1, y0), s = cw_min(ty + 1, y1), w = cw_max(tx - 1, x0), e = cw_min(tx + 1, x1);
    bool done = false;
    for (int i = 0; i < steps; i++) {
        done = tx > i && tx < TILE - 1 - i && ty > i && ty < TILE - 1 - i && tx >= x0 && tx <= x1 && ty >= y0 && ty <= y1;
        if (done)
            next[ty][tx] = temp[ty][tx] + step_cap * (heat[ty][tx] +
                                                      (temp[s][tx] + temp[n][tx] - 2.0 * temp[ty][tx]) * ry_inv +
                                                      (temp[ty][e] + temp[ty][w] - 2.0 * temp[ty][tx]) * rx_inv +
                                                      (ambient - temp[ty][tx]) * rz_inv);
        __syncthreads();
        if (i == steps - 1)
            break;
        if (done)
            temp[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (done)
        dst[at] = next[ty][tx];
}
