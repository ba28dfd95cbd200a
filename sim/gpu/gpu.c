/* SPDX-License-Identifier: MIT */
#include "sim/gpu/gpu.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/buf.h"
#include "base/err.h"
#include "sim/cluster/cluster.h"
#include "sim/fabric/fabric.h"
#include "sim/frame/machine.h"
#include "sim/memory/address.h"
#include "sim/memory/dram.h"
#include "sim/memory/dram_sched.h"
#include "sim/memory/l2.h"
#include "sim/sm/pipeline.h"
#include "sim/study/locality.h"
#include "sim/study/window.h"

/* ---- make ---- */

/* What the arrays and masks of the parts can hold. Descriptions that ask for more are refused by
 * gen/config/validate.c, or by the range of a key. */
static void check_params(const struct gpu *g)
{
    const struct sm_params *sm = g->cfg.sm;
    const struct l1_params *l1 = g->cfg.l1;
    const struct llc_params *llc = g->cfg.llc;
    assert(sm->warps <= SM_MAX_WARPS && sm->schedulers <= 16 && sm->schedulers <= sm->warps);
    assert(sm->collectors <= COLLECTORS_MAX && sm->memory_collectors <= COLLECTORS_MAX);
    assert(sm->register_banks <= 256 && sm->shared_banks <= 128);
    assert(l1->banks <= 16 && l1->line_bytes == llc->line_bytes);
    assert(l1->sector_bytes == l1->line_bytes || llc->sector_bytes == llc->line_bytes ||
           l1->sector_bytes == llc->sector_bytes);
    assert(g->cfg.gpu->n_clusters <= g->cfg.gpu->n_sms &&
           bits_ceil_div(g->cfg.gpu->n_sms, g->cfg.gpu->n_clusters) <= 64);
    assert(llc->slices % g->cfg.dram->controllers == 0);
    (void)sm, (void)l1, (void)llc;
}

/* Of what several sub-cores share, each has a part. */
static uint32_t at_least_one(uint32_t n)
{
    return n ? n : 1;
}

/* The interval at which all copies of a unit together give so many results in a cycle. */
static uint32_t interval_of(const struct sm_params *p, uint32_t unit, uint32_t lanes)
{
    uint32_t groups = p->sub_cores ? p->schedulers : 1;
    uint32_t n = (uint32_t)bits_ceil_div(TRACE_LANES * groups * sm_units_of(p, unit), lanes);
    return n ? n : 1;
}

static void set_lanes(const struct gpu *g, uint32_t class, uint32_t lanes)
{
    struct unit_class *c = &g->sm_common->classes[class];
    if (lanes)
        c->interval = interval_of(g->cfg.sm, c->unit, lanes);
}

/* What goes at a rate of its own. */
static void rates_init(struct gpu *g, struct unit_class whole)
{
    const struct sm_params *p = g->cfg.sm;
    struct sm_common *sm = g->sm_common;
    const struct unit_class of[] = {[UNIT_OF_generation] = whole,
                                    [UNIT_OF_int] = whole,
                                    [UNIT_OF_fp32] = sm->classes[TC_FP32],
                                    [UNIT_OF_sfu] = {UNIT_SFU, p->sfu_latency, p->sfu_interval}};
    const uint32_t lanes[TR_COUNT] = {[TR_SHIFT] = p->shift_lanes,
                                      [TR_BITS] = p->bits_lanes,
                                      [TR_CONVERT] = p->convert_lanes,
                                      [TR_CONVERT64] = p->convert64_lanes,
                                      [TR_SHUFFLE] = p->shuffle_lanes};
    memset(sm->rate_class, CLASS_AS_TRACED, sizeof sm->rate_class);
    for (uint32_t r = TR_UNIT + 1; r < TR_COUNT; r++) {
        bool is_bits = r == TR_BITS || r == TR_CONVERT || r == TR_CONVERT64;
        sm->classes[CLASS_RATE + r] = is_bits ? of[p->bits_unit] : whole;
        set_lanes(g, CLASS_RATE + r, lanes[r]);
        if (lanes[r] || (r == TR_SHUFFLE && p->shuffle_latency))
            sm->rate_class[r] = (uint8_t)(CLASS_RATE + r);
    }
    if (p->shuffle_latency)
        sm->classes[CLASS_RATE + TR_SHUFFLE].latency = p->shuffle_latency;
    if (p->int_mul_unit == UNIT_OF_fp32)
        sm->classes[TC_INT_MUL].unit = UNIT_FP32;
    else if (p->int_mul_unit == UNIT_OF_sfu)
        sm->classes[TC_INT_MUL].unit = UNIT_SFU;
    set_lanes(g, TC_INT_MUL, p->int_mul_lanes);
    set_lanes(g, TC_FP16, p->fp16_lanes);
    sm->barrier_interval =
        p->barrier_lanes ? (uint32_t)bits_ceil_div(TRACE_LANES, p->barrier_lanes) : 0;
}

