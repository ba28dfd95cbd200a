/* SPDX-License-Identifier: MIT
 *
 * MD5 (RFC 1321) of many chunks of data: one thread per chunk; a block of 128 threads brings 64 bytes
 * per chunk to shared memory at a time with coalesced loads. */
#include "device.h"

#define THREADS 128
#define PITCH 17 /* words per chunk in shared memory: one more, against bank conflicts */

/* floor(2^32 |sin(i + 1)|) */
__constant__ unsigned sines[64] = {
    0xd76aa478u, 0xe8c7b756u, 0x242070dbu, 0xc1bdceeeu, 0xf57c0fafu, 0x4787c62au, 0xa8304613u, 0xfd469501u,
    0x698098d8u, 0x8b44f7afu, 0xffff5bb1u, 0x895cd7beu, 0x6b901122u, 0xfd987193u, 0xa679438eu, 0x49b40821u,
    0xf61e2562u, 0xc040b340u, 0x265e5a51u, 0xe9b6c7aau, 0xd62f105du, 0x02441453u, 0xd8a1e681u, 0xe7d3fbc8u,
    0x21e1cde6u, 0xc33707d6u, 0xf4d50d87u, 0x455a14edu, 0xa9e3e905u, 0xfcefa3f8u, 0x676f02d9u, 0x8d2a4c8au,
    0xfffa3942u, 0x8771f681u, 0x6d9d6122u, 0xfde5380cu, 0xa4beea44u, 0x4bdecfa9u, 0xf6bb4b60u, 0xbebfbc70u,
    0x289b7ec6u, 0xeaa127fau, 0xd4ef3085u, 0x04881d05u, 0xd9d4d039u, 0xe6db99e5u, 0x1fa27cf8u, 0xc4ac5665u,
    0xf4292244u, 0x432aff97u, 0xab9423a7u, 0xfc93a039u, 0x655b59c3u, 0x8f0ccc92u, 0xffeff47du, 0x85845dd1u,
    0x6fa87e4fu, 0xfe2ce6e0u, 0xa3014314u, 0x4e0811a1u, 0xf7537e82u, 0xbd3af235u, 0x2ad7d2bbu, 0xeb86d391u,
};
__constant__ unsigned char turns[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

DEVICE void digest(unsigned h[4], const unsigned *m)
{
    unsigned a = h[0], b = h[1], c = h[2], d = h[3];
    for (int i = 0; i < 64; i++) {
        unsigned f, word;
        if (i < 16) {
            f = (b & c) | (~b & d);
            word = i;
        } else if (i < 32) {
            f = (d & b) | (~d & c);
            word = 5 * i + 1;
        } else if (i < 48) {
            f = b ^ c ^ d;
            word = 3 * i + 5;
        } else {
            f = c ^ (b | ~d);
            word = 7 * i;
        }
        unsigned x = a + f + sines[i] + m[word & 15], turn = turns[i / 16 * 4 + i % 4];
        a = d;
        d = c;
        c = b;
        b += x << turn | x >> (32 - turn);
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
}

/* `words` is a multiple of 16. */
KERNEL sto_md5(const unsigned *data, unsigned *hashes, int words)
{
    __shared__ unsigned part[THREADS * PITCH];
    unsigned h[4] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u};
    int t = threadIdx.x;
    const unsigned *mine = data + blockIdx.x * THREADS * words;
    for (int at = 0; at < words; at += 16) {
        for (int i = t; i < THREADS * 16; i += THREADS)
            part[i / 16 * PITCH + i % 16] = mine[i / 16 * words + at + i % 16];
        __syncthreads();
        digest(h, part + t * PITCH);
        __syncthreads();
    }
    /* the padding that ends every message */
    unsigned *last = part + t * PITCH;
    for (int i = 0; i < 16; i++)
        last[i] = i == 0 ? 128 : i == 14 ? 32 * words : 0;
    digest(h, last);
    for (int k = 0; k < 4; k++)
        hashes[(blockIdx.x * THREADS + t) * 4 + k] = h[k];
}
