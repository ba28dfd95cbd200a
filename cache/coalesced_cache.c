/* SPDX-License-Identifier: MIT */
#include "cache/coalesced_cache.h"

#include "base/bits.h"

void coalesced_cache_array(const struct coalesced_cache_shape *shape, struct array *out)
{
    *out = (struct array){
        .kind = ARRAY_CACHE,
        .entries = shape->entries,
        .ways = 0,
        .line_bytes = shape->line_bytes,
        .banks = 1,
        .rw_ports = 1,
        .search_ports = 1,
        .one_cycle = true,
    };
    array_add_searched(out, "tag", shape->address_bits - bits_clog2(shape->line_bytes));
    array_add_data(out, "data", shape->line_bytes * 8);
    array_add_valid(out, "valid", 1);
    array_add_valid(out, "lru", bits_clog2(shape->entries));
}
