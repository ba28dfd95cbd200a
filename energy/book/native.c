/* SPDX-License-Identifier: MIT
 *
 * energy/book/native.c: our own models as a cost engine. */
#include <math.h>

#include "base/arena.h"
#include "base/buf.h"
#include "energy/array/from_design.h"
#include "energy/book/native.h"
#include "energy/engine.h"
#include "energy/logic/link_model.h"
#include "energy/logic/processes.h"
#include "energy/logic/router_extras.h"
#include "energy/logic/router_model.h"
#include "energy/logic/stage_model.h"
#include "energy/logic/tap_model.h"
#include "energy/scaling.h"

struct process {
    struct logic_tech tech;
    struct cell_lib lib;
    enum leak_variant variant;
    enum timing_mode mode;
    enum arbiter_kind arbiters;
    enum switch_kind switches;
    double skew;
};

static bool process_of(const struct engine_ctx *ctx, struct process *p, struct err *err)
{
    const struct tech_params *t = ctx->tech;
    if (!logic_techs_node(ctx->logic_techs, t->node_nm, &p->tech, err))
        return false;
    p->variant = t->leakage;
    p->mode = t->timing_mode;
    p->arbiters = t->arbiters;
    p->switches = t->switches;
    p->skew = t->skew;
    if (p->mode == TIMING_STAGE)
        p->tech = logic_tech_slower(&p->tech, t->cell_margin);
    if (t->voltage_v > 0) {
        double ratio = t->voltage_v / p->tech.vdd;
        if (ctx->scaling && !scaling_check(ctx->scaling, t->node_nm, "tech.node", err))
            return false;
        if (ctx->scaling)
            p->tech =
                logic_tech_slower(&p->tech, scaling_volt_delay(ctx->scaling, t->node_nm, ratio));
        p->tech.vdd = t->voltage_v;
    }
    p->tech.temperature = t->temperature_k;
    if (!logic_tech_check(&p->tech, NULL, err))
        return false;
    cell_lib_make(&p->tech, &p->lib);
    return true;
}

bool native_logic_leakage(const struct engine_ctx *ctx, double *w_per_mm2, struct err *err)
{
    struct process *p = arena_new(ctx->mem, struct process);
    if (!process_of(ctx, p, err))
        return false;
    double sum = 0;
    for (int k = 0; k < CELL_KINDS; k++) {
        const struct cell *c = &p->lib.cells[k][0];
        sum += c->leak_mean[p->variant] / (c->area * 1e6);
    }
    *w_per_mm2 = sum / CELL_KINDS;
    return true;
}

static const char *technology_text(const struct process *p, struct arena *mem)
{
    return arena_printf(mem, "%s (%g nm, %g V, %g K), leakage %s", p->tech.name, p->tech.node_nm,
                        p->tech.vdd, p->tech.temperature, leak_variant_names[p->variant]);
}

void native_router_parts(const double part[ROUTER_PARTS], double out[PART_COUNT])
{
    out[PART_BUFFER] = part[ROUTER_INPUT_PORTS] + part[ROUTER_PIPE0] + part[ROUTER_PIPE1];
    out[PART_CROSSBAR] = part[ROUTER_XBAR] + part[ROUTER_XBAR_SEL] + part[ROUTER_PIPE2];
    out[PART_ALLOCATOR] = part[ROUTER_SWALLOC];
    out[PART_CLOCK] = part[ROUTER_CLOCK_TREE];
}

static void add_extra(struct cost *c, enum cost_part part, enum sim_event event,
                      struct extra_cost e, enum leak_variant v)
{
    c->area_um2[part] += e.area * 1e12;
    c->leakage_w[part] += e.leak[v];
    c->energy_pj[event] += e.energy * 1e12;
}

static void add_extras(const struct router_spec *s, const struct process *p, struct cost *c)
{
    if (s->rr_unit_ports)
        add_extra(c, PART_OTHER, EV_VC_ALLOC,
                  extra_rr_unit(&p->lib, p->arbiters, s->inputs, s->rr_unit_ports), p->variant);
    if (s->merge_entries) { /* found by controller, bank and row: 32 bits of it at most */
        struct extra_cost e = extra_merge_table(&p->lib, s->merge_entries, s->merge_bits, 32);
        add_extra(c, PART_OTHER, EV_MERGE_HOLD, e, p->variant);
        c->energy_pj[EV_MERGE_SEARCH] += e.search * 1e12;
    }
    if (s->grant_holder)
        add_extra(c, PART_OTHER, EV_VC_ALLOC, extra_grant_holder(&p->lib, s->inputs, s->outputs),
                  p->variant);
}

