// Products of matrices of numbers of 4 bits and of bits, and sums that stay at the ends of their
// range, against the host; a shape that is not there refuses its own kernel and no other.
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <mma.h>
using namespace nvcuda;
using namespace nvcuda::wmma::experimental;

template <typename T> __global__ void nibbles(const int *a, const int *b, int *c)
{
    wmma::fragment<wmma::matrix_a, 8, 8, 32, T, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 32, T, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 32, int> fc;
    wmma::fill_fragment(fc, 3);
    wmma::load_matrix_sync(fa, a, 32);
    wmma::load_matrix_sync(fb, b, 32);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 8, wmma::mem_row_major);
}

__global__ void bits(const int *a, const int *b, int *c, bool is_and)
{
    wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 128, int> fc;
    wmma::fill_fragment(fc, 0);
    wmma::load_matrix_sync(fa, a, 128);
    wmma::load_matrix_sync(fb, b, 128);
    if (is_and)
        wmma::bmma_sync(fc, fa, fb, fc, bmmaBitOpAND);
    else
        wmma::bmma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 8, wmma::mem_col_major);
}

__global__ void saturated(const signed char *a, int *c, int start, bool satf)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
    wmma::fill_fragment(fc, start);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, a, 16);
    wmma::mma_sync(fc, fa, fb, fc, satf);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

// Volta's own shape, which later machines do not have
__global__ void volta(unsigned *d)
{
    float s[8];
    unsigned a = d[0], b = d[1];
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%8, %9}, "
                 "{%10, %10, %10, %10, %10, %10, %10, %10};"
                 : "=f"(s[0]), "=f"(s[1]), "=f"(s[2]), "=f"(s[3]), "=f"(s[4]), "=f"(s[5]), "=f"(s[6]), "=f"(s[7])
                 : "r"(a), "r"(b), "f"(0.0f));
    d[0] = (unsigned)s[0];
}

static int nibble(const int *p, int i, bool is_signed)
{
    int v = (unsigned)p[i / 8] >> 4 * (i % 8) & 15;
    return is_signed && v > 7 ? v - 16 : v;
}

static void say(const char *what, int wrong)
{
    printf("%s: %s, %d wrong\n", what, cudaGetErrorName(cudaDeviceSynchronize()), wrong);
}

int main()
{
    int *a, *b, *c, wrong;
    cudaMallocManaged(&a, 1024);
    cudaMallocManaged(&b, 1024);
    cudaMallocManaged(&c, 1024);
    for (int i = 0; i < 256; i++) {
        a[i] = rand() ^ rand() << 16;
        b[i] = rand() ^ rand() << 16;
    }
    for (int is_signed = 0; is_signed < 2; is_signed++) {
        if (is_signed)
            nibbles<precision::s4><<<1, 32>>>(a, b, c);
        else
            nibbles<precision::u4><<<1, 32>>>(a, b, c);
        cudaDeviceSynchronize();
        wrong = 0;
        for (int i = 0; i < 64; i++) {
            int sum = 3;
            for (int k = 0; k < 32; k++)
                sum += nibble(a, i / 8 * 32 + k, is_signed) * nibble(b, i % 8 * 32 + k, is_signed);
            wrong += sum != c[i];
        }
        say(is_signed ? "s4" : "u4", wrong);
    }
    for (int is_and = 0; is_and < 2; is_and++) {
        bits<<<1, 32>>>(a, b, c, is_and);
        cudaDeviceSynchronize();
        wrong = 0;
        for (int i = 0; i < 64; i++) {
            int sum = 0;
            for (int k = 0; k < 4; k++)
                sum += __builtin_popcount(is_and ? a[i / 8 * 4 + k] & b[i % 8 * 4 + k] : a[i / 8 * 4 + k] ^ b[i % 8 * 4 + k]);
            wrong += sum != c[i % 8 * 8 + i / 8];
        }
        say(is_and ? "and" : "xor", wrong);
    }
    signed char *bytes = (signed char *)a;
    for (int i = 0; i < 256; i++)
        bytes[i] = 100;
    saturated<<<1, 32>>>(bytes, c, INT_MAX - 5, true);
    say("held", 0);
    printf("%d\n", c[17] == INT_MAX);
    saturated<<<1, 32>>>(bytes, c, INT_MAX - 5, false);
    say("wrapped", 0);
    printf("%d\n", c[17] == INT_MIN + 160000 - 6);
    volta<<<1, 32>>>((unsigned *)c);
    printf("volta: %s\n", cudaGetErrorName(cudaGetLastError()));
    nibbles<precision::u4><<<1, 32>>>(a, b, c);
    say("u4 again", 0);
    return 0;
}
