// The device's properties, occupancy, streams, events, host threads; the second file of two.
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

extern "C" int answer(void);      // host.c
void other_kernel(int *p, int n); // other.cu

__global__ void add(int *p, int v)
{
    atomicAdd(p, v);
}

static void CUDART_CB called(cudaStream_t, cudaError_t e, void *data)
{
    *(int *)data += e == cudaSuccess;
}

int main(int argc, char **argv)
{
    cudaDeviceProp prop;
    int n, sms, blocks, grid, block;
    cudaGetDeviceCount(&n);
    cudaGetDeviceProperties(&prop, 0);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    printf("%d: %s, %d SMs, %d kHz, %zu bytes of shared memory\n", n, prop.name, sms,
           prop.clockRate, prop.sharedMemPerMultiprocessor);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 20000);
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, add);
    printf("%d CTAs fit, %d threads each are best\n", blocks, block);

    cudaStream_t streams[2];
    cudaEvent_t begin, end;
    float ms = -1;
    int *sum, calls = 0;
    cudaMallocManaged(&sum, sizeof(int));
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (cudaStream_t &s : streams)
        cudaStreamCreate(&s);
    cudaEventRecord(begin);
    for (int i = 0; i < 10; i++)
        add<<<1, 32, 0, streams[i % 2]>>>(sum, 1);
    cudaStreamAddCallback(streams[0], called, &calls, 0);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
    printf("%d, %d call, time %s\n", *sum, calls, ms > 0 ? "passed" : "stood still");
    for (cudaStream_t &s : streams)
        cudaStreamDestroy(s);

    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
        threads.emplace_back([sum] {
            for (int i = 0; i < 5; i++)
                add<<<1, 32>>>(sum, 1);
        });
    for (std::thread &t : threads)
        t.join();
    other_kernel(sum, answer());
    cudaDeviceSynchronize();
    printf("%d after all\n", *sum);
    return argc > 1 && strcmp(argv[1], "fail") == 0 ? 3 : 0;
}
