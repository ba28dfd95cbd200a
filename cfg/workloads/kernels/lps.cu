/* SPDX-License-Identifier: MIT
 *
 * One Jacobi step for Laplace's equation in three dimensions: block 32x4 marches along z with three
 * planes of its tile and their halo in shared memory. The border keeps its values. */
#include "device.h"

#define BX 32
#define BY 4
#define PITCH (BX + 2)
#define PLANE (PITCH * (BY + 2))

KERNEL laplace3d(const float *in, float *out, int nx, int ny, int nz)
{
    __shared__ float u[3 * PLANE];
    int t = threadIdx.x + threadIdx.y * BX, x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
    int own = PITCH + 1 + threadIdx.x + threadIdx.y * PITCH;
    /* the 2 * 34 + 2 * 4 halo points are loaded by the first threads of the block */
    int hx = t < 2 * PITCH ? t % PITCH : (t - 2 * PITCH) % 2 * (PITCH - 1);
    int hy = t < 2 * PITCH ? t / PITCH * (BY + 1) : 1 + (t - 2 * PITCH) / 2;
    int halo = hx + hy * PITCH, gx = blockIdx.x * BX + hx - 1, gy = blockIdx.y * BY + hy - 1;
    bool loads = x < nx && y < ny;
    bool loads_halo = t < 2 * PITCH + 2 * BY && gx >= 0 && gx < nx && gy >= 0 && gy < ny;
    int at = x + y * nx, halo_at = gx + gy * nx, layer = nx * ny;
    bool edge = x == 0 || x == nx - 1 || y == 0 || y == ny - 1;

    if (loads)
        u[PLANE + own] = in[at];
    if (loads_halo)
        u[PLANE + halo] = in[halo_at];
    for (int z = 0; z < nz; z++) {
        /* planes move up: below, here, above */
        if (loads) {
            u[own] = u[PLANE + own];
            if (z > 0)
                u[PLANE + own] = u[2 * PLANE + own];
            else
                u[own] = 0;
            if (z < nz - 1)
                u[2 * PLANE + own] = in[at + (z + 1) * layer];
        }
        if (loads_halo) {
            if (z > 0)
                u[PLANE + halo] = u[2 * PLANE + halo];
            if (z < nz - 1)
                u[2 * PLANE + halo] = in[halo_at + (z + 1) * layer];
        }
        __syncthreads();
        if (loads) {
            const float *p = &u[PLANE + own];
            bool border = edge || z == 0 || z == nz - 1;
            out[at + z * layer] =
                border ? p[0] : (p[-1] + p[1] + p[-PITCH] + p[PITCH] + p[-PLANE] + p[PLANE]) * (1.0f / 6);
        }
        __syncthreads();
    }
}
