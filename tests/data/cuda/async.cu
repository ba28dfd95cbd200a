/* SPDX-License-Identifier: MIT
 *
 * Copies beside the program: pipelines of a thread, barriers of a block between warps of different
 * tasks, copies of a group. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <stdio.h>

namespace cg = cooperative_groups;

/* sums of rows, two rows ahead */
__global__ void rows(const float4 *in, float *out, int n)
{
    __shared__ alignas(16) float4 stage[3][32];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    int t = threadIdx.x;
    float sum = 0;
    for (int get = 0, use = 0; use < n; use++) {
        for (; get < n && get < use + 3; get++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&stage[get % 3][t], &in[get * 32 + t],
                               cuda::aligned_size_t<alignof(float4)>(sizeof(float4)), pipe);
            pipe.producer_commit();
        }
        if (use + 3 <= n)
            cuda::pipeline_consumer_wait_prior<2>(pipe);
        else
            cuda::pipeline_consumer_wait_prior<0>(pipe);
        float4 v = stage[use % 3][t];
        sum += v.x + v.y + v.z + v.w;
        pipe.consumer_release();
    }
    out[t] = sum;
}

/* one warp fills, the other one adds */
__global__ void tasks(const int *in, int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> full, empty;
    __shared__ int room[32];
    if (threadIdx.x == 0) {
        init(&full, 64);
        init(&empty, 64);
    }
    __syncthreads();
    int lane = threadIdx.x % 32, sum = 0;
    for (int i = 0; i < 4; i++) {
        if (threadIdx.x < 32) {
            room[lane] = in[32 * i + lane];
            full.arrive();
            empty.arrive_and_wait();
        } else {
            full.wait(full.arrive());
            sum += room[31 - lane];
            empty.arrive_and_wait();
        }
    }
    if (threadIdx.x >= 32)
        out[lane] = sum;
}

__global__ void group(const int *in, int *out)
{
    __shared__ int room[96];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, room, in, sizeof room);
    cg::wait(block);
    for (int i = threadIdx.x; i < 96; i += blockDim.x)
        out[i] = room[95 - i];
}

int main()
{
    float *f, *fs;
    int *in, *out, wrong[3] = {0};
    cudaMallocManaged(&f, 5 * 32 * sizeof(float4));
    cudaMallocManaged(&fs, 32 * sizeof(float));
    cudaMallocManaged(&in, 128 * sizeof(int));
    cudaMallocManaged(&out, 96 * sizeof(int));
    for (int i = 0; i < 5 * 128; i++)
        f[i] = (float)i;
    for (int i = 0; i < 128; i++)
        in[i] = i * i;
    rows<<<1, 32>>>((const float4 *)f, fs, 5);
    cudaDeviceSynchronize();
    for (int t = 0; t < 32; t++) {
        float sum = 0;
        for (int r = 0; r < 5; r++)
            for (int k = 0; k < 4; k++)
                sum += f[r * 128 + 4 * t + k];
        wrong[0] += fs[t] != sum;
    }
    tasks<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    for (int t = 0; t < 32; t++)
        wrong[1] += out[t] != in[31 - t] + in[32 + 31 - t] + in[64 + 31 - t] + in[96 + 31 - t];
    group<<<1, 40>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 96; i++)
        wrong[2] += out[i] != in[95 - i];
    printf("%s: rows %d wrong, tasks %d, group %d\n", cudaGetErrorName(cudaGetLastError()),
           wrong[0], wrong[1], wrong[2]);
    return wrong[0] + wrong[1] + wrong[2];
}
