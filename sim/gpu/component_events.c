/* SPDX-License-Identifier: MIT
 *
 * The machine's counters as events of components: what the energy account multiplies. */
#include <assert.h>
#include <stddef.h>

#include "sim/cluster/cluster.h"
#include "sim/fabric/fabric.h"
#include "sim/frame/array_events.h"
#include "sim/frame/machine.h"
#include "sim/gpu/gpu.h"
#include "sim/memory/dram.h"
#include "sim/memory/l2.h"
#include "sim/net/net.h"
#include "sim/sm/sm.h"

void gpu_sm_events(const struct gpu *g, uint32_t sm, uint64_t counts[EV_COUNT])
{
    static const uint8_t event[TC_COUNT] = {
        [TC_INT] = EV_INST_INT,         [TC_INT_MUL] = EV_INST_INT_MUL,
        [TC_INT_DIV] = EV_INST_INT_DIV, [TC_FP32] = EV_INST_FP32,
        [TC_FP64] = EV_INST_FP64,       [TC_FP16] = EV_INST_FP16,
        [TC_SFU] = EV_INST_SFU,         [TC_TENSOR] = EV_INST_TENSOR,
        [TC_LOAD] = EV_INST_MEM,        [TC_STORE] = EV_INST_MEM,
        [TC_ATOMIC] = EV_INST_MEM,      [TC_REDUCE] = EV_INST_MEM,
        [TC_BARRIER] = EV_INST_OTHER,   [TC_FENCE] = EV_INST_OTHER,
        [TC_BRANCH] = EV_INST_OTHER,    [TC_SHUFFLE] = EV_INST_OTHER,
        [TC_PREFETCH] = EV_INST_MEM,    [TC_NOP] = EV_INST_OTHER,
        [TC_EXIT] = EV_INST_OTHER,      [TC_UNIFORM] = EV_INST_INT,
    };
    const struct sm_stats *s = &g->sms[sm].stats;
    for (uint32_t c = 0; c < TC_COUNT; c++)
        counts[event[c]] += c == TC_TENSOR ? s->tensor_steps : s->thread_by_class[c];
    counts[EV_WARP_ISSUE] += s->warp_insts;
    counts[EV_COALESCED_READ] += s->l1_accesses - s->l1_writes;
    counts[EV_COALESCED_WRITE] += s->l1_writes;
    counts[EV_SM_ACTIVE] += s->active_cycles;
    counts[EV_SM_IDLE] += g->now - s->active_cycles;
}

#define FUNCTION_WITH_ROUTER(name) NULL
#define FUNCTION_READ_WRITE(name) name##_events
#define FUNCTION_READ_WRITE_SEARCH(name) name##_events

static struct array_counts (*const array_events[ROLE_COUNT])(const struct gpu *, uint32_t) = {
#define X(id, name, scope, events) [ROLE_##id] = FUNCTION_##events(name),
    ARRAYS(X)
#undef X
};

void gpu_array_events(const struct gpu *g, enum array_role role, uint32_t i,
                      uint64_t counts[EV_COUNT])
{
    assert(array_events[role]); /* those of routers are not asked for */
    struct array_counts n = array_events[role](g, i);
    counts[EV_ARRAY_READ] += n.reads;
    counts[EV_ARRAY_WRITE] += n.writes;
    counts[EV_ARRAY_SEARCH] += n.searches;
}

void gpu_router_events(const struct gpu *g, enum noc_dir dir, uint32_t router,
                       uint64_t counts[EV_COUNT])
{
    const struct net *net = fabric_net(g->fabric, dir);
    if (net)
        net_router_counts(net, router, counts);
    const struct noc_halves *h = g->cfg.halves;
    for (uint32_t s = 0; h && s < g->n_slices; s++) /* crossings end in a queue there */
        if (g->cfg.noc[dir]->channels[h->crossing[dir][s]].dst == router) {
            const struct slice_stats *t = &g->slices[s].stats;
            uint64_t flits = dir == NOC_REQUEST ? t->far_request_flits : t->far_reply_flits;
            uint64_t empty = dir == NOC_REQUEST ? t->far_request_empty : t->far_reply_empty;
            counts[EV_BUF_WRITE] += flits;
            counts[EV_BUF_READ] += flits;
            counts[EV_BUF_GATED] += empty;
        }
}

