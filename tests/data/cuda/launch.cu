// Launches: structures by value, dynamic shared memory, templates, groups, a loop on the host.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

struct job {
    float scale;
    int n;
    const float *in;
    struct {
        double offset[2];
        char tag;
    } inner;
};

__global__ void by_value(job j, float *out, char *tag)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < j.n)
        out[i] = j.in[i] * j.scale + (float)(j.inner.offset[0] + j.inner.offset[1]);
    if (i == 0)
        *tag = j.inner.tag;
}

template <typename T, int N> __global__ void reverse(T *data)
{
    extern __shared__ char room[];
    T *s = (T *)room;
    s[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = s[N - 1 - threadIdx.x];
}

__global__ void tile_sums(const int *in, int *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    int v = in[block.thread_rank()];
    for (int by = tile.size() / 2; by > 0; by /= 2)
        v += tile.shfl_down(v, by);
    if (tile.thread_rank() == 0)
        out[block.thread_rank() / 8] = v;
    block.sync();
}

// every round reads what its neighbour wrote in the round before
__global__ void relay(int *out)
{
    __shared__ int line[65];
    int v = threadIdx.x;
    if (threadIdx.x == 0)
        line[64] = 1000;
#pragma unroll
    for (int i = 0; i < 11; i++) {
        line[threadIdx.x] = v;
        __syncthreads();
        int next = line[threadIdx.x + 1];
        __syncthreads();
        if (i > (int)threadIdx.x / 100)
            v = next;
    }
    int all = __syncthreads_count(v > 32) * 10 + __syncthreads_or(v == 1000) * 2 +
              __syncthreads_and(v > 4);
    out[threadIdx.x] = v * 10000 + all;
}

__global__ void histogram(const int *in, int n, unsigned *bins)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i] & 15], 1u);
}

// one level of a breadth-first search over a chain with shortcuts
__global__ void level(const int *next, const int *jump, int *depth, int n, int now, bool *more)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || depth[v] != now)
        return;
    int to[2] = {next[v], jump[v]};
    for (int k = 0; k < 2; k++)
        if (depth[to[k]] < 0) {
            depth[to[k]] = now + 1;
            *more = true;
        }
}

static void say(const char *what, bool ok)
{
    printf("%-10s %s\n", what, ok ? "ok" : "WRONG");
}

int main()
{
    const int n = 100;
    float *in, *out;
    char *tag;
    cudaMallocManaged(&in, n * sizeof(float));
    cudaMallocManaged(&out, n * sizeof(float));
    cudaMallocManaged(&tag, 1);
    for (int i = 0; i < n; i++)
        in[i] = (float)i;
    job j = {2.0f, n, in, {{0.25, 0.5}, 'x'}};
    by_value<<<4, 32>>>(j, out, tag);
    cudaDeviceSynchronize();
    bool ok = *tag == 'x';
    for (int i = 0; i < n; i++)
        ok = ok && out[i] == 2.0f * i + 0.75f;
    say("structure", ok);

    reverse<float, 64><<<1, 64, 64 * sizeof(float)>>>(in);
    reverse<short, 32><<<1, 32, 32 * sizeof(short)>>>((short *)out);
    cudaDeviceSynchronize();
    say("template", in[0] == 63 && in[63] == 0 && in[64] == 64);

    int *line;
    cudaMallocManaged(&line, 64 * sizeof(int));
    relay<<<1, 64>>>(line);
    cudaDeviceSynchronize();
    ok = true;
    for (int i = 0; i < 64; i++) {
        int v = i + 10 < 64 ? i + 10 : 1000;
        ok = ok && line[i] == v * 10000 + 41 * 10 + 3;
    }
    say("barriers", ok);

    int *data, *sums;
    unsigned *bins;
    cudaMallocManaged(&data, 256 * sizeof(int));
    cudaMallocManaged(&sums, 32 * sizeof(int));
    cudaMallocManaged(&bins, 16 * sizeof(unsigned));
    for (int i = 0; i < 256; i++)
        data[i] = i;
    tile_sums<<<1, 256>>>(data, sums);
    histogram<<<3, 32>>>(data, 256, bins);
    cudaDeviceSynchronize();
    ok = true;
    for (int i = 0; i < 32; i++)
        ok = ok && sums[i] == 64 * i + 28;
    say("tiles", ok);
    ok = true;
    for (int i = 0; i < 16; i++)
        ok = ok && bins[i] == 16;
    say("atomics", ok);

    std::vector<int> next(n), jump(n), depth(n, -1), want(n, -1);
    for (int v = 0; v < n; v++) {
        next[v] = v + 1 < n ? v + 1 : v;
        jump[v] = v * 3 < n ? v * 3 : v;
    }
    depth[1] = want[1] = 0;
    for (int round = 0; round < n; round++)
        for (int v = 0; v < n; v++)
            if (want[v] == round)
                for (int to : {next[v], jump[v]})
                    if (want[to] < 0)
                        want[to] = round + 1;
    int *d_next, *d_jump, *d_depth;
    bool *d_more, more = true;
    cudaMalloc(&d_next, n * sizeof(int));
    cudaMalloc(&d_jump, n * sizeof(int));
    cudaMalloc(&d_depth, n * sizeof(int));
    cudaMalloc(&d_more, sizeof(bool));
    cudaMemcpy(d_next, next.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_jump, jump.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_depth, depth.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    int rounds = 0;
    for (; more; rounds++) {
        more = false;
        cudaMemcpy(d_more, &more, sizeof more, cudaMemcpyHostToDevice);
        level<<<(n + 31) / 32, 32>>>(d_next, d_jump, d_depth, n, rounds, d_more);
        cudaMemcpy(&more, d_more, sizeof more, cudaMemcpyDeviceToHost);
    }
    cudaMemcpy(depth.data(), d_depth, n * sizeof(int), cudaMemcpyDeviceToHost);
    say("host loop", depth == want);
    printf("%d rounds, %s\n", rounds, cudaGetErrorString(cudaGetLastError()));
    return 0;
}