static void classes_init(struct gpu *g)
{
    const struct sm_params *p = g->cfg.sm;
    struct unit_class fp32 = {UNIT_FP32, p->fp32_latency, p->fp32_interval};
    struct unit_class whole = {p->int_units ? UNIT_INT : UNIT_FP32, p->int_latency,
                               p->int_interval};
    struct unit_class sfu = {UNIT_SFU, p->sfu_latency, p->sfu_interval};
    struct unit_class branch = {UNIT_BRANCH, p->branch_latency, p->branch_interval};
    for (uint32_t c = 0; c < TC_COUNT; c++)
        g->sm_common->classes[c] = whole;
    g->sm_common->classes[TC_FP32] = g->sm_common->classes[TC_FP16] = fp32;
    g->sm_common->classes[TC_SFU] = g->sm_common->classes[TC_INT_DIV] = sfu;
    g->sm_common->classes[TC_FP64] = (struct unit_class){p->fp64_units ? UNIT_FP64 : UNIT_SFU,
                                                         p->fp64_latency, p->fp64_interval};
    g->sm_common->classes[TC_TENSOR] = (struct unit_class){
        p->tensor_units ? UNIT_TENSOR : UNIT_FP32, p->tensor_latency, p->tensor_interval};
    if (p->branch_units)
        g->sm_common->classes[TC_BRANCH] = branch;
    if (p->uniform_units)
        g->sm_common->classes[TC_UNIFORM] =
            (struct unit_class){UNIT_UNIFORM, p->uniform_latency, p->uniform_interval};
    g->sm_common->classes[CLASS_TEXTURE] =
        (struct unit_class){UNIT_TEXTURE, p->texture_cycles, p->texture_interval};
    rates_init(g, whole);
    uint32_t arithmetic = whole.latency;
    g->sm_common->guard_cycles =
        p->predicate_latency > arithmetic ? p->predicate_latency - arithmetic : 0;
    if (g->sm_common->pipeline->adapt_classes)
        g->sm_common->pipeline->adapt_classes(g->sm_common->classes);
    g->sm_common->classes[TC_LOAD].unit = g->sm_common->classes[TC_STORE].unit = UNIT_MEM;
    g->sm_common->classes[TC_ATOMIC].unit = g->sm_common->classes[TC_REDUCE].unit = UNIT_MEM;
    g->sm_common->classes[TC_PREFETCH].unit = UNIT_MEM;
}

static void policies_init(struct gpu *g)
{
    g->sm_common->warp_sched = warp_scheds[g->cfg.sm->scheduler];
    g->sm_common->coalescer = coalescers[g->cfg.coalescer->kind];
    g->dram_sched = dram_scheds[g->cfg.dram->scheduler];
    g->cta_sched = cta_sched_of(g->cfg.cta);
    g->sm_common->pipeline = pipelines[g->cfg.sm->pipeline];
    g->sm_common->rules = g->sm_common->pipeline->rules;
}

