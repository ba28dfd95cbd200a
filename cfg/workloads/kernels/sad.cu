/* SPDX-License-Identifier: MIT
 *
 * Sums of absolute differences for motion estimation: one block of 61 threads per 4x4 pixels, whose 33x33
 * displacements the threads share out, 18 each, three at a time. The pixels and the sums, 16 bits each, are
 * in shared memory; the sums leave it 8 bytes a thread. A row of sums is padded to 1096. */
#include "device.h"

#define RANGE 16
#define SIDE (2 * RANGE + 1)
#define PLACES (SIDE * SIDE)
#define PADDED 1096
#define EACH 18
#define THREADS 61

DEVICE int cw_magnitude(int x)
{
    return x < 0 ? -x : x;
}

KERNEL sad_4x4(unsigned short *out, const unsigned short *frame, const unsigned short *reference, int mb_width,
               int mb_height)
{
    __shared__ unsigned short pixels[16];
    __shared__ uint2 sums_8[PADDED / 4];
    unsigned short *sums = (unsigned short *)sums_8;
    int width = mb_width * 16, height = mb_height * 16, t = threadIdx.x;
    int left = blockIdx.x * 4, top = blockIdx.y * 4;
    if (t < 16)
        pixels[t] = frame[top * width + left + (t >> 2) * width + (t & 3)];
    __syncthreads();
    int place = t % THREADS * EACH, end = cw_min(place + EACH, PLACES);
    int dy = place / SIDE, dx = place - SIDE * dy, y0 = top - RANGE + dy;
    for (; place < end; place += 3) {
        unsigned short first = 0, second = 0, third = 0;
        int x0 = left - RANGE + dx;
#pragma unroll
        for (int y = 0; y < 4; y++) {
            const unsigned short *row = reference + cw_min(cw_max(y0 + y, 0), height - 1) * width;
            int p0 = pixels[4 * y], p1 = pixels[4 * y + 1], p2 = pixels[4 * y + 2], p3 = pixels[4 * y + 3];
#pragma unroll
            for (int x = 0; x < 6; x++) {
                int shade = row[cw_min(cw_max(x0 + x, 0), width - 1)];
                if (x < 4)
                    first += cw_magnitude(shade - (x == 0 ? p0 : x == 1 ? p1 : x == 2 ? p2 : p3));
                if (x > 0 && x < 5)
                    second += cw_magnitude(shade - (x == 1 ? p0 : x == 2 ? p1 : x == 3 ? p2 : p3));
                if (x > 1)
                    third += cw_magnitude(shade - (x == 2 ? p0 : x == 3 ? p1 : x == 4 ? p2 : p3));
            }
        }
        sums[place] = first;
        sums[place + 1] = second;
        sums[place + 2] = third;
        dx += 3;
        if (dx >= SIDE) {
            dx -= SIDE;
            y0++;
        }
    }
    __syncthreads();
    if (t < 32) {
        int macroblock = (blockIdx.y >> 2) * mb_width + (blockIdx.x >> 2);
        int part = 4 * (blockIdx.y & 3) + (blockIdx.x & 3);
        uint2 *mine = (uint2 *)(out + (macroblock * 16 + part) * PADDED);
        for (int i = t; i < PADDED / 4; i += 32)
            mine[i] = sums_8[i];
    }
}
