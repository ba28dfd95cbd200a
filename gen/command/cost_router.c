/* SPDX-License-Identifier: MIT
 *
 * `crosswatt cost-router`: routers in batch. */
#include <math.h>

#include "energy/logic/stage_model.h"
#include "energy/logic/wire.h"
#include "gen/price/logic_row.h"

#define PARTS(X, prefix)                                                                           \
    X(prefix "inputports"), X(prefix "swalloc"), X(prefix "xbar"), X(prefix "xbar_sel_dff"),       \
        X(prefix "clocktree"), X(prefix "pipereg0"), X(prefix "pipereg1"), X(prefix "pipereg2")
#define M2(name) name "_m2"
#define WATT(name) name "_w"

static const char *const outputs[] = {
    "area_active_m2",       PARTS(M2, "area_"), "wire_metal1_m2",
    "wire_intermediate_m2", "wire_global_m2",   "leak_total_w",
    PARTS(WATT, "leak_"),   "leak13_total_w",   PARTS(WATT, "leak13_"),
    "e_write_buffer_j",     "e_read_buffer_j",  "e_xbar_multicast1_j",
    "e_arb_stage1_j",       "e_arb_stage2_j",   "e_dist_clock_j",
    "t_ck_report_s",        "timing_met",       "opt_required_s",
    "opt_min_delay_s",      "opt_slack_s",      "clktree_transition_met",
    "fmax_all_hz",          "fmax_ck_hz",       "fmax_stage_hz",
};
enum { N_OUTPUTS = sizeof outputs / sizeof outputs[0], N_FMAX = 3 };

static void fill(const struct router_result *r, double *out)
{
    size_t k = 0;
    out[k++] = r->area_total;
    for (int i = 0; i < ROUTER_PARTS; i++)
        out[k++] = r->area[i];
    out[k++] = r->wire_metal1;
    out[k++] = r->wire_intermediate;
    out[k++] = r->wire_global;
    for (int v = 0; v < LEAK_VARIANTS; v++) {
        out[k++] = r->leak_total[v];
        for (int i = 0; i < ROUTER_PARTS; i++)
            out[k++] = r->leak[v][i];
    }
    out[k++] = r->e_write;
    out[k++] = r->e_read;
    out[k++] = r->e_xbar;
    out[k++] = r->e_arb1;
    out[k++] = r->e_arb2;
    out[k++] = r->e_clock;
    out[k++] = r->t_ck;
    out[k++] = r->timed ? r->met : NAN;
    bool failed = r->timed && !r->met; /* printed with six digits, as the tool's warning */
    out[k++] = failed ? round6(r->required) : NAN;
    out[k++] = failed ? round6(r->min_delay) : NAN;
    out[k++] = failed ? round6(r->slack) : NAN;
    out[k++] = r->clock_transition_met;
}

static bool stage_row(const struct batch_row *row, const struct cell_lib *lib,
                      const struct router_point *p, bool fmax, struct router_result *r, double *out,
                      struct err *err)
{
    struct logic_row_stage s;
    if (!logic_row_stage(row, lib, &s, err))
        return false;
    struct stage_options options = {.skew = s.skew};
    struct stage_model *m = stage_model_new(row->mem, s.lib, p, &options);
    struct stage_plan plan = stage_model_plan(m, p->freq, s.traversal, false);
    struct stage_timing t = stage_model_timing(m, plan);
    if (p->mode == TIMING_STAGE)
        stage_model_price(m, p->freq, plan, r);
    if (fmax)
        out[N_OUTPUTS - 1] = stage_fmax(&t);
    return true;
}

static bool row_native(void *ctx, const struct batch_row *row, double *out, struct err *err)
{
    struct logic_job *job = ctx;
    struct router_point p;
    struct router_result r;
    const struct cell_lib *lib = logic_row_lib(&job->set, row, err);
    if (!lib || !logic_row_router(row, lib, &p, err))
        return false;
    struct router_model *m = router_model_new(row->mem, lib, &p, NULL, 0);
    if (p.mode != TIMING_STAGE) {
        router_model_size(m, p.freq, p.mode);
        router_model_price(m, &r);
    }
    if ((job->fmax || p.mode == TIMING_STAGE) && !stage_row(row, lib, &p, job->fmax, &r, out, err))
        return false;
    fill(&r, out);
    if (job->fmax) {
        out[N_OUTPUTS - 3] = router_model_fmax(m, TIMING_ALL, ROUTER_FMAX_TOLERANCE);
        out[N_OUTPUTS - 2] = router_model_fmax(m, TIMING_CK, ROUTER_FMAX_TOLERANCE);
    }
    return true;
}

static bool row_dsent(void *ctx, const struct batch_row *row, double *out, struct err *err)
{
    struct logic_job *job = ctx;
    struct router_point p;
    struct router_result r;
    enum leak_variant variant;
    const struct cell_lib *lib = logic_row_lib(&job->set, row, err);
    if (!lib || !logic_row_router(row, lib, &p, err) ||
        !logic_row_published(&job->set, row, lib, err))
        return false;
    if (p.mode == TIMING_STAGE || p.arbiters != ARBITER_MATRIX_CELLS)
        return err_add(err, ERR_INPUT, batch_at(row),
                       "dsent has neither timing mode stage nor arbiters of trees");
    if (!dsent_router(&job->tool, lib->tech->name, &p, &r, &variant, err)) {
        err_note(err, batch_at(row), "in this row");
        return false;
    }
    fill(&r, out);
    return true;
}

static int run(struct app *app, const struct options *o)
{
    static const struct logic_batch batch = {
        logic_row_router_inputs, outputs, N_OUTPUTS, N_FMAX, row_native, row_dsent};
    return logic_batch_run(app, o, &batch);
}

static const struct option_def options[] = {
    {"csv", 0, "FILE", "rows of routers; see below"},
    {"fmax", 0, NULL, "also search the largest clock in every timing mode"},
    LOGIC_ENGINE_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct command cmd_cost_router = {
    .name = "cost-router",
    .args = "--csv FILE [--engine native|dsent]",
    .meaning = "area, leakage, energy per event and critical path of routers, a row each",
    .text =
        "Input columns, all optional: tech, n_in, n_out, flit_bits, vcs, bufs_per_vc, freq_hz,\n"
        "timing_mode (all, ck, stage, none), clk_levels, clk_layer, arbiters (matrix, tree);\n"
        "for mode stage switch (muxes, lines), cell_margin, clock_skew, traversal_stages (0: "
        "auto).\n"
        "Other columns pass through.\n"
        "tech is Bulk45LVT, Bulk32LVT, Bulk22LVT, TG11LVT or a node from 45 to 11 nm.\n"
        "leak_* is leakage variant 0.91, leak13_* variant 2013. All values in SI units.\n",
    .options = options,
    .reads_no_config = true,
    .run = run,
};
