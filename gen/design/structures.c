/* SPDX-License-Identifier: MIT */
#include "gen/design/structures.h"

#include "base/bits.h"
#include "base/vec.h"
#include "cache/coalesced_cache.h"
#include "cache/dram_queue.h"
#include "cache/merge_table.h"
#include "cache/mrpb_queues.h"
#include "cache/mshr.h"
#include "cache/pkt_merge.h"
#include "cache/register_file.h"
#include "cache/set_cache.h"
#include "cache/shared_memory.h"
#include "cache/vc_buffer.h"
#include "cache/warp_pool.h"

#define THREAD_REGISTERS 256u /* register numbers of current instruction sets */

struct list {
    struct arena *mem;
    VEC(struct design_array) arrays;
};

static void add(struct list *l, enum array_role role, struct array a, uint32_t instances)
{
    a.name = array_role_name(role);
    a.where = array_role_where(role);
    a.instances = instances;
    vec_push(l->mem, &l->arrays, (struct design_array){.role = role, .geometry = a});
}

bool structure_is_in_router(enum array_role role)
{
    return role == ROLE_REQUEST_BUFFERS || role == ROLE_REPLY_BUFFERS || role == ROLE_PACKET_MERGE;
}

/* ---- an SM -------------------------------------------------------------------------------------
 */

static void add_l1(struct list *l, const struct arch *arch)
{
    struct array a;
    const struct l1_params *l1 = &arch->l1;
    set_cache_array(&(struct set_cache_shape){.bytes = l1->bytes,
                                              .ways = l1->ways,
                                              .line_bytes = l1->line_bytes,
                                              .sector_bytes = l1->sector_bytes,
                                              .banks = l1->banks,
                                              .address_bits = arch->gpu.address_bits},
                    &a);
    add(l, ROLE_L1, a, arch->gpu.n_sms);
    /* a waiting load: its warp and the register it fills */
    mshr_array(&(struct mshr_shape){.entries = l1->mshr_entries,
                                    .merges = l1->mshr_merges,
                                    .address_bits = arch->gpu.address_bits,
                                    .line_bytes = l1->line_bytes,
                                    .sector_bytes = l1->sector_bytes,
                                    .waiter_bits =
                                        bits_clog2(arch->sm.warps) + bits_clog2(THREAD_REGISTERS)},
               &a);
    add(l, ROLE_L1_MSHR, a, arch->gpu.n_sms);
}

static void add_warp_pool(struct list *l, const struct arch *arch)
{
    const struct coalescer_params *c = &arch->coalescer;
    struct warp_pool_shape shape = {
        .queues = c->wp_queues,
        .depth = c->wp_queue_depth,
        .coalescers = c->wp_coalescers,
        .merge_queues = c->wp_merge_queues,
        .tags = c->wp_tags,
        .merges = c->wp_merges,
        .thread_maps = c->wp_thread_maps,
        .warps = arch->sm.warps,
        .mshr_entries = arch->l1.mshr_entries,
        .mshr_merges = arch->l1.mshr_merges,
        .address_bits = arch->gpu.address_bits,
        .line_bytes = arch->l1.line_bytes,
    };
    static void (*const tables[])(const struct warp_pool_shape *, struct array *) = {
        warp_pool_instructions, warp_pool_coalescers, warp_pool_merge_queues, warp_pool_thread_maps,
        warp_pool_metadata};
    for (int i = 0; i < 5; i++) {
        struct array a;
        tables[i](&shape, &a);
        add(l, (enum array_role)(ROLE_WP_INSTRUCTIONS + i), a, arch->gpu.n_sms);
    }
}

static void add_sm(struct list *l, const struct arch *arch)
{
    struct array a;
    uint32_t sms = arch->gpu.n_sms;
    register_file_array(arch->sm.registers, arch->sm.register_banks, arch->sm.register_ports, &a);
    add(l, ROLE_REGISTER_FILE, a, sms);
    if (arch->sm.shared_bytes) {
        shared_memory_array(arch->sm.shared_bytes, arch->sm.shared_banks, &a);
        add(l, ROLE_SHARED_MEMORY, a, sms);
    }
    add_l1(l, arch);
    if (arch->coalescer.kind == COALESCER_warppool)
        add_warp_pool(l, arch);
    if (arch->coalescer.kind == COALESCER_mrpb) {
        mrpb_array(&(struct mrpb_shape){.queues = arch->coalescer.mrpb_queues,
                                        .depth = arch->coalescer.mrpb_depth,
                                        .warps = arch->sm.warps,
                                        .address_bits = arch->gpu.address_bits,
                                        .line_bytes = arch->l1.line_bytes},
                   &a);
        add(l, ROLE_MRPB, a, sms);
    }
}

/* ---- a cluster ---------------------------------------------------------------------------------
 */

