/* SPDX-License-Identifier: MIT
 *
 * cuda/include/cuda_fp16.h: half precision. The device computes in half precision, the host through
 * float. */
#ifndef CW_CUDA_INCLUDE_CUDA_FP16_H
#define CW_CUDA_INCLUDE_CUDA_FP16_H

#include <cuda_runtime.h>

#if defined(__cplusplus)
#define CW_HALF static __inline__ __host__ __device__

struct __attribute__((aligned(2))) __half_raw {
    unsigned short x;
};

struct __attribute__((aligned(4))) __half2_raw {
    unsigned short x, y;
};

/* ---- conversions, exact and rounded to nearest even ---- */
CW_HALF float cw_half_to_float(unsigned short h)
{
#if defined(__CUDA_ARCH__)
    float f;
    __asm__("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
    return f;
#else
    unsigned sign = (unsigned)(h & 0x8000) << 16, e = (h >> 10) & 31, m = h & 0x3ff, u;
    if (e == 31) {
        u = sign | 0x7f800000u | m << 13;
    } else if (e) {
        u = sign | (e + 112) << 23 | m << 13;
    } else {
        float f = (float)m * 5.9604644775390625e-08f;
        memcpy(&u, &f, 4);
        u |= sign;
    }
    float r;
    memcpy(&r, &u, 4);
    return r;
#endif
}
CW_HALF unsigned short cw_float_to_half(float f)
{
#if defined(__CUDA_ARCH__)
    unsigned short h;
    __asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
    return h;
#else
    unsigned u;
    memcpy(&u, &f, 4);
    unsigned sign = (u >> 16) & 0x8000u, a = u & 0x7fffffffu;
    if (a > 0x7f800000u)
        return (unsigned short)(sign | 0x7fffu);
    if (a >= 0x477ff000u)
        return (unsigned short)(sign | 0x7c00u);
    if (a < 0x38800000u) { /* subnormal: count steps of 2^-24 */
        float s = f < 0 ? -f : f;
        return (unsigned short)(sign | (unsigned)::rintf(s * 16777216.0f));
    }
    unsigned r = a + 0xfffu + ((a >> 13) & 1);
    return (unsigned short)(sign | ((r - 0x38000000u) >> 13));
#endif
}

struct __attribute__((aligned(2))) __half {
    unsigned short __x;
    __half() = default;
    __host__ __device__ __half(float f) : __x(cw_float_to_half(f))
    {
    }
    __host__ __device__ __half(double f) : __x(cw_float_to_half((float)f))
    {
    }
    __host__ __device__ __half(int i) : __x(cw_float_to_half((float)i))
    {
    }
    __host__ __device__ __half(unsigned i) : __x(cw_float_to_half((float)i))
    {
    }
    __host__ __device__ __half(long long i) : __x(cw_float_to_half((float)i))
    {
    }
    __host__ __device__ __half(short i) : __x(cw_float_to_half((float)i))
    {
    }
    __host__ __device__ __half(unsigned short i) : __x(cw_float_to_half((float)i))
    {
    }
    __host__ __device__ __half(long i) : __x(cw_float_to_half((float)i))
    {
    }
    __host__ __device__ __half(unsigned long i) : __x(cw_float_to_half((float)i))
    {
    }
    __host__ __device__ __half(unsigned long long i) : __x(cw_float_to_half((float)i))
    {
    }
    __host__ __device__ __half(__half_raw r) : __x(r.x)
    {
    }
    __host__ __device__ operator float() const
    {
        return cw_half_to_float(__x);
    }
    __host__ __device__ operator __half_raw() const
    {
        return __half_raw{__x};
    }
};
typedef __half half;
typedef __half __nv_half;
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
    __half2() = default;
    __host__ __device__ __half2(__half a, __half b) : x(a), y(b)
    {
    }
    __host__ __device__ __half2(__half2_raw r) : x(__half_raw{r.x}), y(__half_raw{r.y})
    {
    }
    __host__ __device__ operator __half2_raw() const
    {
        return __half2_raw{x.__x, y.__x};
    }
};
typedef __half2 half2;
typedef __half2 __nv_half2;

