/* SPDX-License-Identifier: MIT
 *
 * Intra-cluster coalescing (ICC) and the coalesced cache (CC): the ICC paper's unit at the port of
 * a cluster. A read miss of the global space looks into both at once.
 *
 *   in the CC             answered within the cluster
 *   in the merge table    the SM is added to the list of its entry, nothing is sent
 *   neither               gets an entry and is sent; is sent without one when the table is full
 *
 * A reply that finds an entry goes to every SM of its list and to the one the packet names, and
 * its line is put into the CC if more than one SM waited. Two requests for a line can be under way
 * (the first was sent when the table was full): whichever reply is first serves all, the other one
 * finds no entry and only its own SM, where nobody waits any more. Stores pass by the table and
 * throw their line out of the CC; the CC is emptied when a kernel ends, as the L1s are.
 *
 * The key is what an L1 asks for: its line, or the sector where the L1 has sectors. */
#include "sim/cluster/icc.h"

#include <stddef.h>

#include "base/arena.h"
#include "base/bits.h"
#include "sim/cluster/cluster.h"
#include "sim/frame/array_events.h"
#include "sim/frame/machine.h"

struct icc {
    struct gpu *gpu;
    struct icc_unit *units; /* [cluster] */
    uint32_t key_bits, cc_cycles;
    bool has_cc;
};

static void account(struct icc_unit *u, uint64_t now)
{
    u->used_sum += (now - u->used_at) * u->table.n_used;
    u->used_at = now;
}

static enum hook_verdict request(void *ctx, struct gpu *g, uint32_t cluster, uint32_t req,
                                 uint64_t now)
{
    struct icc *icc = ctx;
    struct icc_unit *u = &icc->units[cluster];
    const struct request *r = req_at(&g->pool, req);
    uint64_t key = r->address >> icc->key_bits;
    if (icc->has_cc && coalesced_cache_read(&u->cc, key)) {
        cluster_answer(g, cluster, req, icc->cc_cycles, now);
        return HOOK_TAKEN;
    }
    account(u, now);
    if (merge_table_request(&u->table, key, r->sm - g->clusters[cluster].first_sm) != MERGE_JOINED)
        return HOOK_PASS;
    req_free(&g->pool, req);
    return HOOK_TAKEN;
}

static void reply(void *ctx, struct gpu *g, uint32_t cluster, uint32_t req, uint64_t *sms,
                  uint64_t now)
{
    struct icc *icc = ctx;
    struct icc_unit *u = &icc->units[cluster];
    uint64_t key = req_at(&g->pool, req)->address >> icc->key_bits;
    account(u, now);
    uint64_t waiting = merge_table_reply(&u->table, key);
    if (icc->has_cc && bits_count(waiting) > 1)
        coalesced_cache_fill(&u->cc, key);
    *sms |= waiting;
}

static void store(void *ctx, struct gpu *g, uint32_t cluster, const struct request *req,
                  uint64_t now)
{
    struct icc *icc = ctx;
    (void)g;
    (void)now;
    if (icc->has_cc && req->space == TS_GLOBAL)
        coalesced_cache_store(&icc->units[cluster].cc, req->address >> icc->key_bits);
}

static void kernel_end(void *ctx, struct gpu *g, uint64_t now)
{
    struct icc *icc = ctx;
    (void)now;
    for (uint32_t c = 0; c < g->n_clusters && icc->has_cc; c++)
        coalesced_cache_flush(&icc->units[c].cc);
}

static uint64_t held(const void *ctx)
{
    const struct icc *icc = ctx;
    uint64_t n = 0;
    for (uint32_t c = 0; c < icc->gpu->n_clusters; c++)
        n += icc->units[c].table.n_used;
    return n;
}

const struct icc_unit *icc_unit(const struct gpu *g, uint32_t cluster)
{
    const struct icc *icc = g->hooks.ctx;
    return g->hooks.request == request ? &icc->units[cluster] : NULL;
}

struct array_counts merge_table_events(const struct gpu *g, uint32_t cluster)
{
    const struct icc_unit *u = icc_unit(g, cluster);
    if (!u)
        return (struct array_counts){0};
    return (struct array_counts){u->table.reads, u->table.writes, u->table.searches};
}

struct array_counts coalesced_cache_events(const struct gpu *g, uint32_t cluster)
{
    const struct icc_unit *u = icc_unit(g, cluster);
    if (!u)
        return (struct array_counts){0};
    return (struct array_counts){u->cc.reads, u->cc.writes, u->cc.searches};
}

bool icc_attach(struct gpu *g, struct err *err)
{
    const struct array_size *table = &g->cfg.arrays[ROLE_MERGE_TABLE];
    const struct array_size *cache = &g->cfg.arrays[ROLE_COALESCED_CACHE];
    if (!table->entries)
        return true;
    struct icc *icc = arena_new(g->mem, struct icc);
    uint32_t granule = g->cfg.l1->sector_bytes; /* a line where the L1 has no sectors */
    uint32_t table_cycles = g->cfg.timing->merge_table;
    *icc = (struct icc){.gpu = g,
                        .units = arena_many(g->mem, struct icc_unit, g->n_clusters),
                        .key_bits = bits_clog2(granule),
                        .has_cc = cache->entries > 0};
    if (icc->has_cc)
        icc->cc_cycles = g->cfg.timing->coalesced_cache;
    for (uint32_t c = 0; c < g->n_clusters; c++) {
        merge_table_init(&icc->units[c].table, table->entries, g->mem);
        if (icc->has_cc &&
            !coalesced_cache_init(&icc->units[c].cc, cache->entries, granule, g->mem, err))
            return false;
    }
    struct cluster_hooks hooks = {.ctx = icc,
                                  .request = request,
                                  /* both are looked at together */
                                  .request_cycles =
                                      table_cycles > icc->cc_cycles ? table_cycles : icc->cc_cycles,
                                  .reply = reply,
                                  .store = store,
                                  .kernel_end = kernel_end,
                                  .held = held};
    return machine_plug(g, &hooks, "cluster.icc.entries", err);
}
