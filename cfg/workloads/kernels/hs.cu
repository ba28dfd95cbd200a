/* SPDX-License-Identifier: MIT
 *
 * Thermal simulation of a chip: two steps of a five-point stencil per launch on overlapping tiles.
 * Block 16x16; each block owns the inner 12x12 cells and reads a halo of two. */
#include "device.h"

#define TILE 16
#define STEPS 2
#define INNER (TILE - 2 * STEPS)

KERNEL hotspot(const float *power, const float *src, float *dst, int cols, int rows, float step_cap,
               float rx_inv, float ry_inv, float rz_inv)
{
    __shared__ float temp[TILE][TILE], heat[TILE][TILE], next[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = INNER * blockIdx.x + tx - STEPS, row = INNER * blockIdx.y + ty - STEPS;
    bool inside = col >= 0 && row >= 0 && col < cols && row < rows;
    int at = row * cols + col;
    if (inside) {
        temp[ty][tx] = src[at];
        heat[ty][tx] = power[at];
    }
    __syncthreads();
    /* beyond the chip's edge the cell itself stands for its neighbour */
    int n = row > 0 ? ty - 1 : ty, s = row < rows - 1 ? ty + 1 : ty;
    int w = col > 0 ? tx - 1 : tx, e = col < cols - 1 ? tx + 1 : tx;
    bool done = false;
    for (int i = 0; i < STEPS; i++) {
        done = inside && tx > i && tx < TILE - 1 - i && ty > i && ty < TILE - 1 - i;
        if (done) {
            float t = temp[ty][tx];
            next[ty][tx] = t + step_cap * (heat[ty][tx] + (temp[s][tx] + temp[n][tx] - 2 * t) * ry_inv +
                                           (temp[ty][e] + temp[ty][w] - 2 * t) * rx_inv +
                                           (80.0f - t) * rz_inv);
        }
        __syncthreads();
        if (done && i < STEPS - 1)
            temp[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (done)
        dst[at] = next[ty][tx];
}
