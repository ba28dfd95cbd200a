/* SPDX-License-Identifier: MIT */
#include "sim/gpu/stats.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sim/cluster/cluster.h"
#include "sim/fabric/fabric.h"
#include "sim/frame/machine.h"
#include "sim/memory/dram.h"
#include "sim/memory/l2.h"
#include "sim/net/net.h"
#include "sim/sm/sm.h"
#include "sim/study/locality.h"
#include "sim/study/window.h"

/* ---- sums ---- */

static void add_sm(const struct sm *sm, struct stat_totals *t)
{
    const struct sm_stats *s = &sm->stats;
    t->ctas += (double)s->ctas;
    t->warp_insts += (double)s->warp_insts;
    t->thread_insts += (double)s->thread_insts;
    t->issued_cycles += (double)s->issued_cycles;
    t->stall_empty += (double)s->stalls[STALL_EMPTY];
    t->stall_fetch += (double)s->stalls[STALL_FETCH];
    t->stall_barrier += (double)s->stalls[STALL_BARRIER];
    t->stall_memory += (double)s->stalls[STALL_MEMORY];
    t->stall_dependence += (double)s->stalls[STALL_DEPENDENCE];
    t->stall_unit += (double)s->stalls[STALL_UNIT];
    t->active_cycles += (double)s->active_cycles;
    t->warp_cycles += (double)s->warp_cycles;
    t->cta_cycles += (double)s->cta_cycles;
    t->global_insts += (double)s->global_insts;
    t->global_accesses += (double)s->global_accesses;
    t->global_lanes += (double)s->global_lanes;
    t->mem_ready_cycles += (double)s->mem_ready_cycles;
    t->shared_insts += (double)s->shared_insts;
    t->shared_cycles += (double)s->shared_cycles;
    t->atomics += (double)s->atomics;
    t->bypasses += (double)s->bypasses;
    t->l1_accesses += (double)s->l1_accesses;
    t->l1_hits += (double)s->l1_hits;
    t->l1_pending += (double)s->l1_pending;
    t->l1_misses += (double)s->l1_misses;
    t->l1_writes += (double)s->l1_writes;
    t->l1_write_hits += (double)s->l1_write_hits;
    t->mshr_merges += (double)s->mshr_merges;
    t->fetches += (double)s->fetches;
    t->fetch_misses += (double)s->fetch_misses;
    t->const_accesses += (double)sm->ccache.accesses;
    t->const_misses += (double)sm->ccache.misses;
    t->texture_accesses += (double)sm->tcache.accesses;
    t->texture_misses += (double)sm->tcache.misses;
    t->requests += (double)s->requests;
    t->answers += (double)s->answers;
    t->latency_sum += (double)s->latency_sum;
    t->latency_n += (double)s->latency_n;
    t->latency_max = fmax(t->latency_max, (double)s->latency_max);
    t->lat_queue += (double)s->lat_queue;
    t->lat_request += (double)s->lat_request;
    t->lat_l2 += (double)s->lat_l2;
    t->lat_dram += (double)s->lat_dram;
    t->lat_reply += (double)s->lat_reply;
    t->l1_cycles += (double)s->l1_cycles;
}

/* What a coalescer that merges or reorders did; 0 where there is none. */
static void add_pool(const struct sm *sm, struct stat_totals *t)
{
    const struct coalescer *c = sm->common->coalescer;
    if (!c->stats)
        return;
    const struct pool_stats *p = c->stats(sm->coalescer);
    t->pool_asked += (double)p->asked;
    t->pool_merged += (double)p->merged;
    t->pool_sent += (double)p->sent;
    t->pool_stores += (double)p->stores;
    t->pool_cycles += (double)p->cycles;
    t->pool_by_warp += (double)p->by_warp_cycles;
    t->pool_toggles += (double)p->toggles;
    for (int i = 0; i < LANE_PATTERNS; i++)
        t->pool_patterns[i] += (double)p->patterns[i];
    for (int i = 0; i < POOL_STALLS; i++)
        t->pool_stalls[i] += (double)p->stalls[i];
    t->gate_full += (double)sm->stats.gate_full_cycles;
    t->gate_order += (double)sm->stats.gate_order_cycles;
}

