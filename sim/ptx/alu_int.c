/* SPDX-License-Identifier: MIT
 *
 * Integer and bit operations. Where PTX leaves a result open (division by zero) it is all ones, the
 * remainder the dividend. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif
#include "sim/ptx/lanes.h"

/* ---- the same for every width ------------------------------------------------------------------
 * W: suffix; S: slot; U, I: unsigned and signed type of that width; N: bits. */
#define WIDTH(W, S, U, I, N)                                                                       \
    ALU(add_##W, S, S, d[i] = (U)(a[i] + b[i]);)                                                   \
    ALU(sub_##W, S, S, d[i] = (U)(a[i] - b[i]);)                                                   \
    ALU(mul_lo_##W, S, S, d[i] = (U)((S)a[i] * (S)b[i]);)                                          \
    ALU(mad_lo_##W, S, S, d[i] = (U)((S)a[i] * (S)b[i] + c[i]);)                                   \
    ALU(div_u##W, S, S, U x = (U)a[i], y = (U)b[i]; d[i] = (U)(y ? x / y : (U)-1);)                \
    ALU(rem_u##W, S, S, U x = (U)a[i], y = (U)b[i]; d[i] = (U)(y ? x % y : x);)                    \
    ALU(div_s##W, S, S, I x = (I)a[i], y = (I)b[i]; d[i] = (U)(y == 0    ? (U)-1                   \
                                                               : y == -1 ? (U)(0 - (U)x)           \
                                                                         : (U)(x / y));)           \
    ALU(rem_s##W, S, S, I x = (I)a[i], y = (I)b[i]; d[i] = (U)(y == 0    ? (U)x                    \
                                                               : y == -1 ? (U)0                    \
                                                                         : (U)(x % y));)           \
    ALU(abs_s##W, S, S, I x = (I)a[i]; d[i] = (U)(x < 0 ? (U)(0 - (U)x) : (U)x);)                  \
    ALU(neg_s##W, S, S, d[i] = (U)(0 - (U)a[i]);)                                                  \
    ALU(min_u##W, S, S, U x = (U)a[i], y = (U)b[i]; d[i] = x < y ? x : y;)                         \
    ALU(max_u##W, S, S, U x = (U)a[i], y = (U)b[i]; d[i] = x > y ? x : y;)                         \
    ALU(min_s##W, S, S, I x = (I)a[i], y = (I)b[i]; d[i] = (U)(x < y ? x : y);)                    \
    ALU(max_s##W, S, S, I x = (I)a[i], y = (I)b[i]; d[i] = (U)(x > y ? x : y);)                    \
    ALU(sad_u##W, S, S, U x = (U)a[i], y = (U)b[i];                                                \
        d[i] = (U)((U)c[i] + (x < y ? (U)(y - x) : (U)(x - y)));)                                  \
    ALU(sad_s##W, S, S, I x = (I)a[i], y = (I)b[i];                                                \
        d[i] = (U)((U)c[i] + (x < y ? (U)((U)y - (U)x) : (U)((U)x - (U)y)));)                      \
    ALU(and_##W, S, S, d[i] = a[i] & b[i];)                                                        \
    ALU(or_##W, S, S, d[i] = a[i] | b[i];)                                                         \
    ALU(xor_##W, S, S, d[i] = a[i] ^ b[i];)                                                        \
    ALU(not_##W, S, S, d[i] = (U)~a[i];)                                                           \
    ALU(cnot_##W, S, S, d[i] = (U)a[i] == 0;)                                                      \
    ALU(mov_##W, S, S, d[i] = (U)a[i];)

WIDTH(16, lane_u32, uint16_t, int16_t, 16)
WIDTH(32, lane_u32, uint32_t, int32_t, 32)
WIDTH(64, lane_u64, uint64_t, int64_t, 64)

/* ---- high halves and wide products ----------------------------------------------------------- */
static inline uint64_t high_u64(uint64_t a, uint64_t b)
{
    return (uint64_t)(((unsigned __int128)a * b) >> 64);
}
static inline uint64_t high_s64(int64_t a, int64_t b)
{
    return (uint64_t)(((__int128)a * b) >> 64);
}

ALU(mul_hi_u16, lane_u32, lane_u32, d[i] = (a[i] & 0xffff) * (b[i] & 0xffff) >> 16;)
ALU(mul_hi_s16, lane_u32, lane_u32,
    d[i] = (uint16_t)((int32_t)(int16_t)a[i] * (int32_t)(int16_t)b[i] >> 16);)
ALU(mul_hi_u32, lane_u32, lane_u32, d[i] = (uint32_t)((uint64_t)a[i] * b[i] >> 32);)
ALU(mul_hi_s32, lane_u32, lane_u32,
    d[i] = (uint32_t)((int64_t)(int32_t)a[i] * (int64_t)(int32_t)b[i] >> 32);)
ALU(mul_hi_u64, lane_u64, lane_u64, d[i] = high_u64(a[i], b[i]);)
ALU(mul_hi_s64, lane_u64, lane_u64, d[i] = high_s64((int64_t)a[i], (int64_t)b[i]);)
ALU(mad_hi_u16, lane_u32, lane_u32,
    d[i] = (uint16_t)(((a[i] & 0xffff) * (b[i] & 0xffff) >> 16) + c[i]);)
ALU(mad_hi_s16, lane_u32, lane_u32,
    d[i] = (uint16_t)((uint32_t)((int32_t)(int16_t)a[i] * (int32_t)(int16_t)b[i] >> 16) + c[i]);)
ALU(mad_hi_u32, lane_u32, lane_u32, d[i] = (uint32_t)((uint64_t)a[i] * b[i] >> 32) + c[i];)
ALU(mad_hi_s32, lane_u32, lane_u32,
    d[i] = (uint32_t)((int64_t)(int32_t)a[i] * (int64_t)(int32_t)b[i] >> 32) + c[i];)
ALU(mad_hi_u64, lane_u64, lane_u64, d[i] = high_u64(a[i], b[i]) + c[i];)
ALU(mad_hi_s64, lane_u64, lane_u64, d[i] = high_s64((int64_t)a[i], (int64_t)b[i]) + c[i];)

static inline int32_t clamp_s32(int64_t v)
{
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int32_t)v;
}
ALU(add_sat_s32, lane_u32, lane_u32,
    d[i] = (uint32_t)clamp_s32((int64_t)(int32_t)a[i] + (int32_t)b[i]);)
ALU(sub_sat_s32, lane_u32, lane_u32,
    d[i] = (uint32_t)clamp_s32((int64_t)(int32_t)a[i] - (int32_t)b[i]);)
ALU(mad_hi_sat_s32, lane_u32, lane_u32,
    d[i] = (uint32_t)clamp_s32(((int64_t)(int32_t)a[i] * (int64_t)(int32_t)b[i] >> 32) +
                               (int32_t)c[i]);)

ALU(mul_wide_u16, lane_u32, lane_u32, d[i] = (a[i] & 0xffff) * (b[i] & 0xffff);)
ALU(mul_wide_s16, lane_u32, lane_u32, d[i] = (uint32_t)((int16_t)a[i] * (int16_t)b[i]);)
ALU(mul_wide_u32, lane_u64, lane_u32, d[i] = (uint64_t)a[i] * b[i];)
ALU(mul_wide_s32, lane_u64, lane_u32, d[i] = (uint64_t)((int64_t)(int32_t)a[i] * (int32_t)b[i]);)
ALU(mad_wide_u16, lane_u32, lane_u32, d[i] = (a[i] & 0xffff) * (b[i] & 0xffff) + c[i];)
ALU(mad_wide_s16, lane_u32, lane_u32, d[i] = (uint32_t)((int16_t)a[i] * (int16_t)b[i]) + c[i];)
ALU(mad_wide_u32, lane_u64, lane_u32, d[i] = (uint64_t)a[i] * b[i] + ((const lane_u64 *)c_)[i];)
ALU(mad_wide_s32, lane_u64, lane_u32,
    d[i] = (uint64_t)((int64_t)(int32_t)a[i] * (int32_t)b[i]) + ((const lane_u64 *)c_)[i];)

static inline int64_t s24(uint32_t v)
{
    return (int32_t)(v << 8) >> 8;
}
static inline uint64_t u24(uint32_t v)
{
    return v & 0xffffff;
}
ALU(mul24_lo_u32, lane_u32, lane_u32, d[i] = (uint32_t)(u24(a[i]) * u24(b[i]));)
ALU(mul24_lo_s32, lane_u32, lane_u32, d[i] = (uint32_t)(s24(a[i]) * s24(b[i]));)
ALU(mul24_hi_u32, lane_u32, lane_u32, d[i] = (uint32_t)(u24(a[i]) * u24(b[i]) >> 16);)
ALU(mul24_hi_s32, lane_u32, lane_u32, d[i] = (uint32_t)(s24(a[i]) * s24(b[i]) >> 16);)
ALU(mad24_lo_u32, lane_u32, lane_u32, d[i] = (uint32_t)(u24(a[i]) * u24(b[i])) + c[i];)
ALU(mad24_lo_s32, lane_u32, lane_u32, d[i] = (uint32_t)(s24(a[i]) * s24(b[i])) + c[i];)
ALU(mad24_hi_u32, lane_u32, lane_u32, d[i] = (uint32_t)(u24(a[i]) * u24(b[i]) >> 16) + c[i];)
ALU(mad24_hi_s32, lane_u32, lane_u32, d[i] = (uint32_t)(s24(a[i]) * s24(b[i]) >> 16) + c[i];)

/* ---- shifts: amounts beyond the width shift everything out ----------------------------------- */
ALU(shl_16, lane_u32, lane_u32, d[i] = b[i] > 15 ? 0 : (uint16_t)(a[i] << (b[i] & 15));)
ALU(shl_32, lane_u32, lane_u32, d[i] = b[i] > 31 ? 0 : a[i] << (b[i] & 31);)
ALU(shr_u16, lane_u32, lane_u32, d[i] = b[i] > 15 ? 0 : (a[i] & 0xffff) >> (b[i] & 15);)
ALU(shr_u32, lane_u32, lane_u32, d[i] = b[i] > 31 ? 0 : a[i] >> (b[i] & 31);)
ALU(shr_s16, lane_u32, lane_u32, d[i] = (uint16_t)((int16_t)a[i] >> (b[i] > 15 ? 15 : b[i]));)
ALU(shr_s32, lane_u32, lane_u32, d[i] = (uint32_t)((int32_t)a[i] >> (b[i] > 31 ? 31 : b[i]));)
/* the amount is a 32-bit register beside 64-bit data */
#define AMOUNT ((const lane_u32 *)b_)[i]
ALU(shl_64, lane_u64, lane_u64, uint32_t n = AMOUNT; d[i] = n > 63 ? 0 : a[i] << (n & 63);)
ALU(shr_u64, lane_u64, lane_u64, uint32_t n = AMOUNT; d[i] = n > 63 ? 0 : a[i] >> (n & 63);)
ALU(shr_s64, lane_u64, lane_u64, uint32_t n = AMOUNT;
    d[i] = (uint64_t)((int64_t)a[i] >> (n > 63 ? 63 : n));)

static inline uint64_t pair(uint32_t lo, uint32_t hi)
{
    return (uint64_t)hi << 32 | lo;
}
static inline uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}
ALU(shf_l_wrap, lane_u32, lane_u32, d[i] = (uint32_t)(pair(a[i], b[i]) << (c[i] & 31) >> 32);)
ALU(shf_r_wrap, lane_u32, lane_u32, d[i] = (uint32_t)(pair(a[i], b[i]) >> (c[i] & 31));)
ALU(shf_l_clamp, lane_u32, lane_u32, d[i] = (uint32_t)(pair(a[i], b[i]) << least(c[i], 32) >> 32);)
ALU(shf_r_clamp, lane_u32, lane_u32, d[i] = (uint32_t)(pair(a[i], b[i]) >> least(c[i], 32));)

/* ---- counting, fields, permutation ----------------------------------------------------------- */
ALU(popc_32, lane_u32, lane_u32, d[i] = (uint32_t)__builtin_popcount(a[i]);)
ALU(popc_64, lane_u32, lane_u64, d[i] = (uint32_t)__builtin_popcountll(a[i]);)
ALU(clz_32, lane_u32, lane_u32, d[i] = a[i] ? (uint32_t)__builtin_clz(a[i]) : 32;)
ALU(clz_64, lane_u32, lane_u64, d[i] = a[i] ? (uint32_t)__builtin_clzll(a[i]) : 64;)

static inline uint32_t find_64(uint64_t v, bool amount, uint32_t top)
{
    if (v == 0)
        return UINT32_MAX;
    uint32_t bit = 63 - (uint32_t)__builtin_clzll(v);
    return amount ? top - bit : bit;
}
ALU(bfind_u32, lane_u32, lane_u32, d[i] = find_64(a[i], false, 31);)
ALU(bfind_u64, lane_u32, lane_u64, d[i] = find_64(a[i], false, 63);)
ALU(bfind_s32, lane_u32, lane_u32,
    d[i] = find_64((int32_t)a[i] < 0 ? (uint32_t)~a[i] : a[i], false, 31);)
ALU(bfind_s64, lane_u32, lane_u64, d[i] = find_64((int64_t)a[i] < 0 ? ~a[i] : a[i], false, 63);)
ALU(bfind_shiftamt_u32, lane_u32, lane_u32, d[i] = find_64(a[i], true, 31);)
ALU(bfind_shiftamt_u64, lane_u32, lane_u64, d[i] = find_64(a[i], true, 63);)
ALU(bfind_shiftamt_s32, lane_u32, lane_u32,
    d[i] = find_64((int32_t)a[i] < 0 ? (uint32_t)~a[i] : a[i], true, 31);)
ALU(bfind_shiftamt_s64, lane_u32, lane_u64,
    d[i] = find_64((int64_t)a[i] < 0 ? ~a[i] : a[i], true, 63);)

static inline uint32_t reverse_32(uint32_t v)
{
    v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
    v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(v);
}
ALU(brev_32, lane_u32, lane_u32, d[i] = reverse_32(a[i]);)
ALU(brev_64, lane_u64, lane_u64,
    d[i] = pair(reverse_32((uint32_t)(a[i] >> 32)), reverse_32((uint32_t)a[i]));)

/* PTX ISA, bfe: position and length are taken modulo 256; bits beyond the source repeat the sign
 * (the topmost bit of the field, or of the source when the field sticks out), or zero. */
static inline uint64_t field(uint64_t v, uint32_t pos, uint32_t len, uint32_t bits, bool is_signed)
{
    pos &= 255;
    len &= 255;
    if (len == 0)
        return 0;
    uint32_t last = pos + len - 1 < bits - 1 ? pos + len - 1 : bits - 1;
    uint64_t sign = is_signed && (v >> last & 1) ? ~(uint64_t)0 : 0;
    if (pos >= bits)
        return sign;
    uint32_t n = len < bits - pos ? len : bits - pos; /* bits that are there */
    uint64_t mask = n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
    return (v >> pos & mask) | (sign & ~mask);
}
#define POS ((const lane_u32 *)b_)[i]
#define LEN ((const lane_u32 *)c_)[i]
ALU(bfe_u32, lane_u32, lane_u32, d[i] = (uint32_t)field(a[i], POS, LEN, 32, false);)
ALU(bfe_s32, lane_u32, lane_u32, d[i] = (uint32_t)field(a[i], POS, LEN, 32, true);)
ALU(bfe_u64, lane_u64, lane_u64, d[i] = field(a[i], POS, LEN, 64, false);)
ALU(bfe_s64, lane_u64, lane_u64, d[i] = field(a[i], POS, LEN, 64, true);)

static inline uint64_t insert(uint64_t v, uint64_t into, uint32_t pos, uint32_t len, uint32_t bits)
{
    pos &= 255;
    len &= 255;
    if (pos >= bits || len == 0)
        return into;
    uint64_t mask = (len >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << len) - 1) << pos;
    return (into & ~mask) | (v << pos & mask);
}
ALU(bfi_32, lane_u32, lane_u32, d[i] = (uint32_t)insert(a[i], b[i], c[i], e[i], 32);)
ALU(bfi_64, lane_u64, lane_u64,
    d[i] = insert(a[i], b[i], ((const lane_u32 *)c_)[i], ((const lane_u32 *)e_)[i], 64);)
ALU(bmsk_clamp, lane_u32, lane_u32, uint32_t p = b[i], m = a[i];
    d[i] = m > 31 || p == 0 ? 0
                            : (uint32_t)(((((uint64_t)1 << least(p, 32)) - 1) << least(m, 31)));)
ALU(bmsk_wrap, lane_u32, lane_u32, uint32_t p = b[i] & 31, m = a[i] & 31;
    d[i] = (uint32_t)((((uint64_t)1 << p) - 1) << m);)
ALU(szext_wrap_u32, lane_u32, lane_u32, uint32_t n = b[i] & 31;
    d[i] = a[i] & (uint32_t)(((uint64_t)1 << n) - 1);)
ALU(szext_wrap_s32, lane_u32, lane_u32, uint32_t n = b[i] & 31;
    d[i] = n == 0 ? 0 : (uint32_t)((int32_t)(a[i] << (32 - n)) >> (32 - n));)
ALU(szext_clamp_u32, lane_u32, lane_u32, uint32_t n = least(b[i], 32);
    d[i] = a[i] & (uint32_t)(((uint64_t)1 << n) - 1);)
ALU(szext_clamp_s32, lane_u32, lane_u32, uint32_t n = least(b[i], 32);
    d[i] = n == 0 ? 0 : (uint32_t)((int32_t)(a[i] << (32 - n)) >> (32 - n));)

ALU(lop3, lane_u32, lane_u32, uint32_t k = e[i], x = a[i], y = b[i], z = c[i]; uint32_t r = 0;
    r |= (uint32_t) - (int32_t)(k & 1) & ~x & ~y & ~z;
    r |= (uint32_t) - (int32_t)(k >> 1 & 1) & ~x & ~y & z;
    r |= (uint32_t) - (int32_t)(k >> 2 & 1) & ~x & y & ~z;
    r |= (uint32_t) - (int32_t)(k >> 3 & 1) & ~x & y & z;
    r |= (uint32_t) - (int32_t)(k >> 4 & 1) & x & ~y & ~z;
    r |= (uint32_t) - (int32_t)(k >> 5 & 1) & x & ~y & z;
    r |= (uint32_t) - (int32_t)(k >> 6 & 1) & x & y & ~z;
    r |= (uint32_t) - (int32_t)(k >> 7 & 1) & x & y & z; d[i] = r;)

static inline uint32_t byte_of(uint64_t v, uint32_t sel)
{
    uint32_t b = (uint32_t)(v >> (8 * (sel & 7))) & 0xff;
    return sel & 8 ? (b & 0x80 ? 0xff : 0) : b;
}
static inline uint32_t permute(uint32_t a, uint32_t b, uint32_t s0, uint32_t s1, uint32_t s2,
                               uint32_t s3)
{
    uint64_t v = pair(a, b);
    return byte_of(v, s0) | byte_of(v, s1) << 8 | byte_of(v, s2) << 16 | byte_of(v, s3) << 24;
}
#define PRMT(NAME, S0, S1, S2, S3)                                                                 \
    ALU(NAME, lane_u32, lane_u32, uint32_t s = c[i]; uint32_t k = s & 3; (void)k;                  \
        d[i] = permute(a[i], b[i], S0, S1, S2, S3);)
PRMT(prmt_index, s & 15, s >> 4 & 15, s >> 8 & 15, s >> 12 & 15)
PRMT(prmt_f4e, k, k + 1, k + 2, k + 3)
PRMT(prmt_b4e, k, (k + 7) & 7, (k + 6) & 7, (k + 5) & 7)
PRMT(prmt_rc8, k, k, k, k)
PRMT(prmt_ecl, k, k < 1 ? 1 : k, k < 2 ? 2 : k, 3)
PRMT(prmt_ecr, 0, k < 1 ? k : 1, k < 2 ? k : 2, k)
PRMT(prmt_rc16, (k & 1) * 2, (k & 1) * 2 + 1, (k & 1) * 2, (k & 1) * 2 + 1)

#define BYTES_DOT(T1, T2)                                                                          \
    uint32_t s = c[i];                                                                             \
    for (int k = 0; k < 4; k++)                                                                    \
        s += (uint32_t)((T1)(a[i] >> (8 * k)) * (T2)(b[i] >> (8 * k)));                            \
    d[i] = s;
ALU(dp4a_uu, lane_u32, lane_u32, BYTES_DOT(uint8_t, uint8_t))
ALU(dp4a_us, lane_u32, lane_u32, BYTES_DOT(uint8_t, int8_t))
ALU(dp4a_su, lane_u32, lane_u32, BYTES_DOT(int8_t, uint8_t))
ALU(dp4a_ss, lane_u32, lane_u32, BYTES_DOT(int8_t, int8_t))

/* two numbers of 16 bits by two of the four bytes: the lower or the upper */
#define PAIRS_DOT(T1, T2, AT)                                                                      \
    uint32_t s = c[i];                                                                             \
    for (int k = 0; k < 2; k++)                                                                    \
        s += (uint32_t)(T1)(a[i] >> (16 * k)) * (uint32_t)(T2)(b[i] >> (8 * k + AT));              \
    d[i] = s;
#define DP2A(NAME, T1, T2)                                                                         \
    ALU(dp2a_lo_##NAME, lane_u32, lane_u32, PAIRS_DOT(T1, T2, 0))                                  \
    ALU(dp2a_hi_##NAME, lane_u32, lane_u32, PAIRS_DOT(T1, T2, 16))
DP2A(uu, uint16_t, uint8_t)
DP2A(us, uint16_t, int8_t)
DP2A(su, int16_t, uint8_t)
DP2A(ss, int16_t, int8_t)

/* Distances of the parts of two words, of `bits` each, or their sum and c. */
static uint32_t distances(uint32_t a, uint32_t b, uint32_t bits, bool is_signed, bool is_sum)
{
    uint32_t d = 0, mask = (1u << bits) - 1, top = is_signed ? 1u << (bits - 1) : 0;
    for (uint32_t k = 0; k < 32; k += bits) {
        int32_t x = (int32_t)((a >> k & mask) ^ top), y = (int32_t)((b >> k & mask) ^ top);
        d += (uint32_t)(x > y ? x - y : y - x) << (is_sum ? 0 : k);
    }
    return d;
}
#define DISTANCES(N, BITS, LETTER, SIGNED)                                                         \
    ALU(vabsdiff##N##_##LETTER, lane_u32, lane_u32,                                                \
        d[i] = distances(a[i], b[i], BITS, SIGNED, false);)                                        \
    ALU(vabsdiff##N##_##LETTER##_add, lane_u32, lane_u32,                                          \
        d[i] = c[i] + distances(a[i], b[i], BITS, SIGNED, true);)
DISTANCES(2, 16, u, false)
DISTANCES(2, 16, s, true)
DISTANCES(4, 8, u, false)
DISTANCES(4, 8, s, true)

/* the c-th bit of mask a from bit b on, upwards or downwards */
static uint32_t find_nth_bit(uint32_t mask, uint32_t base, int32_t nth)
{
    uint32_t left = nth < 0 ? -(uint32_t)nth : (uint32_t)nth;
    if (base > 31)
        return UINT32_MAX;
    if (nth == 0)
        return mask >> base & 1 ? base : UINT32_MAX;
    for (int32_t at = (int32_t)base; at >= 0 && at < 32; at += nth < 0 ? -1 : 1)
        if (mask >> at & 1 && --left == 0)
            return (uint32_t)at;
    return UINT32_MAX;
}
ALU(fns, lane_u32, lane_u32, d[i] = find_nth_bit(a[i], b[i], (int32_t)c[i]);)

ALU(slct_32_s32, lane_u32, lane_u32, d[i] = (int32_t)c[i] >= 0 ? a[i] : b[i];)
ALU(slct_64_s32, lane_u64, lane_u64, d[i] = ((const lane_s32 *)c_)[i] >= 0 ? a[i] : b[i];)
ALU(slct_32_f32, lane_u32, lane_u32, d[i] = ((const lane_f32 *)c_)[i] >= 0 ? a[i] : b[i];)
ALU(slct_64_f32, lane_u64, lane_u64, d[i] = ((const lane_f32 *)c_)[i] >= 0 ? a[i] : b[i];)
ALU(pack_32, lane_u32, lane_u32, d[i] = (a[i] & 0xffff) | b[i] << 16;)
ALU(pack_64, lane_u64, lane_u32, d[i] = pair(a[i], b[i]);)
ALU(low_32, lane_u32, lane_u64, d[i] = (uint32_t)a[i];)
ALU(high_32, lane_u32, lane_u64, d[i] = (uint32_t)(a[i] >> 32);)
ALU(low_16, lane_u32, lane_u32, d[i] = a[i] & 0xffff;)
ALU(high_16, lane_u32, lane_u32, d[i] = a[i] >> 16;)
/* one 16-bit quarter of a 64-bit value; which one is in b */
ALU(quarter_16, lane_u32, lane_u64,
    d[i] = (uint32_t)(a[i] >> (16 * (((const lane_u32 *)b_)[i] & 3))) & 0xffff;)
ALU(pack4_64, lane_u64, lane_u32,
    d[i] = pair((a[i] & 0xffff) | b[i] << 16, (c[i] & 0xffff) | e[i] << 16);)

#define ROWS(OP, ID)                                                                               \
    {OP ".u16", ID##_16}, {OP ".s16", ID##_16}, {OP ".b16", ID##_16}, {OP ".u32", ID##_32},        \
        {OP ".s32", ID##_32}, {OP ".b32", ID##_32}, {OP ".u64", ID##_64}, {OP ".s64", ID##_64},    \
    {                                                                                              \
        OP ".b64", ID##_64                                                                         \
    }
#define ROWS_US(OP, ID)                                                                            \
    {OP ".u16", ID##_u16}, {OP ".s16", ID##_s16}, {OP ".u32", ID##_u32}, {OP ".s32", ID##_s32},    \
        {OP ".u64", ID##_u64},                                                                     \
    {                                                                                              \
        OP ".s64", ID##_s64                                                                        \
    }
#define ROWS_S(OP, ID)                                                                             \
    {OP ".s16", ID##_s16}, {OP ".s32", ID##_s32},                                                  \
    {                                                                                              \
        OP ".s64", ID##_s64                                                                        \
    }
#define ROWS_32_64(OP, ID)                                                                         \
    {OP ".b32", ID##_32},                                                                          \
    {                                                                                              \
        OP ".b64", ID##_64                                                                         \
    }

const struct ptx_alu_row ptx_alu_int[] = {
    ROWS("add", add),
    ROWS("sub", sub),
    ROWS("mul.lo", mul_lo),
    ROWS("mad.lo", mad_lo),
    ROWS_US("mul.hi", mul_hi),
    ROWS_US("mad.hi", mad_hi),
    ROWS_US("div", div),
    ROWS_US("rem", rem),
    ROWS_S("abs", abs),
    ROWS_S("neg", neg),
    ROWS_US("min", min),
    ROWS_US("max", max),
    ROWS_US("sad", sad),
    ROWS("and", and),
    ROWS("or", or),
    ROWS("xor", xor),
    ROWS("not", not ),
    ROWS("cnot", cnot),
    ROWS("mov", mov),
    {"mov.f16", mov_16},
    {"mov.f32", mov_32},
    {"mov.f64", mov_64},
    {"mov.f16x2", mov_32},
    {"mov.bf16", mov_16},
    {"mov.bf16x2", mov_32},
    {"add.sat.s32", add_sat_s32},
    {"sub.sat.s32", sub_sat_s32},
    {"mad.hi.sat.s32", mad_hi_sat_s32},
    {"mul.wide.u16", mul_wide_u16},
    {"mul.wide.s16", mul_wide_s16},
    {"mul.wide.u32", mul_wide_u32},
    {"mul.wide.s32", mul_wide_s32},
    {"mad.wide.u16", mad_wide_u16},
    {"mad.wide.s16", mad_wide_s16},
    {"mad.wide.u32", mad_wide_u32},
    {"mad.wide.s32", mad_wide_s32},
    {"mul24.lo.u32", mul24_lo_u32},
    {"mul24.lo.s32", mul24_lo_s32},
    {"mul24.hi.u32", mul24_hi_u32},
    {"mul24.hi.s32", mul24_hi_s32},
    {"mad24.lo.u32", mad24_lo_u32},
    {"mad24.lo.s32", mad24_lo_s32},
    {"mad24.hi.u32", mad24_hi_u32},
    {"mad24.hi.s32", mad24_hi_s32},
    {"shl.b16", shl_16},
    {"shl.b32", shl_32},
    {"shl.b64", shl_64},
    {"shr.b16", shr_u16},
    {"shr.b32", shr_u32},
    {"shr.b64", shr_u64},
    ROWS_US("shr", shr),
    {"shf.l.wrap.b32", shf_l_wrap},
    {"shf.r.wrap.b32", shf_r_wrap},
    {"shf.l.clamp.b32", shf_l_clamp},
    {"shf.r.clamp.b32", shf_r_clamp},
    ROWS_32_64("popc", popc),
    ROWS_32_64("clz", clz),
    ROWS_32_64("brev", brev),
    ROWS_32_64("bfi", bfi),
    {"bfind.u32", bfind_u32},
    {"bfind.s32", bfind_s32},
    {"bfind.u64", bfind_u64},
    {"bfind.s64", bfind_s64},
    {"bfind.shiftamt.u32", bfind_shiftamt_u32},
    {"bfind.shiftamt.s32", bfind_shiftamt_s32},
    {"bfind.shiftamt.u64", bfind_shiftamt_u64},
    {"bfind.shiftamt.s64", bfind_shiftamt_s64},
    {"bfe.u32", bfe_u32},
    {"bfe.s32", bfe_s32},
    {"bfe.u64", bfe_u64},
    {"bfe.s64", bfe_s64},
    {"bmsk.clamp.b32", bmsk_clamp},
    {"bmsk.wrap.b32", bmsk_wrap},
    {"szext.wrap.u32", szext_wrap_u32},
    {"szext.wrap.s32", szext_wrap_s32},
    {"szext.clamp.u32", szext_clamp_u32},
    {"szext.clamp.s32", szext_clamp_s32},
    {"lop3.b32", lop3},
    {"prmt.b32", prmt_index},
    {"prmt.b32.f4e", prmt_f4e},
    {"prmt.b32.b4e", prmt_b4e},
    {"prmt.b32.rc8", prmt_rc8},
    {"prmt.b32.ecl", prmt_ecl},
    {"prmt.b32.ecr", prmt_ecr},
    {"prmt.b32.rc16", prmt_rc16},
    {"dp4a.u32.u32", dp4a_uu},
    {"dp4a.u32.s32", dp4a_us},
    {"dp4a.s32.u32", dp4a_su},
    {"dp4a.s32.s32", dp4a_ss},
    {"dp2a.lo.u32.u32", dp2a_lo_uu},
    {"dp2a.lo.u32.s32", dp2a_lo_us},
    {"dp2a.lo.s32.u32", dp2a_lo_su},
    {"dp2a.lo.s32.s32", dp2a_lo_ss},
    {"dp2a.hi.u32.u32", dp2a_hi_uu},
    {"dp2a.hi.u32.s32", dp2a_hi_us},
    {"dp2a.hi.s32.u32", dp2a_hi_su},
    {"dp2a.hi.s32.s32", dp2a_hi_ss},
    {"fns.b32", fns},
    {"vabsdiff2.u32", vabsdiff2_u},
    {"vabsdiff2.s32", vabsdiff2_s},
    {"vabsdiff2.add.u32", vabsdiff2_u_add},
    {"vabsdiff2.add.s32", vabsdiff2_s_add},
    {"vabsdiff4.u32", vabsdiff4_u},
    {"vabsdiff4.s32", vabsdiff4_s},
    {"vabsdiff4.add.u32", vabsdiff4_u_add},
    {"vabsdiff4.add.s32", vabsdiff4_s_add},
    {"slct.4.s32", slct_32_s32},
    {"slct.8.s32", slct_64_s32},
    {"slct.4.f32", slct_32_f32},
    {"slct.8.f32", slct_64_f32},
    {"pack.32", pack_32},
    {"pack.64", pack_64},
    {"pack4.64", pack4_64},
    {"low.32", low_32},
    {"high.32", high_32},
    {"low.16", low_16},
    {"high.16", high_16},
    {"quarter.16", quarter_16},
    {NULL, NULL},
};
