/* SPDX-License-Identifier: MIT */
#include "base/lagfib.h"

#include <math.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAS_X86 1
#else
#define HAS_X86 0
#endif

#define LONG LAGFIB_LONG
#define SHORT 37u
#define FOLD (LONG - SHORT)
#define BLOCK LAGFIB_BLOCK
#define SEPARATION 70u /* streams of different seeds are at least 2^70 draws apart */
#define WARM_UP (10u * (2 * LONG - 1))

/* ---- seeding -----------------------------------------------------------------------------------
 * A state is a polynomial modulo z^100 -+ z^37 -+ 1 whose coefficients are whole numbers modulo
 * 2^64, top-aligned. Its powers are made by doubling exponents (which squares it modulo 2) and by
 * multiplying with z where the seed has a one. Exercise 3.6-9 and the text around it. */

static void fold(uint64_t p[2 * LONG], bool subtract)
{
    for (uint32_t i = 2 * LONG - 2; i >= LONG; i--) {
        uint64_t c = subtract ? -p[i] : p[i];
        p[i - FOLD] += c;
        p[i - LONG] += c;
    }
}

static void double_exponents(uint64_t p[2 * LONG], bool subtract)
{
    for (uint32_t i = LONG - 1; i > 0; i--) {
        p[2 * i] = p[i];
        p[2 * i - 1] = 0;
    }
    fold(p, subtract);
}

static void times_z(uint64_t p[2 * LONG], bool subtract)
{
    uint64_t top = p[LONG - 1];
    memmove(p + 1, p, (LONG - 1) * sizeof *p);
    p[0] = top;
    p[SHORT] += subtract ? -top : top;
}

/* `bits` wide numbers: the state of which `first` is the first, in the top bits of words. */
static void start(uint64_t state[LONG], uint64_t first, uint32_t bits, uint32_t seed, bool subtract)
{
    uint64_t p[2 * LONG] = {0}, modulus = (uint64_t)1 << bits;
    uint32_t shift = 64 - bits;
    for (uint32_t i = 0; i < LONG; i++) {
        p[i] = first << shift;
        first <<= 1; /* a cyclic shift of all bits but the lowest */
        if (first >= modulus)
            first -= modulus - 2;
    }
    p[1] += (uint64_t)1 << shift; /* the only odd one */
    for (uint32_t left = SEPARATION - 1; left;) {
        double_exponents(p, subtract);
        if (seed & 1)
            times_z(p, subtract);
        if (seed)
            seed >>= 1;
        else
            left--;
    }
    for (uint32_t i = 0; i < LONG; i++)
        state[(i + FOLD) % LONG] = p[i];
    for (uint32_t i = 0; i < WARM_UP; i++) {
        uint64_t *x = &state[i % LONG], lagged = state[(i + FOLD) % LONG];
        *x = subtract ? *x - lagged : *x + lagged;
    }
    memcpy(p, state, LONG * sizeof *p);
    for (uint32_t i = 0; i < LONG; i++)
        state[i] = p[(i + WARM_UP) % LONG];
}

void lagfib_ints_seed(struct lagfib_ints *g, int64_t seed)
{
    uint64_t s[LONG], mask = ((uint64_t)1 << 30) - 1;
    start(s, ((uint64_t)seed + 2) & (mask - 1), 30, (uint32_t)((uint64_t)seed & mask), true);
    memset(g, 0, sizeof *g);
    for (uint32_t i = 0; i < LONG; i++)
        g->state[i] = (uint32_t)(s[i] >> 32);
    g->at = LONG;
}

void lagfib_units_seed(struct lagfib_units *g, int64_t seed)
{
    uint64_t s[LONG], low = (uint64_t)seed & (((uint64_t)1 << 30) - 1);
    start(s, 2 * (low + 2), 52, (uint32_t)low, false);
    memset(g, 0, sizeof *g);
    memcpy(g->state, s, sizeof s);
    g->at = LONG;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void advance_ints(uint32_t *a)
{
    for (uint32_t i = LONG; i < LONG + BLOCK; i++)
        a[i] = a[i - LONG] - a[i - SHORT];
}

static void advance_units(uint64_t *a)
{
    for (uint32_t i = LONG; i < LONG + BLOCK; i++)
        a[i] = a[i - LONG] + a[i - SHORT];
}

/* Whether each number of a refill is at most `last`: bits 0..99 of two words. */
static void compare(const uint64_t *a, uint64_t last, uint64_t bits[2])
{
    bits[0] = bits[1] = 0;
    for (uint32_t i = 0; i < LONG; i++)
        bits[i / 64] |= (uint64_t)(a[i] <= last) << i % 64;
}

#if HAS_X86
/* The same, four or eight at a time. They go a little beyond what is asked for: there is room. */
#define AVX2 __attribute__((target("avx2")))
#define FOUR(X, i) X(i) X((i) + 1) X((i) + 2) X((i) + 3)

/* what was stored is loaded again: keeping it in registers costs more than that */
#define AS_WRITTEN __asm__ volatile("" ::: "memory")
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, x) _mm256_storeu_si256((__m256i *)(p), x)

