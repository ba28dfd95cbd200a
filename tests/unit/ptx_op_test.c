/* SPDX-License-Identifier: MIT
 *
 * Every instruction against C arithmetic, on edge values: zero, one, the largest and smallest
 * integers, shifts beyond the width, subnormals, infinities, NaN, halfway cases. A case is one
 * line: name, PTX, widths of d, a, b, c in bits ("p": predicate), set of values, expected bits. */
#include "tests/unit/test.h"

#include <fenv.h>
#include <limits.h>

#include "base/buf.h"
#include "sim/ptx/interpreter.h"

typedef uint64_t u64;

static float f_of(u64 v)
{
    uint32_t u = (uint32_t)v;
    float f;
    memcpy(&f, &u, 4);
    return f;
}
static double d_of(u64 v)
{
    double f;
    memcpy(&f, &v, 8);
    return f;
}
static u64 f_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return f != f ? 0x7fffffff : u;
}
static u64 d_bits(double f)
{
    u64 u;
    memcpy(&u, &f, 8);
    return f != f ? 0x7ff8000000000000 : u;
}
static float flush(float f)
{
    return fabsf(f) < 0x1p-126f ? copysignf(0, f) : f;
}
static float saturate(float f)
{
    return f != f ? 0 : f <= 0 ? 0 : f > 1 ? 1 : f;
}

/* One operation in a rounding mode; volatile keeps the compiler from doing it earlier. */
static float rounded(int mode, char op, float x, float y, float z)
{
    volatile float a = x, b = y, c = z, r = 0;
    fesetround(mode);
    switch (op) {
    case '+': r = a + b; break;
    case '-': r = a - b; break;
    case '*': r = a * b; break;
    case '/': r = a / b; break;
    case 'f': r = fmaf(a, b, c); break;
    case 's': r = sqrtf(a); break;
    case 'd': r = (float)(double)a; break;
    }
    fesetround(FE_TONEAREST);
    return r;
}
static double rounded64(int mode, char op, double x, double y, double z)
{
    volatile double a = x, b = y, c = z, r = 0;
    fesetround(mode);
    switch (op) {
    case '+': r = a + b; break;
    case '-': r = a - b; break;
    case '*': r = a * b; break;
    case '/': r = a / b; break;
    case 'f': r = fma(a, b, c); break;
    case 's': r = sqrt(a); break;
    }
    fesetround(FE_TONEAREST);
    return r;
}
static float narrow(int mode, double x)
{
    volatile double a = x;
    fesetround(mode);
    volatile float r = (float)a;
    fesetround(FE_TONEAREST);
    return r;
}
static float int_to_float(int mode, bool is_signed, u64 v)
{
    volatile u64 a = v;
    volatile float r;
    fesetround(mode);
    if (is_signed)
        r = (float)(int64_t)a;
    else
        r = (float)a;
    fesetround(FE_TONEAREST);
    return r;
}

static float min_of(float a, float b)
{
    if (a != a || b != b)
        return a != a ? b : a;
    return a < b || (a == b && signbit(a)) ? a : b;
}
static float max_of(float a, float b)
{
    if (a != a || b != b)
        return a != a ? b : a;
    return a > b || (a == b && !signbit(a)) ? a : b;
}

static int64_t clamp(__int128 v, int64_t lo, int64_t hi)
{
    return v < lo ? lo : v > hi ? hi : (int64_t)v;
}
static u64 to_int(double v, double lo, double hi, bool is_unsigned)
{
    if (v != v)
        return 0;
    if (v <= lo)
        return is_unsigned ? 0 : (u64)(int64_t)lo;
    if (v >= hi)
        return is_unsigned ? (hi > 1e19 ? UINT64_MAX : (u64)hi)
                           : (hi > 9e18 ? (u64)INT64_MAX : (u64)(int64_t)hi);
    return is_unsigned ? (u64)v : (u64)(int64_t)v;
}

