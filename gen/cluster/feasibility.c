/* SPDX-License-Identifier: MIT */
#include "gen/cluster/feasibility.h"

#include "base/arena.h"
#include "base/err.h"
#include "gen/config/arch.h"
#include "gen/run/setup.h"
#include "sim/frame/hooks.h"
#include "sim/frame/request.h"
#include "sim/gpu/gpu.h"
#include "sim/trace/trace.h"

#define INPUT ((uint64_t)1 << 32) /* where the lines lie */
#define NEVER_BEGAN UINT64_MAX

/* ---- the kernel ---- */

enum { S_CLOCK, S_LOAD, S_CLOCK_AGAIN, S_EXIT, STATICS };

/* A barrier stands for reading the clock: it issues when its operand is there, and tells when. */
static const struct trace_static statics[STATICS] = {
    [S_CLOCK] = {.pc = 0, .cls = TC_BARRIER, .n_src = 1, .src = {1}},
    [S_LOAD] = {.pc = 16,
                .cls = TC_LOAD,
                .space = TS_GLOBAL,
                .access_bytes = 4,
                .flags = TF_BY_SM,
                .n_dst = 1,
                .dst = {2},
                .n_src = 1,
                .src = {1}},
    [S_CLOCK_AGAIN] = {.pc = 32, .cls = TC_BARRIER, .n_src = 1, .src = {2}},
    [S_EXIT] = {.pc = 48, .cls = TC_EXIT},
};
static const struct trace_inst insts[STATICS] = {
    {.mask = 1, .stat = S_CLOCK},
    {.mask = 1, .stat = S_LOAD, .n_addresses = 1},
    {.mask = 1, .stat = S_CLOCK_AGAIN},
    {.mask = 1, .stat = S_EXIT},
};
static const struct trace_warp warp = {insts, STATICS};
static const uint64_t address = INPUT;

static bool load_cta(const struct trace_source *src, uint32_t kernel, uint32_t cta,
                     struct trace_cta *out, struct err *err)
{
    (void)src;
    (void)kernel;
    (void)err;
    *out = (struct trace_cta){.id = cta, .n_warps = 1, .warps = &warp, .addresses = &address};
    return true;
}

static void free_cta(const struct trace_source *src, struct trace_cta *cta)
{
    (void)src;
    (void)cta;
}

static void close_nothing(struct trace_source *src)
{
    (void)src;
}

/* ---- watching ---- */

static void saw_clock(void *ctx, uint32_t cta, uint32_t sm, uint64_t now)
{
    struct feasibility *f = ctx;
    struct feasibility_cta *c = &f->ctas[cta];
    if (c->began == NEVER_BEGAN) {
        c->sm = sm;
        c->began = now;
        f->ctas_of_sm[sm]++;
    } else {
        c->latency = (uint32_t)(now - c->began);
    }
}

static void saw_miss(void *ctx, uint32_t cluster, uint32_t sm, uint32_t cta,
                     const struct request *r, uint64_t now)
{
    struct feasibility *f = ctx;
    (void)cluster;
    (void)cta;
    (void)now;
    if (r->kind == REQ_READ && r->space == TS_GLOBAL)
        f->reads_of_sm[sm] += (r->bytes + 31u) / 32;
}

/* ---- what it says ---- */

/* As many CTAs as the SMs have places are the first turn. */
static void summarise(struct feasibility *f, uint32_t places)
{
    double sum[2] = {0}, reads = 0;
    uint32_t n[2] = {0};
    f->fastest = f->slowest = f->n_ctas ? f->ctas[0].latency : 0;
    for (uint32_t c = 0; c < f->n_ctas; c++) {
        int later = c >= places * f->n_sms;
        double l = f->ctas[c].latency;
        sum[later] += l;
        n[later]++;
        f->fastest = l < f->fastest ? l : f->fastest;
        f->slowest = l > f->slowest ? l : f->slowest;
    }
    for (uint32_t c = 0; c < f->n_ctas; c++)
        f->n_slow += f->ctas[c].latency > (f->fastest + f->slowest) / 2;
    for (uint32_t s = 0; s < f->n_sms; s++)
        reads += f->reads_of_sm[s];
    f->first_turn = n[0] ? sum[0] / n[0] : 0;
    f->later_turns = n[1] ? sum[1] / n[1] : 0;
    f->reads_per_sm = reads / f->n_sms;
}

bool feasibility_run(const struct feasibility_request *q, struct arena *mem,
                     struct feasibility *out, struct err *err)
{
    struct arch *arch = arena_new(mem, struct arch);
    struct sim_setup *setup = arena_new(mem, struct sim_setup);
    *arch = *q->arch;
    arch->cta.stagger = q->delay;
    arch->cta.clustering.mode = CTA_CLUSTERING_off;
    uint32_t places = arch->sm.ctas < arch->sm.warps ? arch->sm.ctas : arch->sm.warps;
    uint32_t turns = q->turns ? q->turns : places > 16 ? 2 : 4;
    struct feasibility f = {.n_sms = arch->gpu.n_sms, .turns = turns};
    f.n_ctas = f.n_sms * places * turns;
    f.ctas = arena_many(mem, struct feasibility_cta, f.n_ctas);
    f.ctas_of_sm = arena_many(mem, uint32_t, f.n_sms);
    f.reads_of_sm = arena_many(mem, uint32_t, f.n_sms);
    for (uint32_t c = 0; c < f.n_ctas; c++)
        f.ctas[c].began = NEVER_BEGAN;
    const struct trace_kernel kernel = {.name = "feasibility",
                                        .grid = {f.n_ctas, 1, 1},
                                        .block = {32, 1, 1},
                                        .n_ctas = f.n_ctas,
                                        .warps_per_cta = 1,
                                        .regs_per_thread = 8,
                                        .statics = statics,
                                        .n_statics = STATICS,
                                        .n_warp_insts = (uint64_t)f.n_ctas * STATICS,
                                        .n_thread_insts = (uint64_t)f.n_ctas * STATICS};
    const struct trace_source source = {.name = "feasibility",
                                        .file = "feasibility",
                                        .kernels = &kernel,
                                        .n_kernels = 1,
                                        .load_cta = load_cta,
                                        .free_cta = free_cta,
                                        .close = close_nothing};
    const struct trace_source *programs[] = {&source};
    const struct gpu_run run = {.programs = programs, .n_programs = 1};
    const struct sim_probe probe = {.ctx = &f, .barrier = saw_clock, .miss = saw_miss};
    if (!sim_setup_make(arch, q->data_dir, false, 1, mem, setup, err))
        return false;
    struct gpu *g = sim_setup_gpu(setup, mem, err);
    if (!g)
        return false;
    gpu_add_probe(g, &probe);
    if (!gpu_run(g, &run))
        return false;
    if (gpu_stopped_early(g))
        return err_add(err, ERR_INPUT, NOWHERE, "the feasibility test was stopped before its end");
    summarise(&f, places);
    *out = f;
    return true;
}
