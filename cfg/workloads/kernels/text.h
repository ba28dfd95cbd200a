/* SPDX-License-Identifier: MIT
 *
 * Made-up text for the programs that read files: packed lines of words from a vocabulary in which
 * low numbers are more frequent. Launched without being recorded, in this order: text_lengths (one
 * thread per line), text_offsets (one thread), text_write (one thread per line). The program says
 * what a line is: `template <class Out> DEVICE void text_line(Out &out, unsigned line, int words)`.
 */
#ifndef CW_CFG_WORKLOADS_KERNELS_TEXT_H
#define CW_CFG_WORKLOADS_KERNELS_TEXT_H

#include "device.h"

struct text_counter {
    int n;
    __device__ void put(int)
    {
        n++;
    }
};

struct text_writer {
    unsigned char *at;
    __device__ void put(int c)
    {
        *at++ = (unsigned char)c;
    }
};

template <class Out> DEVICE void text_put(Out &out, const char *s)
{
    for (; *s; s++)
        out.put(*s);
}

template <class Out> DEVICE void text_word(Out &out, unsigned id)
{
    int length = 3 + cw_mix(id * 7 + 1) % 6;
    for (int i = 0; i < length; i++)
        out.put('a' + cw_mix(id * 16 + i) % 26);
}

template <class Out> DEVICE void text_number(Out &out, unsigned x)
{
    for (unsigned unit = x >= 100 ? 100 : x >= 10 ? 10 : 1; unit; unit /= 10)
        out.put('0' + x / unit % 10);
}

/* Which word stands at place k of a line. */
DEVICE unsigned text_pick(unsigned line, unsigned k, unsigned words)
{
    unsigned a = cw_mix(line * 64 + 2 * k) % words, b = cw_mix(line * 64 + 2 * k + 1) % words;
    return a < b ? a : b;
}

template <class Out> DEVICE void text_line(Out &out, unsigned line, int words);

KERNEL text_lengths(int *offsets, int lines, int words)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    text_counter counter = {0};
    if (i < lines) {
        text_line(counter, i, words);
        offsets[i + 1] = counter.n;
    }
}

KERNEL text_offsets(int *offsets, int lines)
{
    int sum = 0;
    for (int i = 1; i <= lines; i++) {
        sum += offsets[i];
        offsets[i] = sum;
    }
}

KERNEL text_write(unsigned char *text, const int *offsets, int lines, int words)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < lines) {
        text_writer writer = {text + offsets[i]};
        text_line(writer, i, words);
    }
}

/* FNV-1a */
#define HASH_START 2166136261u
DEVICE unsigned hash_byte(unsigned h, unsigned c)
{
    return (h ^ c) * 16777619u;
}

#endif
