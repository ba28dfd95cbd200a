/* SPDX-License-Identifier: MIT
 *
 * cuda/include/crosswatt_device.h: what a kernel may use besides mathematics: its place in the
 * grid, barriers, votes and shuffles, atomics, integer and conversion intrinsics, cached loads,
 * printf, assert and the heap. */
#ifndef CW_CUDA_INCLUDE_CROSSWATT_DEVICE_H
#define CW_CUDA_INCLUDE_CROSSWATT_DEVICE_H

#define CW_DEVICE static __inline__ __attribute__((device))

/* ---- the grid ---- */
struct cw_threadIdx {
    __declspec(property(get = get_x)) unsigned int x;
    __declspec(property(get = get_y)) unsigned int y;
    __declspec(property(get = get_z)) unsigned int z;
    static __inline__ __attribute__((device)) unsigned int get_x()
    {
        return __nvvm_read_ptx_sreg_tid_x();
    }
    static __inline__ __attribute__((device)) unsigned int get_y()
    {
        return __nvvm_read_ptx_sreg_tid_y();
    }
    static __inline__ __attribute__((device)) unsigned int get_z()
    {
        return __nvvm_read_ptx_sreg_tid_z();
    }
    __attribute__((device)) operator uint3() const
    {
        return uint3{get_x(), get_y(), get_z()};
    }
    __attribute__((device)) operator dim3() const
    {
        return dim3(get_x(), get_y(), get_z());
    }
};
extern const __attribute__((device)) __attribute__((weak)) cw_threadIdx threadIdx;
struct cw_blockIdx {
    __declspec(property(get = get_x)) unsigned int x;
    __declspec(property(get = get_y)) unsigned int y;
    __declspec(property(get = get_z)) unsigned int z;
    static __inline__ __attribute__((device)) unsigned int get_x()
    {
        return __nvvm_read_ptx_sreg_ctaid_x();
    }
    static __inline__ __attribute__((device)) unsigned int get_y()
    {
        return __nvvm_read_ptx_sreg_ctaid_y();
    }
    static __inline__ __attribute__((device)) unsigned int get_z()
    {
        return __nvvm_read_ptx_sreg_ctaid_z();
    }
    __attribute__((device)) operator uint3() const
    {
        return uint3{get_x(), get_y(), get_z()};
    }
    __attribute__((device)) operator dim3() const
    {
        return dim3(get_x(), get_y(), get_z());
    }
};
extern const __attribute__((device)) __attribute__((weak)) cw_blockIdx blockIdx;
struct cw_blockDim {
    __declspec(property(get = get_x)) unsigned int x;
    __declspec(property(get = get_y)) unsigned int y;
    __declspec(property(get = get_z)) unsigned int z;
    static __inline__ __attribute__((device)) unsigned int get_x()
    {
        return __nvvm_read_ptx_sreg_ntid_x();
    }
    static __inline__ __attribute__((device)) unsigned int get_y()
    {
        return __nvvm_read_ptx_sreg_ntid_y();
    }
    static __inline__ __attribute__((device)) unsigned int get_z()
    {
        return __nvvm_read_ptx_sreg_ntid_z();
    }
    __attribute__((device)) operator uint3() const
    {
        return uint3{get_x(), get_y(), get_z()};
    }
    __attribute__((device)) operator dim3() const
    {
        return dim3(get_x(), get_y(), get_z());
    }
};
extern const __attribute__((device)) __attribute__((weak)) cw_blockDim blockDim;
struct cw_gridDim {
    __declspec(property(get = get_x)) unsigned int x;
    __declspec(property(get = get_y)) unsigned int y;
    __declspec(property(get = get_z)) unsigned int z;
    static __inline__ __attribute__((device)) unsigned int get_x()
    {
        return __nvvm_read_ptx_sreg_nctaid_x();
    }
    static __inline__ __attribute__((device)) unsigned int get_y()
    {
        return __nvvm_read_ptx_sreg_nctaid_y();
    }
    static __inline__ __attribute__((device)) unsigned int get_z()
    {
        return __nvvm_read_ptx_sreg_nctaid_z();
    }
    __attribute__((device)) operator uint3() const
    {
        return uint3{get_x(), get_y(), get_z()};
    }
    __attribute__((device)) operator dim3() const
    {
        return dim3(get_x(), get_y(), get_z());
    }
};
extern const __attribute__((device)) __attribute__((weak)) cw_gridDim gridDim;
static const int warpSize = 32;

/* ---- barriers and fences ----
 * As assembly: clang 14 takes for granted that its own barriers leave shared variables alone whose
 * address is not passed on, and keeps old values in registers. */
CW_DEVICE void cw_syncthreads()
{
    __asm__ volatile("bar.sync 0;" : : : "memory");
}
#define __syncthreads() cw_syncthreads()
#define CW_BARRIER(name, op)                                                                       \
    CW_DEVICE int name(int p)                                                                      \
    {                                                                                              \
        int r;                                                                                     \
        __asm__ volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red." op                    \
                         ".pred q, 0, p; selp.s32 %0, 1, 0, q; }"                                  \
                         : "=r"(r)                                                                 \
                         : "r"(p)                                                                  \
                         : "memory");                                                              \
        return r;                                                                                  \
    }
