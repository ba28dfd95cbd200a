/* SPDX-License-Identifier: MIT
 *
 * String match: one thread per line looks for a keyword at every place of its line and stores the
 * places where it stands. */
#include "text.h"

template <class Out> DEVICE void text_line(Out &out, unsigned line, int words)
{
    int n = 3 + cw_mix(line) % 6;
    for (int k = 0; k < n; k++) {
        text_word(out, text_pick(line, k, words));
        out.put(k < n - 1 ? ' ' : '\n');
    }
}

/* The keyword: a word of the vocabulary. */
KERNEL sm_keyword(unsigned char *keyword, int *length, int id)
{
    text_writer writer = {keyword};
    text_word(writer, id);
    *length = (int)(writer.at - keyword);
}

KERNEL sm_map(const unsigned char *text, const int *offsets, const unsigned char *keyword,
              const int *length, int *matches, unsigned *emitted, int lines)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lines)
        return;
    int n = *length, end = offsets[i + 1] - n;
    for (int at = offsets[i]; at < end; at++) {
        int k = 0;
        while (k < n && text[at + k] == keyword[k])
            k++;
        if (k == n)
            matches[atomicAdd(emitted, 1u)] = at;
    }
}
