/* SPDX-License-Identifier: MIT
 *
 * What the microbenchmarks share: which CTAs work, addresses of shared memory, and loads that no
 * compiler moves, merges or drops. Loads and arithmetic are written as PTX, so that what is
 * measured is what stands here. */
#ifndef CW_CFG_SILICON_KERNELS_DEVICE_H
#define CW_CFG_SILICON_KERNELS_DEVICE_H

#include "../../workloads/kernels/device.h"

typedef unsigned long long word64;

/* A kernel is launched with one CTA for each SM; those of `first`, `first + stride`, … work, `count`
 * of them (stride 0: spread evenly over all), the others end at once. Returns the number among those
 * that work, or -1. */
DEVICE int working(int first, int count, int stride)
{
    int at = (int)blockIdx.x - first, all = (int)gridDim.x;
    if (stride == 0) {
        int before = at * count / all;
        return (at + 1) * count / all > before ? before : -1;
    }
    if (at < 0 || at % stride != 0 || at / stride >= count)
        return -1;
    return at / stride;
}

DEVICE unsigned shared_address(const void *p)
{
    unsigned a;
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(a) : "l"(p));
    return a;
}

/* a ^= b ^ c in one instruction: uses up what was loaded. */
DEVICE void use2(unsigned &a, unsigned b, unsigned c)
{
    asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(a) : "r"(b), "r"(c));
}

struct quad {
    unsigned x, y, z, w;
};

DEVICE quad load16_past_l1(const void *p)
{
    quad q;
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(q.x), "=r"(q.y), "=r"(q.z), "=r"(q.w)
                 : "l"(p));
    return q;
}

DEVICE quad load16(const void *p)
{
    quad q;
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(q.x), "=r"(q.y), "=r"(q.z), "=r"(q.w)
                 : "l"(p));
    return q;
}

DEVICE void store16(void *p, quad q)
{
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(q.x), "r"(q.y), "r"(q.z),
                 "r"(q.w));
}

DEVICE void use_quads(unsigned &a, const quad &p, const quad &q)
{
    use2(a, p.x, q.x);
    use2(a, p.y, q.y);
    use2(a, p.z, q.z);
    use2(a, p.w, q.w);
}

#endif
