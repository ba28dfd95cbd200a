/* SPDX-License-Identifier: MIT
 *
 * f16 and bf16, alone and in pairs. Computed in double precision, where sums, products and fused
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

/* .NaN: a NaN on either side is the result */
static double min_nan(double x, double y)
{
    return x != x || y != y ? NAN : min_of(x, y);
}
static double max_nan(double x, double y)
{
    return x != x || y != y ? NAN : max_of(x, y);
}
/* .relu: what is below zero becomes zero */
static double relu(double v)
{
    return v < 0 ? 0 : v;
}

/* bf16 is the upper half of an f32. */
double ptx_brain_to_double(uint16_t b)
{
    uint32_t u = (uint32_t)b << 16;
    float f;
    memcpy(&f, &u, sizeof f);
    return (double)f;
}

/* Rounded once: to a float with the last bit set where something is lost, which has more than twice
 * the digits (Boldo and Melquiond 2008, round to odd), then to the nearest, ties to even. */
uint16_t ptx_double_to_brain(double v)
{
    if (v != v)
        return NAN16;
    float f = (float)v;
    uint32_t u;
    if ((double)f != v && !isinf(f) && fabs((double)f) > fabs(v))
        f = nextafterf(f, 0);
    memcpy(&u, &f, sizeof u);
    if ((double)f != v && !isinf(f))
        u |= 1;
    if (isinf(f))
        return (uint16_t)(u >> 16);
    return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

static double b2d(uint32_t b)
{
    return ptx_brain_to_double((uint16_t)b);
}
static uint32_t d2b(double v)
{
    return ptx_double_to_brain(v);
}

/* One operation in f16 and bf16, alone and in pairs. */
#define SHORT(NAME, T, FROM, TO, EXPR)                                                             \
    static uint32_t NAME##_one_##T(double x, double y, double z)                                   \
    {                                                                                              \
        (void)y, (void)z;                                                                          \
        return TO(EXPR);                                                                           \
    }                                                                                              \
    static void NAME##_##T(void *d_, const void *a_, const void *b_, const void *c_,               \
                           const void *e_)                                                         \
    {                                                                                              \
        lane_u32 *d = d_;                                                                          \
        const lane_u32 *a = a_, *b = b_, *c = c_;                                                  \
        (void)e_;                                                                                  \
        for (int i = 0; i < PTX_LANES; i++)                                                        \
            d[i] = NAME##_one_##T(FROM(a[i]), FROM(b[i]), FROM(c[i]));                             \
    }                                                                                              \
    static void NAME##_##T##x2(void *d_, const void *a_, const void *b_, const void *c_,           \
                               const void *e_)                                                     \
    {                                                                                              \
        lane_u32 *d = d_;                                                                          \
        const lane_u32 *a = a_, *b = b_, *c = c_;                                                  \
        (void)e_;                                                                                  \
        for (int i = 0; i < PTX_LANES; i++) {                                                      \
            uint32_t low = NAME##_one_##T(FROM(a[i]), FROM(b[i]), FROM(c[i]));                     \
            d[i] = low | NAME##_one_##T(FROM(a[i] >> 16), FROM(b[i] >> 16), FROM(c[i] >> 16))      \
                             << 16;                                                                \
        }                                                                                          \
    }
#define HALF(NAME, EXPR)                                                                           \
    SHORT(NAME, f16, h2d, d2h, EXPR)                                                               \
    SHORT(NAME, bf16, b2d, d2b, EXPR)

HALF(add, x + y)
HALF(sub, x - y)
HALF(mul, x *y)
HALF(min, min_of(x, y))
HALF(max, max_of(x, y))
HALF(min_nan, min_nan(x, y))
HALF(max_nan, max_nan(x, y))
HALF(ex2, exp2(x))
HALF(tanh, tanh(x))
SHORT(fma, f16, h2d, d2h, x *y + z)
SHORT(fma_relu, f16, h2d, d2h, relu(x *y + z))
/* exponents of bf16 lie so far apart that a sum may lose digits which decide the rounding */
static double fma_odd(double x, double y, double z)
{
    double p = x * y, sum = p + z, b = sum - p, lost = (p - (sum - b)) + (z - b);
    if (sum != sum || isinf(sum) || lost == 0)
        return sum;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (!(bits & 1)) /* towards where the rest lies, to an odd last place */
        bits = (lost > 0) == (sum > 0) ? bits + 1 : bits - 1;
    memcpy(&sum, &bits, sizeof bits);
    return sum;
}
SHORT(fma, bf16, b2d, d2b, fma_odd(x, y, z))
SHORT(fma_relu, bf16, b2d, d2b, relu(fma_odd(x, y, z)))

