/* SPDX-License-Identifier: MIT */
#include "gen/run/energy.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/near.h"
#include "gen/price/scale.h"
#include "sim/gpu/gpu.h"
#include "sim/gpu/stats.h"

/* ---- counting -------------------------------------------------------------------------------- */

static void count_network(const struct design *d, const struct gpu *g, enum noc_dir dir,
                          const struct noc *noc, uint64_t (*counts)[EV_COUNT])
{
    bool reply = dir == NOC_REPLY;
    const struct group *routers =
        design_group(d, reply ? GROUP_REPLY_ROUTERS : GROUP_REQUEST_ROUTERS);
    const struct group *channels =
        design_group(d, reply ? GROUP_REPLY_CHANNELS : GROUP_REQUEST_CHANNELS);
    if (d->arch->gpu.network != NETWORK_design) {
        gpu_crossbar_events(g, noc->dir, noc, counts + routers->first, counts + channels->first);
        return;
    }
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
    for (int dir = NOC_REQUEST; dir <= NOC_REPLY; dir++) {
        const struct group *ports =
            design_group(d, dir ? GROUP_REPLY_CONCENTRATORS : GROUP_REQUEST_CONCENTRATORS);
        const struct group *links =
            design_group(d, dir ? GROUP_REPLY_SM_LINKS : GROUP_REQUEST_SM_LINKS);
        for (uint32_t i = 0; i < ports->n; i++)
            gpu_concentrator_events(g, (enum noc_dir)dir, i, counts[ports->first + i]);
        for (uint32_t i = 0; i < links->n; i++)
            gpu_sm_link_events(g, (enum noc_dir)dir, i, counts[links->first + i]);
    }
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

/* ---- the chip's static power ----------------------------------------------------------------- */

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
    sm *= p->scale.leakage;
    if (p->design->arch->energy.leakage == LEAKS_fit && cores->n) /* and so has its core */
        sm = fmax(0, sm - p->book.costs[p->class_of[cores->first]].leakage_w[PART_OTHER]);
    return sm * active * cores->n;
}

/* ---- the account ----------------------------------------------------------------------------- */

bool run_check_users(const struct energy_params *e, struct arena *mem, struct err *err)
{
    const char **names = arena_many(mem, const char *, n_stat_rows);
    bool ok = true;
    for (size_t i = 0; i < n_stat_rows; i++)
        names[i] = stat_rows[i].name;
    for (uint32_t u = 0; u < e->n_users; u++) {
        const char *name = e->users[u].statistic;
        size_t i = 0;
        while (name && name[0] && i < n_stat_rows && strcmp(names[i], name) != 0)
            i++;
        if (i == n_stat_rows)
            ok = err_add(err, ERR_INPUT, e->users[u].at, "there is no statistic '%s'%s", name,
                         near_hint(name, names, n_stat_rows, mem));
    }
    return ok;
}

/* A statistic that is left out of this run (of a structure that the machine does not have, or a
 * rate of nothing) has counted nothing. */
