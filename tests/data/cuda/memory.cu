// Memory and copies: each line says whether one part of the runtime did what it should.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__constant__ int factors[4];
__device__ int total;
__device__ int table[3] = {7, 8, 9};

__global__ void scale(int *rows, size_t pitch, int width, int height)
{
    int x = threadIdx.x, y = blockIdx.x;
    if (x < width && y < height) {
        int *row = (int *)((char *)rows + y * pitch);
        row[x] *= factors[y % 4];
        atomicAdd(&total, row[x]);
    }
}

__global__ void increment(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += 1 + table[0];
}

static void say(const char *what, bool ok)
{
    printf("%-12s %s\n", what, ok ? "ok" : "WRONG");
}

int main()
{
    const int width = 5, height = 6;
    int host[height][8], back[height][width], f[4] = {1, 2, 3, 4}, sum = 0, want = 0;
    int *rows;
    size_t pitch, free_before, free_after, all;
    cudaMemcpyToSymbol(factors, f, sizeof f); // brings the module's variables
    cudaMemGetInfo(&free_before, &all);
    cudaMallocPitch(&rows, &pitch, width * sizeof(int), height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < 8; x++)
            host[y][x] = 10 * y + x;
    cudaMemcpy2D(rows, pitch, host, 8 * sizeof(int), width * sizeof(int), height,
                 cudaMemcpyHostToDevice);
    scale<<<height, 32>>>(rows, pitch, width, height);
    cudaMemcpy2D(back, width * sizeof(int), rows, pitch, width * sizeof(int), height,
                 cudaMemcpyDeviceToHost);
    bool ok = pitch % 32 == 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            ok = ok && back[y][x] == host[y][x] * f[y % 4];
            want += back[y][x];
        }
    say("2D", ok);
    cudaMemcpyFromSymbol(&sum, total, sizeof sum);
    say("symbol", sum == want);
    cudaFree(rows);
    cudaMemGetInfo(&free_after, &all);
    say("free", free_after == free_before);

    int *managed, *pinned, *view, *plain = (int *)malloc(100 * sizeof(int));
    cudaMallocManaged(&managed, 100 * sizeof(int));
    cudaHostAlloc(&pinned, 100 * sizeof(int), cudaHostAllocMapped);
    cudaHostGetDevicePointer(&view, pinned, 0);
    cudaHostRegister(plain, 100 * sizeof(int), cudaHostRegisterMapped);
    for (int i = 0; i < 100; i++)
        managed[i] = pinned[i] = plain[i] = i;
    increment<<<2, 64>>>(managed, 100);
    increment<<<2, 64>>>(view, 100);
    increment<<<2, 64>>>(plain, 100);
    cudaDeviceSynchronize();
    bool same[3] = {true, true, true};
    for (int i = 0; i < 100; i++) {
        same[0] = same[0] && managed[i] == i + 8;
        same[1] = same[1] && pinned[i] == i + 8;
        same[2] = same[2] && plain[i] == i + 8;
    }
    say("managed", same[0]);
    say("pinned", same[1]);
    say("registered", same[2]);
    cudaPointerAttributes a;
    cudaPointerGetAttributes(&a, managed);
    say("attributes", a.type == cudaMemoryTypeManaged);

    int *from, *to, copy[4];
    cudaMalloc(&from, sizeof copy);
    cudaMalloc(&to, sizeof copy);
    cudaMemset(from, 1, sizeof copy);
    cudaMemcpy(to, from, sizeof copy, cudaMemcpyDeviceToDevice);
    cudaMemcpy(copy, to, sizeof copy, cudaMemcpyDefault);
    say("device", copy[0] == 0x01010101 && copy[3] == 0x01010101);
    void *address;
    size_t bytes;
    cudaGetSymbolAddress(&address, table);
    cudaGetSymbolSize(&bytes, table);
    cudaMemcpy(copy, address, 12, cudaMemcpyDeviceToHost);
    say("address", bytes == 12 && copy[1] == 8);

    cudaExtent extent = make_cudaExtent(4 * sizeof(int), 3, 2);
    cudaPitchedPtr cube;
    cudaMalloc3D(&cube, extent);
    int in[24], out[24];
    for (int i = 0; i < 24; i++)
        in[i] = i * i;
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(in, 4 * sizeof(int), 4, 3);
    p.dstPtr = cube;
    p.extent = extent;
    p.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&p);
    p.srcPtr = cube;
    p.dstPtr = make_cudaPitchedPtr(out, 4 * sizeof(int), 4, 3);
    p.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&p);
    say("3D", memcmp(in, out, sizeof in) == 0);
    cudaHostUnregister(plain);
    free(plain);
    cudaFree(managed);
    cudaFreeHost(pinned);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    return 0;
}
