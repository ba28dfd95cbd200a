/* SPDX-License-Identifier: MIT */
#include "cache/warp_pool.h"

#include "base/bits.h"

#define LANES 32u
#define WORD_BITS 32u
/* of the instruction set: 64 registers per thread, a 16-bit offset, load or store of 1, 2, 4, 8
 * bytes */
#define REGISTERS 64u
#define OFFSET_BITS 16u
#define ACCESS_KINDS 8u
/* loads of one warp that can be told apart */
#define LOADS_IN_FLIGHT 16u
/* consecutive, broadcast, single, range, irregular */
#define PATTERNS 5u

/* A merged load: whose it is, which of its loads, and how its lanes map to words: a pattern with at
 * most a lane and a word to go with it. */
static void add_load(struct array *a, const struct warp_pool_shape *s, uint32_t n)
{
    array_add_field(a, "warp", n * bits_clog2(s->warps));
    array_add_field(a, "sequence", n * bits_clog2(LOADS_IN_FLIGHT));
    array_add_field(a, "pattern", n * bits_clog2(PATTERNS));
    array_add_field(a, "lane and word",
                    n * (bits_clog2(LANES) + bits_clog2(s->line_bytes * 8 / WORD_BITS)));
}

void warp_pool_instructions(const struct warp_pool_shape *s, struct array *out)
{
    *out = (struct array){
        .kind = ARRAY_QUEUE,
        .entries = (uint64_t)s->queues * s->depth,
        .banks = 1,
        .read_ports = 1,
        .write_ports = 1,
        .one_cycle = true,
    };
    array_add_field(out, "warp", bits_clog2(s->warps));
    array_add_field(out, "address register", bits_clog2(REGISTERS));
    array_add_field(out, "data register", bits_clog2(REGISTERS));
    array_add_field(out, "offset", OFFSET_BITS);
    array_add_field(out, "kind", bits_clog2(ACCESS_KINDS));
}

void warp_pool_coalescers(const struct warp_pool_shape *s, struct array *out)
{
    *out = (struct array){
        .kind = ARRAY_QUEUE,
        .entries = s->coalescers,
        .banks = 1,
        .read_ports = 1,
        .write_ports = 1,
        .one_cycle = true,
    };
    array_add_field(out, "addresses", LANES * s->address_bits);
    array_add_field(out, "store data", LANES * WORD_BITS);
}

void warp_pool_merge_queues(const struct warp_pool_shape *s, struct array *out)
{
    uint32_t lines = s->merge_queues * s->tags;
    *out = (struct array){
        .kind = ARRAY_CAM,
        .entries = lines,
        .banks = 1,
        .rw_ports = 1,
        .search_ports = 1,
        .one_cycle = true,
    };
    array_add_searched(out, "line address", s->address_bits - bits_clog2(s->line_bytes));
    array_add_field(out, "order", bits_clog2(lines));
    array_add_field(out, "in use", 1); /* the paper counts this one */
    add_load(out, s, s->merges);
}

void warp_pool_thread_maps(const struct warp_pool_shape *s, struct array *out)
{
    *out = (struct array){
        .kind = ARRAY_RAM,
        .entries = s->thread_maps,
        .banks = 1,
        .read_ports = 1,
        .write_ports = 1,
        .one_cycle = true,
    };
    array_add_field(out, "map",
                    LANES * (bits_clog2(LANES) + bits_clog2(s->line_bytes * 8 / WORD_BITS)));
    array_add_field(out, "in use", 1); /* the paper counts this one */
}

void warp_pool_metadata(const struct warp_pool_shape *s, struct array *out)
{
    *out = (struct array){
        .kind = ARRAY_RAM,
        .entries = (uint64_t)s->mshr_entries * s->mshr_merges * s->merges,
        .banks = 1,
        .read_ports = 1,
        .write_ports = 1,
        .one_cycle = true,
    };
    add_load(out, s, 1);
}
