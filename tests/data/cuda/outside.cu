/* SPDX-License-Identifier: MIT
 *
 * One element too many is read and written, which a GPU does not notice: `run --outside warn`. */
#include <stdio.h>

__global__ void one_too_many(const int *in, int *out, int *seen, int n)
{
    int i = threadIdx.x;
    if (i > n)
        return;
    out[i] = in[i] + 1;
    if (i == n)
        *seen = in[i];
}

int main()
{
    int *in, *out, *seen, h[16], last, wrong = 0;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMalloc(&seen, sizeof last);
    cudaMemset(in, 0, sizeof h);
    one_too_many<<<1, 32>>>(in, out, seen, 16);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    if (cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    cudaMemcpy(&last, seen, sizeof last, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++)
        wrong += h[i] != 1;
    printf("%d wrong, behind it: %d\n", wrong, last);
    return wrong;
}
