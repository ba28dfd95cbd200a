/* SPDX-License-Identifier: MIT
 *
 * `crosswatt cost-link`: repeated links in batch. */
#include <math.h>
#include <string.h>

#include "gen/price/logic_row.h"

static const char *const outputs[] = {
    "e_send_j",       "leak_w",           "leak13_w",
    "area_active_m2", "wire_metal1_m2",   "wire_intermediate_m2",
    "wire_global_m2", "delay_achieved_s", "timing_met",
    "warn_segments",  "fmax_hz",
};
enum { N_OUTPUTS = sizeof outputs / sizeof outputs[0], N_FMAX = 1 };

static void fill(const struct link_point *p, const struct link_result *r, bool fmax, double *out)
{
    size_t k = 0;
    out[k++] = r->energy;
    out[k++] = r->leak[LEAK_091];
    out[k++] = r->leak[LEAK_2013];
    out[k++] = r->area;
    /* every cell counts its area as Metal1, too */
    out[k++] = r->area + (strcmp(p->layer, "Metal1") == 0 ? r->wire_area : 0);
    out[k++] = strcmp(p->layer, "Intermediate") == 0 ? r->wire_area : 0;
    out[k++] = strcmp(p->layer, "Global") == 0 ? r->wire_area : 0;
    out[k++] = r->delay;
    out[k++] = r->met;
    out[k++] = r->met ? NAN : r->segments;
    if (fmax)
        out[k++] = 1 / r->best_delay;
}

static bool row_native(void *ctx, const struct batch_row *row, double *out, struct err *err)
{
    struct logic_job *job = ctx;
    struct link_point p;
    struct link_result r;
    const struct cell_lib *lib = logic_row_lib(&job->set, row, err);
    if (!lib || !logic_row_link(row, lib, &p, err))
        return false;
    link_model(lib, &p, &r);
    fill(&p, &r, job->fmax, out);
    return true;
}

static bool row_dsent(void *ctx, const struct batch_row *row, double *out, struct err *err)
{
    struct logic_job *job = ctx;
    struct link_point p;
    struct link_result r;
    enum leak_variant variant;
    const struct cell_lib *lib = logic_row_lib(&job->set, row, err);
    if (!lib || !logic_row_link(row, lib, &p, err) ||
        !logic_row_published(&job->set, row, lib, err))
        return false;
    if (!dsent_link(&job->tool, lib->tech->name, &p, &r, &variant, err)) {
        err_note(err, batch_at(row), "in this row");
        return false;
    }
    fill(&p, &r, job->fmax, out);
    return true;
}

static int run(struct app *app, const struct options *o)
{
    static const struct logic_batch batch = {
        logic_row_link_inputs, outputs, N_OUTPUTS, N_FMAX, row_native, row_dsent};
    return logic_batch_run(app, o, &batch);
}

static const struct option_def options[] = {
    {"csv", 0, "FILE", "rows of links; see below"},
    {"fmax", 0, NULL, "also the largest clock whose period the link can meet, unpipelined"},
    LOGIC_ENGINE_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct command cmd_cost_link = {
    .name = "cost-link",
    .args = "--csv FILE [--engine native|dsent]",
    .meaning = "area, leakage, energy per flit and delay of repeated links, a row each",
    .text =
        "Input columns, all optional: tech, layer, bits, length_m, delay_constraint_s, "
        "width_mult,\n"
        "spacing_mult, keep_parity. Other columns pass through. All values in SI units.\n"
        "timing_met = 0 means that no repeaters meet the delay: the row is then no design point.\n",
    .options = options,
    .reads_no_config = true,
    .run = run,
};