static void begin(const struct gpu *g, struct stat_totals *t)
{
    *t = (struct stat_totals){0};
    t->cycles = (double)g->now;
    t->core_ghz = (double)g->clocks.khz[CLOCK_CORE] * 1e-6;
    t->dram_ghz = (double)g->clocks.khz[CLOCK_DRAM] * 1e-6;
    t->schedulers = g->cfg.sm->schedulers;
    t->max_warps = g->cfg.sm->warps;
    t->noc_cycles = (double)g->clocks.ticks[CLOCK_NOC];
    t->dram_ticks = (double)g->clocks.ticks[CLOCK_DRAM];
    t->n_channels = g->n_dram_channels;
    t->n_banks = g->cfg.dram->banks;
    t->n_ports = g->n_clusters;
    t->n_slices = g->n_slices;
}

void stats_of_sm(const struct gpu *g, uint32_t sm, struct stat_totals *out)
{
    begin(g, out);
    out->n_sms = 1;
    add_sm(&g->sms[sm], out);
    add_pool(&g->sms[sm], out);
}

static void add_hooks(const struct gpu *g, struct stat_totals *t)
{
    static const struct {
        const char *name;
        size_t at;
    } fields[] = {
#define F(id) {#id, offsetof(struct stat_totals, id)}
        F(icc_merges), F(icc_entries),  F(icc_overflows),    F(icc_entry_cycles), F(cc_hits),
        F(cc_fills),   F(cc_evictions), F(cc_invalidations), F(cc_flushed),
#undef F
    };
    const char *const *names;
    const uint64_t *values;
    if (!g->hooks.counters)
        return;
    uint32_t n = g->hooks.counters(g->hooks.ctx, &names, &values);
    t->has_icc = g->cfg.cluster->icc_entries > 0;
    t->has_cc = g->cfg.cluster->cc_entries > 0;
    for (uint32_t i = 0; i < n; i++)
        for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++)
            if (strcmp(names[i], fields[f].name) == 0) {
                double v = (double)values[i];
                memcpy((char *)t + fields[f].at, &v, sizeof v);
            }
}

/* The channels between the local crossbars of a CD-Xbar and its global one. */
static void add_converged(const struct gpu *g, enum noc_dir dir, struct stat_totals *t)
{
    const struct net *net = fabric_net(g->fabric, dir);
    if (!net || !g->cfg.crossbar_of)
        return;
    const struct noc *noc = net_noc(net);
    for (uint32_t i = 0; i < noc->n_channels; i++) {
        const struct noc_channel *c = &noc->channels[i];
        uint64_t counts[EV_COUNT] = {0};
        if (c->src_node != NOC_ROUTER || c->dst_node != NOC_ROUTER)
            continue;
        net_channel_counts(net, i, counts);
        double flits = (double)counts[EV_LINK];
        t->n_converged[dir]++;
        t->converged_sum[dir] += flits;
        t->converged_max[dir] = fmax(t->converged_max[dir], flits);
    }
}

static void add_packet_merge(const struct gpu *g, struct stat_totals *t)
{
    const struct net *net = fabric_net(g->fabric, NOC_REQUEST);
    if (!g->cfg.merge || !net)
        return;
    struct net_totals n;
    net_get_totals(net, &n);
    t->has_packet_merge = 1;
    t->packets_merged = (double)n.merged;
    t->packets_held = (double)n.held;
    t->hold_cycles = (double)n.hold_cycles;
}

static void add_mechanisms(const struct gpu *g, struct stat_totals *t)
{
    add_hooks(g, t);
    add_packet_merge(g, t);
    add_converged(g, NOC_REQUEST, t);
    add_converged(g, NOC_REPLY, t);
    t->n_crossbars = g->cta_machine.n_crossbars;
    for (uint32_t x = 0; x < g->cta_machine.n_crossbars; x++)
        t->crossbar_max = fmax(t->crossbar_max, (double)gpu_crossbar_requests(g, x));
    t->idled = (double)g->idled_cycles;
    t->has_blocks = g->cta_sched->idled != cta_idled_none;
    t->stp = g->figures.stp;
    t->antt = g->figures.antt;
    t->has_demand = g->figures.has_demand;
    t->demand_percent = g->figures.demand_percent;
    if (g->locality) {
        const struct locality_counts *l = locality_counts(g->locality);
        t->icl_requests = (double)l->requests;
        t->icl_line = (double)l->line_sharing;
        t->icl_data = (double)l->data_sharing;
        t->icl_has_words = l->has_words;
        t->reuse = (double)l->reuse;
        t->reuse_other = (double)l->reuse_other;
    }
    if (g->windows) {
        const struct window_counts *w = window_counts(g->windows);
        t->has_windows = 1;
        t->window_loads = (double)w->loads;
        for (int i = 0; i < WINDOW_SIZES; i++)
            t->window_merged[i] = (double)w->merged[i];
    }
}

