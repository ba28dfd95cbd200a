/* SPDX-License-Identifier: MIT */
#include "gen/price/built.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/csv.h"
#include "base/file.h"
#include "energy/logic/stage_model.h"
#include "gen/config/read_tech.h"
#include "gen/price/logic_row.h"

const char *const built_mode_names[BUILT_MODES] = {"all", "ck", "stage", "stage, published area"};

/* What a design does in one cycle. */
enum cycle { CYCLE_STAGES, CYCLE_LANES, CYCLE_TURNS, CYCLE_TRAVERSAL, CYCLE_SINGLE, CYCLES };
static const char *const cycle_names[CYCLES] = {"stages", "lanes", "arbitrate_or_transfer",
                                                "traversal", "single"};
static const char *const cycle_texts[CYCLES] = {"one stage", "one stage, VCs not allocated",
                                                "arbitration or transfer", "traversal",
                                                "arbitration and traversal"};
/* As the words of tech.cell_margin. */
static const char *const style_names[] = {"custom", "cells"};
static const double style_margins[] = {1.25, 2.5};
static const char *const layout_names[] = {"no", "yes"};

struct facts { /* of one row */
    struct router_point point;
    enum cycle cycle;
    uint32_t traversal;
    double margin, area_m2;
    bool has_layout;
    struct logic_tech tech;
};

static bool fill(const struct batch_row *row, const struct logic_set *set, struct facts *f,
                 struct built *b, struct err *err)
{
    double stages = 1, scale = 1, area_mm2 = 0, area_scale = 1, ghz = 0, fo4 = 0;
    int cycle = 0, style = 0, layout = 1, arbiters = 0, switches = 0;
    f->point = router_point_default();
    bool ok = batch_real(row, "inputs", &f->point.n_in, err);
    ok &= batch_real(row, "outputs", &f->point.n_out, err);
    ok &= batch_real(row, "width_bits", &f->point.flit_bits, err);
    ok &= batch_real(row, "vcs", &f->point.vcs, err);
    ok &= batch_real(row, "depth_flits", &f->point.bufs_per_vc, err);
    ok &= batch_real(row, "traversal_stages", &stages, err);
    ok &= batch_real(row, "built_nm", &b->built_nm, err);
    ok &= batch_real(row, "model_nm", &b->model_nm, err);
    ok &= batch_real(row, "delay_scale", &scale, err);
    ok &= batch_real(row, "built_ghz", &ghz, err);
    ok &= batch_real(row, "built_fo4", &fo4, err);
    ok &= batch_real(row, "switch_mm2", &area_mm2, err);
    ok &= batch_real(row, "area_scale", &area_scale, err);
    ok &= batch_name(row, "cycle", cycle_names, CYCLES, &cycle, err);
    ok &= batch_name(row, "style", style_names, 2, &style, err);
    ok &= batch_name(row, "layout", layout_names, 2, &layout, err);
    ok &= batch_name(row, "arbiters", arbiter_kind_names, ARBITER_KIND_COUNT, &arbiters, err);
    ok &= batch_name(row, "switch", switch_kind_names, SWITCH_KIND_COUNT, &switches, err);
    if (!ok || !logic_techs_node(&set->techs, b->model_nm, &f->tech, err) ||
        !router_point_check(&f->point, &f->tech, batch_at(row), err))
        return false;
    if (!(ghz > 0) == !(fo4 > 0))
        return err_add(err, ERR_INPUT, batch_at(row), "give either built_ghz or built_fo4");
    f->point.arbiters = (enum arbiter_kind)arbiters;
    f->point.switches = (enum switch_kind)switches;
    f->cycle = (enum cycle)cycle;
    f->traversal = stages >= 1 && stages <= STAGE_TRAVERSAL_MAX ? (uint32_t)stages : 1;
    f->margin = style_margins[style];
    f->has_layout = layout;
    f->area_m2 = area_mm2 * 1e-6 / area_scale;
    b->is_fo4 = fo4 > 0;
    b->value = b->is_fo4 ? fo4 : ghz * scale;
    b->style = style_names[style];
    b->what = cycle_texts[cycle];
    return true;
}

static double fo4_of(const struct cell_lib *lib)
{
    const struct cell *inv = &lib->cells[CELL_INV][0];
    return inv->delay[PIN_A] + 0.693 * inv->drive_r * 4 * inv->pin_cap[PIN_A];
}

static void set_model(struct built *b, enum built_mode mode, double period, double fo4)
{
    b->model[mode] = b->is_fo4 ? period / fo4 : 1e-9 / period;
    b->ratio[mode] = b->is_fo4 ? b->value / b->model[mode] : b->model[mode] / b->value;
}

