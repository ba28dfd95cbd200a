/* SPDX-License-Identifier: MIT */
#include "cache/dram_queue.h"

#include "base/bits.h"

void dram_queue_array(const struct dram_queue_shape *s, struct array *out)
{
    *out = (struct array){
        .kind = s->is_searched ? ARRAY_CAM : ARRAY_QUEUE,
        .entries = s->entries,
        .banks = 1,
        .read_ports = 1,
        .write_ports = 1,
        .search_ports = s->is_searched ? 1 : 0,
        .one_cycle = true,
    };
    uint32_t bank = bits_clog2(s->banks), column = bits_clog2(s->row_bytes / s->access_bytes);
    uint32_t row = s->address_bits - bits_clog2(s->row_bytes) - bank - bits_clog2(s->controllers);
    if (s->is_searched) {
        array_add_searched(out, "bank", bank);
        array_add_searched(out, "row", row);
    } else {
        array_add_field(out, "bank", bank);
        array_add_field(out, "row", row);
    }
    array_add_field(out, "column", column);
    array_add_field(out, "is write", 1);
    array_add_field(out, "requester", bits_clog2(s->slices) + bits_clog2(s->mshr_entries));
    array_add_valid(out, "valid", 1);
}
