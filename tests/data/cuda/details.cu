/* SPDX-License-Identifier: MIT
 *
 * Complex numbers, memcpy and memset in kernels, bytes' distances, pools, places of memory. */
#include <cuComplex.h>
#include <stdio.h>
#include <string.h>

#if !defined(__NVCC__)
#error "programs that ask for nvcc are for us, too"
#endif

struct pair {
    char name[13];
    short n;
};

__global__ void details(const cuDoubleComplex *a, cuDoubleComplex *c, pair *p, int n, unsigned *d)
{
    int i = threadIdx.x;
    cuDoubleComplex z = cuCdiv(cuCmul(a[0], a[1]), cuCadd(a[1], make_cuDoubleComplex(i, 0)));
    c[i] = cuCfma(z, cuConj(z), a[0]);
    pair own;
    memset(&own, 'x', sizeof own);
    memcpy(own.name, "threads", n); /* a size that the compiler does not know */
    own.n = (short)i;
    memcpy(&p[i], &own, sizeof own);
    unsigned x = 0x01ff8000u + i, y = 0x0501807fu, sum, each;
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(sum) : "r"(x), "r"(y), "r"(100));
    asm("vabsdiff4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(each) : "r"(x), "r"(y), "r"(0));
    asm("vabsdiff4.s32.s32.s32.add %0, %1, %2, %3;" : "=r"(x) : "r"(x), "r"(y), "r"(0));
    d[3 * i] = sum;
    d[3 * i + 1] = each;
    d[3 * i + 2] = x;
}

int main()
{
    cuDoubleComplex a[2] = {{3, 4}, {1e200, -2e200}}, *da, *dc, c[4];
    pair *dp, p[4];
    unsigned *dd, d[12], most = 0;
    cudaMalloc(&da, sizeof a);
    cudaMalloc(&dc, sizeof c);
    cudaMalloc(&dp, sizeof p);
    cudaMemPool_t pool, other;
    unsigned long long keep = ~0ull;
    int pools;
    cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0);
    printf("pools: %d %s", pools, cudaGetErrorName(cudaDeviceGetDefaultMemPool(&pool, 0)));
    printf(" %s",
           cudaGetErrorName(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep)));
    cudaDeviceGetMemPool(&other, 0);
    printf(" %d %s\n", pool == other, cudaGetErrorName(cudaDeviceSetMemPool(0, nullptr)));
    cudaGetLastError();
    cudaMallocAsync(&dd, sizeof d, 0);
    cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
    details<<<1, 4>>>(da, dc, dp, 7, dd);
    cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost);
    cudaMemcpy(p, dp, sizeof p, cudaMemcpyDeviceToHost);
    cudaMemcpy(d, dd, sizeof d, cudaMemcpyDeviceToHost);
    double off = 0;
    for (int i = 0; i < 4; i++) /* i is nothing beside 1e200 */
        off += cuCabs(cuCsub(c[i], make_cuDoubleComplex(3 + 25, 4)));
    printf("complex: %s, |3+4i| %g, %g\n", off < 1e-12 ? "right" : "wrong", cuCabs(a[0]),
           cuCabsf(make_cuComplex(3e30f, 4e30f)));
    for (int i = 0; i < 4; i++)
        most += memcmp(p[i].name, "threadsxxxxxx", 13) == 0 && p[i].n == i;
    printf("copied: %u of 4\n", most);
    printf("distances: %u 0x%08x %u\n", d[3], d[4], d[5]);
    const enum cudaDeviceAttr none[] = {
        cudaDevAttrKernelExecTimeout,    cudaDevAttrIntegrated,
        cudaDevAttrComputeMode,          cudaDevAttrEccEnabled,
        cudaDevAttrPageableMemoryAccess, cudaDevAttrHostNativeAtomicSupported};
    int all = 0;
    for (enum cudaDeviceAttr attribute : none) {
        int value = 1;
        cudaDeviceGetAttribute(&value, attribute, 0);
        all += value;
    }
    printf("what it is not: %d\n", all);
    cudaMemLocation here;
    here.type = cudaMemLocationTypeDevice;
    here.id = 0;
    int *m;
    cudaMallocManaged(&m, 64);
    printf("places: %s %s\n", cudaGetErrorName(cudaMemPrefetchAsync(m, 64, here, 0)),
           cudaGetErrorName(cudaMemAdvise(m, 64, cudaMemAdviseSetReadMostly, here)));
    return 0;
}