/* What is modelled of a router, in SI units, and how fast it can be. */
struct modelled {
    struct router_result r;
    double fmax_ghz;
    struct stage_plan plan;
    const char *limit; /* stage that sets fmax */
    const char *note;
};

static void model_stages(const struct router_spec *spec, const struct process *p,
                         const struct router_point *point, struct arena *scratch, struct arena *mem,
                         struct modelled *out)
{
    struct stage_options options = {.skew = p->skew};
    struct stage_model *m = stage_model_new(scratch, &p->lib, point, &options);
    out->plan = stage_model_plan(m, point->freq, spec->traversal_stages, spec->two_cycle_alloc);
    struct stage_timing t = stage_model_timing(m, out->plan);
    stage_model_price(m, point->freq, out->plan, &out->r);
    out->fmax_ghz = stage_fmax(&t) / 1e9;
    out->limit = router_stage_names[t.slowest];
    struct buf b;
    buf_init(&b, mem, 1024);
    for (int i = 0; i < ROUTER_STAGES; i++)
        buf_printf(&b, "%s%s %.0f ps", i ? ", " : "", router_stage_names[i], t.delay[i] * 1e12);
    buf_printf(&b, "; %u cycle%s of traversal, %u of allocation; skew %g, FO4 %.1f ps",
               out->plan.traversal, out->plan.traversal > 1 ? "s" : "", out->plan.alloc, p->skew,
               t.fo4 * 1e12);
    out->note = b.data;
}

static void model_dsent(const struct router_spec *spec, const struct process *p,
                        const struct router_point *point, struct arena *scratch,
                        struct modelled *out)
{
    struct router_model *m = router_model_new(scratch, &p->lib, point, NULL, 0);
    out->fmax_ghz = spec->known_fmax_ghz > 0
                        ? spec->known_fmax_ghz
                        : router_model_fmax(m, p->mode, ROUTER_FMAX_TOLERANCE) / 1e9;
    router_model_size(m, point->freq, p->mode);
    router_model_price(m, &out->r);
    out->limit =
        p->mode == TIMING_ALL ? "the clock driver of mode all" : "the netlist from its clock";
}

/* From register to register: gates and the fastest repeaters of the longest hop. */
static bool native_tap(const struct engine_ctx *ctx, const struct router_spec *spec,
                       const struct process *p, struct cost *out, struct err *err)
{
    struct tap_result r;
    struct link_result hop = {0};
    struct link_point wire = link_point_default();
    wire.bits = spec->flit_bits;
    wire.length = spec->hop_mm * 1e-3;
    wire.delay = 1e-12;
    if (spec->hop_mm > 0) {
        if (!link_point_check(&wire, &p->tech, (struct where){"hop", 0, NULL}, err))
            return false;
        link_model(&p->lib, &wire, &hop);
    }
    tap_model(&p->lib,
              &(struct tap_point){.n_in = spec->inputs,
                                  .n_out = spec->outputs,
                                  .bits = spec->flit_bits,
                                  .gate_flits = spec->gate_flits,
                                  .token_bits = spec->token_bits,
                                  .counters = spec->token_numbers},
              &r);
    static const enum cost_part part_of[TAP_PARTS] = {[TAP_SWITCH] = PART_CROSSBAR,
                                                      [TAP_REGISTERS] = PART_CROSSBAR,
                                                      [TAP_GATE] = PART_BUFFER,
                                                      [TAP_CONTROL] = PART_ALLOCATOR,
                                                      [TAP_CLOCK] = PART_CLOCK};
    double skew = p->mode == TIMING_STAGE ? p->skew : 0;
    double latch = stage_register_delay(&p->lib), cycle = latch + r.logic + hop.best_delay;
    struct cost c;
    cost_clear(&c);
    c.engine = "native";
    c.model = "tap";
    c.technology = technology_text(p, ctx->mem);
    for (int i = 0; i < TAP_PARTS; i++) {
        c.area_um2[part_of[i]] += r.area[i] * 1e12;
        c.leakage_w[part_of[i]] += r.leak[p->variant][i];
    }
    c.wire_area_um2 = 0;
    c.energy_pj[EV_BUF_WRITE] = r.e_write * 1e12;
    c.energy_pj[EV_BUF_READ] = r.e_read * 1e12;
    c.energy_pj[EV_XBAR] = r.e_cross * 1e12;
    c.energy_pj[EV_SW_ALLOC] = r.e_ask * 1e12;
    c.vc_alloc_pj = 0;
    c.energy_pj[EV_VC_ALLOC] = c.energy_pj[EV_MERGE_SEARCH] = c.energy_pj[EV_MERGE_HOLD] = 0;
    c.energy_pj[EV_ROUTER_CLOCK] = r.e_clock * 1e12;
    c.fmax_ghz = 1e-9 * (1 - skew) / cycle;
    c.limit = hop.best_delay > r.logic ? "the wire of a hop" : "the select of a tap";
    c.traversal_cycles = c.alloc_cycles = 1;
    c.delay_ns = (latch + r.logic) * 1e9;
    c.meets_timing = c.fmax_ghz >= spec->clock_ghz;
    c.note = arena_printf(ctx->mem,
                          "register %.0f ps, multiplexer and its select %.0f ps, wire of a hop of "
                          "%.2f mm at least %.0f ps; skew %g",
                          latch * 1e12, r.logic * 1e12, spec->hop_mm, hop.best_delay * 1e12, skew);
    *out = c;
    return true;
}

