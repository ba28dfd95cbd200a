/* SPDX-License-Identifier: MIT
 *
 * Single and double precision. add, sub, mul, fma, div, rcp and sqrt are the correctly rounded
 * operations of IEEE 754 in the rounding mode in force; the approximations (sin, cos, lg2, ex2,
 * tanh, rsqrt) are computed in double precision from +, -, *, / and sqrt alone, so that their bits
 * are the same on every host, and rounded once; they are closer to the exact value than the
 * hardware's, within the bounds that the PTX ISA states. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "no-math-errno", "rounding-math")
#endif
#include "sim/ptx/lanes.h"

#include <math.h>
#include <string.h>

static inline uint32_t bits32(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}
static inline float float32(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}
static inline uint64_t bits64(double f)
{
    uint64_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}
static inline double float64(uint64_t u)
{
    double f;
    memcpy(&f, &u, sizeof f);
    return f;
}

#define NAN32 0x7fffffffu
#define NAN64 0x7ff8000000000000u

static inline uint32_t canon32(float f)
{
    return f == f ? bits32(f) : NAN32;
}
static inline uint64_t canon64(double f)
{
    return f == f ? bits64(f) : NAN64;
}

#define F32(NAME, ...)                                                                             \
    static void NAME##_f32(void *d_, const void *a_, const void *b_, const void *c_,               \
                           const void *e_)                                                         \
    {                                                                                              \
        lane_u32 *d = d_;                                                                          \
        const lane_f32 *a = a_, *b = b_, *c = c_;                                                  \
        (void)b, (void)c, (void)e_;                                                                \
        LANES d[i] = canon32(__VA_ARGS__);                                                         \
    }
#define F64(NAME, ...)                                                                             \
    static void NAME##_f64(void *d_, const void *a_, const void *b_, const void *c_,               \
                           const void *e_)                                                         \
    {                                                                                              \
        lane_u64 *d = d_;                                                                          \
        const lane_f64 *a = a_, *b = b_, *c = c_;                                                  \
        (void)b, (void)c, (void)e_;                                                                \
        LANES d[i] = canon64(__VA_ARGS__);                                                         \
    }

F32(add, a[i] + b[i])
F32(sub, a[i] - b[i])
F32(mul, a[i] * b[i])
F32(div, a[i] / b[i])
F32(rcp, 1.0f / a[i])
F32(sqrt, sqrtf(a[i]))
F64(add, a[i] + b[i])
F64(sub, a[i] - b[i])
F64(mul, a[i] * b[i])
F64(div, a[i] / b[i])
F64(rcp, 1.0 / a[i])
F64(sqrt, sqrt(a[i]))

/* fma in hardware where there is one: the same bits as the library's, many times faster */
#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_FAST_FMA 1
#define FAST __attribute__((target("avx2,fma")))
FAST static void fma_f32_fast(void *d_, const void *a_, const void *b_, const void *c_)
{
    lane_u32 *d = d_;
    const lane_f32 *a = a_, *b = b_, *c = c_;
    LANES
    {
        float r = __builtin_fmaf(a[i], b[i], c[i]);
        d[i] = r == r ? bits32(r) : NAN32;
    }
}
FAST static void fma_f64_fast(void *d_, const void *a_, const void *b_, const void *c_)
{
    lane_u64 *d = d_;
    const lane_f64 *a = a_, *b = b_, *c = c_;
    LANES
    {
        double r = __builtin_fma(a[i], b[i], c[i]);
        d[i] = r == r ? bits64(r) : NAN64;
    }
}
static inline bool cpu_has_fma(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#else
#define HAS_FAST_FMA 0
#endif

static void fma_f32(void *d_, const void *a_, const void *b_, const void *c_, const void *e_)
{
    lane_u32 *d = d_;
    const lane_f32 *a = a_, *b = b_, *c = c_;
    (void)e_;
#if HAS_FAST_FMA
    if (cpu_has_fma()) {
        fma_f32_fast(d_, a_, b_, c_);
        return;
    }
#endif
    for (int i = 0; i < PTX_LANES; i++)
        d[i] = canon32(fmaf(a[i], b[i], c[i]));
}

static void fma_f64(void *d_, const void *a_, const void *b_, const void *c_, const void *e_)
{
    lane_u64 *d = d_;
    const lane_f64 *a = a_, *b = b_, *c = c_;
    (void)e_;
#if HAS_FAST_FMA
    if (cpu_has_fma()) {
        fma_f64_fast(d_, a_, b_, c_);
        return;
    }
#endif
    for (int i = 0; i < PTX_LANES; i++)
        d[i] = canon64(fma(a[i], b[i], c[i]));
}

ALU(abs_f32, lane_u32, lane_u32, d[i] = a[i] & 0x7fffffff;)
ALU(neg_f32, lane_u32, lane_u32, d[i] = a[i] ^ 0x80000000;)
ALU(abs_f64, lane_u64, lane_u64, d[i] = a[i] & 0x7fffffffffffffff;)
ALU(neg_f64, lane_u64, lane_u64, d[i] = a[i] ^ 0x8000000000000000;)
/* copysign a, b: the sign of a on the value of b */
ALU(copysign_f32, lane_u32, lane_u32, d[i] = (a[i] & 0x80000000) | (b[i] & 0x7fffffff);)
ALU(copysign_f64, lane_u64, lane_u64,
    d[i] = (a[i] & 0x8000000000000000) | (b[i] & 0x7fffffffffffffff);)

/* A NaN loses against a number; -0 is less than +0. */
static inline float min32(float x, float y)
{
    float m = x < y ? x : y;
    m = x == y ? float32(bits32(x) | bits32(y)) : m;
    m = x != x ? y : m;
    return y != y ? x : m;
}
static inline float max32(float x, float y)
{
    float m = x > y ? x : y;
    m = x == y ? float32(bits32(x) & bits32(y)) : m;
    m = x != x ? y : m;
    return y != y ? x : m;
}
static inline double min64(double x, double y)
{
    double m = x < y ? x : y;
    m = x == y ? float64(bits64(x) | bits64(y)) : m;
    m = x != x ? y : m;
    return y != y ? x : m;
}
static inline double max64(double x, double y)
{
    double m = x > y ? x : y;
    m = x == y ? float64(bits64(x) & bits64(y)) : m;
    m = x != x ? y : m;
    return y != y ? x : m;
}
F32(min, min32(a[i], b[i]))
F32(max, max32(a[i], b[i]))
F64(min, min64(a[i], b[i]))
F64(max, max64(a[i], b[i]))
F32(min_nan, a[i] != a[i] || b[i] != b[i] ? float32(NAN32) : min32(a[i], b[i]))
F32(max_nan, a[i] != a[i] || b[i] != b[i] ? float32(NAN32) : max32(a[i], b[i]))

/* ---- approximations ----------------------------------------------------------------------------
 * Taylor and
 * Chebyshev-like series in double precision, accurate to better than 1e-9 relative, so that the
 * rounding to single precision is right in all but a few cases in a million. */

/* 2^x for finite x, |x| <= 1100: 2^n * e^(f ln 2), f in [-1/2, 1/2]. */
static inline double exp2_series(double x)
{
    double shifted = x + 0x1.8p52, n = shifted - 0x1.8p52, f = (x - n) * 0x1.62e42fefa39efp-1;
    double p =
        1 + f * (1 + f * (0x1p-1 + f * (0x1.5555555555555p-3 +
                                        f * (0x1.5555555555555p-5 +
                                             f * (0x1.1111111111111p-7 +
                                                  f * (0x1.6c16c16c16c17p-10 +
                                                       f * (0x1.a01a01a01a01ap-13 +
                                                            f * (0x1.a01a01a01a01ap-16 +
                                                                 f * 0x1.71de3a556c734p-19))))))));
    return p * float64((bits64(shifted) + 1023) << 52);
}

static inline float ex2_of(float x)
{
    double v = (double)x;
    v = v > 200 ? 200 : v;
    v = v < -200 ? -200 : v;
    float r = (float)exp2_series(v);
    return x == x ? r : float32(NAN32);
}

/* log2 of a positive normal double: m in [sqrt(1/2), sqrt(2)), 2 atanh((m-1)/(m+1)) / ln 2. */
static inline double log2_series(double x)
{
    uint64_t u = bits64(x) - 0x3fe6a09e667f3bcd;
    double e = (double)(int32_t)((int64_t)u >> 52);
    double m = float64((u & 0x000fffffffffffff) + 0x3fe6a09e667f3bcd);
    double s = (m - 1) / (m + 1), q = s * s;
    double p =
        1 +
        q * (1.0 / 3 +
             q * (1.0 / 5 + q * (1.0 / 7 + q * (1.0 / 9 + q * (1.0 / 11 +
                                                               q * (1.0 / 13 + q * (1.0 / 15)))))));
    return e + 2 * s * p * 0x1.71547652b82fep+0;
}

static inline float lg2_of(float x)
{
    float safe = x > 0 && x < INFINITY ? x : 1.0f;
    float r = (float)log2_series((double)safe);
    r = x == 0 ? -INFINITY : r;
    r = x == INFINITY ? INFINITY : r;
    return x >= 0 ? r : float32(NAN32);
}

/* sine and cosine: x = k pi/2 + r, |r| <= pi/4, pi/2 in two parts. */
static inline double sine_of(double x, double quarter_turns)
{
    double shifted = x * 0x1.45f306dc9c883p-1 + 0x1.8p52, k = shifted - 0x1.8p52;
    double r = (x - k * 0x1.921fb54400000p+0) - k * 0x1.0b4611a626331p-34;
    double q = r * r;
    double s =
        r *
        (1 + q * (-1.0 / 6 + q * (1.0 / 120 +
                                  q * (-1.0 / 5040 + q * (1.0 / 362880 + q * (-1.0 / 39916800))))));
    double c =
        1 + q * (-0.5 + q * (1.0 / 24 +
                             q * (-1.0 / 720 + q * (1.0 / 40320 + q * (-1.0 / 3628800 +
                                                                       q * (1.0 / 479001600))))));
    uint64_t turn = (bits64(shifted) + (uint64_t)(int64_t)quarter_turns) & 3;
    double v = turn & 1 ? c : s;
    return turn & 2 ? -v : v;
}

static inline float sin_of(float x)
{
    float ax = fabsf(x);
    float r = (float)sine_of(ax < 0x1p48f ? (double)x : 0.0, 0);
    r = x == 0 ? x : r;
    return ax < INFINITY ? r : float32(NAN32);
}
static inline float cos_of(float x)
{
    float ax = fabsf(x);
    float r = (float)sine_of(ax < 0x1p48f ? (double)x : 0.0, 1);
    return ax < INFINITY ? r : float32(NAN32);
}
static inline float tanh_of(float x)
{
    double v = fabs((double)x);
    v = v > 40 ? 40 : v;
    double t = exp2_series(v * 0x1.71547652b82fep+1); /* e^(2v) */
    float r = (float)(v < 1e-3 ? v * (1 - v * v / 3) : 1 - 2 / (t + 1));
    r = float32(bits32(r) | (bits32(x) & 0x80000000));
    return x == x ? r : float32(NAN32);
}

F32(ex2, ex2_of(a[i]))
F32(lg2, lg2_of(a[i]))
F32(sin, sin_of(a[i]))
F32(cos, cos_of(a[i]))
F32(tanh, tanh_of(a[i]))
F32(rsqrt, (float)(1.0 / sqrt((double)a[i])))
F64(rsqrt, 1.0 / sqrt(a[i]))
/* rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 give the upper 32 bits only */
static inline double upper(double v)
{
    return float64(bits64(v) & 0xffffffff00000000);
}
F64(rcp_gross, upper(1.0 / a[i]))
F64(rsqrt_gross, upper(1.0 / sqrt(a[i])))

void ptx_alu_flush(void *d_, const void *a_)
{
    lane_u32 *d = d_;
    const lane_u32 *a = a_;
    LANES d[i] = (a[i] & 0x7f800000) == 0 ? a[i] & 0x80000000 : a[i];
}

void ptx_alu_saturate(void *d_, const void *a_)
{
    lane_f32 *d = d_;
    const lane_f32 *a = a_;
    LANES
    {
        float v = a[i];
        v = v > 0 ? v : 0; /* NaN and -0 too */
        d[i] = v > 1 ? 1 : v;
    }
}

void ptx_alu_saturate_f64(void *d_, const void *a_)
{
    lane_f64 *d = d_;
    const lane_f64 *a = a_;
    LANES
    {
        double v = a[i];
        v = v > 0 ? v : 0;
        d[i] = v > 1 ? 1 : v;
    }
}

const struct ptx_alu_row ptx_alu_float[] = {
    {"add.f32", add_f32},
    {"sub.f32", sub_f32},
    {"mul.f32", mul_f32},
    {"fma.f32", fma_f32},
    {"div.f32", div_f32},
    {"rcp.f32", rcp_f32},
    {"sqrt.f32", sqrt_f32},
    {"rsqrt.f32", rsqrt_f32},
    {"abs.f32", abs_f32},
    {"neg.f32", neg_f32},
    {"min.f32", min_f32},
    {"max.f32", max_f32},
    {"min.NaN.f32", min_nan_f32},
    {"max.NaN.f32", max_nan_f32},
    {"copysign.f32", copysign_f32},
    {"ex2.f32", ex2_f32},
    {"lg2.f32", lg2_f32},
    {"sin.f32", sin_f32},
    {"cos.f32", cos_f32},
    {"tanh.f32", tanh_f32},
    {"add.f64", add_f64},
    {"sub.f64", sub_f64},
    {"mul.f64", mul_f64},
    {"fma.f64", fma_f64},
    {"div.f64", div_f64},
    {"rcp.f64", rcp_f64},
    {"sqrt.f64", sqrt_f64},
    {"rsqrt.f64", rsqrt_f64},
    {"rcp.gross.f64", rcp_gross_f64},
    {"rsqrt.gross.f64", rsqrt_gross_f64},
    {"abs.f64", abs_f64},
    {"neg.f64", neg_f64},
    {"min.f64", min_f64},
    {"max.f64", max_f64},
    {"copysign.f64", copysign_f64},
    {NULL, NULL},
};