static bool fabric_init(struct gpu *g, struct err *err)
{
    const struct gpu_config *c = &g->cfg;
    bool is_switch = c->gpu->network == NETWORK_switch;
    bool is_local = c->gpu->network != NETWORK_design;
    struct fabric_params p = {.n_ports = g->n_clusters,
                              .n_slices = g->n_slices,
                              .depth = is_switch ? c->gpu->switch_depth : c->gpu->local_depth,
                              .cycles = c->gpu->local_cycles,
                              .is_serial = c->gpu->local_serial,
                              .is_switch = is_switch,
                              .source_flits = c->gpu->switch_queue,
                              .sink_flits = c->gpu->switch_boundary,
                              .source_depth = 2,
                              .sink_depth = 4,
                              .seed = c->sim->seed,
                              .start = c->sim->start,
                              .watchdog_cycles = c->sim->watchdog_cycles,
                              .verify = c->sim->verify};
    for (int d = 0; d < 2; d++)
        g->flit_bytes[d] = c->width_bits[d] / 8;
    if (!is_local) {
        p.request = c->noc[NOC_REQUEST];
        p.reply = c->noc[NOC_REPLY];
        p.router[0] = c->router[0];
        p.router[1] = c->router[1];
        p.channel_cycles[0] = c->timing->request_channel;
        p.channel_cycles[1] = c->timing->reply_channel;
        p.traversal_extra[0] = c->timing->request_traversal;
        p.traversal_extra[1] = c->timing->reply_traversal;
        p.extra_alloc[0] = c->timing->extra_alloc[0];
        p.extra_alloc[1] = c->timing->extra_alloc[1];
        p.merge = c->merge;
        if (p.request->n_sm_ports != g->n_clusters ||
            p.request->n_endpoints != g->n_clusters + g->n_slices)
            return err_add(err, ERR_INPUT, (struct where){NULL, 0, "gpu.clusters"},
                           "the network has %u SM ports and %u endpoints, the GPU %u clusters and "
                           "%u slices",
                           p.request->n_sm_ports, p.request->n_endpoints, g->n_clusters,
                           g->n_slices);
    }
    g->fabric = fabric_new(&p, g->mem, err);
    return g->fabric != NULL;
}

static void masks_init(struct gpu *g)
{
    g->sm_words = (uint32_t)bits_words(g->n_sms);
    g->cluster_word = g->sm_words;
    g->slice_word = g->cluster_word + (uint32_t)bits_words(g->n_clusters);
    g->dram_word = g->slice_word + (uint32_t)bits_words(g->n_slices);
    g->words = g->dram_word + (uint32_t)bits_words(g->n_dram_channels);
    uint64_t *now = arena_many(g->mem, uint64_t, g->words);
    g->sm_now = now;
    g->cluster_now = now + g->cluster_word;
    g->slice_now = now + g->slice_word;
    g->dram_now = now + g->dram_word;
    g->sleepers = arena_many(g->mem, uint64_t, (size_t)g->words * MACHINE_WHEEL);
    g->sleep_any = arena_many(g->mem, uint64_t, MACHINE_WHEEL / 64);
    g->reply_now = arena_many(g->mem, uint64_t, bits_words(g->n_slices));
    g->launched = arena_many(g->mem, uint64_t, g->sm_words);
    g->sm_run = arena_many(g->mem, uint64_t, g->sm_words);
    g->room = arena_many(g->mem, uint32_t, g->n_sms);
    g->later = arena_many(g->mem, uint32_t, g->n_sms);
    g->owner = arena_many(g->mem, uint32_t, g->n_sms);
}

