/* SPDX-License-Identifier: MIT
 *
 * cache/dram_queue.h: requests waiting at a memory controller. */
#ifndef CW_CACHE_DRAM_QUEUE_H
#define CW_CACHE_DRAM_QUEUE_H

#include "cache/array.h"

struct dram_queue_shape {
    uint32_t entries;
    bool is_searched; /* FR-FCFS looks for open rows; a plain FIFO does not */
    uint32_t slices;  /* LLC slices that send to it */
    uint32_t mshr_entries;
    uint32_t banks, row_bytes, access_bytes, controllers;
    uint32_t address_bits;
};

void dram_queue_array(const struct dram_queue_shape *shape, struct array *out);

#endif
