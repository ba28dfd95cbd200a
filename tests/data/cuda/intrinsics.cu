// Functions of half precision, bfloat16, packed integers, bits and lanes. Each is applied to 256
// pairs of words, and a checksum of its results is printed: the same as from nvcc's headers.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// words: numbers and edges of all formats
__device__ unsigned word(unsigned i)
{
    const unsigned edges[] = {0,          0x80808080, 0x7fff7fff, 0x80008000,
                              0x3c00bc00, 0xffffffff, 0x7c00fc00, 0x00010001,
                              0x3f80bf80, 0x7f80ff80, 0x7e004000, 0x01017fff};
    unsigned x = i * 2654435761u ^ (i << 13 | i >> 7);
    x ^= x >> 15;
    return i % 3 == 0 ? edges[i / 3 % 12] : x * 0x9E3779B1u;
}
__device__ __half2 h(unsigned u)
{
    return __halves2half2(__ushort_as_half((unsigned short)u),
                          __ushort_as_half((unsigned short)(u >> 16)));
}
__device__ __nv_bfloat162 b(unsigned u)
{
    return __halves2bfloat162(__ushort_as_bfloat16((unsigned short)u),
                              __ushort_as_bfloat16((unsigned short)(u >> 16)));
}
// NaN have one form each, and -0 and 0 are one: the rest is exact
__device__ unsigned R(__half a)
{
    return __hisnan(a) ? 0x7fff : __half_as_ushort(a);
}
__device__ unsigned R(__nv_bfloat16 a)
{
    return __hisnan(a) ? 0x7fff : __bfloat16_as_ushort(a);
}
__device__ unsigned R(__half2 a)
{
    return R(__low2half(a)) | R(__high2half(a)) << 16;
}
__device__ unsigned R(__nv_bfloat162 a)
{
    return R(__low2bfloat16(a)) | R(__high2bfloat16(a)) << 16;
}
__device__ unsigned R(unsigned a)
{
    return a;
}
__device__ unsigned R(int a)
{
    return (unsigned)a;
}
__device__ unsigned R(bool a)
{
    return a;
}
__device__ unsigned R(long long a)
{
    return (unsigned)a ^ (unsigned)(a >> 32);
}
__device__ unsigned R(unsigned long long a)
{
    return (unsigned)a ^ (unsigned)(a >> 32);
}

#define PACKED(F)                                                                                  \
    F(__vabs2(x))                                                                                  \
    F(__vabs4(x)) F(__vabsss2(x)) F(__vabsss4(x)) F(__vneg2(x)) F(__vneg4(x)) F(__vnegss2(x)) F(   \
        __vnegss4(x)) F(__vadd2(x, y)) F(__vadd4(x, y)) F(__vaddss2(x, y)) F(__vaddss4(x, y))      \
        F(__vaddus2(x, y)) F(__vaddus4(x, y)) F(__vsub2(x, y)) F(__vsub4(x, y)) F(__vsubss2(x, y)) \
            F(__vsubss4(x, y)) F(__vsubus2(x, y)) F(__vsubus4(x, y)) F(__vavgs2(x, y)) F(__vavgs4( \
                x, y)) F(__vavgu2(x, y)) F(__vavgu4(x, y)) F(__vhaddu2(x, y)) F(__vhaddu4(x, y))   \
                F(__vabsdiffs2(x, y)) F(__vabsdiffs4(x, y)) F(__vabsdiffu2(x, y))                  \
                    F(__vabsdiffu4(x, y)) F(__vmaxs2(x, y)) F(__vmaxs4(x, y)) F(__vmaxu2(x, y))    \
                        F(__vmaxu4(x, y)) F(__vmins2(x, y)) F(__vmins4(x, y)) F(__vminu2(x, y)) F( \
                            __vminu4(x, y)) F(__vsads2(x, y)) F(__vsads4(x, y)) F(__vsadu2(x, y))  \
                            F(__vsadu4(x, y)) F(__vcmpeq2(x, y)) F(__vcmpne4(x, y)) F(             \
                                __vcmpges2(x, y)) F(__vcmpgeu4(x, y))                              \
                                F(__vcmpgts4(x,                                                    \
                                             y)) F(__vcmpgtu2(x,                                   \
                                                              y)) F(__vcmples4(x, y))              \
                                    F(__vcmpleu2(x,                                                \
                                                 y)) F(__vcmplts2(x,                               \
                                                                  y)) F(__vcmpltu4(x, y))          \
                                        F(__vseteq4(x, y)) F(__vsetne2(x, y)) F(                   \
                                            __vsetges4(x, y)) F(__vsetltu2(x, y))                  \
                                            F(__vimax3_s32(x, y, x + y)) F(__vimin3_u16x2(         \
                                                x, y, x + y)) F(__viaddmax_s32_relu(x, y, 7))      \
                                                F(__viaddmin_s16x2(x, y, 0x10001)) F(              \
                                                    __vimax_s16x2_relu(x, y))                      \
                                                    F(__funnelshift_lc(x, y, y & 63)) F(           \
                                                        __funnelshift_rc(x, y, y & 63))            \
                                                        F(__dp2a_lo((int)x, (int)y, 3)) F(         \
                                                            __dp2a_hi((int)x, (int)y, 3))          \
                                                            F(__dp2a_lo(x, y, 3u)) F(              \
                                                                __dp2a_hi(x, y, 3u))               \
                                                                F(__urhadd(x, y)) F(               \
                                                                    __fns(x, y & 31,               \
                                                                          (int)(x >> 5 & 7) - 3))  \
                                                                    F(__match_any_sync(            \
                                                                        ~0u, (long long)(x & 3)    \
                                                                                 << 32))           \
                                                                        F(__match_any_sync(        \
                                                                            ~0u, (double)(x & 1)))
