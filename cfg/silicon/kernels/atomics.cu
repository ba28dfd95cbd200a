/* SPDX-License-Identifier: MIT
 *
 * Atomic additions of all SMs: lanes on one word, on one word a warp, or each on its own, with the
 * old value asked for and without. */
#include "device.h"

/* shift 31: one word for all; 5: one a warp; 0: each lane its own. */
DEVICE unsigned *place(unsigned *a, int shift)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    return a + (shift == 31 ? 0 : i >> shift << shift);
}

KERNEL atomic_with_result(unsigned *a, int rounds, int shift, unsigned *out)
{
    unsigned *p = place(a, shift), sum = 0;
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        unsigned v[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(v[k]) : "l"(p));
        use2(sum, v[0], v[1]);
        use2(sum, v[2], v[3]);
    }
    if (sum == 1)
        *out = sum;
}

KERNEL atomic_without(unsigned *a, int rounds, int shift)
{
    unsigned *p = place(a, shift);
#pragma unroll 1
    for (int i = 0; i < rounds; i++)
#pragma unroll
        for (int k = 0; k < 4; k++)
            asm volatile("red.global.add.u32 [%0], 1;" ::"l"(p));
}
