/* SPDX-License-Identifier: MIT
 *
 * Conversions. Integer results of up to 32 bits are extended to 32 bits by their type; a result
 * that goes to a narrower or wider register is adjusted by the decoder. Real to integer: rounds as
 * told, then clamps to the range of the result; NaN becomes 0. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "rounding-math")
#endif
#include "sim/ptx/lanes.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

/* name, C type, lane type of its slot */
#define INTS(X, ...)                                                                               \
    X(u8, uint8_t, lane_u32, __VA_ARGS__)                                                          \
    X(s8, int8_t, lane_u32, __VA_ARGS__)                                                           \
    X(u16, uint16_t, lane_u32, __VA_ARGS__)                                                        \
    X(s16, int16_t, lane_u32, __VA_ARGS__)                                                         \
    X(u32, uint32_t, lane_u32, __VA_ARGS__)                                                        \
    X(s32, int32_t, lane_u32, __VA_ARGS__)                                                         \
    X(u64, uint64_t, lane_u64, __VA_ARGS__)                                                        \
    X(s64, int64_t, lane_u64, __VA_ARGS__)
/* the same list under another name, as a macro cannot be expanded inside itself */
#define FROM_INTS(X, ...)                                                                          \
    X(u8, uint8_t, lane_u32, __VA_ARGS__)                                                          \
    X(s8, int8_t, lane_u32, __VA_ARGS__)                                                           \
    X(u16, uint16_t, lane_u32, __VA_ARGS__)                                                        \
    X(s16, int16_t, lane_u32, __VA_ARGS__)                                                         \
    X(u32, uint32_t, lane_u32, __VA_ARGS__)                                                        \
    X(s32, int32_t, lane_u32, __VA_ARGS__)                                                         \
    X(u64, uint64_t, lane_u64, __VA_ARGS__)                                                        \
    X(s64, int64_t, lane_u64, __VA_ARGS__)

static const int64_t low_of_u8 = 0, low_of_s8 = INT8_MIN, low_of_u16 = 0, low_of_s16 = INT16_MIN,
                     low_of_u32 = 0, low_of_s32 = INT32_MIN, low_of_u64 = 0, low_of_s64 = INT64_MIN;
static const uint64_t high_of_u8 = UINT8_MAX, high_of_s8 = INT8_MAX, high_of_u16 = UINT16_MAX,
                      high_of_s16 = INT16_MAX, high_of_u32 = UINT32_MAX, high_of_s32 = INT32_MAX,
                      high_of_u64 = UINT64_MAX, high_of_s64 = INT64_MAX;

