/* SPDX-License-Identifier: MIT */
#include "cache/set_cache.h"

#include "base/bits.h"
#include "cache/structure.h"

#define PORT_BITS (8 * SET_CACHE_PORT_BYTES)

void set_cache_array(const struct set_cache_shape *shape, struct array *out)
{
    uint32_t line_bits = shape->line_bytes * 8;
    uint32_t sets = shape->bytes / shape->line_bytes / shape->ways;
    *out = (struct array){
        .kind = ARRAY_CACHE,
        .entries = shape->bytes / shape->line_bytes,
        .ways = shape->ways,
        .line_bytes = shape->line_bytes,
        .banks = sets < shape->banks ? sets : shape->banks, /* else a bank has part of a line */
        .rw_ports = 1,
        .access_bits = line_bits < PORT_BITS ? line_bits : PORT_BITS,
        .tags_first = shape->tags_first,
    };
    /* the set index is in no tag only where the sets are a power of two */
    array_add_searched(out, "tag",
                       shape->address_bits - bits_clog2(shape->line_bytes) - bits_flog2(sets));
    array_add_data(out, "data", line_bits);
    array_add_valid(out, "valid", shape->line_bytes / shape->sector_bytes);
    array_add_valid(out, "lru", bits_clog2(shape->ways));
}

bool l1_geometry(const struct structure_params *p, struct array *out)
{
    set_cache_array(&(struct set_cache_shape){.bytes = p->l1->bytes,
                                              .ways = p->l1->ways,
                                              .line_bytes = p->l1->line_bytes,
                                              .sector_bytes = p->l1->sector_bytes,
                                              .banks = p->l1->banks,
                                              .tags_first = p->l1->tags_first,
                                              .address_bits = p->gpu->address_bits},
                    out);
    return true;
}

bool l2_geometry(const struct structure_params *p, struct array *out)
{
    set_cache_array(&(struct set_cache_shape){.bytes = p->llc->bytes,
                                              .ways = p->llc->ways,
                                              .line_bytes = p->llc->line_bytes,
                                              .sector_bytes = p->llc->sector_bytes,
                                              .banks = p->llc->banks,
                                              .tags_first = p->llc->tags_first,
                                              .address_bits = p->gpu->address_bits},
                    out);
    return true;
}
