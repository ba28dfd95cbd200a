/* SPDX-License-Identifier: MIT */
#include "gen/run/setup.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "gen/command.h"
#include "gen/config/keys.h"
#include "gen/price/latency.h"
#include "gen/progress.h"
#include "gen/run/energy.h"
#include "gen/run/remarks.h"
#include "gen/workload/trace_front.h"
#include "sim/trace/synth.h"

static bool is_local(const struct arch *a)
{
    return a->gpu.network != NETWORK_design;
}

/* Everything the simulator must know about time is said by keys: prices would change nothing. */
static bool is_timed_by_keys(const struct arch *a)
{
    bool is_limited = false;
    for (int n = 0; n < (a->noc_shared ? 1 : 2); n++)
        is_limited |= strcmp(a->noc[n].clock_limit, "none") != 0;
    return is_local(a) && !is_limited && timing_is_of_keys(a);
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

static void make_config(const struct arch *arch, struct arena *mem, struct sim_setup *out)
{
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
        .arrays = arch->arrays,
        .cta = &arch->cta,
        .sim = &arch->sim,
        .compat = &arch->compat,
        .router = {&arch->noc[0].router, &arch->noc[1].router},
        .noc = {uses_design ? &d->request : NULL, uses_design && d->has_reply ? &d->reply : NULL},
        .width_bits = {arch->noc[0].params.width_bits, arch->noc_shared
                                                           ? arch->noc[0].params.width_bits
                                                           : arch->noc[1].params.width_bits},
    };
    if (arch->order_file) {
        struct cta_params *cta = arena_new(mem, struct cta_params);
        *cta = arch->cta;
        cta->clustering.order = arch->order_file;
        out->config.cta = cta;
    }
    if (uses_design && strcmp(d->request.topology, "cdxbar") == 0)
        out->config.crossbar_of = crossbars_of(&d->request, arch->gpu.n_sms, mem);
    out->config.halves = uses_design ? d->halves : NULL;
}

bool sim_setup_make(const struct arch *arch, const char *data_dir, bool want_prices,
                    unsigned n_threads, struct arena *mem, struct sim_setup *out, struct err *err)
{
    *out = (struct sim_setup){.arch = arch, .wants_energy = want_prices};
    if (want_prices || !is_timed_by_keys(arch)) {
        out->design = arena_new(mem, struct design);
        out->priced = arena_new(mem, struct priced);
        if (!design_make(arch, false, mem, out->design, err) ||
            !price_design(out->design, data_dir, n_threads, mem, out->priced, err))
            return false;
        out->timing = out->priced->timing;
    } else {
        timing_of_keys(arch, &out->timing);
    }
    make_config(arch, mem, out);
    return true;
}

bool sim_setup_shared(const struct arch *arch, const char *data_dir, struct price_shared *shared,
                      struct arena *mem, struct sim_setup *out, struct err *err)
{
    *out = (struct sim_setup){.arch = arch,
                              .wants_energy = true,
                              .design = arena_new(mem, struct design),
                              .priced = arena_new(mem, struct priced)};
    if (!design_make(arch, false, mem, out->design, err) ||
        !price_design_shared(out->design, shared, data_dir, mem, out->priced, err))
        return false;
    out->timing = out->priced->timing;
    make_config(arch, mem, out);
    return true;
}

/* The simulator knows keys, not files. */
static void say_where(const struct arch *arch, struct err *err)
{
    for (struct err_entry *e = err->first; e; e = e->next) {
        const char *key = e->at.key;
        if (e->at.file || !key)
            continue;
        e->at = key_where(arch, key, NOC_REQUEST);
        e->at.key = key;
    }
}

struct gpu *sim_setup_gpu(const struct sim_setup *setup, struct arena *mem, struct err *err)
{
    struct gpu_config config = setup->config;
    config.timing = &setup->timing;
    const struct packet_merge_params *merge = &setup->arch->noc[NOC_REQUEST].merge;
    config.merge = merge->entries && config.noc[0] ? merge : NULL;
    struct gpu *gpu = gpu_new(&config, mem, err);
    if (!gpu)
        say_where(setup->arch, err);
    return gpu;
}

bool sim_setup_try(const struct arch *arch, const char *data_dir, bool with_remarks,
                   const struct arena *mem, struct err *err)
{
    struct arena scratch;
    struct sim_setup setup;
    struct err found;
    arena_init(&scratch, mem->out_of_memory, mem->ctx);
    err_init(&found);
    struct arch *native = arena_new(&scratch, struct arch);
    *native = *arch;
    native->energy.network = NETWORK_BY_native;
    native->energy.arrays = ARRAYS_BY_native;
    struct gpu *gpu = NULL;
    struct progress bar;
    progress_begin(&bar, 10, !with_remarks);
    bool ok = sim_setup_make(native, data_dir, true, 1, &scratch, &setup, &found);
    progress_tell(&bar, 1, "the machine is made");
    ok = ok && (gpu = sim_setup_gpu(&setup, &scratch, &found)) != NULL &&
         run_check_users(&native->energy, &scratch, &found);
    progress_tell(&bar, 2, "network under load");
    if (ok && with_remarks)
        remarks_add(&setup, gpu, &bar, err);
    progress_end(&bar);
    if (!ok) { /* warnings come again when it is priced */
        for (struct err_entry *e = found.first; e; e = e->next) {
            int net;
            if (e->at.file || !e->at.key || !key_find(e->at.key, &net))
                continue;
            const char *key = e->at.key;
            e->at = key_where(arch, key, net == KEY_ALL_NETS ? 0 : net);
            e->at.key = key;
        }
        err_join(err, &found);
    }
    err_free(&found);
    arena_free(&scratch);
    return ok;
}

bool sim_source_open(struct app *app, const struct options *options, const struct arch *arch,
                     const char *what, struct trace_source *out)
{
    if (strncmp(what, "synth:", 6) == 0)
        return trace_synth_open(what + 6, &arch->synth, &app->mem, out, &app->err);
    struct trace_request r = {
        .workload = what, .preset = option_get(options, "preset"), .data_dir = app->data_dir};
    r.as_ptx = arch->compat.ptx_as_is;
    return trace_front_open(&r, &app->mem, out, &app->err);
}
