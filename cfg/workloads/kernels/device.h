/* SPDX-License-Identifier: MIT
 *
 * What the kernels need of CUDA, for a clang that has no CUDA toolkit; with nvcc the names are its
 * own. Transcendental functions are PTX's approximations in both cases, since clang alone has no
 * device math library: the same source gives the same arithmetic with either compiler. */
#ifndef CW_CFG_WORKLOADS_KERNELS_DEVICE_H
#define CW_CFG_WORKLOADS_KERNELS_DEVICE_H

#ifndef __CUDACC_VER_MAJOR__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
struct cw_index {
    unsigned x, y, z;
};
#define CW_SREG(r)                                                                                 \
    (cw_index{(unsigned)__nvvm_read_ptx_sreg_##r##_x(), (unsigned)__nvvm_read_ptx_sreg_##r##_y(),  \
              (unsigned)__nvvm_read_ptx_sreg_##r##_z()})
#define threadIdx CW_SREG(tid)
#define blockIdx CW_SREG(ctaid)
#define blockDim CW_SREG(ntid)
#define gridDim CW_SREG(nctaid)
struct float2 {
    float x, y;
} __attribute__((aligned(8)));
struct float4 {
    float x, y, z, w;
} __attribute__((aligned(16)));
struct uint2 {
    unsigned x, y;
} __attribute__((aligned(8)));
static inline __device__ unsigned atomicAdd(unsigned *p, unsigned v)
{
    return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
static inline __device__ int atomicAdd(int *p, int v)
{
    return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
#endif

#define KERNEL extern "C" __global__ void
#define DEVICE static inline __device__

#define CW_UNARY(name, op)                                                                         \
    DEVICE float name(float x)                                                                     \
    {                                                                                              \
        float y;                                                                                   \
        asm(op " %0, %1;" : "=f"(y) : "f"(x));                                                     \
        return y;                                                                                  \
    }
CW_UNARY(cw_exp2, "ex2.approx.f32")
CW_UNARY(cw_log2, "lg2.approx.f32")
CW_UNARY(cw_sin, "sin.approx.f32")
CW_UNARY(cw_cos, "cos.approx.f32")
CW_UNARY(cw_rsqrt, "rsqrt.approx.f32")
CW_UNARY(cw_sqrt, "sqrt.rn.f32")
CW_UNARY(cw_rcp, "rcp.approx.f32")

DEVICE float cw_exp(float x)
{
    return cw_exp2(x * 1.4426950408889634f);
}
DEVICE float cw_abs(float x)
{
    return x < 0 ? -x : x;
}
DEVICE float cw_tanh(float x)
{
    float e = cw_exp2(cw_abs(x) * -2.8853900817779268f); /* exp(-2|x|): no overflow */
    float t = (1 - e) / (1 + e);
    return x < 0 ? -t : t;
}
DEVICE int cw_min(int a, int b)
{
    return a < b ? a : b;
}
DEVICE int cw_max(int a, int b)
{
    return a > b ? a : b;
}
/* A 32-bit mixing function (finalizer of MurmurHash3), for made-up data. */
DEVICE unsigned cw_mix(unsigned x)
{
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    return x ^ x >> 16;
}

#endif
