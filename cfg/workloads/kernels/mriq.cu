/* SPDX-License-Identifier: MIT
 *
 * MRI-Q: the matrix Q of a non-Cartesian magnetic resonance reconstruction. One thread per voxel
 * sums over the k-space samples, a chunk of them in constant memory per launch. */
#include "device.h"

#define CHUNK 1024

__constant__ float4 samples[CHUNK]; /* kx, ky, kz, squared magnitude of phi */

KERNEL mriq_phi_mag(const float *phi_r, const float *phi_i, const float *kx, const float *ky, const float *kz,
                    float4 *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 v;
        v.x = kx[i];
        v.y = ky[i];
        v.z = kz[i];
        v.w = phi_r[i] * phi_r[i] + phi_i[i] * phi_i[i];
        values[i] = v;
    }
}

KERNEL mriq_q(int n, const float *x, const float *y, const float *z, float *q_r, float *q_i)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    float vx = x[v], vy = y[v], vz = z[v], r = q_r[v], i = q_i[v];
    for (int k = 0; k < n; k++) {
        float angle = 6.2831853071795865f * (samples[k].x * vx + samples[k].y * vy + samples[k].z * vz);
        r += samples[k].w * cw_cos(angle);
        i += samples[k].w * cw_sin(angle);
    }
    q_r[v] = r;
    q_i[v] = i;
}
