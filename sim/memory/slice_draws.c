/* SPDX-License-Identifier: MIT */
#include "sim/memory/slice_draws.h"

#include "base/arena.h"

#define LONG 31u
#define SHORT 3u
#define WARM_UP 310u

struct block {
    uint64_t number; /* plus one; 0: empty */
    uint32_t slice;
};

struct slice_draws {
    struct arena *mem;
    struct block *blocks;
    uint64_t n, mask;
    uint32_t x[LONG], at; /* the last 31 numbers */
};

static uint32_t draw(struct slice_draws *d)
{
    uint32_t *oldest = &d->x[d->at];
    *oldest += d->x[(d->at + LONG - SHORT) % LONG];
    d->at = (d->at + 1) % LONG;
    return *oldest >> 1;
}

struct slice_draws *slice_draws_new(struct arena *mem)
{
    struct slice_draws *d = arena_new(mem, struct slice_draws);
    d->mem = mem;
    d->mask = 4095;
    d->blocks = arena_many(mem, struct block, d->mask + 1);
    d->x[0] = 1; /* the seed; then a multiplicative generator (Park and Miller 1988) */
    for (uint32_t i = 1; i < LONG; i++)
        d->x[i] = (uint32_t)((uint64_t)16807 * d->x[i - 1] % 2147483647u);
    d->at = SHORT; /* where the library begins: x[3] += x[0] */
    for (uint32_t i = 0; i < WARM_UP; i++)
        draw(d);
    return d;
}

static struct block *place_of(const struct slice_draws *d, uint64_t number)
{
    uint64_t i = number * 0x9e3779b97f4a7c15u >> 20 & d->mask;
    while (d->blocks[i].number && d->blocks[i].number != number)
        i = (i + 1) & d->mask;
    return &d->blocks[i];
}

static void grow(struct slice_draws *d)
{
    struct block *old = d->blocks;
    uint64_t n = d->mask + 1;
    d->mask = 2 * n - 1;
    d->blocks = arena_many(d->mem, struct block, 2 * n);
    for (uint64_t i = 0; i < n; i++)
        if (old[i].number)
            *place_of(d, old[i].number) = old[i];
}

uint32_t slice_drawn(struct slice_draws *d, uint64_t block, uint32_t n_slices)
{
    struct block *b = place_of(d, block + 1);
    if (b->number)
        return b->slice;
    if (2 * ++d->n > d->mask) {
        grow(d);
        b = place_of(d, block + 1);
    }
    *b = (struct block){block + 1, draw(d) % n_slices};
    return b->slice;
}
