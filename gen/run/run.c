/* SPDX-License-Identifier: MIT */
#include "gen/run/run.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/table.h"
#include "gen/config/keys.h"

bool run_has_energy(const struct sim_setup *setup)
{
    return setup->wants_energy && setup->priced;
}

static void add_statistics(const struct stat_totals *t, struct arena *mem, struct result *out)
{
    out->values = arena_many(mem, struct result_value, n_stat_rows);
    for (const struct stat_row *r = stat_rows; r->name; r++) {
        double v = r->value(t);
        if (isfinite(v))
            out->values[out->n_values++] = (struct result_value){r->name, r->unit, v};
    }
}

/* Flits per network cycle on every channel: requests, then replies. */
static void add_link_use(const struct priced *p, const uint64_t (*counts)[EV_COUNT], double cycles,
                         struct arena *mem, struct result *out)
{
    const struct design *d = p->design;
    const struct group *groups[] = {design_group(d, GROUP_REQUEST_CHANNELS),
                                    design_group(d, GROUP_REPLY_CHANNELS)};
    out->link_use = arena_many(mem, double, groups[0]->n + groups[1]->n);
    for (int g = 0; g < 2; g++) {
        for (uint32_t i = 0; i < groups[g]->n; i++)
            out->link_use[out->n_links++] =
                cycles > 0 ? (double)counts[groups[g]->first + i][EV_LINK] / cycles : 0;
    }
}

static bool add_energy(const struct sim_setup *setup, const struct gpu *gpu, struct arena *mem,
                       struct run_energy *energy, struct result *r, struct err *err)
{
    const struct priced *p = setup->priced;
    double seconds = (double)gpu_cycles(gpu) / (1e3 * (double)p->timing.clock_khz[CLOCK_CORE]);
    uint64_t(*counts)[EV_COUNT] = arena_array(mem, p->design->n_components, sizeof *counts);
    run_counts(p, gpu, counts);
    if (!run_account(p, (const uint64_t(*)[EV_COUNT])counts, seconds, r, mem, energy, err))
        return false;
    energy->counts = counts;
    run_add_energy(p, energy, mem, r);
    add_link_use(p, (const uint64_t(*)[EV_COUNT])counts,
                 seconds * 1e3 * (double)p->timing.clock_khz[CLOCK_NOC], mem, r);
    return true;
}

/* program1_cycles, program1_insts, …: when each of several programs ended, what it had issued. */
static void add_programs(const struct gpu *gpu, uint32_t n, struct arena *mem, struct result *r)
{
    struct result_value *all = arena_many(mem, struct result_value, r->n_values + 2 * (size_t)n);
    if (r->n_values)
        memcpy(all, r->values, r->n_values * sizeof *all);
    for (uint32_t i = 0; i < n; i++) {
        struct gpu_program p;
        gpu_program_result(gpu, i, &p);
        all[r->n_values++] = (struct result_value){arena_printf(mem, "program%u_cycles", i + 1),
                                                   "cycle", (double)p.cycles};
        all[r->n_values++] = (struct result_value){arena_printf(mem, "program%u_insts", i + 1), "",
                                                   (double)p.warp_insts};
    }
    r->values = all;
}

/* Figures that need other machines beside the one that has run. */
static bool further_runs(const struct run_request *q, struct arena *mem, struct run_outcome *o,
                         struct err *err)
{
    if (q->want_solo) {
        o->solo = arena_many(mem, struct solo_program, q->run->n_programs);
        if (!further_solo(q->setup, o->gpu, q->run, o->solo, &o->totals, mem, err))
            return false;
    }
    return !q->want_demand ||
           further_half_width(q->setup, q->data_dir, q->run, &o->totals, mem, err);
}

/* Where the key was said of which an SM has too little for a kernel (NULL: it was another error).
 */
static void note_lack(const struct arch *arch, const char *path, struct err *err)
{
    int net;
    if (!path)
        return;
    enum origin_kind kind = key_origin(key_find(path, &net), arch, 0)->kind;
    bool is_said = kind == ORIGIN_FILE || kind == ORIGIN_COMMAND_LINE;
    err_note(err, key_where(arch, path, 0), is_said ? "is set here" : "has its default");
}

bool run_pair(const struct run_request *q, struct arena *mem, struct run_outcome *out,
              struct err *err)
{
    *out = (struct run_outcome){.gpu = sim_setup_gpu(q->setup, mem, err),
                                .result = {.design = q->design, .workload = q->workload}};
    if (!out->gpu)
        return false;
    if (!gpu_run(out->gpu, q->run)) {
        note_lack(q->setup->arch, gpu_lacks(out->gpu), err);
        return false;
    }
    stats_of_gpu(out->gpu, &out->totals);
    if (!further_runs(q, mem, out, err))
        return false;
    add_statistics(&out->totals, mem, &out->result);
    if (run_has_energy(q->setup) &&
        !add_energy(q->setup, out->gpu, mem, &out->energy, &out->result, err))
        return false;
    if (q->run->n_programs > 1)
        add_programs(out->gpu, q->run->n_programs, mem, &out->result);
    return true;
}

