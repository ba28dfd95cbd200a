/* SPDX-License-Identifier: MIT
 *
 * cache/merge_table.h: the merge table of intra-cluster coalescing (ICC): read misses of the SMs
 * of a cluster that are on their way, and which SMs wait for each. Fully associative, reached
 * within a core cycle. ICC paper: 48 x (41 + 5) bit = 276 bytes for 12 clusters of 5
 * SMs. */
#ifndef CW_CACHE_MERGE_TABLE_H
#define CW_CACHE_MERGE_TABLE_H

#include "cache/array.h"

struct merge_table_shape {
    uint32_t entries;
    uint32_t sms; /* of the cluster */
    uint32_t address_bits, line_bytes;
};

void merge_table_array(const struct merge_table_shape *shape, struct array *out);

#endif
