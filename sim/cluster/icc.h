/* SPDX-License-Identifier: MIT
 *
 * sim/cluster/icc.h: intra-cluster coalescing: a merge table and, behind the same port, a coalesced
 * cache in every cluster. Plugs into sim/frame/hooks.h; gpu_new makes it when cluster.icc.entries
 * says so. */
#ifndef CW_SIM_CLUSTER_ICC_H
#define CW_SIM_CLUSTER_ICC_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/coalesced_cache.h"
#include "cache/merge_table.h"

struct gpu;

struct icc_unit {
    struct merge_table table;
    struct coalesced_cache cc;
    uint64_t used_sum, used_at; /* entries in use, over time */
};

/* What a unit counts (sim/counters.h): the merge table, and the cache where there is one. */
/* clang-format off */
#define ICC_STATS(X) \
    X(FACT, 1, has_icc, "", "1: there are merge tables") \
    X(COUNT_AT, u->table.joined, icc_merges, "", "loads that joined an entry of a merge table: another SM of the cluster had asked for the line", "") \
    X(COUNT_AT, u->table.added, icc_entries, "", "loads that got an entry of a merge table and were sent", "") \
    X(COUNT_AT, u->table.full, icc_overflows, "", "loads sent without an entry because the merge table was full", "") \
    X(VALUE, icc_merged_share, "", "share of the loads at the merge tables that were merged", "icc_merges / (icc_merges + icc_entries + icc_overflows)", RATE(t->icc_merges, t->icc_merges + t->icc_entries + t->icc_overflows)) \
    X(HIDDEN_AT, u->used_sum + (g->now - u->used_at) * u->table.n_used, icc_entry_cycles, "cycle", "entries in use, cycle by cycle") \
    X(VALUE, icc_occupancy, "", "entries of a merge table in use, mean over time and clusters", "", RATE(t->icc_entry_cycles, t->cycles * t->n_ports))

#define CC_STATS(X) \
    X(FACT, g->cfg.arrays[ROLE_COALESCED_CACHE].entries > 0, has_cc, "", "1: there are coalesced caches") \
    X(COUNT_AT, u->cc.hits, cc_hits, "", "loads answered by a coalesced cache", "") \
    X(COUNT_AT, u->cc.fills, cc_fills, "", "lines put into a coalesced cache: more than one SM had waited", "") \
    X(COUNT_AT, u->cc.evictions, cc_evictions, "", "lines that fell out of a coalesced cache to make room", "") \
    X(COUNT_AT, u->cc.invalidations, cc_invalidations, "", "lines thrown out of a coalesced cache by stores", "") \
    X(COUNT_AT, u->cc.flushed, cc_flushed, "", "lines in the coalesced caches when a kernel ended", "")
/* clang-format on */

const struct icc_unit *icc_unit(const struct gpu *g, uint32_t cluster); /* NULL: there is none */

#endif
