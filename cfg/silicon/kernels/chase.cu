/* SPDX-License-Identifier: MIT
 *
 * Latency: one thread follows pointers, each load waits for the one before. The rings are made by
 * launches that are not measured. */
#include "device.h"

#define BODY 8 /* loads in a round of the loop; its three other instructions run under a load */

/* ring[i] is followed by ring[(a i + c) mod n]: all of them once where n is a power of two, a mod 4
 * is 1 and c odd (Hull and Dobell 1962). a = c = 1 is plain order. */
KERNEL ring_make(word64 *ring, int n, int stride_words, int a, int c)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (unsigned)n) {
        unsigned next = ((unsigned)a * i + (unsigned)c) & (unsigned)(n - 1);
        ring[(word64)i * stride_words] = (word64)(ring + (word64)next * stride_words);
    }
}

/* Every place points to itself. */
KERNEL ring_self(word64 *ring, int n, int stride_words)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (unsigned)n)
        ring[(word64)i * stride_words] = (word64)(ring + (word64)i * stride_words);
}

/* Brings the lines of the ring into the L2, past the L1, each thread one sector of 32 B: four for
 * every place of the ring. */
KERNEL ring_touch(const word64 *ring, int n, int stride_words, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    word64 p = 0;
    if (i < 4u * (unsigned)n)
        asm volatile("ld.global.cg.u64 %0, [%1];"
                     : "=l"(p)
                     : "l"(ring + (word64)(i / 4) * stride_words + i % 4 * 4));
    if (p == 1)
        *out = 1;
}

/* Through the L1. */
KERNEL chase(const word64 *ring, int rounds, word64 *out)
{
    word64 p = (word64)ring;
    for (int i = 0; i < rounds; i++)
#pragma unroll
        for (int k = 0; k < BODY; k++)
            asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(p));
    *out = p;
}

/* Past the L1, from one SM. `loads` may be 0: what a launch costs without. */
KERNEL chase_past(const word64 *place, int sm, int loads, word64 *out)
{
    if ((int)blockIdx.x != sm)
        return;
    word64 p = (word64)place;
#pragma unroll 1
    for (int i = 0; i < loads; i++)
        asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(p));
    *out = p;
}

KERNEL chase_shared(int rounds, unsigned *out)
{
    __shared__ unsigned ring[64];
    unsigned p = shared_address(ring);
    for (int i = 0; i < 64; i++)
        ring[i] = p + 4 * ((i + 1) % 64);
    for (int i = 0; i < rounds; i++)
#pragma unroll
        for (int k = 0; k < BODY; k++)
            asm volatile("ld.shared.u32 %0, [%0];" : "+r"(p));
    *out = p;
}