static void clusters_init(struct gpu *g)
{
    uint32_t *of = arena_many(g->mem, uint32_t, g->n_sms);
    uint32_t *first = arena_many(g->mem, uint32_t, g->n_clusters);
    uint32_t *n = arena_many(g->mem, uint32_t, g->n_clusters);
    uint32_t n_crossbars = g->n_clusters;
    for (uint32_t c = 0; c < g->n_clusters; c++) {
        struct cluster *k = &g->clusters[c];
        uint64_t sms = g->n_sms;
        first[c] = (uint32_t)(c * sms / g->n_clusters);
        n[c] = (uint32_t)((c + 1) * sms / g->n_clusters) - first[c];
        if (g->cfg.noc[0]) { /* the network knows who is behind its ports */
            first[c] = g->cfg.noc[0]->endpoints[c].first;
            n[c] = g->cfg.noc[0]->endpoints[c].n;
        }
        k->first_sm = first[c];
        k->n_sms = n[c];
        delay_ring_init(&k->inject, "the queue of a cluster into the network",
                        g->cfg.cluster->inject_depth, &g->bounds, g->mem);
        delay_ring_init(&k->answers, "the queue of answers inside a cluster", 64 * 32 * k->n_sms,
                        &g->bounds, g->mem);
        ring_init(&k->responses, "the reply queue of a cluster", g->cfg.cluster->response_depth,
                  &g->bounds, g->mem);
        for (uint32_t s = 0; s < n[c]; s++)
            of[first[c] + s] = c;
    }
    if (g->cfg.crossbar_of) {
        n_crossbars = 0;
        for (uint32_t s = 0; s < g->n_sms; s++)
            if (g->cfg.crossbar_of[s] >= n_crossbars)
                n_crossbars = g->cfg.crossbar_of[s] + 1;
    }
    g->cluster_of = of;
    g->cta_machine = (struct cta_machine){g->n_sms,
                                          g->n_clusters,
                                          of,
                                          first,
                                          n,
                                          g->cfg.crossbar_of ? g->cfg.crossbar_of : of,
                                          n_crossbars,
                                          g->cfg.sim->seed,
                                          g->cfg.sim->start,
                                          NULL,
                                          g->later,
                                          NULL};
}

