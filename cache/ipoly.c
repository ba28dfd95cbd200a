/* SPDX-License-Identifier: MIT */
#include "cache/ipoly.h"

#include "base/bits.h"

/* Row b: which of the bits above the index add up (mod 2) to bit b of the remainder, for the
 * polynomials x^4 + x + 1, x^5 + x^2 + 1 and x^6 + x + 1 over 13, 15 and 19 bits. */
static const uint32_t rows_16[] = {0xf59, 0x11eb, 0x3d6, 0x7ac};
static const uint32_t rows_32[] = {0x3e69, 0x7cd2, 0x47cd, 0xf9a, 0x1f34};
static const uint32_t rows_64[] = {0x79461, 0xbca3, 0x17946, 0x2f28c, 0x5e518, 0x3ca30};

bool ipoly_knows(uint32_t n)
{
    return n == 16 || n == 32 || n == 64;
}

uint32_t ipoly(uint64_t high, uint32_t low, uint32_t n)
{
    const uint32_t *rows = n == 16 ? rows_16 : n == 32 ? rows_32 : rows_64;
    uint32_t bits = bits_clog2(n), r = 0;
    for (uint32_t b = 0; b < bits; b++)
        r |= (uint32_t)__builtin_parity((uint32_t)high & rows[b]) << b;
    return r ^ low;
}
