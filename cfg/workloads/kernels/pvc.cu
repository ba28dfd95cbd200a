/* SPDX-License-Identifier: MIT
 *
 * Page view count: each record of a log begins with a URL; how often does each occur? Map: one
 * thread per record hashes the URL byte by byte. Group: sort by hash. Reduce: length of each run. */
#include "sort.h"
#include "text.h"

template <class Out> DEVICE void text_line(Out &out, unsigned line, int words)
{
    text_put(out, "http://www.");
    text_word(out, text_pick(line, 0, words));
    text_put(out, ".com/");
    text_word(out, text_pick(line, 1, 4));
    out.put('\t');
    for (int i = 0; i < 4; i++) {
        text_number(out, cw_mix(line * 8 + i) % 256);
        out.put(i < 3 ? '.' : '\n');
    }
}

KERNEL pvc_map(const unsigned char *text, const int *offsets, unsigned *keys, unsigned *places, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = offsets[i];
    unsigned h = HASH_START;
    for (unsigned c = text[at]; c != '\t'; c = text[++at])
        h = hash_byte(h, c);
    keys[i] = h;
    places[i] = offsets[i];
}