AVX2 static void advance_ints_avx2(uint32_t *a)
{
#define ADVANCE(v)                                                                                 \
    STORE(x + 8 * (v), _mm256_sub_epi32(LOAD(x + 8 * (v)-100), LOAD(x + 8 * (v)-37)));
    for (uint32_t *x = a + LONG; x < a + LONG + BLOCK; x += 64) {
        AS_WRITTEN;
        FOUR(ADVANCE, 0)
        FOUR(ADVANCE, 4)
    }
#undef ADVANCE
}

AVX2 static void advance_units_avx2(uint64_t *a)
{
#define ADVANCE(v)                                                                                 \
    STORE(x + 4 * (v), _mm256_add_epi64(LOAD(x + 4 * (v)-100), LOAD(x + 4 * (v)-37)));
    for (uint64_t *x = a + LONG; x < a + LONG + BLOCK; x += 44) {
        AS_WRITTEN;
        FOUR(ADVANCE, 0)
        FOUR(ADVANCE, 4)
        ADVANCE(8)
        ADVANCE(9)
        ADVANCE(10)
    }
#undef ADVANCE
}

AVX2 static void compare_avx2(const uint64_t *a, uint64_t last, uint64_t bits[2])
{
    /* the comparison is of signed numbers: the sign is turned on both sides */
    const __m256i turn = _mm256_set1_epi64x(INT64_MIN);
    const __m256i limit = _mm256_xor_si256(_mm256_set1_epi64x((int64_t)last), turn);
    bits[0] = bits[1] = 0;
#define ABOVE(v)                                                                                   \
    (uint64_t) _mm256_movemask_pd(                                                                 \
        _mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_xor_si256(LOAD(a + 4 * (v)), turn), limit))) \
            << (4 * (v) % 64) |
#define EIGHT(X, i) FOUR(X, i) FOUR(X, (i) + 4)
    bits[0] = ~(EIGHT(ABOVE, 0) EIGHT(ABOVE, 8) 0);
    bits[1] = ~(EIGHT(ABOVE, 16) ABOVE(24) 0) & (((uint64_t)1 << 36) - 1);
#undef ABOVE
}
#define PICK(name) (__builtin_cpu_supports("avx2") ? name##_avx2 : name)
#else
#define PICK(name) name
#endif

void lagfib_ints_refill(struct lagfib_ints *g)
{
    memcpy(g->out, g->state, sizeof g->out);
    PICK(advance_ints)(g->state);
    memcpy(g->state, g->state + BLOCK, LONG * sizeof *g->state);
    g->at = 0;
}

void lagfib_units_refill(struct lagfib_units *g)
{
    memcpy(g->out, g->state, sizeof g->out);
    advance_units(g->state);
    memcpy(g->state, g->state + BLOCK, LONG * sizeof *g->state);
    g->at = 0;
}

/* ---- trials ---------------------------------------------------------------------------------- */

void lagfib_trials_seed(struct lagfib_trials *t, int64_t seed, double p)
{
    memset(t, 0, sizeof *t);
    lagfib_units_seed(&t->units, seed);
    /* u < p for a whole number u of 2^-52ths: u <= ceil(p) - 1 in the same unit */
    double limit = ceil(ldexp(p, 52));
    t->never = !(limit > 0);
    t->last = limit >= 0x1p52 ? UINT64_MAX : ((uint64_t)limit << 12) - 1;
}

void lagfib_trials_refill(struct lagfib_trials *t)
{
    uint32_t kept = t->at < t->words * 64;
    t->bits[0] = kept ? t->bits[t->words - 1] : 0;
    t->at -= (t->words - kept) * 64;
    t->words = kept + LAGFIB_TRIAL_WORDS;
    memset(t->bits + kept, 0, (LAGFIB_TRIAL_WORDS + 1) * sizeof *t->bits);
    for (uint32_t n = kept * 64; n < t->words * 64; n += LONG) {
        uint64_t b[2] = {0, 0}, *to = &t->bits[n / 64], s = n % 64;
        PICK(compare)(t->units.state, t->last, b);
        if (t->never)
            b[0] = b[1] = 0;
        to[0] |= b[0] << s;
        to[1] |= s ? b[0] >> (64 - s) | b[1] << s : b[1];
        if (s + LONG > 128)
            to[2] |= b[1] >> (64 - s);
        PICK(advance_units)(t->units.state);
        memcpy(t->units.state, t->units.state + BLOCK, LONG * sizeof *t->units.state);
    }
}
