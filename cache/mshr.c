/* SPDX-License-Identifier: MIT */
#include "cache/mshr.h"

#include "base/bits.h"

void mshr_array(const struct mshr_shape *shape, struct array *out)
{
    uint32_t sectors = shape->line_bytes / shape->sector_bytes;
    *out = (struct array){
        .kind = ARRAY_CAM,
        .entries = shape->entries,
        .banks = 1,
        .rw_ports = 1,
        .search_ports = 1,
        .one_cycle = true,
    };
    array_add_searched(out, "line address", shape->address_bits - bits_clog2(shape->line_bytes));
    array_add_field(out, "waiters",
                    shape->merges * (shape->waiter_bits + (sectors > 1 ? sectors : 0)));
    array_add_field(out, "waiter count", bits_clog2(shape->merges + 1));
    array_add_valid(out, "valid", 1);
}
