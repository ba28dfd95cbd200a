/* SPDX-License-Identifier: MIT
 *
 * The five tables of WarpPool, which merges loads of different warps before the L1. The paper
 * prints the size of an entry, not its fields; these fields give its sizes exactly for the GTX 480
 * (592, 512, 992, 321 and 2944 bytes) and follow the parameters elsewhere. */
#include "base/bits.h"
#include "cache/structure.h"

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

static bool has_warppool(const struct structure_params *p)
{
    return p->coalescer->kind == COALESCER_warppool;
}

/* A merged load: whose it is, which of its loads, and how its lanes map to words: a pattern with at
 * most a lane and a word to go with it. */
static void add_load(struct array *a, const struct structure_params *p, uint32_t n)
{
    array_add_field(a, "warp", n * bits_clog2(p->sm->warps));
    array_add_field(a, "sequence", n * bits_clog2(LOADS_IN_FLIGHT));
    array_add_field(a, "pattern", n * bits_clog2(PATTERNS));
    array_add_field(a, "lane and word",
                    n * (bits_clog2(LANES) + bits_clog2(p->l1->line_bytes * 8 / WORD_BITS)));
}

bool warppool_instruction_queues_geometry(const struct structure_params *p, struct array *out)
{
    if (!has_warppool(p))
        return false;
    *out = (struct array){
        .kind = ARRAY_QUEUE,
        .entries = (uint64_t)p->coalescer->wp_queues * p->coalescer->wp_queue_depth,
        .banks = 1,
        .read_ports = 1,
        .write_ports = 1,
        .one_cycle = true,
    };
    array_add_field(out, "warp", bits_clog2(p->sm->warps));
    array_add_field(out, "address register", bits_clog2(REGISTERS));
    array_add_field(out, "data register", bits_clog2(REGISTERS));
    array_add_field(out, "offset", OFFSET_BITS);
    array_add_field(out, "kind", bits_clog2(ACCESS_KINDS));
    return true;
}

bool warppool_coalescers_geometry(const struct structure_params *p, struct array *out)
{
    if (!has_warppool(p))
        return false;
    *out = (struct array){
        .kind = ARRAY_QUEUE,
        .entries = p->coalescer->wp_coalescers,
        .banks = 1,
        .read_ports = 1,
        .write_ports = 1,
        .one_cycle = true,
    };
    array_add_field(out, "addresses", LANES * p->gpu->address_bits);
    array_add_field(out, "store data", LANES * WORD_BITS);
    return true;
}

bool warppool_merge_queues_geometry(const struct structure_params *p, struct array *out)
{
    if (!has_warppool(p))
        return false;
    uint32_t lines = p->coalescer->wp_merge_queues * p->coalescer->wp_tags;
    *out = (struct array){
        .kind = ARRAY_CAM,
        .entries = lines,
        .banks = 1,
        .rw_ports = 1,
        .search_ports = 1,
        .one_cycle = true,
    };
    array_add_searched(out, "line address", p->gpu->address_bits - bits_clog2(p->l1->line_bytes));
    array_add_field(out, "order", bits_clog2(lines));
    array_add_field(out, "in use", 1); /* the paper counts this one */
    add_load(out, p, p->coalescer->wp_merges);
    return true;
}

bool warppool_thread_map_table_geometry(const struct structure_params *p, struct array *out)
{
    if (!has_warppool(p))
        return false;
    *out = (struct array){
        .kind = ARRAY_RAM,
        .entries = p->coalescer->wp_thread_maps,
        .banks = 1,
        .read_ports = 1,
        .write_ports = 1,
        .one_cycle = true,
    };
    array_add_field(out, "map",
                    LANES * (bits_clog2(LANES) + bits_clog2(p->l1->line_bytes * 8 / WORD_BITS)));
    array_add_field(out, "in use", 1); /* the paper counts this one */
    return true;
}

bool warppool_mshr_metadata_geometry(const struct structure_params *p, struct array *out)
{
    if (!has_warppool(p))
        return false;
    *out = (struct array){
        .kind = ARRAY_RAM,
        .entries = (uint64_t)p->l1->mshr_entries * p->l1->mshr_merges * p->coalescer->wp_merges,
        .banks = 1,
        .read_ports = 1,
        .write_ports = 1,
        .one_cycle = true,
    };
    add_load(out, p, 1);
    return true;
}
