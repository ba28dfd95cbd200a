/* SPDX-License-Identifier: MIT
 *
 * Half precision, alone and in pairs. Computed in double precision, where sums, products and fused
 * products of halves are exact enough to be rounded once; .ftz is ignored, as subnormal halves are
 * numbers here. */
#include "sim/ptx/lanes.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#define NAN16 0x7fffu

double ptx_half_to_double(uint16_t h)
{
    int exponent = h >> 10 & 31, fraction = h & 1023;
    double v = exponent == 31  ? (fraction ? NAN : INFINITY)
               : exponent == 0 ? ldexp(fraction, -24)
                               : ldexp(fraction + 1024, exponent - 25);
    return h & 0x8000 ? -v : v;
}

uint16_t ptx_double_to_half(double v, int mode)
{
    uint16_t sign = signbit(v) ? 0x8000 : 0;
    bool down = sign ? mode == FE_UPWARD : mode == FE_DOWNWARD; /* towards zero */
    bool up = sign ? mode == FE_DOWNWARD : mode == FE_UPWARD;   /* away from zero */
    double m = fabs(v);

    if (v != v)
        return NAN16;
    down |= mode == FE_TOWARDZERO;
    if (isinf(v))
        return sign | 0x7c00;
    int e;
    (void)frexp(m, &e);                     /* m = f * 2^e, f in [1/2, 1) */
    int unit = e - 11 < -24 ? -24 : e - 11; /* exponent of the last place */
    if (m == 0)
        unit = -24;
    double scaled = ldexp(m, -unit), whole = floor(scaled), rest = scaled - whole;
    if (rest > 0 && (up || (!down && (rest > 0.5 || (rest == 0.5 && fmod(whole, 2) == 1)))))
        whole += 1;
    m = ldexp(whole, unit);
    if (m >= 65520 || m > 65504)
        return (uint16_t)(sign | (down ? 0x7bff : 0x7c00));
    if (m < 0x1p-14)
        return (uint16_t)(sign | (uint16_t)ldexp(m, 24));
    (void)frexp(m, &e);
    return (uint16_t)(sign | (e + 14) << 10 | ((uint16_t)ldexp(m, 11 - e) & 1023));
}

static double h2d(uint32_t h)
{
    return ptx_half_to_double((uint16_t)h);
}
static uint32_t d2h(double v)
{
    return ptx_double_to_half(v, FE_TONEAREST);
}

static double min_of(double x, double y)
{
    if (x != x || y != y)
        return x != x ? y : x;
    return x < y || (x == y && signbit(x)) ? x : y;
}
static double max_of(double x, double y)
{
    if (x != x || y != y)
        return x != x ? y : x;
    return x > y || (x == y && !signbit(x)) ? x : y;
}

#define HALF(NAME, EXPR)                                                                           \
    static uint32_t NAME##_one(double x, double y, double z)                                       \
    {                                                                                              \
        (void)y, (void)z;                                                                          \
        return d2h(EXPR);                                                                          \
    }                                                                                              \
    static void NAME##_f16(void *d_, const void *a_, const void *b_, const void *c_,               \
                           const void *e_)                                                         \
    {                                                                                              \
        lane_u32 *d = d_;                                                                          \
        const lane_u32 *a = a_, *b = b_, *c = c_;                                                  \
        (void)e_;                                                                                  \
        for (int i = 0; i < PTX_LANES; i++)                                                        \
            d[i] = NAME##_one(h2d(a[i]), h2d(b[i]), h2d(c[i]));                                    \
    }                                                                                              \
    static void NAME##_f16x2(void *d_, const void *a_, const void *b_, const void *c_,             \
                             const void *e_)                                                       \
    {                                                                                              \
        lane_u32 *d = d_;                                                                          \
        const lane_u32 *a = a_, *b = b_, *c = c_;                                                  \
        (void)e_;                                                                                  \
        for (int i = 0; i < PTX_LANES; i++) {                                                      \
            uint32_t low = NAME##_one(h2d(a[i]), h2d(b[i]), h2d(c[i]));                            \
            d[i] = low | NAME##_one(h2d(a[i] >> 16), h2d(b[i] >> 16), h2d(c[i] >> 16)) << 16;      \
        }                                                                                          \
    }

HALF(add, x + y)
HALF(sub, x - y)
HALF(mul, x *y)
HALF(fma, x *y + z)
HALF(min, min_of(x, y))
HALF(max, max_of(x, y))
HALF(ex2, exp2(x))
HALF(tanh, tanh(x))

static void neg_f16(void *d_, const void *a_, const void *b_, const void *c_, const void *e_)
{
    (void)b_, (void)c_, (void)e_;
    LANES((lane_u32 *)d_)[i] = ((const lane_u32 *)a_)[i] ^ 0x8000;
}
static void abs_f16(void *d_, const void *a_, const void *b_, const void *c_, const void *e_)
{
    (void)b_, (void)c_, (void)e_;
    LANES((lane_u32 *)d_)[i] = ((const lane_u32 *)a_)[i] & 0x7fff;
}
static void neg_f16x2(void *d_, const void *a_, const void *b_, const void *c_, const void *e_)
{
    (void)b_, (void)c_, (void)e_;
    LANES((lane_u32 *)d_)[i] = ((const lane_u32 *)a_)[i] ^ 0x80008000;
}
static void abs_f16x2(void *d_, const void *a_, const void *b_, const void *c_, const void *e_)
{
    (void)b_, (void)c_, (void)e_;
    LANES((lane_u32 *)d_)[i] = ((const lane_u32 *)a_)[i] & 0x7fff7fff;
}

static uint32_t saturated(uint32_t h)
{
    double v = h2d(h);
    return v > 1 ? 0x3c00 : v > 0 ? h & 0xffff : 0;
}

void ptx_alu_saturate_f16(void *d_, const void *a_)
{
    lane_u32 *d = d_;
    const lane_u32 *a = a_;
    for (int i = 0; i < PTX_LANES; i++)
        d[i] = saturated(a[i]) | (a[i] >> 16 ? saturated(a[i] >> 16) << 16 : 0);
}

const struct ptx_alu_row ptx_alu_half[] = {
#define BOTH(NAME) {#NAME ".f16", NAME##_f16}, {#NAME ".f16x2", NAME##_f16x2},
    BOTH(add) BOTH(sub) BOTH(mul) BOTH(fma) BOTH(min) BOTH(max) BOTH(ex2) BOTH(tanh) BOTH(neg)
        BOTH(abs){NULL, NULL},
};
