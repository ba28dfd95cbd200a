/* SPDX-License-Identifier: MIT */
#include "sim/frame/clock.h"

void clocks_init(struct clocks *c, const uint64_t khz[CLOCK_DOMAINS])
{
    *c = (struct clocks){0};
    for (int d = 0; d < CLOCK_DOMAINS; d++)
        c->khz[d] = khz[d] ? khz[d] : 1;
}

/* The edges up to and with the core's next one. The L2's may come before the others'. */
static void sum_cycle(struct clocks *c)
{
    double *t = c->time;
    for (int d = 0; d < CLOCK_DOMAINS; d++)
        c->here[d] = 0;
    while (!c->here[CLOCK_CORE]) {
        double first = t[CLOCK_CORE] < t[CLOCK_NOC] ? t[CLOCK_CORE] : t[CLOCK_NOC];
        first = t[CLOCK_DRAM] < first ? t[CLOCK_DRAM] : first;
        first = t[CLOCK_L2] < first ? t[CLOCK_L2] : first;
        for (int d = 0; d < CLOCK_DOMAINS; d++)
            if (t[d] <= first) {
                t[d] += c->period[d];
                c->here[d]++;
            }
    }
}

void clocks_sum(struct clocks *c)
{
    c->is_summed = true;
    for (int d = 0; d < CLOCK_DOMAINS; d++)
        c->time[d] = c->period[d] = 1 / ((double)c->khz[d] * 1000);
    sum_cycle(c);
}

void clocks_advance(struct clocks *c, uint64_t to)
{
    if (c->is_summed) {
        for (; c->now < to; c->now++) {
            for (int d = 0; d < CLOCK_DOMAINS; d++)
                c->ticks[d] += c->here[d];
            sum_cycle(c);
        }
        return;
    }
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
    if (c->is_summed) {
        uint64_t ahead = tick > c->ticks[d] ? tick - c->ticks[d] : 0;
        uint64_t at = c->now + (uint64_t)((unsigned __int128)ahead * core / f);
        return at > c->now + 1 ? at - 1 : c->now + 1;
    }
    /* the first c with floor((c + 1) * f / core) > tick */
    unsigned __int128 need = ((unsigned __int128)tick + 1) * core;
    return (uint64_t)((need + f - 1) / f) - 1;
}
