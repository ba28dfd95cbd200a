/* SPDX-License-Identifier: MIT */
#include "sim/clock.h"

void clocks_init(struct clocks *c, const uint64_t khz[CLOCK_DOMAINS])
{
    *c = (struct clocks){0};
    for (int d = 0; d < CLOCK_DOMAINS; d++)
        c->khz[d] = khz[d] ? khz[d] : 1;
}

void clocks_advance(struct clocks *c, uint64_t to)
{
    uint64_t core = c->khz[CLOCK_CORE], n = to - c->now;
    for (int d = 0; d < CLOCK_DOMAINS; d++) {
        if (c->khz[d] == core) {
            c->ticks[d] += n;
            continue;
        }
        unsigned __int128 sum = (unsigned __int128)n * c->khz[d] + c->rest[d];
        if (sum >> 64 == 0) {
            c->ticks[d] += (uint64_t)sum / core;
            c->rest[d] = (uint64_t)sum % core;
        } else {
            c->ticks[d] += (uint64_t)(sum / core);
            c->rest[d] = (uint64_t)(sum % core);
        }
    }
    c->now = to;
}

uint64_t clock_core_cycle(const struct clocks *c, enum clock_domain d, uint64_t tick)
{
    uint64_t core = c->khz[CLOCK_CORE], f = c->khz[d];
    if (f == core || tick == UINT64_MAX)
        return tick;
    /* the first c with floor((c + 1) * f / core) > tick */
    unsigned __int128 need = ((unsigned __int128)tick + 1) * core;
    return (uint64_t)((need + f - 1) / f) - 1;
}