void gpu_channel_events(const struct gpu *g, enum noc_dir dir, uint32_t channel,
                        uint64_t counts[EV_COUNT])
{
    const struct net *net = fabric_net(g->fabric, dir);
    if (net)
        net_channel_counts(net, channel, counts);
    const struct noc_halves *h = g->cfg.halves;
    for (uint32_t s = 0; h && s < g->n_slices; s++)
        if (h->crossing[dir][s] == channel) {
            const struct slice_stats *t = &g->slices[s].stats;
            counts[EV_LINK] += dir == NOC_REQUEST ? t->far_request_flits : t->far_reply_flits;
            counts[EV_LINK_GATED] += dir == NOC_REQUEST ? t->far_request_empty : t->far_reply_empty;
        }
}

void gpu_sm_link_events(const struct gpu *g, enum noc_dir dir, uint32_t sm,
                        uint64_t counts[EV_COUNT])
{
    counts[EV_LINK] += g->sms[sm].port[dir].flits;
    counts[EV_LINK_GATED] += g->sms[sm].port[dir].empty;
}

void gpu_concentrator_events(const struct gpu *g, enum noc_dir dir, uint32_t cluster,
                             uint64_t counts[EV_COUNT])
{
    const struct cluster *c = &g->clusters[cluster];
    for (uint32_t i = 0; i < c->n_sms; i++) {
        const struct port_counts *p = &g->sms[c->first_sm + i].port[dir];
        counts[EV_BUF_WRITE] += p->flits;
        counts[EV_BUF_READ] += p->flits;
        counts[EV_XBAR] += p->flits;
        counts[EV_SW_ALLOC] += p->flits;
        counts[EV_VC_ALLOC] += p->packets;
        counts[EV_BUF_GATED] += p->empty;
        counts[EV_XBAR_GATED] += p->empty;
    }
    counts[EV_ROUTER_CLOCK] += g->clocks.ticks[CLOCK_NOC];
}

/* Adds what crosses the crossbar in one direction to the events of `noc`, its one router. */
static void add_crossing(const struct gpu *g, enum noc_dir dir, const struct noc *noc,
                         uint64_t (*routers)[EV_COUNT], uint64_t (*channels)[EV_COUNT])
{
    uint64_t sent = 0, empty = 0;
    for (uint32_t c = 0; c < noc->n_channels; c++) {
        const struct noc_channel *ch = &noc->channels[c];
        bool is_source = ch->src_node == NOC_ENDPOINT;
        struct fabric_end e = fabric_end(g->fabric, dir, is_source ? ch->src : ch->dst, is_source);
        uint64_t unused = e.flits * g->flit_bytes[dir] - e.bytes;
        channels[c][EV_LINK] += e.flits;
        channels[c][EV_LINK_GATED] += unused;
        sent += is_source ? e.flits : 0;
        empty += is_source ? unused : 0;
    }
    routers[0][EV_BUF_WRITE] += sent;
    routers[0][EV_BUF_READ] += sent;
    routers[0][EV_XBAR] += sent;
    routers[0][EV_BUF_GATED] += empty;
    routers[0][EV_XBAR_GATED] += empty;
    routers[0][EV_VC_ALLOC] += fabric_counts(g->fabric, dir).packets;
    routers[0][EV_SW_ALLOC] += sent;
}

void gpu_crossbar_events(const struct gpu *g, enum noc_dir dir, const struct noc *noc,
                         uint64_t (*routers)[EV_COUNT], uint64_t (*channels)[EV_COUNT])
{
    assert(noc->n_routers == 1);
    if (dir != NOC_REPLY)
        add_crossing(g, NOC_REQUEST, noc, routers, channels);
    if (dir != NOC_REQUEST)
        add_crossing(g, NOC_REPLY, noc, routers, channels);
    routers[0][EV_ROUTER_CLOCK] += g->clocks.ticks[CLOCK_NOC];
}

void gpu_mc_events(const struct gpu *g, uint32_t controller, uint64_t counts[EV_COUNT])
{
    const struct dram_channel *c = &g->dram_channels[controller];
    counts[EV_MC_READ] += c->stats.reads * c->atom_bytes / 32;
    counts[EV_MC_WRITE] += c->stats.writes * c->atom_bytes / 32;
}

void gpu_dram_events(const struct gpu *g, uint32_t controller, uint64_t counts[EV_COUNT])
{
    const struct dram_stats *s = &g->dram_channels[controller].stats;
    uint64_t ticks = g->clocks.ticks[CLOCK_DRAM];
    counts[EV_DRAM_ACTIVATE] += s->activates;
    counts[EV_DRAM_PRECHARGE] += s->precharges;
    counts[EV_DRAM_READ] += s->reads;
    counts[EV_DRAM_WRITE] += s->writes;
    counts[EV_DRAM_IO] += s->reads + s->writes;
    counts[EV_DRAM_REFRESH] += ticks;
    counts[EV_DRAM_BACKGROUND] += ticks;
}
