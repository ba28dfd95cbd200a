/* SPDX-License-Identifier: MIT */
#include "gen/run/energy.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/near.h"
#include "base/vec.h"
#include "sim/gpu/gpu.h"

/* ---- counting
 * ------------------------------------------------------------------------------------ */

static void count_network(const struct design *d, const struct gpu *g, enum noc_dir dir,
                          const struct noc *noc, uint64_t (*counts)[EV_COUNT])
{
    bool reply = dir == NOC_REPLY;
    const struct group *routers =
        design_group(d, reply ? GROUP_REPLY_ROUTERS : GROUP_REQUEST_ROUTERS);
    const struct group *channels =
        design_group(d, reply ? GROUP_REPLY_CHANNELS : GROUP_REQUEST_CHANNELS);
    for (uint32_t i = 0; i < noc->n_routers; i++)
        gpu_router_events(g, dir, i, counts[routers->first + i]);
    for (uint32_t i = 0; i < noc->n_channels; i++)
        gpu_channel_events(g, dir, i, counts[channels->first + i]);
}

void run_counts(const struct priced *priced, const struct gpu *g, uint64_t (*counts)[EV_COUNT])
{
    const struct design *d = priced->design;
    memset(counts, 0, d->n_components * sizeof *counts);
    count_network(d, g, NOC_REQUEST, &d->request, counts);
    if (d->has_reply)
        count_network(d, g, NOC_REPLY, &d->reply, counts);
    for (uint32_t a = 0; a < d->n_arrays; a++) {
        const struct design_array *array = &d->arrays[a];
        if (array_role_is_in_router(array->role))
            continue;
        for (uint32_t i = 0; i < array->geometry.instances; i++)
            gpu_array_events(g, array->role, i, counts[array->first_component + i]);
    }
    const struct group *cores = design_group(d, GROUP_SM_CORES);
    const struct group *mcs = design_group(d, GROUP_MEMORY_CONTROLLERS);
    const struct group *drams = design_group(d, GROUP_DRAM_CHANNELS);
    for (uint32_t i = 0; i < cores->n; i++)
        gpu_sm_events(g, i, counts[cores->first + i]);
    for (uint32_t i = 0; i < mcs->n; i++)
        gpu_mc_events(g, i, counts[mcs->first + i]);
    for (uint32_t i = 0; i < drams->n; i++)
        gpu_dram_events(g, i, counts[drams->first + i]);
}

/* ---- the chip's static power
 * ------------------------------------------------------------------------ */

/* AccelWattch: which units were busy and how many lanes of a warp were active; the coefficients are
 * those of a chip of `pipe_sms` SMs. */
static double static_power_w(const struct priced *p, const uint64_t (*counts)[EV_COUNT])
{
    if (!p->gpuwattch.is_accelwattch || p->design->arch->energy.leakage == LEAKS_model)
        return 0;
    const struct group *cores = design_group(p->design, GROUP_SM_CORES);
    double sum[EV_COUNT] = {0}, threads = 0;
    for (uint32_t i = 0; i < cores->n; i++) {
        for (int e = 0; e < EV_COUNT; e++)
            sum[e] += (double)counts[cores->first + i][e];
    }
    for (int e = EV_INST_INT; e <= EV_INST_OTHER; e++)
        threads += sum[e];
    struct gw_activity a = {0};
    a.n[GW_SP_ACC] = sum[EV_INST_INT] + sum[EV_INST_OTHER];
    a.n[GW_INT_MUL_ACC] = sum[EV_INST_INT_MUL] + sum[EV_INST_INT_DIV];
    a.n[GW_FPU_ACC] = sum[EV_INST_FP32] + sum[EV_INST_FP16];
    a.n[GW_DP_ACC] = sum[EV_INST_FP64];
    a.n[GW_FP_SQRT_ACC] = sum[EV_INST_SFU];
    a.n[GW_TENSOR_ACC] = sum[EV_INST_TENSOR];
    a.n[GW_DC_RH] = sum[EV_INST_MEM];
    enum gw_static category = gw_category(&a);
    double cycles = sum[EV_SM_ACTIVE] + sum[EV_SM_IDLE];
    double active = cycles > 0 ? sum[EV_SM_ACTIVE] / cycles : 0;
    double lanes = sum[EV_WARP_ISSUE] > 0 ? ceil(threads / sum[EV_WARP_ISSUE]) : 1;
    double chip = p->gpuwattch.static_first_w[category] +
                  fmax(0, lanes - 1) * p->gpuwattch.static_lane_w[category];
    double sm = chip / p->gw_base.pipe_sms;
    if (p->design->arch->energy.leakage == LEAKS_fit) /* its arrays have lines of their own */
        sm = fmax(0, sm - p->gw_base.sm_leakage_w);
    return sm * active * cores->n;
}

