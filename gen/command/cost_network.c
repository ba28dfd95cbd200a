/* SPDX-License-Identifier: MIT
 *
 * `crosswatt cost-network`: DSENT's own mesh and Clos models in batch. */
#include <string.h>

#include "energy/logic/rollup.h"
#include "gen/price/logic_row.h"

static const char *const mesh_outputs[] = {
    "e_avg_unicast_j",    "e_avg_broadcast_j",  "leak_w",
    "leak13_w",           "leak_router_all_w",  "leak_rrlink_all_w",
    "leak_rslink_all_w",  "area_active_m2",     "area_router_all_m2",
    "area_rrlink_all_m2", "area_rslink_all_m2", "wire_intermediate_m2",
    "wire_global_m2",     "t_ck_report_s",      "timing_met",
};

static bool mesh_row(void *ctx, const struct batch_row *row, double *out, struct err *err)
{
    struct mesh_point p = {.sites = 64,
                           .sites_per_router = 1,
                           .flit_bits = 128,
                           .vcs = 4,
                           .bufs_per_vc = 4,
                           .freq = 1e9,
                           .site_pitch = 1e-3};
    struct mesh_result r;
    const struct cell_lib *lib = logic_row_lib(ctx, row, err);
    bool ok = lib && batch_real(row, "sites", &p.sites, err);
    ok = ok && batch_real(row, "sites_per_router", &p.sites_per_router, err);
    ok = ok && batch_real(row, "flit_bits", &p.flit_bits, err);
    ok = ok && batch_real(row, "vcs", &p.vcs, err);
    ok = ok && batch_real(row, "bufs_per_vc", &p.bufs_per_vc, err);
    ok = ok && batch_real(row, "freq_hz", &p.freq, err);
    ok = ok && batch_real(row, "site_pitch_m", &p.site_pitch, err);
    if (!ok || !mesh_point_check(&p, lib->tech, batch_at(row), err))
        return false;
    rollup_mesh(lib, &p, &r);
    const double values[] = {r.e_unicast,       r.e_broadcast, r.leak[LEAK_091],
                             r.leak[LEAK_2013], r.leak_router, r.leak_rr,
                             r.leak_rs,         r.area,        r.area_router,
                             r.area_rr,         r.area_rs,     r.wire_intermediate,
                             r.wire_global,     r.t_ck,        r.met};
    memcpy(out, values, sizeof values);
    return true;
}

static const char *const clos_outputs[] = {
    "e_avg_unicast_j",
    "leak_w",
    "leak13_w",
    "area_active_m2",
    "area_ingress_all_m2",
    "area_middle_all_m2",
    "area_egress_all_m2",
    "area_links_all_m2",
    "wire_intermediate_m2",
    "wire_global_m2",
    "t_ck_report_s",
    "timing_met",
};

static bool clos_row(void *ctx, const struct batch_row *row, double *out, struct err *err)
{
    struct clos_point p = {.in_sites = 64,
                           .out_sites = 64,
                           .ingress = 8,
                           .middle = 8,
                           .egress = 8,
                           .flit_bits = 128,
                           .vcs = 4,
                           .bufs_per_vc = 4,
                           .freq = 1e9,
                           .in_pitch = 1e-3,
                           .out_pitch = 1e-3};
    struct clos_result r;
    const struct cell_lib *lib = logic_row_lib(ctx, row, err);
    bool ok = lib && batch_real(row, "in_sites", &p.in_sites, err);
    ok = ok && batch_real(row, "out_sites", &p.out_sites, err);
    ok = ok && batch_real(row, "ingress", &p.ingress, err);
    ok = ok && batch_real(row, "middle", &p.middle, err);
    ok = ok && batch_real(row, "egress", &p.egress, err);
    ok = ok && batch_real(row, "flit_bits", &p.flit_bits, err);
    ok = ok && batch_real(row, "vcs", &p.vcs, err);
    ok = ok && batch_real(row, "bufs_per_vc", &p.bufs_per_vc, err);
    ok = ok && batch_real(row, "freq_hz", &p.freq, err);
    ok = ok && batch_real(row, "in_pitch_m", &p.in_pitch, err);
    ok = ok && batch_real(row, "out_pitch_m", &p.out_pitch, err);
    if (!ok || !clos_point_check(&p, lib->tech, batch_at(row), err))
        return false;
    rollup_clos(lib, &p, &r);
    const double values[] = {r.e_unicast,   r.leak[LEAK_091], r.leak[LEAK_2013],
                             r.area,        r.area_ingress,   r.area_middle,
                             r.area_egress, r.area_links,     r.wire_intermediate,
                             r.wire_global, r.t_ck,           r.met};
    memcpy(out, values, sizeof values);
    return true;
}

static const char *const mesh_inputs[] = {"tech",      "sites",        "sites_per_router",
                                          "flit_bits", "vcs",          "bufs_per_vc",
                                          "freq_hz",   "site_pitch_m", NULL};
static const char *const clos_inputs[] = {
    "tech", "in_sites",    "out_sites", "ingress",    "middle",      "egress", "flit_bits",
    "vcs",  "bufs_per_vc", "freq_hz",   "in_pitch_m", "out_pitch_m", NULL};

static int run(struct app *app, const struct options *o)
{
    struct logic_set *set = arena_new(&app->mem, struct logic_set);
    const char *model = option_get(o, "model");
    bool mesh = !model || strcmp(model, "mesh") == 0;
    if (!mesh && strcmp(model, "clos") != 0) {
        err_add(&app->err, ERR_INPUT, NOWHERE, "--model: '%s' is neither mesh nor clos", model);
        return EXIT_INPUT;
    }
    if (!logic_set_read(app->data_dir, set, &app->err))
        return exit_status_of(&app->err);
    struct batch batch = {.inputs = mesh ? mesh_inputs : clos_inputs,
                          .outputs = mesh ? mesh_outputs : clos_outputs,
                          .n_outputs = mesh ? sizeof mesh_outputs / sizeof mesh_outputs[0]
                                            : sizeof clos_outputs / sizeof clos_outputs[0],
                          .engine = "native",
                          .row = mesh ? mesh_row : clos_row,
                          .ctx = set};
    return batch_run(app, o, &batch);
}

static const struct option_def options[] = {
    {"csv", 0, "FILE", "rows of networks; see below"},
    {"model", 0, "NAME", "mesh (default) or clos"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_cost_network = {
    .name = "cost-network",
    .args = "--csv FILE --model mesh|clos",
    .meaning = "DSENT's own network models, a row each",
    .text =
        "Input columns of the mesh, all optional: tech, sites, sites_per_router, flit_bits, vcs,\n"
        "bufs_per_vc, freq_hz, site_pitch_m. Of the Clos: tech, in_sites, out_sites, ingress, "
        "middle,\n"
        "egress, flit_bits, vcs, bufs_per_vc, freq_hz, in_pitch_m, out_pitch_m.\n"
        "The bill of a design of yours is `crosswatt cost CFG`.\n",
    .options = options,
    .reads_no_config = true,
    .run = run,
};