#define HALVES(F, T, one, v)                                                                       \
    F(__heq2(v(x), v(y)))                                                                          \
    F(__hne2(v(x), v(y))) F(__hltu2(v(x), v(y))) F(__hgt2(v(x), v(y))) F(__hgeu2_mask(v(x), v(y))) \
        F(__hle2_mask(v(x), v(y))) F(__hbne2(v(x), v(y))) F(__hbneu2(v(x), v(y))) F(__hbge2(       \
            v(x), v(y))) F(__hne(v(x).x, v(y).x)) F(__hneu(v(x).x, v(y).x)) F(__hisnan2(v(x)))     \
            F(__hadd_sat(v(x).x, v(y).x)) F(__hmul2_sat(v(x), v(y))) F(__hsub2_sat(v(x), v(y))) F( \
                __hfma2_sat(v(x), v(y), v(y))) F(__hfma_relu(v(x).x, v(y).x, v(x).y))              \
                F(__hcmadd(v(x), v(y), v(x))) F(__hmax2_nan(v(x), v(y))) F(                        \
                    __hmin_nan(v(x).y, v(y).x)) F(v(x) == v(y)) F(v(x) != v(y))                    \
                    F(-v(x)) F(__##one##2int_rd(v(x).x)) F(__##one##2int_ru(v(x).y)) F(            \
                        __##one##2short_rn(v(x).x)) F(__##one##2ushort_rz(v(x).x))                 \
                        F(__##one##2uint_ru(v(x).x)) F(__##one##2ll_rd(v(x).x)) F(                 \
                            __##one##2ull_rn(v(x).x)) F(__int2##one##_rd((int)x >> 9))             \
                            F(__int2##one##_ru((int)x >> 13)) F(__uint2##one##_rz(x >> 11)) F(     \
                                __ll2##one##_rn((long long)x - y)) F(__short2##one##_rz((short)x)) \
                                F(__ushort2##one##_ru((unsigned short)x))                          \
                                    F(__float2##one##_rd((int)x * 1e-7f))                          \
                                        F(__float2##one##_ru((int)x * 1e-9f))                      \
                                            F(__float2##one##_rz(x * 1e-5f))                       \
                                                F(h2floor(v(x))) F(h2ceil(v(x))) F(h2rint(v(x)))   \
                                                    F(h2trunc(v(x))) F(h2sqrt(v(x)))               \
                                                        F(__shfl_xor_sync(~0u, v(x), 5))           \
                                                            F(__shfl_sync(~0u, v(x).x, 9))         \
                                                                F(__shfl_up_sync(~0u, v(x).y, 2))  \
                                                                    F(__hisinf(v(x).x))            \
                                                                        F(T(v(x).x) > T(v(y).y))
#define ALL(F) PACKED(F) HALVES(F, __half, half, h) HALVES(F, __nv_bfloat16, bfloat16, b)

static const char *const names[] = {
#define F(...) #__VA_ARGS__,
    ALL(F)
#undef F
};
enum { N = sizeof names / sizeof *names, WORDS = 256 };

__global__ void k(unsigned *out)
{
    unsigned i = threadIdx.x, x = word(i), y = word(i * 7 + 1), at = 0;
#define F(...) out[at++ * WORDS + i] = R(__VA_ARGS__);
    ALL(F)
#undef F
}

int main()
{
    unsigned *out;
    cudaMallocManaged(&out, N * WORDS * sizeof *out);
    k<<<1, WORDS>>>(out);
    if (cudaError_t e = cudaDeviceSynchronize()) {
        printf("FAILED: %s\n", cudaGetErrorString(e));
        return 1;
    }
    for (int f = 0; f < N; f++) {
        unsigned sum = 2166136261u;
        for (int i = 0; i < WORDS; i++)
            sum = (sum ^ out[f * WORDS + i]) * 16777619u;
        printf("%08x %s\n", sum, names[f]);
    }
    return 0;
}
