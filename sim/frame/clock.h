/* SPDX-License-Identifier: MIT
 *
 * sim/frame/clock.h: clock domains by exact ratios. Time is counted in core cycles; a domain of
 * frequency f has made floor(c * f / core) ticks before core cycle c. Clocks are whole kilohertz.
 *
 * Or, with clocks_sum, as Accel-Sim keeps time: the instants of each clock are sums of its period
 * in double precision, so that which of two edges that coincide comes first is a matter of
 * rounding. */
#ifndef CW_SIM_FRAME_CLOCK_H
#define CW_SIM_FRAME_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/timing.h"

struct clocks {
    uint64_t khz[CLOCK_DOMAINS];
    uint64_t ticks[CLOCK_DOMAINS]; /* made before the current core cycle */
    uint64_t rest[CLOCK_DOMAINS];  /* of the division, in units of 1 / core */
    uint64_t now;                  /* core cycle */
    bool is_summed;
    double period[CLOCK_DOMAINS], time[CLOCK_DOMAINS]; /* seconds; of the next edge */
    uint32_t here[CLOCK_DOMAINS];                      /* ticks in the current core cycle */
};

void clocks_init(struct clocks *c, const uint64_t khz[CLOCK_DOMAINS]);

/* Sums from now on; all clocks have an edge one core cycle before the current one. */
void clocks_sum(struct clocks *c);

/* Ticks of the domain in the current core cycle. */
static inline uint32_t clock_ticks(const struct clocks *c, enum clock_domain d)
{
    if (c->is_summed)
        return c->here[d];
    if (c->khz[d] == c->khz[CLOCK_CORE])
        return 1;
    return (uint32_t)((c->rest[d] + c->khz[d]) / c->khz[CLOCK_CORE]);
}

/* On to core cycle `to`. */
void clocks_advance(struct clocks *c, uint64_t to);

/* The core cycle in which a domain makes its tick number `tick` (counted from 0); with sums that
 * cycle or one before it, but later than the current one. */
uint64_t clock_core_cycle(const struct clocks *c, enum clock_domain d, uint64_t tick);

#endif