void stats_of_gpu(const struct gpu *g, struct stat_totals *t)
{
    begin(g, t);
    t->n_sms = g->n_sms;
    t->kernels = g->n_done;
    for (uint32_t i = 0; i < g->n_sms; i++) {
        add_sm(&g->sms[i], t);
        add_pool(&g->sms[i], t);
    }
    for (uint32_t i = 0; i < g->n_slices; i++) {
        const struct slice_stats *s = &g->slices[i].stats;
        t->l2_reads += (double)s->reads;
        t->l2_read_hits += (double)s->read_hits;
        t->l2_read_pending += (double)s->read_pending;
        t->l2_read_misses += (double)s->read_misses;
        t->l2_others += (double)s->others;
        t->l2_other_hits += (double)s->other_hits;
        t->l2_writes += (double)s->writes;
        t->l2_write_hits += (double)s->write_hits;
        t->l2_write_misses += (double)s->write_misses;
        t->l2_atomics += (double)s->atomics;
        t->l2_writebacks += (double)s->writebacks;
    }
    for (uint32_t i = 0; i < g->n_dram_channels; i++) {
        const struct dram_stats *s = &g->dram_channels[i].stats;
        t->dram_rd += (double)s->reads;
        t->dram_wr += (double)s->writes;
        t->dram_act += (double)s->activates;
        t->dram_pre += (double)s->precharges;
        t->dram_requests += (double)s->requests;
        t->row_hits += (double)s->row_hits;
        t->bus_ticks += (double)s->bus_ticks;
        t->bank_idle += (double)s->bank_idle;
        t->queue_sum += (double)s->queue_sum;
        t->atom_bytes = g->dram_channels[i].atom_bytes;
        if (g->cfg.dram->trefi)
            t->dram_refresh += floor(t->dram_ticks / g->cfg.dram->trefi);
    }
    for (int d = 0; d < 2; d++) {
        struct fabric_counts c = fabric_counts(g->fabric, d);
        t->pkts[d] = (double)c.packets;
        t->mergeable += (double)c.mergeable;
        t->in_big += (double)c.in_big;
        t->flits[d] = (double)c.flits;
        t->bytes[d] = (double)g->bytes[d];
    }
    for (uint32_t i = 0; i < g->n_clusters; i++) {
        t->cluster_requests += (double)g->clusters[i].requests;
        t->merged += (double)g->clusters[i].merged;
        t->reads_sent += (double)g->clusters[i].reads_sent;
        t->local_answers += (double)g->clusters[i].local_answers;
    }
    add_mechanisms(g, t);
    t->most_live = g->pool.most_live;
    t->skipped = (double)g->skipped;
}

void stats_between(const struct stat_totals *a, const struct stat_totals *b,
                   struct stat_totals *out)
{
    /* every field is a double, and a sum over time unless it is named here */
    double x[sizeof *a / sizeof(double)], y[sizeof *a / sizeof(double)];
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++)
        y[i] -= x[i];
    memcpy(out, y, sizeof *out);
    out->core_ghz = b->core_ghz;
    out->dram_ghz = b->dram_ghz;
    out->n_sms = b->n_sms;
    out->schedulers = b->schedulers;
    out->max_warps = b->max_warps;
    out->n_channels = b->n_channels;
    out->n_banks = b->n_banks;
    out->n_ports = b->n_ports;
    out->n_slices = b->n_slices;
    out->atom_bytes = b->atom_bytes;
    out->latency_max = b->latency_max;
    out->has_icc = b->has_icc;
    out->has_cc = b->has_cc;
    out->has_blocks = b->has_blocks;
    out->icl_has_words = b->icl_has_words;
    out->has_windows = b->has_windows;
    for (int d = 0; d < 2; d++) {
        out->n_converged[d] = b->n_converged[d];
        out->converged_max[d] = NAN; /* which port was the busiest in between is not known */
    }
    out->n_crossbars = b->n_crossbars;
    out->has_packet_merge = b->has_packet_merge;
    out->crossbar_max = NAN;
    out->most_live = b->most_live;
}

/* ---- the table ---- */