struct gpu *gpu_new(const struct gpu_config *config, struct arena *mem, struct err *err)
{
    struct gpu *g = arena_new(mem, struct gpu);
    struct address_map *map = arena_new(mem, struct address_map);
    g->sm_common = arena_new(mem, struct sm_common);
    g->map = map;
    g->mem = mem;
    g->err = err;
    g->cfg = *config;
    check_params(g);
    if (!address_init(map, g->cfg.llc, g->cfg.dram, mem, err))
        return NULL;
    map->offset = (uint64_t)g->cfg.sim->start * ADDRESS_START_BYTES;
    policies_init(g);
    clocks_init(&g->clocks, config->timing->clock_khz);
    req_pool_init(&g->pool, mem);
    g->n_sms = g->cfg.gpu->n_sms;
    g->n_clusters = g->cfg.gpu->n_clusters;
    g->n_slices = g->cfg.llc->slices;
    g->n_dram_channels = g->cfg.dram->controllers;
    const struct l1_params *l1 = g->cfg.l1;
    g->sm_common->l1_hit = config->timing->l1_hit;
    g->sm_common->l1_lookup = config->timing->l1_lookup;
    g->sm_common->shared_latency = config->timing->shared_memory;
    g->sm_common->l1_interval = config->timing->l1_interval;
    g->sm_common->shared_interval = config->timing->shared_interval;
    g->l2_interval = config->timing->l2_interval;
    g->l2_latency = config->timing->l2_hit;
    g->dram_latency = config->timing->dram_fixed;
    g->sm_common->l1_is_through = l1->write == L1_WRITE_through;
    g->sm_common->l1_is_back = l1->write == L1_WRITE_back;
    bool has_sectors = l1->sector_bytes < l1->line_bytes;
    g->sm_common->rule = (struct coalesce_rule){
        .granule_bytes = l1->sector_bytes,
        .line_bytes = l1->line_bytes,
        .piece_bytes = has_sectors ? l1->sector_bytes : g->cfg.llc->sector_bytes,
        .by_segments = config->coalescer->rule == COALESCE_segments};
    uint32_t parts = l1->line_bytes / g->sm_common->rule.granule_bytes;
    g->sm_common->l1_pipes = l1->tags_per_cycle ? l1->tags_per_cycle * parts : l1->banks;
    assert(g->sm_common->l1_pipes <= SM_MAX_BANKS);
    g->line_pieces = l1->line_bytes / g->sm_common->rule.piece_bytes;
    const struct sm_params *sm = g->cfg.sm;
    uint32_t groups = sm->sub_cores ? sm->schedulers : 1;
    g->sm_common->banks_each = at_least_one(sm->register_banks / groups);
    g->sm_common->bank_mask =
        bits_is_pow2(g->sm_common->banks_each) ? g->sm_common->banks_each - 1 : 0;
    g->sm_common->collectors_each = at_least_one(sm->collectors / groups);
    if (g->sm_common->pipeline->check && !g->sm_common->pipeline->check(g, err))
        return NULL;
    classes_init(g);
    masks_init(g);
    g->sms = arena_many(mem, struct sm, g->n_sms);
    g->clusters = arena_many(mem, struct cluster, g->n_clusters);
    g->slices = arena_many(mem, struct slice, g->n_slices);
    g->dram_channels = arena_many(mem, struct dram_channel, g->n_dram_channels);
    for (int d = 0; d < 2 && g->cfg.halves; d++) { /* the longest crossing's, in the L2's clock */
        const uint16_t *cycles =
            d ? config->timing->reply_channel : config->timing->request_channel;
        uint64_t l2 = g->clocks.khz[CLOCK_L2], noc = g->clocks.khz[CLOCK_NOC], most = 0;
        for (uint32_t s = 0; s < g->n_slices; s++)
            most = cycles[g->cfg.halves->crossing[d][s]] > most
                       ? cycles[g->cfg.halves->crossing[d][s]]
                       : most;
        g->far_cycles[d] = (uint32_t)bits_ceil_div(most * l2, noc);
    }
    bool ok = fabric_init(g, err);
    if (ok)
        clusters_init(g);
    for (uint32_t i = 0; i < g->n_sms && ok; i++)
        ok = sm_init(&g->sms[i], g, i, err);
    for (uint32_t i = 0; i < g->n_slices && ok; i++)
        ok = slice_init(&g->slices[i], g, i, err);
    for (uint32_t i = 0; i < g->n_dram_channels && ok; i++)
        dram_init(&g->dram_channels[i], g, i);
#define X(name) ok = ok && name##_attach(g, err);
    PLUG_INS(X)
#undef X
    if (ok && g->cfg.sim->icl_window)
        g->locality = locality_attach(g, g->cfg.sim->icl_window);
    if (ok && g->cfg.sim->windows)
        g->windows = window_attach(g);
    return ok ? g : NULL;
}

void gpu_add_probe(struct gpu *g, const struct sim_probe *probe)
{
    machine_watch(g, probe);
}

uint64_t gpu_cycles(const struct gpu *g)
{
    return g->now;
}

bool gpu_stopped_early(const struct gpu *g)
{
    return g->was_stopped;
}

uint32_t gpu_crossbars(const struct gpu *g)
{
    return g->cta_machine.n_crossbars;
}

uint64_t gpu_crossbar_requests(const struct gpu *g, uint32_t crossbar)
{
    uint64_t n = 0;
    for (uint32_t c = 0; c < g->n_clusters; c++)
        if (g->cta_machine.crossbar_of[g->clusters[c].first_sm] == crossbar)
            n += g->clusters[c].requests;
    return n;
}

void gpu_program_result(const struct gpu *g, uint32_t program, struct gpu_program *out)
{
    *out = (struct gpu_program){.is_done = true};
    for (uint32_t i = 0; i < g->n_launches; i++) {
        const struct launch *l = &g->launches[i];
        if (l->program != program)
            continue;
        out->warp_insts += l->issued_insts;
        out->is_done &= l->is_done;
        out->rounds = l->rounds; /* of its last kernel */
        if (l->is_done && l->ended > out->cycles)
            out->cycles = l->ended;
    }
    if (!out->is_done)
        out->cycles = g->now;
}
