/* SPDX-License-Identifier: MIT */
#include "gen/price/logic_row.h"

#include <stdlib.h>
#include <string.h>

#include "energy/logic/range.h"
#include "energy/logic/stage_model.h"
#include "gen/config/read_tech.h"

const char *const logic_row_router_inputs[] = {
    "tech",        "n_in",    "n_out",       "flit_bits",  "vcs",
    "bufs_per_vc", "freq_hz", "timing_mode", "clk_levels", "clk_layer",
    "arbiters",    "switch",  "cell_margin", "clock_skew", "traversal_stages",
    NULL};
const char *const logic_row_link_inputs[] = {
    "tech",       "layer",        "bits",        "length_m", "delay_constraint_s",
    "width_mult", "spacing_mult", "keep_parity", NULL};

bool logic_set_read(const char *data_dir, struct logic_set *out, struct err *err)
{
    if (!logic_techs_read(data_dir, LOGIC_dsent, &out->techs, err) ||
        !logic_techs_read(data_dir, LOGIC_finfet, &out->finfets, err))
        return false;
    logic_set_make(out);
    return true;
}

const struct cell_lib *logic_row_lib(const struct logic_set *set, const struct batch_row *row,
                                     struct err *err)
{
    const char *name = batch_text(row, "tech");
    if (!name)
        name = "Bulk22LVT";
    const struct logic_tech *known = logic_techs_named(&set->techs, name);
    if (known)
        return &set->libs[known - set->techs.at];
    struct logic_tech *tech = arena_new(row->mem, struct logic_tech);
    struct cell_lib *lib = arena_new(row->mem, struct cell_lib);
    double node = strtod(name, NULL);
    bool is_finfet = logic_techs_named(&set->finfets, name) ||
                     (node > 0 && node < set->techs.at[set->techs.n - 1].node_nm);
    if (!logic_techs_find(is_finfet ? &set->finfets : &set->techs, name,
                          csv_at(row->csv, row->row, "tech"), tech, err))
        return NULL;
    cell_lib_make(tech, lib);
    return lib;
}

bool logic_row_router(const struct batch_row *row, const struct cell_lib *lib,
                      struct router_point *out, struct err *err)
{
    struct router_point p = router_point_default();
    int mode = p.mode;
    bool ok = batch_real(row, "n_in", &p.n_in, err);
    ok &= batch_real(row, "n_out", &p.n_out, err);
    ok &= batch_real(row, "flit_bits", &p.flit_bits, err);
    ok &= batch_real(row, "vcs", &p.vcs, err);
    ok &= batch_real(row, "bufs_per_vc", &p.bufs_per_vc, err);
    ok &= batch_real(row, "freq_hz", &p.freq, err);
    ok &= batch_name(row, "timing_mode", timing_mode_names, TIMING_NONE + 1, &mode, err);
    ok &= batch_real(row, "clk_levels", &p.clk_levels, err);
    if (batch_text(row, "clk_layer"))
        p.clk_layer = batch_text(row, "clk_layer");
    int arbiters = p.arbiters, switches = p.switches;
    ok &= batch_name(row, "arbiters", arbiter_kind_names, ARBITER_KIND_COUNT, &arbiters, err);
    ok &= batch_name(row, "switch", switch_kind_names, SWITCH_KIND_COUNT, &switches, err);
    p.arbiters = (enum arbiter_kind)arbiters;
    p.switches = (enum switch_kind)switches;
    p.mode = (enum timing_mode)mode;
    ok = ok && router_point_check(&p, lib->tech, batch_at(row), err);
    if (ok)
        *out = p;
    return ok;
}

bool logic_row_stage(const struct batch_row *row, const struct cell_lib *lib,
                     struct logic_row_stage *out, struct err *err)
{
    double margin = 2.5, skew = 0.1, traversal = 0; /* as the keys */
    bool ok = batch_real(row, "cell_margin", &margin, err);
    ok &= batch_real(row, "clock_skew", &skew, err);
    ok &= batch_real(row, "traversal_stages", &traversal, err);
    ok = ok && logic_check_range(margin, 0.1, 10, "cell_margin", batch_at(row), err);
    ok = ok && logic_check_range(skew, 0, 0.9, "clock_skew", batch_at(row), err);
    ok = ok && logic_check_whole(traversal, 0, STAGE_TRAVERSAL_MAX, "traversal_stages",
                                 batch_at(row), err);
    if (!ok)
        return false;
    struct logic_tech *tech = arena_new(row->mem, struct logic_tech);
    struct cell_lib *slow = arena_new(row->mem, struct cell_lib);
    *tech = logic_tech_slower(lib->tech, margin);
    cell_lib_make(tech, slow);
    *out = (struct logic_row_stage){slow, skew, (uint32_t)traversal};
    return true;
}

bool logic_row_link(const struct batch_row *row, const struct cell_lib *lib, struct link_point *out,
                    struct err *err)
{
    struct link_point p = link_point_default();
    if (batch_text(row, "layer"))
        p.layer = batch_text(row, "layer");
    bool ok = batch_real(row, "bits", &p.bits, err);
    ok &= batch_real(row, "length_m", &p.length, err);
    ok &= batch_real(row, "delay_constraint_s", &p.delay, err);
    ok &= batch_real(row, "width_mult", &p.width_mult, err);
    ok &= batch_real(row, "spacing_mult", &p.spacing_mult, err);
    ok &= batch_bool(row, "keep_parity", &p.keep_parity, err);
    ok = ok && link_point_check(&p, lib->tech, batch_at(row), err);
    if (ok)
        *out = p;
    return ok;
}

bool logic_row_published(const struct logic_set *set, const struct batch_row *row,
                         const struct cell_lib *lib, struct err *err)
{
    if (logic_techs_named(&set->techs, lib->tech->name))
        return true;
    return err_add(err, ERR_INPUT, csv_at(row->csv, row->row, "tech"),
                   "dsent has no technology of %g nm", lib->tech->node_nm);
}

bool logic_engine_options(struct app *app, const struct options *o, bool *real,
                          struct dsent_tool *tool)
{
    const char *engine = option_get(o, "engine");
    *real = engine && strcmp(engine, "dsent") == 0;
    if (engine && !*real && strcmp(engine, "native") != 0)
        return err_add(&app->err, ERR_INPUT, NOWHERE, "--engine: '%s' is neither native nor dsent",
                       engine);
    *tool = (struct dsent_tool){.program = option_get(o, "dsent"),
                                .cache_dir = option_get(o, "cache"),
                                .data_dir = app->data_dir};
    return option_real(o, "timeout", 0.01, 1e6, &tool->timeout_s, &app->err);
}

int logic_batch_run(struct app *app, const struct options *o, const struct logic_batch *b)
{
    struct logic_job *job = arena_new(&app->mem, struct logic_job);
    bool is_real;
    if (!logic_set_read(app->data_dir, &job->set, &app->err) ||
        !logic_engine_options(app, o, &is_real, &job->tool))
        return exit_status_of(&app->err);
    job->fmax = option_has(o, "fmax");
    struct batch batch = {.inputs = b->inputs,
                          .outputs = b->outputs,
                          .n_outputs = job->fmax ? b->n_outputs : b->n_outputs - b->n_fmax,
                          .engine = is_real ? "dsent" : "native",
                          .row = is_real ? b->real : b->native,
                          .ctx = job};
    return batch_run(app, o, &batch);
}
