/* SPDX-License-Identifier: MIT
 *
 * cuda/include/crosswatt_simd.h: a word as two numbers of 16 bits or four of 8: sums, averages,
 * comparisons, with and without saturation; and maxima of three. */
#ifndef CW_CUDA_INCLUDE_CROSSWATT_SIMD_H
#define CW_CUDA_INCLUDE_CROSSWATT_SIMD_H

#define CW_SIMD static __inline__ __attribute__((device))

/* part i of a word, with or without its sign */
template <int Bits> CW_SIMD int cw_s(unsigned a, int i)
{
    return (int)(a << (32 - Bits - i * Bits)) >> (32 - Bits);
}
template <int Bits> CW_SIMD int cw_u(unsigned a, int i)
{
    return (int)((a >> (i * Bits)) & ((1u << Bits) - 1));
}
CW_SIMD int cw_least(int a, int b)
{
    return a < b ? a : b;
}
CW_SIMD int cw_most(int a, int b)
{
    return a > b ? a : b;
}
CW_SIMD int cw_within(int v, int least, int most)
{
    return cw_most(least, cw_least(v, most));
}

/* name2 and name4: x and y are the parts of a and b as `part` reads them, n their bits */
#define CW_PARTS(name, bits, part, value)                                                          \
    CW_SIMD unsigned name(unsigned a, unsigned b)                                                  \
    {                                                                                              \
        const int n = bits;                                                                        \
        unsigned r = 0;                                                                            \
        for (int i = 0; i < 32 / bits; i++) {                                                      \
            int x = part<bits>(a, i), y = part<bits>(b, i);                                        \
            r |= ((unsigned)(value) & ((1u << n) - 1)) << (i * n);                                 \
            (void)y;                                                                               \
        }                                                                                          \
        return r;                                                                                  \
    }