/* set: 1.0, or all ones, where the comparison holds */
#define SET(OP, T, FROM, ONE, EXPR)                                                                \
    static uint32_t set_##OP##_one_##T(double x, double y)                                         \
    {                                                                                              \
        return EXPR;                                                                               \
    }                                                                                              \
    ALU(set_##OP##_##T, lane_u32, lane_u32,                                                        \
        d[i] = set_##OP##_one_##T(FROM(a[i]), FROM(b[i])) ? ONE : 0;)                              \
    ALU(set_##OP##_##T##x2, lane_u32, lane_u32,                                                    \
        uint32_t low = set_##OP##_one_##T(FROM(a[i]), FROM(b[i])) ? ONE : 0;                       \
        uint32_t high = set_##OP##_one_##T(FROM(a[i] >> 16), FROM(b[i] >> 16)) ? ONE : 0;          \
        d[i] = low | high << 16;)                                                                  \
    ALU(set_##OP##_u32_##T##x2, lane_u32, lane_u32,                                                \
        uint32_t low = set_##OP##_one_##T(FROM(a[i]), FROM(b[i])) ? 0xffffu : 0;                   \
        uint32_t high = set_##OP##_one_##T(FROM(a[i] >> 16), FROM(b[i] >> 16)) ? 0xffffu : 0;      \
        d[i] = low | high << 16;)
#define SETS(OP, EXPR) SET(OP, f16, h2d, 0x3c00u, EXPR) SET(OP, bf16, b2d, 0x3f80u, EXPR)
SETS(eq, x == y)
SETS(ne, x<y || x> y)
SETS(lt, x < y)
SETS(le, x <= y)
SETS(gt, x > y)
SETS(ge, x >= y)
SETS(equ, !(x < y || x > y))
SETS(neu, x != y)
SETS(ltu, !(x >= y))
SETS(leu, !(x > y))
SETS(gtu, !(x <= y))
SETS(geu, !(x < y))
SETS(num, x == x && y == y)
SETS(nan, x != x || y != y)

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

/* whole numbers of 64 bits are rounded to a double first */
#define TO_BRAIN(S, T, SLOT)                                                                       \
    static void cvt_bf16_##S(void *d_, const void *a_, const void *b_, const void *c_,             \
                             const void *e_)                                                       \
    {                                                                                              \
        (void)b_, (void)c_, (void)e_;                                                              \
        for (int i = 0; i < PTX_LANES; i++)                                                        \
            ((lane_u32 *)d_)[i] = d2b((double)(T)((const SLOT *)a_)[i]);                           \
    }
TO_BRAIN(u8, uint8_t, lane_u32)
TO_BRAIN(s8, int8_t, lane_u32) /* NOLINT(bugprone-signed-char-misuse): an s8 keeps its sign */
TO_BRAIN(u16, uint16_t, lane_u32)
TO_BRAIN(s16, int16_t, lane_u32)
TO_BRAIN(u32, uint32_t, lane_u32)
TO_BRAIN(s32, int32_t, lane_u32)
TO_BRAIN(u64, uint64_t, lane_u64)
TO_BRAIN(s64, int64_t, lane_u64)
TO_BRAIN(f64, double, lane_f64)

/* clang-format off */
const struct ptx_alu_row ptx_alu_half[] = {
#define BOTH(NAME, OF)                                                                             \
    {NAME ".f16", OF##_f16}, {NAME ".f16x2", OF##_f16x2}, {NAME ".bf16", OF##_bf16},               \
    {NAME ".bf16x2", OF##_bf16x2},
#define SIGN(NAME)                                                                                 \
    {#NAME ".f16", NAME##_f16}, {#NAME ".f16x2", NAME##_f16x2}, {#NAME ".bf16", NAME##_f16},       \
    {#NAME ".bf16x2", NAME##_f16x2},
#define ROW_SET(OP)                                                                                \
    {"set." #OP ".f16.f16", set_##OP##_f16}, {"set." #OP ".bf16.bf16", set_##OP##_bf16},           \
    {"set." #OP ".f16x2.f16x2", set_##OP##_f16x2},                                                 \
    {"set." #OP ".bf16x2.bf16x2", set_##OP##_bf16x2},                                              \
    {"set." #OP ".u32.f16x2", set_##OP##_u32_f16x2},                                               \
    {"set." #OP ".u32.bf16x2", set_##OP##_u32_bf16x2},
#define ROW_BRAIN(S) {"cvt.rn.bf16." #S, cvt_bf16_##S},
    BOTH("add", add) BOTH("sub", sub) BOTH("mul", mul) BOTH("fma", fma) BOTH("fma.relu", fma_relu)
    BOTH("min", min) BOTH("max", max) BOTH("min.NaN", min_nan) BOTH("max.NaN", max_nan)
    BOTH("ex2", ex2) BOTH("tanh", tanh) SIGN(neg) SIGN(abs)
    ROW_SET(eq) ROW_SET(ne) ROW_SET(lt) ROW_SET(le) ROW_SET(gt) ROW_SET(ge) ROW_SET(equ)
    ROW_SET(neu) ROW_SET(ltu) ROW_SET(leu) ROW_SET(gtu) ROW_SET(geu) ROW_SET(num) ROW_SET(nan)
    ROW_BRAIN(u8) ROW_BRAIN(s8) ROW_BRAIN(u16) ROW_BRAIN(s16) ROW_BRAIN(u32) ROW_BRAIN(s32)
    ROW_BRAIN(u64) ROW_BRAIN(s64) ROW_BRAIN(f64)
    {NULL, NULL},
};
/* clang-format on */