CW_HALF float __half2float(__half h)
{
    return cw_half_to_float(h.__x);
}
CW_HALF __half cw_half_of(unsigned short bits)
{
    __half h;
    h.__x = bits;
    return h;
}
CW_HALF __half __float2half(float f)
{
    return cw_half_of(cw_float_to_half(f));
}
CW_HALF __half __float2half_rn(float f)
{
    return cw_half_of(cw_float_to_half(f));
}
CW_HALF __half __double2half(double f)
{
    return cw_half_of(cw_float_to_half((float)f));
}
CW_HALF unsigned short __half_as_ushort(__half h)
{
    return h.__x;
}
CW_HALF __half __ushort_as_half(unsigned short b)
{
    return cw_half_of(b);
}
CW_HALF __half2 __halves2half2(__half a, __half b)
{
    return __half2(a, b);
}
CW_HALF __half2 make_half2(__half a, __half b)
{
    return __half2(a, b);
}
CW_HALF __half2 __half2half2(__half a)
{
    return __half2(a, a);
}
CW_HALF __half2 __float2half2_rn(float f)
{
    return __half2half2(__float2half(f));
}
CW_HALF __half2 __floats2half2_rn(float a, float b)
{
    return __half2(__float2half(a), __float2half(b));
}
CW_HALF __half2 __float22half2_rn(float2 v)
{
    return __floats2half2_rn(v.x, v.y);
}
CW_HALF float2 __half22float2(__half2 v)
{
    return make_float2(__half2float(v.x), __half2float(v.y));
}
CW_HALF float __low2float(__half2 v)
{
    return __half2float(v.x);
}
CW_HALF float __high2float(__half2 v)
{
    return __half2float(v.y);
}
CW_HALF __half __low2half(__half2 v)
{
    return v.x;
}
CW_HALF __half __high2half(__half2 v)
{
    return v.y;
}
CW_HALF __half2 __low2half2(__half2 v)
{
    return __half2(v.x, v.x);
}
CW_HALF __half2 __high2half2(__half2 v)
{
    return __half2(v.y, v.y);
}
CW_HALF __half2 __lowhigh2highlow(__half2 v)
{
    return __half2(v.y, v.x);
}
CW_HALF __half2 __lows2half2(__half2 a, __half2 b)
{
    return __half2(a.x, b.x);
}
CW_HALF __half2 __highs2half2(__half2 a, __half2 b)
{
    return __half2(a.y, b.y);
}
CW_HALF unsigned cw_bits(__half2 v)
{
    return (unsigned)v.y.__x << 16 | v.x.__x;
}
CW_HALF __half2 cw_half2_of(unsigned b)
{
    return __half2(cw_half_of((unsigned short)b), cw_half_of((unsigned short)(b >> 16)));
}

/* ---- arithmetic: the device's own; on the host through float, which rounds the same ---- */
#if defined(__CUDA_ARCH__)
#define CW_HALF_OP(name, op, symbol)                                                               \
    CW_HALF __half name(__half a, __half b)                                                        \
    {                                                                                              \
        unsigned short r;                                                                          \
        __asm__(op ".f16 %0, %1, %2;" : "=h"(r) : "h"(a.__x), "h"(b.__x));                         \
        return cw_half_of(r);                                                                      \
    }                                                                                              \
    CW_HALF __half2 name##2(__half2 a, __half2 b)                                                  \
    {                                                                                              \
        unsigned r;                                                                                \
        __asm__(op ".f16x2 %0, %1, %2;" : "=r"(r) : "r"(cw_bits(a)), "r"(cw_bits(b)));             \
        return cw_half2_of(r);                                                                     \
    }
CW_HALF __half __hfma(__half a, __half b, __half c)
{
    unsigned short r;
    __asm__("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
    return cw_half_of(r);
}
CW_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    unsigned r;
    __asm__("fma.rn.f16x2 %0, %1, %2, %3;"
            : "=r"(r)
            : "r"(cw_bits(a)), "r"(cw_bits(b)), "r"(cw_bits(c)));
    return cw_half2_of(r);
}
#else
#define CW_HALF_OP(name, op, symbol)                                                               \
    CW_HALF __half name(__half a, __half b)                                                        \
    {                                                                                              \
        return __float2half(__half2float(a) symbol __half2float(b));                               \
    }                                                                                              \
    CW_HALF __half2 name##2(__half2 a, __half2 b)                                                  \
    {                                                                                              \
        return __half2(name(a.x, b.x), name(a.y, b.y));                                            \
    }
