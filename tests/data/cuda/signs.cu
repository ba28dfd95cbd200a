/* SPDX-License-Identifier: MIT
 *
 * Masks of a number's sign: (x >> 63) & 7 and its like, which clang 14 makes into a field of bits
 * that its number does not have. A random generator over GF(2), as in HPCC's RandomAccess, needs
 * it. */
#include <stdio.h>

typedef unsigned long long word;
__host__ __device__ static word next(word x)
{
    return (x << 1) ^ ((long long)x < 0 ? 7 : 0);
}
__host__ __device__ static word fields(long long x, int i)
{
    int y = (int)(x >> 32);
    return (word)((x >> 60) & 255) + ((word)((x >> 40) & 0xffffffff) << 8) + ((y >> 28) & 63) + i;
}

__global__ void walk(word *out, int steps)
{
    word x = 0x123456789abcdefull + threadIdx.x;
    for (int i = 0; i < steps; i++)
        x = next(x);
    out[2 * threadIdx.x] = x;
    out[2 * threadIdx.x + 1] = fields((long long)x, steps);
}

int main()
{
    word *d, h[128];
    int wrong = 0;
    cudaMalloc(&d, sizeof h);
    walk<<<1, 64>>>(d, 200);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 64; t++) {
        word x = 0x123456789abcdefull + t;
        for (int i = 0; i < 200; i++)
            x = next(x);
        wrong += (h[2 * t] != x) + (h[2 * t + 1] != fields((long long)x, 200));
    }
    printf("signs: %d wrong\n", wrong);
    return wrong;
}
