/* SPDX-License-Identifier: MIT */
#include "gen/price/bill_figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/printable.h"
#include "base/table.h"
#include "gen/config/read.h"
#include "gen/out.h"
#include "gen/plot.h"

enum { N_POWERS = BILL_POWERS + 1 };
static const char *const power_names[N_POWERS] = {"buffers", "crossbars", "allocators",
                                                  "links",   "clock",     "leakage"};

struct parts_plot {
    const char *file, *title;
    const char *const *names; /* of the bills */
    bool power;               /* or area */
};

static bool plot_parts(struct app *app, const struct bill *bills, size_t n,
                       const struct parts_plot *x, const char *dir)
{
    bool power = x->power;
    size_t n_series = power ? N_POWERS : BILL_AREAS;
    double *values = arena_many(&app->mem, double, n *n_series);
    for (size_t i = 0; i < n; i++) {
        const struct bill_net *s = &bills[i].nets[BILL_SUM];
        for (size_t k = 0; k < n_series; k++)
            values[i * n_series + k] = !power            ? s->area_mm2[bill_area_parts[k]]
                                       : k < BILL_POWERS ? s->dynamic_w[k]
                                                         : bill_leakage_w(s);
    }
    struct plot plot = {.kind = PLOT_STACKED,
                        .name = x->file,
                        .title = x->title,
                        .x_label = "",
                        .y_label = power ? "power (W)" : "active area (mm^2)",
                        .categories = x->names,
                        .n_categories = n,
                        .series = power ? power_names : bill_area_names,
                        .n_series = n_series,
                        .values = values,
                        .baseline = NAN};
    const char *svg;
    return plot_write(&plot, dir, app->data_dir, &app->mem, &svg, &app->err);
}

bool bill_plot(struct app *app, const struct bill *bills, size_t n, const char *dir)
{
    const char **names = arena_many(&app->mem, const char *, n);
    for (size_t i = 0; i < n; i++) {
        const struct arch *a = bills[i].priced->design->arch;
        const char *stem = path_stem(&app->mem, a->file);
        names[i] = printable_text(&app->mem, arena_printf(&app->mem, "%s%s%s", stem,
                                                          a->variant[0] ? " " : "", a->variant));
    }
    const char *power =
        arena_printf(&app->mem, "Power of the networks, each at its clock, injection rate %g",
                     bills[0].options.rate);
    if (n == 1)
        power = arena_printf(&app->mem, "Power of the networks at %.3f GHz, injection rate %g",
                             bills[0].priced->clock.clock_ghz, bills[0].options.rate);
    return file_make_dirs(dir, &app->err) &&
           plot_parts(
               app, bills, n,
               &(struct parts_plot){"area", "Active area of the networks by part", names, false},
               dir) &&
           plot_parts(app, bills, n, &(struct parts_plot){"power", power, names, true}, dir);
}

/* ---- figures of the CD-Xbar paper ------------------------------------------------------------ */

enum { N_TOPOLOGIES = 6, N_COUNTS = 4 };
static const char *const topologies[N_TOPOLOGIES] = {"crossbar", "mesh",      "smesh",
                                                     "clos",     "butterfly", "cdxbar"};
static const int counts[N_COUNTS] = {20, 80, 120, 180};

static bool paper_bill(struct app *app, const struct options *o, int sms, const char *topology,
                       const struct bill_options *bo, struct bill *out)
{
    const char *file =
        arena_printf(&app->mem, "%s/cfg/paper/cdxbar/%d-%s.cfg", app->data_dir, sms, topology);
    struct arch *arch = arena_new(&app->mem, struct arch);
    struct design *design = arena_new(&app->mem, struct design);
    struct priced *priced = arena_new(&app->mem, struct priced);
    return arch_read_options(app, file, o, arch) &&
           design_make(arch, false, &app->mem, design, &app->err) &&
           bill_price(design, app->data_dir, &app->mem, priced, &app->err) &&
           bill_make(priced, bo, out, &app->err);
}

static bool figure_2(struct app *app, const struct options *o, const struct bill_options *bo,
                     const char *dir)
{
    static const struct table_column columns[] = {
        {"topology", "", -1},     {"buffers", "mm2", 3}, {"crossbars", "mm2", 3},
        {"allocators", "mm2", 3}, {"clock", "mm2", 3},   {"repeaters", "mm2", 3},
        {"active", "mm2", 3},     {"ratio", "", 2},      {"global_wire", "mm2", 1}};
    struct bill bills[N_TOPOLOGIES];
    struct table *t = table_new(&app->mem, columns, 9);
    for (int i = 0; i < N_TOPOLOGIES; i++) {
        if (!paper_bill(app, o, 80, topologies[i], bo, &bills[i]))
            return false;
        const struct bill_net *s = &bills[i].nets[BILL_SUM];
        table_row(t);
        table_text(t, topologies[i]);
        for (int k = 0; k < BILL_AREAS; k++)
            table_num(t, s->area_mm2[bill_area_parts[k]]);
        table_num(t, bill_active_mm2(s));
        table_num(t, bill_active_mm2(s) / bill_active_mm2(&bills[0].nets[BILL_SUM]));
        table_num(t, s->wire_mm2);
    }
    out_table(t, o->json, 9, &app->mem);
    const struct parts_plot x = {"figure2", "Active area of the networks, 80 SMs and 16 LLC slices",
                                 topologies, false};
    return plot_parts(app, bills, N_TOPOLOGIES, &x, dir);
}

