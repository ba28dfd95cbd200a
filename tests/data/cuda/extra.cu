// What programs bring along or take for granted: functions under names that our headers use, too,
// CUDA's mathematics on the host, and the rarer functions of kernels.
#include <cmath>
#include <cstdio>

// programs have these of their own
__host__ __device__ int log2(int u)
{
    int n = 0;
    while (u >>= 1)
        n++;
    return n;
}
__device__ float4 __shfl_down(const float4 v, const uint32_t by, const uint32_t width = 32)
{
    return make_float4(__shfl_down_sync(~0u, v.x, by, width), __shfl_down_sync(~0u, v.y, by, width),
                       0, 0);
}

enum { N = 64 };
struct results {
    double inverse[N], complement[N], quantile[N], next[N], remainder[N], scaled[N], norm[N];
    int quotient[N], own[N], same[N];
    float lane[N];
};
__global__ void k(results *r)
{
    int i = threadIdx.x;
    double y = (i - 31.5) / 32.5, p = exp(-0.7 * i);
    r->inverse[i] = erf(erfinv(y)) - y;
    r->complement[i] = erfc(erfcinv(p)) / p - 1;
    r->quantile[i] = normcdf(normcdfinv((i + 1) / 65.0)) - (i + 1) / 65.0;
    r->next[i] = nextafter((i - 20) * 0.1, i & 1 ? 1e300 : -1e300);
    r->remainder[i] = remquo((i - 30) * 1.7, i % 3 ? 0.9 : -0.9, &r->quotient[i]);
    r->scaled[i] = scalbln(1.25, (long)i - 30);
    r->norm[i] = norm4d(i, 2e200, 1, -3e200) / 1e200;
    r->own[i] = log2(i + 1);
    int all;
    long long wide = (long long)(i & 1) << 40;
    r->same[i] = __match_all_sync(~0u, wide, &all) == 0 && !all &&
                 __match_any_sync(~0u, wide) == (i & 1 ? 0xaaaaaaaau : 0x55555555u);
    r->lane[i] = __shfl_down(make_float4(i, 2 * i, 0, 0), 1).y + __shfl_down(i, 1);
}

static int bad;
static void check(const char *what, int i, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance) && bad++ < 10)
        printf("%s of %d: %.17g, not %.17g\n", what, i, got, want);
}

int main()
{
    results *r;
    cudaMallocManaged(&r, sizeof *r);
    k<<<1, N>>>(r);
    if (cudaError_t e = cudaDeviceSynchronize()) {
        printf("FAILED: %s\n", cudaGetErrorString(e));
        return 1;
    }
    for (int i = 0; i < N; i++) {
        int q;
        double rest = remquo((i - 30) * 1.7, i % 3 ? 0.9 : -0.9, &q);
        check("erfinv", i, r->inverse[i], 0, 3e-16);
        check("erfcinv", i, r->complement[i], 0,
              2e-13); // a small error of x is a large one in the tail
        check("normcdfinv", i, r->quantile[i], 0, 3e-16);
        check("nextafter", i, r->next[i], nextafter((i - 20) * 0.1, i & 1 ? 1e300 : -1e300), 0);
        check("remquo", i, r->remainder[i], rest, 0);
        check("quotient", i, abs(r->quotient[i]), abs(q) % 8, 0);
        check("scalbln", i, r->scaled[i], scalbln(1.25, (long)i - 30), 0);
        check("norm4d", i, r->norm[i], norm4d(i, 2e200, 1, -3e200) / 1e200, 1e-15);
        check("log2", i, r->own[i], log2(i + 1), 0);
        check("match", i, r->same[i], 1, 0);
        int from = i % 32 == 31 ? i : i + 1;
        check("shuffle", i, r->lane[i], 3 * from, 0);
    }
    check("rsqrtf", 0, rsqrtf(4.0f) + rsqrt(16.0), 0.75, 0);
    check("sinpi", 0, sinpi(0.5) + cospi(1.0) + sinpi(-1.5) + sinpif(1e6f), 1, 0);
    check("cbrt", 0, rcbrt(8.0) + normcdf(0.0) + norm3d(2, 3, 6) + rhypotf(3, 4), 8.2, 1e-7);
    puts(bad ? "FAILED" : "PASSED");
    return bad != 0;
}
