/* SPDX-License-Identifier: MIT
 *
 * gpuwattch.xml: the design in the schema of GPUWattch's files. McPAT knows one kind of router, so
 * the network is described by its largest. */
#include "energy/gpuwattch/gpuwattch.h"
#include "base/file.h"
#include "base/printable.h"
#include "gen/emit/emit.h"
#include "gen/price/price.h"
#include "gen/template.h"

static void add_coefficient(struct scope *s, const char *name, double value)
{
    struct scope *item = scope_item(s, "coefficients");
    scope_text(item, "name", name);
    scope_real(item, "value", value);
}

static void add_coefficients(struct scope *s, const struct gpuwattch *g)
{
    scope_list(s, "coefficients");
    for (int c = 0; c < GW_COUNTER_COUNT; c++) {
        const char *name = gw_counter_name((enum gw_counter)c);
        if (g->is_accelwattch && gw_counter_other_name((enum gw_counter)c)[0])
            name = gw_counter_other_name((enum gw_counter)c);
        if (g->scale[c] > 0)
            add_coefficient(s, name, g->scale[c]);
    }
    add_coefficient(s, g->is_accelwattch ? "constant_power" : "CONST_DYNAMICN", g->constant_w);
    for (int i = 0; g->is_accelwattch && i < GWS_COUNT; i++) {
        const char *first, *lane;
        gw_static_names((enum gw_static)i, &first, &lane);
        add_coefficient(s, first, g->static_first_w[i]);
        if (lane)
            add_coefficient(s, lane, g->static_lane_w[i]);
    }
}

static void add_sizes(struct scope *s, const struct arch *a)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"sms", a->gpu.n_sms},
        {"node_nm", a->tech.node_nm},
        {"core_mhz", 1e3 * a->gpu.core_ghz},
        {"l2_mhz", 1e3 * a->gpu.l2_ghz},
        {"dram_mhz", 1e3 * a->gpu.dram_ghz},
        {"noc_mhz", 1e3 * a->noc[0].clock_ghz},
        {"temperature_k", a->tech.temperature_k},
        {"registers", a->sm.registers},
        {"warps", a->sm.warps},
        {"schedulers", a->sm.schedulers},
        {"shared_bytes", a->sm.shared_bytes},
        {"shared_banks", a->sm.shared_banks},
        {"l1_bytes", a->l1.bytes},
        {"l1_line", a->l1.line_bytes},
        {"l1_ways", a->l1.ways},
        {"l1_banks", a->l1.banks},
        {"l1_mshr", a->l1.mshr_entries},
        {"l2_bytes", a->llc.bytes},
        {"l2_line", a->llc.line_bytes},
        {"l2_ways", a->llc.ways},
        {"l2_banks", a->llc.banks},
        {"l2_mshr", a->llc.mshr_entries},
        {"controllers", a->dram.controllers},
        {"dram_banks", a->dram.banks},
        {"dram_bus_bits", 8.0 * a->dram.bus_bytes},
        {"dram_queue", a->dram.queue},
        {"vcs", a->noc[0].params.vcs},
        {"vc_depth", a->noc[0].params.vc_depth},
        {"flit_bits", a->noc[0].params.width_bits},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        scope_real(s, numbers[i].name, numbers[i].value);
}

static void add_network(struct scope *s, const struct noc *noc)
{
    uint32_t inputs = 1, outputs = 1;
    for (uint32_t i = 0; i < noc->n_routers; i++) {
        const struct noc_router *r = &noc->routers[i];
        if ((uint32_t)r->n_in * r->n_out > inputs * outputs) {
            inputs = r->n_in;
            outputs = r->n_out;
        }
    }
    scope_int(s, "noc_inputs", inputs);
    scope_int(s, "noc_outputs", outputs);
    scope_int(s, "noc_columns", noc->grid_columns ? noc->grid_columns : 2);
    scope_int(s, "noc_rows", noc->grid_rows ? noc->grid_rows : 1);
}

static bool write(struct emit *e, struct err *err)
{
    const struct arch *a = e->design->arch;
    struct gpuwattch g;
    struct gw_base base;
    struct scope *s = scope_new(e->mem);
    if (!price_read_gpuwattch(a, e->data_dir, e->mem, &g, &base, NULL, err))
        return false;
    scope_text(s, "file", printable_text(e->mem, a->file));
    scope_text(s, "core", path_base(g.file));
    scope_real(s, "idle_core_w", g.idle_core_w);
    scope_real(s, "dram_read_j", g.dram_j[0]);
    scope_real(s, "dram_write_j", g.dram_j[1]);
    scope_real(s, "dram_precharge_j", g.dram_j[2]);
    add_sizes(s, a);
    add_network(s, &e->design->request);
    add_coefficients(s, &g);
    return emit_template(e, "gpuwattch.xml", "gpuwattch.xml", s, err);
}

const struct emitter emit_gpuwattch = {
    .name = "gpuwattch",
    .meaning = "gpuwattch.xml: the design in the schema of GPUWattch's files",
    .write = write,
};