/* ---- integer to integer ---------------------------------------------------------------------- */
#define INT_TO_INT(S, ST, SS, D, DT, DS)                                                           \
    ALU(cvt_##D##_##S, DS, SS, d[i] = (DS)(DT)(ST)a[i];)                                           \
    ALU(cvt_sat_##D##_##S, DS, SS, __int128 v = (ST)a[i]; v = v < low_of_##D ? low_of_##D : v;     \
        v = v > (__int128)high_of_##D ? (__int128)high_of_##D : v; d[i] = (DS)(DT)v;)
#define TO_INT(D, DT, DS, ...) FROM_INTS(INT_TO_INT, D, DT, DS)
INTS(TO_INT, ) /* NOLINT(bugprone-signed-char-misuse): an s8 keeps its sign */

/* ---- real to integer ---------------------------------------------------------------------------
 * Every half and
 * single is a double. */
static inline double real_f16(const void *a, int i)
{
    return ptx_half_to_double((uint16_t)((const lane_u32 *)a)[i]);
}
static inline double real_f32(const void *a, int i)
{
    return (double)((const lane_f32 *)a)[i];
}
static inline double real_f64(const void *a, int i)
{
    return ((const lane_f64 *)a)[i];
}

/* To the nearest whole number, ties to even, whatever the rounding mode is. */
static inline double nearest(double v)
{
    double whole = floor(v), rest = v - whole;
    return rest > 0.5 || (rest == 0.5 && floor(whole / 2) * 2 != whole) ? whole + 1 : whole;
}
#define ROUND_rni(v) nearest(v)
#define ROUND_rzi(v) trunc(v)
#define ROUND_rmi(v) floor(v)
#define ROUND_rpi(v) ceil(v)

#define REAL_TO_INT(D, DT, DS, S, MODE)                                                            \
    static void cvt_##MODE##_##D##_##S(void *d_, const void *a_, const void *b_, const void *c_,   \
                                       const void *e_)                                             \
    {                                                                                              \
        DS *d = d_;                                                                                \
        (void)b_, (void)c_, (void)e_;                                                              \
        for (int i = 0; i < PTX_LANES; i++) {                                                      \
            double v = ROUND_##MODE(real_##S(a_, i));                                              \
            DT r = v != v                     ? (DT)0                                              \
                   : v <= (double)low_of_##D  ? (DT)low_of_##D                                     \
                   : v >= (double)high_of_##D ? (DT)high_of_##D                                    \
                                              : (DT)v;                                             \
            d[i] = (DS)r;                                                                          \
        }                                                                                          \
    }
#define MODES(X, S)                                                                                \
    INTS(X, S, rni)                                                                                \
    INTS(X, S, rzi)                                                                                \
    INTS(X, S, rmi)                                                                                \
    INTS(X, S, rpi)
MODES(REAL_TO_INT, f16)
MODES(REAL_TO_INT, f32)
MODES(REAL_TO_INT, f64)

/* ---- integer to real: in the mode in force, halves in the mode of their name ----------------- */
#define INT_TO_REAL(S, ST, SS, ...)                                                                \
    ALU(cvt_f32_##S, lane_f32, SS, d[i] = (float)(ST)a[i];)                                        \
    ALU(cvt_f64_##S, lane_f64, SS, d[i] = (double)(ST)a[i];)                                       \
    ALU(cvt_rn_f16_##S, lane_u32, SS, d[i] = ptx_double_to_half((double)(ST)a[i], FE_TONEAREST);)  \
    ALU(cvt_rz_f16_##S, lane_u32, SS, d[i] = ptx_double_to_half((double)(ST)a[i], FE_TOWARDZERO);) \
    ALU(cvt_rm_f16_##S, lane_u32, SS, d[i] = ptx_double_to_half((double)(ST)a[i], FE_DOWNWARD);)   \
    ALU(cvt_rp_f16_##S, lane_u32, SS, d[i] = ptx_double_to_half((double)(ST)a[i], FE_UPWARD);)
INTS(INT_TO_REAL, )

/* ---- real to real ---------------------------------------------------------------------------- */
static inline uint32_t canon(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return f == f ? u : 0x7fffffff;
}
static inline uint64_t canon_f64(double f)
{
    uint64_t u;
    memcpy(&u, &f, sizeof u);
    return f == f ? u : 0x7ff8000000000000;
}
ALU(cvt_f32_f32, lane_u32, lane_f32, d[i] = canon(a[i]);)
ALU(cvt_f64_f64, lane_u64, lane_f64, d[i] = canon_f64(a[i]);)
ALU(cvt_f32_f64, lane_u32, lane_f64, d[i] = canon((float)a[i]);)
ALU(cvt_f64_f32, lane_u64, lane_f32, d[i] = canon_f64((double)a[i]);)
ALU(cvt_f32_f16, lane_u32, lane_u32, d[i] = canon((float)ptx_half_to_double((uint16_t)a[i]));)
ALU(cvt_f64_f16, lane_u64, lane_u32, d[i] = canon_f64(ptx_half_to_double((uint16_t)a[i]));)
ALU(cvt_f16_f16, lane_u32, lane_u32,
    d[i] = ptx_double_to_half(ptx_half_to_double((uint16_t)a[i]), FE_TONEAREST);)

#define TO_HALF(MODE, FE)                                                                          \
    ALU(cvt_##MODE##_f16_f32, lane_u32, lane_f32, d[i] = ptx_double_to_half((double)a[i], FE);)    \
    ALU(cvt_##MODE##_f16_f64, lane_u32, lane_f64, d[i] = ptx_double_to_half(a[i], FE);)            \
    ALU(cvt_##MODE##_f16x2_f32, lane_u32, lane_f32,                                                \
        d[i] = ptx_double_to_half((double)b[i], FE) |                                              \
               (uint32_t)ptx_double_to_half((double)a[i], FE) << 16;)
TO_HALF(rn, FE_TONEAREST)
TO_HALF(rz, FE_TOWARDZERO)
TO_HALF(rm, FE_DOWNWARD)
TO_HALF(rp, FE_UPWARD)

/* bf16 is the upper half of an f32 */
static inline uint32_t brain(uint32_t u)
{
    if ((u & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (u + 0x7fff + (u >> 16 & 1)) >> 16;
}
ALU(cvt_rn_bf16_f32, lane_u32, lane_u32, d[i] = brain(a[i]);)
static inline uint32_t brain_cut(uint32_t u)
{
    return (u & 0x7fffffff) > 0x7f800000 ? 0x7fffu : u >> 16;
}
ALU(cvt_rz_bf16_f32, lane_u32, lane_u32, d[i] = brain_cut(a[i]);)
/* ten bits of fraction, ties away from zero; what is not finite stays */
ALU(cvt_rna_tf32, lane_u32, lane_u32,
    d[i] = (a[i] & 0x7f800000u) == 0x7f800000u ? a[i] : (a[i] + 0x1000u) & 0xffffe000u;)
ALU(cvt_rn_bf16x2_f32, lane_u32, lane_u32, d[i] = brain(b[i]) | brain(a[i]) << 16;)
ALU(cvt_rz_bf16x2_f32, lane_u32, lane_u32, d[i] = brain_cut(b[i]) | brain_cut(a[i]) << 16;)
/* two integers, clamped, into 8 or 16 bits each; those of 8 bits before the lower half of c */
static inline uint32_t clamped(uint32_t v, int32_t least, int32_t most, uint32_t mask)
{
    int32_t x = (int32_t)v;
    return (uint32_t)(x < least ? least : x > most ? most : x) & mask;
}
#define PACK(T, LEAST, MOST, MASK, BITS)                                                           \
    ALU(pack_##T, lane_u32, lane_u32,                                                              \
        d[i] = clamped(a[i], LEAST, MOST, MASK) << BITS | clamped(b[i], LEAST, MOST, MASK);        \
        if (BITS == 8) d[i] |= c[i] << 16;)
PACK(s8, INT8_MIN, INT8_MAX, 0xff, 8)
PACK(u8, 0, UINT8_MAX, 0xff, 8)
PACK(s16, INT16_MIN, INT16_MAX, 0xffff, 16)
PACK(u16, 0, UINT16_MAX, 0xffff, 16)
ALU(cvt_f32_bf16, lane_u32, lane_u32, d[i] = a[i] << 16;)

/* to a whole number of the same type */
#define TO_WHOLE(MODE)                                                                             \
    ALU(cvt_##MODE##_f32_f32, lane_u32, lane_f32,                                                  \
        d[i] = canon(copysignf((float)ROUND_##MODE((double)a[i]), a[i]));)                         \
    ALU(cvt_##MODE##_f64_f64, lane_u64, lane_f64,                                                  \
        d[i] = canon_f64(copysign(ROUND_##MODE(a[i]), a[i]));)                                     \
    ALU(cvt_##MODE##_f16_f16, lane_u32, lane_u32, double v = ptx_half_to_double((uint16_t)a[i]);   \
        d[i] = ptx_double_to_half(copysign(ROUND_##MODE(v), v), FE_TONEAREST);)
TO_WHOLE(rni)
TO_WHOLE(rzi)
TO_WHOLE(rmi)
TO_WHOLE(rpi)

#define ROW_INT_INT(S, ST, SS, D, DT, DS)                                                          \
    {"cvt." #D "." #S, cvt_##D##_##S}, {"cvt.sat." #D "." #S, cvt_sat_##D##_##S},
#define ROWS_TO_INT(D, DT, DS, ...) FROM_INTS(ROW_INT_INT, D, DT, DS)
#define ROW_REAL_INT(D, DT, DS, S, MODE) {"cvt." #MODE "." #D "." #S, cvt_##MODE##_##D##_##S},
#define ROW_INT_REAL(S, ST, SS, ...)                                                               \
    {"cvt.f32." #S, cvt_f32_##S}, {"cvt.f64." #S, cvt_f64_##S},                                    \
        {"cvt.rn.f16." #S, cvt_rn_f16_##S}, {"cvt.rz.f16." #S, cvt_rz_f16_##S},                    \
        {"cvt.rm.f16." #S, cvt_rm_f16_##S}, {"cvt.rp.f16." #S, cvt_rp_f16_##S},
#define ROW_HALF(MODE)                                                                             \
    {"cvt." #MODE ".f16.f32", cvt_##MODE##_f16_f32},                                               \
        {"cvt." #MODE ".f16.f64", cvt_##MODE##_f16_f64},                                           \
        {"cvt." #MODE ".f16x2.f32", cvt_##MODE##_f16x2_f32},
#define ROW_WHOLE(MODE)                                                                            \
    {"cvt." #MODE ".f32.f32", cvt_##MODE##_f32_f32},                                               \
        {"cvt." #MODE ".f64.f64", cvt_##MODE##_f64_f64},                                           \
        {"cvt." #MODE ".f16.f16", cvt_##MODE##_f16_f16},

/* clang-format off */
const struct ptx_alu_row ptx_alu_convert[] = {
    INTS(ROWS_TO_INT, )
    MODES(ROW_REAL_INT, f16)
    MODES(ROW_REAL_INT, f32)
    MODES(ROW_REAL_INT, f64)
    INTS(ROW_INT_REAL, )
    ROW_HALF(rn) ROW_HALF(rz) ROW_HALF(rm) ROW_HALF(rp)
    ROW_WHOLE(rni) ROW_WHOLE(rzi) ROW_WHOLE(rmi) ROW_WHOLE(rpi)
    {"cvt.f32.f32", cvt_f32_f32}, {"cvt.f64.f64", cvt_f64_f64}, {"cvt.f32.f64", cvt_f32_f64},
    {"cvt.f64.f32", cvt_f64_f32}, {"cvt.f32.f16", cvt_f32_f16}, {"cvt.f64.f16", cvt_f64_f16},
    {"cvt.f16.f16", cvt_f16_f16}, {"cvt.rn.bf16.f32", cvt_rn_bf16_f32},
    {"cvt.rz.bf16.f32", cvt_rz_bf16_f32},
    {"cvt.pack.s8", pack_s8}, {"cvt.pack.u8", pack_u8}, {"cvt.pack.s16", pack_s16},
    {"cvt.pack.u16", pack_u16}, {"cvt.rz.bf16x2.f32", cvt_rz_bf16x2_f32},
    {"cvt.rn.bf16x2.f32", cvt_rn_bf16x2_f32}, {"cvt.f32.bf16", cvt_f32_bf16},
    {"cvt.rna.tf32", cvt_rna_tf32},
    {NULL, NULL},
};
/* clang-format on */
