// Variables that host and device share.
#include <cstdio>
#include <cuda_runtime.h>

__device__ __managed__ int count = 5;
__managed__ float parts[4] = {1, 2, 3, 4};

__global__ void change()
{
    count += 110;
    parts[2] *= 2;
}

int main()
{
    int copy;
    printf("%d\n", count);
    count = 7;
    change<<<1, 1>>>();
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&copy, count, sizeof copy);
    printf("%d %g %d\n", count, parts[2], copy);
    return 0;
}
