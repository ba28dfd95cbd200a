/* SPDX-License-Identifier: MIT
 *
 * Inverted index. Map: one thread per line of HTML looks for links byte by byte and emits the hash
 * of each target with its place. Group: sort by hash. */
#include "sort.h"
#include "text.h"

template <class Out> DEVICE void text_line(Out &out, unsigned line, int words)
{
    int n = 3 + cw_mix(line) % 5;
    for (int k = 0; k < n; k++) {
        unsigned word = text_pick(line, k, words);
        if (cw_mix(line * 16 + k) % 3 == 0) {
            text_put(out, "<a href=\"");
            text_word(out, word);
            text_put(out, ".htm\">");
        }
        text_word(out, text_pick(line, k + 16, words));
        out.put(k < n - 1 ? ' ' : '\n');
    }
}

KERNEL ii_map(const unsigned char *text, const int *offsets, unsigned *keys, unsigned *places,
              unsigned *emitted, int lines)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lines)
        return;
    int end = offsets[i + 1], quoted = 0, start = 0;
    unsigned h = HASH_START, before = 0;
    for (int at = offsets[i]; at < end; at++) {
        unsigned c = text[at];
        if (quoted && c == '"') {
            unsigned slot = atomicAdd(emitted, 1u);
            keys[slot] = h;
            places[slot] = start;
            quoted = 0;
        } else if (quoted) {
            h = hash_byte(h, c);
        } else if (before == '=' && c == '"') {
            quoted = 1;
            start = at + 1;
            h = HASH_START;
        }
        before = c;
    }
}