static void add_cluster(struct list *l, const struct arch *arch)
{
    struct array a;
    if (arch->cluster.icc_entries) {
        merge_table_array(&(struct merge_table_shape){.entries = arch->cluster.icc_entries,
                                                      .sms = arch->gpu.n_sms / arch->gpu.n_clusters,
                                                      .address_bits = arch->gpu.address_bits,
                                                      .line_bytes = arch->l1.line_bytes},
                          &a);
        add(l, ROLE_MERGE_TABLE, a, arch->gpu.n_clusters);
    }
    if (arch->cluster.cc_entries) {
        coalesced_cache_array(
            &(struct coalesced_cache_shape){.entries = arch->cluster.cc_entries,
                                            .address_bits = arch->gpu.address_bits,
                                            .line_bytes = arch->l1.line_bytes},
            &a);
        add(l, ROLE_COALESCED_CACHE, a, arch->gpu.n_clusters);
    }
}

/* ---- the networks ------------------------------------------------------------------------------
 */

static void add_buffers(struct list *l, enum array_role role, const struct noc *noc)
{
    uint32_t inputs = 0;
    for (uint32_t i = 0; i < noc->n_routers; i++)
        inputs += noc->routers[i].n_in;
    struct array a;
    vc_buffer_array(noc->vcs, noc->vc_depth, noc->width_bits, &a);
    add(l, role, a, inputs);
}

static void add_networks(struct list *l, const struct arch *arch, const struct design *d)
{
    add_buffers(l, ROLE_REQUEST_BUFFERS, &d->request);
    if (d->has_reply)
        add_buffers(l, ROLE_REPLY_BUFFERS, &d->reply);
    const struct packet_merge_params *merge = &arch->noc[NOC_REQUEST].merge;
    if (merge->entries) {
        struct array a;
        pkt_merge_array(&(struct pkt_merge_shape){.entries = merge->entries,
                                                  .max_flits = merge->max_flits,
                                                  .flit_bits = d->request.width_bits,
                                                  .controllers = arch->dram.controllers,
                                                  .banks = arch->dram.banks,
                                                  .row_bytes = arch->dram.row_bytes,
                                                  .address_bits = arch->gpu.address_bits},
                        &a);
        add(l, ROLE_PACKET_MERGE, a, d->request.n_routers);
    }
}

/* ---- memory ------------------------------------------------------------------------------------
 */

static void add_memory(struct list *l, const struct arch *arch)
{
    struct array a;
    const struct llc_params *llc = &arch->llc;
    const struct dram_params *dram = &arch->dram;
    uint32_t address_bits = arch->gpu.address_bits;
    set_cache_array(&(struct set_cache_shape){.bytes = llc->bytes,
                                              .ways = llc->ways,
                                              .line_bytes = llc->line_bytes,
                                              .sector_bytes = llc->sector_bytes,
                                              .banks = llc->banks,
                                              .address_bits = address_bits},
                    &a);
    add(l, ROLE_L2, a, llc->slices);
    /* a waiting request: its SM and that SM's MSHR entry */
    mshr_array(&(struct mshr_shape){.entries = llc->mshr_entries,
                                    .merges = llc->mshr_merges,
                                    .address_bits = address_bits,
                                    .line_bytes = llc->line_bytes,
                                    .sector_bytes = llc->sector_bytes,
                                    .waiter_bits = bits_clog2(arch->gpu.n_sms) +
                                                   bits_clog2(arch->l1.mshr_entries)},
               &a);
    add(l, ROLE_L2_MSHR, a, llc->slices);

    bool is_banked = dram->scheduler == DRAM_banked_fifo;
    struct dram_queue_shape shape = {
        .entries = dram->queue,
        .is_searched = dram->scheduler == DRAM_frfcfs,
        .slices = llc->slices_per_mc,
        .mshr_entries = llc->mshr_entries,
        .banks = dram->banks,
        .row_bytes = dram->row_bytes,
        .access_bytes = dram->bus_bytes * dram->burst,
        .controllers = dram->controllers,
        .address_bits = address_bits,
    };
    dram_queue_array(&shape, &a);
    add(l, ROLE_DRAM_QUEUE, a, dram->controllers);
    if (is_banked) {
        shape.entries = dram->banks * dram->bank_queue;
        dram_queue_array(&shape, &a);
        add(l, ROLE_DRAM_BANK_QUEUES, a, dram->controllers);
    }
}

void structures_make(const struct arch *arch, struct design *out, struct arena *mem)
{
    struct list l = {.mem = mem};
    add_sm(&l, arch);
    add_cluster(&l, arch);
    add_networks(&l, arch, out);
    add_memory(&l, arch);
    out->arrays = l.arrays.at;
    out->n_arrays = (uint32_t)l.arrays.n;
}