/* Of the card, less what has lines of its own. */
static double constant_power_w(const struct priced *p)
{
    double w = p->gpuwattch.constant_w, aside = 0;
    if (p->gpuwattch.is_accelwattch)
        w += p->gw_base.controller_w;
    if (p->design->arch->energy.leakage == LEAKS_both)
        return w;
    if (p->dram.file)
        aside += p->gw_base.dram_standby_w;
    return fmax(0, w - aside - p->gw_base.shared_leakage_w);
}

/* ---- the account
 * -------------------------------------------------------------------------------------- */

static bool count_users(const struct energy_params *e, const struct result *statistics,
                        struct arena *mem, double *counts, struct err *err)
{
    bool ok = true;
    for (uint32_t u = 0; u < e->n_users; u++) {
        const struct user_component *user = &e->users[u];
        counts[u] = 0;
        if (!user->statistic || !user->statistic[0])
            continue;
        counts[u] = result_get(statistics, user->statistic);
        if (isfinite(counts[u]) && counts[u] >= 0)
            continue;
        VEC(const char *) names = {0};
        for (size_t i = 0; i < statistics->n_values; i++)
            vec_push(mem, &names, statistics->values[i].name);
        const char *near = near_hint(user->statistic, names.at, names.n, mem);
        ok = err_add(err, ERR_INPUT, user->at, "there is no statistic '%s'%s", user->statistic,
                     near);
    }
    return ok;
}

bool run_account(const struct priced *p, const uint64_t (*counts)[EV_COUNT], double seconds,
                 const struct result *statistics, struct arena *mem, struct run_energy *out,
                 struct err *err)
{
    const struct energy_params *e = &p->design->arch->energy;
    out->user_counts = arena_many(mem, double, e->n_users);
    if (!count_users(e, statistics, mem, out->user_counts, err))
        return false;
    out->input = (struct account_input){
        .book = &p->book,
        .class_of = p->class_of,
        .n_components = p->design->n_components,
        .counts = counts,
        .seconds = seconds,
        .constant_w = constant_power_w(p),
        .static_w = static_power_w(p, counts),
        .users = e->users,
        .user_counts = out->user_counts,
        .n_users = e->n_users,
    };
    if (!account_make(&out->input, mem, &out->account, err))
        return false;
    out->noc_j = out->network_mm2 = out->chip_mm2 = 0;
    for (uint32_t i = 0; i < out->account.n_groups; i++) {
        const struct account_group *g = &out->account.groups[i];
        bool is_noc = strncmp(g->name, "noc.", 4) == 0;
        out->noc_j += is_noc ? g->total_j : 0;
        out->network_mm2 += is_noc ? g->area_mm2 : 0;
        out->chip_mm2 += g->area_mm2;
    }
    return true;
}

double run_sm_j(const struct priced *p, const struct run_energy *e, uint32_t sm)
{
    const struct design *d = p->design;
    double sum = account_component_j(&e->input, design_group(d, GROUP_SM_CORES)->first + sm);
    for (uint32_t a = 0; a < d->n_arrays; a++) {
        const struct design_array *array = &d->arrays[a];
        if (array->geometry.scope == PER_SM && !array_role_is_in_router(array->role))
            sum += account_component_j(&e->input, array->first_component + sm);
    }
    return sum;
}

/* ---- figures
 * -------------------------------------------------------------------------------------------- */

