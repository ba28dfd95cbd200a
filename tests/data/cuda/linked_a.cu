/* SPDX-License-Identifier: MIT
 *
 * Device code of two files (nvcc -rdc=true): functions, variables and a function's address of the
 * other one; static things of the same names in both. */
#include <stdio.h>

#include "linked.h"

static __device__ __noinline__ int own(int x)
{
    return x + own_total;
}

__global__ void first(int *out)
{
    __shared__ int room[32];
    int i = threadIdx.x;
    room[i] = scaled(i);
    atomicAdd(&calls, 1);
    out[i] = room[i] + own(i) + chosen(i % 2)(i) + table[i % 4];
}

int main()
{
    int *d, h[32], n = 0, four[4] = {1000, 2000, 3000, 4000}, wrong = 0, seven = 0;
    cudaMalloc(&d, sizeof h);
    set_table(four);
    first<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    n = get_calls();
    for (int i = 0; i < 32; i++)
        wrong += h[i] != 3 * i + i + 7 + (i % 2 ? -i : i * i) + four[i % 4];
    store<<<1, 1>>>(d, 5);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&seven, own_total, sizeof seven);
    printf("%s: %d wrong, %d calls, stored %d, own %d, of b %d\n",
           cudaGetErrorName(cudaDeviceSynchronize()), wrong, n, h[0], seven, of_b(10));
    return wrong;
}
