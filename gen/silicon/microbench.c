/* SPDX-License-Identifier: MIT */
#include "gen/silicon/microbench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/file.h"
#include "gen/workload/read_workload.h"
#include "gen/workload/trace_front.h"
#include "sim/frame/hooks.h"
#include "sim/gpu/stats.h"
#include "sim/memory/address.h"
#include "sim/ptx/interpreter.h"

#define MOST_PRICED 64u       /* kernels; the spread has thousands and no energy */
#define STREAM_CYCLES 16000.0 /* what the long stream of the DRAM takes beyond the short one */
#define LINE_BYTES 128u
#define PARTITIONS 8u /* memory partitions of a V100 (Jin et al., MICRO 2024) */

/* ---- sizes ----------------------------------------------------------------------------------- */

uint32_t microbench_gpc_sms(const struct sim_setup *setup)
{
    uint32_t n = setup->arch->gpu.n_sms;
    const struct design *d = setup->design;
    const struct noc_params *p = d ? &d->request_params : NULL;
    if (p && p->hier_gpcs && strcmp(p->topology, "hierarchical") == 0) {
        uint32_t tpc = p->hier_tpc ? p->hier_tpc : 1; /* the first GPCs are the large ones */
        return (uint32_t)bits_ceil_div(bits_ceil_div(n, tpc), p->hier_gpcs) * tpc;
    }
    uint32_t gpc = (uint32_t)bits_ceil_div(n, n >= 28 ? 6 : 4);
    return gpc < 2 ? 2 : gpc;
}

/* Which of `groups` even ones, the larger first, number `i` of `n` is in. */
static uint32_t group_of(uint32_t n, uint32_t groups, uint32_t i)
{
    uint32_t size = n / groups, larger = n % groups, in_larger = larger * (size + 1);
    return i < in_larger ? i / (size + 1) : larger + (i - in_larger) / (size ? size : 1);
}

bool microbench_is_far(const struct sim_setup *setup, uint32_t sm, uint32_t slice)
{
    const struct design *d = setup->design;
    const struct noc_params *p = d ? &d->request_params : NULL;
    if (!p || strcmp(p->topology, "hierarchical") != 0 || p->hier_halves < 2)
        return false;
    uint32_t tpcs = (uint32_t)bits_ceil_div(p->n_sm_ports, p->hier_tpc);
    uint32_t port = (uint32_t)((uint64_t)sm * p->n_sm_ports / setup->arch->gpu.n_sms);
    uint32_t gpc = group_of(tpcs, p->hier_gpcs, port / p->hier_tpc);
    return group_of(p->hier_gpcs, p->hier_halves, gpc) !=
           group_of(p->n_llcs, p->hier_partitions, slice) / (p->hier_partitions / p->hier_halves);
}

double microbench_dram_peak(const struct arch *a)
{
    return 2.0 * a->dram.bus_bytes * a->dram.controllers * a->gpu.dram_ghz / a->gpu.core_ghz;
}

struct sizes {
    const struct sim_setup *setup;
    struct arena *mem;
    const char *sets[16];
    size_t n;
};

static bool has_param(const struct workload *w, const char *name)
{
    for (size_t i = 0; i < w->n_params; i++)
        if (strcmp(w->params[i].name, name) == 0)
            return true;
    return false;
}

static double param(const struct workload *w, const char *name)
{
    for (size_t i = 0; i < w->n_params; i++)
        if (strcmp(w->params[i].name, name) == 0)
            return w->params[i].real;
    return NAN;
}

static void size(struct sizes *s, const struct workload *w, const char *name, uint64_t value)
{
    if (has_param(w, name))
        s->sets[s->n++] = arena_printf(s->mem, "%s=%llu", name, (unsigned long long)value);
}

static uint64_t power_of_two_below(uint64_t n)
{
    uint64_t p = 1;
    while (2 * p <= n)
        p *= 2;
    return p;
}

