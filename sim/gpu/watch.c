/* SPDX-License-Identifier: MIT
 *
 * What the watchdog says: who waits, for what, and which buffers are full. */
#include "base/bits.h"
#include "base/buf.h"
#include "sim/cluster/cluster.h"
#include "sim/fabric/fabric.h"
#include "sim/frame/machine.h"
#include "sim/gpu/gpu.h"
#include "sim/memory/dram.h"
#include "sim/memory/dram_sched.h"
#include "sim/memory/l2.h"
#include "sim/sm/sm.h"

static const char *waits_for(const struct sm *sm, uint32_t w)
{
    uint64_t bit = (uint64_t)1 << w;
    if (sm->at_barrier & bit)
        return "waits at a barrier";
    if (sm->blocked & bit)
        return "waits for a load";
    if (sm->at_fence & bit)
        return "waits at a fence";
    if (sm->at_atomic & bit)
        return "waits for an atomic";
    if (sm->missing & bit)
        return "waits for an instruction";
    if (sm->need_fetch & bit)
        return "could be fetched";
    if (sm->exiting & bit)
        return "has ended but for its memory accesses";
    return sm->ready & bit ? "could issue" : "waits for a result";
}

/* One of its warps; those at a barrier only wait for the others. */
static void describe_sm(const struct sm *sm, struct buf *out)
{
    uint64_t others = sm->live & ~sm->at_barrier;
    uint32_t w = bits_lowest(others ? others : sm->live);
    const struct warp *warp = &sm->warps[w];
    const struct cta_slot *c = &sm->ctas[warp->cta];
    uint32_t at = warp->at < warp->n ? warp->at : warp->n ? warp->n - 1 : 0;
    buf_printf(out, "SM %u: warp %u of CTA %u %s", sm->id, w, c->index, waits_for(sm, w));
    if (warp->n)
        buf_printf(out, " (instruction %u of %u, pc 0x%llx)", warp->at, warp->n,
                   (unsigned long long)warp->statics[warp->insts[at].stat].pc);
    buf_printf(out,
               ", %u loads and %u stores out; L1: %u of %u MSHRs, %u in the pipeline, %u of %u "
               "misses queued, %u replies",
               warp->n_loads, warp->n_stores, sm->mshr.n_used, sm->mshr.n_entries, sm->n_piped,
               sm->misses.n, sm->misses.cap, sm->responses.n);
}

static void check_ring(struct gpu *g, const struct ring *r)
{
    if (r->n > r->most)
        bounds_break(&g->bounds, r->name, true);
}

static void check_delay_ring(struct gpu *g, const struct delay_ring *r)
{
    if (r->n > r->cap)
        bounds_break(&g->bounds, r->name, true);
}

void gpu_check_queues(struct gpu *g)
{
    for (uint32_t i = 0; i < g->n_sms; i++) {
        const struct sm *s = &g->sms[i];
        const struct ring *rings[] = {&s->misses, &s->responses, &s->bypassed, &s->fetch_misses};
        const struct delay_ring *delays[] = {&s->hits, &s->shared_ops, &s->results,
                                             &s->texture_ops};
        for (uint32_t k = 0; k < 4; k++) {
            check_ring(g, rings[k]);
            check_delay_ring(g, delays[k]);
        }
    }
    for (uint32_t i = 0; i < g->n_clusters; i++) {
        check_delay_ring(g, &g->clusters[i].inject);
        check_delay_ring(g, &g->clusters[i].answers);
        check_ring(g, &g->clusters[i].responses);
    }
    for (uint32_t i = 0; i < g->n_slices; i++) {
        const struct slice *s = &g->slices[i];
        const struct ring *rings[] = {&s->queue, &s->misses, &s->to_dram, &s->from_dram,
                                      &s->replies};
        check_delay_ring(g, &s->incoming);
        if (g->cfg.halves) {
            check_delay_ring(g, &s->far_in);
            check_delay_ring(g, &s->far_back);
        }
        for (uint32_t k = 0; k < 5; k++)
            check_ring(g, rings[k]);
    }
    for (uint32_t i = 0; i < g->n_dram_channels; i++) {
        check_delay_ring(g, &g->dram_channels[i].incoming);
        check_delay_ring(g, &g->dram_channels[i].data);
        check_ring(g, &g->dram_channels[i].returns);
    }
}

void gpu_describe_stuck(const struct gpu *g, struct buf *out)
{
    uint32_t said = 0;
    for (uint32_t s = 0; s < g->n_sms && said < 3; s++)
        if (g->sms[s].live) {
            if (said++)
                buf_add(out, "; ");
            describe_sm(&g->sms[s], out);
        }
    for (uint32_t c = 0; c < g->n_clusters; c++)
        if (g->clusters[c].inject.n || g->clusters[c].responses.n) {
            buf_printf(out,
                       "; cluster %u: %u of %u requests wait for the network, %u of %u replies", c,
                       g->clusters[c].inject.n, g->clusters[c].inject.cap,
                       g->clusters[c].responses.n, g->clusters[c].responses.cap);
            break;
        }
    for (uint32_t i = 0; i < g->n_slices; i++) {
        const struct slice *s = &g->slices[i];
        if (!s->mshr.n_used && !s->queue.n && !s->to_dram.n && !s->replies.n)
            continue;
        buf_printf(out,
                   "; slice %u: %u at the tags, %u of %u MSHRs, %u to and %u from the DRAM, %u "
                   "replies",
                   i, s->queue.n, s->mshr.n_used, s->mshr.n_entries, s->to_dram.n, s->from_dram.n,
                   s->replies.n);
        break;
    }
    for (uint32_t i = 0; i < g->n_dram_channels; i++) {
        const struct dram_channel *c = &g->dram_channels[i];
        uint32_t n_waiting = g->dram_sched->waiting(c->sched);
        if (!c->work && !n_waiting && !c->incoming.n && !c->returns.n)
            continue;
        buf_printf(out, "; channel %u: %u arriving, %u waiting, %u banks at work, %u to return", i,
                   c->incoming.n, n_waiting, bits_count(c->work), c->returns.n);
        break;
    }
    buf_printf(out, "; %u requests live", g->pool.n_live);
}
