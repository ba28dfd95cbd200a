/* SPDX-License-Identifier: MIT
 *
 * sim/memory/dram_sched.h: in which order a memory controller serves its requests. Each bank has
 * one slot for the request it works on; a policy moves requests from its queue into free slots, at
 * most one per command clock. One line of DRAM_POLICIES in sim/choices.h per
 * policy. */
#ifndef CW_SIM_MEMORY_DRAM_SCHED_H
#define CW_SIM_MEMORY_DRAM_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/params.h"

struct arena;

#define DRAM_NO_ROW UINT32_MAX

struct dram_choice {
    uint32_t req, bank;
    bool is_row_hit; /* to the row the bank has open or was last asked for */
};

struct dram_sched {
    const char *meaning;
    void *(*make)(const struct dram_params *params, struct arena *mem);
    bool (*has_room)(const void *state, uint32_t bank, bool is_write);
    void (*add)(void *state, uint32_t req, uint32_t bank, uint32_t row,
                bool is_write); /* there is room */
    /* The next request for a free slot. free_banks: mask of banks without work; rows[bank]: the row
     * it has open, or DRAM_NO_ROW; first: where the rotating priority points. */
    bool (*next)(void *state, uint64_t free_banks, const uint32_t *rows, uint32_t first,
                 struct dram_choice *out);
    uint32_t (*waiting)(const void *state);
};

extern const struct dram_sched *const dram_scheds[DRAM_POLICY_COUNT];

#endif
