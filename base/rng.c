/* SPDX-License-Identifier: MIT */
#include "base/rng.h"

uint64_t rng_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

void rng_seed(struct rng *r, uint64_t seed, const char *name, uint64_t index)
{
    uint64_t h = rng_mix(seed);
    for (const char *c = name; *c; c++)
        h = rng_mix(h ^ (unsigned char)*c);
    h = rng_mix(h ^ index);
    for (int i = 0; i < 4; i++)
        r->s[i] = h = rng_mix(h);
}
