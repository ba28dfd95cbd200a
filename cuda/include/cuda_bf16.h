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

struct __attribute__((aligned(2))) __nv_bfloat16_raw {
    unsigned short x;
};
struct __attribute__((aligned(4))) __nv_bfloat162_raw {
    unsigned short x, y;
};

struct __attribute__((aligned(2))) __nv_bfloat16 {
    unsigned short __x;
    __nv_bfloat16() = default;
    __host__ __device__ __nv_bfloat16(__nv_bfloat16_raw r) : __x(r.x)
    {
    }
    __host__ __device__ __nv_bfloat16(float f) : __x(cw_float_to_brain(f))
    {
    }
    __host__ __device__ __nv_bfloat16(double f) : __x(cw_float_to_brain((float)f))
    {
    }
    __host__ __device__ __nv_bfloat16(int i) : __x(cw_float_to_brain((float)i))
    {
    }
    __host__ __device__ __nv_bfloat16(unsigned i) : __x(cw_float_to_brain((float)i))
    {
    }
    __host__ __device__ __nv_bfloat16(short i) : __x(cw_float_to_brain((float)i))
    {
    }
    __host__ __device__ __nv_bfloat16(unsigned short i) : __x(cw_float_to_brain((float)i))
    {
    }
    __host__ __device__ __nv_bfloat16(long i) : __x(cw_float_to_brain((float)i))
    {
    }
    __host__ __device__ __nv_bfloat16(unsigned long i) : __x(cw_float_to_brain((float)i))
    {
    }
    __host__ __device__ __nv_bfloat16(long long i) : __x(cw_float_to_brain((float)i))
    {
    }
    __host__ __device__ __nv_bfloat16(unsigned long long i) : __x(cw_float_to_brain((float)i))
    {
    }
    __host__ __device__ operator __nv_bfloat16_raw() const
    {
        return __nv_bfloat16_raw{__x};
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
    __host__ __device__ __nv_bfloat162(__nv_bfloat162_raw r)
        : x(__nv_bfloat16_raw{r.x}), y(__nv_bfloat16_raw{r.y})
    {
    }
    __host__ __device__ operator __nv_bfloat162_raw() const
    {
        return __nv_bfloat162_raw{x.__x, y.__x};
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
CW_BRAIN __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
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
#if defined(__CUDA_ARCH__) /* rounded once */
    unsigned short r;
    __asm__("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(r) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
    return __ushort_as_bfloat16(r);
#endif
    return __nv_bfloat16(::fmaf(__bfloat162float(a), __bfloat162float(b), __bfloat162float(c)));
}
CW_BRAIN __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{
    return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
CW_BRAIN __nv_bfloat16 __hneg(__nv_bfloat16 a)
{
    return __ushort_as_bfloat16((unsigned short)(a.__x ^ 0x8000));
}
CW_BRAIN __nv_bfloat16 __habs(__nv_bfloat16 a)
{
    return __ushort_as_bfloat16((unsigned short)(a.__x & 0x7fff));
}
CW_BRAIN __nv_bfloat16 operator-(__nv_bfloat16 a)
{
    return __hneg(a);
}
CW_BRAIN bool __hisnan(__nv_bfloat16 a)
{
    return (a.__x & 0x7fff) > 0x7f80;
}
CW_BRAIN int __hisinf(__nv_bfloat16 a)
{
    return a.__x == 0x7f80 ? 1 : a.__x == 0xff80 ? -1 : 0;
}
/* of two numbers; a NaN gives way to a number */
CW_BRAIN __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat16(::fmaxf(__bfloat162float(a), __bfloat162float(b)));
}
CW_BRAIN __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat16(::fminf(__bfloat162float(a), __bfloat162float(b)));
}
/* a NaN stays one */
CW_BRAIN __nv_bfloat16 __hmax_nan(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __hisnan(a) || __hisnan(b) ? __ushort_as_bfloat16(0x7fff) : __hmax(a, b);
}
CW_BRAIN __nv_bfloat16 __hmin_nan(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __hisnan(a) || __hisnan(b) ? __ushort_as_bfloat16(0x7fff) : __hmin(a, b);
}
#define CW_BRAIN_PAIR(name, one)                                                                   \
    CW_BRAIN __nv_bfloat162 name(__nv_bfloat162 a, __nv_bfloat162 b)                               \
    {                                                                                              \
        return __nv_bfloat162(one(a.x, b.x), one(a.y, b.y));                                       \
    }
CW_BRAIN_PAIR(__hmax2, __hmax)
CW_BRAIN_PAIR(__hmin2, __hmin)
CW_BRAIN_PAIR(__hmax2_nan, __hmax_nan)
CW_BRAIN_PAIR(__hmin2_nan, __hmin_nan)
CW_BRAIN_PAIR(operator+, __hadd)
CW_BRAIN_PAIR(operator-, __hsub)
CW_BRAIN_PAIR(operator*, __hmul)
CW_BRAIN_PAIR(operator/, __hdiv)
CW_BRAIN_PAIR(__h2div, __hdiv)
#undef CW_BRAIN_PAIR
CW_BRAIN __nv_bfloat162 __hneg2(__nv_bfloat162 a)
{
    return __nv_bfloat162(__hneg(a.x), __hneg(a.y));
}
CW_BRAIN __nv_bfloat162 __habs2(__nv_bfloat162 a)
{
    return __nv_bfloat162(__habs(a.x), __habs(a.y));
}
CW_BRAIN __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a)
{
    return __nv_bfloat162(a, a);
}
CW_BRAIN __nv_bfloat162 __float22bfloat162_rn(float2 v)
{
    return __floats2bfloat162_rn(v.x, v.y);
}
CW_BRAIN __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v)
{
    return v.x;
}
CW_BRAIN __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v)
{
    return v.y;
}
CW_BRAIN __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v)
{
    return __nv_bfloat162(v.x, v.x);
}
CW_BRAIN __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v)
{
    return __nv_bfloat162(v.y, v.y);
}
CW_BRAIN __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v)
{
    return __nv_bfloat162(v.y, v.x);
}
CW_BRAIN __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.x, b.x);
}
CW_BRAIN __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.y, b.y);
}
CW_BRAIN float __low2float(__nv_bfloat162 v)
{
    return __bfloat162float(v.x);
}
CW_BRAIN float __high2float(__nv_bfloat162 v)
{
    return __bfloat162float(v.y);
}
#if defined(__CUDA__)
static __inline__ __device__ __nv_bfloat16 atomicAdd(__nv_bfloat16 *p, __nv_bfloat16 v)
{
    unsigned short r = 0;
#if defined(__CUDA_ARCH__)
    __asm__ volatile("atom.add.noftz.bf16 %0, [%1], %2;" : "=h"(r) : "l"(p), "h"(v.__x) : "memory");
#endif
    return __ushort_as_bfloat16(r);
}
static __inline__ __device__ __nv_bfloat162 atomicAdd(__nv_bfloat162 *p, __nv_bfloat162 v)
{
    unsigned r = 0;
#if defined(__CUDA_ARCH__)
    __asm__ volatile("atom.add.noftz.bf16x2 %0, [%1], %2;"
                     : "=r"(r)
                     : "l"(p), "r"((unsigned)v.y.__x << 16 | v.x.__x)
                     : "memory");
#endif
    return __nv_bfloat162(__ushort_as_bfloat16((unsigned short)r),
                          __ushort_as_bfloat16((unsigned short)(r >> 16)));
}
#endif
#undef CW_BRAIN

#define CW_SINGLE __nv_bfloat16
#define CW_PAIR __nv_bfloat162
#define CW_WORD(a, b) a##bfloat16##b
#define CW_REAL __bfloat162float
#define CW_ROUND __float2bfloat16
#define CW_OF __ushort_as_bfloat16
#include <crosswatt_halves.inc>

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)
#endif

#endif
