// Arithmetic of bfloat16, alone and in pairs, against the same in double precision rounded once.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <memory>
__global__ void k(const __nv_bfloat16 *a, const __nv_bfloat16 *b, __nv_bfloat16 *o,
                  __nv_bfloat162 *v, int *q, int n)
{
    int i = threadIdx.x;
    __nv_bfloat16 x = a[i], y = b[i];
    o[i] = __hadd(x, y);
    o[n + i] = __hsub(x, y);
    o[2 * n + i] = __hmul(x, y);
    o[3 * n + i] = __hfma(x, y, x);
    o[4 * n + i] = __hmax(x, y);
    o[5 * n + i] = __hmin(x, y);
    o[6 * n + i] = __hneg(x);
    o[7 * n + i] = __habs(x);
    q[i] = __hlt(x, y) + 2 * __heq(x, x) + 4 * __hge(x, y);
    q[n + i] = __bfloat162int_rz(x);
    o[8 * n + i] = __int2bfloat16_rn(i * 1001);
    v[i] = __hadd2(__halves2bfloat162(x, y), __halves2bfloat162(y, x));
    v[n + i] =
        __hfma2(__halves2bfloat162(x, y), __halves2bfloat162(y, y), __halves2bfloat162(x, x));
    v[2 * n + i] = __hmax2(__halves2bfloat162(x, y), __halves2bfloat162(y, x));
}
static float F(__nv_bfloat16 v)
{
    return __bfloat162float(v);
}
static unsigned short B(double v)
{ // nearest even, once
    float f = (float)v;
    unsigned u;
    if ((double)f != v && fabs(f) > fabs(v))
        f = nextafterf(f, 0);
    memcpy(&u, &f, 4);
    if ((double)f != v)
        u |= 1;
    return (u + 0x7fff + (u >> 16 & 1)) >> 16;
}
int main()
{
    const int n = 64;
    __nv_bfloat16 *a, *b, *o;
    __nv_bfloat162 *v;
    int *q;
    cudaMallocManaged(&a, n * 2);
    cudaMallocManaged(&b, n * 2);
    cudaMallocManaged(&o, n * 20);
    cudaMallocManaged(&v, n * 12);
    cudaMallocManaged(&q, n * 8);
    for (int i = 0; i < n; i++) {
        a[i] = __float2bfloat16((i - 20) * 0.37f);
        b[i] = __float2bfloat16((i * 7 % 31) * 1.3f - 9);
    }
    k<<<1, n>>>(a, b, o, v, q, n);
    if (cudaDeviceSynchronize()) {
        printf("FAILED run\n");
        return 1;
    }
    int bad = 0;
    auto is = [&](int w, int i, __nv_bfloat16 g, double e) {
        unsigned short s;
        memcpy(&s, &g, 2);
        if (s != B(e) && bad++ < 10)
            printf("%d %d: %g, not %g\n", w, i, F(g), e);
    };
    for (int i = 0; i < n; i++) {
        double x = F(a[i]), y = F(b[i]);
        is(0, i, o[i], x + y);
        is(1, i, o[n + i], x - y);
        is(2, i, o[2 * n + i], x * y);
        is(3, i, o[3 * n + i], x * y + x);
        is(4, i, o[4 * n + i], fmax(x, y));
        is(5, i, o[5 * n + i], fmin(x, y));
        is(6, i, o[6 * n + i], -x);
        is(7, i, o[7 * n + i], fabs(x));
        is(8, i, o[8 * n + i], i * 1001);
        is(9, i, v[i].x, x + y);
        is(10, i, v[n + i].y, y * y + x);
        is(11, i, v[2 * n + i].y, fmax(x, y));
        if (q[i] != (x < y) + 2 + 4 * (x >= y) || q[n + i] != (int)x) {
            bad++;
            printf("q %d\n", i);
        }
    }
    printf(bad ? "FAILED\n" : "PASSED\n");
    return bad;
}
