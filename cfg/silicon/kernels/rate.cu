/* SPDX-License-Identifier: MIT
 *
 * Arithmetic: how long a result takes to its use (one chain, bodies of 64 and of 128: the difference
 * of the two has no loop in it) and how many results a clock (eight chains in every warp). */
#include "device.h"

#define CHAINS 8

struct op_fma32 {
    typedef float type;
    DEVICE void apply(float &x, float a, float b)
    {
        asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b));
    }
};
struct op_fma64 {
    typedef double type;
    DEVICE void apply(double &x, double a, double b)
    {
        asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(x) : "d"(a), "d"(b));
    }
};
struct op_add {
    typedef int type;
    DEVICE void apply(int &x, int a, int)
    {
        asm volatile("add.s32 %0, %0, %1;" : "+r"(x) : "r"(a));
    }
};
struct op_ex2 {
    typedef float type;
    DEVICE void apply(float &x, float, float)
    {
        asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
    }
};
struct op_popc {
    typedef int type;
    DEVICE void apply(int &x, int, int)
    {
        asm volatile("popc.b32 %0, %0;" : "+r"(x));
    }
};
struct op_convert {
    typedef int type;
    DEVICE void apply(int &x, int, int)
    {
        float f;
        asm volatile("cvt.rn.f32.s32 %0, %1;" : "=f"(f) : "r"(x));
    }
};
struct op_shuffle {
    typedef int type;
    DEVICE void apply(int &x, int, int)
    {
        asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, -1;" : "+r"(x));
    }
};
struct op_half {
    typedef int type;
    DEVICE void apply(int &x, int a, int b)
    {
        asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
    }
};

template <class Op, int BODY> DEVICE void one_chain(int rounds, typename Op::type *out)
{
    typename Op::type x = 0, a = 1, b = 0;
#pragma unroll 1
    for (int i = 0; i < rounds; i++)
#pragma unroll
        for (int k = 0; k < BODY; k++)
            Op::apply(x, a, b);
    *out = x;
}

/* 128 operations a round. */
template <class Op> DEVICE void chains(int rounds, typename Op::type *out)
{
    typename Op::type x[CHAINS], a = 1, b = 0;
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        x[c] = 0;
#pragma unroll 1
    for (int i = 0; i < rounds; i++)
#pragma unroll
        for (int k = 0; k < 16; k++)
#pragma unroll
            for (int c = 0; c < CHAINS; c++)
                Op::apply(x[c], a, b);
#pragma unroll
    for (int c = 1; c < CHAINS; c++)
        x[0] += x[c];
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *out = x[0];
}

#define OPERATION(name, type)                                                                      \
    KERNEL name##_chain_64(int rounds, type *out)                                                  \
    {                                                                                              \
        one_chain<op_##name, 64>(rounds, out);                                                     \
    }                                                                                              \
    KERNEL name##_chain_128(int rounds, type *out)                                                 \
    {                                                                                              \
        one_chain<op_##name, 128>(rounds, out);                                                    \
    }                                                                                              \
    KERNEL name##_rate(int rounds, type *out)                                                      \
    {                                                                                              \
        chains<op_##name>(rounds, out);                                                            \
    }
OPERATION(fma32, float)
OPERATION(fma64, double)
OPERATION(add, int)
OPERATION(ex2, float)
OPERATION(popc, int)
OPERATION(convert, int)
OPERATION(shuffle, int)
OPERATION(half, int)

/* 64 barriers of a CTA a round. */
KERNEL barriers(int rounds)
{
#pragma unroll 1
    for (int i = 0; i < rounds; i++)
#pragma unroll
        for (int k = 0; k < 64; k++)
            __syncthreads();
}
