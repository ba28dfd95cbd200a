/* SPDX-License-Identifier: MIT */
#include "sim/sm/warp_sched.h"

static uint32_t oldest(uint64_t set, const uint64_t *age)
{
    uint32_t best = bits_lowest(set);
    for (uint64_t m = set & (set - 1); m; m &= m - 1) {
        uint32_t w = bits_lowest(m);
        if (age[w] < age[best])
            best = w;
    }
    return best;
}

/* Greedy then oldest (Rogers 2012): the same warp as long as it can, then the oldest. */
static uint32_t pick_gto(struct warp_sched_state *s, uint64_t ready, uint64_t waiting,
                         const uint64_t *age)
{
    (void)waiting;
    if (s->last != WARP_NONE && ready >> s->last & 1)
        return s->last;
    return oldest(ready, age);
}

/* Loose round-robin: the next one that can. */
static uint32_t pick_lrr(struct warp_sched_state *s, uint64_t ready, uint64_t waiting,
                         const uint64_t *age)
{
    (void)waiting;
    (void)age;
    return s->last == WARP_NONE ? bits_lowest(ready) : warp_after(ready, s->last);
}

/* Two levels (Narasiman 2011): round-robin inside a small group; a warp that waits for memory
 * leaves the group and the oldest that can run takes its place. */
static uint32_t pick_two_level(struct warp_sched_state *s, uint64_t ready, uint64_t waiting,
                               const uint64_t *age)
{
    s->active &= ~waiting;
    uint64_t outside = ready & ~s->active;
    while (outside && bits_count(s->active) < WARP_ACTIVE) {
        uint64_t bit = (uint64_t)1 << oldest(outside, age);
        s->active |= bit;
        outside &= ~bit;
    }
    uint64_t inside = ready & s->active;
    if (!inside) { /* the group only waits for results: let one in for another */
        s->active &= ~((uint64_t)1 << warp_after(s->active, s->last & 63));
        inside = ready;
        s->active |= (uint64_t)1 << oldest(ready, age);
        inside &= s->active;
    }
    return s->last == WARP_NONE ? bits_lowest(inside) : warp_after(inside, s->last);
}

static uint32_t pick_oldest(struct warp_sched_state *s, uint64_t ready, uint64_t waiting,
                            const uint64_t *age)
{
    (void)s;
    (void)waiting;
    return oldest(ready, age);
}

/* ---- the table ---- */

static const struct warp_sched warp_sched_gto = {"greedy then oldest", pick_gto};
static const struct warp_sched warp_sched_lrr = {"loose round-robin", pick_lrr};
static const struct warp_sched warp_sched_two_level = {
    "round-robin in a group of eight; warps that wait for memory leave it", pick_two_level};
static const struct warp_sched warp_sched_oldest = {"always the oldest", pick_oldest};

#define X(word) &warp_sched_##word,
const struct warp_sched *const warp_scheds[WARP_POLICY_COUNT] = {WARP_POLICIES(X)};
#undef X