#define CW_BOTH(name, part, value)                                                                 \
    CW_PARTS(name##2, 16, part, value) CW_PARTS(name##4, 8, part, value)
CW_BOTH(__vadd, cw_s, x + y)
CW_BOTH(__vaddss, cw_s, cw_within(x + y, -(1 << (n - 1)), (1 << (n - 1)) - 1))
CW_BOTH(__vaddus, cw_u, cw_least(x + y, (1 << n) - 1))
CW_BOTH(__vsub, cw_s, x - y)
CW_BOTH(__vsubss, cw_s, cw_within(x - y, -(1 << (n - 1)), (1 << (n - 1)) - 1))
CW_BOTH(__vsubus, cw_u, cw_most(x - y, 0))
CW_BOTH(__vavgs, cw_s, (x + y + (x + y >= 0)) >> 1)
CW_BOTH(__vavgu, cw_u, (x + y + 1) >> 1)
CW_BOTH(__vhaddu, cw_u, (x + y) >> 1)
CW_BOTH(__vabsdiffs, cw_s, x > y ? x - y : y - x)
CW_BOTH(__vabsdiffu, cw_u, x > y ? x - y : y - x)
CW_BOTH(__vmaxs, cw_s, cw_most(x, y))
CW_BOTH(__vmaxu, cw_u, cw_most(x, y))
CW_BOTH(__vmins, cw_s, cw_least(x, y))
CW_BOTH(__vminu, cw_u, cw_least(x, y))
#define CW_ORDER(word, part, op)                                                                   \
    CW_BOTH(__vcmp##word, part, x op y ? (1 << n) - 1 : 0)                                         \
    CW_BOTH(__vset##word, part, x op y ? 1 : 0)
CW_ORDER(eq, cw_u, ==)
CW_ORDER(ne, cw_u, !=)
CW_ORDER(ges, cw_s, >=)
CW_ORDER(geu, cw_u, >=)
CW_ORDER(gts, cw_s, >)
CW_ORDER(gtu, cw_u, >)
CW_ORDER(les, cw_s, <=)
CW_ORDER(leu, cw_u, <=)
CW_ORDER(lts, cw_s, <)
CW_ORDER(ltu, cw_u, <)
#undef CW_ORDER
/* of one word */
#define CW_ALONE(name, part, value)                                                                \
    CW_PARTS(cw_##name##2, 16, part, value)                                                        \
    CW_PARTS(cw_##name##4, 8, part, value)                                                         \
    CW_SIMD unsigned __##name##2(unsigned a)                                                       \
    {                                                                                              \
        return cw_##name##2(a, 0);                                                                 \
    }                                                                                              \
    CW_SIMD unsigned __##name##4(unsigned a)                                                       \
    {                                                                                              \
        return cw_##name##4(a, 0);                                                                 \
    }
CW_ALONE(vabs, cw_s, x < 0 ? -x : x)
CW_ALONE(vabsss, cw_s, cw_least(x < 0 ? -x : x, (1 << (n - 1)) - 1))
CW_ALONE(vneg, cw_s, -x)
CW_ALONE(vnegss, cw_s, cw_least(-x, (1 << (n - 1)) - 1))
#undef CW_ALONE
#undef CW_BOTH
#undef CW_PARTS
/* sums of differences */
#define CW_SAD(name, bits, part)                                                                   \
    CW_SIMD unsigned name(unsigned a, unsigned b)                                                  \
    {                                                                                              \
        unsigned r = 0;                                                                            \
        for (int i = 0; i < 32 / bits; i++) {                                                      \
            int x = part<bits>(a, i), y = part<bits>(b, i);                                        \
            r += (unsigned)(x > y ? x - y : y - x);                                                \
        }                                                                                          \
        return r;                                                                                  \
    }
CW_SAD(__vsads2, 16, cw_s)
CW_SAD(__vsadu2, 16, cw_u)
CW_SAD(__vsads4, 8, cw_s)
CW_SAD(__vsadu4, 8, cw_u)
#undef CW_SAD

/* ---- a sum and a maximum, maxima of three, and which it was ---- */
#define CW_PICK(word, op)                                                                          \
    CW_PICK32(word, op, s32, int)                                                                  \
    CW_PICK32(word, op, u32, unsigned)                                                             \
    CW_PICK16(word, op, s16x2, short)                                                              \
    CW_PICK16(word, op, u16x2, unsigned short)                                                     \
    CW_PICK_RELU(i##word, (int a, int b), (a, b))                                                  \
    CW_PICK_RELU(i##word##3, (int a, int b, int c), (a, b, c))                                     \
    CW_PICK_RELU(iadd##word, (int a, int b, int c), (a, b, c))                                     \
    CW_PICK_RELU2(i##word, (unsigned a, unsigned b), (a, b))                                       \
    CW_PICK_RELU2(i##word##3, (unsigned a, unsigned b, unsigned c), (a, b, c))                     \
    CW_PICK_RELU2(iadd##word, (unsigned a, unsigned b, unsigned c), (a, b, c))
#define CW_PICK32(word, op, type, T)                                                               \
    CW_SIMD T cw_v##word##_##type(T a, T b)                                                        \
    {                                                                                              \
        return a op b ? a : b;                                                                     \
    }                                                                                              \
    CW_SIMD T __vi##word##3_##type(T a, T b, T c)                                                  \
    {                                                                                              \
        return cw_v##word##_##type(cw_v##word##_##type(a, b), c);                                  \
    }                                                                                              \
    CW_SIMD T __viadd##word##_##type(T a, T b, T c)                                                \
    {                                                                                              \
        return cw_v##word##_##type((T)((unsigned)a + (unsigned)b), c);                             \
    }                                                                                              \
    CW_SIMD T __vib##word##_##type(T a, T b, bool *first)                                          \
    {                                                                                              \
        *first = a op## = b;                                                                       \
        return cw_v##word##_##type(a, b);                                                          \
    }
#define CW_PICK16(word, op, type, T)                                                               \
    CW_SIMD unsigned cw_v##word##_##type(unsigned a, unsigned b)                                   \
    {                                                                                              \
        T al = (T)a, ah = (T)(a >> 16), bl = (T)b, bh = (T)(b >> 16);                              \
        T l = al op bl ? al : bl, h = ah op bh ? ah : bh;                                          \
        return (unsigned)(unsigned short)h << 16 | (unsigned short)l;                              \
    }                                                                                              \
    CW_SIMD unsigned __vi##word##3_##type(unsigned a, unsigned b, unsigned c)                      \
    {                                                                                              \
        return cw_v##word##_##type(cw_v##word##_##type(a, b), c);                                  \
    }                                                                                              \
    CW_SIMD unsigned __viadd##word##_##type(unsigned a, unsigned b, unsigned c)                    \
    {                                                                                              \
        return cw_v##word##_##type(__vadd2(a, b), c);                                              \
    }                                                                                              \
    CW_SIMD unsigned __vib##word##_##type(unsigned a, unsigned b, bool *high, bool *low)           \
    {                                                                                              \
        T al = (T)a, ah = (T)(a >> 16), bl = (T)b, bh = (T)(b >> 16);                              \
        *high = ah op## = bh;                                                                      \
        *low = al op## = bl;                                                                       \
        return cw_v##word##_##type(a, b);                                                          \
    }
#define CW_PICK_RELU(name, parameters, arguments)                                                  \
    CW_SIMD int __v##name##_s32_relu parameters                                                    \
    {                                                                                              \
        return cw_most(CW_PICKED(name, s32) arguments, 0);                                         \
    }
#define CW_PICK_RELU2(name, parameters, arguments)                                                 \
    CW_SIMD unsigned __v##name##_s16x2_relu parameters                                             \
    {                                                                                              \
        return __vmaxs2(CW_PICKED(name, s16x2) arguments, 0);                                      \
    }
#define CW_PICKED(name, type) __v##name##_##type
#define __vimax_s32 cw_vmax_s32
#define __vimin_s32 cw_vmin_s32
#define __vimax_s16x2 cw_vmax_s16x2
#define __vimin_s16x2 cw_vmin_s16x2
CW_PICK(max, >)
CW_PICK(min, <)
#undef __vimax_s32
#undef __vimin_s32
#undef __vimax_s16x2
#undef __vimin_s16x2
#undef CW_PICKED
#undef CW_PICK_RELU2
#undef CW_PICK_RELU
#undef CW_PICK16
#undef CW_PICK32
#undef CW_PICK
#undef CW_SIMD

#endif
