/* SPDX-License-Identifier: MIT
 *
 * One Jacobi step for Laplace's equation in three dimensions: block 32x4 marches along z with three
 * planes of its tile and their halo in shared memory. The border keeps its values. Rows lie `pitch` words
 * apart. */
#include "device.h"

#define BX 32
#define BY 4
#define ROW (BX + 2)
#define PLANE (ROW * (BY + 2))

KERNEL laplace3d(int nx, int ny, int nz, int pitch, const float *in, float *out)
{
    __shared__ float u[3 * PLANE];
    int tx = threadIdx.x, ty = threadIdx.y, t = tx + ty * BX;
    int left = blockIdx.x * BX, top = blockIdx.y * BY;
    /* 76 threads load a halo point each: two warps the rows above and below, twelve threads the columns and
     * their corners */
    bool loads_halo = t < 2 * (BX + BY + 2);
    int halo = 0, halo_at = 0;
    if (loads_halo) {
        int hx = ty < 2 ? tx : t % 2 * (BX + 1) - 1, hy = ty < 2 ? ty * (BY + 1) - 1 : t / 2 - BX - 1;
        halo = PLANE + (hy + 1) * ROW + hx + 1;
        hx += left;
        hy += top;
        halo_at = hx + hy * pitch;
        loads_halo = hx >= 0 && hx < nx && hy >= 0 && hy < ny;
    }
    int own = PLANE + (ty + 1) * ROW + tx + 1, x = left + tx, y = top + ty, at = x + y * pitch;
    bool loads = x < nx && y < ny;
    if (loads)
        u[own + PLANE] = in[at];
    if (loads_halo)
        u[halo + PLANE] = in[halo_at];
    for (int z = 0; z < nz; z++) {
        int here = at;
        /* planes move down: below, here, above */
        if (loads) {
            at += ny * pitch;
            u[own - PLANE] = u[own];
            u[own] = u[own + PLANE];
            if (z < nz - 1)
                u[own + PLANE] = in[at];
        }
        if (loads_halo) {
            halo_at += ny * pitch;
            u[halo - PLANE] = u[halo];
            u[halo] = u[halo + PLANE];
            if (z < nz - 1)
                u[halo + PLANE] = in[halo_at];
        }
        __syncthreads();
        if (loads) {
            float next;
            if (x == 0 || x == nx - 1 || y == 0 || y == ny - 1 || z == 0 || z == nz - 1)
                next = u[own];
            else
                next = (u[own - 1] + u[own + 1] + u[own - ROW] + u[own + ROW] + u[own - PLANE] + u[own + PLANE]) *
                       (1.0f / 6);
            out[here] = next;
        }
        __syncthreads();
    }
}
