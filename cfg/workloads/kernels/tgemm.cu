/* SPDX-License-Identifier: MIT
 *
 * c = a b on tensor cores: halves in, single precision out. b is given by columns. A block of four warps
 * makes 64 x 64 of c, 32 of k at a time through shared memory; each warp has 32 x 32: two by four products
 * of m16n8k16 a step of 16. Fragments are read with ldmatrix; rows of 40 halves keep its eight rows in
 * different banks. */
#include "learning.h"

#define TILE 64
#define DEPTH 32
#define PITCH 40 /* halves */

/* Whole numbers as halves of i / 8: products and short sums are exact. */
KERNEL to_half(const int *in, unsigned short *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        asm volatile("{ .reg .f16 h; cvt.rn.f16.f32 h, %1; st.global.b16 [%0], h; }" ::"l"(out + i), "f"(in[i] * 0.125f)
                     : "memory");
}

DEVICE unsigned shared_address(const void *p)
{
#ifdef __CUDACC_VER_MAJOR__
    return (unsigned)__cvta_generic_to_shared(p);
#else
    return (unsigned)(unsigned long long)(__attribute__((address_space(3))) const void *)p;
#endif
}

DEVICE void load_four(unsigned *to, const unsigned short *from)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(shared_address(from))
                 : "memory");
}

DEVICE void multiply_add(float *c, const unsigned *a, const unsigned *b)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* 64 rows of 32 halves, eight halves an access; `pitch` of the matrix in halves. */
DEVICE void stage(unsigned short (*to)[PITCH], const unsigned short *from, int pitch)
{
    for (int i = threadIdx.x; i < TILE * DEPTH / 8; i += 128) {
        int row = i / (DEPTH / 8), at = i % (DEPTH / 8) * 8;
        *(float4 *)&to[row][at] = *(const float4 *)(from + (long long)row * pitch + at);
    }
}

KERNEL tgemm(const unsigned short *a, const unsigned short *b, float *c, int n, int k)
{
    __shared__ __attribute__((aligned(16))) unsigned short as[TILE][PITCH], bs[TILE][PITCH];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int top = warp / 2 * 32, left = warp % 2 * 32; /* of the warp's part */
    long long row0 = (long long)blockIdx.y * TILE, col0 = (long long)blockIdx.x * TILE;
    float sums[2][4][4] = {};
    for (int from = 0; from < k; from += DEPTH) {
        stage(as, a + row0 * k + from, k);
        stage(bs, b + col0 * k + from, k);
        __syncthreads();
#pragma unroll
        for (int step = 0; step < DEPTH; step += 16) {
            unsigned fa[2][4], fb[2][4];
            /* lanes 0-7, 8-15, … name the rows of the four 8 x 8 parts */
#pragma unroll
            for (int i = 0; i < 2; i++) {
                load_four(fa[i], &as[top + 16 * i + lane % 16][step + lane / 16 * 8]);
                load_four(fb[i], &bs[left + 16 * i + lane / 16 * 8 + lane % 8][step + lane / 8 % 2 * 8]);
            }
#pragma unroll
            for (int i = 0; i < 2; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    multiply_add(sums[i][j], fa[i], &fb[j / 2][j % 2 * 2]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float *to = c + (row0 + top + 16 * i + lane / 4) * n + col0 + left + 8 * j + lane % 4 * 2;
            *(float2 *)to = float2{sums[i][j][0], sums[i][j][1]};
            *(float2 *)(to + 8LL * n) = float2{sums[i][j][2], sums[i][j][3]};
        }
}
