/* SPDX-License-Identifier: MIT
 *
 * Comparisons of whole warps, and the search in the tables of operations. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif
#include "sim/ptx/lanes.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Bit i: the sign of t[i]. */
static inline uint32_t pack(const int32_t *t)
{
    uint32_t m = 0;
#if defined(__SSE2__)
    for (int i = 0; i < PTX_LANES; i += 4)
        m |= (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_load_si128((const void *)(t + i))))
             << i;
#else
    for (int i = 0; i < PTX_LANES; i++)
        m |= (uint32_t)(t[i] < 0) << i;
#endif
    return m;
}

#define CMP(NAME, SLOT, T, EXPR)                                                                   \
    static uint32_t NAME(const void *a_, const void *b_)                                           \
    {                                                                                              \
        const SLOT *a = a_, *b = b_;                                                               \
        _Alignas(16) int32_t t[PTX_LANES];                                                         \
        LANES                                                                                      \
        {                                                                                          \
            T x = (T)a[i], y = (T)b[i];                                                            \
            t[i] = EXPR ? -1 : 0;                                                                  \
        }                                                                                          \
        return pack(t);                                                                            \
    }

#define ORDERED(W, SLOT, T)                                                                        \
    CMP(lt_##W, SLOT, T, (x < y))                                                                  \
    CMP(le_##W, SLOT, T, (x <= y))                                                                 \
    CMP(gt_##W, SLOT, T, (x > y))                                                                  \
    CMP(ge_##W, SLOT, T, (x >= y))
#define EQUAL(W, SLOT, T)                                                                          \
    CMP(eq_##W, SLOT, T, (x == y))                                                                 \
    CMP(ne_##W, SLOT, T, (x != y))
#define REAL(W, SLOT, T)                                                                           \
    ORDERED(W, SLOT, T)                                                                            \
    CMP(eq_##W, SLOT, T, (x == y))                                                                 \
    CMP(ne_##W, SLOT, T, (x < y || x > y))                                                         \
    CMP(equ_##W, SLOT, T, (!(x < y || x > y)))                                                     \
    CMP(neu_##W, SLOT, T, (!(x == y)))                                                             \
    CMP(ltu_##W, SLOT, T, (!(x >= y)))                                                             \
    CMP(leu_##W, SLOT, T, (!(x > y)))                                                              \
    CMP(gtu_##W, SLOT, T, (!(x <= y)))                                                             \
    CMP(geu_##W, SLOT, T, (!(x < y)))                                                              \
    CMP(num_##W, SLOT, T, (x == x && y == y))                                                      \
    CMP(nan_##W, SLOT, T, (x != x || y != y))

ORDERED(u16, lane_u32, uint16_t)
ORDERED(s16, lane_u32, int16_t)
ORDERED(u32, lane_u32, uint32_t)
ORDERED(s32, lane_u32, int32_t)
ORDERED(u64, lane_u64, uint64_t)
ORDERED(s64, lane_u64, int64_t)
EQUAL(16, lane_u32, uint16_t)
EQUAL(32, lane_u32, uint32_t)
EQUAL(64, lane_u64, uint64_t)
REAL(f32, lane_f32, float)
REAL(f64, lane_f64, double)

#define HALF(OP)                                                                                   \
    static uint32_t OP##_f16(const void *a_, const void *b_)                                       \
    {                                                                                              \
        double x[PTX_LANES], y[PTX_LANES];                                                         \
        for (int i = 0; i < PTX_LANES; i++) {                                                      \
            x[i] = ptx_half_to_double((uint16_t)((const lane_u32 *)a_)[i]);                        \
            y[i] = ptx_half_to_double((uint16_t)((const lane_u32 *)b_)[i]);                        \
        }                                                                                          \
        return OP##_f64(x, y);                                                                     \
    }
#define BRAIN(OP)                                                                                  \
    static uint32_t OP##_bf16(const void *a_, const void *b_)                                      \
    {                                                                                              \
        _Alignas(32) uint32_t x[PTX_LANES], y[PTX_LANES];                                          \
        for (int i = 0; i < PTX_LANES; i++) {                                                      \
            x[i] = ((const lane_u32 *)a_)[i] << 16;                                                \
            y[i] = ((const lane_u32 *)b_)[i] << 16;                                                \
        }                                                                                          \
        return OP##_f32(x, y);                                                                     \
    }
#define REAL_OPS(X)                                                                                \
    X(lt) X(le) X(gt) X(ge) X(eq) X(ne) X(equ) X(neu) X(ltu) X(leu) X(gtu) X(geu) X(num) X(nan)
REAL_OPS(HALF)
REAL_OPS(BRAIN)

/* testp: one operand; the second is ignored */
#define TESTP(NAME, EXPR32, EXPR64)                                                                \
    CMP(NAME##_f32, lane_u32, uint32_t, ((void)y, EXPR32))                                         \
    CMP(NAME##_f64, lane_u64, uint64_t, ((void)y, EXPR64))
#define MAG32 (x & 0x7fffffff)
#define MAG64 (x & 0x7fffffffffffffff)
TESTP(finite, MAG32 < 0x7f800000, MAG64 < 0x7ff0000000000000)
TESTP(infinite, MAG32 == 0x7f800000, MAG64 == 0x7ff0000000000000)
TESTP(number, MAG32 <= 0x7f800000, MAG64 <= 0x7ff0000000000000)
TESTP(notanumber, MAG32 > 0x7f800000, MAG64 > 0x7ff0000000000000)
TESTP(normal, MAG32 >= 0x00800000 && MAG32 < 0x7f800000,
      MAG64 >= 0x0010000000000000 && MAG64 < 0x7ff0000000000000)
TESTP(subnormal, MAG32 != 0 && MAG32 < 0x00800000, MAG64 != 0 && MAG64 < 0x0010000000000000)

#define ROWS_ORDERED(T)                                                                            \
    {"lt." #T, lt_##T}, {"le." #T, le_##T}, {"gt." #T, gt_##T}, {"ge." #T, ge_##T},
#define ROWS_UNSIGNED(T)                                                                           \
    {"lo." #T, lt_##T}, {"ls." #T, le_##T}, {"hi." #T, gt_##T}, {"hs." #T, ge_##T},
#define ROWS_EQUAL(T, W) {"eq." #T, eq_##W}, {"ne." #T, ne_##W},
#define ROW_REAL(OP)                                                                               \
    {#OP ".f32", OP##_f32}, {#OP ".f64", OP##_f64}, {#OP ".f16", OP##_f16},                        \
        {#OP ".bf16", OP##_bf16},
#define ROW_TESTP(OP) {"testp." #OP ".f32", OP##_f32}, {"testp." #OP ".f64", OP##_f64},

/* clang-format off */
const struct ptx_cmp_row ptx_cmp_all[] = {
    ROWS_ORDERED(u16) ROWS_ORDERED(s16) ROWS_ORDERED(u32) ROWS_ORDERED(s32) ROWS_ORDERED(u64)
    ROWS_ORDERED(s64) ROWS_UNSIGNED(u16) ROWS_UNSIGNED(u32) ROWS_UNSIGNED(u64)
    ROWS_EQUAL(u16, 16) ROWS_EQUAL(s16, 16) ROWS_EQUAL(b16, 16) ROWS_EQUAL(u32, 32)
    ROWS_EQUAL(s32, 32) ROWS_EQUAL(b32, 32) ROWS_EQUAL(u64, 64) ROWS_EQUAL(s64, 64)
    ROWS_EQUAL(b64, 64)
    REAL_OPS(ROW_REAL)
    ROW_TESTP(finite) ROW_TESTP(infinite) ROW_TESTP(number) ROW_TESTP(notanumber)
    ROW_TESTP(normal) ROW_TESTP(subnormal)
    {NULL, NULL},
};
/* clang-format on */

ptx_alu_fn ptx_alu_find(const char *name)
{
    const struct ptx_alu_row *const tables[] = {ptx_alu_int, ptx_alu_float, ptx_alu_half,
                                                ptx_alu_convert};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const struct ptx_alu_row *r = tables[t]; r->name; r++)
            if (strcmp(r->name, name) == 0)
                return r->fn;
    return NULL;
}

ptx_cmp_fn ptx_cmp_find(const char *name)
{
    for (const struct ptx_cmp_row *r = ptx_cmp_all; r->name; r++)
        if (strcmp(r->name, name) == 0)
            return r->fn;
    return NULL;
}