CW_BARRIER(__syncthreads_and, "and")
CW_BARRIER(__syncthreads_or, "or")
#undef CW_BARRIER
/* all warps of the CTA, or as many as hold `threads`, at barrier `id` */
CW_DEVICE void __barrier_sync(unsigned id)
{
    __asm__ volatile("barrier.sync %0;" : : "r"(id) : "memory");
}
CW_DEVICE void __barrier_sync_count(unsigned id, unsigned threads)
{
    __asm__ volatile("barrier.sync %0, %1;" : : "r"(id), "r"(threads) : "memory");
}
CW_DEVICE int __syncthreads_count(int p)
{
    int r;
    __asm__ volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
                     : "=r"(r)
                     : "r"(p)
                     : "memory");
    return r;
}
CW_DEVICE void __syncwarp(unsigned mask = 0xffffffffu)
{
    __asm__ volatile("bar.warp.sync %0;" : : "r"(mask) : "memory");
}
CW_DEVICE void __threadfence()
{
    __asm__ volatile("membar.gl;" : : : "memory");
}
CW_DEVICE void __threadfence_block()
{
    __asm__ volatile("membar.cta;" : : : "memory");
}
CW_DEVICE void __threadfence_system()
{
    __asm__ volatile("membar.sys;" : : : "memory");
}
CW_DEVICE void __nanosleep(unsigned)
{
}
CW_DEVICE void __trap()
{
    __asm__ volatile("trap;");
}
CW_DEVICE void __brkpt()
{
}
CW_DEVICE void __prof_trigger(int)
{
}
CW_DEVICE long long clock64()
{
    return (long long)__nvvm_read_ptx_sreg_clock64();
}
CW_DEVICE long clock()
{
    return (long)__nvvm_read_ptx_sreg_clock();
}
CW_DEVICE unsigned long long globaltimer()
{
    unsigned long long t;
    __asm__ volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

/* ---- votes and shuffles ---- */
CW_DEVICE int __all_sync(unsigned mask, int p)
{
    return __nvvm_vote_all_sync(mask, p);
}
CW_DEVICE int __any_sync(unsigned mask, int p)
{
    return __nvvm_vote_any_sync(mask, p);
}
CW_DEVICE int __uni_sync(unsigned mask, int p)
{
    return __nvvm_vote_uni_sync(mask, p);
}
CW_DEVICE unsigned __ballot_sync(unsigned mask, int p)
{
    return __nvvm_vote_ballot_sync(mask, p);
}
CW_DEVICE unsigned __activemask()
{
    unsigned m;
    __asm__ volatile("activemask.b32 %0;" : "=r"(m));
    return m;
}
CW_DEVICE int __all(int p)
{
    return __nvvm_vote_all_sync(0xffffffffu, p);
}
CW_DEVICE int __any(int p)
{
    return __nvvm_vote_any_sync(0xffffffffu, p);
}
CW_DEVICE unsigned __ballot(int p)
{
    return __nvvm_vote_ballot_sync(0xffffffffu, p);
}
CW_DEVICE unsigned __lane_id()
{
    return __nvvm_read_ptx_sreg_laneid();
}
/* the n-th bit of the mask from bit `base` on, upwards, or downwards where n is negative */
CW_DEVICE unsigned __fns(unsigned mask, unsigned base, int n)
{
    if (n == 0)
        return mask >> (base & 31) & 1 ? base : 0xffffffffu;
    for (int b = (int)base, left = n < 0 ? -n : n; b >= 0 && b < 32; b += n < 0 ? -1 : 1)
        if (mask >> b & 1 && --left == 0)
            return (unsigned)b;
    return 0xffffffffu;
}
/* which lanes of the mask have the same value; all of them, or none */
#define CW_MATCH(T, bits, R, c)                                                                    \
    CW_DEVICE unsigned __match_any_sync(unsigned mask, T v)                                        \
    {                                                                                              \
        R raw;                                                                                     \
        unsigned r;                                                                                \
        __builtin_memcpy(&raw, &v, sizeof raw);                                                    \
        __asm__ volatile("match.any.sync.b" #bits " %0, %1, %2;" : "=r"(r) : c(raw), "r"(mask));   \
        return r;                                                                                  \
    }                                                                                              \
    CW_DEVICE unsigned __match_all_sync(unsigned mask, T v, int *all)                              \
    {                                                                                              \
        *all = __match_any_sync(mask, v) == mask;                                                  \
        return *all ? mask : 0;                                                                    \
    }
CW_MATCH(unsigned, 32, unsigned, "r")
CW_MATCH(int, 32, unsigned, "r")
CW_MATCH(float, 32, unsigned, "r")
CW_MATCH(unsigned long, 64, unsigned long long, "l")
CW_MATCH(long, 64, unsigned long long, "l")
CW_MATCH(unsigned long long, 64, unsigned long long, "l")
CW_MATCH(long long, 64, unsigned long long, "l")
CW_MATCH(double, 64, unsigned long long, "l")
#undef CW_MATCH
#define CW_REDUCE(name, T, op)                                                                     \
    CW_DEVICE T name(unsigned mask, T v)                                                           \
    {                                                                                              \
        T r;                                                                                       \
        __asm__ volatile("redux.sync." op " %0, %1, %2;" : "=r"(r) : "r"(v), "r"(mask));           \
        return r;                                                                                  \
    }
CW_REDUCE(__reduce_add_sync, unsigned, "add.u32")
CW_REDUCE(__reduce_add_sync, int, "add.s32")
CW_REDUCE(__reduce_min_sync, unsigned, "min.u32")
CW_REDUCE(__reduce_min_sync, int, "min.s32")
CW_REDUCE(__reduce_max_sync, unsigned, "max.u32")
CW_REDUCE(__reduce_max_sync, int, "max.s32")
CW_REDUCE(__reduce_and_sync, unsigned, "and.b32")
CW_REDUCE(__reduce_or_sync, unsigned, "or.b32")
CW_REDUCE(__reduce_xor_sync, unsigned, "xor.b32")
#undef CW_REDUCE

#define CW_SHUFFLE(name, builtin, clamp)                                                           \
    CW_DEVICE int name##_sync(unsigned mask, int v, int by, int width = 32)                        \
    {                                                                                              \
        return builtin##_i32(mask, v, by, ((32 - width) << 8) | clamp);                            \
    }                                                                                              \
    CW_DEVICE unsigned name##_sync(unsigned mask, unsigned v, int by, int width = 32)              \
    {                                                                                              \
        return (unsigned)name##_sync(mask, (int)v, by, width);                                     \
    }                                                                                              \
    CW_DEVICE float name##_sync(unsigned mask, float v, int by, int width = 32)                    \
    {                                                                                              \
        return builtin##_f32(mask, v, by, ((32 - width) << 8) | clamp);                            \
    }                                                                                              \
    CW_DEVICE long long name##_sync(unsigned mask, long long v, int by, int width = 32)            \
    {                                                                                              \
        int lo = name##_sync(mask, (int)v, by, width);                                             \
        int hi = name##_sync(mask, (int)(v >> 32), by, width);                                     \
        return (long long)(((unsigned long long)(unsigned)hi << 32) | (unsigned)lo);               \
    }                                                                                              \
    CW_DEVICE unsigned long long name##_sync(unsigned mask, unsigned long long v, int by,          \
                                             int width = 32)                                       \
    {                                                                                              \
        return (unsigned long long)name##_sync(mask, (long long)v, by, width);                     \
    }                                                                                              \
    CW_DEVICE long name##_sync(unsigned mask, long v, int by, int width = 32)                      \
    {                                                                                              \
        return (long)name##_sync(mask, (long long)v, by, width);                                   \
    }                                                                                              \
    CW_DEVICE unsigned long name##_sync(unsigned mask, unsigned long v, int by, int width = 32)    \
    {                                                                                              \
        return (unsigned long)name##_sync(mask, (long long)v, by, width);                          \
    }                                                                                              \
    CW_DEVICE double name##_sync(unsigned mask, double v, int by, int width = 32)                  \
    {                                                                                              \
        return __nvvm_bitcast_ll2d(name##_sync(mask, __nvvm_bitcast_d2ll(v), by, width));          \
    }                                                                                              \
    CW_SHUFFLE_ALL(name, int)                                                                      \
    CW_SHUFFLE_ALL(name, unsigned)                                                                 \
    CW_SHUFFLE_ALL(name, long)                                                                     \
    CW_SHUFFLE_ALL(name, unsigned long)                                                            \
    CW_SHUFFLE_ALL(name, long long)                                                                \
    CW_SHUFFLE_ALL(name, unsigned long long)                                                       \
    CW_SHUFFLE_ALL(name, float)                                                                    \
    CW_SHUFFLE_ALL(name, double)
#define CW_SHUFFLE_ALL(name, T)                                                                    \
    CW_DEVICE T name(T v, int by, int width = 32)                                                  \
    {                                                                                              \
        return name##_sync(0xffffffffu, v, by, width);                                             \
    }
CW_SHUFFLE(__shfl, __nvvm_shfl_sync_idx, 31)
CW_SHUFFLE(__shfl_up, __nvvm_shfl_sync_up, 0)
CW_SHUFFLE(__shfl_down, __nvvm_shfl_sync_down, 31)
CW_SHUFFLE(__shfl_xor, __nvvm_shfl_sync_bfly, 31)
#undef CW_SHUFFLE_ALL
#undef CW_SHUFFLE

/* ---- atomics ---- */
CW_DEVICE int atomicAdd(int *p, int v)
{
    return __nvvm_atom_add_gen_i((volatile int *)p, v);
}
CW_DEVICE unsigned atomicAdd(unsigned *p, unsigned v)
{
    return (unsigned)__nvvm_atom_add_gen_i((volatile int *)p, (int)v);
}
CW_DEVICE unsigned long long atomicAdd(unsigned long long *p, unsigned long long v)
{
    return (unsigned long long)__nvvm_atom_add_gen_ll((volatile long long *)p, (long long)v);
}
CW_DEVICE float atomicAdd(float *p, float v)
{
    return __nvvm_atom_add_gen_f((volatile float *)p, v);
}
CW_DEVICE double atomicAdd(double *p, double v)
{
    return __nvvm_atom_add_gen_d((volatile double *)p, v);
}
CW_DEVICE int atomicSub(int *p, int v)
{
    return __nvvm_atom_add_gen_i((volatile int *)p, -v);
}
CW_DEVICE unsigned atomicSub(unsigned *p, unsigned v)
{
    return (unsigned)__nvvm_atom_add_gen_i((volatile int *)p, -(int)v);
}
CW_DEVICE int atomicExch(int *p, int v)
{
    return __nvvm_atom_xchg_gen_i((volatile int *)p, v);
}
CW_DEVICE unsigned atomicExch(unsigned *p, unsigned v)
{
    return (unsigned)__nvvm_atom_xchg_gen_i((volatile int *)p, (int)v);
}
CW_DEVICE unsigned long long atomicExch(unsigned long long *p, unsigned long long v)
{
    return (unsigned long long)__nvvm_atom_xchg_gen_ll((volatile long long *)p, (long long)v);
}
CW_DEVICE int atomicAnd(int *p, int v)
{
    return __nvvm_atom_and_gen_i((volatile int *)p, v);
}
CW_DEVICE unsigned atomicAnd(unsigned *p, unsigned v)
{
    return (unsigned)__nvvm_atom_and_gen_i((volatile int *)p, (int)v);
}
CW_DEVICE unsigned long long atomicAnd(unsigned long long *p, unsigned long long v)
{
    return (unsigned long long)__nvvm_atom_and_gen_ll((volatile long long *)p, (long long)v);
}
CW_DEVICE int atomicOr(int *p, int v)
{
    return __nvvm_atom_or_gen_i((volatile int *)p, v);
}
CW_DEVICE unsigned atomicOr(unsigned *p, unsigned v)
{
    return (unsigned)__nvvm_atom_or_gen_i((volatile int *)p, (int)v);
}
CW_DEVICE unsigned long long atomicOr(unsigned long long *p, unsigned long long v)
{
    return (unsigned long long)__nvvm_atom_or_gen_ll((volatile long long *)p, (long long)v);
}
CW_DEVICE int atomicXor(int *p, int v)
{
    return __nvvm_atom_xor_gen_i((volatile int *)p, v);
}
CW_DEVICE unsigned atomicXor(unsigned *p, unsigned v)
{
    return (unsigned)__nvvm_atom_xor_gen_i((volatile int *)p, (int)v);
}
CW_DEVICE unsigned long long atomicXor(unsigned long long *p, unsigned long long v)
{
    return (unsigned long long)__nvvm_atom_xor_gen_ll((volatile long long *)p, (long long)v);
}
CW_DEVICE float atomicExch(float *p, float v)
{
    return __nvvm_bitcast_i2f(__nvvm_atom_xchg_gen_i((volatile int *)p, __nvvm_bitcast_f2i(v)));
}
CW_DEVICE int atomicMin(int *p, int v)
{
    return __nvvm_atom_min_gen_i((volatile int *)p, v);
}
CW_DEVICE unsigned atomicMin(unsigned *p, unsigned v)
{
    return __nvvm_atom_min_gen_ui((volatile unsigned *)p, v);
}
CW_DEVICE long long atomicMin(long long *p, long long v)
{
    return __nvvm_atom_min_gen_ll((volatile long long *)p, v);
}
CW_DEVICE unsigned long long atomicMin(unsigned long long *p, unsigned long long v)
{
    return __nvvm_atom_min_gen_ull((volatile unsigned long long *)p, v);
}
CW_DEVICE int atomicMax(int *p, int v)
{
    return __nvvm_atom_max_gen_i((volatile int *)p, v);
}
CW_DEVICE unsigned atomicMax(unsigned *p, unsigned v)
{
    return __nvvm_atom_max_gen_ui((volatile unsigned *)p, v);
}
CW_DEVICE long long atomicMax(long long *p, long long v)
{
    return __nvvm_atom_max_gen_ll((volatile long long *)p, v);
}
CW_DEVICE unsigned long long atomicMax(unsigned long long *p, unsigned long long v)
{
    return __nvvm_atom_max_gen_ull((volatile unsigned long long *)p, v);
}
CW_DEVICE unsigned atomicInc(unsigned *p, unsigned v)
{
    return __nvvm_atom_inc_gen_ui((volatile unsigned *)p, v);
}
CW_DEVICE unsigned atomicDec(unsigned *p, unsigned v)
{
    return __nvvm_atom_dec_gen_ui((volatile unsigned *)p, v);
}
CW_DEVICE int atomicCAS(int *p, int old, int v)
{
    return __nvvm_atom_cas_gen_i((volatile int *)p, old, v);
}
CW_DEVICE unsigned atomicCAS(unsigned *p, unsigned old, unsigned v)
{
    return (unsigned)__nvvm_atom_cas_gen_i((volatile int *)p, (int)old, (int)v);
}
CW_DEVICE unsigned long long atomicCAS(unsigned long long *p, unsigned long long old,
                                       unsigned long long v)
{
    return (unsigned long long)__nvvm_atom_cas_gen_ll((volatile long long *)p, (long long)old,
                                                      (long long)v);
}
CW_DEVICE unsigned short atomicCAS(unsigned short *p, unsigned short old, unsigned short v)
{
    unsigned short r;
    __asm__ volatile("atom.cas.b16 %0, [%1], %2, %3;"
                     : "=h"(r)
                     : "l"(p), "h"(old), "h"(v)
                     : "memory");
    return r;
}
#define CW_SCOPES(op)                                                                              \
    template <typename T, typename... V> CW_DEVICE T op##_block(T *p, V... v)                      \
    {                                                                                              \
        return op(p, v...);                                                                        \
    }                                                                                              \
    template <typename T, typename... V> CW_DEVICE T op##_system(T *p, V... v)                     \
    {                                                                                              \
        return op(p, v...);                                                                        \
    }
CW_SCOPES(atomicAdd)
CW_SCOPES(atomicSub)
CW_SCOPES(atomicExch)
CW_SCOPES(atomicMin)
CW_SCOPES(atomicMax)
CW_SCOPES(atomicAnd)
CW_SCOPES(atomicOr)
CW_SCOPES(atomicXor)
CW_SCOPES(atomicCAS)
CW_SCOPES(atomicInc)
CW_SCOPES(atomicDec)
#undef CW_SCOPES

/* ---- integers ---- */
CW_DEVICE int __clz(int x)
{
    int r;
    __asm__("clz.b32 %0, %1;" : "=r"(r) : "r"(x));
    return r;
}
CW_DEVICE int __clzll(long long x)
{
    int r;
    __asm__("clz.b64 %0, %1;" : "=r"(r) : "l"(x));
    return r;
}
CW_DEVICE int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
CW_DEVICE int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
CW_DEVICE int __ffs(int x)
{
    return __builtin_ffs(x);
}
CW_DEVICE int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}
CW_DEVICE unsigned __brev(unsigned x)
{
    return __builtin_bitreverse32(x);
}
CW_DEVICE unsigned long long __brevll(unsigned long long x)
{
    return __builtin_bitreverse64(x);
}
CW_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned s)
{
    return (unsigned)__nvvm_prmt((int)a, (int)b, (int)s);
}
CW_DEVICE int __mul24(int a, int b)
{
    return __nvvm_mul24_i(a, b);
}
CW_DEVICE unsigned __umul24(unsigned a, unsigned b)
{
    return __nvvm_mul24_ui(a, b);
}
CW_DEVICE int mul24(int a, int b)
{
    return __nvvm_mul24_i(a, b);
}
CW_DEVICE int __mulhi(int a, int b)
{
    return (int)(((long long)a * b) >> 32);
}
CW_DEVICE unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a * b) >> 32);
}
CW_DEVICE long long __mul64hi(long long a, long long b)
{
    return __nvvm_mulhi_ll(a, b);
}
CW_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return __nvvm_mulhi_ull(a, b);
}
CW_DEVICE int __hadd(int a, int b)
{
    return (int)(((long long)a + b) >> 1);
}
CW_DEVICE unsigned __urhadd(unsigned a, unsigned b)
{
    return (a | b) - ((a ^ b) >> 1);
}
CW_DEVICE int __rhadd(int a, int b)
{
    return (int)(((long long)a + b + 1) >> 1);
}
CW_DEVICE unsigned __uhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b) >> 1);
}
CW_DEVICE unsigned __sad(int a, int b, unsigned c)
{
    return (unsigned)(a > b ? a - b : b - a) + c;
}
CW_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c)
{
    return (a > b ? a - b : b - a) + c;
}
CW_DEVICE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n)
{
    n &= 31;
    return n ? (hi << n) | (lo >> (32 - n)) : hi;
}
CW_DEVICE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n)
{
    n &= 31;
    return n ? (lo >> n) | (hi << (32 - n)) : lo;
}
/* a shift by 32 and more is one by 32 */
CW_DEVICE unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned n)
{
    return n >= 32 ? lo : __funnelshift_l(lo, hi, n);
}
CW_DEVICE unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned n)
{
    return n >= 32 ? hi : __funnelshift_r(lo, hi, n);
}
CW_DEVICE int __dp4a(int a, int b, int c)
{
    int r;
    __asm__("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}
CW_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    unsigned r;
    __asm__("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}
/* two numbers of 16 bits and two of the four of 8 */
#define CW_DP2A(name, T, op)                                                                       \
    CW_DEVICE T name(T a, T b, T c)                                                                \
    {                                                                                              \
        T r;                                                                                       \
        __asm__("dp2a." op " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));                 \
        return r;                                                                                  \
    }
CW_DP2A(__dp2a_lo, int, "lo.s32.s32")
CW_DP2A(__dp2a_lo, unsigned, "lo.u32.u32")
CW_DP2A(__dp2a_hi, int, "hi.s32.s32")
CW_DP2A(__dp2a_hi, unsigned, "hi.u32.u32")
#undef CW_DP2A

/* ---- arithmetic with a rounding ---- */
CW_DEVICE float __fadd_rn(float a, float b)
{
    return __nvvm_add_rn_f(a, b);
}
CW_DEVICE float __fadd_rz(float a, float b)
{
    return __nvvm_add_rz_f(a, b);
}
CW_DEVICE float __fadd_rd(float a, float b)
{
    return __nvvm_add_rm_f(a, b);
}
CW_DEVICE float __fadd_ru(float a, float b)
{
    return __nvvm_add_rp_f(a, b);
}
CW_DEVICE float __fmul_rn(float a, float b)
{
    return __nvvm_mul_rn_f(a, b);
}
CW_DEVICE float __fmul_rz(float a, float b)
{
    return __nvvm_mul_rz_f(a, b);
}
CW_DEVICE float __fmul_rd(float a, float b)
{
    return __nvvm_mul_rm_f(a, b);
}
CW_DEVICE float __fmul_ru(float a, float b)
{
    return __nvvm_mul_rp_f(a, b);
}
CW_DEVICE float __fsub_rn(float a, float b)
{
    return __nvvm_add_rn_f(a, -b);
}
CW_DEVICE float __fdiv_rn(float a, float b)
{
    return __nvvm_div_rn_f(a, b);
}
CW_DEVICE float __fsqrt_rn(float a)
{
    return __nvvm_sqrt_rn_f(a);
}
CW_DEVICE float __frcp_rn(float a)
{
    return __nvvm_rcp_rn_f(a);
}
CW_DEVICE float __fmaf_rn(float a, float b, float c)
{
    return __nvvm_fma_rn_f(a, b, c);
}
CW_DEVICE float __fsub_rz(float a, float b)
{
    return __nvvm_add_rz_f(a, -b);
}
CW_DEVICE float __fdiv_rz(float a, float b)
{
    return __nvvm_div_rz_f(a, b);
}
CW_DEVICE float __fsqrt_rz(float a)
{
    return __nvvm_sqrt_rz_f(a);
}
CW_DEVICE float __frcp_rz(float a)
{
    return __nvvm_rcp_rz_f(a);
}
CW_DEVICE float __fmaf_rz(float a, float b, float c)
{
    return __nvvm_fma_rz_f(a, b, c);
}
CW_DEVICE float __fsub_rd(float a, float b)
{
    return __nvvm_add_rm_f(a, -b);
}
CW_DEVICE float __fdiv_rd(float a, float b)
{
    return __nvvm_div_rm_f(a, b);
}
CW_DEVICE float __fsqrt_rd(float a)
{
    return __nvvm_sqrt_rm_f(a);
}
CW_DEVICE float __frcp_rd(float a)
{
    return __nvvm_rcp_rm_f(a);
}
CW_DEVICE float __fmaf_rd(float a, float b, float c)
{
    return __nvvm_fma_rm_f(a, b, c);
}
CW_DEVICE float __fsub_ru(float a, float b)
{
    return __nvvm_add_rp_f(a, -b);
}
CW_DEVICE float __fdiv_ru(float a, float b)
{
    return __nvvm_div_rp_f(a, b);
}
CW_DEVICE float __fsqrt_ru(float a)
{
    return __nvvm_sqrt_rp_f(a);
}
CW_DEVICE float __frcp_ru(float a)
{
    return __nvvm_rcp_rp_f(a);
}
CW_DEVICE float __fmaf_ru(float a, float b, float c)
{
    return __nvvm_fma_rp_f(a, b, c);
}
CW_DEVICE double __dadd_rn(double a, double b)
{
    return __nvvm_add_rn_d(a, b);
}
CW_DEVICE double __dadd_rz(double a, double b)
{
    return __nvvm_add_rz_d(a, b);
}
CW_DEVICE double __dadd_rd(double a, double b)
{
    return __nvvm_add_rm_d(a, b);
}
CW_DEVICE double __dadd_ru(double a, double b)
{
    return __nvvm_add_rp_d(a, b);
}
CW_DEVICE double __dmul_rn(double a, double b)
{
    return __nvvm_mul_rn_d(a, b);
}
CW_DEVICE double __dmul_rz(double a, double b)
{
    return __nvvm_mul_rz_d(a, b);
}
CW_DEVICE double __dmul_rd(double a, double b)
{
    return __nvvm_mul_rm_d(a, b);
}
CW_DEVICE double __dmul_ru(double a, double b)
{
    return __nvvm_mul_rp_d(a, b);
}
CW_DEVICE double __dsub_rn(double a, double b)
{
    return __nvvm_add_rn_d(a, -b);
}
CW_DEVICE double __ddiv_rn(double a, double b)
{
    return __nvvm_div_rn_d(a, b);
}
CW_DEVICE double __dsqrt_rn(double a)
{
    return __nvvm_sqrt_rn_d(a);
}
CW_DEVICE double __drcp_rn(double a)
{
    return __nvvm_rcp_rn_d(a);
}
CW_DEVICE double __fma_rn(double a, double b, double c)
{
    return __nvvm_fma_rn_d(a, b, c);
}
CW_DEVICE double __dsub_rz(double a, double b)
{
    return __nvvm_add_rz_d(a, -b);
}
CW_DEVICE double __ddiv_rz(double a, double b)
{
    return __nvvm_div_rz_d(a, b);
}
CW_DEVICE double __dsqrt_rz(double a)
{
    return __nvvm_sqrt_rz_d(a);
}
CW_DEVICE double __drcp_rz(double a)
{
    return __nvvm_rcp_rz_d(a);
}
CW_DEVICE double __fma_rz(double a, double b, double c)
{
    return __nvvm_fma_rz_d(a, b, c);
}
CW_DEVICE double __dsub_rd(double a, double b)
{
    return __nvvm_add_rm_d(a, -b);
}
CW_DEVICE double __ddiv_rd(double a, double b)
{
    return __nvvm_div_rm_d(a, b);
}
CW_DEVICE double __dsqrt_rd(double a)
{
    return __nvvm_sqrt_rm_d(a);
}
CW_DEVICE double __drcp_rd(double a)
{
    return __nvvm_rcp_rm_d(a);
}
CW_DEVICE double __fma_rd(double a, double b, double c)
{
    return __nvvm_fma_rm_d(a, b, c);
}
CW_DEVICE double __dsub_ru(double a, double b)
{
    return __nvvm_add_rp_d(a, -b);
}
CW_DEVICE double __ddiv_ru(double a, double b)
{
    return __nvvm_div_rp_d(a, b);
}
CW_DEVICE double __dsqrt_ru(double a)
{
    return __nvvm_sqrt_rp_d(a);
}
CW_DEVICE double __drcp_ru(double a)
{
    return __nvvm_rcp_rp_d(a);
}
CW_DEVICE double __fma_ru(double a, double b, double c)
{
    return __nvvm_fma_rp_d(a, b, c);
}
CW_DEVICE float __frsqrt_rn(float a)
{
    return 1.0f / __nvvm_sqrt_rn_f(a);
}

/* ---- conversions ---- */
CW_DEVICE int __float2int_rn(float x)
{
    int v;
    __asm__("cvt.rni.s32.f32 %0, %1;" : "=r"(v) : "f"(x));
    return v;
}
CW_DEVICE float __int2float_rn(int x)
{
    float v;
    __asm__("cvt.rn.f32.s32 %0, %1;" : "=f"(v) : "r"(x));
    return v;
}
CW_DEVICE int __float2int_rz(float x)
{
    int v;
    __asm__("cvt.rzi.s32.f32 %0, %1;" : "=r"(v) : "f"(x));
    return v;
}
CW_DEVICE float __int2float_rz(int x)
{
    float v;
    __asm__("cvt.rz.f32.s32 %0, %1;" : "=f"(v) : "r"(x));
    return v;
}
CW_DEVICE int __float2int_rd(float x)
{
    int v;
    __asm__("cvt.rmi.s32.f32 %0, %1;" : "=r"(v) : "f"(x));
    return v;
}
CW_DEVICE float __int2float_rd(int x)
{
    float v;
    __asm__("cvt.rm.f32.s32 %0, %1;" : "=f"(v) : "r"(x));
    return v;
}
CW_DEVICE int __float2int_ru(float x)
{
    int v;
    __asm__("cvt.rpi.s32.f32 %0, %1;" : "=r"(v) : "f"(x));
    return v;
}
CW_DEVICE float __int2float_ru(int x)
{
    float v;
    __asm__("cvt.rp.f32.s32 %0, %1;" : "=f"(v) : "r"(x));
    return v;
}
CW_DEVICE unsigned __float2uint_rn(float x)
{
    unsigned v;
    __asm__("cvt.rni.u32.f32 %0, %1;" : "=r"(v) : "f"(x));
    return v;
}
CW_DEVICE float __uint2float_rn(unsigned x)
{
    float v;
    __asm__("cvt.rn.f32.u32 %0, %1;" : "=f"(v) : "r"(x));
    return v;
}
CW_DEVICE unsigned __float2uint_rz(float x)
{
    unsigned v;
    __asm__("cvt.rzi.u32.f32 %0, %1;" : "=r"(v) : "f"(x));
    return v;
}
CW_DEVICE float __uint2float_rz(unsigned x)
{
    float v;
    __asm__("cvt.rz.f32.u32 %0, %1;" : "=f"(v) : "r"(x));
    return v;
}
CW_DEVICE unsigned __float2uint_rd(float x)
{
    unsigned v;
    __asm__("cvt.rmi.u32.f32 %0, %1;" : "=r"(v) : "f"(x));
    return v;
}
CW_DEVICE float __uint2float_rd(unsigned x)
{
    float v;
    __asm__("cvt.rm.f32.u32 %0, %1;" : "=f"(v) : "r"(x));
    return v;
}
CW_DEVICE unsigned __float2uint_ru(float x)
{
    unsigned v;
    __asm__("cvt.rpi.u32.f32 %0, %1;" : "=r"(v) : "f"(x));
    return v;
}
CW_DEVICE float __uint2float_ru(unsigned x)
{
    float v;
    __asm__("cvt.rp.f32.u32 %0, %1;" : "=f"(v) : "r"(x));
    return v;
}
CW_DEVICE long long __float2ll_rn(float x)
{
    long long v;
    __asm__("cvt.rni.s64.f32 %0, %1;" : "=l"(v) : "f"(x));
    return v;
}
CW_DEVICE float __ll2float_rn(long long x)
{
    float v;
    __asm__("cvt.rn.f32.s64 %0, %1;" : "=f"(v) : "l"(x));
    return v;
}
CW_DEVICE long long __float2ll_rz(float x)
{
    long long v;
    __asm__("cvt.rzi.s64.f32 %0, %1;" : "=l"(v) : "f"(x));
    return v;
}
CW_DEVICE float __ll2float_rz(long long x)
{
    float v;
    __asm__("cvt.rz.f32.s64 %0, %1;" : "=f"(v) : "l"(x));
    return v;
}
CW_DEVICE long long __float2ll_rd(float x)
{
    long long v;
    __asm__("cvt.rmi.s64.f32 %0, %1;" : "=l"(v) : "f"(x));
    return v;
}
CW_DEVICE float __ll2float_rd(long long x)
{
    float v;
    __asm__("cvt.rm.f32.s64 %0, %1;" : "=f"(v) : "l"(x));
    return v;
}
CW_DEVICE long long __float2ll_ru(float x)
{
    long long v;
    __asm__("cvt.rpi.s64.f32 %0, %1;" : "=l"(v) : "f"(x));
    return v;
}
CW_DEVICE float __ll2float_ru(long long x)
{
    float v;
    __asm__("cvt.rp.f32.s64 %0, %1;" : "=f"(v) : "l"(x));
    return v;
}
CW_DEVICE unsigned long long __float2ull_rn(float x)
{
    unsigned long long v;
    __asm__("cvt.rni.u64.f32 %0, %1;" : "=l"(v) : "f"(x));
    return v;
}
CW_DEVICE float __ull2float_rn(unsigned long long x)
{
    float v;
    __asm__("cvt.rn.f32.u64 %0, %1;" : "=f"(v) : "l"(x));
    return v;
}
CW_DEVICE unsigned long long __float2ull_rz(float x)
{
    unsigned long long v;
    __asm__("cvt.rzi.u64.f32 %0, %1;" : "=l"(v) : "f"(x));
    return v;
}
CW_DEVICE float __ull2float_rz(unsigned long long x)
{
    float v;
    __asm__("cvt.rz.f32.u64 %0, %1;" : "=f"(v) : "l"(x));
    return v;
}
CW_DEVICE unsigned long long __float2ull_rd(float x)
{
    unsigned long long v;
    __asm__("cvt.rmi.u64.f32 %0, %1;" : "=l"(v) : "f"(x));
    return v;
}
CW_DEVICE float __ull2float_rd(unsigned long long x)
{
    float v;
    __asm__("cvt.rm.f32.u64 %0, %1;" : "=f"(v) : "l"(x));
    return v;
}
CW_DEVICE unsigned long long __float2ull_ru(float x)
{
    unsigned long long v;
    __asm__("cvt.rpi.u64.f32 %0, %1;" : "=l"(v) : "f"(x));
    return v;
}
CW_DEVICE float __ull2float_ru(unsigned long long x)
{
    float v;
    __asm__("cvt.rp.f32.u64 %0, %1;" : "=f"(v) : "l"(x));
    return v;
}
CW_DEVICE int __double2int_rn(double x)
{
    int v;
    __asm__("cvt.rni.s32.f64 %0, %1;" : "=r"(v) : "d"(x));
    return v;
}
CW_DEVICE int __double2int_rz(double x)
{
    int v;
    __asm__("cvt.rzi.s32.f64 %0, %1;" : "=r"(v) : "d"(x));
    return v;
}
CW_DEVICE int __double2int_rd(double x)
{
    int v;
    __asm__("cvt.rmi.s32.f64 %0, %1;" : "=r"(v) : "d"(x));
    return v;
}
CW_DEVICE int __double2int_ru(double x)
{
    int v;
    __asm__("cvt.rpi.s32.f64 %0, %1;" : "=r"(v) : "d"(x));
    return v;
}
CW_DEVICE unsigned __double2uint_rn(double x)
{
    unsigned v;
    __asm__("cvt.rni.u32.f64 %0, %1;" : "=r"(v) : "d"(x));
    return v;
}
CW_DEVICE unsigned __double2uint_rz(double x)
{
    unsigned v;
    __asm__("cvt.rzi.u32.f64 %0, %1;" : "=r"(v) : "d"(x));
    return v;
}
CW_DEVICE unsigned __double2uint_rd(double x)
{
    unsigned v;
    __asm__("cvt.rmi.u32.f64 %0, %1;" : "=r"(v) : "d"(x));
    return v;
}
CW_DEVICE unsigned __double2uint_ru(double x)
{
    unsigned v;
    __asm__("cvt.rpi.u32.f64 %0, %1;" : "=r"(v) : "d"(x));
    return v;
}
CW_DEVICE long long __double2ll_rn(double x)
{
    long long v;
    __asm__("cvt.rni.s64.f64 %0, %1;" : "=l"(v) : "d"(x));
    return v;
}
CW_DEVICE double __ll2double_rn(long long x)
{
    double v;
    __asm__("cvt.rn.f64.s64 %0, %1;" : "=d"(v) : "l"(x));
    return v;
}
CW_DEVICE long long __double2ll_rz(double x)
{
    long long v;
    __asm__("cvt.rzi.s64.f64 %0, %1;" : "=l"(v) : "d"(x));
    return v;
}
CW_DEVICE double __ll2double_rz(long long x)
{
    double v;
    __asm__("cvt.rz.f64.s64 %0, %1;" : "=d"(v) : "l"(x));
    return v;
}
CW_DEVICE long long __double2ll_rd(double x)
{
    long long v;
    __asm__("cvt.rmi.s64.f64 %0, %1;" : "=l"(v) : "d"(x));
    return v;
}
CW_DEVICE double __ll2double_rd(long long x)
{
    double v;
    __asm__("cvt.rm.f64.s64 %0, %1;" : "=d"(v) : "l"(x));
    return v;
}
CW_DEVICE long long __double2ll_ru(double x)
{
    long long v;
    __asm__("cvt.rpi.s64.f64 %0, %1;" : "=l"(v) : "d"(x));
    return v;
}
CW_DEVICE double __ll2double_ru(long long x)
{
    double v;
    __asm__("cvt.rp.f64.s64 %0, %1;" : "=d"(v) : "l"(x));
    return v;
}
CW_DEVICE unsigned long long __double2ull_rn(double x)
{
    unsigned long long v;
    __asm__("cvt.rni.u64.f64 %0, %1;" : "=l"(v) : "d"(x));
    return v;
}
CW_DEVICE double __ull2double_rn(unsigned long long x)
{
    double v;
    __asm__("cvt.rn.f64.u64 %0, %1;" : "=d"(v) : "l"(x));
    return v;
}
CW_DEVICE unsigned long long __double2ull_rz(double x)
{
    unsigned long long v;
    __asm__("cvt.rzi.u64.f64 %0, %1;" : "=l"(v) : "d"(x));
    return v;
}
CW_DEVICE double __ull2double_rz(unsigned long long x)
{
    double v;
    __asm__("cvt.rz.f64.u64 %0, %1;" : "=d"(v) : "l"(x));
    return v;
}
CW_DEVICE unsigned long long __double2ull_rd(double x)
{
    unsigned long long v;
    __asm__("cvt.rmi.u64.f64 %0, %1;" : "=l"(v) : "d"(x));
    return v;
}
CW_DEVICE double __ull2double_rd(unsigned long long x)
{
    double v;
    __asm__("cvt.rm.f64.u64 %0, %1;" : "=d"(v) : "l"(x));
    return v;
}
CW_DEVICE unsigned long long __double2ull_ru(double x)
{
    unsigned long long v;
    __asm__("cvt.rpi.u64.f64 %0, %1;" : "=l"(v) : "d"(x));
    return v;
}
CW_DEVICE double __ull2double_ru(unsigned long long x)
{
    double v;
    __asm__("cvt.rp.f64.u64 %0, %1;" : "=d"(v) : "l"(x));
    return v;
}
CW_DEVICE float __double2float_rn(double x)
{
    float v;
    __asm__("cvt.rn.f32.f64 %0, %1;" : "=f"(v) : "d"(x));
    return v;
}
CW_DEVICE float __double2float_rz(double x)
{
    float v;
    __asm__("cvt.rz.f32.f64 %0, %1;" : "=f"(v) : "d"(x));
    return v;
}
CW_DEVICE float __double2float_rd(double x)
{
    float v;
    __asm__("cvt.rm.f32.f64 %0, %1;" : "=f"(v) : "d"(x));
    return v;
}
CW_DEVICE float __double2float_ru(double x)
{
    float v;
    __asm__("cvt.rp.f32.f64 %0, %1;" : "=f"(v) : "d"(x));
    return v;
}
CW_DEVICE double __int2double_rn(int x)
{
    return (double)x;
}
CW_DEVICE double __uint2double_rn(unsigned x)
{
    return (double)x;
}

/* ---- loads and stores with a hint ---- */
#define CW_HINT1(T, R, c, bits)                                                                    \
    CW_LOAD1(__ldg, "ld.global.nc." bits, T, R, c)                                                 \
    CW_LOAD1(__ldcg, "ld.global.cg." bits, T, R, c)                                                \
    CW_LOAD1(__ldca, "ld.global.ca." bits, T, R, c)                                                \
    CW_LOAD1(__ldcs, "ld.global.cs." bits, T, R, c)                                                \
    CW_LOAD1(__ldcv, "ld.global.cv." bits, T, R, c)                                                \
    CW_LOAD1(__ldlu, "ld.global.lu." bits, T, R, c)                                                \
    CW_STORE1(__stcg, "st.global.cg." bits, T, R, c)                                               \
    CW_STORE1(__stcs, "st.global.cs." bits, T, R, c)                                               \
    CW_STORE1(__stwb, "st.global.wb." bits, T, R, c)                                               \
    CW_STORE1(__stwt, "st.global.wt." bits, T, R, c)
#define CW_LOAD1(name, op, T, R, c)                                                                \
    CW_DEVICE T name(const T *p)                                                                   \
    {                                                                                              \
        R v;                                                                                       \
        __asm__ volatile(op " %0, [%1];" : "=" c(v) : "l"(p) : "memory");                          \
        return (T)v;                                                                               \
    }
#define CW_STORE1(name, op, T, R, c)                                                               \
    CW_DEVICE void name(T *p, T v)                                                                 \
    {                                                                                              \
        __asm__ volatile(op " [%0], %1;" : : "l"(p), c((R)v) : "memory");                          \
    }
CW_HINT1(char, int, "r", "s8")
CW_HINT1(signed char, int, "r", "s8")
CW_HINT1(unsigned char, unsigned, "r", "u8")
CW_HINT1(short, short, "h", "s16")
CW_HINT1(unsigned short, unsigned short, "h", "u16")
CW_HINT1(int, int, "r", "s32")
CW_HINT1(unsigned, unsigned, "r", "u32")
CW_HINT1(long, long, "l", "s64")
CW_HINT1(unsigned long, unsigned long, "l", "u64")
CW_HINT1(long long, long long, "l", "s64")
CW_HINT1(unsigned long long, unsigned long long, "l", "u64")
CW_HINT1(float, float, "f", "f32")
CW_HINT1(double, double, "d", "f64")
#undef CW_HINT1
#undef CW_LOAD1
#undef CW_STORE1
#define CW_HINT2(T, c, bits)                                                                       \
    CW_LOAD2(__ldg, "ld.global.nc.v2." bits, T, c)                                                 \
    CW_LOAD2(__ldcg, "ld.global.cg.v2." bits, T, c)                                                \
    CW_LOAD2(__ldca, "ld.global.ca.v2." bits, T, c)                                                \
    CW_LOAD2(__ldcs, "ld.global.cs.v2." bits, T, c)                                                \
    CW_STORE2(__stcg, "st.global.cg.v2." bits, T, c)                                               \
    CW_STORE2(__stcs, "st.global.cs.v2." bits, T, c)
#define CW_LOAD2(name, op, T, c)                                                                   \
    CW_DEVICE T name(const T *p)                                                                   \
    {                                                                                              \
        T v;                                                                                       \
        __asm__ volatile(op " {%0, %1}, [%2];" : "=" c(v.x), "=" c(v.y) : "l"(p) : "memory");      \
        return v;                                                                                  \
    }
#define CW_STORE2(name, op, T, c)                                                                  \
    CW_DEVICE void name(T *p, T v)                                                                 \
    {                                                                                              \
        __asm__ volatile(op " [%0], {%1, %2};" : : "l"(p), c(v.x), c(v.y) : "memory");             \
    }
CW_HINT2(int2, "r", "s32")
CW_HINT2(uint2, "r", "u32")
CW_HINT2(float2, "f", "f32")
CW_HINT2(double2, "d", "f64")
CW_HINT2(longlong2, "l", "s64")
#undef CW_HINT2
#undef CW_LOAD2
#undef CW_STORE2
#define CW_HINT4(T, c, bits)                                                                       \
    CW_LOAD4(__ldg, "ld.global.nc.v4." bits, T, c)                                                 \
    CW_LOAD4(__ldcg, "ld.global.cg.v4." bits, T, c)                                                \
    CW_LOAD4(__ldca, "ld.global.ca.v4." bits, T, c)                                                \
    CW_LOAD4(__ldcs, "ld.global.cs.v4." bits, T, c)                                                \
    CW_STORE4(__stcg, "st.global.cg.v4." bits, T, c)                                               \
    CW_STORE4(__stcs, "st.global.cs.v4." bits, T, c)
#define CW_LOAD4(name, op, T, c)                                                                   \
    CW_DEVICE T name(const T *p)                                                                   \
    {                                                                                              \
        T v;                                                                                       \
        __asm__ volatile(op " {%0, %1, %2, %3}, [%4];"                                             \
                         : "=" c(v.x), "=" c(v.y), "=" c(v.z), "=" c(v.w)                          \
                         : "l"(p)                                                                  \
                         : "memory");                                                              \
        return v;                                                                                  \
    }
#define CW_STORE4(name, op, T, c)                                                                  \
    CW_DEVICE void name(T *p, T v)                                                                 \
    {                                                                                              \
        __asm__ volatile(op " [%0], {%1, %2, %3, %4};"                                             \
                         :                                                                         \
                         : "l"(p), c(v.x), c(v.y), c(v.z), c(v.w)                                  \
                         : "memory");                                                              \
    }
CW_HINT4(int4, "r", "s32")
CW_HINT4(uint4, "r", "u32")
CW_HINT4(float4, "f", "f32")
#undef CW_HINT4
#undef CW_LOAD4
#undef CW_STORE4
CW_DEVICE void *memcpy(void *to, const void *from, size_t bytes)
{
    return __builtin_memcpy(to, from, bytes);
}
CW_DEVICE void *memset(void *to, int value, size_t bytes)
{
    return __builtin_memset(to, value, bytes);
}
#define CW_ADDRESS(space)                                                                          \
    CW_DEVICE size_t __cvta_generic_to_##space(const void *p)                                      \
    {                                                                                              \
        size_t a;                                                                                  \
        __asm__("cvta.to." #space ".u64 %0, %1;" : "=l"(a) : "l"(p));                              \
        return a;                                                                                  \
    }                                                                                              \
    CW_DEVICE void *__cvta_##space##_to_generic(size_t a)                                          \
    {                                                                                              \
        void *p;                                                                                   \
        __asm__("cvta." #space ".u64 %0, %1;" : "=l"(p) : "l"(a));                                 \
        return p;                                                                                  \
    }
CW_ADDRESS(global)
CW_ADDRESS(local)
#undef CW_ADDRESS
CW_DEVICE void *__cvta_shared_to_generic(size_t a)
{
    void *p;
    __asm__("cvta.shared.u64 %0, %1;" : "=l"(p) : "l"(a));
    return p;
}
CW_DEVICE unsigned __isLocal(const void *p)
{
    unsigned r;
    __asm__("{ .reg .pred p; isspacep.local p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(p));
    return r;
}
CW_DEVICE unsigned __isConstant(const void *p)
{
    unsigned r;
    __asm__("{ .reg .pred p; isspacep.const p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(p));
    return r;
}
CW_DEVICE size_t __cvta_generic_to_shared(const void *p)
{
    return (size_t)(__attribute__((address_space(3))) const void *)p;
}
CW_DEVICE unsigned __isShared(const void *p)
{
    return __nvvm_isspacep_shared(p);
}
CW_DEVICE unsigned __isGlobal(const void *p)
{
    return __nvvm_isspacep_global(p);
}

/* ---- printf, assert, the heap ---- */
extern "C" {
__attribute__((device)) int printf(const char *, ...);
__attribute__((device)) void __assertfail(const char *what, const char *file, unsigned line,
                                          const char *function, size_t char_bytes);
__attribute__((device)) void *malloc(size_t);
__attribute__((device)) void free(void *);
static __inline__ __attribute__((device)) void __assert_fail(const char *what, const char *file,
                                                             unsigned line, const char *function)
{
    __assertfail(what, file, line, function, sizeof(char));
}
}

/* ---- minima and maxima of one kind ---- */
CW_DEVICE int min(int a, int b)
{
    return a < b ? a : b;
}
CW_DEVICE int max(int a, int b)
{
    return a > b ? a : b;
}
CW_DEVICE unsigned min(unsigned a, unsigned b)
{
    return a < b ? a : b;
}
CW_DEVICE unsigned max(unsigned a, unsigned b)
{
    return a > b ? a : b;
}
CW_DEVICE long min(long a, long b)
{
    return a < b ? a : b;
}
CW_DEVICE long max(long a, long b)
{
    return a > b ? a : b;
}
CW_DEVICE unsigned long min(unsigned long a, unsigned long b)
{
    return a < b ? a : b;
}
CW_DEVICE unsigned long max(unsigned long a, unsigned long b)
{
    return a > b ? a : b;
}
CW_DEVICE long long min(long long a, long long b)
{
    return a < b ? a : b;
}
CW_DEVICE long long max(long long a, long long b)
{
    return a > b ? a : b;
}
CW_DEVICE unsigned long long min(unsigned long long a, unsigned long long b)
{
    return a < b ? a : b;
}
CW_DEVICE unsigned long long max(unsigned long long a, unsigned long long b)
{
    return a > b ? a : b;
}
CW_DEVICE float min(float a, float b)
{
    return __nvvm_fmin_f(a, b);
}
CW_DEVICE double min(double a, double b)
{
    return __nvvm_fmin_d(a, b);
}
CW_DEVICE double min(float a, double b)
{
    return __nvvm_fmin_d((double)a, b);
}
CW_DEVICE double min(double a, float b)
{
    return __nvvm_fmin_d(a, (double)b);
}
CW_DEVICE unsigned min(int a, unsigned b)
{
    return min((unsigned)a, b);
}
CW_DEVICE unsigned min(unsigned a, int b)
{
    return min(a, (unsigned)b);
}
CW_DEVICE float max(float a, float b)
{
    return __nvvm_fmax_f(a, b);
}
CW_DEVICE double max(double a, double b)
{
    return __nvvm_fmax_d(a, b);
}
CW_DEVICE double max(float a, double b)
{
    return __nvvm_fmax_d((double)a, b);
}
CW_DEVICE double max(double a, float b)
{
    return __nvvm_fmax_d(a, (double)b);
}
CW_DEVICE unsigned max(int a, unsigned b)
{
    return max((unsigned)a, b);
}
CW_DEVICE unsigned max(unsigned a, int b)
{
    return max(a, (unsigned)b);
}
CW_DEVICE unsigned long min(long a, unsigned long b)
{
    return min((unsigned long)a, (unsigned long)b);
}
CW_DEVICE unsigned long min(unsigned long a, long b)
{
    return min((unsigned long)a, (unsigned long)b);
}
CW_DEVICE unsigned long long min(long long a, unsigned long long b)
{
    return min((unsigned long long)a, (unsigned long long)b);
}
CW_DEVICE unsigned long long min(unsigned long long a, long long b)
{
    return min((unsigned long long)a, (unsigned long long)b);
}
CW_DEVICE unsigned long max(long a, unsigned long b)
{
    return max((unsigned long)a, (unsigned long)b);
}
CW_DEVICE unsigned long max(unsigned long a, long b)
{
    return max((unsigned long)a, (unsigned long)b);
}
CW_DEVICE unsigned long long max(long long a, unsigned long long b)
{
    return max((unsigned long long)a, (unsigned long long)b);
}
CW_DEVICE unsigned long long max(unsigned long long a, long long b)
{
    return max((unsigned long long)a, (unsigned long long)b);
}
CW_DEVICE long long llmin(long long a, long long b)
{
    return a < b ? a : b;
}
CW_DEVICE long long llmax(long long a, long long b)
{
    return a > b ? a : b;
}
CW_DEVICE unsigned long long ullmin(unsigned long long a, unsigned long long b)
{
    return a < b ? a : b;
}
CW_DEVICE unsigned long long ullmax(unsigned long long a, unsigned long long b)
{
    return a > b ? a : b;
}
CW_DEVICE unsigned umin(unsigned a, unsigned b)
{
    return a < b ? a : b;
}
CW_DEVICE unsigned umax(unsigned a, unsigned b)
{
    return a > b ? a : b;
}
#undef CW_DEVICE

#endif
