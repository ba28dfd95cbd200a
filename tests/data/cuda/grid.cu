/* SPDX-License-Identifier: MIT
 *
 * Cooperative launches: blocks that wait for each other. */
#include <cooperative_groups.h>
#include <stdio.h>

namespace cg = cooperative_groups;

/* Every thread takes its neighbour's number, round after round: wrong unless all wait. */
__global__ void pass_on(unsigned *a, unsigned rounds)
{
    cg::grid_group grid = cg::this_grid();
    unsigned n = (unsigned)grid.size(), i = (unsigned)grid.thread_rank();
    for (unsigned r = 0; r < rounds; r++) {
        unsigned v = a[(i + 1) % n];
        grid.sync();
        a[i] = v;
        cg::sync(grid);
    }
}

__global__ void ask(int *valid)
{
    if (threadIdx.x == 0)
        valid[blockIdx.x] = cg::this_grid().is_valid();
}

int main()
{
    const unsigned blocks = 12, threads = 96, n = blocks * threads;
    static unsigned h[n];
    unsigned *a, rounds = 5, bad = 0;
    int per_sm, yes, *valid, was[2];
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    cudaDeviceGetAttribute(&yes, cudaDevAttrCooperativeLaunch, 0);
    cudaMalloc(&a, n * sizeof *a);
    for (unsigned i = 0; i < n; i++)
        h[i] = i;
    cudaMemcpy(a, h, n * sizeof *a, cudaMemcpyHostToDevice);
    void *args[] = {&a, &rounds};
    cudaError_t e = cudaLaunchCooperativeKernel((void *)pass_on, dim3(4, 3), threads, args);
    printf("cooperative: %d %d, %s\n", p.cooperativeLaunch, yes, cudaGetErrorName(e));
    cudaMemcpy(h, a, n * sizeof *a, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < n; i++)
        bad += h[i] != (i + rounds) % n;
    printf("%u wrong\n", bad);

    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, pass_on, 1024, 0);
    dim3 most(per_sm * p.multiProcessorCount + 1);
    e = cudaLaunchCooperativeKernel(pass_on, most, dim3(1024), args);
    printf("one block too many: %s, then %s\n", cudaGetErrorString(e),
           cudaGetErrorName(cudaPeekAtLastError()));
    cudaGetLastError();

    cudaMalloc(&valid, sizeof was);
    void *asked[] = {&valid};
    ask<<<1, 32>>>(valid);
    int *other = valid + 1;
    asked[0] = &other;
    cudaLaunchCooperativeKernel((void *)ask, 1, 32, asked);
    cudaMemcpy(was, valid, sizeof was, cudaMemcpyDeviceToHost);
    printf("valid: %d, cooperative %d\n", was[0], was[1]);

    pass_on<<<blocks, threads>>>(a, rounds); /* a barrier of a grid that is none */
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return bad != 0;
}