CW_HALF __half __hfma(__half a, __half b, __half c)
{
    return __float2half((float)((double)__half2float(a) * __half2float(b) + __half2float(c)));
}
CW_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
#endif
CW_HALF_OP(__hadd, "add", +)
CW_HALF_OP(__hsub, "sub", -)
CW_HALF_OP(__hmul, "mul", *)
#undef CW_HALF_OP
CW_HALF __half __hdiv(__half a, __half b)
{
    return __float2half(__half2float(a) / __half2float(b));
}
CW_HALF __half2 __h2div(__half2 a, __half2 b)
{
    return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
CW_HALF __half __hneg(__half a)
{
    return cw_half_of(a.__x ^ 0x8000);
}
CW_HALF __half __habs(__half a)
{
    return cw_half_of(a.__x & 0x7fff);
}
CW_HALF __half2 __hneg2(__half2 a)
{
    return __half2(__hneg(a.x), __hneg(a.y));
}
CW_HALF __half2 __habs2(__half2 a)
{
    return __half2(__habs(a.x), __habs(a.y));
}
CW_HALF __half operator+(__half a, __half b)
{
    return __hadd(a, b);
}
CW_HALF __half operator-(__half a, __half b)
{
    return __hsub(a, b);
}
CW_HALF __half operator*(__half a, __half b)
{
    return __hmul(a, b);
}
CW_HALF __half operator/(__half a, __half b)
{
    return __hdiv(a, b);
}
CW_HALF __half operator-(__half a)
{
    return __hneg(a);
}
CW_HALF __half &operator+=(__half &a, __half b)
{
    return a = a + b;
}
CW_HALF __half &operator-=(__half &a, __half b)
{
    return a = a - b;
}
CW_HALF __half &operator*=(__half &a, __half b)
{
    return a = a * b;
}
CW_HALF __half &operator/=(__half &a, __half b)
{
    return a = a / b;
}
CW_HALF __half2 operator+(__half2 a, __half2 b)
{
    return __hadd2(a, b);
}
CW_HALF __half2 operator-(__half2 a, __half2 b)
{
    return __hsub2(a, b);
}
CW_HALF __half2 operator*(__half2 a, __half2 b)
{
    return __hmul2(a, b);
}
CW_HALF __half2 operator/(__half2 a, __half2 b)
{
    return __h2div(a, b);
}
CW_HALF bool __hisnan(__half a)
{
    return (a.__x & 0x7fff) > 0x7c00;
}
CW_HALF int __hisinf(__half a)
{
    return a.__x == 0x7c00 ? 1 : a.__x == 0xfc00 ? -1 : 0;
}
CW_HALF __half __hmax(__half a, __half b)
{
    return __float2half(::fmaxf(__half2float(a), __half2float(b)));
}
CW_HALF __half __hmin(__half a, __half b)
{
    return __float2half(::fminf(__half2float(a), __half2float(b)));
}
CW_HALF __half2 __hmax2(__half2 a, __half2 b)
{
    return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
CW_HALF __half2 __hmin2(__half2 a, __half2 b)
{
    return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
/* a NaN stays one */
CW_HALF __half __hmax_nan(__half a, __half b)
{
    return __hisnan(a) || __hisnan(b) ? cw_half_of(0x7fff) : __hmax(a, b);
}
CW_HALF __half __hmin_nan(__half a, __half b)
{
    return __hisnan(a) || __hisnan(b) ? cw_half_of(0x7fff) : __hmin(a, b);
}
CW_HALF __half2 __hmax2_nan(__half2 a, __half2 b)
{
    return __half2(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y));
}
CW_HALF __half2 __hmin2_nan(__half2 a, __half2 b)
{
    return __half2(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y));
}
#if defined(__CUDA__)
static __inline__ __device__ __half atomicAdd(__half *p, __half v)
{
    unsigned short r;
    __asm__ volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(r) : "l"(p), "h"(v.__x) : "memory");
    return cw_half_of(r);
}
static __inline__ __device__ __half2 atomicAdd(__half2 *p, __half2 v)
{
    unsigned r;
    __asm__ volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
                     : "=r"(r)
                     : "l"(p), "r"(cw_bits(v))
                     : "memory");
    return cw_half2_of(r);
}
#endif
#undef CW_HALF

#define CW_SINGLE __half
#define CW_PAIR __half2
#define CW_WORD(a, b) a##half##b
#define CW_REAL __half2float
#define CW_ROUND __float2half
#define CW_OF cw_half_of
#include <crosswatt_halves.inc>

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#endif

#endif
