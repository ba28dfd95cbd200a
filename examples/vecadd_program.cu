// A whole CUDA program, with its own check:
//     crosswatt cc vecadd_program.cu -o vecadd
//     crosswatt run ./vecadd 100000
//     crosswatt sim cfg/paper/cdxbar/80-cdxbar.cfg -- ./vecadd 100000
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void vecadd(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100000;
    if (n <= 0) {
        fprintf(stderr, "%d numbers?\n", n);
        return 1;
    }
    std::vector<float> a(n), b(n), c(n);
    for (int i = 0; i < n; i++) {
        a[i] = 0.5f * i;
        b[i] = 3.0f * i;
    }
    float *da, *db, *dc;
    size_t bytes = n * sizeof(float);
    cudaMalloc(&da, bytes);
    cudaMalloc(&db, bytes);
    cudaMalloc(&dc, bytes);
    cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice);
    vecadd<<<(n + 255) / 256, 256>>>(da, db, dc, n);
    cudaError_t e = cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += c[i] != a[i] + b[i];
    printf("%s: %d numbers, %d wrong, %s\n", wrong || e ? "FAILED" : "PASSED", n, wrong,
           cudaGetErrorString(e));
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    return wrong || e;
}
