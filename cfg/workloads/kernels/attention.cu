/* SPDX-License-Identifier: MIT
 *
 * Attention without the matrix of scores (Dao et al., 2022): softmax(q k^T / sqrt(d)) v, with tiles of
 * keys and values in shared memory and a running maximum and sum a query (Milakov and Gimelshein, 2018). A
 * thread has a query, a block 64 of one head; the head has 32 dimensions. */
#include "learning.h"

#define QUERIES 64
#define KEYS 32
#define DIM 32

KERNEL attention(const float *q, const float *k, const float *v, float *out, int length, float scale)
{
    __shared__ float keys[KEYS][DIM], values[KEYS][DIM];
    long long head = (long long)blockIdx.y * length * DIM;
    int query = blockIdx.x * QUERIES + threadIdx.x;
    float mine[DIM], sums[DIM], most = -1e30f, total = 0;
#pragma unroll
    for (int d = 0; d < DIM; d++) {
        mine[d] = q[head + (long long)query * DIM + d] * scale;
        sums[d] = 0;
    }
    for (int first = 0; first < length; first += KEYS) {
        for (int i = threadIdx.x; i < KEYS * DIM; i += QUERIES) {
            keys[i / DIM][i % DIM] = k[head + first * DIM + i];
            values[i / DIM][i % DIM] = v[head + first * DIM + i];
        }
        __syncthreads();
        for (int j = 0; j < KEYS; j++) {
            float score = 0;
#pragma unroll
            for (int d = 0; d < DIM; d++)
                score += mine[d] * keys[j][d];
            float top = larger(most, score);
            float old = cw_exp(most - top), add = cw_exp(score - top);
            total = total * old + add;
#pragma unroll
            for (int d = 0; d < DIM; d++)
                sums[d] = sums[d] * old + add * values[j][d];
            most = top;
        }
        __syncthreads();
    }
    float by = cw_rcp(total);
#pragma unroll
    for (int d = 0; d < DIM; d++)
        out[head + (long long)query * DIM + d] = sums[d] * by;
}