#define RATE(a, b) ((b) > 0 ? (a) / (b) : NAN)
#define PART(a, b) RATE(100 * (a), b)
#define ICC(a) (t->has_icc > 0 ? (a) : NAN)
#define CC(a) (t->has_cc > 0 ? (a) : NAN)
#define POOL(a) (t->pool_cycles > 0 ? (a) : NAN) /* only where a coalescer counts it */
#define WINDOW(i) (t->has_windows > 0 ? RATE(t->window_merged[i], t->window_loads) : NAN)
#define MERGES(a) (t->has_packet_merge > 0 ? (a) : NAN)
#define SUM5(a) ((a)[0] + (a)[1] + (a)[2] + (a)[3] + (a)[4])

/* name, unit, meaning, formula, value, is a count, has a meaning for one SM; N: the name that is
 * printed is not an identifier */
/* clang-format off */
#define ROWS(X, N) \
    X(cycles, "cycle", "core cycles until the last CTA has drained", "", t->cycles, 1, 1) \
    X(time_us, "us", "the same in time", "cycles / core clock", t->cycles / (t->core_ghz * 1e3), 0, 0) \
    X(kernels, "", "kernels that ran to their end", "", t->kernels, 1, 0) \
    X(ctas, "", "CTAs launched", "", t->ctas, 1, 1) \
    X(warp_insts, "", "warp instructions issued", "", t->warp_insts, 1, 1) \
    X(thread_insts, "", "thread instructions: active lanes of all warp instructions", "", t->thread_insts, 1, 1) \
    X(ipc_thread, "", "thread instructions per core cycle", "thread_insts / cycles", RATE(t->thread_insts, t->cycles), 0, 1) \
    X(ipc_warp, "", "warp instructions per core cycle", "warp_insts / cycles", RATE(t->warp_insts, t->cycles), 0, 1) \
    X(occupancy, "", "share of warp contexts in use while an SM is active", "resident warps / (active SM cycles * sm.warps)", RATE(t->warp_cycles, t->active_cycles * t->max_warps), 0, 1) \
    X(sm_active, "", "share of SM cycles with at least one warp resident", "active SM cycles / (cycles * SMs)", RATE(t->active_cycles, t->cycles * t->n_sms), 0, 1) \
    X(issue_rate, "", "share of scheduler cycles of active SMs in which an instruction issues", "issuing / (active SM cycles * schedulers)", RATE(t->issued_cycles, t->active_cycles * t->schedulers), 0, 1) \
    X(stall_memory, "", "… in which warps wait for memory", "", RATE(t->stall_memory, t->active_cycles * t->schedulers), 0, 1) \
    X(stall_dependence, "", "… in which warps wait for results of execution units", "", RATE(t->stall_dependence, t->active_cycles * t->schedulers), 0, 1) \
    X(stall_unit, "", "… in which a warp is ready but its unit cannot take it", "", RATE(t->stall_unit, t->active_cycles * t->schedulers), 0, 1) \
    X(stall_fetch, "", "… in which warps wait for instructions", "", RATE(t->stall_fetch, t->active_cycles * t->schedulers), 0, 1) \
    X(stall_barrier, "", "… in which warps wait at barriers", "", RATE(t->stall_barrier, t->active_cycles * t->schedulers), 0, 1) \
    X(stall_empty, "", "… in which the scheduler has no warp", "", RATE(t->stall_empty, t->active_cycles * t->schedulers), 0, 1) \
    X(lines_per_inst, "", "L1 accesses of a global or local memory instruction", "accesses / instructions", RATE(t->global_accesses, t->global_insts), 0, 1) \
    X(waiting_memory_insts, "", "warps of an active SM whose next instruction is a global or local memory instruction that could issue and waits", "waiting warps / active SM cycles", RATE(t->mem_ready_cycles, t->active_cycles), 0, 1) \
    X(requests_after_coalescer, "", "accesses that the lanes of a warp are merged into, of the lanes' own", "accesses / lanes of global and local memory instructions", RATE(t->global_accesses, t->global_lanes), 0, 1) \
    X(requests_past_l1, "", "… requests that SMs make", "requests / lanes", RATE(t->requests, t->global_lanes), 0, 0) \
    X(requests_past_l2, "", "… that the L2 does not find", "l2_misses / lanes", RATE(t->l2_read_misses + t->l2_write_misses, t->global_lanes), 0, 0) \
    X(l1d_per_cycle, "", "accesses in a cycle in which the tags of an L1 take any", "", RATE(t->l1_accesses, t->l1_cycles), 0, 1) \
    X(pool_requests, "", "line requests of loads, as warps make them, that came to a coalescer which merges or reorders", "pool_merged + pool_l1_requests", POOL(t->pool_asked), 1, 1) \
    X(pool_merged, "", "of them joined the request of another warp", "", POOL(t->pool_merged), 1, 1) \
    X(pool_l1_requests, "", "of them sent to the L1", "", POOL(t->pool_sent), 1, 1) \
    X(loads_per_l1_request, "", "line requests of loads that one access of the L1 serves", "pool_requests / pool_l1_requests", RATE(t->pool_asked, t->pool_sent), 0, 1) \
    X(pool_stores, "", "lines of stores and atomics, which are never merged", "", POOL(t->pool_stores), 1, 1) \
    X(pool_consecutive, "", "share of merged-or-sent requests by pattern: lane i gets word i", "", RATE(t->pool_patterns[0], SUM5(t->pool_patterns)), 0, 1) \
    X(pool_broadcast, "", "share of merged-or-sent requests by pattern: all lanes get one word", "", RATE(t->pool_patterns[1], SUM5(t->pool_patterns)), 0, 1) \
    X(pool_single, "", "share of merged-or-sent requests by pattern: one lane, one word", "", RATE(t->pool_patterns[2], SUM5(t->pool_patterns)), 0, 1) \
    X(pool_range, "", "share of merged-or-sent requests by pattern: neighbouring lanes get neighbouring words to the end of the line or warp", "", RATE(t->pool_patterns[3], SUM5(t->pool_patterns)), 0, 1) \
    X(pool_irregular, "", "share of merged-or-sent requests by pattern: the rest, which takes an entry of the thread map table", "", RATE(t->pool_patterns[4], SUM5(t->pool_patterns)), 0, 1) \
    X(pool_by_warp, "", "share of its working cycles in which the lowest warp goes first", "", RATE(t->pool_by_warp, t->pool_cycles), 0, 1) \
    X(pool_toggles, "", "changes between oldest first and lowest warp first", "", POOL(t->pool_toggles), 1, 1) \
    X(pool_stall_tag, "cycle", "cycles a coalescer waited for a tag or merge (MRPB: a queue entry)", "", POOL(t->pool_stalls[POOL_NO_TAG]), 1, 1) \
    X(pool_stall_queue, "cycle", "… for a queue another coalescer used", "", POOL(t->pool_stalls[POOL_QUEUE_BUSY]), 1, 1) \
    X(pool_stall_map, "cycle", "… for a thread map", "", POOL(t->pool_stalls[POOL_NO_MAP]), 1, 1) \
    X(pool_stall_metadata, "cycle", "cycles the selector waited for metadata entries", "", POOL(t->pool_stalls[POOL_NO_METADATA]), 1, 1) \
    X(pool_stall_l1, "cycle", "… for the L1", "", POOL(t->pool_stalls[POOL_L1_BUSY]), 1, 1) \
    X(pool_stall_store, "cycle", "cycles stores waited behind loads", "", POOL(t->pool_stalls[POOL_STORE_WAITS]), 1, 1) \
    X(pool_stall_writeback, "cycle", "cycles answers waited for the writeback queue", "", POOL(t->pool_stalls[POOL_NO_WRITEBACK]), 1, 1) \
    X(pool_stall_full, "cycle", "scheduler cycles without issue because an instruction queue was full", "", POOL(t->gate_full), 1, 1) \
    X(pool_stall_order, "cycle", "… because a load or store had to wait for earlier stores or loads of its warp", "", POOL(t->gate_order), 1, 1) \
    X(shared_cycles_per_inst, "cycle", "cycles a shared memory instruction holds its banks", "", RATE(t->shared_cycles, t->shared_insts), 0, 1) \
    X(fetch_accesses, "", "looks into the instruction cache", "", t->fetches, 1, 1) \
    X(fetch_misses, "", "lines fetched by the instruction caches", "", t->fetch_misses, 1, 1) \
    X(const_accesses, "", "looks into the constant caches", "", t->const_accesses, 1, 1) \
    X(const_misses, "", "lines fetched by the constant caches", "", t->const_misses, 1, 1) \
    X(texture_accesses, "", "looks into the texture caches", "", t->texture_accesses, 1, 1) \
    X(texture_misses, "", "lines fetched by the texture caches", "", t->texture_misses, 1, 1) \
    X(l1d_accesses, "", "coalesced accesses that reached the tags of an L1, stores included", "l1d_hits + l1d_pending_hits + l1d_misses", t->l1_accesses, 1, 1) \
    X(l1d_hits, "", "of them answered by the L1; stores that found their line", "", t->l1_hits, 1, 1) \
    X(l1d_pending_hits, "", "of them to a line already on its way: merged in an MSHR", "", t->l1_pending, 1, 1) \
    X(l1d_misses, "", "of them that sent a request; stores that did not find their line", "", t->l1_misses, 1, 1) \
    X(l1d_miss_rate, "", "share of accesses that miss", "l1d_misses / l1d_accesses", RATE(t->l1_misses, t->l1_accesses), 0, 1) \
    X(l1d_mpki, "", "L1 misses per thousand thread instructions", "1000 * l1d_misses / thread_insts", RATE(1000 * t->l1_misses, t->thread_insts), 0, 1) \
    X(l1d_writes, "", "stores among the accesses", "", t->l1_writes, 1, 1) \
    X(mshr_merges, "", "loads that joined an MSHR", "", t->mshr_merges, 1, 1) \
    X(l1d_bypasses, "", "loads sent past the L1", "", t->bypasses, 1, 1) \
    X(atomics, "", "atomic accesses sent to the L2", "", t->atomics, 1, 1) \
    X(requests, "", "requests made by SMs", "", t->requests, 1, 1) \
    X(cluster_merged, "", "requests merged or answered at the cluster's port", "", t->merged, 1, 0) \
    X(noc_read_requests, "", "loads sent into the network: what the clusters' ports did not merge or answer", "loads at the ports - cluster_merged", t->reads_sent, 1, 0) \
    X(icc_merges, "", "loads that joined an entry of a merge table: another SM of the cluster had asked for the line", "", ICC(t->icc_merges), 1, 0) \
    X(icc_entries, "", "loads that got an entry of a merge table and were sent", "", ICC(t->icc_entries), 1, 0) \
    X(icc_overflows, "", "loads sent without an entry because the merge table was full", "", ICC(t->icc_overflows), 1, 0) \
    X(icc_merged_share, "", "share of the loads at the merge tables that were merged", "icc_merges / (icc_merges + icc_entries + icc_overflows)", ICC(RATE(t->icc_merges, t->icc_merges + t->icc_entries + t->icc_overflows)), 0, 0) \
    X(icc_occupancy, "", "entries of a merge table in use, mean over time and clusters", "", ICC(RATE(t->icc_entry_cycles, t->cycles * t->n_ports)), 0, 0) \
    X(cc_hits, "", "loads answered by a coalesced cache", "", CC(t->cc_hits), 1, 0) \
    X(cc_fills, "", "lines put into a coalesced cache: more than one SM had waited", "", CC(t->cc_fills), 1, 0) \
    X(cc_evictions, "", "lines that fell out of a coalesced cache to make room", "", CC(t->cc_evictions), 1, 0) \
    X(cc_invalidations, "", "lines thrown out of a coalesced cache by stores", "", CC(t->cc_invalidations), 1, 0) \
    X(cc_flushed, "", "lines in the coalesced caches when a kernel ended", "", CC(t->cc_flushed), 1, 0) \
    X(cta_idle_contexts, "cycle", "places for CTAs left empty by a block policy while CTAs waited, times cycles", "", t->has_blocks > 0 ? t->idled : NAN, 1, 0) \
    X(crossbar_imbalance, "", "requests of the busiest local crossbar (or cluster) over the mean", "max / mean", t->n_crossbars > 1 ? RATE(t->crossbar_max * t->n_crossbars, t->cluster_requests) : NAN, 0, 0) \
    N(converged_load_request, "converged_load.request", "flit/cycle", "flits per network cycle on a converged port of the CD-Xbar's request network, mean", "", t->n_converged[0] > 0 ? RATE(t->converged_sum[0], t->n_converged[0] * t->noc_cycles) : NAN, 0, 0) \
    N(converged_load_reply, "converged_load.reply", "flit/cycle", "the same of the reply network", "", t->n_converged[1] > 0 ? RATE(t->converged_sum[1], t->n_converged[1] * t->noc_cycles) : NAN, 0, 0) \
    N(converged_imbalance_request, "converged_imbalance.request", "", "flits on the busiest converged port of the request network over the mean", "max / mean", RATE(t->converged_max[0] * t->n_converged[0], t->converged_sum[0]), 0, 0) \
    N(converged_imbalance_reply, "converged_imbalance.reply", "", "the same of the reply network", "max / mean", RATE(t->converged_max[1] * t->n_converged[1], t->converged_sum[1]), 0, 0) \
    X(icl_percent, "%", "intra-cluster locality: share of the data requests at a cluster's port that are loads of a line the cluster had asked for within the last sim.locality_window cycles", "redundant loads / loads and stores", PART(t->icl_line + t->icl_data, t->icl_requests), 0, 0) \
    X(icl_line_percent, "%", "of it: cache-line sharing: other words of the line, or the same CTA", "", t->icl_has_words > 0 ? PART(t->icl_line, t->icl_requests) : NAN, 0, 0) \
    X(icl_data_percent, "%", "of it: data sharing: a word that another CTA had asked for", "", t->icl_has_words > 0 ? PART(t->icl_data, t->icl_requests) : NAN, 0, 0) \
    X(inter_cta_reuse, "", "share of the L1 loads of lines an SM had read before, whose last reader was another CTA (with sim.locality_window)", "", RATE(t->reuse_other, t->reuse), 0, 0) \
    X(window_2, "", "share of the loads' line requests that a coalescing window of 2 lines in front of the L1 would merge (with sim.coalescing_windows)", "merged / line requests", WINDOW(0), 0, 0) \
    X(window_4, "", "… of 4 lines", "", WINDOW(1), 0, 0) \
    X(window_8, "", "… of 8 lines", "", WINDOW(2), 0, 0) \
    X(window_16, "", "… of 16 lines", "", WINDOW(3), 0, 0) \
    X(window_32, "", "… of 32 lines", "", WINDOW(4), 0, 0) \
    X(window_64, "", "… of 64 lines", "", WINDOW(5), 0, 0) \
    X(window_128, "", "… of 128 lines", "", WINDOW(6), 0, 0) \
    X(stp, "", "system throughput: progress of the programs against each of them alone, summed (--solo)", "sum of solo time / shared time", t->stp > 0 ? t->stp : NAN, 0, 0) \
    X(antt, "", "average normalised turnaround time: how much longer a program takes than alone (--solo)", "mean of shared time / solo time", t->antt > 0 ? t->antt : NAN, 0, 0) \
    X(noc_demand_percent, "%", "IPC lost with channels of half the width (--noc-demand); more than 5 is high demand", "100 * (1 - IPC at half width / IPC)", t->has_demand > 0 ? t->demand_percent : NAN, 0, 0) \
    X(l2_accesses, "", "requests that reached the tags of the L2", "reads and writes, instructions included", t->l2_reads + t->l2_writes, 1, 0) \
    X(l2_read_acc, "", "of them reads of data", "", t->l2_reads - t->l2_others, 1, 0) \
    X(l2_read_hit, "", "reads of data that hit", "", t->l2_read_hits - t->l2_other_hits, 1, 0) \
    X(l2_write_acc, "", "of them writes", "", t->l2_writes, 1, 0) \
    X(l2_write_hit, "", "writes that found their sector", "", t->l2_write_hits, 1, 0) \
    X(l2_pending_hits, "", "reads of a sector on its way from the DRAM", "", t->l2_read_pending, 1, 0) \
    X(l2_misses, "", "reads and writes that did not find their sector", "", t->l2_read_misses + t->l2_write_misses, 1, 0) \
    X(l2_miss_rate, "", "share of accesses that miss", "l2_misses / l2_accesses", RATE(t->l2_read_misses + t->l2_write_misses, t->l2_reads + t->l2_writes), 0, 0) \
    X(l2_mpki, "", "L2 misses per thousand thread instructions", "1000 * l2_misses / thread_insts", RATE(1000 * (t->l2_read_misses + t->l2_write_misses), t->thread_insts), 0, 0) \
    X(l2_writebacks, "", "lines with dirty sectors written to the DRAM", "", t->l2_writebacks, 1, 0) \
    X(dram_rd, "", "read column commands", "", t->dram_rd, 1, 0) \
    X(dram_wr, "", "write column commands", "", t->dram_wr, 1, 0) \
    X(dram_act, "", "row activations", "", t->dram_act, 1, 0) \
    X(dram_pre, "", "row closings", "", t->dram_pre, 1, 0) \
    X(dram_refreshes, "", "refreshes", "", t->dram_refresh, 1, 0) \
    X(dram_bw_util, "", "share of time in which the data buses move data", "busy / (DRAM clocks * channels)", RATE(t->bus_ticks, t->dram_ticks * t->n_channels), 0, 0) \
    X(dram_gbps, "GB/s", "bytes moved over the DRAM's buses per time", "", RATE((t->dram_rd + t->dram_wr) * t->atom_bytes * t->dram_ghz, t->dram_ticks), 0, 0) \
    X(row_buffer_locality, "", "share of requests to the row their bank had open or was opening", "row hits / requests", RATE(t->row_hits, t->dram_requests), 0, 0) \
    X(row_buffer_miss_rate, "", "share of requests that need another row", "1 - row_buffer_locality", t->dram_requests > 0 ? 1 - t->row_hits / t->dram_requests : NAN, 0, 0) \
    X(dram_queue, "", "requests that wait in a controller when another one comes", "", RATE(t->queue_sum, t->dram_requests), 0, 0) \
    X(bank_idle, "", "share of time a bank that is used has no request", "idle between requests / (DRAM clocks * banks)", RATE(t->bank_idle, t->dram_ticks * t->n_channels * t->n_banks), 0, 0) \
    X(packet_merge_probability, "", "share of read requests that reach the LLC inside a merged packet", "", RATE(t->has_packet_merge * t->in_big, t->has_packet_merge * t->mergeable), 0, 0) \
    X(packets_merged, "", "read requests, or merged packets, that joined another one in a router", "", MERGES(t->packets_merged), 1, 0) \
    X(packets_held, "", "times a packet was put into a router's merge table and began to wait", "", MERGES(t->packets_held), 1, 0) \
    X(packet_hold_cycles, "cycle", "network cycles a read request waits in merge tables on its way", "", RATE(t->has_packet_merge * t->hold_cycles, t->has_packet_merge * t->mergeable), 0, 0) \
    X(pkts_core_to_mem, "", "packets into the request network", "", t->pkts[0], 1, 0) \
    X(pkts_mem_to_core, "", "packets into the reply network", "", t->pkts[1], 1, 0) \
    X(flits_core_to_mem, "", "flits into the request network", "", t->flits[0], 1, 0) \
    X(flits_mem_to_core, "", "flits into the reply network", "", t->flits[1], 1, 0) \
    X(bytes_core_to_mem, "B", "bytes of those packets, headers included", "", t->bytes[0], 1, 0) \
    X(bytes_mem_to_core, "B", "bytes of those packets, headers included", "", t->bytes[1], 1, 0) \
    N(request_flits_per_cycle, "flits_per_cycle.request", "flit/cycle", "flits per network cycle into the request network", "", RATE(t->flits[0], t->noc_cycles), 0, 0) \
    N(reply_flits_per_cycle, "flits_per_cycle.reply", "flit/cycle", "flits per network cycle into the reply network", "", RATE(t->flits[1], t->noc_cycles), 0, 0) \
    X(avg_mem_latency, "cycle", "from an access to the L1 to its reply or acknowledgement at the SM, for those that left the L1", "", RATE(t->latency_sum, t->latency_n), 0, 1) \
    X(max_mem_latency, "cycle", "the longest of them", "", t->latency_n > 0 ? t->latency_max : NAN, 0, 1) \
    X(latency_queue, "cycle", "of it: in the SM and at the port", "", RATE(t->lat_queue, t->latency_n), 0, 1) \
    X(latency_request, "cycle", "of it: in the request network", "", RATE(t->lat_request, t->latency_n), 0, 1) \
    X(latency_l2, "cycle", "of it: in the L2", "", RATE(t->lat_l2, t->latency_n), 0, 1) \
    X(latency_dram, "cycle", "of it: in the controller and the DRAM (mean over all, also those that hit)", "", RATE(t->lat_dram, t->latency_n), 0, 1) \
    X(latency_reply, "cycle", "of it: in the reply network and the response queue", "", RATE(t->lat_reply, t->latency_n), 0, 1) \
    X(requests_in_flight, "", "most requests alive at once", "", t->most_live, 0, 0) \
    X(skipped_cycles, "cycle", "core cycles in which nothing happened and which were jumped over", "", t->skipped, 1, 0)
/* clang-format on */

#define X(id, unit, meaning, formula, expr, count, sm)                                             \
    N(id, #id, unit, meaning, formula, expr, count, sm)
#define N(id, name, unit, meaning, formula, expr, count, sm)                                       \
    static double value_##id(const struct stat_totals *t)                                          \
    {                                                                                              \
        return expr;                                                                               \
    }
ROWS(X, N)
#undef N

const struct stat_row stat_rows[] = {
#define N(id, name, unit, meaning, formula, expr, count, sm)                                       \
    {name, unit, meaning, formula, value_##id, count, sm},
    ROWS(X, N)
#undef N
#undef X
        {NULL, NULL, NULL, NULL, NULL, false, false},
};
const size_t n_stat_rows = sizeof stat_rows / sizeof stat_rows[0] - 1;