static u64 bfe(u64 a, u64 b, u64 c, int msb, bool is_signed)
{
    unsigned pos = b & 255, len = c & 255;
    unsigned top = pos + len - 1 < (unsigned)msb ? pos + len - 1 : (unsigned)msb;
    u64 sign = is_signed && len ? a >> top & 1 : 0, d = 0;
    for (unsigned i = 0; i <= (unsigned)msb; i++)
        d |= (i < len && pos + i <= (unsigned)msb ? a >> (pos + i) & 1 : sign) << i;
    return d;
}
static u64 bfi(u64 a, u64 b, u64 pos, u64 len, unsigned msb)
{
    u64 f = b;
    pos &= 255, len &= 255;
    for (u64 i = 0; i < len && pos + i <= msb; i++)
        f = (f & ~((u64)1 << (pos + i))) | (a >> i & 1) << (pos + i);
    return f;
}
static u64 prmt(u64 a, u64 b, u64 c)
{
    u64 both = (b & 0xffffffff) << 32 | (a & 0xffffffff), d = 0;
    for (int i = 0; i < 4; i++) {
        unsigned sel = c >> (4 * i) & 15;
        u64 byte = both >> (8 * (sel & 7)) & 255;
        d |= (sel & 8 ? (byte & 128 ? 255u : 0u) : byte) << (8 * i);
    }
    return d;
}
static u64 lop3(u64 a, u64 b, u64 c, unsigned lut)
{
    u64 d = 0;
    for (int i = 0; i < 32; i++)
        d |= (u64)(lut >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
    return d;
}
static u64 dp4a(u64 a, u64 b, u64 c)
{
    int32_t s = 0;
    for (int i = 0; i < 4; i++)
        s += (int8_t)(a >> (8 * i)) * (int8_t)(b >> (8 * i));
    return (uint32_t)c + (uint32_t)s;
}
static u64 find_top(u64 v)
{
    return v ? 63u - (u64)__builtin_clzll(v) : UINT32_MAX;
}
static u64 reverse(u64 v, int bits)
{
    u64 r = 0;
    for (int i = 0; i < bits; i++)
        r |= (v >> i & 1) << (bits - 1 - i);
    return r;
}

static u64 brain_of(u64 v) /* the nearest bf16, ties to even */
{
    uint32_t u = (uint32_t)v, rest = u & 0xffff, top = u >> 16;
    if (f_of(v) != f_of(v))
        return 0x7fff;
    return top + (rest > 0x8000 || (rest == 0x8000 && (top & 1)) ? 1u : 0u);
}
static u64 brain_cut(u64 v)
{
    return f_of(v) != f_of(v) ? 0x7fff : (v & 0xffffffff) >> 16;
}
/* cut off to a single, whose last bit remembers that something was: then rounded once */
static u64 brain_of_double(double v)
{
    float f = narrow(FE_TOWARDZERO, v);
    if (v != v)
        return 0x7fff;
    return brain_of(f_bits(f) | ((double)f != v));
}
static double half_min(double x, double y)
{
    if (x != x || y != y)
        return x != x ? y : x;
    return x < y || (x == y && signbit(x)) ? x : y;
}
static u64 half_one(double v) /* clamped to 0..1, NaN to 0 */
{
    return ptx_double_to_half(v > 1 ? 1 : v > 0 ? v : 0, FE_TONEAREST);
}
static int64_t s24(u64 v)
{
    return (int32_t)((uint32_t)v << 8) >> 8;
}
static u64 clamp8(int32_t v)
{
    return (u64)(v < -128 ? -128 : v > 127 ? 127 : v);
}

static u64 dot(u64 a, u64 b, u64 c, bool a_signed, bool b_signed)
{
    int64_t s = (int64_t)(c & 0xffffffff);
    for (int i = 0; i < 4; i++) {
        uint8_t x = (uint8_t)(a >> (8 * i)), y = (uint8_t)(b >> (8 * i));
        s += (a_signed ? (int8_t)x : (int)x) * (b_signed ? (int8_t)y : (int)y);
    }
    return (u64)s;
}

#define U(x) ((uint32_t)(x))
#define S(x) ((int32_t)(x))
#define H(x) ((uint16_t)(x))
#define SH(x) ((int16_t)(x))
#define L(x) ((int64_t)(x))
#define F(x) f_of(x)
#define D(x) d_of(x)
#define Q(x) ptx_half_to_double((uint16_t)(x))
#define FB(x) f_bits(x)
#define DB(x) d_bits(x)
#define QB(x) ptx_double_to_half(x, FE_TONEAREST)
#define B(x) ((double)f_of((u64)((uint16_t)(x)) << 16))
#define HI128(x) ((u64)((x) >> 64))

/* conversions between all kinds, and what is packed */
#define CONVERSIONS(X)                                                                             \
    X(copysign_f64, "copysign.f64 %d, %a, %b;", 64, 64, 64, 0, F64,                                \
      (a & (u64)1 << 63) | (b & ~((u64)1 << 63)))                                                  \
    X(max_nan_f32, "max.NaN.f32 %d, %a, %b;", 32, 32, 32, 0, F32,                                  \
      F(a) != F(a) || F(b) != F(b) ? 0x7fffffff : FB(max_of(F(a), F(b))))                          \
    X(min_nan_f32, "min.NaN.f32 %d, %a, %b;", 32, 32, 32, 0, F32,                                  \
      F(a) != F(a) || F(b) != F(b) ? 0x7fffffff : FB(min_of(F(a), F(b))))                          \
    X(bfe_u64, "bfe.u64 %d, %a, %b, %c;", 64, 64, 32, 32, I64, bfe(a, b, c, 63, false))            \
    X(cvt_sat_f64_f32, "cvt.sat.f64.f32 %d, %a;", 64, 32, 0, 0, F32, DB((double)saturate(F(a))))   \
    X(add_sat_f16x2, "add.sat.f16x2 %d, %a, %b;", 32, 32, 32, 0, I32,                              \
      half_one(Q(QB(Q(a) + Q(b)))) | half_one(Q(QB(Q(a >> 16) + Q(b >> 16)))) << 16)               \
    X(cvt_rn_f16_f64, "cvt.rn.f16.f64 %d, %a;", 16, 64, 0, 0, F64,                                 \
      ptx_double_to_half(D(a), FE_TONEAREST))                                                      \
    X(cvt_rz_f16_f64, "cvt.rz.f16.f64 %d, %a;", 16, 64, 0, 0, F64,                                 \
      ptx_double_to_half(D(a), FE_TOWARDZERO))                                                     \
    X(cvt_rm_f16_f64, "cvt.rm.f16.f64 %d, %a;", 16, 64, 0, 0, F64,                                 \
      ptx_double_to_half(D(a), FE_DOWNWARD))                                                       \
    X(cvt_rp_f16_f64, "cvt.rp.f16.f64 %d, %a;", 16, 64, 0, 0, F64,                                 \
      ptx_double_to_half(D(a), FE_UPWARD))                                                         \
    X(cvt_rn_f16x2, "cvt.rn.f16x2.f32 %d, %a, %b;", 32, 32, 32, 0, F32,                            \
      ptx_double_to_half((double)F(b), FE_TONEAREST) |                                             \
          (u64)ptx_double_to_half((double)F(a), FE_TONEAREST) << 16)                               \
    X(cvt_rz_f16x2, "cvt.rz.f16x2.f32 %d, %a, %b;", 32, 32, 32, 0, F32,                            \
      ptx_double_to_half((double)F(b), FE_TOWARDZERO) |                                            \
          (u64)ptx_double_to_half((double)F(a), FE_TOWARDZERO) << 16)                              \
    X(cvt_rz_bf16x2, "cvt.rz.bf16x2.f32 %d, %a, %b;", 32, 32, 32, 0, F32,                          \
      brain_cut(b) | brain_cut(a) << 16)                                                           \
    X(cvt_bf16_u8, "cvt.rn.bf16.u8 %d, %a;", 16, 16, 0, 0, I16,                                    \
      brain_of_double((double)(uint8_t)a))                                                         \
    X(cvt_bf16_s8, "cvt.rn.bf16.s8 %d, %a;", 16, 16, 0, 0, I16,                                    \
      brain_of_double((double)(int8_t)a))                                                          \
    X(cvt_bf16_u16, "cvt.rn.bf16.u16 %d, %a;", 16, 16, 0, 0, I16, brain_of_double((double)H(a)))   \
    X(cvt_bf16_s16, "cvt.rn.bf16.s16 %d, %a;", 16, 16, 0, 0, I16, brain_of_double((double)SH(a)))  \
    X(cvt_bf16_u32, "cvt.rn.bf16.u32 %d, %a;", 16, 32, 0, 0, I32, brain_of_double((double)U(a)))   \
    X(cvt_bf16_s32, "cvt.rn.bf16.s32 %d, %a;", 16, 32, 0, 0, I32, brain_of_double((double)S(a)))   \
    X(cvt_bf16_u64, "cvt.rn.bf16.u64 %d, %a;", 16, 64, 0, 0, I64, brain_of_double((double)a))      \
    X(cvt_bf16_s64, "cvt.rn.bf16.s64 %d, %a;", 16, 64, 0, 0, I64, brain_of_double((double)L(a)))   \
    X(cvt_bf16_f64, "cvt.rn.bf16.f64 %d, %a;", 16, 64, 0, 0, F64, brain_of_double(D(a)))           \
    X(pack_u8, "cvt.pack.sat.u8.s32.b32 %d, %a, %b, %c;", 32, 32, 32, 32, I32,                     \
      ((u64)clamp(S(a), 0, 255) & 0xff) << 8 | ((u64)clamp(S(b), 0, 255) & 0xff) |                 \
          (c & 0xffff) << 16)                                                                      \
    X(pack_s16, "cvt.pack.sat.s16.s32 %d, %a, %b;", 32, 32, 32, 0, I32,                            \
      ((u64)clamp(S(a), -32768, 32767) & 0xffff) << 16 |                                           \
          ((u64)clamp(S(b), -32768, 32767) & 0xffff))

/* halves, whole numbers of other widths, moves of parts */
#define MORE_CASES(X)                                                                              \
    X(sub_f16, "sub.f16 %d, %a, %b;", 16, 16, 16, 0, F16, QB(Q(a) - Q(b)))                         \
    X(min_f16, "min.f16 %d, %a, %b;", 16, 16, 16, 0, F16, QB(half_min(Q(a), Q(b))))                \
    X(max_f16, "max.f16 %d, %a, %b;", 16, 16, 16, 0, F16, QB(-half_min(-Q(a), -Q(b))))             \
    X(min_nan_f16, "min.NaN.f16 %d, %a, %b;", 16, 16, 16, 0, F16,                                  \
      QB(Q(a) != Q(a)   ? Q(a)                                                                     \
         : Q(b) != Q(b) ? Q(b)                                                                     \
                        : half_min(Q(a), Q(b))))                                                   \
    X(max_nan_f16, "max.NaN.f16 %d, %a, %b;", 16, 16, 16, 0, F16,                                  \
      QB(Q(a) != Q(a)   ? Q(a)                                                                     \
         : Q(b) != Q(b) ? Q(b)                                                                     \
                        : -half_min(-Q(a), -Q(b))))                                                \
    X(ex2_f16, "ex2.approx.f16 %d, %a;", 16, 16, 0, 0, F16, QB(exp2(Q(a))))                        \
    X(tanh_f16, "tanh.approx.f16 %d, %a;", 16, 16, 0, 0, F16, QB(tanh(Q(a))))                      \
    X(neg_f16, "neg.f16 %d, %a;", 16, 16, 0, 0, F16, a ^ 0x8000)                                   \
    X(abs_f16, "abs.f16 %d, %a;", 16, 16, 0, 0, F16, a & 0x7fff)                                   \
    X(neg_f16x2, "neg.f16x2 %d, %a;", 32, 32, 0, 0, I32, a ^ 0x80008000)                           \
    X(abs_f16x2, "abs.f16x2 %d, %a;", 32, 32, 0, 0, I32, a & 0x7fff7fff)                           \
    X(add_sat_f16, "add.sat.f16 %d, %a, %b;", 16, 16, 16, 0, F16, half_one(Q(QB(Q(a) + Q(b)))))    \
    X(fma_relu_f16, "fma.rn.relu.f16 %d, %a, %b, %c;", 16, 16, 16, 16, F16,                        \
      QB(Q(a) * Q(b) + Q(c) < 0 ? 0 : Q(a) * Q(b) + Q(c)))                                         \
    X(set_eq_f16, "set.eq.f16.f16 %d, %a, %b;", 16, 16, 16, 0, F16, (Q(a) == Q(b)) ? 0x3c00 : 0)   \
    X(set_ne_f16, "set.ne.f16.f16 %d, %a, %b;", 16, 16, 16, 0, F16,                                \
      (Q(a) < Q(b) || Q(a) > Q(b)) ? 0x3c00 : 0)                                                   \
    X(set_lt_f16, "set.lt.f16.f16 %d, %a, %b;", 16, 16, 16, 0, F16, (Q(a) < Q(b)) ? 0x3c00 : 0)    \
    X(set_le_f16, "set.le.f16.f16 %d, %a, %b;", 16, 16, 16, 0, F16, (Q(a) <= Q(b)) ? 0x3c00 : 0)   \
    X(set_gt_f16, "set.gt.f16.f16 %d, %a, %b;", 16, 16, 16, 0, F16, (Q(a) > Q(b)) ? 0x3c00 : 0)    \
    X(set_ge_f16, "set.ge.f16.f16 %d, %a, %b;", 16, 16, 16, 0, F16, (Q(a) >= Q(b)) ? 0x3c00 : 0)   \
    X(set_equ_f16, "set.equ.f16.f16 %d, %a, %b;", 16, 16, 16, 0, F16,                              \
      (!(Q(a) < Q(b) || Q(a) > Q(b))) ? 0x3c00 : 0)                                                \
    X(set_neu_f16, "set.neu.f16.f16 %d, %a, %b;", 16, 16, 16, 0, F16, (Q(a) != Q(b)) ? 0x3c00 : 0) \
    X(set_ltu_f16, "set.ltu.f16.f16 %d, %a, %b;", 16, 16, 16, 0, F16,                              \
      (!(Q(a) >= Q(b))) ? 0x3c00 : 0)                                                              \
    X(set_leu_f16, "set.leu.f16.f16 %d, %a, %b;", 16, 16, 16, 0, F16,                              \
      (!(Q(a) > Q(b))) ? 0x3c00 : 0)                                                               \
    X(set_gtu_f16, "set.gtu.f16.f16 %d, %a, %b;", 16, 16, 16, 0, F16,                              \
      (!(Q(a) <= Q(b))) ? 0x3c00 : 0)                                                              \
    X(set_geu_f16, "set.geu.f16.f16 %d, %a, %b;", 16, 16, 16, 0, F16,                              \
      (!(Q(a) < Q(b))) ? 0x3c00 : 0)                                                               \
    X(set_num_f16, "set.num.f16.f16 %d, %a, %b;", 16, 16, 16, 0, F16,                              \
      (Q(a) == Q(a) && Q(b) == Q(b)) ? 0x3c00 : 0)                                                 \
    X(set_nan_f16, "set.nan.f16.f16 %d, %a, %b;", 16, 16, 16, 0, F16,                              \
      (Q(a) != Q(a) || Q(b) != Q(b)) ? 0x3c00 : 0)                                                 \
    X(set_lt_u32_f16x2, "set.lt.u32.f16x2 %d, %a, %b;", 32, 32, 32, 0, I32,                        \
      ((Q(a) < Q(b)) ? 0xffffu : 0) | ((Q(a >> 16) < Q(b >> 16)) ? 0xffff0000u : 0))               \
    X(set_lt_bf16x2, "set.lt.bf16x2.bf16x2 %d, %a, %b;", 32, 32, 32, 0, I32,                       \
      ((B(a) < B(b)) ? 0x3f80u : 0) | ((B(a >> 16) < B(b >> 16)) ? 0x3f800000u : 0))               \
    X(set_neu_u32_f16x2, "set.neu.u32.f16x2 %d, %a, %b;", 32, 32, 32, 0, I32,                      \
      ((Q(a) != Q(b)) ? 0xffffu : 0) | ((Q(a >> 16) != Q(b >> 16)) ? 0xffff0000u : 0))             \
    X(set_neu_bf16x2, "set.neu.bf16x2.bf16x2 %d, %a, %b;", 32, 32, 32, 0, I32,                     \
      ((B(a) != B(b)) ? 0x3f80u : 0) | ((B(a >> 16) != B(b >> 16)) ? 0x3f800000u : 0))             \
    X(set_num_u32_f16x2, "set.num.u32.f16x2 %d, %a, %b;", 32, 32, 32, 0, I32,                      \
      ((Q(a) == Q(a) && Q(b) == Q(b)) ? 0xffffu : 0) |                                             \
          ((Q(a >> 16) == Q(a >> 16) && Q(b >> 16) == Q(b >> 16)) ? 0xffff0000u : 0))              \
    X(set_num_bf16x2, "set.num.bf16x2.bf16x2 %d, %a, %b;", 32, 32, 32, 0, I32,                     \
      ((B(a) == B(a) && B(b) == B(b)) ? 0x3f80u : 0) |                                             \
          ((B(a >> 16) == B(a >> 16) && B(b >> 16) == B(b >> 16)) ? 0x3f800000u : 0))              \
    X(setp_lt_bf16, "setp.lt.bf16 %p, %a, %b;", 1, 16, 16, 0, I16, B(a) < B(b))                    \
    X(setp_geu_bf16, "setp.geu.bf16 %p, %a, %b;", 1, 16, 16, 0, I16, !(B(a) < B(b)))               \
    X(setp_nan_bf16, "setp.nan.bf16 %p, %a, %b;", 1, 16, 16, 0, I16, B(a) != B(a) || B(b) != B(b)) \
    X(cvt_f64_f16, "cvt.f64.f16 %d, %a;", 64, 16, 0, 0, F16, DB(Q(a)))                             \
    X(cvt_rz_f16, "cvt.rz.f16.f32 %d, %a;", 16, 32, 0, 0, F32,                                     \
      ptx_double_to_half((double)F(a), FE_TOWARDZERO))                                             \
    X(cvt_rm_f16, "cvt.rm.f16.f32 %d, %a;", 16, 32, 0, 0, F32,                                     \
      ptx_double_to_half((double)F(a), FE_DOWNWARD))                                               \
    X(cvt_rp_f16, "cvt.rp.f16.f32 %d, %a;", 16, 32, 0, 0, F32,                                     \
      ptx_double_to_half((double)F(a), FE_UPWARD))                                                 \
    X(cvt_rn_bf16, "cvt.rn.bf16.f32 %d, %a;", 16, 32, 0, 0, F32, brain_of(a))                      \
    X(cvt_rz_bf16, "cvt.rz.bf16.f32 %d, %a;", 16, 32, 0, 0, F32,                                   \
      F(a) != F(a) ? 0x7fff : U(a) >> 16)                                                          \
    X(cvt_rn_bf16x2, "cvt.rn.bf16x2.f32 %d, %a, %b;", 32, 32, 32, 0, F32,                          \
      brain_of(b) | brain_of(a) << 16)                                                             \
    X(cvt_f32_bf16, "cvt.f32.bf16 %d, %a;", 32, 16, 0, 0, I16, (u64)H(a) << 16)                    \
    X(cvt_rzi_s32_bf16, "cvt.rzi.s32.bf16 %d, %a;", 32, 16, 0, 0, I16,                             \
      U(to_int(trunc(B(a)), INT_MIN, INT_MAX, false)))                                             \
    X(cvt_f64_bf16, "cvt.f64.bf16 %d, %a;", 64, 16, 0, 0, I16, DB(B(a)))                           \
    X(cvt_wide_source, "cvt.s64.s16 %d, %a;", 64, 64, 0, 0, I64, (u64)L(SH(a)))                    \
    X(cvt_rna_tf32, "cvt.rna.tf32.f32 %d, %a;", 32, 32, 0, 0, F32,                                 \
      F(a) - F(a) != 0 ? U(a) : (U(a) + 0x1000u) & 0xffffe000u)                                    \
    X(cvt_rzi_s32_f16, "cvt.rzi.s32.f16 %d, %a;", 32, 16, 0, 0, F16,                               \
      U(to_int(trunc(Q(a)), INT_MIN, INT_MAX, false)))                                             \
    X(cvt_rpi_f32, "cvt.rpi.f32.f32 %d, %a;", 32, 32, 0, 0, F32, FB(ceilf(F(a))))                  \
    X(mad_hi_u16, "mad.hi.u16 %d, %a, %b, %c;", 16, 16, 16, 16, I16,                               \
      H(((U(H(a)) * H(b)) >> 16) + H(c)))                                                          \
    X(mad_hi_s16, "mad.hi.s16 %d, %a, %b, %c;", 16, 16, 16, 16, I16,                               \
      H(((SH(a) * SH(b)) >> 16) + SH(c)))                                                          \
    X(mad_hi_s32, "mad.hi.s32 %d, %a, %b, %c;", 32, 32, 32, 32, I32,                               \
      U((L(S(a)) * S(b)) >> 32) + U(c))                                                            \
    X(mad_hi_u64, "mad.hi.u64 %d, %a, %b, %c;", 64, 64, 64, 64, I64,                               \
      HI128((unsigned __int128)a *b) + c)                                                          \
    X(mad_hi_s64, "mad.hi.s64 %d, %a, %b, %c;", 64, 64, 64, 64, I64,                               \
      HI128((__int128)L(a) * L(b)) + c)                                                            \
    X(mad_wide_u16, "mad.wide.u16 %d, %a, %b, %c;", 32, 16, 16, 32, I16, U(H(a)) * H(b) + U(c))    \
    X(mad_wide_s16, "mad.wide.s16 %d, %a, %b, %c;", 32, 16, 16, 32, I16, U(SH(a) * SH(b)) + U(c))  \
    X(mad_wide_u32, "mad.wide.u32 %d, %a, %b, %c;", 64, 32, 32, 64, I32, (u64)U(a) * U(b) + c)     \
    X(mul24_lo_u, "mul24.lo.u32 %d, %a, %b;", 32, 32, 32, 0, I32,                                  \
      U((a & 0xffffff) * (b & 0xffffff)))                                                          \
    X(mul24_hi_s, "mul24.hi.s32 %d, %a, %b;", 32, 32, 32, 0, I32, U(s24(a) * s24(b) >> 16))        \
    X(mad24_lo_u, "mad24.lo.u32 %d, %a, %b, %c;", 32, 32, 32, 32, I32,                             \
      U((a & 0xffffff) * (b & 0xffffff)) + U(c))                                                   \
    X(mad24_lo_s, "mad24.lo.s32 %d, %a, %b, %c;", 32, 32, 32, 32, I32, U(s24(a) * s24(b)) + U(c))  \
    X(mad24_hi_u, "mad24.hi.u32 %d, %a, %b, %c;", 32, 32, 32, 32, I32,                             \
      U(((a & 0xffffff) * (b & 0xffffff)) >> 16) + U(c))                                           \
    X(mad24_hi_s, "mad24.hi.s32 %d, %a, %b, %c;", 32, 32, 32, 32, I32,                             \
      U(s24(a) * s24(b) >> 16) + U(c))                                                             \
    X(shf_r_wrap, "shf.r.wrap.b32 %d, %a, %b, %c;", 32, 32, 32, 32, I32,                           \
      U(((u64)U(b) << 32 | U(a)) >> (c & 31)))                                                     \
    X(shf_l_clamp, "shf.l.clamp.b32 %d, %a, %b, %c;", 32, 32, 32, 32, I32,                         \
      U(c) >= 32 ? U(a) : U(((u64)U(b) << 32 | U(a)) << U(c) >> 32))                               \
    X(bfind_u64, "bfind.u64 %d, %a;", 32, 64, 0, 0, I64, find_top(a))                              \
    X(bfind_amt_u64, "bfind.shiftamt.u64 %d, %a;", 32, 64, 0, 0, I64,                              \
      a ? 63 - find_top(a) : UINT32_MAX)                                                           \
    X(bfind_amt_s32, "bfind.shiftamt.s32 %d, %a;", 32, 32, 0, 0, I32,                              \
      U(a) == 0 || U(a) == UINT32_MAX ? UINT32_MAX : 31 - find_top(S(a) < 0 ? U(~a) : U(a)))       \
    X(bfind_amt_s64, "bfind.shiftamt.s64 %d, %a;", 32, 64, 0, 0, I64,                              \
      a == 0 || a == UINT64_MAX ? UINT32_MAX : 63 - find_top(L(a) < 0 ? ~a : a))                   \
    X(bmsk_clamp, "bmsk.clamp.b32 %d, %a, %b;", 32, 32, 32, 0, I32,                                \
      U(a) > 31 ? 0 : U((U(b) > 31 ? UINT32_MAX : ((u64)1 << U(b)) - 1) << U(a)))                  \
    X(szext_wrap_u, "szext.wrap.u32 %d, %a, %b;", 32, 32, 32, 0, I32,                              \
      U(a) & U(((u64)1 << (b & 31)) - 1))                                                          \
    X(szext_wrap_s, "szext.wrap.s32 %d, %a, %b;", 32, 32, 32, 0, I32,                              \
      (b & 31) == 0 ? 0 : U(S(U(a) << (32 - (b & 31))) >> (32 - (b & 31))))                        \
    X(szext_clamp_u, "szext.clamp.u32 %d, %a, %b;", 32, 32, 32, 0, I32,                            \
      U(b) > 31 ? U(a) : U(a) & U(((u64)1 << U(b)) - 1))                                           \
    X(dp4a_uu, "dp4a.u32.u32 %d, %a, %b, %c;", 32, 32, 32, 32, I32, dot(a, b, c, false, false))    \
    X(dp4a_us, "dp4a.u32.s32 %d, %a, %b, %c;", 32, 32, 32, 32, I32, dot(a, b, c, false, true))     \
    X(dp4a_su, "dp4a.s32.u32 %d, %a, %b, %c;", 32, 32, 32, 32, I32, dot(a, b, c, true, false))     \
    X(dp2a_lo_su, "dp2a.lo.s32.u32 %d, %a, %b, %c;", 32, 32, 32, 32, I32,                          \
      U(c + (u64)((int16_t)a * (int64_t)(uint8_t)b) +                                              \
        (u64)((int16_t)(a >> 16) * (int64_t)(uint8_t)(b >> 8))))                                   \
    X(dp2a_hi_us, "dp2a.hi.u32.s32 %d, %a, %b, %c;", 32, 32, 32, 32, I32,                          \
      U(c + (u64)((uint16_t)a * (int64_t)(int8_t)(b >> 16)) +                                      \
        (u64)((uint16_t)(a >> 16) * (int64_t)(int8_t)(b >> 24))))                                  \
    X(vabsdiff2_s, "vabsdiff2.u32.s32.s32 %d, %a, %b, %c;", 32, 32, 32, 32, I32,                   \
      (u64)(uint16_t)abs((int16_t)a - (int16_t)b) |                                                \
          U((u64)(uint16_t)abs((int16_t)(a >> 16) - (int16_t)(b >> 16)) << 16))                    \
    X(vabsdiff2_add, "vabsdiff2.u32.u32.u32.add %d, %a, %b, %c;", 32, 32, 32, 32, I32,             \
      U(c + (u64)abs((uint16_t)a - (uint16_t)b) +                                                  \
        (u64)abs((uint16_t)(a >> 16) - (uint16_t)(b >> 16))))                                      \
    X(fns_up, "{ .reg .b32 z; and.b32 z, %b, 31; fns.b32 %d, %a, z, 1; }", 32, 32, 32, 0, I32,     \
      U(a) >> (b & 31) ? U(__builtin_ctz(U(a) >> (b & 31)) + (b & 31)) : UINT32_MAX)               \
    X(fns_down, "fns.b32 %d, %a, 31, -1;", 32, 32, 0, 0, I32,                                      \
      U(a) ? U(31 - __builtin_clz(U(a))) : UINT32_MAX)                                             \
    X(fns_at, "fns.b32 %d, %a, 7, 0;", 32, 32, 0, 0, I32, a & 128 ? 7 : UINT32_MAX)                \
    X(pack_s8, "cvt.pack.sat.s8.s32.b32 %d, %a, %b, %c;", 32, 32, 32, 32, I32,                     \
      U(c << 16 | (clamp8(S(a)) & 255) << 8 | (clamp8(S(b)) & 255)))                               \
    X(pack_u16, "cvt.pack.sat.u16.s32 %d, %a, %b;", 32, 32, 32, 0, I32,                            \
      U((S(a) < 0       ? 0                                                                        \
         : S(a) > 65535 ? 65535                                                                    \
                        : U(a))                                                                    \
            << 16 |                                                                                \
        (S(b) < 0       ? 0                                                                        \
         : S(b) > 65535 ? 65535                                                                    \
                        : U(b))))                                                                  \
    X(slct_64, "slct.b64.s32 %d, %a, %b, %c;", 64, 64, 64, 32, I64, S(c) >= 0 ? a : b)             \
    X(slct_32, "slct.b32.f32 %d, %a, %b, %c;", 32, 32, 32, 32, F32, F(c) >= 0 ? U(a) : U(b))       \
    X(pack_unpack, "mov.b64 %r, {%a, %b}; mov.b64 {%t, %d}, %r;", 32, 32, 32, 0, I32, U(b))        \
    X(pack_16, "{.reg .b16 %lo, %hi; mov.b32 {%lo, %hi}, %a; mov.b32 %d, {%hi, %lo};}", 32, 32, 0, \
      0, I32, U(a) >> 16 | U(a) << 16)                                                             \
    X(pack_4,                                                                                      \
      "{.reg .b16 %q0, %q1, %q2, %q3; mov.b64 {%q0, %q1, %q2, %q3}, %a; mov.b64 %d, {%q1, %q0, "   \
      "%q3, %q2};}",                                                                               \
      64, 64, 0, 0, I64, (a & 0xffff0000ffff0000) >> 16 | (a & 0xffff0000ffff) << 16)              \
    X(setp_lt_u16, "setp.lt.u16 %p, %a, %b;", 1, 16, 16, 0, I16, H(a) < H(b))                      \
    X(testp_inf, "testp.infinite.f32 %p, %a;", 1, 32, 0, 0, F32, (a & 0x7fffffff) == 0x7f800000)   \
    X(testp_num, "testp.number.f64 %p, %a;", 1, 64, 0, 0, F64, D(a) == D(a))                       \
    X(testp_nan, "testp.notanumber.f32 %p, %a;", 1, 32, 0, 0, F32, F(a) != F(a))                   \
    X(testp_norm, "testp.normal.f64 %p, %a;", 1, 64, 0, 0, F64,                                    \
      D(a) - D(a) == 0 && fabs(D(a)) >= 0x1p-1022)

/* name, PTX, widths d a b c, values, expected */
#define CASES(X)                                                                                   \
    X(add_u32, "add.u32 %d, %a, %b;", 32, 32, 32, 0, I32, U(a) + U(b))                             \
    X(add_s16, "add.s16 %d, %a, %b;", 16, 16, 16, 0, I16, H(a + b))                                \
    X(add_s64, "add.s64 %d, %a, %b;", 64, 64, 64, 0, I64, a + b)                                   \
    X(add_sat, "add.sat.s32 %d, %a, %b;", 32, 32, 32, 0, I32,                                      \
      U(clamp((__int128)S(a) + S(b), INT_MIN, INT_MAX)))                                           \
    X(sub_sat, "sub.sat.s32 %d, %a, %b;", 32, 32, 32, 0, I32,                                      \
      U(clamp((__int128)S(a) - S(b), INT_MIN, INT_MAX)))                                           \
    X(sub_s32, "sub.s32 %d, %a, %b;", 32, 32, 32, 0, I32, U(a) - U(b))                             \
    X(mul_lo_s16, "mul.lo.s16 %d, %a, %b;", 16, 16, 16, 0, I16, H(U(a) * U(b)))                    \
    X(mul_lo_s32, "mul.lo.s32 %d, %a, %b;", 32, 32, 32, 0, I32, U(a) * U(b))                       \
    X(mul_lo_u64, "mul.lo.u64 %d, %a, %b;", 64, 64, 64, 0, I64, a *b)                              \
    X(mul_hi_s16, "mul.hi.s16 %d, %a, %b;", 16, 16, 16, 0, I16, H((SH(a) * SH(b)) >> 16))          \
    X(mul_hi_u16, "mul.hi.u16 %d, %a, %b;", 16, 16, 16, 0, I16, H((U(H(a)) * H(b)) >> 16))         \
    X(mul_hi_s32, "mul.hi.s32 %d, %a, %b;", 32, 32, 32, 0, I32, U((L(S(a)) * S(b)) >> 32))         \
    X(mul_hi_u32, "mul.hi.u32 %d, %a, %b;", 32, 32, 32, 0, I32, U(((u64)U(a) * U(b)) >> 32))       \
    X(mul_hi_s64, "mul.hi.s64 %d, %a, %b;", 64, 64, 64, 0, I64, HI128((__int128)L(a) * L(b)))      \
    X(mul_hi_u64, "mul.hi.u64 %d, %a, %b;", 64, 64, 64, 0, I64, HI128((unsigned __int128)a *b))    \
    X(mul_wide_s16, "mul.wide.s16 %d, %a, %b;", 32, 16, 16, 0, I16, U(SH(a) * SH(b)))              \
    X(mul_wide_u16, "mul.wide.u16 %d, %a, %b;", 32, 16, 16, 0, I16, U(H(a)) * H(b))                \
    X(mul_wide_s32, "mul.wide.s32 %d, %a, %b;", 64, 32, 32, 0, I32, L(S(a)) * S(b))                \
    X(mul_wide_u32, "mul.wide.u32 %d, %a, %b;", 64, 32, 32, 0, I32, (u64)U(a) * U(b))              \
    X(mad_lo_s32, "mad.lo.s32 %d, %a, %b, %c;", 32, 32, 32, 32, I32, U(a) * U(b) + U(c))           \
    X(mad_hi_u32, "mad.hi.u32 %d, %a, %b, %c;", 32, 32, 32, 32, I32,                               \
      U(((u64)U(a) * U(b)) >> 32) + U(c))                                                          \
    X(mad_hi_sat, "mad.hi.sat.s32 %d, %a, %b, %c;", 32, 32, 32, 32, I32,                           \
      U(clamp((L(S(a)) * S(b) >> 32) + (__int128)S(c), INT_MIN, INT_MAX)))                         \
    X(mad_wide_s32, "mad.wide.s32 %d, %a, %b, %c;", 64, 32, 32, 64, I32,                           \
      (u64)(L(S(a)) * S(b)) + c)                                                                   \
    X(mul24_lo, "mul24.lo.s32 %d, %a, %b;", 32, 32, 32, 0, I32,                                    \
      U(L((S(U(a) << 8) >> 8)) * (S(U(b) << 8) >> 8)))                                             \
    X(mul24_hi, "mul24.hi.u32 %d, %a, %b;", 32, 32, 32, 0, I32,                                    \
      U(((a & 0xffffff) * (b & 0xffffff)) >> 16))                                                  \
    X(sad_s32, "sad.s32 %d, %a, %b, %c;", 32, 32, 32, 32, I32,                                     \
      U(c) + U(L(S(a)) > S(b) ? L(S(a)) - S(b) : L(S(b)) - S(a)))                                  \
    X(div_s32, "div.s32 %d, %a, %b;", 32, 32, 32, 0, I32,                                          \
      S(b) == 0 ? UINT32_MAX : U(L(S(a)) / (S(b) ? S(b) : 1)))                                     \
    X(div_u32, "div.u32 %d, %a, %b;", 32, 32, 32, 0, I32, U(b) ? U(a) / U(b) : UINT32_MAX)         \
    X(rem_s32, "rem.s32 %d, %a, %b;", 32, 32, 32, 0, I32, U(S(b) == 0 ? L(S(a)) : L(S(a)) % S(b))) \
    X(div_s64, "div.s64 %d, %a, %b;", 64, 64, 64, 0, I64,                                          \
      b == 0 ? UINT64_MAX : (u64)((__int128)L(a) / L(b ? b : 1)))                                  \
    X(rem_u64, "rem.u64 %d, %a, %b;", 64, 64, 64, 0, I64, b ? a % b : a)                           \
    X(div_s16, "div.s16 %d, %a, %b;", 16, 16, 16, 0, I16,                                          \
      H(SH(b) == 0 ? -1 : SH(a) / (SH(b) ? SH(b) : 1)))                                            \
    X(abs_s32, "abs.s32 %d, %a;", 32, 32, 0, 0, I32, U(S(a) < 0 ? 0 - U(a) : U(a)))                \
    X(neg_s64, "neg.s64 %d, %a;", 64, 64, 0, 0, I64, 0 - a)                                        \
    X(min_s32, "min.s32 %d, %a, %b;", 32, 32, 32, 0, I32, U(S(a) < S(b) ? S(a) : S(b)))            \
    X(max_u32, "max.u32 %d, %a, %b;", 32, 32, 32, 0, I32, U(a) > U(b) ? U(a) : U(b))               \
    X(min_u64, "min.u64 %d, %a, %b;", 64, 64, 64, 0, I64, a < b ? a : b)                           \
    X(max_s16, "max.s16 %d, %a, %b;", 16, 16, 16, 0, I16, H(SH(a) > SH(b) ? a : b))                \
    X(and_b32, "and.b32 %d, %a, %b;", 32, 32, 32, 0, I32, a &b)                                    \
    X(or_b64, "or.b64 %d, %a, %b;", 64, 64, 64, 0, I64, a | b)                                     \
    X(xor_b16, "xor.b16 %d, %a, %b;", 16, 16, 16, 0, I16, H(a ^ b))                                \
    X(not_b32, "not.b32 %d, %a;", 32, 32, 0, 0, I32, U(~a))                                        \
    X(not_b16, "not.b16 %d, %a;", 16, 16, 0, 0, I16, H(~a))                                        \
    X(cnot_b32, "cnot.b32 %d, %a;", 32, 32, 0, 0, I32, U(a) == 0)                                  \
    X(shl_b32, "shl.b32 %d, %a, %b;", 32, 32, 32, 0, I32, U(b) > 31 ? 0 : U(a) << U(b))            \
    X(shl_b16, "shl.b16 %d, %a, %b;", 16, 16, 32, 0, I32, U(b) > 15 ? 0 : H(H(a) << U(b)))         \
    X(shl_b64, "shl.b64 %d, %a, %b;", 64, 64, 32, 0, I64, U(b) > 63 ? 0 : a << U(b))               \
    X(shr_u32, "shr.u32 %d, %a, %b;", 32, 32, 32, 0, I32, U(b) > 31 ? 0 : U(a) >> U(b))            \
    X(shr_s32, "shr.s32 %d, %a, %b;", 32, 32, 32, 0, I32, U(S(a) >> (U(b) > 31 ? 31 : U(b))))      \
    X(shr_s64, "shr.s64 %d, %a, %b;", 64, 64, 32, 0, I64, (u64)(L(a) >> (U(b) > 63 ? 63 : U(b))))  \
    X(shr_u16, "shr.u16 %d, %a, %b;", 16, 16, 32, 0, I32, U(b) > 15 ? 0 : H(a) >> U(b))            \
    X(shr_s16, "shr.s16 %d, %a, %b;", 16, 16, 32, 0, I32, H(SH(a) >> (U(b) > 15 ? 15 : U(b))))     \
    X(shf_l_wrap, "shf.l.wrap.b32 %d, %a, %b, %c;", 32, 32, 32, 32, I32,                           \
      U((((u64)U(b) << 32 | U(a)) << (c & 31)) >> 32))                                             \
    X(shf_r_clamp, "shf.r.clamp.b32 %d, %a, %b, %c;", 32, 32, 32, 32, I32,                         \
      U(((u64)U(b) << 32 | U(a)) >> (U(c) > 32 ? 32 : U(c))))                                      \
    X(popc_b32, "popc.b32 %d, %a;", 32, 32, 0, 0, I32, __builtin_popcount(U(a)))                   \
    X(popc_b64, "popc.b64 %d, %a;", 32, 64, 0, 0, I64, __builtin_popcountll(a))                    \
    X(clz_b32, "clz.b32 %d, %a;", 32, 32, 0, 0, I32, U(a) ? __builtin_clz(U(a)) : 32)              \
    X(clz_b64, "clz.b64 %d, %a;", 32, 64, 0, 0, I64, a ? __builtin_clzll(a) : 64)                  \
    X(bfind_u32, "bfind.u32 %d, %a;", 32, 32, 0, 0, I32, find_top(U(a)))                           \
    X(bfind_s32, "bfind.s32 %d, %a;", 32, 32, 0, 0, I32, find_top(U(S(a) < 0 ? ~a : a)))           \
    X(bfind_amt, "bfind.shiftamt.u32 %d, %a;", 32, 32, 0, 0, I32,                                  \
      U(a) ? 31 - find_top(U(a)) : UINT32_MAX)                                                     \
    X(bfind_s64, "bfind.s64 %d, %a;", 32, 64, 0, 0, I64, U(find_top(L(a) < 0 ? ~a : a)))           \
    X(brev_b32, "brev.b32 %d, %a;", 32, 32, 0, 0, I32, reverse(U(a), 32))                          \
    X(brev_b64, "brev.b64 %d, %a;", 64, 64, 0, 0, I64, reverse(a, 64))                             \
    X(bfe_u32, "bfe.u32 %d, %a, %b, %c;", 32, 32, 32, 32, I32, bfe(U(a), b, c, 31, false))         \
    X(bfe_s32, "bfe.s32 %d, %a, %b, %c;", 32, 32, 32, 32, I32, bfe(U(a), b, c, 31, true))          \
    X(bfe_s64, "bfe.s64 %d, %a, %b, %c;", 64, 64, 32, 32, I64, bfe(a, b, c, 63, true))             \
    X(bfi_b32, "bfi.b32 %d, %a, %b, %c, 7;", 32, 32, 32, 32, I32, bfi(U(a), U(b), c, 7, 31))       \
    X(bfi_b64, "bfi.b64 %d, %a, %b, %c, 40;", 64, 64, 64, 32, I64, bfi(a, b, c, 40, 63))           \
    X(prmt_b32, "prmt.b32 %d, %a, %b, %c;", 32, 32, 32, 32, I32, prmt(a, b, c))                    \
    X(prmt_f4e, "prmt.b32.f4e %d, %a, %b, 2;", 32, 32, 32, 0, I32, prmt(a, b, 0x5432))             \
    X(prmt_b4e, "prmt.b32.b4e %d, %a, %b, 1;", 32, 32, 32, 0, I32, prmt(a, b, 0x6701))             \
    X(prmt_rc8, "prmt.b32.rc8 %d, %a, %b, 3;", 32, 32, 32, 0, I32, prmt(a, b, 0x3333))             \
    X(prmt_ecl, "prmt.b32.ecl %d, %a, %b, 2;", 32, 32, 32, 0, I32, prmt(a, b, 0x3222))             \
    X(prmt_ecr, "prmt.b32.ecr %d, %a, %b, 1;", 32, 32, 32, 0, I32, prmt(a, b, 0x1110))             \
    X(prmt_rc16, "prmt.b32.rc16 %d, %a, %b, 1;", 32, 32, 32, 0, I32, prmt(a, b, 0x3232))           \
    X(lop3_96, "lop3.b32 %d, %a, %b, %c, 0x96;", 32, 32, 32, 32, I32, lop3(a, b, c, 0x96))         \
    X(lop3_e2, "lop3.b32 %d, %a, %b, %c, 0xe2;", 32, 32, 32, 32, I32, lop3(a, b, c, 0xe2))         \
    X(dp4a_s, "dp4a.s32.s32 %d, %a, %b, %c;", 32, 32, 32, 32, I32, U(dp4a(a, b, c)))               \
    X(slct_s32, "slct.b32.s32 %d, %a, %b, %c;", 32, 32, 32, 32, I32, U(S(c) >= 0 ? a : b))         \
    X(slct_f32, "slct.b64.f32 %d, %a, %b, %c;", 64, 64, 64, 32, F32, F(c) >= 0 ? a : b)            \
    X(set_u32, "set.lt.u32.s32 %d, %a, %b;", 32, 32, 32, 0, I32, S(a) < S(b) ? UINT32_MAX : 0)     \
    X(set_f32, "set.geu.f32.f32 %d, %a, %b;", 32, 32, 32, 0, F32, FB(!(F(a) < F(b)) ? 1.0f : 0))   \
    X(add_f32, "add.f32 %d, %a, %b;", 32, 32, 32, 0, F32, FB(F(a) + F(b)))                         \
    X(add_rz, "add.rz.f32 %d, %a, %b;", 32, 32, 32, 0, F32,                                        \
      FB(rounded(FE_TOWARDZERO, '+', F(a), F(b), 0)))                                              \
    X(add_rm, "add.rm.f32 %d, %a, %b;", 32, 32, 32, 0, F32,                                        \
      FB(rounded(FE_DOWNWARD, '+', F(a), F(b), 0)))                                                \
    X(add_rp, "add.rp.f32 %d, %a, %b;", 32, 32, 32, 0, F32,                                        \
      FB(rounded(FE_UPWARD, '+', F(a), F(b), 0)))                                                  \
    X(add_ftz, "add.ftz.f32 %d, %a, %b;", 32, 32, 32, 0, F32,                                      \
      FB(flush(flush(F(a)) + flush(F(b)))))                                                        \
    X(add_fsat, "add.sat.f32 %d, %a, %b;", 32, 32, 32, 0, F32, FB(saturate(F(a) + F(b))))          \
    X(sub_f32, "sub.rn.f32 %d, %a, %b;", 32, 32, 32, 0, F32, FB(F(a) - F(b)))                      \
    X(mul_f32, "mul.f32 %d, %a, %b;", 32, 32, 32, 0, F32, FB(F(a) * F(b)))                         \
    X(mul_rp, "mul.rp.f32 %d, %a, %b;", 32, 32, 32, 0, F32,                                        \
      FB(rounded(FE_UPWARD, '*', F(a), F(b), 0)))                                                  \
    X(mul_ftz, "mul.ftz.f32 %d, %a, %b;", 32, 32, 32, 0, F32,                                      \
      FB(flush(flush(F(a)) * flush(F(b)))))                                                        \
    X(fma_rn, "fma.rn.f32 %d, %a, %b, %c;", 32, 32, 32, 32, F32, FB(fmaf(F(a), F(b), F(c))))       \
    X(fma_rz, "fma.rz.f32 %d, %a, %b, %c;", 32, 32, 32, 32, F32,                                   \
      FB(rounded(FE_TOWARDZERO, 'f', F(a), F(b), F(c))))                                           \
    X(fma_rm, "fma.rm.f32 %d, %a, %b, %c;", 32, 32, 32, 32, F32,                                   \
      FB(rounded(FE_DOWNWARD, 'f', F(a), F(b), F(c))))                                             \
    X(fma_sat, "fma.rn.sat.f32 %d, %a, %b, %c;", 32, 32, 32, 32, F32,                              \
      FB(saturate(fmaf(F(a), F(b), F(c)))))                                                        \
    X(mad_f32, "mad.rn.f32 %d, %a, %b, %c;", 32, 32, 32, 32, F32, FB(fmaf(F(a), F(b), F(c))))      \
    X(div_rn, "div.rn.f32 %d, %a, %b;", 32, 32, 32, 0, F32, FB(F(a) / F(b)))                       \
    X(div_rz, "div.rz.f32 %d, %a, %b;", 32, 32, 32, 0, F32,                                        \
      FB(rounded(FE_TOWARDZERO, '/', F(a), F(b), 0)))                                              \
    X(rcp_rp, "rcp.rp.f32 %d, %a;", 32, 32, 0, 0, F32, FB(rounded(FE_UPWARD, '/', 1, F(a), 0)))    \
    X(sqrt_rn, "sqrt.rn.f32 %d, %a;", 32, 32, 0, 0, F32, FB(sqrtf(F(a))))                          \
    X(sqrt_rz, "sqrt.rz.f32 %d, %a;", 32, 32, 0, 0, F32,                                           \
      FB(rounded(FE_TOWARDZERO, 's', F(a), 0, 0)))                                                 \
    X(abs_f32, "abs.f32 %d, %a;", 32, 32, 0, 0, NONAN, FB(fabsf(F(a))))                            \
    X(neg_f32, "neg.f32 %d, %a;", 32, 32, 0, 0, NONAN, FB(-F(a)))                                  \
    X(neg_ftz, "neg.ftz.f32 %d, %a;", 32, 32, 0, 0, NONAN, FB(-flush(F(a))))                       \
    X(min_f32, "min.f32 %d, %a, %b;", 32, 32, 32, 0, F32, FB(min_of(F(a), F(b))))                  \
    X(max_f32, "max.f32 %d, %a, %b;", 32, 32, 32, 0, F32, FB(max_of(F(a), F(b))))                  \
    X(min_nan, "min.NaN.f32 %d, %a, %b;", 32, 32, 32, 0, F32,                                      \
      F(a) != F(a) || F(b) != F(b) ? 0x7fffffff : FB(min_of(F(a), F(b))))                          \
    X(copysign, "copysign.f32 %d, %a, %b;", 32, 32, 32, 0, NONAN, FB(copysignf(F(b), F(a))))       \
    X(add_f64, "add.f64 %d, %a, %b;", 64, 64, 64, 0, F64, DB(D(a) + D(b)))                         \
    X(add_rm64, "add.rm.f64 %d, %a, %b;", 64, 64, 64, 0, F64,                                      \
      DB(rounded64(FE_DOWNWARD, '+', D(a), D(b), 0)))                                              \
    X(sub_f64, "sub.f64 %d, %a, %b;", 64, 64, 64, 0, F64, DB(D(a) - D(b)))                         \
    X(mul_rz64, "mul.rz.f64 %d, %a, %b;", 64, 64, 64, 0, F64,                                      \
      DB(rounded64(FE_TOWARDZERO, '*', D(a), D(b), 0)))                                            \
    X(fma_f64, "fma.rn.f64 %d, %a, %b, %c;", 64, 64, 64, 64, F64, DB(fma(D(a), D(b), D(c))))       \
    X(fma_rp64, "fma.rp.f64 %d, %a, %b, %c;", 64, 64, 64, 64, F64,                                 \
      DB(rounded64(FE_UPWARD, 'f', D(a), D(b), D(c))))                                             \
    X(div_f64, "div.rn.f64 %d, %a, %b;", 64, 64, 64, 0, F64, DB(D(a) / D(b)))                      \
    X(rcp_f64, "rcp.rn.f64 %d, %a;", 64, 64, 0, 0, F64, DB(1 / D(a)))                              \
    X(sqrt_f64, "sqrt.rm.f64 %d, %a;", 64, 64, 0, 0, F64,                                          \
      DB(rounded64(FE_DOWNWARD, 's', D(a), 0, 0)))                                                 \
    X(min_f64, "min.f64 %d, %a, %b;", 64, 64, 64, 0, F64,                                          \
      DB(D(a) != D(a)                                   ? D(b)                                     \
         : D(b) != D(b)                                 ? D(a)                                     \
         : D(a) < D(b) || signbit(D(a)) > signbit(D(b)) ? D(a)                                     \
                                                        : D(b)))                                   \
    X(add_f16, "add.f16 %d, %a, %b;", 16, 16, 16, 0, F16, QB(Q(a) + Q(b)))                         \
    X(mul_f16, "mul.f16 %d, %a, %b;", 16, 16, 16, 0, F16, QB(Q(a) * Q(b)))                         \
    X(fma_f16, "fma.rn.f16 %d, %a, %b, %c;", 16, 16, 16, 16, F16, QB(Q(a) * Q(b) + Q(c)))          \
    X(add_f16x2, "add.f16x2 %d, %a, %b;", 32, 32, 32, 0, F16,                                      \
      QB(Q(a) + Q(b)) | (u64)QB(Q(a >> 16) + Q(b >> 16)) << 16)                                    \
    X(cvt_s64_s32, "cvt.s64.s32 %d, %a;", 64, 32, 0, 0, I32, (u64)L(S(a)))                         \
    X(cvt_u64_u32, "cvt.u64.u32 %d, %a;", 64, 32, 0, 0, I32, U(a))                                 \
    X(cvt_u32_u64, "cvt.u32.u64 %d, %a;", 32, 64, 0, 0, I64, U(a))                                 \
    X(cvt_u16_u32, "cvt.u16.u32 %d, %a;", 16, 32, 0, 0, I32, H(a))                                 \
    X(cvt_s8_s32, "cvt.s8.s32 %d, %a;", 32, 32, 0, 0, I32, U(S((int8_t)a)))                        \
    X(cvt_s8_16, "cvt.s8.s32 %d, %a;", 16, 32, 0, 0, I32, H((int8_t)a))                            \
    X(cvt_s16_64, "cvt.s64.s16 %d, %a;", 64, 16, 0, 0, I16, (u64)L(SH(a)))                         \
    X(cvt_s8_64, "cvt.s8.s64 %d, %a;", 64, 64, 0, 0, I64, (u64)L((int8_t)a))                       \
    X(cvt_sat_u8, "cvt.sat.u8.s32 %d, %a;", 32, 32, 0, 0, I32, clamp(S(a), 0, 255))                \
    X(cvt_sat_s32, "cvt.sat.s32.s64 %d, %a;", 32, 64, 0, 0, I64, U(clamp(L(a), INT_MIN, INT_MAX))) \
    X(cvt_sat_s64, "cvt.sat.s64.u64 %d, %a;", 64, 64, 0, 0, I64, a > INT64_MAX ? INT64_MAX : a)    \
    X(cvt_rzi_s32, "cvt.rzi.s32.f32 %d, %a;", 32, 32, 0, 0, F32,                                   \
      U(to_int(trunc((double)F(a)), INT_MIN, INT_MAX, false)))                                     \
    X(cvt_rni_s32, "cvt.rni.s32.f32 %d, %a;", 32, 32, 0, 0, F32,                                   \
      U(to_int(rint((double)F(a)), INT_MIN, INT_MAX, false)))                                      \
    X(cvt_rmi_u32, "cvt.rmi.u32.f32 %d, %a;", 32, 32, 0, 0, F32,                                   \
      U(to_int(floor((double)F(a)), 0, UINT32_MAX, true)))                                         \
    X(cvt_rpi_s64, "cvt.rpi.s64.f64 %d, %a;", 64, 64, 0, 0, F64,                                   \
      to_int(ceil(D(a)), -0x1p63, 0x1p63, false))                                                  \
    X(cvt_rzi_u64, "cvt.rzi.u64.f64 %d, %a;", 64, 64, 0, 0, F64,                                   \
      to_int(trunc(D(a)), 0, 0x1p64, true))                                                        \
    X(cvt_rzi_s8, "cvt.rzi.s8.f32 %d, %a;", 32, 32, 0, 0, F32,                                     \
      U(S((int8_t)to_int(trunc((double)F(a)), -128, 127, false))))                                 \
    X(cvt_rzi_ftz, "cvt.rpi.ftz.s32.f32 %d, %a;", 32, 32, 0, 0, F32,                               \
      U(to_int(ceil((double)flush(F(a))), INT_MIN, INT_MAX, false)))                               \
    X(cvt_rn_f32_s32, "cvt.rn.f32.s32 %d, %a;", 32, 32, 0, 0, I32, FB((float)S(a)))                \
    X(cvt_rz_f32_u64, "cvt.rz.f32.u64 %d, %a;", 32, 64, 0, 0, I64,                                 \
      FB(int_to_float(FE_TOWARDZERO, false, a)))                                                   \
    X(cvt_rp_f32_s64, "cvt.rp.f32.s64 %d, %a;", 32, 64, 0, 0, I64,                                 \
      FB(int_to_float(FE_UPWARD, true, a)))                                                        \
    X(cvt_rn_f64_u64, "cvt.rn.f64.u64 %d, %a;", 64, 64, 0, 0, I64, DB((double)a))                  \
    X(cvt_rn_f32_f64, "cvt.rn.f32.f64 %d, %a;", 32, 64, 0, 0, F64, FB((float)D(a)))                \
    X(cvt_rm_f32_f64, "cvt.rm.f32.f64 %d, %a;", 32, 64, 0, 0, F64, FB(narrow(FE_DOWNWARD, D(a))))  \
    X(cvt_sat_f32, "cvt.rn.sat.f32.f64 %d, %a;", 32, 64, 0, 0, F64, FB(saturate((float)D(a))))     \
    X(cvt_f64_f32, "cvt.f64.f32 %d, %a;", 64, 32, 0, 0, F32, DB((double)F(a)))                     \
    X(cvt_rni_f32, "cvt.rni.f32.f32 %d, %a;", 32, 32, 0, 0, F32, FB(rintf(F(a))))                  \
    X(cvt_rzi_f32, "cvt.rzi.f32.f32 %d, %a;", 32, 32, 0, 0, F32, FB(truncf(F(a))))                 \
    X(cvt_rmi_f64, "cvt.rmi.f64.f64 %d, %a;", 64, 64, 0, 0, F64, DB(floor(D(a))))                  \
    X(cvt_f32_f16, "cvt.f32.f16 %d, %a;", 32, 16, 0, 0, F16, FB((float)Q(a)))                      \
    X(setp_lt, "setp.lt.s32 %p, %a, %b;", 1, 32, 32, 0, I32, S(a) < S(b))                          \
    X(setp_hs, "setp.hs.u32 %p, %a, %b;", 1, 32, 32, 0, I32, U(a) >= U(b))                         \
    X(setp_ne64, "setp.ne.b64 %p, %a, %b;", 1, 64, 64, 0, I64, a != b)                             \
    X(setp_gt64, "setp.gt.s64 %p, %a, %b;", 1, 64, 64, 0, I64, L(a) > L(b))                        \
    X(setp_ge16, "setp.ge.s16 %p, %a, %b;", 1, 16, 16, 0, I16, SH(a) >= SH(b))                     \
    X(setp_flt, "setp.lt.f32 %p, %a, %b;", 1, 32, 32, 0, F32, F(a) < F(b))                         \
    X(setp_fne, "setp.ne.f32 %p, %a, %b;", 1, 32, 32, 0, F32, F(a) < F(b) || F(a) > F(b))          \
    X(setp_fneu, "setp.neu.f32 %p, %a, %b;", 1, 32, 32, 0, F32, F(a) != F(b))                      \
    X(setp_fltu, "setp.ltu.f32 %p, %a, %b;", 1, 32, 32, 0, F32, !(F(a) >= F(b)))                   \
    X(setp_fequ, "setp.equ.f64 %p, %a, %b;", 1, 64, 64, 0, F64, !(D(a) < D(b) || D(a) > D(b)))     \
    X(setp_num, "setp.num.f32 %p, %a, %b;", 1, 32, 32, 0, F32, F(a) == F(a) && F(b) == F(b))       \
    X(setp_nan, "setp.nan.f64 %p, %a, %b;", 1, 64, 64, 0, F64, D(a) != D(a) || D(b) != D(b))       \
    X(setp_ftz, "setp.eq.ftz.f32 %p, %a, %b;", 1, 32, 32, 0, F32, flush(F(a)) == flush(F(b)))      \
    X(setp_f16, "setp.ge.f16 %p, %a, %b;", 1, 16, 16, 0, F16, Q(a) >= Q(b))                        \
    X(testp_sub, "testp.subnormal.f32 %p, %a;", 1, 32, 0, 0, F32,                                  \
      F(a) != 0 && fabsf(F(a)) < 0x1p-126f)                                                        \
    X(testp_fin, "testp.finite.f64 %p, %a;", 1, 64, 0, 0, F64, D(a) - D(a) == 0)                   \
    X(carry, "add.cc.u32 %t, %a, %b; addc.u32 %d, %c, 0;", 32, 32, 32, 32, I32,                    \
      U(c) + ((u64)U(a) + U(b) > UINT32_MAX))                                                      \
    X(borrow, "sub.cc.u32 %t, %a, %b; subc.u32 %d, %c, 0;", 32, 32, 32, 32, I32,                   \
      U(c) - (U(a) < U(b)))                                                                        \
    X(mad_cc, "mad.lo.cc.u32 %t, %a, %b, %c; madc.hi.u32 %d, %a, %b, 0;", 32, 32, 32, 32, I32,     \
      U(((u64)U(a) * U(b) + U(c)) >> 32))                                                          \
    X(bmsk, "bmsk.wrap.b32 %d, %a, %b;", 32, 32, 32, 0, I32,                                       \
      U((((u64)1 << (b & 31)) - 1) << (a & 31)))                                                   \
    X(szext, "szext.clamp.s32 %d, %a, %b;", 32, 32, 32, 0, I32,                                    \
      U(b) == 0   ? 0                                                                              \
      : U(b) > 31 ? U(a)                                                                           \
                  : U(S(U(a) << (32 - U(b))) >> (32 - U(b))))                                      \
    MORE_CASES(X)                                                                                  \
    CONVERSIONS(X)

enum set { I16, I32, I64, F16, F32, F64, NONAN };

#define X(name, ptx, wd, wa, wb, wc, set, expr)                                                    \
    static u64 want_##name(u64 a, u64 b, u64 c)                                                    \
    {                                                                                              \
        (void)a, (void)b, (void)c;                                                                 \
        return (u64)(expr);                                                                        \
    }
CASES(X)
#undef X

static const struct op {
    const char *name, *ptx;
    int wd, wa, wb, wc;
    enum set set;
    u64 (*want)(u64 a, u64 b, u64 c);
} ops[] = {
#define X(name, ptx, wd, wa, wb, wc, set, expr) {#name, ptx, wd, wa, wb, wc, set, want_##name},
    CASES(X)
#undef X
};

static const u64 values16[] = {0,      1,      2,      7,      15,     16,    17,
                               0x7fff, 0x8000, 0x8001, 0xffff, 0x1234, 0xff80};
static const u64 values32[] = {0,          1,          2,          7,          31,
                               32,         33,         64,         255,        256,
                               0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe,
                               0x12345678, 0xdeadbeef, 0x00ff00ff, 0x8000ffff, 0x3f};
static const u64 values64[] = {0,
                               1,
                               63,
                               64,
                               65,
                               0x7fffffff,
                               0x80000000,
                               0xffffffff,
                               0x100000000,
                               0x7fffffffffffffff,
                               0x8000000000000000,
                               0x8000000000000001,
                               0xffffffffffffffff,
                               0x123456789abcdef0,
                               0x00ff00ff00ff00ff,
                               0xfffffffffffffffe,
                               0x20000000000001,
                               0x40000000000003};
static const u64 halves[] = {0,      0x8000, 1,      0x03ff, 0x0400, 0x3c00,     0xbc00,    0x7bff,
                             0x7c00, 0xfc00, 0x7e00, 0x3555, 0x4248, 0x3c003c01, 0x84007bff};
static const u64 singles[] = {
    0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x3f800000,
    0xbf800000, 0x3f000000, 0x3fc00000, 0x40200000, 0xc0200000, 0x4b7fffff, 0x4b800001, 0x4f000000,
    0xcf000000, 0x4effffff, 0x5f000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
    0x7fa00000, 0xffc12345, 0x3eaaaaab, 0x40490fdb, 0x33800000, 0x3f7fffff};
static const u64 doubles[] = {0,
                              0x8000000000000000,
                              1,
                              0x000fffffffffffff,
                              0x0010000000000000,
                              0x3ff0000000000000,
                              0xbff0000000000000,
                              0x3fe0000000000000,
                              0x4004000000000000,
                              0xc004000000000000,
                              0x43e0000000000000,
                              0x43f0000000000000,
                              0xc3e0000000000000,
                              0x41dfffffffc00000,
                              0x7fefffffffffffff,
                              0x7ff0000000000000,
                              0xfff0000000000000,
                              0x7ff8000000000000,
                              0x7ff4000000000000,
                              0x3fd5555555555555,
                              0x400921fb54442d18,
                              0x380fffffffffffff,
                              0x36a0000000000001,
                              0x3810000000000000,
                              0x3ff0000010000000};

static const struct {
    const u64 *at;
    size_t n;
} sets[] = {
    [I16] = {values16, sizeof values16 / 8},
    [I32] = {values32, sizeof values32 / 8},
    [I64] = {values64, sizeof values64 / 8},
    [F16] = {halves, sizeof halves / 8},
    [F32] = {singles, sizeof singles / 8},
    [F64] = {doubles, sizeof doubles / 8},
    [NONAN] = {singles, 23},
};

/* ---- running one ----------------------------------------------------------------------------- */

static void declare(struct buf *b, const char *name, int width)
{
    if (width)
        buf_printf(b, ".reg .b%d %%%s;\n", width, name);
}

static void load(struct buf *b, const char *name, int width)
{
    if (!width)
        return;
    buf_printf(b, "ld.param.u64 %%p0, [p%s];\nadd.u64 %%p0, %%p0, %%at;\n", name);
    buf_printf(b, "ld.global.b%d %%%s, [%%p0];\n", width, name);
}

static const char *text_of(const struct op *op, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, 1 << 16);
    buf_add(&b, ".version 7.0\n.target sm_75\n.address_size 64\n"
                ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd,"
                " .param .u32 n)\n{\n.reg .b64 %p0, %at;\n.reg .b32 %t, %i, %n;\n"
                ".reg .pred %p, %out;\n.reg .b64 %r;\n");
    declare(&b, "a", op->wa);
    declare(&b, "b", op->wb);
    declare(&b, "c", op->wc);
    if (op->wd > 1)
        declare(&b, "d", op->wd);
    buf_add(&b, "mov.u32 %t, %ctaid.x;\nmov.u32 %i, %tid.x;\nmad.lo.u32 %i, %t, 64, %i;\n"
                "ld.param.u32 %n, [n];\nsetp.ge.u32 %out, %i, %n;\n@%out bra DONE;\n"
                "mul.wide.u32 %at, %i, 8;\n");
    load(&b, "a", op->wa);
    load(&b, "b", op->wb);
    load(&b, "c", op->wc);
    buf_add(&b, op->ptx);
    buf_add(&b, "\n");
    if (op->wd == 1)
        buf_add(&b, "selp.b64 %r, 1, 0, %p;\n");
    else if (op->wd == 64)
        buf_add(&b, "mov.b64 %r, %d;\n");
    else
        buf_printf(&b, "cvt.u64.u%d %%r, %%d;\n", op->wd);
    buf_add(&b, "ld.param.u64 %p0, [pd];\nadd.u64 %p0, %p0, %at;\nst.global.b64 [%p0], %r;\n"
                "DONE:\nret;\n}\n");
    return b.data;
}

