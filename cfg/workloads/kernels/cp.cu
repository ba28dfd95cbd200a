/* SPDX-License-Identifier: MIT
 *
 * Coulomb potential on a plane of a lattice: block 16x8, eight lattice points per thread 16 apart;
 * atoms (x, y, squared distance to the plane, charge) in constant memory. */
#include "device.h"

#define MAX_ATOMS 4000
#define PER_THREAD 8

__constant__ float4 atoms[MAX_ATOMS];

KERNEL cp_energy(int n_atoms, float spacing, float *energy)
{
    int x = blockIdx.x * 16 * PER_THREAD + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    int at = gridDim.x * 16 * PER_THREAD * y + x;
    float px = spacing * x, py = spacing * y, step = spacing * 16;
    float e[PER_THREAD];
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++)
        e[k] = 0;
    for (int a = 0; a < n_atoms; a++) {
        float4 atom = atoms[a];
        float dy = py - atom.y, dyz = dy * dy + atom.z, dx = px - atom.x;
#pragma unroll
        for (int k = 0; k < PER_THREAD; k++) {
            e[k] += atom.w * cw_rsqrt(dx * dx + dyz);
            dx += step;
        }
    }
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++)
        energy[at + 16 * k] += e[k];
}
