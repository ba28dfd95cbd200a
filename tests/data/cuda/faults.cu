// What goes wrong: error codes, and accesses that are named with kernel, line and thread.
#include <cassert>
#include <cstdio>
#include <cstdlib>

__global__ void outside(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] = i + n; // one thread too many
}

__global__ void misaligned(char *p)
{
    *(int *)(p + threadIdx.x) = 1;
}

__global__ void claims(int n)
{
    assert(threadIdx.x < n);
}

__global__ void says(const char *word, int n)
{
    if (threadIdx.x < n)
        printf("thread %u of %d: %s %5.2f %c %llx%%\n", threadIdx.x, n, "says", 1.5 * threadIdx.x,
               'a' + threadIdx.x, 0x123456789abull);
}

__global__ void heap(int *ok)
{
    int *p = (int *)malloc(4 * sizeof(int));
    p[3] = 42;
    *ok = p[3];
    free(p);
}

static void say(const char *what, cudaError_t e)
{
    printf("%s: %d %s\n", what, (int)e, cudaGetErrorName(e));
}

int main(int argc, char **argv)
{
    int what = argc > 1 ? atoi(argv[1]) : 0;
    int *p, value = 0;
    cudaMalloc(&p, 63 * sizeof(int));
    if (what == 0) {
        say("too large", cudaMalloc(&p, (size_t)1 << 50));
        say("last", cudaGetLastError());
        say("last again", cudaGetLastError());
        claims<<<1, 2000>>>(1);
        say("configuration", cudaGetLastError());
        say("no device memory", cudaFree(&value));
        say("direction", cudaMemcpy(p, &value, 4, (cudaMemcpyKind)9));
        say("host for device", cudaMemcpy(&value, &value, 4, cudaMemcpyHostToDevice));
        say("beyond", cudaMemcpy(p, &value, 400, cudaMemcpyHostToDevice));
        say("device", cudaSetDevice(3));
        cudaGetLastError();
        says<<<1, 32>>>(nullptr, 3);
        int *ok, got = 0;
        cudaMalloc(&ok, sizeof(int));
        heap<<<1, 1>>>(ok);
        cudaMemcpy(&got, ok, sizeof got, cudaMemcpyDeviceToHost);
        printf("heap %d\n", got);
        say("end", cudaDeviceSynchronize());
        return 0;
    }
    if (what == 1)
        outside<<<2, 32>>>(p, 7);
    if (what == 2)
        misaligned<<<1, 32>>>((char *)p);
    if (what == 3)
        claims<<<1, 32>>>(5);
    say("launch", cudaGetLastError());
    say("synchronize", cudaDeviceSynchronize());
    say("afterwards", cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost));
    return what;
}
