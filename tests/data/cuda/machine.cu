/* SPDX-License-Identifier: MIT
 *
 * What the kernel was compiled for, and what the device says that it is. */
#include <stdio.h>

__global__ void compiled_for()
{
#if defined(__CUDA_ARCH__)
    printf("compiled for %d, %s\n", __CUDA_ARCH__, cudaGetErrorString(cudaErrorInvalidValue));
#endif
}

int main()
{
    cudaDeviceProp p;

    cudaGetDeviceProperties(&p, 0);

    printf("device %d.%d\n", p.major, p.minor);
    compiled_for<<<1, 1>>>();
    return cudaDeviceSynchronize();
}
