/* SPDX-License-Identifier: MIT
 *
 * Bandwidth of the L1, shared memory, the L2, one slice, and the DRAM. */
#include "device.h"

/* Eight loads in flight, one line each, out of 4 KB. */
KERNEL l1_read(const unsigned *a, int rounds, unsigned *out)
{
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, sum = 0;
    const unsigned *p = a + (warp % 4) * 256 + lane;
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        unsigned v[8];
#pragma unroll
        for (int k = 0; k < 8; k++)
            asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[k]) : "l"(p + 32 * k));
#pragma unroll
        for (int k = 0; k < 8; k += 2)
            use2(sum, v[k], v[k + 1]);
    }
    if (sum == 1)
        *out = sum;
}

/* The same out of shared memory, a word a lane, no two lanes in one bank. */
KERNEL shared_read(int rounds, unsigned *out)
{
    __shared__ unsigned a[1024];
    unsigned sum = 0, p = shared_address(a) + 4 * (threadIdx.x % 32);
    a[threadIdx.x] = threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        unsigned v[8];
#pragma unroll
        for (int k = 0; k < 8; k++)
            asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[k]) : "r"(p + 128 * k));
#pragma unroll
        for (int k = 0; k < 8; k += 2)
            use2(sum, v[k], v[k + 1]);
    }
    if (sum == 1)
        *out = sum;
}

/* The CTAs that work read all of `a` (n pieces of 16 B) together, again and again, past the L1: 16 B
 * a lane, eight loads in flight. n is more than a step of all of them. */
KERNEL l2_read(const quad *a, int n, int rounds, int first, int count, int stride, unsigned *out)
{
    int w = working(first, count, stride);
    if (w < 0)
        return;
    int step = count * blockDim.x, at = w * blockDim.x + threadIdx.x;
    unsigned sum = 0;
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        quad v[8];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            v[k] = load16_past_l1(a + at);
            at += step;
            at = at >= n ? at - n : at;
        }
#pragma unroll
        for (int k = 0; k < 8; k += 2)
            use_quads(sum, v[k], v[k + 1]);
    }
    if (sum == 1)
        *out = sum;
}

/* The CTAs that work read lines of a list, a line a warp, past the L1, eight in flight. A list of one
 * line loads one slice; a list of the lines of a partition that partition. */
KERNEL lines_read(const unsigned *a, const int *lines, int n_lines, int rounds, int first, int count,
                  int stride, unsigned *out)
{
    int w = working(first, count, stride);
    if (w < 0)
        return;
    unsigned sum = 0, lane = threadIdx.x % 32;
    int at = (w * (int)blockDim.x + (int)threadIdx.x) / 32 % n_lines;
    const unsigned *p[8];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        p[k] = a + (word64)lines[at] * 32 + lane;
        at = at + 1 == n_lines ? 0 : at + 1;
    }
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        unsigned v[8];
#pragma unroll
        for (int k = 0; k < 8; k++)
            asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[k]) : "l"(p[k]));
#pragma unroll
        for (int k = 0; k < 8; k += 2)
            use2(sum, v[k], v[k + 1]);
    }
    if (sum == 1)
        *out = sum;
}

/* Each byte once, 16 B a lane, four in flight. */
KERNEL dram_read(const quad *a, int rounds, unsigned *out)
{
    int step = gridDim.x * blockDim.x, at = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        quad v[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            v[k] = load16(a + at);
            at += step;
        }
        use_quads(sum, v[0], v[1]);
        use_quads(sum, v[2], v[3]);
    }
    if (sum == 1)
        *out = sum;
}

KERNEL dram_write(quad *a, int rounds)
{
    int step = gridDim.x * blockDim.x, at = blockIdx.x * blockDim.x + threadIdx.x;
    quad v = {1, 2, 3, (unsigned)at};
#pragma unroll 1
    for (int i = 0; i < rounds; i++)
#pragma unroll
        for (int k = 0; k < 4; k++) {
            store16(a + at, v);
            at += step;
        }
}

KERNEL dram_copy(const quad *a, quad *b, int rounds)
{
    int step = gridDim.x * blockDim.x, at = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        quad v[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            v[k] = load16(a + at + k * step);
#pragma unroll
        for (int k = 0; k < 4; k++)
            store16(b + at + k * step, v[k]);
        at += 4 * step;
    }
}

/* A stream with an addition in double precision for every 8 bytes (0.125 flop/B): four loads in
 * flight, two doubles each. */
KERNEL dram_add64(const double *a, int rounds, double *out)
{
    int step = 2 * gridDim.x * blockDim.x, at = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    double x = 0, y = 0;
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        double v[8];
#pragma unroll
        for (int k = 0; k < 8; k += 2) {
            asm volatile("ld.global.v2.f64 {%0, %1}, [%2];"
                         : "=d"(v[k]), "=d"(v[k + 1])
                         : "l"(a + at));
            at += step;
        }
#pragma unroll
        for (int k = 0; k < 8; k += 2) {
            asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(x) : "d"(v[k]));
            asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(y) : "d"(v[k + 1]));
        }
    }
    if (x + y == 1)
        *out = x;
}

/* A stream with 33 FMAs in double precision for every 8 bytes (8.2 flop/B): four loads in flight, two
 * doubles each. */
KERNEL dram_fma64(const double *a, int rounds, double *out)
{
    int step = 2 * gridDim.x * blockDim.x, at = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    double x[8], one = 1;
#pragma unroll
    for (int c = 0; c < 8; c++)
        x[c] = 0;
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        double v[8];
#pragma unroll
        for (int k = 0; k < 8; k += 2) {
            asm volatile("ld.global.v2.f64 {%0, %1}, [%2];"
                         : "=d"(v[k]), "=d"(v[k + 1])
                         : "l"(a + at));
            at += step;
        }
#pragma unroll 1
        for (int n = 0; n < 3; n++)
#pragma unroll
            for (int m = 0; m < 11; m++)
#pragma unroll
                for (int k = 0; k < 8; k++)
                    asm volatile("fma.rn.f64 %0, %0, %1, %2;"
                                 : "+d"(x[k])
                                 : "d"(one), "d"(v[k]));
    }
    x[0] += x[1] + x[2] + x[3] + x[4] + x[5] + x[6] + x[7];
    if (x[0] == 1)
        *out = x[0];
}
