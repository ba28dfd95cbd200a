/* SPDX-License-Identifier: MIT */
#include "cache/pkt_merge.h"

#include "base/bits.h"

#define LONGEST_HOLD 256u /* cycles a packet may wait in one router */

void pkt_merge_array(const struct pkt_merge_shape *s, struct array *out)
{
    *out = (struct array){
        .kind = ARRAY_CAM,
        .entries = s->entries,
        .banks = 1,
        .rw_ports = 1,
        .search_ports = 1,
        .access_bits = s->flit_bits,
        .one_cycle = true,
    };
    uint32_t channel = bits_clog2(s->controllers), bank = bits_clog2(s->banks);
    array_add_searched(out, "controller", channel);
    array_add_searched(out, "bank", bank);
    array_add_searched(out, "row", s->address_bits - bits_clog2(s->row_bytes) - channel - bank);
    array_add_field(out, "release time", bits_clog2(LONGEST_HOLD));
    array_add_field(out, "length", bits_clog2(s->max_flits + 1));
    array_add_data(out, "flits", s->max_flits * s->flit_bits);
    array_add_valid(out, "valid", 1);
}
