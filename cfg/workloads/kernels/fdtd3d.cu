/* SPDX-License-Identifier: MIT
 *
 * Finite differences in three dimensions, radius 4. Blocks of 32x16 threads march along z: the
 * column above and below a point stays in registers, the plane with its halo in shared memory.
 * The volume has a border of 4 points on every side that is read and never written; its inner size
 * is a multiple of the block. */
#include "device.h"

#define R 4
#define BX 32
#define BY 16

KERNEL fdtd3d(const float *in, float *out, int nx, int ny, int nz, float c0, float c1, float c2,
              float c3, float c4)
{
    __shared__ float plane[BY + 2 * R][BX + 2 * R];
    const float c[R + 1] = {c0, c1, c2, c3, c4};
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
    int pitch = nx + 2 * R, layer = pitch * (ny + 2 * R);
    int column = (y + R) * pitch + x + R;
    float behind[R], here, ahead[R];

#pragma unroll
    for (int i = 0; i < R; i++) {
        behind[i] = in[column + (R - 1 - i) * layer];
        ahead[i] = in[column + (R + 1 + i) * layer];
    }
    here = in[column + R * layer];
    for (int z = 0; z < nz; z++) {
        int at = column + (z + R) * layer;
        if (z > 0) {
#pragma unroll
            for (int i = R - 1; i > 0; i--)
                behind[i] = behind[i - 1];
            behind[0] = here;
            here = ahead[0];
#pragma unroll
            for (int i = 0; i < R - 1; i++)
                ahead[i] = ahead[i + 1];
            ahead[R - 1] = in[at + R * layer];
        }
        __syncthreads();
        /* halo of the plane: loaded by the first R rows and columns of threads */
        if (ty < R) {
            plane[ty][tx + R] = in[at - R * pitch];
            plane[ty + BY + R][tx + R] = in[at + BY * pitch];
        }
        if (tx < R) {
            plane[ty + R][tx] = in[at - R];
            plane[ty + R][tx + BX + R] = in[at + BX];
        }
        plane[ty + R][tx + R] = here;
        __syncthreads();
        float value = c[0] * here;
#pragma unroll
        for (int i = 1; i <= R; i++)
            value += c[i] * (ahead[i - 1] + behind[i - 1] + plane[ty + R - i][tx + R] +
                             plane[ty + R + i][tx + R] + plane[ty + R][tx + R - i] + plane[ty + R][tx + R + i]);
        out[at] = value;
    }
}