/* Pictures of equal size below each other, as one. Nothing where they could not be drawn. */
static bool write_column(struct app *app, const char *const *svgs, int n, const char *path)
{
    const int width = 980, height = 400;
    struct buf out;
    buf_init(&out, &app->mem, BUF_NO_MAX);
    buf_printf(&out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
               "viewBox=\"0 0 %d %d\">\n",
               width, n * height, width, n * height);
    for (int i = 0; i < n; i++) {
        const char *root = strstr(svgs[i], "<svg");
        if (!root)
            return true;
        /* the picture keeps its view box; its place and size are ours */
        buf_printf(&out, "<svg x=\"0\" y=\"%d\" width=\"%d\" height=\"%d\" ", i * height, width,
                   height);
        const char *box = strstr(root, "viewBox="), *body = strchr(root, '>');
        if (!box || !body || box > body)
            return true;
        const char *end = strchr(box + strlen("viewBox=") + 1, '"');
        buf_addn(&out, box, (size_t)(end - box) + 1);
        buf_add(&out, " xmlns:xlink=\"http://www.w3.org/1999/xlink\"");
        buf_add(&out, body);
        buf_putc(&out, '\n');
    }
    buf_add(&out, "</svg>\n");
    return file_write(path, out.data, out.len, &app->err);
}

static bool figure_3(struct app *app, const struct options *o, const struct bill_options *bo,
                     const char *dir)
{
    static const struct table_column columns[] = {
        {"topology", "", -1}, {"SMs", "", -2},     {"active", "mm2", 3}, {"global_wire", "mm2", 1},
        {"power", "W", 3},    {"clock", "GHz", 3}, {"fmax", "GHz", 3},   {"limited_by", "", -1}};
    enum { AREA, POWER, CLOCK, N_PICTURES };
    static const char *const names[N_PICTURES] = {"figure3a", "figure3b", "figure3c"};
    static const char *const titles[N_PICTURES] = {
        "Active area of the networks", "Power of the networks", "Largest clock of the networks"};
    static const char *const labels[N_PICTURES] = {"active area (mm^2)", "power (W)",
                                                   "largest clock (GHz)"};
    double x[N_COUNTS], y[N_PICTURES][N_TOPOLOGIES][N_COUNTS];
    struct table *t = table_new(&app->mem, columns, 8);
    for (int i = 0; i < N_TOPOLOGIES; i++)
        for (int k = 0; k < N_COUNTS; k++) {
            struct bill b;
            if (!paper_bill(app, o, counts[k], topologies[i], bo, &b))
                return false;
            const struct bill_net *s = &b.nets[BILL_SUM];
            const struct clock_choice *c = &b.priced->clock;
            x[k] = counts[k];
            y[AREA][i][k] = bill_active_mm2(s);
            y[POWER][i][k] = bill_dynamic_w(s) + bill_leakage_w(s);
            y[CLOCK][i][k] = c->fmax_ghz;
            table_row(t);
            table_text(t, topologies[i]);
            table_num(t, counts[k]);
            table_num(t, y[AREA][i][k]);
            table_num(t, s->wire_mm2);
            table_num(t, y[POWER][i][k]);
            table_num(t, c->clock_ghz);
            table_num(t, c->fmax_ghz);
            table_text(t, c->limited_by);
        }
    out_table(t, o->json, 9, &app->mem);
    const char *svgs[N_PICTURES];
    bool ok = true;
    for (int p = 0; p < N_PICTURES; p++) {
        struct plot_line lines[N_TOPOLOGIES];
        for (int i = 0; i < N_TOPOLOGIES; i++)
            lines[i] = (struct plot_line){topologies[i], x, y[p][i], N_COUNTS};
        struct plot plot = {.kind = PLOT_LINES,
                            .name = names[p],
                            .title = titles[p],
                            .x_label = "SMs",
                            .y_label = labels[p],
                            .lines = lines,
                            .n_lines = N_TOPOLOGIES,
                            .baseline = NAN};
        ok &= plot_write(&plot, dir, app->data_dir, &app->mem, &svgs[p], &app->err);
    }
    return ok && write_column(app, svgs, N_PICTURES, path_join(&app->mem, dir, "figure3.svg"));
}

bool bill_figure(struct app *app, const struct options *o, int figure,
                 const struct bill_options *bo, const char *dir)
{
    return file_make_dirs(dir, &app->err) &&
           (figure == 2 ? figure_2(app, o, bo, dir) : figure_3(app, o, bo, dir));
}
