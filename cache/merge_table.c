/* SPDX-License-Identifier: MIT */
#include "cache/merge_table.h"

#include "base/bits.h"

void merge_table_array(const struct merge_table_shape *shape, struct array *out)
{
    *out = (struct array){
        .kind = ARRAY_CAM,
        .entries = shape->entries,
        .banks = 1,
        .rw_ports = 1,
        .search_ports = 1,
        .one_cycle = true,
    };
    array_add_searched(out, "line address", shape->address_bits - bits_clog2(shape->line_bytes));
    array_add_field(out, "sm list", shape->sms);
    array_add_valid(out, "valid", 1);
}
