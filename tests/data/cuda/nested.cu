/* SPDX-License-Identifier: MIT
 *
 * A kernel that launches a kernel: refused by name. */
__global__ void child(int *a)
{
    a[threadIdx.x]++;
}

__global__ void parent(int *a)
{
    child<<<1, 32>>>(a);
}

int main()
{
    int *a;
    cudaMalloc((void **)&a, 128);
    parent<<<1, 1>>>(a);
    return cudaDeviceSynchronize() != cudaSuccess;
}
