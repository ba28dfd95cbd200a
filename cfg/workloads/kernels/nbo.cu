/* SPDX-License-Identifier: MIT
 *
 * Gravitation between all pairs of bodies: each block of 256 threads goes through all bodies, a tile
 * of 256 of them in shared memory at a time. */
#include "device.h"

#define TILE 256

KERNEL nbody(const float4 *bodies, float4 *forces, int n, float softening)
{
    __shared__ float4 tile[TILE];
    float4 me = bodies[blockIdx.x * TILE + threadIdx.x], sum = {0, 0, 0, 0};
    for (int base = 0; base < n; base += TILE) {
        tile[threadIdx.x] = bodies[base + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < TILE; k++) {
            float4 other = tile[k];
            float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            float inverse = cw_rsqrt(dx * dx + dy * dy + dz * dz + softening);
            float f = other.w * inverse * inverse * inverse;
            sum.x += dx * f;
            sum.y += dy * f;
            sum.z += dz * f;
        }
        __syncthreads();
    }
    forces[blockIdx.x * TILE + threadIdx.x] = sum;
}
