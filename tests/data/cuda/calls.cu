// Functions that call themselves, tables of functions, virtual functions; each result against the
// host.
#include <cstdio>
#include <cuda_runtime.h>
struct Shape {
    __device__ virtual float area(int k) const = 0;
    __device__ virtual ~Shape()
    {
    }
};
struct Square : Shape {
    float s;
    __device__ Square(float v) : s(v)
    {
    }
    __device__ float area(int k) const override
    {
        return s * s + k;
    }
};
struct Circle : Shape {
    float r;
    __device__ Circle(float v) : r(v)
    {
    }
    __device__ float area(int k) const override
    {
        float q = 0;
        for (int i = 0; i < k; i++)
            q += r * i;
        return q;
    }
};
typedef int (*op_t)(int, int);
__device__ int add(int a, int b)
{
    return a + b;
}
__device__ int mul(int a, int b)
{
    return a * b;
}
__device__ int sub(int a, int b)
{
    return a - b;
}
__device__ op_t table[3] = {add, mul, sub};
__device__ op_t one = sub;
__device__ __noinline__ int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__device__ __noinline__ int ack(int m, int n)
{
    return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));
}
__device__ void quick(int *a, int lo, int hi)
{
    if (lo >= hi)
        return;
    int p = a[(lo + hi) / 2], i = lo, j = hi;
    while (i <= j) {
        while (a[i] < p)
            i++;
        while (a[j] > p)
            j--;
        if (i <= j) {
            int t = a[i];
            a[i] = a[j];
            a[j] = t;
            i++;
            j--;
        }
    }
    quick(a, lo, j);
    quick(a, i, hi);
}
// locals of an outer activation seen by an inner one
__device__ __noinline__ int nest(int *up, int depth)
{
    int mine[4];
    for (int i = 0; i < 4; i++)
        mine[i] = depth * 10 + i;
    if (up)
        up[depth & 3] += depth;
    int r = depth == 0 ? 0 : nest(mine, depth - 1);
    for (int i = 0; i < 4; i++)
        r += mine[i];
    return r;
}
__global__ void k(int *out, op_t from_host)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int *o = out + t * 10;
    o[0] = fib(t % 12);
    o[1] = ack(2, t % 5);
    o[2] = table[t % 3](t, 7);
    Square sq(t);
    Circle ci(t * 0.5f);
    const Shape *s = t % 2 ? (const Shape *)&sq : (const Shape *)&ci;
    o[3] = (int)s->area(t % 9);
    int a[16];
    for (int i = 0; i < 16; i++)
        a[i] = (i * 7919 + t * 31) % 101;
    quick(a, 0, 15);
    int ok = 1;
    for (int i = 1; i < 16; i++)
        ok &= a[i - 1] <= a[i];
    o[4] = ok;
    o[5] = a[t % 16];
    o[6] = nest(0, t % 7);
    o[7] = from_host(t, 3);
    if (t % 4 == 1)
        o[8] = fib(t % 5 + 3);
    else
        o[8] = -1;
    o[9] = table[(t / 2) % 3](o[0], o[1]);
}
int hfib(int n)
{
    return n < 2 ? n : hfib(n - 1) + hfib(n - 2);
}
int hack(int m, int n)
{
    return m == 0 ? n + 1 : n == 0 ? hack(m - 1, 1) : hack(m - 1, hack(m, n - 1));
}
int hnest(int *up, int depth)
{
    int mine[4];
    for (int i = 0; i < 4; i++)
        mine[i] = depth * 10 + i;
    if (up)
        up[depth & 3] += depth;
    int r = depth == 0 ? 0 : hnest(mine, depth - 1);
    for (int i = 0; i < 4; i++)
        r += mine[i];
    return r;
}
int hop(int w, int a, int b)
{
    return w == 0 ? a + b : w == 1 ? a * b : a - b;
}
// Does not end where the word is not negative.
__device__ __noinline__ int endless(volatile int *word, int n)
{
    return *word < 0 ? n : endless(word, n + 1) + *word;
}
__global__ void forever(int *out)
{
    *out = endless(out, 0);
}

int main(int argc, char **)
{
    if (argc > 1) {
        int *out;
        cudaMalloc(&out, sizeof *out);
        forever<<<1, 1>>>(out);
        printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
        return 0;
    }
    const int n = 96;
    int *d, h[n * 10];
    op_t f;
    cudaMalloc(&d, sizeof h);
    cudaMemcpyFromSymbol(&f, one, sizeof f);
    k<<<3, 32>>>(d, f);
    if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost)) {
        printf("FAILED %s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    int bad = 0;
    for (int t = 0; t < n; t++) {
        int *o = h + t * 10, e[10];
        e[0] = hfib(t % 12);
        e[1] = hack(2, t % 5);
        e[2] = hop(t % 3, t, 7);
        float q = 0;
        for (int i = 0; i < t % 9; i++)
            q += t * 0.5f * i;
        e[3] = t % 2 ? (int)((float)t * t + t % 9) : (int)q;
        int a[16];
        for (int i = 0; i < 16; i++)
            a[i] = (i * 7919 + t * 31) % 101;
        for (int i = 0; i < 16; i++)
            for (int j = 1; j < 16; j++)
                if (a[j - 1] > a[j]) {
                    int x = a[j];
                    a[j] = a[j - 1];
                    a[j - 1] = x;
                }
        e[4] = 1;
        e[5] = a[t % 16];
        e[6] = hnest(0, t % 7);
        e[7] = t - 3;
        e[8] = t % 4 == 1 ? hfib(t % 5 + 3) : -1;
        e[9] = hop((t / 2) % 3, e[0], e[1]);
        for (int i = 0; i < 10; i++)
            if (o[i] != e[i] && bad++ < 10)
                printf("t %d out %d: %d, not %d\n", t, i, o[i], e[i]);
    }
    printf(bad ? "FAILED\n" : "PASSED\n");
    return bad != 0;
}
