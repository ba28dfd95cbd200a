/* SPDX-License-Identifier: MIT
 *
 * Coulomb potential on a plane of a lattice: block 16x8, two lattice points per thread 16 apart;
 * atoms (x, y, squared distance to the plane, charge) in constant memory. Root and reciprocal are exact, as
 * the original asks for them. */
#include "device.h"

#define MAX_ATOMS 4000
#define PER_THREAD 2

#ifdef __CUDACC_VER_MAJOR__
#define cw_exact_root __fsqrt_rn
#else
#define cw_exact_root __nvvm_sqrt_rn_f /* unlike text for the assembler it lets the loop be unrolled */
#endif

__constant__ float4 atoms[MAX_ATOMS];

KERNEL cp_energy(int n_atoms, float spacing, float *energy)
{
    unsigned x = blockIdx.x * blockDim.x * PER_THREAD + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned at = gridDim.x * blockDim.x * PER_THREAD * y + x;
    float px = spacing * x, py = spacing * y, step = spacing * 16, near = 0, far = 0;
#pragma unroll 4
    for (int a = 0; a < n_atoms; a++) {
        float dy = py - atoms[a].y, dyz = dy * dy + atoms[a].z;
        float dx = px - atoms[a].x, dx_far = dx + step;
        near += atoms[a].w * (1.0f / cw_exact_root(dx * dx + dyz));
        far += atoms[a].w * (1.0f / cw_exact_root(dx_far * dx_far + dyz));
    }
    energy[at] += near;
    energy[at + 16] += far;
}