/* One cycle of mode stage, s. */
static double stage_period(const struct facts *f, const struct cell_lib *lib, double area,
                           struct arena *mem)
{
    struct stage_options o = {.skew = 0.1, .no_wires = !f->has_layout, .switch_area = area};
    struct stage_model *m = stage_model_new(mem, lib, &f->point, &o);
    struct stage_timing t = stage_model_timing(m, (struct stage_plan){f->traversal, 1});
    const double *p = t.period;
    switch (f->cycle) {
    case CYCLE_LANES:
        return fmax(fmax(p[STAGE_ROUTE], p[STAGE_SW_ALLOC]),
                    fmax(p[STAGE_READ], p[STAGE_TRAVERSAL]));
    case CYCLE_TURNS: return fmax(p[STAGE_SW_ALLOC], p[STAGE_TRAVERSAL]);
    case CYCLE_TRAVERSAL: return p[STAGE_TRAVERSAL];
    case CYCLE_SINGLE: return stage_model_single_cycle(m);
    case CYCLE_STAGES:
    case CYCLES: break;
    }
    return p[t.slowest];
}

static void judge(struct facts *f, struct built *b, struct arena *mem)
{
    struct cell_lib *lib = arena_new(mem, struct cell_lib), *slow = arena_new(mem, struct cell_lib);
    struct router_point dsent = f->point;
    dsent.arbiters = ARBITER_MATRIX_CELLS;
    cell_lib_make(&f->tech, lib);
    struct router_model *m = router_model_new(mem, lib, &dsent, NULL, 0);
    set_model(b, BUILT_ALL, 1 / router_model_fmax(m, TIMING_ALL, ROUTER_FMAX_TOLERANCE),
              fo4_of(lib));
    set_model(b, BUILT_CK, 1 / router_model_fmax(m, TIMING_CK, ROUTER_FMAX_TOLERANCE), fo4_of(lib));
    struct logic_tech tech = logic_tech_slower(&f->tech, f->margin);
    cell_lib_make(&tech, slow);
    set_model(b, BUILT_STAGE, stage_period(f, slow, 0, mem), fo4_of(slow));
    set_model(b, BUILT_STAGE_AREA, stage_period(f, slow, f->area_m2, mem), fo4_of(slow));
}

static bool read_row(const struct csv *csv, size_t i, const struct logic_set *set,
                     struct arena *mem, struct built *b, struct err *err)
{
    struct arena scratch;
    struct facts *f = arena_new(mem, struct facts);
    arena_init(&scratch, mem->out_of_memory, mem->ctx);
    struct batch_row row = {csv, i, &scratch};
    const char *bound = batch_text(&row, "bound");
    b->name = batch_text(&row, "name");
    b->grade = batch_text(&row, "grade");
    b->source = batch_text(&row, "source");
    bool ok = b->name && b->grade && b->source && bound && strlen(bound) == 1;
    if (!ok)
        err_add(err, ERR_INPUT, batch_at(&row), "name, bound, grade and source must be there");
    ok = ok && fill(&row, set, f, b, err);
    if (ok) {
        b->bound = bound[0];
        b->shape = arena_printf(mem, "%gx%gx%g", f->point.n_in, f->point.n_out, f->point.flit_bits);
        judge(f, b, &scratch);
    }
    arena_free(&scratch);
    return ok;
}

bool built_read(const char *data_dir, struct arena *mem, struct built **rows, size_t *n,
                struct err *err)
{
    struct csv csv;
    struct logic_set *set = arena_new(mem, struct logic_set);
    const char *path = path_join(mem, data_dir, "cfg/tech/built-routers.csv");
    if (!logic_set_read(data_dir, set, err) || !csv_read(path, mem, &csv, err))
        return false;
    struct built *list = arena_many(mem, struct built, csv.n_rows);
    bool ok = true;
    for (size_t i = 0; i < csv.n_rows; i++)
        ok &= read_row(&csv, i, set, mem, &list[i], err);
    *rows = list;
    *n = csv.n_rows;
    return ok;
}

struct built_spread built_spread(const struct built *rows, size_t n, char bound,
                                 enum built_mode mode)
{
    struct built_spread s = {.least = INFINITY};
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (rows[i].bound != bound)
            continue;
        s.n++;
        sum += log(rows[i].ratio[mode]);
        s.least = fmin(s.least, rows[i].ratio[mode]);
        s.most = fmax(s.most, rows[i].ratio[mode]);
    }
    s.mean = s.n ? exp(sum / (double)s.n) : NAN;
    return s;
}

size_t built_refuted(const struct built *rows, size_t n, enum built_mode mode)
{
    size_t refuted = 0;
    for (size_t i = 0; i < n; i++)
        refuted += rows[i].bound == 'L' && rows[i].ratio[mode] < 1;
    return refuted;
}
