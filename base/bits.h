/* SPDX-License-Identifier: MIT
 *
 * base/bits.h: integer logarithms and bit sets in arrays of 64-bit words. */
#ifndef CW_BASE_BITS_H
#define CW_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Smallest k with 2^k >= n; 0 for n <= 1. */
static inline uint32_t bits_clog2(uint64_t n)
{
    return n <= 1 ? 0 : 64u - (uint32_t)__builtin_clzll(n - 1);
}

/* Largest k with 2^k <= n; n must not be 0. */
static inline uint32_t bits_flog2(uint64_t n)
{
    return 63u - (uint32_t)__builtin_clzll(n);
}

static inline bool bits_is_pow2(uint64_t n)
{
    return n && (n & (n - 1)) == 0;
}

static inline uint32_t bits_lowest(uint64_t word)
{
    return (uint32_t)__builtin_ctzll(word);
}

static inline uint32_t bits_count(uint64_t word)
{
    return (uint32_t)__builtin_popcountll(word);
}

static inline size_t bits_words(size_t n_bits)
{
    return (n_bits + 63) / 64;
}

static inline void bits_set(uint64_t *set, size_t i)
{
    set[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline void bits_clear(uint64_t *set, size_t i)
{
    set[i / 64] &= ~((uint64_t)1 << (i % 64));
}

static inline bool bits_test(const uint64_t *set, size_t i)
{
    return set[i / 64] >> (i % 64) & 1;
}

/* The first bit at or after `from` that is set, going round; one must be. */
static inline __attribute__((always_inline)) uint32_t bits_next(const uint64_t *set, uint32_t words,
                                                                uint32_t from)
{
    uint32_t w = words == 1 ? 0 : from / 64;
    uint64_t m = set[w] & (UINT64_MAX << (from % 64));
    while (!m) {
        w = w + 1 == words ? 0 : w + 1;
        m = set[w];
    }
    return w * 64 + bits_lowest(m);
}

static inline uint64_t bits_ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

#endif
