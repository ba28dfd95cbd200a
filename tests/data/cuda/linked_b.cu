/* SPDX-License-Identifier: MIT
 *
 * See linked_a.cu. */
#include "linked.h"

__device__ int calls;
__constant__ int table[4];

static __device__ __noinline__ int own(int x)
{
    return 100 * x + own_total;
}
__device__ int scaled(int x)
{
    return 3 * x;
}
static __device__ int square(int x)
{
    return x * x;
}
static __device__ int negated(int x)
{
    return -x;
}
__device__ int (*chosen(int which))(int)
{
    return which ? negated : square;
}
__global__ void second(int *out, int x)
{
    *out = own(x);
}

void set_table(const int *four)
{
    cudaMemcpyToSymbol(table, four, sizeof table);
}
int get_calls()
{
    int n = -1;
    cudaMemcpyFromSymbol(&n, calls, sizeof n);
    return n;
}
int of_b(int x)
{
    int *d, h = 0, eight = 8;
    cudaMalloc(&d, sizeof *d);
    cudaMemcpyToSymbol(own_total, &eight, sizeof eight);
    second<<<1, 1>>>(d, x);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    store<<<1, 1>>>(d, h + 1);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    return h;
}
