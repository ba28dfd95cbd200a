/* SPDX-License-Identifier: MIT
 *
 * sim/frame/wheel.h: a timing wheel: one slot per cycle for a power of two of cycles ahead, and a
 * bit per slot that says whether anything is in it. What lies in a slot is its owner's. An event
 * beyond the wheel goes into the last slot; its owner puts it back when that comes round. */
#ifndef CW_SIM_FRAME_WHEEL_H
#define CW_SIM_FRAME_WHEEL_H

#include <stdint.h>

#include "base/bits.h"

/* The slot of an event at cycle `at`, after `now`; marked. */
static inline uint32_t wheel_add(uint64_t *any, uint32_t n_slots, uint64_t at, uint64_t now)
{
    uint32_t slot = (uint32_t)(at - now < n_slots ? at : now + n_slots - 1) & (n_slots - 1);
    any[slot / 64] |= (uint64_t)1 << (slot % 64);
    return slot;
}

static inline void wheel_clear(uint64_t *any, uint32_t slot)
{
    any[slot / 64] &= ~((uint64_t)1 << (slot % 64));
}

/* The first cycle after `now` whose slot is marked; UINT64_MAX: none is. */
static inline uint64_t wheel_next(const uint64_t *any, uint32_t n_slots, uint64_t now)
{
    uint32_t from = (uint32_t)(now + 1) & (n_slots - 1), words = n_slots / 64;
    uint32_t w = from / 64;
    uint64_t m = any[w] & (UINT64_MAX << (from % 64));
    for (uint32_t i = 0; i <= words; i++) {
        if (m)
            return now + 1 + ((w * 64 + bits_lowest(m) - from) & (n_slots - 1));
        w = (w + 1) % words;
        m = any[w];
    }
    return UINT64_MAX;
}

#endif
