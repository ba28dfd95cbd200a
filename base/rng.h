/* SPDX-License-Identifier: MIT
 *
 * base/rng.h: reproducible random numbers. One seed (a key of the config) gives many independent
 * named streams, so that adding a user of random numbers changes nobody else's sequence.
 * Generator: xoshiro256** (Blackman and Vigna, 2018), seeded by splitmix64. Not for secrets. */
#ifndef CW_BASE_RNG_H
#define CW_BASE_RNG_H

#include <stdint.h>

struct rng {
    uint64_t s[4];
};

/* Stream `name`[`index`] of `seed`, e.g. ("inject", node). */
void rng_seed(struct rng *r, uint64_t seed, const char *name, uint64_t index);

uint64_t rng_mix(uint64_t x); /* one splitmix64 step: a good 64-bit mixing function */

static inline uint64_t rng_rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

static inline uint64_t rng_u64(struct rng *r)
{
    uint64_t *s = r->s;
    uint64_t result = rng_rotl(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rng_rotl(s[3], 45);
    return result;
}

/* Uniform in [0, 1). */
static inline double rng_unit(struct rng *r)
{
    return (double)(rng_u64(r) >> 11) * 0x1p-53;
}

/* Uniform in 0..n-1, n > 0; unbiased (Lemire 2019). */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
    uint64_t m = (rng_u64(r) >> 32) * n;
    if ((uint32_t)m < n) {
        uint32_t floor = -n % n;
        while ((uint32_t)m < floor)
            m = (rng_u64(r) >> 32) * n;
    }
    return (uint32_t)(m >> 32);
}

#endif