/* Parameters that follow the machine. */
static void choose_sizes(struct sizes *s, const struct workload *w)
{
    const struct arch *a = s->setup->arch;
    uint64_t sms = a->gpu.n_sms, l2_bytes = (uint64_t)a->llc.slices * a->llc.bytes;
    uint64_t half = (uint64_t)a->sm.warps / 2 * 32, threads = (uint64_t)param(w, "threads");
    uint64_t fits =
        (uint64_t)a->sm.registers / 64 / 32 * 32; /* at 64 registers, double precision */
    half = half > 1024 ? 1024 : half;
    half = has_param(w, "flops") && half > fits ? fits : half;
    half = half < 32 ? 32 : half;
    uint64_t pieces = l2_bytes / 2 / 16, step = sms * threads;
    /* With copies: in a second pass, which the first launch has, the other half's SMs read a piece,
     * and from then on the same two. */
    if (a->llc.far_copies && 7 * step / 2 < pieces / 2)
        pieces = 7 * step / 2;
    uint64_t lines = power_of_two_below(l2_bytes / 2 / LINE_BYTES);
    size(s, w, "sms", sms);
    size(s, w, "half_threads", half);
    size(s, w, "gpc", microbench_gpc_sms(s->setup));
    size(s, w, "pieces", pieces > step ? pieces : step);
    if (has_param(w, "half_threads") && !has_param(w, "flops")) {
        double round = 64.0 * (double)(half * sms);
        uint64_t more = (uint64_t)ceil(STREAM_CYCLES * microbench_dram_peak(a) / round /
                                       (has_param(w, "half") + 1));
        size(s, w, "fill", (uint64_t)ceil(1.25 * (double)l2_bytes / round));
        /* Reads: less a launch without any, which is start and end. Writes: what waits for the DRAM
         * when a launch ends is in both lengths. */
        size(s, w, "short", has_param(w, "fill") ? (more + 1) / 2 : 0);
        size(s, w, "long", (more + 1) / 2 + more);
    }
    if (has_param(w, "loads")) { /* a line a slice, as they follow each other */
        size(s, w, "lines", a->llc.slices > 128 ? 128 : a->llc.slices);
        size(s, w, "step", (a->llc.interleave > LINE_BYTES ? a->llc.interleave : LINE_BYTES) / 8);
    } else
        size(s, w, "lines", lines > 1024 ? 1024 : lines < 64 ? 64 : lines);
}

/* The lines of the first partition's slices, as far as the buffer before reaches. */
static bool choose_lines(const struct arch *arch, struct workload *w, struct arena *mem,
                         struct err *err)
{
    struct address_map map;
    struct workload_buffer *buffers = arena_many(mem, struct workload_buffer, w->n_buffers);
    if (!address_init(&map, &arch->llc, &arch->dram, mem, err))
        return false;
    memcpy(buffers, w->buffers, w->n_buffers * sizeof *buffers);
    struct workload_buffer *list = &buffers[1];
    struct workload_number *values = arena_many(mem, struct workload_number, list->count);
    uint32_t slices = (uint32_t)bits_ceil_div(arch->llc.slices, PARTITIONS);
    uint64_t n_lines = w->buffers[0].count / (LINE_BYTES / 4), found = 0;
    uint64_t *of_slice = arena_many(mem, uint64_t, slices),
             most = bits_ceil_div(list->count, slices);
    for (uint64_t l = 0; l < n_lines && found < list->count; l++) { /* as many of each slice */
        uint32_t s = address_of(&map, PTX_GLOBAL_BASE + l * LINE_BYTES).slice;
        if (s < slices && of_slice[s]++ < most)
            values[found++] = (struct workload_number){.integer = (int64_t)l, .real = (double)l};
    }
    if (!found)
        return err_add(err, ERR_INPUT, AT_FILE(w->file), "no line lies in the first partition");
    list->init = WI_VALUES;
    list->values = values;
    list->n_values = found;
    w->buffers = buffers;
    return true;
}

/* The slices of the lines that latency_spread follows. */
static bool find_slices(const struct arch *arch, const struct workload *w, struct arena *mem,
                        uint32_t **out, struct err *err)
{
    struct address_map map;
    size_t n = (size_t)param(w, "lines");
    uint64_t step = (uint64_t)param(w, "step") * 8;
    if (!address_init(&map, &arch->llc, &arch->dram, mem, err))
        return false;
    *out = arena_many(mem, uint32_t, n);
    for (size_t i = 0; i < n; i++)
        (*out)[i] = address_of(&map, PTX_GLOBAL_BASE + i * step).slice;
    return true;
}

static bool read_sized(const struct sim_setup *setup, const char *name, const char *data_dir,
                       struct arena *mem, struct workload *w, struct err *err)
{
    struct sizes s = {.setup = setup, .mem = mem};
    struct workload_request q = {
        .file = path_join(mem, data_dir, arena_printf(mem, "cfg/silicon/%s.cfg", name))};
    if (!workload_read(&q, mem, w, err))
        return false;
    choose_sizes(&s, w);
    q.sets = s.sets;
    q.n_sets = s.n;
    return workload_read(&q, mem, w, err) &&
           (!has_param(w, "n_lines") || choose_lines(setup->arch, w, mem, err));
}

/* ---- running --------------------------------------------------------------------------------- */

struct look { /* at the end of a kernel */
    uint64_t (*counts)[EV_COUNT];
    double flits;
};

