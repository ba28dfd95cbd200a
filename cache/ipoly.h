/* SPDX-License-Identifier: MIT
 *
 * cache/ipoly.h: pseudo-random interleaving by an irreducible polynomial over GF(2) (Rau 1991,
 * "Pseudo- randomly interleaved memory"): the remainder of the address bits, seen as a polynomial,
 * is the index. */
#ifndef CW_CACHE_IPOLY_H
#define CW_CACHE_IPOLY_H

#include <stdbool.h>
#include <stdint.h>

bool ipoly_knows(uint32_t n); /* 16, 32 or 64 places */
/* `low` (0..n-1) xor a hash of `high`, the bits above. */
uint32_t ipoly(uint64_t high, uint32_t low, uint32_t n);

#endif
