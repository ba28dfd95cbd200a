/* SPDX-License-Identifier: MIT */
#include "sim/gpu/busiest.h"

#include "sim/fabric/fabric.h"
#include "sim/frame/machine.h"
#include "sim/gpu/gpu.h"
#include "sim/memory/dram.h"
#include "sim/memory/l2.h"

static uint64_t channel_flits(const struct gpu *g, enum noc_dir dir, uint32_t i)
{
    uint64_t counts[EV_COUNT] = {0};
    gpu_channel_events(g, dir, i, counts);
    return counts[EV_LINK];
}

static uint64_t used(const struct gpu *g, enum gpu_limit limit, uint32_t i)
{
    switch (limit) {
    case LIMIT_REQUEST_LINK:
        return g->cfg.noc[0]->channels[i].is_side ? 0 : channel_flits(g, NOC_REQUEST, i);
    case LIMIT_REPLY_LINK:
        return g->cfg.noc[1]->channels[i].is_side ? 0 : channel_flits(g, NOC_REPLY, i);
    case LIMIT_L2_SLICE: return g->slices[i].stats.searches;
    case LIMIT_DRAM: return g->dram_channels[i].stats.bus_ticks;
    case GPU_LIMITS: break;
    }
    return 0;
}

void gpu_find_busiest(const struct gpu *g, struct gpu_busiest out[GPU_LIMITS])
{
    const struct noc *const *nets = g->cfg.noc;
    const uint32_t n[GPU_LIMITS] = {nets[0] ? nets[0]->n_channels : 0,
                                    nets[1] ? nets[1]->n_channels : 0, g->n_slices,
                                    g->n_dram_channels};
    const uint64_t ticks[GPU_LIMITS] = {g->clocks.ticks[CLOCK_NOC], g->clocks.ticks[CLOCK_NOC],
                                        g->clocks.ticks[CLOCK_L2], g->clocks.ticks[CLOCK_DRAM]};
    for (int k = 0; k < GPU_LIMITS; k++) {
        struct gpu_busiest b = {.n = n[k]};
        uint64_t most = 0, sum = 0;
        for (uint32_t i = 0; i < n[k]; i++) {
            uint64_t u = used(g, (enum gpu_limit)k, i);
            sum += u;
            if (u > most) {
                most = u;
                b.index = i;
            }
        }
        if (ticks[k] && n[k]) {
            b.share = (double)most / (double)ticks[k];
            b.mean = (double)sum / (double)ticks[k] / n[k];
        }
        out[k] = b;
    }
}
