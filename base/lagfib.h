/* SPDX-License-Identifier: MIT
 *
 * base/lagfib.h: the portable random numbers of Knuth, The Art of Computer Programming, volume 2,
 * section 3.6 (third edition, ninth printing and later): x[n] = x[n-100] - x[n-37] modulo 2^30, and
 * for fractions u[n] = u[n-100] + u[n-37] modulo 1, of whose numbers the first 100 in every 1009
 * are used. BookSim2 draws from these two; with the same seed and the same order of draws a run is
 * the same to the last bit. For everything else there is base/rng.h.
 *
 * Fractions are multiples of 2^-52 and are kept as whole numbers times 2^12, whole numbers of 30
 * bits times 4, so that both moduli are a word's own. */
#ifndef CW_BASE_LAGFIB_H
#define CW_BASE_LAGFIB_H

#include <stdbool.h>
#include <stdint.h>

#define LAGFIB_LONG 100u
#define LAGFIB_BLOCK 1009u

struct lagfib_ints {
    uint32_t state[LAGFIB_BLOCK + LAGFIB_LONG + 15]; /* the state first, then room to work */
    uint32_t out[LAGFIB_LONG];
    uint32_t at; /* next of `out`; LAGFIB_LONG: used up */
};

struct lagfib_units {
    uint64_t state[LAGFIB_BLOCK + LAGFIB_LONG + 3];
    uint64_t out[LAGFIB_LONG];
    uint32_t at;
};

void lagfib_ints_seed(struct lagfib_ints *g, int64_t seed);
void lagfib_ints_refill(struct lagfib_ints *g);
void lagfib_units_seed(struct lagfib_units *g, int64_t seed);
void lagfib_units_refill(struct lagfib_units *g);

/* Uniform in 0..2^30-1. */
static inline uint32_t lagfib_int(struct lagfib_ints *g)
{
    if (g->at == LAGFIB_LONG)
        lagfib_ints_refill(g);
    return g->out[g->at++] >> 2;
}

/* Draws one and does not look at it. */
static inline void lagfib_skip(struct lagfib_ints *g)
{
    if (g->at == LAGFIB_LONG)
        lagfib_ints_refill(g);
    g->at++;
}

/* In 0..n-1 by remainder, n > 0: slightly uneven, as BookSim2 has it. */
static inline uint32_t lagfib_below(struct lagfib_ints *g, uint32_t n)
{
    return lagfib_int(g) % n;
}

/* Uniform in [0, 1). */
static inline double lagfib_unit(struct lagfib_units *g)
{
    if (g->at == LAGFIB_LONG)
        lagfib_units_refill(g);
    return (double)(g->out[g->at++] >> 12) * 0x1p-52;
}

/* ---- trials ------------------------------------------------------------------------------------
 * "Is the next fraction below p?" asked many times with the same p: the answers come as bits. */

#define LAGFIB_TRIAL_WORDS 25u /* sixteen refills */

struct lagfib_trials {
    struct lagfib_units units;
    uint64_t last;  /* a fraction succeeds that is at most this, times 2^12 … */
    bool never;     /* … unless none can */
    uint32_t at;    /* bit to be used next */
    uint32_t words; /* in `bits`; the answers after them are not drawn yet */
    uint64_t bits[LAGFIB_TRIAL_WORDS + 2];
};

void lagfib_trials_seed(struct lagfib_trials *t, int64_t seed, double p);
void lagfib_trials_refill(struct lagfib_trials *t);

/* The next 64 answers, the first in the lowest bit; lagfib_trials_use says how many were needed. */
static inline uint64_t lagfib_trials_peek(struct lagfib_trials *t)
{
    if (t->at + 64 > t->words * 64)
        lagfib_trials_refill(t);
    uint32_t w = t->at / 64, s = t->at % 64;
    return s ? t->bits[w] >> s | t->bits[w + 1] << (64 - s) : t->bits[w];
}
static inline void lagfib_trials_use(struct lagfib_trials *t, uint32_t n)
{
    t->at += n;
}

#endif
