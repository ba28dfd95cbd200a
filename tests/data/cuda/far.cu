// Kernels that need a function or a variable of another file, and one that does not: -rdc=true.
#include <cstdio>

extern __device__ int twice(int);
extern __device__ int seen;
__global__ void plain(int *p)
{
    *p = 3;
}
__global__ void calls(int *p)
{
    *p = twice(*p);
}
__global__ void stores(int *p)
{
    seen = *p;
}

int main()
{
    int *p;
    cudaMallocManaged(&p, sizeof *p);
    plain<<<1, 1>>>(p);
    printf("%s, %d\n", cudaGetErrorName(cudaDeviceSynchronize()), *p);
    calls<<<1, 1>>>(p);
    puts(cudaGetErrorName(cudaGetLastError()));
    stores<<<1, 1>>>(p);
    puts(cudaGetErrorName(cudaGetLastError()));
    return 0;
}
