/* SPDX-License-Identifier: MIT
 *
 * energy/tool/dsent_engine.c: the real DSENT as a cost engine. Its numbers are the program's own,
 * with two exceptions that the note names: the largest clock, which the program can only be
 * bisected for (minutes for a large router), and the papers' additions, which it does not know;
 * both come from the native model, which agrees with the program to its printed digits. */
#include <math.h>

#include "base/arena.h"
#include "energy/book/native.h"
#include "energy/engine.h"
#include "energy/logic/processes.h"
#include "energy/tool/dsent.h"

extern const struct engine engine_native;

static bool tech_name(const struct engine_ctx *ctx, const char **name, struct err *err)
{
    const struct logic_techs *techs = ctx->logic_techs;
    for (size_t i = 0; i < techs->n; i++)
        if (techs->at[i].node_nm == ctx->tech->node_nm) {
            *name = techs->at[i].name;
            return true;
        }
    return err_add(err, ERR_INPUT, (struct where){NULL, 0, "tech.node"},
                   "dsent has no technology of %g nm; it has 45, 32, 22 and 11 nm",
                   ctx->tech->node_nm);
}

static struct dsent_tool tool_of(const struct engine_ctx *ctx)
{
    return (struct dsent_tool){.program = ctx->program,
                               .cache_dir = ctx->cache_dir,
                               .data_dir = ctx->tech->data_dir,
                               .timeout_s = ctx->timeout_s,
                               .vdd = ctx->tech->voltage_v,
                               .temperature = ctx->tech->temperature_k};
}

static const char *technology_text(const struct engine_ctx *ctx, const char *tech,
                                   enum leak_variant variant)
{
    return arena_printf(ctx->mem, "%s (%g nm), leakage %s", tech, ctx->tech->node_nm,
                        leak_variant_names[variant]);
}

static const char *leakage_note(const struct engine_ctx *ctx, enum leak_variant variant)
{
    if (ctx->tech->leakage == variant)
        return "";
    return arena_printf(ctx->mem, "; this program knows leakage %s only, %s was asked for",
                        leak_variant_names[variant], leak_variant_names[ctx->tech->leakage]);
}

static bool cost_router(const struct engine_ctx *ctx, const struct router_spec *spec,
                        struct cost *out, struct err *err)
{
    if (spec->is_tap) { /* nothing of DSENT's is one */
        if (!engine_native.cost_router(ctx, spec, out, err))
            return false;
        out->note = arena_printf(ctx->mem, "DSENT has no such part: our own model; %s", out->note);
        return true;
    }
    /* largest clock, the papers' additions, and all checks of the input */
    struct cost c, plain;
    struct router_spec bare = *spec;
    bare.rr_unit_ports = bare.merge_entries = bare.merge_bits = 0;
    bare.grant_holder = false;
    const char *tech = NULL;
    if (!tech_name(ctx, &tech, err) || !engine_native.cost_router(ctx, spec, &c, err) ||
        !engine_native.cost_router(ctx, &bare, &plain, err))
        return false;

    struct router_point p = router_point_default();
    p.n_in = spec->inputs;
    p.n_out = spec->outputs;
    p.flit_bits = spec->flit_bits;
    p.vcs = spec->vcs;
    p.bufs_per_vc = spec->vc_depth;
    p.freq = spec->clock_ghz * 1e9;
    p.mode = ctx->tech->timing_mode;
    struct dsent_tool tool = tool_of(ctx);
    struct router_result r;
    enum leak_variant variant;
    if (!dsent_router(&tool, tech, &p, &r, &variant, err))
        return false;
    if (variant != ctx->tech->leakage) { /* the additions leak as the program's own parts do */
        struct tech_params same = *ctx->tech;
        struct engine_ctx its = *ctx;
        same.leakage = variant;
        its.tech = &same;
        if (!engine_native.cost_router(&its, spec, &c, err) ||
            !engine_native.cost_router(&its, &bare, &plain, err))
            return false;
    }

    double area[PART_COUNT] = {0}, leak[PART_COUNT] = {0};
    native_router_parts(r.area, area);
    native_router_parts(r.leak[variant], leak);
    for (int i = 0; i < PART_COUNT; i++) { /* the program's numbers plus the additions */
        c.area_um2[i] += area[i] * 1e12 - plain.area_um2[i];
        c.leakage_w[i] += leak[i] - plain.leakage_w[i];
    }
    const double energies[] = {r.e_write, r.e_read, r.e_xbar, r.e_arb1 + r.e_arb2, 0, r.e_clock};
    const enum sim_event events[] = {EV_BUF_WRITE, EV_BUF_READ, EV_XBAR,
                                     EV_SW_ALLOC,  EV_VC_ALLOC, EV_ROUTER_CLOCK};
    for (int i = 0; i < 6; i++)
        c.energy_pj[events[i]] += energies[i] * 1e12 - plain.energy_pj[events[i]];
    c.wire_area_um2 = r.wire_global * 1e12;
    c.delay_ns = r.t_ck * 1e9;
    c.meets_timing = r.met;
    c.engine = "dsent";
    c.technology = technology_text(ctx, tech, variant);
    c.note = arena_printf(ctx->mem, "timing mode %s%s%s; fmax by the native model%s",
                          timing_mode_names[p.mode],
                          r.met ? "" : "; does not meet the clock it is sized for",
                          r.clock_transition_met ? "" : "; clock tree transition above 40 ps",
                          leakage_note(ctx, variant));
    *out = c;
    return true;
}

static bool cost_link(const struct engine_ctx *ctx, const struct link_spec *spec, struct cost *out,
                      struct err *err)
{
    struct cost c;
    const char *tech = NULL;
    if (!tech_name(ctx, &tech, err) || !engine_native.cost_link(ctx, spec, &c, err))
        return false;
    if (spec->stages > 1) { /* DSENT's links have no registers */
        *out = c;
        return true;
    }
    struct link_point p = link_point_default();
    p.bits = spec->width_bits;
    p.length = spec->length_mm * 1e-3;
    p.delay = spec->delay_ns * 1e-9;
    struct dsent_tool tool = tool_of(ctx);
    struct link_result r;
    enum leak_variant variant;
    if (!dsent_link(&tool, tech, &p, &r, &variant, err))
        return false;
    if (!r.met) { /* the program's numbers would be those of no solution at all */
        c.note = arena_printf(ctx->mem,
                              "%s; dsent finds no repeaters that meet the delay: stages "
                              "by the native model",
                              c.note);
        *out = c;
        return true;
    }
    c.engine = "dsent";
    c.technology = technology_text(ctx, tech, variant);
    c.area_um2[PART_REPEATER] = r.area * 1e12;
    c.leakage_w[PART_REPEATER] = r.leak[variant];
    c.wire_area_um2 = r.wire_area * 1e12;
    c.energy_pj[EV_LINK] = r.energy * 1e12;
    c.delay_ns = r.delay * 1e9;
    c.meets_timing = r.met;
    c.note = arena_printf(ctx->mem, "fmax by the native model%s", leakage_note(ctx, variant));
    *out = c;
    return true;
}

const struct engine engine_dsent = {
    .name = "dsent",
    .meaning = "a real DSENT: routers and links",
    .cost_router = cost_router,
    .cost_link = cost_link,
    .cost_array = engine_cannot_cost_array,
};
