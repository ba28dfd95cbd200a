// A file of its own, with a module of its own.
#include <cuda_runtime.h>

static __device__ int twice(int v)
{
    return 2 * v;
}

__global__ void other(int *p, int n)
{
    *p += twice(n);
}

void other_kernel(int *p, int n)
{
    other<<<1, 1>>>(p, n);
}