/* What each event of a group took: instructions by class, DRAM commands, array accesses. */
static json_t *events_json(const struct account *a, const char *group)
{
    json_t *o = json_object();
    for (int e = 0; e < EV_COUNT; e++) {
        double j = account_event_j(a, group, (enum sim_event)e);
        if (j != 0)
            json_object_set_new(o, event_id((enum sim_event)e), json_real(j));
    }
    return o;
}

/* What the events of the two networks were spent on. */
static json_t *network_json(const struct account *a, const char *group)
{
    static const struct {
        const char *name;
        enum sim_event events[3];
        int n;
    } parts[] = {
        {"buffer", {EV_BUF_WRITE, EV_BUF_READ, EV_BUF_GATED}, 3},
        {"crossbar", {EV_XBAR, EV_XBAR_GATED}, 2},
        {"allocator", {EV_VC_ALLOC, EV_SW_ALLOC}, 2},
        {"merge table", {EV_MERGE_SEARCH, EV_MERGE_HOLD}, 2},
        {"clock", {EV_ROUTER_CLOCK}, 1},
        {"links", {EV_LINK, EV_LINK_GATED}, 2},
    };
    json_t *o = json_object();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double j = 0;
        for (int e = 0; e < parts[i].n; e++)
            j += account_event_j(a, group, parts[i].events[e]);
        if (j != 0 || parts[i].events[0] != EV_MERGE_SEARCH) /* few routers have a merge table */
            json_object_set_new(o, parts[i].name, json_real(j));
    }
    return o;
}

void run_add_json(const struct result *r, const struct run_energy *e, json_t *out)
{
    const struct account *a = &e->account;
    double s = e->input.seconds;
    json_t *power = json_object(), *energy = json_object(), *watts = json_object(),
           *joules = json_object(), *dynamic = json_object(), *leakage = json_object(),
           *per_watt = json_object(), *network = json_object(), *events = json_object();
    for (uint32_t i = 0; i < a->n_groups; i++) {
        const struct account_group *g = &a->groups[i];
        json_object_set_new(joules, g->name, json_real(g->total_j));
        json_object_set_new(dynamic, g->name, json_real(g->dynamic_j));
        json_object_set_new(leakage, g->name, json_real(g->leakage_j));
        json_object_set_new(watts, g->name, json_real(s > 0 ? g->total_j / s : 0));
        if (g->dynamic_j > 0)
            json_object_set_new(events, g->name, events_json(a, g->name));
        if (strncmp(g->name, "noc.", 4) == 0)
            json_object_set_new(network, g->name, network_json(a, g->name));
    }
    json_object_set_new(power, "average_w", json_real(a->average_w));
    json_object_set_new(power, "scaled_low_w", json_real(e->low_w));
    json_object_set_new(power, "scaled_high_w", json_real(e->high_w));
    json_object_set_new(power, "noc_w", json_num(result_get(r, "noc_power_w")));
    json_object_set_new(power, "by_component_w", watts);
    json_object_set_new(energy, "total_j", json_real(a->total_j));
    json_object_set_new(energy, "dynamic_j", json_real(a->dynamic_j));
    json_object_set_new(energy, "leakage_j", json_real(a->leakage_j));
    json_object_set_new(energy, "static_j", json_real(a->static_j));
    json_object_set_new(energy, "constant_j", json_real(a->constant_j));
    json_object_set_new(energy, "by_component_j", joules);
    json_object_set_new(energy, "dynamic_by_component_j", dynamic);
    json_object_set_new(energy, "leakage_by_component_j", leakage);
    json_object_set_new(energy, "noc_dynamic_by_part_j", network);
    json_object_set_new(energy, "dynamic_by_event_j", events);
    json_object_set_new(per_watt, "noc", json_num(result_get(r, "perf_per_watt.noc")));
    json_object_set_new(per_watt, "system", json_num(result_get(r, "perf_per_watt.system")));
    json_object_set_new(out, "seconds", json_real(s));
    json_object_set_new(out, "power", power);
    json_object_set_new(out, "energy", energy);
    json_object_set_new(out, "perf_per_watt", per_watt);
    static const char *const others[] = {"edp_js",           "ed2p_js2",     "perf_per_mm2",
                                         "performance_gips", "noc_area_mm2", "noc_clock_ghz",
                                         "noc_fmax_ghz"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        json_object_set_new(out, others[i], json_num(result_get(r, others[i])));
}
