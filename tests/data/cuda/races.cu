// A softmax whose sums go where the maximum was, without a barrier between reading one and writing the other: warps that go in step
// never show it. Then a transposition that forgets its barrier.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

__device__ float max_of_warp(float v)
{
    for (int by = 16; by > 0; by /= 2)
        v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, by));
    return v;
}

__device__ float sum_of_warp(float v)
{
    for (int by = 16; by > 0; by /= 2)
        v += __shfl_xor_sync(0xffffffff, v, by);
    return v;
}

__global__ void softmax(float *out, const float *in, int n)
{
    extern __shared__ float room[];
    int t = threadIdx.x, warp = t / 32, warps = blockDim.x / 32;
    const float *row = in + blockIdx.x * n;
    float *to = out + blockIdx.x * n, top = -INFINITY, sum = 0;
    for (int i = t; i < n; i += blockDim.x)
        top = fmaxf(top, row[i]);
    top = max_of_warp(top);
    if (t % 32 == 0)
        room[warp] = top;
    __syncthreads();
    if (t == 0)
        for (int i = 1; i < warps; i++)
            room[0] = fmaxf(room[0], room[i]);
    __syncthreads();
    top = room[0];
    for (int i = t; i < n; i += blockDim.x) {
        to[i] = expf(row[i] - top);
        sum += to[i];
    }
    sum = sum_of_warp(sum);
    if (t % 32 == 0)
        room[warp] = sum; // other warps may still have to read the maximum
    __syncthreads();
    if (t == 0)
        for (int i = 1; i < warps; i++)
            room[0] += room[i];
    __syncthreads();
    for (int i = t; i < n; i += blockDim.x)
        to[i] /= room[0];
}

__global__ void transpose(int *out, const int *in)
{
    __shared__ int tile[8][9];
    int x = threadIdx.x % 8, y = threadIdx.x / 8;
    tile[y][x] = in[threadIdx.x];
    out[threadIdx.x] = tile[x][y];
}

int main()
{
    const int rows = 3, n = 1000;
    static float in[rows * n], out[rows * n];
    float *din, *dout, worst = 0;
    for (int i = 0; i < rows * n; i++)
        in[i] = (float)(i * 7919 % 1009) / 50;
    cudaMalloc(&din, sizeof in);
    cudaMalloc(&dout, sizeof out);
    cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
    softmax<<<rows, 128, 16>>>(dout, din, n);
    cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
    for (int r = 0; r < rows; r++) {
        double top = -1e30, sum = 0;
        for (int i = 0; i < n; i++)
            top = fmax(top, in[r * n + i]);
        for (int i = 0; i < n; i++)
            sum += exp(in[r * n + i] - top);
        for (int i = 0; i < n; i++)
            worst = fmaxf(worst, fabs(out[r * n + i] / (exp(in[r * n + i] - top) / sum) - 1));
    }
    printf("softmax %s\n", worst < 1e-5 ? "right" : "wrong");
    transpose<<<1, 64>>>((int *)dout, (const int *)din);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
