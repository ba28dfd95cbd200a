/* SPDX-License-Identifier: MIT
 *
 * cache/pkt_merge.h: the merge table of a router that coalesces packets: read requests to one DRAM
 * row wait here for each other and leave as one big packet. */
#ifndef CW_CACHE_PKT_MERGE_H
#define CW_CACHE_PKT_MERGE_H

#include "cache/array.h"

struct pkt_merge_shape {
    uint32_t entries, max_flits, flit_bits;
    uint32_t controllers, banks, row_bytes; /* of the DRAM: the merge key */
    uint32_t address_bits;
};

void pkt_merge_array(const struct pkt_merge_shape *shape, struct array *out);

#endif
