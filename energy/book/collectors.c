/* SPDX-License-Identifier: MIT */
#include "energy/book/collectors.h"

#include "base/arena.h"
#include "cache/array.h"
#include "energy/logic/processes.h"

bool collectors_add(const struct engine_ctx *ctx, const struct array *a, double clock_ghz,
                    struct cost *cost, struct err *err)
{
    struct tech_params tech = *ctx->tech;
    if (logic_techs_cover(ctx->logic_techs, tech.array_node_nm) &&
        tech.array_node_nm != tech.node_nm) {
        tech.node_nm = tech.array_node_nm;
    }
    tech.voltage_v = 0; /* the array is brought to its supply as a whole */
    struct engine_ctx at = *ctx;
    at.tech = &tech;
    uint32_t slices = a->slices ? a->slices : 1, groups = a->groups ? a->groups : 1;
    struct router_spec spec = {.inputs = a->banks / groups,
                               .outputs = a->collectors,
                               .flit_bits = array_bits_per_entry(a) / slices,
                               .vcs = 1,
                               .vc_depth = 1,
                               .clock_ghz = clock_ghz};
    struct cost c;
    if (!engine_native.cost_router(&at, &spec, &c, err))
        return false;
    double n = (double)slices * groups, per_input = (double)a->collectors / spec.inputs;
    cost->area_um2[PART_CROSSBAR] += n * c.area_um2[PART_CROSSBAR];
    cost->leakage_w[PART_CROSSBAR] += n * c.leakage_w[PART_CROSSBAR];
    cost->area_um2[PART_BUFFER] += n * per_input * c.area_um2[PART_BUFFER];
    cost->leakage_w[PART_BUFFER] += n * per_input * c.leakage_w[PART_BUFFER];
    cost->energy_pj[EV_ARRAY_READ] +=
        slices * (c.energy_pj[EV_XBAR] + c.energy_pj[EV_BUF_WRITE] + c.energy_pj[EV_BUF_READ]) +
        c.energy_pj[EV_SW_ALLOC];
    cost->energy_pj[EV_ARRAY_WRITE] += slices * c.energy_pj[EV_XBAR] + c.energy_pj[EV_SW_ALLOC];
    cost->note = arena_printf(ctx->mem, "%s; %u x %u switch%s of %u bits and collectors at %g nm",
                              cost->note, spec.inputs, spec.outputs, n > 1 ? "es" : "",
                              spec.flit_bits, tech.node_nm);
    return true;
}
