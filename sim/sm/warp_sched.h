/* SPDX-License-Identifier: MIT
 *
 * sim/sm/warp_sched.h: which of the warps that could issue does. One line of
 * WARP_POLICIES in sim/choices.h per policy. Warps are bits of a mask; a policy has a little state
 * per scheduler and must be fast: it runs every cycle. */
#ifndef CW_SIM_SM_WARP_SCHED_H
#define CW_SIM_SM_WARP_SCHED_H

#include <stdint.h>

#include "base/bits.h"
#include "sim/choices.h"

#define WARP_NONE 255u
#define WARP_ACTIVE 8u /* two-level: warps of the inner group */

struct warp_sched_state {
    uint64_t mine;   /* warps of this scheduler */
    uint64_t active; /* two-level: the inner group */
    uint8_t last;    /* issued last, or WARP_NONE */
};

struct warp_sched {
    const char *meaning;
    /* One of `ready` (not 0). age[warp]: smaller is older. `waiting`: warps that wait for memory.
     */
    uint32_t (*pick)(struct warp_sched_state *s, uint64_t ready, uint64_t waiting,
                     const uint64_t *age);
};

extern const struct warp_sched *const warp_scheds[WARP_POLICY_COUNT];

/* The first set bit behind `last`, going round. */
static inline uint32_t warp_after(uint64_t set, uint32_t last)
{
    uint64_t above = last >= 63 ? 0 : set & (UINT64_MAX << (last + 1));
    return bits_lowest(above ? above : set);
}

#endif
