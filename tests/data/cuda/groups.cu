/* SPDX-License-Identifier: MIT
 *
 * Groups of several warps and parts of a tile, copies that are waited for later, launches with
 * attributes. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_pipeline.h>
#include <stdio.h>

namespace cg = cooperative_groups;

/* Sums of tiles of 64 threads, and how many odd numbers there are in tiles of 16. */
__global__ void parts(const int *a, int *sums, int *odds)
{
    __shared__ cg::block_tile_memory<256> room;
    cg::thread_block block = cg::this_thread_block(room);
    auto large = cg::tiled_partition<64>(block);
    auto small = cg::tiled_partition<16>(block);
    int v = a[block.thread_rank()];
    int sum = cg::reduce(large, v, cg::plus<int>());
    if (large.thread_rank() == 63)
        sums[large.meta_group_rank()] = sum;
    auto half = cg::binary_partition(small, v & 1);
    if ((v & 1) && half.thread_rank() == 0)
        odds[small.meta_group_rank()] = half.size();
    auto alike = cg::labeled_partition(small, v % 3);
    int least = cg::reduce(alike, v, cg::less<int>());
    if (least % 3 != v % 3)
        sums[0] = -1;
}

__global__ void later(const int *a, int *b, int n)
{
    __shared__ int4 wide[64];
    __shared__ int2 two[64];
    __shared__ int one[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&wide[t], (const int4 *)a + t, sizeof(int4));
    __pipeline_commit();
    __pipeline_memcpy_async(&two[t], (const int2 *)a + t, sizeof(int2));
    __pipeline_memcpy_async(&one[t], a + t, sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    int v = wide[t].x + wide[t].w;
    __pipeline_wait_prior(0);
    __syncthreads();
    b[t] = v + two[63 - t].y + one[63 - t] * n;
}

__global__ void meet(int *a, float f, char c)
{
    cg::grid_group grid = cg::this_grid();
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0)
        *a = (int)(f * 2) + c;
    grid.sync();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *a *= 10;
}

int main()
{
    int h[256], sums[4], odds[16], *a, *b, *c, bad = 0;
    for (int i = 0; i < 256; i++)
        h[i] = i * 7 % 31;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMalloc(&c, sizeof odds);
    cudaMemset(c, 0, sizeof odds);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    parts<<<1, 256>>>(a, b, c);
    cudaMemcpy(sums, b, sizeof sums, cudaMemcpyDeviceToHost);
    cudaMemcpy(odds, c, sizeof odds, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; i++) {
        sums[i / 64] -= h[i];
        odds[i / 16] -= h[i] & 1;
    }
    for (int i = 0; i < 16; i++)
        bad += odds[i] != 0 || sums[i / 4] != 0;
    printf("parts: %d wrong\n", bad);

    int g[64], n = 3;
    later<<<1, 64>>>(a, b, n);
    cudaMemcpy(g, b, sizeof g, cudaMemcpyDeviceToHost);
    bad = 0;
    for (int t = 0; t < 64; t++)
        bad += g[t] != h[4 * t] + h[4 * t + 3] + h[2 * (63 - t) + 1] + h[63 - t] * n;
    printf("later: %d wrong\n", bad);

    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = 5;
    config.blockDim = 64;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaError_t e = cudaLaunchKernelEx(&config, meet, a, 2.5, 'a'); /* a double for a float */
    cudaMemcpy(h, a, sizeof *h, cudaMemcpyDeviceToHost);
    printf("with attributes: %s, %d\n", cudaGetErrorName(e), h[0]);
    attribute.id = cudaLaunchAttributeClusterDimension;
    printf("clusters: %s\n", cudaGetErrorName(cudaLaunchKernelEx(&config, meet, a, 1.0f, 'b')));
    int value = 7;
    printf("another device: %s\n",
           cudaGetErrorName(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1)));
    return 0;
}
