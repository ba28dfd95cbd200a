/* SPDX-License-Identifier: MIT
 *
 * Sums of absolute differences for motion estimation: one block of 61 threads per 16x16 macroblock.
 * For each of the 33x33 displacements and each 4x4 part of the macroblock the difference between the
 * frame and the displaced reference is stored as 16 bits. */
#include "device.h"

#define THREADS 61
#define RANGE 16
#define SIDE (2 * RANGE + 1)

KERNEL sad_4x4(const unsigned char *frame, const unsigned char *reference, unsigned short *out, int width,
               int height)
{
    int left = blockIdx.x * 16, top = blockIdx.y * 16;
    unsigned short *mine = out + (blockIdx.y * gridDim.x + blockIdx.x) * 16 * SIDE * SIDE;
    for (int part = 0; part < 16; part++) {
        int px = left + part % 4 * 4, py = top + part / 4 * 4;
        for (int place = threadIdx.x; place < SIDE * SIDE; place += THREADS) {
            int dx = place % SIDE - RANGE, dy = place / SIDE - RANGE;
            unsigned sum = 0;
#pragma unroll
            for (int k = 0; k < 16; k++) {
                int x = px + k % 4, y = py + k / 4;
                int rx = cw_min(cw_max(x + dx, 0), width - 1), ry = cw_min(cw_max(y + dy, 0), height - 1);
                int d = frame[y * width + x] - reference[ry * width + rx];
                sum += d < 0 ? -d : d;
            }
            mine[part * SIDE * SIDE + place] = (unsigned short)sum;
        }
    }
}