static bool native_router(const struct engine_ctx *ctx, const struct router_spec *spec,
                          struct cost *out, struct err *err)
{
    struct process *p = arena_new(ctx->mem, struct process);
    if (!process_of(ctx, p, err))
        return false;
    if (spec->is_tap)
        return native_tap(ctx, spec, p, out, err);
    struct router_point point = router_point_default();
    point.n_in = spec->inputs;
    point.n_out = spec->outputs;
    point.flit_bits = spec->flit_bits;
    point.vcs = spec->vcs;
    point.bufs_per_vc = spec->vc_depth;
    point.freq = spec->clock_ghz * 1e9;
    point.mode = p->mode;
    point.arbiters = p->arbiters;
    point.switches = p->switches;
    if (!router_point_check(&point, &p->tech, (struct where){"router", 0, NULL}, err))
        return false;
    if (spec->merge_entries > 65536 || (spec->merge_entries && !spec->merge_bits))
        return err_add(err, ERR_INPUT, NOWHERE, "a merge table of %u entries of %u bits",
                       spec->merge_entries, spec->merge_bits);

    struct arena scratch;
    arena_init(&scratch, ctx->mem->out_of_memory, ctx->mem->ctx);
    struct modelled x = {.plan = {1, 1}, .note = ""};
    if (p->mode == TIMING_STAGE)
        model_stages(spec, p, &point, &scratch, ctx->mem, &x);
    else
        model_dsent(spec, p, &point, &scratch, &x);
    arena_free(&scratch);
    const struct router_result r = x.r;

    struct cost c;
    cost_clear(&c);
    c.engine = "native";
    c.model = "router";
    c.technology = technology_text(p, ctx->mem);
    native_router_parts(r.area, c.area_um2);
    for (int i = 0; i < PART_COUNT; i++)
        c.area_um2[i] *= 1e12;
    native_router_parts(r.leak[p->variant], c.leakage_w);
    c.wire_area_um2 = r.wire_global * 1e12;
    c.energy_pj[EV_BUF_WRITE] = r.e_write * 1e12;
    c.energy_pj[EV_BUF_READ] = r.e_read * 1e12;
    c.energy_pj[EV_XBAR] = r.e_xbar * 1e12;
    c.energy_pj[EV_SW_ALLOC] = (r.e_arb1 + r.e_arb2) * 1e12;
    c.vc_alloc_pj = r.e_vc_alloc * 1e12; /* the extras below come on top */
    c.energy_pj[EV_VC_ALLOC] = c.vc_alloc_pj;
    c.energy_pj[EV_MERGE_SEARCH] = c.energy_pj[EV_MERGE_HOLD] = 0;
    c.energy_pj[EV_ROUTER_CLOCK] = r.e_clock * 1e12;
    c.fmax_ghz = x.fmax_ghz;
    c.limit = x.limit;
    c.traversal_cycles = x.plan.traversal;
    c.alloc_cycles = x.plan.alloc;
    c.delay_ns = r.t_ck * 1e9;
    c.meets_timing = r.met;
    c.note = arena_printf(
        ctx->mem, "timing mode %s%s%s%s%s", timing_mode_names[p->mode], x.note[0] ? ": " : "",
        x.note, r.met ? "" : "; does not meet the clock it is sized for",
        r.clock_transition_met || p->mode == TIMING_STAGE ? ""
                                                          : "; clock tree transition above 40 ps");
    add_extras(spec, p, &c);
    *out = c;
    return true;
}