struct watch {
    const struct sim_setup *setup;
    struct gpu *gpu;
    struct arena *mem;
    struct microbench *out;
    struct look looks[3]; /* at the ends of the last three */
    uint64_t last;
    const atomic_bool *cancel;
};

static bool is_priced(const struct watch *w)
{
    return w->out->n_kernels <= MOST_PRICED && run_has_energy(w->setup);
}

static void at_kernel_end(void *ctx, uint32_t kernel, uint64_t now)
{
    struct watch *w = ctx;
    size_t left = w->out->n_kernels - kernel;
    w->out->cycles[kernel] = (double)(now - w->last);
    w->last = now;
    if (left > 3 || !is_priced(w))
        return;
    struct look *l = &w->looks[3 - left];
    struct stat_totals t;
    l->counts = arena_array(w->mem, w->setup->design->n_components, sizeof *l->counts);
    run_counts(w->setup->priced, w->gpu, l->counts);
    stats_of_gpu(w->gpu, &t);
    l->flits = t.flits_core_to_mem + t.flits_mem_to_core;
}

static bool keep_going(void *ctx, const struct gpu_progress *p)
{
    const struct watch *w = ctx;
    (void)p;
    return !(w->cancel && atomic_load(w->cancel));
}

/* What the long launch counted beyond the short one, priced over the time it took beyond it. */
static bool price_difference(const struct watch *w, struct err *err)
{
    struct microbench *m = w->out;
    const struct priced *p = w->setup->priced;
    uint32_t n = p->design->n_components;
    uint64_t(*counts)[EV_COUNT] = arena_array(w->mem, n, sizeof *counts);
    const struct look *a = &w->looks[0], *b = &w->looks[1], *c = &w->looks[2];
    for (uint32_t i = 0; i < n; i++)
        for (int e = 0; e < EV_COUNT; e++) {
            uint64_t before = b->counts[i][e] - (a->counts ? a->counts[i][e] : 0);
            uint64_t after = c->counts[i][e] - b->counts[i][e];
            counts[i][e] = after > before ? after - before : 0;
        }
    double cycles = m->cycles[m->n_kernels - 1] - m->cycles[m->n_kernels - 2];
    double seconds = cycles / (1e3 * (double)p->timing.clock_khz[CLOCK_CORE]);
    const struct result nothing = {0};
    m->flits = (c->flits - b->flits) - (b->flits - a->flits);
    m->has_energy = seconds > 0;
    return !m->has_energy || run_account(p, (const uint64_t(*)[EV_COUNT])counts, seconds, &nothing,
                                         w->mem, &m->energy, err);
}

static bool run(struct watch *w, const struct workload *workload, struct arena *scratch,
                struct err *err)
{
    struct trace_source source;
    const struct trace_source *programs[] = {&source};
    if (!trace_front_run(workload, false, &source, err))
        return false;
    w->out->n_kernels = source.n_kernels;
    w->out->cycles = arena_many(w->mem, double, source.n_kernels);
    const struct sim_probe probe = {.ctx = w, .kernel_end = at_kernel_end};
    const struct gpu_run r = {
        .programs = programs, .n_programs = 1, .progress = keep_going, .ctx = w};
    w->gpu = sim_setup_gpu(w->setup, scratch, err);
    if (w->gpu)
        gpu_add_probe(w->gpu, &probe);
    bool ok = w->gpu && gpu_run(w->gpu, &r);
    source.close(&source);
    if (ok && gpu_stopped_early(w->gpu))
        ok = err_add(err, ERR_MACHINE, NOWHERE, "stopped before its end");
    return ok && (!is_priced(w) || w->out->n_kernels < 2 || price_difference(w, err));
}

void microbench_run(const struct sim_setup *setup, const char *name, const char *data_dir,
                    const atomic_bool *cancel, struct arena *mem, struct microbench *out)
{
    struct arena scratch;
    struct err err;
    struct workload w;
    *out = (struct microbench){.name = name};
    arena_init(&scratch, mem->out_of_memory, mem->ctx);
    err_init(&err);
    struct watch watch = {.setup = setup, .mem = mem, .out = out, .cancel = cancel};
    bool ok = read_sized(setup, name, data_dir, &scratch, &w, &err);
    if (ok) {
        out->n_short = param(&w, "short");
        out->n_long = param(&w, "long");
        out->work = param(&w, "work");
        out->flops = param(&w, "flops");
        out->lines = param(&w, "lines");
        ok = (!has_param(&w, "loads") || find_slices(setup->arch, &w, mem, &out->slices, &err)) &&
             run(&watch, &w, &scratch, &err);
    }
    if (!ok) {
        out->error = err.first ? err_entry_text(err.first, mem) : "failed";
        out->is_machine = err.n_machine > 0;
    }
    err_free(&err);
    arena_free(&scratch);
}
