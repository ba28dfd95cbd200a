/* SPDX-License-Identifier: MIT
 *
 * The machine's counters as events of components: what the energy account multiplies. */
#include "sim/fabric/fabric.h"
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
        [TC_NOP] = EV_INST_OTHER,       [TC_EXIT] = EV_INST_OTHER,
    };
    const struct sm_stats *s = &g->sms[sm].stats;
    for (uint32_t c = 0; c < TC_COUNT; c++)
        counts[event[c]] += s->thread_by_class[c];
    counts[EV_WARP_ISSUE] += s->warp_insts;
    counts[EV_SM_ACTIVE] += s->active_cycles;
    counts[EV_SM_IDLE] += g->now - s->active_cycles;
}

static void sm_array(const struct gpu *g, enum gpu_array array, const struct sm_stats *s,
                     uint64_t counts[EV_COUNT])
{
    (void)g;
    switch (array) {
    case GPU_REGISTER_FILE:
        counts[EV_ARRAY_READ] += s->reg_reads;
        counts[EV_ARRAY_WRITE] += s->reg_writes;
        break;
    case GPU_SHARED_MEMORY:
        counts[EV_ARRAY_READ] += s->shared_reads;
        counts[EV_ARRAY_WRITE] += s->shared_writes;
        break;
    case GPU_L1:
        counts[EV_ARRAY_READ] += s->l1_data_reads;
        counts[EV_ARRAY_WRITE] += s->l1_data_writes;
        counts[EV_ARRAY_SEARCH] += s->l1_searches;
        break;
    case GPU_L1_MSHR:
        counts[EV_ARRAY_READ] += s->mshr_reads;
        counts[EV_ARRAY_WRITE] += s->mshr_writes;
        counts[EV_ARRAY_SEARCH] += s->mshr_searches;
        break;
    default: break;
    }
}

static void pool_array(const struct sm *sm, uint32_t which, uint64_t counts[EV_COUNT])
{
    if (!sm->common->coalescer->stats)
        return;
    const struct pool_stats *s = sm->common->coalescer->stats(sm->coalescer);
    counts[EV_ARRAY_READ] += s->reads[which];
    counts[EV_ARRAY_WRITE] += s->writes[which];
    counts[EV_ARRAY_SEARCH] += s->searches[which];
}

void gpu_array_events(const struct gpu *g, enum gpu_array array, uint32_t i,
                      uint64_t counts[EV_COUNT])
{
    switch (array) {
    case GPU_REGISTER_FILE:
    case GPU_SHARED_MEMORY:
    case GPU_L1:
    case GPU_L1_MSHR: sm_array(g, array, &g->sms[i].stats, counts); break;
    case GPU_POOL_INSTRUCTIONS:
    case GPU_POOL_COALESCERS:
    case GPU_POOL_MERGE_QUEUES:
    case GPU_POOL_THREAD_MAPS:
    case GPU_POOL_METADATA:
    case GPU_POOL_REORDER:
        pool_array(&g->sms[i], (uint32_t)(array - GPU_POOL_INSTRUCTIONS), counts);
        break;
    case GPU_MERGE_TABLE:
    case GPU_COALESCED_CACHE:
        if (g->hooks.events) {
            uint64_t n[3] = {0};
            g->hooks.events(g->hooks.ctx, i, array == GPU_COALESCED_CACHE, n);
            counts[EV_ARRAY_READ] += n[0];
            counts[EV_ARRAY_WRITE] += n[1];
            counts[EV_ARRAY_SEARCH] += n[2];
        }
        break;
    case GPU_L2:
        counts[EV_ARRAY_READ] += g->slices[i].stats.data_reads;
        counts[EV_ARRAY_WRITE] += g->slices[i].stats.data_writes;
        counts[EV_ARRAY_SEARCH] += g->slices[i].stats.searches;
        break;
    case GPU_L2_MSHR:
        counts[EV_ARRAY_READ] += g->slices[i].stats.mshr_reads;
        counts[EV_ARRAY_WRITE] += g->slices[i].stats.mshr_writes;
        counts[EV_ARRAY_SEARCH] += g->slices[i].stats.mshr_searches;
        break;
    case GPU_DRAM_QUEUE:
        counts[EV_ARRAY_READ] += g->dram_channels[i].stats.requests;
        counts[EV_ARRAY_WRITE] += g->dram_channels[i].stats.requests;
        if (g->cfg.dram->scheduler == DRAM_frfcfs) /* the others only look at the head */
            counts[EV_ARRAY_SEARCH] += g->dram_channels[i].stats.requests;
        break;
    case GPU_DRAM_BANK_QUEUES:
        counts[EV_ARRAY_READ] += g->dram_channels[i].stats.requests;
        counts[EV_ARRAY_WRITE] += g->dram_channels[i].stats.requests;
        break;
    case GPU_ARRAYS: break;
    }
}

void gpu_router_events(const struct gpu *g, enum noc_dir dir, uint32_t router,
                       uint64_t counts[EV_COUNT])
{
    const struct net *net = fabric_net(g->fabric, dir);
    if (net)
        net_router_counts(net, router, counts);
}

void gpu_channel_events(const struct gpu *g, enum noc_dir dir, uint32_t channel,
                        uint64_t counts[EV_COUNT])
{
    const struct net *net = fabric_net(g->fabric, dir);
    if (net)
        net_channel_counts(net, channel, counts);
}

void gpu_mc_events(const struct gpu *g, uint32_t i, uint64_t counts[EV_COUNT])
{
    const struct dram_channel *c = &g->dram_channels[i];
    counts[EV_MC_READ] += c->stats.reads * c->atom_bytes / 32;
    counts[EV_MC_WRITE] += c->stats.writes * c->atom_bytes / 32;
}

void gpu_dram_events(const struct gpu *g, uint32_t i, uint64_t counts[EV_COUNT])
{
    const struct dram_stats *s = &g->dram_channels[i].stats;
    uint64_t ticks = g->clocks.ticks[CLOCK_DRAM];
    counts[EV_DRAM_ACTIVATE] += s->activates;
    counts[EV_DRAM_PRECHARGE] += s->precharges;
    counts[EV_DRAM_READ] += s->reads;
    counts[EV_DRAM_WRITE] += s->writes;
    counts[EV_DRAM_REFRESH] += g->cfg.dram->trefi ? ticks / g->cfg.dram->trefi : 0;
    counts[EV_DRAM_BACKGROUND] += ticks;
}