/* A link whose delay no repeaters can meet in one step is cut into equal stages with a register
 * between them; stages are counted so that each meets the delay, and are `least` at least. */
enum { STAGES_MAX = 1000 };

struct piped_link {
    struct link_result stage;
    double stages;
};

static struct piped_link link_in_stages(const struct cell_lib *lib, const struct link_point *p,
                                        uint32_t least)
{
    struct piped_link l = {.stages = least ? least : 1};
    struct link_point one = *p;
    one.length = p->length / l.stages;
    link_model(lib, &one, &l.stage);
    while (!l.stage.met && l.stages < STAGES_MAX) {
        l.stages++;
        one.length = p->length / l.stages;
        link_model(lib, &one, &l.stage);
    }
    return l;
}

static bool native_link(const struct engine_ctx *ctx, const struct link_spec *spec,
                        struct cost *out, struct err *err)
{
    struct process *p = arena_new(ctx->mem, struct process);
    if (!process_of(ctx, p, err))
        return false;
    struct link_point point = link_point_default();
    point.bits = spec->width_bits;
    point.length = spec->length_mm * 1e-3;
    point.delay = spec->delay_ns * 1e-9;
    if (p->mode == TIMING_STAGE) /* from register to register; never nothing at all */
        point.delay =
            fmax(0.01 * point.delay, point.delay * (1 - p->skew) - stage_register_delay(&p->lib));
    if (spec->tap_inputs)
        point.delay =
            fmax(0.01 * point.delay,
                 point.delay - tap_logic_delay(&p->lib, spec->tap_inputs, spec->width_bits));
    if (!link_point_check(&point, &p->tech, (struct where){"link", 0, NULL}, err))
        return false;
    struct piped_link l = link_in_stages(&p->lib, &point, spec->stages);
    const struct link_result *r = &l.stage;
    const struct cell *dff = &p->lib.cells[CELL_DFFQ][0];
    double registers = (l.stages - 1) * point.bits, vdd = p->tech.vdd;
    /* random bits: n01 is 1/4 for data, 1 for the clock; each register drives a repeater */
    double register_energy =
        vdd * vdd * (dff->cap_s + 0.25 * (dff->cap_d + dff->cap_m + dff->cap_y + r->pin_cap));
    struct cost c;
    cost_clear(&c);
    c.engine = "native";
    c.model = "repeated link";
    c.technology = technology_text(p, ctx->mem);
    c.area_um2[PART_REPEATER] = (l.stages * r->area + registers * dff->area) * 1e12;
    c.leakage_w[PART_REPEATER] =
        l.stages * r->leak[p->variant] + registers * dff->leak_mean[p->variant];
    c.wire_area_um2 = l.stages * r->wire_area * 1e12;
    c.energy_pj[EV_LINK] = (l.stages * r->energy + registers * register_energy) * 1e12;
    c.fmax_ghz = 1e-9 / r->best_delay;
    c.delay_ns = l.stages > 1 ? l.stages * spec->delay_ns : r->delay * 1e9;
    c.meets_timing = r->met;
    c.note = arena_printf(ctx->mem, "%g stage%s of %g segments, inverters of size %g%s", l.stages,
                          l.stages > 1 ? "s" : "", r->segments, p->tech.sizes[r->size],
                          r->met ? "" : "; no repeaters meet the delay asked for");
    *out = c;
    return true;
}

const struct engine engine_native = {
    .name = "native",
    .meaning = "our own models: routers and links (DSENT class), arrays (CACTI class)",
    .cost_router = native_router,
    .cost_link = native_link,
    .cost_array = array_engine_native,
};