static bool count_users(const struct energy_params *e, const struct result *statistics,
                        struct arena *mem, double *counts, struct err *err)
{
    if (!run_check_users(e, mem, err))
        return false;
    for (uint32_t u = 0; u < e->n_users; u++) {
        const struct user_component *user = &e->users[u];
        counts[u] = 0;
        if (!user->statistic || !user->statistic[0])
            continue;
        counts[u] = result_get(statistics, user->statistic);
        if (!isfinite(counts[u]) || counts[u] < 0)
            counts[u] = 0;
    }
    return true;
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
        .constant_w = scale_constant_w(p),
        .static_w = static_power_w(p, counts),
        .rest_w = p->die.rest_w,
        .rest_mm2 = p->die.rest_mm2,
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
    scale_range_w(p, &out->account, &out->low_w, &out->high_w);
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

/* ---- figures --------------------------------------------------------------------------------- */

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

/* A row each: name, unit, meaning, formula. */
#define ENERGY_ROWS(X)                                                                             \
    X(SECONDS, "seconds", "s", "time of the run", "cycles / core clock")                           \
    X(GIPS, "performance_gips", "G instr/s", "thread instructions per second",                     \
      "thread_insts / seconds")                                                                    \
    X(ENERGY, "energy_j", "J", "energy of the whole GPU with its DRAM", "")                        \
    X(DYNAMIC, "energy_dynamic_j", "J", "… of events", "")                                         \
    X(LEAKAGE, "energy_leakage_j", "J", "… of leakage", "")                                        \
    X(POWER, "power_w", "W", "average power", "energy_j / seconds")                                \
    X(NOC_ENERGY, "noc_energy_j", "J", "energy of both networks", "")                              \
    X(NOC_POWER, "noc_power_w", "W", "average power of both networks", "noc_energy_j / seconds")   \
    X(NOC_BUFFERS, "noc_power_w.buffers", "W", "… of their buffers", "")                           \
    X(NOC_CROSSBARS, "noc_power_w.crossbars", "W", "… of their crossbars", "")                     \
    X(NOC_LINKS, "noc_power_w.links", "W", "… of their links", "")                                 \
    X(NOC_OTHER, "noc_power_w.other", "W", "… of all other parts of them", "")                     \
    X(EDP, "edp_js", "J s", "energy-delay product", "energy_j x seconds")                          \
    X(ED2P, "ed2p_js2", "J s2", "energy-delay-squared product", "energy_j x seconds^2")            \
    X(PER_NOC_WATT, "perf_per_watt.noc", "instr/s/W", "performance per Watt of the networks",      \
      "thread_insts / noc_energy_j")                                                               \
    X(PER_WATT, "perf_per_watt.system", "instr/s/W", "performance per Watt of GPU and DRAM",       \
      "thread_insts / energy_j")                                                                   \
    X(NOC_AREA, "noc_area_mm2", "mm2", "active silicon of both networks, additions included", "")  \
    X(PER_MM2, "perf_per_mm2", "instr/s/mm2", "performance per area of the networks",              \
      "thread_insts / seconds / noc_area_mm2")                                                     \
    X(NOC_CLOCK, "noc_clock_ghz", "GHz", "clock of the networks", "")                              \
    X(NOC_FMAX, "noc_fmax_ghz", "GHz", "largest clock of their slowest router", "")                \
    X(DRAM_ACTIVATION, "dram_energy_j.activation", "J",                                            \
      "energy of the DRAM's activates and precharges, where it is priced apart", "")               \
    X(DRAM_CORE, "dram_energy_j.core", "J", "… of reads and writes between its rows and pins", "") \
    X(DRAM_PINS, "dram_energy_j.pins", "J", "… of its pins, both ends", "")                        \
    X(DRAM_REFRESH, "dram_energy_j.refresh", "J", "… of refreshes", "")                            \
    X(DRAM_BACKGROUND, "dram_energy_j.background", "J", "… of its background power", "")

#define X(id, name, unit, meaning, formula) ROW_##id,
enum energy_row_id { ENERGY_ROWS(X) ROW_COUNT };
#undef X
#define X(id, name, unit, meaning, formula) {name, unit, meaning, formula},
const struct energy_row energy_rows[] = {ENERGY_ROWS(X){NULL, NULL, NULL, NULL}};
#undef X

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
    const double values[ROW_COUNT] = {
        [ROW_SECONDS] = s,
        [ROW_GIPS] = rate * 1e-9,
        [ROW_ENERGY] = a->total_j,
        [ROW_DYNAMIC] = a->dynamic_j,
        [ROW_LEAKAGE] = a->leakage_j,
        [ROW_POWER] = a->average_w,
        [ROW_NOC_ENERGY] = e->noc_j,
        [ROW_NOC_POWER] = noc_w,
        [ROW_NOC_BUFFERS] = buffers,
        [ROW_NOC_CROSSBARS] = crossbars,
        [ROW_NOC_LINKS] = links,
        [ROW_NOC_OTHER] = noc_w - buffers - crossbars - links,
        [ROW_EDP] = a->total_j * s,
        [ROW_ED2P] = a->total_j * s * s,
        [ROW_PER_NOC_WATT] = rate / noc_w,
        [ROW_PER_WATT] = rate / a->average_w,
        [ROW_NOC_AREA] = e->network_mm2,
        [ROW_PER_MM2] = rate / e->network_mm2,
        [ROW_NOC_CLOCK] = p->clock.clock_ghz,
        [ROW_NOC_FMAX] = p->clock.fmax_ghz,
        [ROW_DRAM_ACTIVATION] = account_event_j(a, "dram", EV_DRAM_ACTIVATE),
        [ROW_DRAM_CORE] =
            account_event_j(a, "dram", EV_DRAM_READ) + account_event_j(a, "dram", EV_DRAM_WRITE),
        [ROW_DRAM_PINS] = account_event_j(a, "dram", EV_DRAM_IO),
        [ROW_DRAM_REFRESH] = account_event_j(a, "dram", EV_DRAM_REFRESH),
        [ROW_DRAM_BACKGROUND] = account_event_j(a, "dram", EV_DRAM_BACKGROUND),
    };
    struct result_value *all = arena_many(mem, struct result_value, r->n_values + ROW_COUNT);
    if (r->n_values)
        memcpy(all, r->values, r->n_values * sizeof *all);
    for (int i = 0; i < ROW_COUNT; i++)
        if (i < ROW_DRAM_ACTIVATION || p->dram.file)
            all[r->n_values++] =
                (struct result_value){energy_rows[i].name, energy_rows[i].unit, values[i]};
    r->values = all;
    r->groups = arena_many(mem, struct result_group, a->n_groups);
    r->n_groups = a->n_groups;
    for (uint32_t i = 0; i < a->n_groups; i++) {
        const struct account_group *g = &a->groups[i];
        r->groups[i] = (struct result_group){g->name,    g->dynamic_j, g->leakage_j,
                                             g->total_j, g->area_mm2,  g->wire_area_mm2};
    }
}
