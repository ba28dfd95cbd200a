/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cuda_bf16.h: bfloat16, computed through float. */
#ifndef CW_CUDA_INCLUDE_CUDA_BF16_H
#define CW_CUDA_INCLUDE_CUDA_BF16_H

#include <cuda_runtime.h>

#if defined(__cplusplus)
#define CW_BRAIN static __inline__ __host__ __device__

/* the upper half of a float, rounded to nearest even */
CW_BRAIN unsigned short cw_float_to_brain(float f)
{
    unsigned u;
#if defined(__CUDA_ARCH__)
    u = __float_as_uint(f);
#else
    memcpy(&u, &f, 4);
#endif
    if ((u & 0x7fffffffu) > 0x7f800000u)
        return 0x7fff;
    return (unsigned short)((u + 0x7fffu + ((u >> 16) & 1)) >> 16);
}
CW_BRAIN float cw_brain_to_float(unsigned short b)
{
    unsigned u = (unsigned)b << 16;
#if defined(__CUDA_ARCH__)
    return __uint_as_float(u);
#else
    float f;
    memcpy(&f, &u, 4);
    return f;
#endif
}

struct __attribute__((aligned(2))) __nv_bfloat16 {
    unsigned short __x;
    __nv_bfloat16() = default;
    __host__ __device__ __nv_bfloat16(float f) : __x(cw_float_to_brain(f))
    {
    }
    __host__ __device__ __nv_bfloat16(double f) : __x(cw_float_to_brain((float)f))
    {
    }
    __host__ __device__ __nv_bfloat16(int i) : __x(cw_float_to_brain((float)i))
    {
    }
    __host__ __device__ operator float() const
    {
        return cw_brain_to_float(__x);
    }
};
typedef __nv_bfloat16 nv_bfloat16;
struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    __host__ __device__ __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b)
    {
    }
};
typedef __nv_bfloat162 nv_bfloat162;

CW_BRAIN float __bfloat162float(__nv_bfloat16 b)
{
    return cw_brain_to_float(b.__x);
}
CW_BRAIN __nv_bfloat16 __float2bfloat16(float f)
{
    return __nv_bfloat16(f);
}
CW_BRAIN __nv_bfloat16 __float2bfloat16_rn(float f)
{
    return __nv_bfloat16(f);
}
CW_BRAIN __nv_bfloat16 __double2bfloat16(double f)
{
    return __nv_bfloat16((float)f);
}
CW_BRAIN __nv_bfloat16 __int2bfloat16_rn(int i)
{
    return __nv_bfloat16((float)i);
}
CW_BRAIN unsigned short __bfloat16_as_ushort(__nv_bfloat16 b)
{
    return b.__x;
}
CW_BRAIN __nv_bfloat16 __ushort_as_bfloat16(unsigned short b)
{
    __nv_bfloat16 r;
    r.__x = b;
    return r;
}
CW_BRAIN __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat162(a, b);
}
CW_BRAIN __nv_bfloat162 __floats2bfloat162_rn(float a, float b)
{
    return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
CW_BRAIN __nv_bfloat162 __float2bfloat162_rn(float a)
{
    return __floats2bfloat162_rn(a, a);
}
CW_BRAIN float2 __bfloat1622float2(__nv_bfloat162 v)
{
    return make_float2(__bfloat162float(v.x), __bfloat162float(v.y));
}
/* one rounding each: a sum or product of two bf16 is exact enough in float */
#define CW_BRAIN_OP(name, op)                                                                      \
    CW_BRAIN __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b)                                  \
    {                                                                                              \
        return __nv_bfloat16(__bfloat162float(a) op __bfloat162float(b));                          \
    }                                                                                              \
    CW_BRAIN __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b)                            \
    {                                                                                              \
        return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y));                                     \
    }                                                                                              \
    CW_BRAIN __nv_bfloat16 operator op(__nv_bfloat16 a, __nv_bfloat16 b)                           \
    {                                                                                              \
        return name(a, b);                                                                         \
    }                                                                                              \
    CW_BRAIN __nv_bfloat16 &operator op##=(__nv_bfloat16 &a, __nv_bfloat16 b)                      \
    {                                                                                              \
        return a = name(a, b);                                                                     \
    }
CW_BRAIN_OP(__hadd, +)
CW_BRAIN_OP(__hsub, -)
CW_BRAIN_OP(__hmul, *)
CW_BRAIN_OP(__hdiv, /)
#undef CW_BRAIN_OP
CW_BRAIN __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
    return __nv_bfloat16(::fmaf(__bfloat162float(a), __bfloat162float(b), __bfloat162float(c)));
}
#define CW_BRAIN_COMPARE(name, op)                                                                 \
    CW_BRAIN bool name(__nv_bfloat16 a, __nv_bfloat16 b)                                           \
    {                                                                                              \
        return __bfloat162float(a) op __bfloat162float(b);                                         \
    }                                                                                              \
    CW_BRAIN bool operator op(__nv_bfloat16 a, __nv_bfloat16 b)                                    \
    {                                                                                              \
        return __bfloat162float(a) op __bfloat162float(b);                                         \
    }
CW_BRAIN_COMPARE(__heq, ==)
CW_BRAIN_COMPARE(__hne, !=)
CW_BRAIN_COMPARE(__hlt, <)
CW_BRAIN_COMPARE(__hle, <=)
CW_BRAIN_COMPARE(__hgt, >)
CW_BRAIN_COMPARE(__hge, >=)
#undef CW_BRAIN_COMPARE
#if defined(__CUDA__)
static __inline__ __device__ __nv_bfloat16 __ldcs(const __nv_bfloat16 *p)
{
    return __ushort_as_bfloat16(__ldcs((const unsigned short *)p));
}
static __inline__ __device__ void __stcs(__nv_bfloat16 *p, __nv_bfloat16 v)
{
    __stcs((unsigned short *)p, v.__x);
}
#endif
#undef CW_BRAIN
#endif

#endif