static void fail_with(const struct err *err, const char *name)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    for (const struct err_entry *e = err->first; e; e = e->next)
        print_error("%s: %s\n", name, err_entry_text(e, &mem));
    arena_free(&mem);
    fail();
}

static void run_op(const struct op *op)
{
    struct arena mem;
    struct err err;
    struct ptx_device dev;
    struct ptx_kernel k;
    struct ptx_counts counts = {0};
    size_t n_set = sets[op->set].n, n = n_set * (op->wb ? n_set : 1);
    uint32_t seg[4];

    arena_init(&mem, NULL, NULL);
    err_init(&err);
    const char *text = text_of(op, &mem);
    if (!ptx_device_load(&dev, op->name, text, strlen(text), &err) ||
        !ptx_decode(&dev.layout, "k", &mem, &k, &err))
        fail_with(&err, op->name);
    struct {
        u64 p[4];
        uint32_t n;
    } params = {.n = (uint32_t)n};
    for (int i = 0; i < 4; i++) {
        seg[i] = ptx_device_alloc(&dev, "x", n * 8, NOWHERE, &err);
        params.p[i] = dev.segments[seg[i]].base;
    }
    u64 *a = (void *)dev.segments[seg[0]].host, *b = (void *)dev.segments[seg[1]].host;
    u64 *c = (void *)dev.segments[seg[2]].host, *d = (void *)dev.segments[seg[3]].host;
    for (size_t i = 0; i < n; i++) {
        a[i] = sets[op->set].at[i % n_set];
        b[i] = sets[op->set].at[i / n_set];
        c[i] = sets[op->set].at[(i * 7 + 3) % n_set];
    }
    struct ptx_launch l = {.kernel = &k,
                           .grid = {(uint32_t)(n + 63) / 64, 1, 1},
                           .block = {64, 1, 1},
                           .params = (const uint8_t *)&params};
    if (!ptx_run(&dev, &l, NULL, &counts, &err))
        fail_with(&err, op->name);
    u64 keep = op->wd >= 64 ? UINT64_MAX : ((u64)1 << op->wd) - 1;
    for (size_t i = 0; i < n; i++) {
        u64 want = op->want(a[i], b[i], c[i]) & keep;
        if (d[i] != want) {
            print_error("%s: a=%llx b=%llx c=%llx: %llx, not %llx\n", op->ptx,
                        (unsigned long long)a[i], (unsigned long long)b[i],
                        (unsigned long long)c[i], (unsigned long long)d[i],
                        (unsigned long long)want);
            fail();
        }
    }
    ptx_device_close(&dev);
    err_free(&err);
    arena_free(&mem);
}

