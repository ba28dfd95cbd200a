/* SPDX-License-Identifier: MIT
 *
 * Sums of absolute differences for motion estimation: one block of 61 threads per 16x16 macroblock.
 * For each displacement of up to `range` pixels and each 4x4 part of the macroblock the difference between the
 * frame and the displaced reference is stored as 16 bits. */
#include "device.h"

#define THREADS 61

KERNEL sad_4x4(const unsigned char *frame, const unsigned char *reference, unsigned short *out, int width,
               int height, int range)
{
    int side = 2 * range + 1;
    int left = blockIdx.x * 16, top = blockIdx.y * 16;
    unsigned short *mine = out + (blockIdx.y * gridDim.x + blockIdx.x) * 16 * side * side;
    for (int part = 0; part < 16; part++) {
        int px = left + part % 4 * 4, py = top + part / 4 * 4;
        for (int place = threadIdx.x; place < side * side; place += THREADS) {
            int dx = place % side - range, dy = place / side - range;
            unsigned sum = 0;
#pragma unroll
            for (int k = 0; k < 16; k++) {
                int x = px + k % 4, y = py + k / 4;
                int rx = cw_min(cw_max(x + dx, 0), width - 1), ry = cw_min(cw_max(y + dy, 0), height - 1);
                int d = frame[y * width + x] - reference[ry * width + rx];
                sum += d < 0 ? -d : d;
            }
            mine[part * side * side + place] = (unsigned short)sum;
        }
    }
}
