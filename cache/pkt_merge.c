/* SPDX-License-Identifier: MIT
 *
 * The merge table of a router that coalesces packets: read requests to one DRAM row wait here for
 * each other and leave as one big packet. */
#include "base/bits.h"
#include "cache/structure.h"

#define LONGEST_HOLD 256u /* cycles a packet may wait in one router */

bool packet_merge_table_geometry(const struct structure_params *p, struct array *out)
{
    if (!p->merge->entries)
        return false;
    *out = (struct array){
        .kind = ARRAY_CAM,
        .entries = p->merge->entries,
        .banks = 1,
        .rw_ports = 1,
        .search_ports = 1,
        .access_bits = p->request.width_bits,
        .one_cycle = true,
    };
    uint32_t channel = bits_clog2(p->dram->controllers), bank = bits_clog2(p->dram->banks);
    array_add_searched(out, "controller", channel);
    array_add_searched(out, "bank", bank);
    array_add_searched(out, "row",
                       p->gpu->address_bits - bits_clog2(p->dram->row_bytes) - channel - bank);
    array_add_field(out, "release time", bits_clog2(LONGEST_HOLD));
    array_add_field(out, "length", bits_clog2(p->merge->max_flits + 1));
    array_add_data(out, "flits", p->merge->max_flits * p->request.width_bits);
    array_add_valid(out, "valid", 1);
    return true;
}