/* The instruction with a list of operands that ends earlier, or goes on. */
static const char *other_list(const char *ptx, bool is_longer, struct arena *mem)
{
    const char *end = strrchr(ptx, ';'), *cut = NULL;
    int depth = 0;
    for (const char *p = ptx; p < end; p++) {
        depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
        if (*p == ';')
            return NULL; /* several instructions */
        if (*p == ',' && depth == 0)
            cut = p;
    }
    return is_longer ? arena_printf(mem, "%.*s, 1, 1, 1;", (int)(end - ptx), ptx)
           : cut     ? arena_printf(mem, "%.*s;", (int)(cut - ptx), ptx)
                     : NULL;
}

static void every_instruction_wants_the_operands_that_it_has(void **state)
{
    (void)state;
    size_t n = 0;
    for (size_t i = 0; i < 2 * (sizeof ops / sizeof *ops); i++) {
        struct arena mem;
        struct err err;
        struct ptx_device dev;
        struct ptx_kernel k;
        struct op op = ops[i / 2];
        arena_init(&mem, NULL, NULL);
        err_init(&err);
        op.ptx = other_list(op.ptx, i % 2, &mem);
        if (op.ptx) {
            const char *text = text_of(&op, &mem);
            assert_true(ptx_device_load(&dev, op.name, text, strlen(text), &err));
            if (ptx_decode(&dev.layout, "k", &mem, &k, &err))
                fail_msg("'%s' is taken", op.ptx);
            assert_int_equal(err.n_errors, 1);
            if (!strstr(err_entry_text(err.first, &mem), "operands"))
                fail_msg("%s: %s", op.ptx, err_entry_text(err.first, &mem));
            ptx_device_close(&dev);
            n++;
        }
        err_free(&err);
        arena_free(&mem);
    }
    assert_true(n > 500);
}

static void every_instruction_is_its_c_arithmetic(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        run_op(&ops[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_is_its_c_arithmetic),
        cmocka_unit_test(every_instruction_wants_the_operands_that_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
