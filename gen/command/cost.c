/* SPDX-License-Identifier: MIT
 *
 * `crosswatt cost`: the bill of networks and arrays. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/table.h"
#include "gen/command.h"
#include "gen/config/variants.h"
#include "gen/out.h"
#include "gen/price/bill_arrays.h"
#include "gen/price/bill_figure.h"
#include "gen/price/bill_print.h"
#include "gen/price/energy_table.h"

static bool read_name(const struct options *o, const char *option, const char *const *names,
                      size_t n, int *value, struct err *err)
{
    const char *text = option_get(o, option);
    if (!text)
        return true;
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    const char *all = "";
    for (size_t i = 0; i < n; i++) {
        if (strcmp(text, names[i]) == 0) {
            *value = (int)i;
            arena_free(&mem);
            return true;
        }
        all = arena_printf(&mem, "%s%s%s", all, i ? ", " : "", names[i]);
    }
    err_add(err, ERR_INPUT, NOWHERE, "--%s: '%s' is not one of %s", option, text, all);
    arena_free(&mem);
    return false;
}

static bool read_bill_options(const struct options *o, struct bill_options *out, struct err *err)
{
    static const char *const replies[] = {"node", "same"};
    int activity = BILL_FLOW, same = 0;
    long long cycles = 10000;
    out->rate = 0.1;
    bool ok = option_real(o, "rate", 0, 1, &out->rate, err);
    ok &= option_int(o, "cycles", 1, 1000000000, &cycles, err);
    out->cycles = (uint64_t)cycles;
    ok &= read_name(o, "activity", bill_activity_names, BILL_ACTIVITIES, &activity, err);
    ok &= read_name(o, "reply", replies, 2, &same, err);
    out->activity = (enum bill_activity)activity;
    out->reply_is_same = same;
    return ok;
}

static bool write_energy_table(struct app *app, const struct design *design, const char *path)
{
    enum table_form form;
    struct priced priced;
    struct buf text;
    buf_init(&text, &app->mem, BUF_NO_MAX);
    if (!energy_table_form(path, &form, &app->err) ||
        !price_design(design, app->data_dir, 0, &app->mem, &priced, &app->err))
        return false;
    energy_table_write(&priced.book, form, &app->mem, &text);
    return file_write(path, text.data, text.len, &app->err);
}

static bool make_bill(struct app *app, const struct options *o, const struct arch *arch,
                      const struct bill_options *bo, struct bill *out, struct array_bill *arrays)
{
    struct design *design = arena_new(&app->mem, struct design);
    struct priced *priced = arena_new(&app->mem, struct priced);
    if (!design_make(arch, false, &app->mem, design, &app->err))
        return false;
    const char *table = option_get(o, "energy-table");
    if (table && !write_energy_table(app, design, table))
        return false;
    return bill_price(design, app->data_dir, &app->mem, priced, &app->err) &&
           bill_make(priced, bo, out, &app->err) &&
           array_bill_make(design, app->data_dir, &app->mem, arrays, &app->err);
}

static void print(struct app *app, const struct options *o, const struct bill *bills,
                  const struct array_bill *arrays, size_t n)
{
    if (o->json) {
        json_t *all = json_array();
        for (size_t i = 0; i < n; i++) {
            json_t *one = bill_json(&bills[i], &app->mem);
            json_object_set_new(one, "arrays", array_bill_json(&arrays[i]));
            json_array_append_new(all, one);
        }
        if (n == 1)
            out_json(json_incref(json_array_get(all, 0)), 9);
        else
            out_json(json_incref(all), 9);
        json_decref(all);
        return;
    }
    struct buf text;
    buf_init(&text, &app->mem, BUF_NO_MAX);
    if (n == 1 && !option_has(o, "all")) {
        bill_print_brief(&bills[0], &app->mem, &text);
        array_bill_print_brief(&arrays[0], &text);
    } else if (n == 1) {
        bill_print(&bills[0], &app->mem, &text);
        array_bill_print(&arrays[0], &app->mem, &text);
    } else
        bill_print_side_by_side(bills, n, &app->mem, &text);
    fputs(text.data, stdout);
}

static int run(struct app *app, const struct options *o)
{
    struct bill_options bo;
    if (!read_bill_options(o, &bo, &app->err))
        return EXIT_INPUT;
    const char *dir = option_get(o, "plot");
    long long figure = 0;
    if (!option_int(o, "figure", 2, 3, &figure, &app->err))
        return EXIT_INPUT;
    if (figure) {
        bill_figure(app, o, (int)figure, &bo, dir ? dir : ".");
        return exit_status_of(&app->err);
    }
    if (o->n_words == 0) {
        err_add(&app->err, ERR_INPUT, NOWHERE, "usage: crosswatt cost CFG...");
        return EXIT_INPUT;
    }
    struct variant *designs;
    size_t n_designs, n = 0;
    if (!variants_read(app, o, VARIANTS_MANY, &designs, &n_designs, &app->err))
        return exit_status_of(&app->err);
    if (option_has(o, "energy-table") && n_designs > 1) {
        err_add(&app->err, ERR_INPUT, NOWHERE, "--energy-table needs exactly one design");
        return EXIT_INPUT;
    }
    struct bill *bills = arena_many(&app->mem, struct bill, n_designs);
    struct array_bill *arrays = arena_many(&app->mem, struct array_bill, n_designs);
    for (size_t i = 0; i < n_designs; i++)
        n += make_bill(app, o, designs[i].arch, &bo, &bills[n], &arrays[n]);
    if (n)
        print(app, o, bills, arrays, n);
    if (n && dir)
        bill_plot(app, bills, n, dir);
    return exit_status_of(&app->err);
}

static const struct option_def options[] = {
    {"rate", 0, "R", "flits per cycle from every SM port and LLC slice; default 0.1"},
    {"reply", 0, "HOW", "node: the rate from every LLC slice (default); same: as many as requests"},
    {"activity", 0, "HOW", "flow (default), component, routed or simulated; see below"},
    {"cycles", 0, "N", "network cycles to simulate; default 10000"},
    {"all", 0, NULL, "every part, every length of link, every array with its organisation"},
    {"plot", 0, "DIR", "write bars of area and power there, as SVG"},
    {"figure", 0, "N", "2 or 3: a figure of the CD-Xbar paper, into the folder of --plot or here"},
    {"energy-table", 0, "FILE", "write all energies per event: .csv, .json or .cfg"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_cost = {
    .name = "cost",
    .args = "CFG... | --figure 2|3",
    .meaning =
        "the bill of networks and arrays: area, leakage, energy, power at an injection rate, clock",
    .text =
        "One design is told on a screen (with --all in full), several stand side by side with "
        "ratios to\n"
        "the first.\n"
        "Active area is routers and repeaters; global wires are listed beside it, and so is what "
        "a\n"
        "paper adds to its routers (routing unit, merge table, grant holder): additions.\n"
        "Activity: flow - each flit pays for what is on its way (meshes: the mean way of uniform\n"
        "traffic); component - the rate at every router input and on every channel; routed - as "
        "flow,\n"
        "with the routes between SMs and LLC slices on meshes, too; simulated - events counted by "
        "the\n"
        "network simulator under uniform random traffic of one-flit packets at the rate.\n"
        "With --all every array is listed with its cost, engine, model and organisation, the "
        "cycles of an "
        "access,\n"
        "and whether a structure that has to answer within a cycle does.\n"
        "Power under the traffic of a workload is a result of `crosswatt sim`.\n",
    .options = options,
    .least_words = 0,
    .most_words = 1000,
    .run = run,
};
