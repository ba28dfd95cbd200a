/* SPDX-License-Identifier: MIT */
#include "gen/run/setup.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "gen/command.h"
#include "gen/workload/trace_front.h"
#include "sim/trace/synth.h"

static bool is_local(const struct arch *a)
{
    return a->gpu.network != NETWORK_design;
}

/* Everything the simulator must know about time is said by keys. */
static bool is_timed_by_keys(const struct arch *a)
{
    return is_local(a) && a->l1.hit_cycles && a->llc.hit_cycles;
}

static uint64_t khz(double ghz)
{
    return (uint64_t)llround(ghz * 1e6);
}

static void timing_from_keys(const struct arch *a, struct timing *t)
{
    *t = (struct timing){.l1_hit = a->l1.hit_cycles,
                         .shared_memory = a->sm.shared_latency,
                         .merge_table = a->cluster.icc_cycles,
                         .coalesced_cache = a->cluster.cc_cycles,
                         .mshr = 1,
                         .l2_hit = a->llc.hit_cycles,
                         .dram_fixed = a->dram.fixed_cycles};
    t->clock_khz[CLOCK_CORE] = khz(a->gpu.core_ghz);
    t->clock_khz[CLOCK_NOC] = khz(a->noc[NOC_REQUEST].clock_ghz);
    t->clock_khz[CLOCK_L2] = khz(a->gpu.l2_ghz);
    t->clock_khz[CLOCK_DRAM] = khz(a->gpu.dram_ghz);
}

/* Which local crossbar of a CD-Xbar each SM hangs on, from 0. */
static uint32_t *crossbars_of(const struct noc *noc, uint32_t n_sms, struct arena *mem)
{
    uint32_t *of = arena_many(mem, uint32_t, n_sms),
             *number = arena_many(mem, uint32_t, noc->n_routers);
    uint32_t n = 0;
    for (uint32_t sm = 0; sm < n_sms; sm++) {
        uint32_t router = noc_endpoint_router(noc, noc_endpoint_of_sm(noc, sm));
        if (!number[router])
            number[router] = ++n;
        of[sm] = number[router] - 1;
    }
    return of;
}

bool sim_setup_make(const struct arch *arch, const char *data_dir, bool want_prices,
                    unsigned n_threads, struct arena *mem, struct sim_setup *out, struct err *err)
{
    *out = (struct sim_setup){.arch = arch};
    if (want_prices || !is_timed_by_keys(arch)) {
        out->design = arena_new(mem, struct design);
        out->priced = arena_new(mem, struct priced);
        if (!design_make(arch, false, mem, out->design, err) ||
            !design_price(out->design, data_dir, n_threads, mem, out->priced, err))
            return false;
        out->timing = out->priced->timing;
    } else {
        timing_from_keys(arch, &out->timing);
    }
    const struct design *d = out->design;
    bool uses_design = d && !is_local(arch);
    out->config = (struct gpu_config){
        .gpu = &arch->gpu,
        .sm = &arch->sm,
        .l1 = &arch->l1,
        .coalescer = &arch->coalescer,
        .cluster = &arch->cluster,
        .llc = &arch->llc,
        .dram = &arch->dram,
        .cta = &arch->cta,
        .sim = &arch->sim,
        .router = {&arch->noc[0].router, &arch->noc[1].router},
        .noc = {uses_design ? &d->request : NULL, uses_design && d->has_reply ? &d->reply : NULL},
        .width_bits = {arch->noc[0].params.width_bits, arch->noc_shared
                                                           ? arch->noc[0].params.width_bits
                                                           : arch->noc[1].params.width_bits},
    };
    if (uses_design && strcmp(d->request.topology, "cdxbar") == 0)
        out->config.crossbar_of = crossbars_of(&d->request, arch->gpu.n_sms, mem);
    return true;
}

struct gpu *sim_setup_gpu(const struct sim_setup *setup, struct arena *mem, struct err *err)
{
    struct gpu_config config = setup->config;
    config.timing = &setup->timing;
    const struct packet_merge_params *merge = &setup->arch->noc[NOC_REQUEST].merge;
    config.merge = merge->entries && config.noc[0] ? merge : NULL;
    return gpu_new(&config, mem, err);
}

bool sim_source_open(struct app *app, const struct options *options, const struct arch *arch,
                     const char *what, struct trace_source *out)
{
    if (strncmp(what, "synth:", 6) == 0)
        return trace_synth_open(what + 6, &arch->synth, &app->mem, out, &app->err);
    struct trace_request r = {
        .workload = what, .preset = option_get(options, "preset"), .data_dir = app->data_dir};
    return trace_front_open(&r, &app->mem, out, &app->err);
}
