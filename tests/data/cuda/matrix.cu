// Products of matrices by warps (nvcuda::wmma): every type and shape, layouts, memory, against the
// host.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mma.h>
#include <type_traits>
using namespace nvcuda;

enum { WORDS = 1024, SUMS = 2048 };

template <typename T, typename LA, typename LB, int M, int N, int K, typename S, typename ACC,
          bool SHARED>
__global__ void product(const S *a, const S *b, const ACC *c, ACC *d, int lda, int ldb, int ldc,
                        bool rows)
{
    __shared__ __align__(128) S sa[WORDS];
    __shared__ __align__(128) S sb[WORDS];
    if (SHARED) {
        for (int i = threadIdx.x; i < WORDS; i += 32) {
            sa[i] = a[i];
            sb[i] = b[i];
        }
        __syncthreads();
        a = sa;
        b = sb;
    }
    wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, ACC> fc;
    wmma::load_matrix_sync(fa, a, lda);
    wmma::load_matrix_sync(fb, b, ldb);
    wmma::load_matrix_sync(fc, c, ldc, rows ? wmma::mem_row_major : wmma::mem_col_major);
    wmma::mma_sync(fc, fa, fb, fc);
    for (int i = 0; i < fc.num_elements; i++)
        fc.x[i] = fc.x[i] + fc.x[i];
    wmma::store_matrix_sync(d, fc, ldc, rows ? wmma::mem_row_major : wmma::mem_col_major);
}

template <typename X> double real(X v)
{
    return (double)(float)v;
}
template <> double real(double v)
{
    return v;
}
template <> double real(int v)
{
    return v;
}

static int failed;

template <typename T, typename LA, typename LB, int M, int N, int K, typename S, typename ACC,
          bool SHARED>
void run(const char *what)
{
    const bool ra = std::is_same<LA, wmma::row_major>::value,
               rb = std::is_same<LB, wmma::row_major>::value;
    S *a, *b;
    ACC *c, *d;
    cudaMallocManaged(&a, WORDS * sizeof *a);
    cudaMallocManaged(&b, WORDS * sizeof *b);
    cudaMallocManaged(&c, SUMS * sizeof *c);
    cudaMallocManaged(&d, SUMS * sizeof *d);
    for (int i = 0; i < WORDS; i++) {
        a[i] = S(float(rand() % 15 - 7));
        b[i] = S(float(rand() % 13 - 6));
    }
    for (int i = 0; i < SUMS; i++)
        c[i] = ACC(float(rand() % 100));
    for (int rows = 0; rows < 2; rows++) {
        int lda = ra ? K : M, ldb = rb ? N : K, ldc = rows ? N + 8 : M + 8, bad = 0;
        product<T, LA, LB, M, N, K, S, ACC, SHARED><<<1, 32>>>(a, b, c, d, lda, ldb, ldc, rows);
        if (cudaDeviceSynchronize() != cudaSuccess)
            bad++;
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                int at = rows ? i * ldc + j : j * ldc + i;
                double sum = real(c[at]);
                for (int k = 0; k < K; k++)
                    sum += real(a[ra ? i * lda + k : k * lda + i]) *
                           real(b[rb ? k * ldb + j : j * ldb + k]);
                bad += fabs(real(d[at]) - 2 * sum) > (sizeof(ACC) == 2 ? 0.01 * fabs(sum) : 0);
            }
        if (bad)
            printf("%s, rows %d: %d wrong\n", what, rows, bad);
        failed += bad;
    }
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(d);
}

typedef wmma::row_major R;
typedef wmma::col_major C;
#define ALL(T, M, N, K, S, ACC)                                                                    \
    run<T, R, C, M, N, K, S, ACC, false>(#T " " #M "x" #N);                                        \
    run<T, C, R, M, N, K, S, ACC, true>(#T " " #M "x" #N ", shared")

int main()
{
    ALL(half, 16, 16, 16, half, float);
    ALL(half, 32, 8, 16, half, float);
    ALL(half, 8, 32, 16, half, half);
    ALL(__nv_bfloat16, 16, 16, 16, __nv_bfloat16, float);
    ALL(signed char, 16, 16, 16, signed char, int);
    ALL(unsigned char, 8, 32, 16, unsigned char, int);
    ALL(wmma::precision::tf32, 16, 16, 8, float, float);
    ALL(double, 8, 8, 4, double, double);
    printf(failed ? "FAILED\n" : "PASSED\n");
    return failed != 0;
}
