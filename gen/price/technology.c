/* SPDX-License-Identifier: MIT */
#include "gen/price/technology.h"

#include "base/arena.h"
#include "energy/engine.h"
#include "gen/config/read_tech.h"
#include "gen/template.h"

#define FROM_NM 22.0
#define CARD_NM 12.0

static const double shown_nm[] = {22, 16, 12, 10, 7, 5, 3};

static void add_factor(struct scope *o, const char *name, const struct tech_scaling *s,
                       enum scaling_quantity q, double from, double to)
{
    if (from == to)
        scope_text(o, name, "1");
    else
        scope_format(o, name, "%.3g (%.2f)", scaling_ratio(s, q, from, to),
                     scaling_spread(s, q, from, to));
}

static bool add_router(struct scope *list, const struct tech_tables *t, const struct logic_tech *at,
                       enum logic_choice family, struct arena *mem, struct err *err)
{
    const struct tech_params tech = {.node_nm = at->node_nm,
                                     .array_node_nm = FROM_NM,
                                     .temperature_k = 340,
                                     .logic = family,
                                     .timing_mode = TIMING_STAGE,
                                     .arbiters = ARBITER_TREE_CELLS,
                                     .cell_margin = 2.5,
                                     .skew = 0.1};
    const struct engine_ctx ctx = {.tech = &tech,
                                   .logic_techs = tech_tables_logic(t, &tech),
                                   .array_tables = &t->arrays,
                                   .scaling = &t->scaling,
                                   .mem = mem};
    const struct router_spec spec = {.inputs = 10,
                                     .outputs = 10,
                                     .flit_bits = 256,
                                     .vcs = 4,
                                     .vc_depth = 4,
                                     .clock_ghz = 1,
                                     .traversal_stages = 1};
    struct cost c;
    if (!engine_native.cost_router(&ctx, &spec, &c, err))
        return false;
    struct scope *o = scope_item(list, "routers");
    scope_text(o, "name", at->name);
    scope_format(o, "vdd", "%.3g", at->vdd);
    scope_format(o, "fmax", "%.2f", c.fmax_ghz);
    scope_format(o, "energy", "%.1f",
                 c.energy_pj[EV_BUF_WRITE] + c.energy_pj[EV_BUF_READ] + c.energy_pj[EV_XBAR] +
                     c.energy_pj[EV_SW_ALLOC]);
    scope_format(o, "leakage", "%.3g", 1e3 * cost_leakage_w(&c));
    scope_format(o, "area", "%.3f", 1e-6 * cost_area_um2(&c));
    return true;
}

bool technology_tables(struct scope *s, const char *data_dir, struct arena *mem, struct err *err)
{
    const struct tech_tables *t = tech_tables_read(data_dir, mem, err);
    if (!t)
        return false;
    const struct tech_scaling *x = &t->scaling;
    scope_list(s, "nodes");
    for (size_t i = 0; i < sizeof shown_nm / sizeof *shown_nm; i++) {
        double nm = shown_nm[i];
        struct scope *o = scope_item(s, "nodes");
        scope_format(o, "node", "%g", nm);
        scope_format(o, "vdd", "%.3g", scaling_at(x, SCALE_vdd_v, nm));
        add_factor(o, "energy", x, SCALE_energy, FROM_NM, nm);
        add_factor(o, "delay", x, SCALE_delay, FROM_NM, nm);
        add_factor(o, "leakage", x, SCALE_leakage, FROM_NM, nm);
        add_factor(o, "logic", x, SCALE_area_logic, FROM_NM, nm);
        add_factor(o, "sram", x, SCALE_sram_um2, FROM_NM, nm);
        add_factor(o, "analogue", x, SCALE_area_analogue, FROM_NM, nm);
    }
    add_factor(s, "to7", x, SCALE_energy, CARD_NM, 7);
    add_factor(s, "to3", x, SCALE_energy, CARD_NM, 3);
    scope_list(s, "routers");
    for (int f = 0; f < LOGIC_FAMILY_COUNT; f++)
        for (size_t i = 0; i < t->logic[f].n; i++)
            if (!add_router(s, t, &t->logic[f].at[i],
                            f == LOGIC_finfet ? LOGIC_CHOICE_finfet : LOGIC_CHOICE_dsent, mem, err))
                return false;
    return true;
}