/* Power of a part of the networks: its events and its leakage. */
static double part_w(const struct priced *p, const struct run_energy *e, enum cost_part part,
                     enum sim_event event, enum sim_event other, enum sim_event gated)
{
    double w = 0;
    for (uint32_t k = 0; k < p->book.n_classes; k++) {
        const struct account_line *line = &e->account.lines[k];
        if (strncmp(p->classes[k].group, "noc.", 4) != 0)
            continue;
        w += (line->dynamic_j[event] + line->dynamic_j[gated]) / e->input.seconds;
        w += other != event ? line->dynamic_j[other] / e->input.seconds : 0;
        w += p->classes[k].instances * p->book.costs[k].leakage_w[part];
    }
    return w;
}

enum { DRAM_VALUES = 5 };

void run_add_energy(const struct priced *p, const struct run_energy *e, struct arena *mem,
                    struct result *r)
{
    const struct account *a = &e->account;
    double s = e->input.seconds, threads = result_get(r, "thread_insts");
    double rate = s > 0 ? threads / s : NAN; /* thread instructions per second */
    double noc_w = s > 0 ? e->noc_j / s : NAN;
    double buffers = part_w(p, e, PART_BUFFER, EV_BUF_WRITE, EV_BUF_READ, EV_BUF_GATED),
           crossbars = part_w(p, e, PART_CROSSBAR, EV_XBAR, EV_XBAR, EV_XBAR_GATED),
           links = part_w(p, e, PART_REPEATER, EV_LINK, EV_LINK, EV_LINK_GATED);
    const struct result_value values[] = {
        {"seconds", "s", s},
        {"performance_gips", "G instr/s", rate * 1e-9},
        {"energy_j", "J", a->total_j},
        {"energy_dynamic_j", "J", a->dynamic_j},
        {"energy_leakage_j", "J", a->leakage_j},
        {"power_w", "W", a->average_w},
        {"noc_energy_j", "J", e->noc_j},
        {"noc_power_w", "W", noc_w},
        {"noc_power_w.buffers", "W", buffers},
        {"noc_power_w.crossbars", "W", crossbars},
        {"noc_power_w.links", "W", links},
        {"noc_power_w.other", "W", noc_w - buffers - crossbars - links},
        {"edp_js", "J s", a->total_j * s},
        {"ed2p_js2", "J s2", a->total_j * s * s},
        {"perf_per_watt.noc", "instr/s/W", rate / noc_w},
        {"perf_per_watt.system", "instr/s/W", rate / a->average_w},
        {"noc_area_mm2", "mm2", e->network_mm2},
        {"perf_per_mm2", "instr/s/mm2", rate / e->network_mm2},
        {"noc_clock_ghz", "GHz", p->clock.clock_ghz},
        {"noc_fmax_ghz", "GHz", p->clock.fmax_ghz},
        /* the last DRAM_VALUES: only where they are known apart */
        {"dram_energy_j.activation", "J", account_event_j(a, "dram", EV_DRAM_ACTIVATE)},
        {"dram_energy_j.core", "J",
         account_event_j(a, "dram", EV_DRAM_READ) + account_event_j(a, "dram", EV_DRAM_WRITE)},
        {"dram_energy_j.pins", "J", account_event_j(a, "dram", EV_DRAM_IO)},
        {"dram_energy_j.refresh", "J", account_event_j(a, "dram", EV_DRAM_REFRESH)},
        {"dram_energy_j.background", "J", account_event_j(a, "dram", EV_DRAM_BACKGROUND)},
    };
    size_t n = sizeof values / sizeof *values - (p->dram.file ? 0 : DRAM_VALUES);
    struct result_value *all = arena_many(mem, struct result_value, r->n_values + n);
    if (r->n_values)
        memcpy(all, r->values, r->n_values * sizeof *all);
    memcpy(all + r->n_values, values, n * sizeof *values);
    r->values = all;
    r->n_values += n;
    r->groups = arena_many(mem, struct result_group, a->n_groups);
    r->n_groups = a->n_groups;
    for (uint32_t i = 0; i < a->n_groups; i++) {
        const struct account_group *g = &a->groups[i];
        r->groups[i] = (struct result_group){g->name,    g->dynamic_j, g->leakage_j,
                                             g->total_j, g->area_mm2,  g->wire_area_mm2};
    }
}
