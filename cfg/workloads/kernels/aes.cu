/* SPDX-License-Identifier: MIT
 *
 * AES-128 encryption (FIPS 197) of independent 16-byte blocks by table lookup: four threads per block,
 * each with one column; tables and state in shared memory. 256 threads. */
#include "device.h"

#define ROUNDS 10
#define THREADS 256

/* Multiplication by x in the field of 256 elements. */
DEVICE unsigned twice(unsigned a)
{
    return (a << 1 ^ (a & 128 ? 0x11b : 0)) & 255;
}

DEVICE unsigned multiply(unsigned a, unsigned b)
{
    unsigned p = 0;
    for (; b; b >>= 1, a = twice(a))
        p ^= b & 1 ? a : 0;
    return p;
}

/* S-box and the tables that join it with the mixing of columns. One thread per byte value. */
KERNEL aes_tables(unsigned *tables, unsigned *sbox)
{
    unsigned x = threadIdx.x, inverse = 0;
    for (unsigned y = 1; y < 256; y++)
        if (multiply(x, y) == 1)
            inverse = y;
    unsigned s = 0x63;
    for (int k = 0; k < 5; k++)
        s ^= (inverse << k | inverse >> (8 - k)) & 255;
    unsigned word = twice(s) | s << 8 | s << 16 | (twice(s) ^ s) << 24;
    sbox[x] = s;
    for (int k = 0; k < 4; k++)
        tables[256 * k + x] = word << 8 * k | (k ? word >> (32 - 8 * k) : 0);
}

/* Round keys, little-endian words. One thread. */
KERNEL aes_key(const unsigned *key, const unsigned *sbox, unsigned *keys)
{
    unsigned power = 1;
    for (int i = 0; i < 4 * (ROUNDS + 1); i++) {
        if (i < 4) {
            keys[i] = key[i];
            continue;
        }
        unsigned w = keys[i - 1];
        if (i % 4 == 0) {
            w = w >> 8 | w << 24;
            w = sbox[w & 255] | sbox[w >> 8 & 255] << 8 | sbox[w >> 16 & 255] << 16 | sbox[w >> 24] << 24;
            w ^= power;
            power = twice(power);
        }
        keys[i] = keys[i - 4] ^ w;
    }
}

KERNEL aes_encrypt(const unsigned *in, unsigned *out, const unsigned *tables, const unsigned *sbox,
                   const unsigned *keys)
{
    __shared__ unsigned t[4 * 256], s[256], state[2][THREADS];
    int me = threadIdx.x, column = me & 3, block = me - column, at = blockIdx.x * THREADS + me;
    for (int k = 0; k < 4; k++)
        t[256 * k + me] = tables[256 * k + me];
    s[me] = sbox[me];
    state[0][me] = in[at] ^ keys[column];
    __syncthreads();
    for (int round = 1; round < ROUNDS; round++) {
        const unsigned *now = state[(round + 1) & 1];
        unsigned w = t[now[me] & 255] ^ t[256 + (now[block + ((column + 1) & 3)] >> 8 & 255)] ^
                     t[512 + (now[block + ((column + 2) & 3)] >> 16 & 255)] ^
                     t[768 + (now[block + ((column + 3) & 3)] >> 24)];
        state[round & 1][me] = w ^ keys[4 * round + column];
        __syncthreads();
    }
    const unsigned *now = state[(ROUNDS + 1) & 1];
    unsigned w = s[now[me] & 255] | s[now[block + ((column + 1) & 3)] >> 8 & 255] << 8 |
                 s[now[block + ((column + 2) & 3)] >> 16 & 255] << 16 | s[now[block + ((column + 3) & 3)] >> 24] << 24;
    out[at] = w ^ keys[4 * ROUNDS + column];
}
