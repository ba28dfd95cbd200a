/* SPDX-License-Identifier: MIT
 *
 * Word count. Map: one thread per line splits words at blanks and emits the hash of each. Group:
 * sort by hash. Reduce: length of each run. */
#include "sort.h"
#include "text.h"

template <class Out> DEVICE void text_line(Out &out, unsigned line, int words)
{
    int n = 3 + cw_mix(line) % 6;
    for (int k = 0; k < n; k++) {
        text_word(out, text_pick(line, k, words));
        out.put(k < n - 1 ? ' ' : '\n');
    }
}

KERNEL wc_map(const unsigned char *text, const int *offsets, unsigned *keys, unsigned *places,
              unsigned *emitted, int lines)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lines)
        return;
    unsigned h = HASH_START;
    int begin = offsets[i], end = offsets[i + 1];
    for (int at = begin; at < end; at++) {
        unsigned c = text[at];
        if (c == ' ' || c == '\n') {
            unsigned slot = atomicAdd(emitted, 1u);
            keys[slot] = h;
            places[slot] = begin;
            h = HASH_START;
            begin = at + 1;
        } else {
            h = hash_byte(h, c);
        }
    }
}
