/* SPDX-License-Identifier: MIT
 *
 * cuda/include/mma.h: nvcuda::wmma, products of matrices by a warp: f16, bf16, tf32, f64, s8,
 * u8; experimental::precision: s4, u4, b1. */
#ifndef CW_CUDA_INCLUDE_MMA_H
#define CW_CUDA_INCLUDE_MMA_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#if defined(__cplusplus)
#define CW_WMMA static __inline__ __device__

namespace nvcuda
{
namespace wmma
{

enum layout_t { mem_row_major, mem_col_major };
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision
{
struct tf32;
}
namespace experimental
{
namespace precision
{
struct s4;
struct u4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

/* E elements of N that a thread holds; which ones is not said. */
template <typename E, int N> struct cw_elements {
    typedef E element_type;
    typedef E storage_element_type;
    enum { num_elements = N, num_storage_elements = N };
    E x[N];
};

/* N elements of less than a byte, in one word. */
template <typename E, int N> struct cw_packed {
    typedef E element_type;
    typedef int storage_element_type;
    enum { num_elements = N, num_storage_elements = 1 };
    int x[1];
};

template <typename Use, int M, int N, int K, typename T, typename Layout = void> class fragment;

#define CW_FRAGMENT(Use, M, N, K, T, E, COUNT)                                                     \
    template <typename L> class fragment<Use, M, N, K, T, L> : public cw_elements<E, COUNT>        \
    {                                                                                              \
    };
#define CW_FRAGMENTS(M, N, K, T, E, A, B)                                                          \
    CW_FRAGMENT(matrix_a, M, N, K, T, E, A)                                                        \
    CW_FRAGMENT(matrix_b, M, N, K, T, E, B)
#define CW_SHAPES(X, ...)                                                                          \
    X(16, 16, 16, __VA_ARGS__) X(32, 8, 16, __VA_ARGS__) X(8, 32, 16, __VA_ARGS__)

CW_FRAGMENTS(16, 16, 16, __half, __half, 16, 16)
CW_FRAGMENTS(32, 8, 16, __half, __half, 16, 16)
CW_FRAGMENTS(8, 32, 16, __half, __half, 16, 16)
CW_FRAGMENTS(16, 16, 16, __nv_bfloat16, __nv_bfloat16, 8, 8)
CW_FRAGMENTS(32, 8, 16, __nv_bfloat16, __nv_bfloat16, 16, 4)
CW_FRAGMENTS(8, 32, 16, __nv_bfloat16, __nv_bfloat16, 4, 16)
CW_FRAGMENTS(16, 16, 16, signed char, signed char, 8, 8)
CW_FRAGMENTS(32, 8, 16, signed char, signed char, 16, 4)
CW_FRAGMENTS(8, 32, 16, signed char, signed char, 4, 16)
CW_FRAGMENTS(16, 16, 16, unsigned char, unsigned char, 8, 8)
CW_FRAGMENTS(32, 8, 16, unsigned char, unsigned char, 16, 4)
CW_FRAGMENTS(8, 32, 16, unsigned char, unsigned char, 4, 16)
CW_FRAGMENTS(16, 16, 8, precision::tf32, float, 4, 4)
CW_FRAGMENTS(8, 8, 4, double, double, 1, 1)
#define CW_SUMS(M, N, K, T) CW_FRAGMENT(accumulator, M, N, K, T, T, 8)
CW_SHAPES(CW_SUMS, float)
CW_SHAPES(CW_SUMS, __half)
CW_SHAPES(CW_SUMS, int)
CW_SUMS(16, 16, 8, float)
CW_FRAGMENT(accumulator, 8, 8, 4, double, double, 2)
CW_FRAGMENT(accumulator, 8, 8, 32, int, int, 2)
CW_FRAGMENT(accumulator, 8, 8, 128, int, int, 2)
#define CW_PACKED(K, T, COUNT)                                                                     \
    template <> class fragment<matrix_a, 8, 8, K, T, row_major> : public cw_packed<T, COUNT>       \
    {                                                                                              \
    };                                                                                             \
    template <> class fragment<matrix_b, 8, 8, K, T, col_major> : public cw_packed<T, COUNT>       \
    {                                                                                              \
    };
CW_PACKED(32, experimental::precision::s4, 8)
CW_PACKED(32, experimental::precision::u4, 8)
CW_PACKED(128, experimental::precision::b1, 32)
#undef CW_PACKED
#undef CW_SUMS
#undef CW_FRAGMENTS
#undef CW_FRAGMENT

template <typename F, typename V> CW_WMMA void fill_fragment(F &f, V v)
{
    for (int i = 0; i < (int)F::num_elements; i++)
        f.x[i] = (typename F::element_type)v;
}

CW_WMMA float __float_to_tf32(float v)
{
#if defined(__CUDA_ARCH__)
    unsigned r;
    __asm__("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(v));
    v = __uint_as_float(r);
#endif
    return v;
}

/* Lists of registers, by name: {%[a0],%[a1]} and their operands. */
#define CW_L1(p) "{%[" p "0]}"
#define CW_L2(p) "{%[" p "0],%[" p "1]}"
#define CW_L4(p) "{%[" p "0],%[" p "1],%[" p "2],%[" p "3]}"
#define CW_L8(p) "{%[" p "0],%[" p "1],%[" p "2],%[" p "3],%[" p "4],%[" p "5],%[" p "6],%[" p "7]}"
#define CW_O1(p, k, r) [p##0] k(r[0])
#define CW_O2(p, k, r) CW_O1(p, k, r), [p##1] k(r[1])
#define CW_O4(p, k, r) CW_O2(p, k, r), [p##2] k(r[2]), [p##3] k(r[3])
#define CW_O8(p, k, r)                                                                             \
    CW_O4(p, k, r), [p##4] k(r[4]), [p##5] k(r[5]), [p##6] k(r[6]), [p##7] k(r[7])

#if defined(__CUDA_ARCH__)
#define CW_ASM(...) __asm__ volatile(__VA_ARGS__)
#else
#define CW_ASM(...)
#endif

/* One load: R registers of kind k, which are of type W. */
#define CW_LOAD1(PART, USE, SHAPE, M, N, K, T, P, NAME, LAYOUT, R, W, k)                           \
    CW_WMMA void load_matrix_sync(fragment<USE, M, N, K, T, LAYOUT##_major> &f, const P *p,        \
                                  unsigned stride)                                                 \
    {                                                                                              \
        W r[R] = {};                                                                               \
        CW_ASM("wmma.load." PART ".sync.aligned." #LAYOUT "." SHAPE NAME                           \
               " " CW_L##R("r") ", [%[p]], %[s];"                                                  \
               : CW_O##R(r, "=" k, r)                                                              \
               : [p] "l"(p), [s] "r"(stride)                                                       \
               : "memory");                                                                        \
        __builtin_memcpy(f.x, r, sizeof r);                                                        \
    }
#define CW_LOAD(PART, USE, SHAPE, M, N, K, T, P, NAME, R, W, k)                                    \
    CW_LOAD1(PART, USE, SHAPE, M, N, K, T, P, NAME, row, R, W, k)                                  \
    CW_LOAD1(PART, USE, SHAPE, M, N, K, T, P, NAME, col, R, W, k)
#define CW_LOADS(SHAPE, M, N, K, T, P, NAME, A, B, W, k)                                           \
    CW_LOAD("a", matrix_a, SHAPE, M, N, K, T, P, NAME, A, W, k)                                    \
    CW_LOAD("b", matrix_b, SHAPE, M, N, K, T, P, NAME, B, W, k)

CW_LOADS("m16n16k16", 16, 16, 16, __half, __half, ".f16", 8, 8, unsigned, "r")
CW_LOADS("m32n8k16", 32, 8, 16, __half, __half, ".f16", 8, 8, unsigned, "r")
CW_LOADS("m8n32k16", 8, 32, 16, __half, __half, ".f16", 8, 8, unsigned, "r")
CW_LOADS("m16n16k16", 16, 16, 16, __nv_bfloat16, __nv_bfloat16, ".bf16", 4, 4, unsigned, "r")
CW_LOADS("m32n8k16", 32, 8, 16, __nv_bfloat16, __nv_bfloat16, ".bf16", 8, 2, unsigned, "r")
CW_LOADS("m8n32k16", 8, 32, 16, __nv_bfloat16, __nv_bfloat16, ".bf16", 2, 8, unsigned, "r")
CW_LOADS("m16n16k16", 16, 16, 16, signed char, signed char, ".s8", 2, 2, unsigned, "r")
CW_LOADS("m32n8k16", 32, 8, 16, signed char, signed char, ".s8", 4, 1, unsigned, "r")
CW_LOADS("m8n32k16", 8, 32, 16, signed char, signed char, ".s8", 1, 4, unsigned, "r")
CW_LOADS("m16n16k16", 16, 16, 16, unsigned char, unsigned char, ".u8", 2, 2, unsigned, "r")
CW_LOADS("m32n8k16", 32, 8, 16, unsigned char, unsigned char, ".u8", 4, 1, unsigned, "r")
CW_LOADS("m8n32k16", 8, 32, 16, unsigned char, unsigned char, ".u8", 1, 4, unsigned, "r")
CW_LOADS("m16n16k8", 16, 16, 8, precision::tf32, float, ".tf32", 4, 4, unsigned, "r")
CW_LOADS("m8n8k4", 8, 8, 4, double, double, ".f64", 1, 1, double, "d")
CW_LOAD1("a", matrix_a, "m8n8k32", 8, 8, 32, experimental::precision::s4, void, ".s4", row, 1, int,
         "r")
CW_LOAD1("b", matrix_b, "m8n8k32", 8, 8, 32, experimental::precision::s4, void, ".s4", col, 1, int,
         "r")
CW_LOAD1("a", matrix_a, "m8n8k32", 8, 8, 32, experimental::precision::u4, void, ".u4", row, 1, int,
         "r")
CW_LOAD1("b", matrix_b, "m8n8k32", 8, 8, 32, experimental::precision::u4, void, ".u4", col, 1, int,
         "r")
CW_LOAD1("a", matrix_a, "m8n8k128", 8, 8, 128, experimental::precision::b1, void, ".b1", row, 1,
         int, "r")
CW_LOAD1("b", matrix_b, "m8n8k128", 8, 8, 128, experimental::precision::b1, void, ".b1", col, 1,
         int, "r")
#undef CW_LOADS
#undef CW_LOAD
#undef CW_LOAD1

/* Sums: loaded and stored in either layout. */
#define CW_SUM(SHAPE, M, N, K, T, NAME, R, W, k)                                                   \
    CW_WMMA void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *p,                \
                                  unsigned stride, layout_t layout)                                \
    {                                                                                              \
        W r[R] = {};                                                                               \
        if (layout == mem_row_major)                                                               \
            CW_ASM("wmma.load.c.sync.aligned.row." SHAPE NAME " " CW_L##R("r") ", [%[p]], %[s];"   \
                   : CW_O##R(r, "=" k, r)                                                          \
                   : [p] "l"(p), [s] "r"(stride)                                                   \
                   : "memory");                                                                    \
        else                                                                                       \
            CW_ASM("wmma.load.c.sync.aligned.col." SHAPE NAME " " CW_L##R("r") ", [%[p]], %[s];"   \
                   : CW_O##R(r, "=" k, r)                                                          \
                   : [p] "l"(p), [s] "r"(stride)                                                   \
                   : "memory");                                                                    \
        __builtin_memcpy(f.x, r, sizeof r);                                                        \
    }                                                                                              \
    CW_WMMA void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f,               \
                                   unsigned stride, layout_t layout)                               \
    {                                                                                              \
        W r[R];                                                                                    \
        __builtin_memcpy(r, f.x, sizeof r);                                                        \
        if (layout == mem_row_major)                                                               \
            CW_ASM("wmma.store.d.sync.aligned.row." SHAPE NAME " [%[p]], " CW_L##R("r") ", %[s];"  \
                   :                                                                               \
                   : CW_O##R(r, k, r), [p] "l"(p), [s] "r"(stride)                                 \
                   : "memory");                                                                    \
        else                                                                                       \
            CW_ASM("wmma.store.d.sync.aligned.col." SHAPE NAME " [%[p]], " CW_L##R("r") ", %[s];"  \
                   :                                                                               \
                   : CW_O##R(r, k, r), [p] "l"(p), [s] "r"(stride)                                 \
                   : "memory");                                                                    \
    }
#define CW_SUM3(T, NAME, R, W, k)                                                                  \
    CW_SUM("m16n16k16", 16, 16, 16, T, NAME, R, W, k)                                              \
    CW_SUM("m32n8k16", 32, 8, 16, T, NAME, R, W, k)                                                \
    CW_SUM("m8n32k16", 8, 32, 16, T, NAME, R, W, k)
CW_SUM3(float, ".f32", 8, float, "f")
CW_SUM3(__half, ".f16", 4, unsigned, "r")
CW_SUM3(int, ".s32", 8, int, "r")
CW_SUM("m16n16k8", 16, 16, 8, float, ".f32", 8, float, "f")
CW_SUM("m8n8k4", 8, 8, 4, double, ".f64", 2, double, "d")
CW_SUM("m8n8k32", 8, 8, 32, int, ".s32", 2, int, "r")
CW_SUM("m8n8k128", 8, 8, 128, int, ".s32", 2, int, "r")
#undef CW_SUM3
#undef CW_SUM

/* Products: D and C have RD and RC registers. */
#define CW_MMA1(...) CW_MMA2(mma_sync, "mma.sync.aligned.", __VA_ARGS__)
#define CW_MMA2(NAME, OP, SHAPE, M, N, K, T, A, B, WA, ka, LA, LB, TD, RD, WD, kd, TC, RC, WC, kc, \
                TYPES)                                                                             \
    CW_WMMA void NAME(fragment<accumulator, M, N, K, TD> &d,                                       \
                      const fragment<matrix_a, M, N, K, T, LA##_major> &a,                         \
                      const fragment<matrix_b, M, N, K, T, LB##_major> &b,                         \
                      const fragment<accumulator, M, N, K, TC> &c)                                 \
    {                                                                                              \
        WA ra[A], rb[B];                                                                           \
        WD rd[RD] = {};                                                                            \
        WC rc[RC];                                                                                 \
        __builtin_memcpy(ra, a.x, sizeof ra);                                                      \
        __builtin_memcpy(rb, b.x, sizeof rb);                                                      \
        __builtin_memcpy(rc, c.x, sizeof rc);                                                      \
        CW_ASM("wmma." OP #LA "." #LB "." SHAPE TYPES                                              \
               " " CW_L##RD("d") ", " CW_L##A("a") ", " CW_L##B("b") ", " CW_L##RC("c") ";"        \
               : CW_O##RD(d, "=" kd, rd)                                                           \
               : CW_O##A(a, ka, ra), CW_O##B(b, ka, rb), CW_O##RC(c, kc, rc));                     \
        __builtin_memcpy(d.x, rd, sizeof rd);                                                      \
    }
#define CW_MMA(SHAPE, M, N, K, T, A, B, WA, ka, ...)                                               \
    CW_MMA1(SHAPE, M, N, K, T, A, B, WA, ka, row, col, __VA_ARGS__)                                \
    CW_MMA1(SHAPE, M, N, K, T, A, B, WA, ka, row, row, __VA_ARGS__)                                \
    CW_MMA1(SHAPE, M, N, K, T, A, B, WA, ka, col, col, __VA_ARGS__)                                \
    CW_MMA1(SHAPE, M, N, K, T, A, B, WA, ka, col, row, __VA_ARGS__)
#define CW_MMA_F16(SHAPE, M, N, K)                                                                 \
    CW_MMA(SHAPE, M, N, K, __half, 8, 8, unsigned, "r", float, 8, float, "f", float, 8, float,     \
           "f", ".f32.f32")                                                                        \
    CW_MMA(SHAPE, M, N, K, __half, 8, 8, unsigned, "r", __half, 4, unsigned, "r", __half, 4,       \
           unsigned, "r", ".f16.f16")                                                              \
    CW_MMA(SHAPE, M, N, K, __half, 8, 8, unsigned, "r", float, 8, float, "f", __half, 4, unsigned, \
           "r", ".f32.f16")                                                                        \
    CW_MMA(SHAPE, M, N, K, __half, 8, 8, unsigned, "r", __half, 4, unsigned, "r", float, 8, float, \
           "f", ".f16.f32")
CW_MMA_F16("m16n16k16", 16, 16, 16)
CW_MMA_F16("m32n8k16", 32, 8, 16)
CW_MMA_F16("m8n32k16", 8, 32, 16)
#define CW_MMA_F32(SHAPE, M, N, K, T, A, B, NAME)                                                  \
    CW_MMA(SHAPE, M, N, K, T, A, B, unsigned, "r", float, 8, float, "f", float, 8, float, "f",     \
           ".f32." NAME "." NAME ".f32")
CW_MMA_F32("m16n16k16", 16, 16, 16, __nv_bfloat16, 4, 4, "bf16")
CW_MMA_F32("m32n8k16", 32, 8, 16, __nv_bfloat16, 8, 2, "bf16")
CW_MMA_F32("m8n32k16", 8, 32, 16, __nv_bfloat16, 2, 8, "bf16")
CW_MMA_F32("m16n16k8", 16, 16, 8, precision::tf32, 4, 4, "tf32")
/* Whole numbers: the sums may be held at the ends of their range. */
#define CW_SATURATING(M, N, K, T, LA, LB)                                                          \
    CW_WMMA void mma_sync(fragment<accumulator, M, N, K, int> &d,                                  \
                          const fragment<matrix_a, M, N, K, T, LA##_major> &a,                     \
                          const fragment<matrix_b, M, N, K, T, LB##_major> &b,                     \
                          const fragment<accumulator, M, N, K, int> &c, bool satf)                 \
    {                                                                                              \
        if (satf)                                                                                  \
            cw_mma_satfinite(d, a, b, c);                                                          \
        else                                                                                       \
            mma_sync(d, a, b, c);                                                                  \
    }
#define CW_WHOLE(SHAPE, M, N, K, T, A, B, LA, LB, R, NAME)                                         \
    CW_MMA2(mma_sync, "mma.sync.aligned.", SHAPE, M, N, K, T, A, B, unsigned, "r", LA, LB, int, R, \
            int, "r", int, R, int, "r", ".s32." NAME "." NAME ".s32")                              \
    CW_MMA2(cw_mma_satfinite, "mma.sync.aligned.", SHAPE, M, N, K, T, A, B, unsigned, "r", LA, LB, \
            int, R, int, "r", int, R, int, "r", ".s32." NAME "." NAME ".s32.satfinite")            \
    CW_SATURATING(M, N, K, T, LA, LB)
#define CW_MMA_INT(SHAPE, M, N, K, T, A, B, NAME)                                                  \
    CW_WHOLE(SHAPE, M, N, K, T, A, B, row, col, 8, NAME)                                           \
    CW_WHOLE(SHAPE, M, N, K, T, A, B, row, row, 8, NAME)                                           \
    CW_WHOLE(SHAPE, M, N, K, T, A, B, col, col, 8, NAME)                                           \
    CW_WHOLE(SHAPE, M, N, K, T, A, B, col, row, 8, NAME)
CW_MMA_INT("m16n16k16", 16, 16, 16, signed char, 2, 2, "s8")
CW_MMA_INT("m32n8k16", 32, 8, 16, signed char, 4, 1, "s8")
CW_MMA_INT("m8n32k16", 8, 32, 16, signed char, 1, 4, "s8")
CW_MMA_INT("m16n16k16", 16, 16, 16, unsigned char, 2, 2, "u8")
CW_MMA_INT("m32n8k16", 32, 8, 16, unsigned char, 4, 1, "u8")
CW_MMA_INT("m8n32k16", 8, 32, 16, unsigned char, 1, 4, "u8")
CW_MMA("m8n8k4", 8, 8, 4, double, 1, 1, double, "d", double, 2, double, "d", double, 2, double, "d",
       ".f64.f64.f64.f64.rn")

CW_WHOLE("m8n8k32", 8, 8, 32, experimental::precision::s4, 1, 1, row, col, 2, "s4")
CW_WHOLE("m8n8k32", 8, 8, 32, experimental::precision::u4, 1, 1, row, col, 2, "u4")
CW_MMA2(cw_bmma_xor, "mma.xor.popc.sync.aligned.", "m8n8k128", 8, 8, 128,
        experimental::precision::b1, 1, 1, unsigned, "r", row, col, int, 2, int, "r", int, 2, int,
        "r", ".s32.b1.b1.s32")
CW_MMA2(cw_bmma_and, "mma.and.popc.sync.aligned.", "m8n8k128", 8, 8, 128,
        experimental::precision::b1, 1, 1, unsigned, "r", row, col, int, 2, int, "r", int, 2, int,
        "r", ".s32.b1.b1.s32")
CW_WMMA void
bmma_sync(fragment<accumulator, 8, 8, 128, int> &d,
          const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
          const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b,
          const fragment<accumulator, 8, 8, 128, int> &c,
          experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC)
{
    if (op == experimental::bmmaBitOpAND)
        cw_bmma_and(d, a, b, c);
    else
        cw_bmma_xor(d, a, b, c);
}

#undef CW_WHOLE
#undef CW_SATURATING
#undef CW_MMA_INT
#undef CW_MMA_F32
#undef CW_MMA_F16
#undef CW_MMA
#undef CW_MMA1
#undef CW_MMA2
#undef CW_ASM
#undef CW_SHAPES
#undef CW_L1
#undef CW_L2
#undef CW_L4
#undef CW_L8
#undef CW_O1
#undef CW_O2
#undef CW_O4
#undef CW_O8

} // namespace wmma
} // namespace nvcuda

#undef CW_WMMA
#endif

#endif
