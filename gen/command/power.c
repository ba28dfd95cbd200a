/* SPDX-License-Identifier: MIT
 *
 * `crosswatt power`: the closed form of GPUWattch and AccelWattch on a table of their counters.
 * What the simulator's account uses of those files is checked through this. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/table.h"
#include "energy/gpuwattch/gpuwattch.h"
#include "gen/command.h"
#include "gen/out.h"

struct counters_file {
    struct gw_activity activity;
    bool are_totals;
    double reported_w[GWL_COUNT],
        reported_total_w; /* as the tool printed them; -1: not in the file */
};

/* Comment lines ("# …") before the header are part of the tools' exports. */
static bool read_table(const char *path, struct arena *mem, struct csv *csv, struct err *err)
{
    char *text;
    size_t n;
    if (!file_read(path, 1 << 20, mem, &text, &n, err))
        return false;
    for (char *line = text; *line == '#'; line++) {
        size_t len = strcspn(line, "\n");
        memset(line, '\r', len); /* an empty row; the line still counts */
        line += len;
        if (!*line)
            break;
    }
    return csv_parse_text(path, text, n, mem, csv, err);
}

static bool take_power(struct counters_file *f, const struct csv *csv, size_t row, const char *name,
                       double v, struct err *err)
{
    if (strcmp(name, "kernel_avg_power") == 0) {
        f->reported_total_w = v;
        return true;
    }
    if (strcmp(name, "threads_per_warp") == 0) {
        f->activity.threads_per_warp = v;
        return true;
    }
    /* the two tools name three lines differently */
    if (strcmp(name, "INTP") == 0)
        name = "SPP";
    if (strcmp(name, "CONST_DYNAMICP") == 0)
        name = "CONSTP";
    for (int l = 0; l < GWL_COUNT; l++) {
        if (strcmp(name, gw_line_name((enum gw_line)l)) == 0) {
            f->reported_w[l] = v;
            return true;
        }
    }
    return err_add(err, ERR_INPUT, csv_at(csv, row, "name"), "unknown report line '%s'", name);
}

static bool read_counters(const char *path, struct arena *mem, struct counters_file *f,
                          struct err *err)
{
    struct csv csv;
    if (!read_table(path, mem, &csv, err))
        return false;
    int kind = csv_column(&csv, "kind"), name = csv_column(&csv, "name"),
        value = csv_column(&csv, "value");
    if (kind < 0 || name < 0 || value < 0)
        return err_add(err, ERR_INPUT, AT_FILE(path), "needs the columns kind, name and value");
    *f = (struct counters_file){.reported_total_w = -1};
    for (int l = 0; l < GWL_COUNT; l++)
        f->reported_w[l] = -1;
    bool ok = true, seen[GW_COUNTER_COUNT] = {false};
    const char *first_kind = NULL;
    for (size_t row = 0; row < csv.n_rows; row++) {
        const char *k = csv.rows[row][kind], *n = csv.rows[row][name];
        enum gw_counter c;
        double v;
        if (!csv_real(&csv, row, value, &v, err)) {
            ok = false;
        } else if (strcmp(k, "power_W") == 0) {
            ok &= take_power(f, &csv, row, n, v, err);
        } else if (strcmp(k, "counter") != 0 && strcmp(k, "total") != 0) {
            ok = err_add(err, ERR_INPUT, csv_at(&csv, row, "kind"),
                         "'%s' is not counter, total or power_W", k);
        } else if (strcmp(n, "constant_power") == 0) {
            continue; /* listed among the counters, counts nothing */
        } else if (!gw_counter_find(n, &c)) {
            ok = err_add(err, ERR_INPUT, csv_at(&csv, row, "name"), "unknown counter '%s'", n);
        } else if (v < 0) {
            ok = err_add(err, ERR_INPUT, csv_at(&csv, row, "value"), "a count of %g", v);
        } else if (seen[c]) {
            ok = err_add(err, ERR_INPUT, csv_at(&csv, row, "name"), "'%s' is given twice", n);
        } else if (first_kind && strcmp(first_kind, k) != 0) {
            ok = err_add(err, ERR_INPUT, csv_at(&csv, row, "kind"),
                         "'%s' among rows of '%s': counts are of samples or of the whole kernel", k,
                         first_kind);
        } else {
            seen[c] = true;
            first_kind = k;
            f->activity.n[c] = v;
            f->are_totals = strcmp(k, "total") == 0;
        }
    }
    return ok;
}

static void print_report(struct app *app, const struct options *o, const struct counters_file *f,
                         const double power_w[GWL_COUNT], double total_w)
{
    static const struct table_column columns[] = {{"line", "", 0},
                                                  {"power_w", "W", 5},
                                                  {"reported_w", "W", 5},
                                                  {"difference_percent", "%", 3}};
    struct table *t = table_new(&app->mem, columns, 4);
    for (int l = 0; l <= GWL_COUNT; l++) {
        bool is_total = l == GWL_COUNT;
        double w = is_total ? total_w : power_w[l];
        double said = is_total ? f->reported_total_w : f->reported_w[l];
        if (w == 0 && said <= 0)
            continue;
        if (is_total)
            table_rule(t);
        table_row(t);
        table_text(t, is_total ? "total" : gw_line_name((enum gw_line)l));
        table_num(t, w);
        if (said >= 0)
            table_num(t, said);
        else
            table_none(t);
        if (said > 0)
            table_num(t, 100 * (w / said - 1));
    }
    out_table(t, o->json, 9, &app->mem);
}

static int run(struct app *app, const struct options *o)
{
    struct gpuwattch g = {0};
    struct gw_base base = {0};
    struct counters_file f = {0};
    double clock_mhz = 0, n_sms = 0, samples = 0;
    const char *base_path = option_get(o, "base");

    if (!gpuwattch_read(path_find(&app->mem, ".", o->words[0], app->data_dir), &app->mem, &g,
                        &app->err) ||
        !read_counters(o->words[1], &app->mem, &f, &app->err) ||
        !option_real(o, "clock", 1, 1e5, &clock_mhz, &app->err) ||
        !option_real(o, "sms", 1, 1e6, &n_sms, &app->err) ||
        !option_real(o, "samples", 1e-3, 1e12, &samples, &app->err))
        return EXIT_INPUT;
    if (!base_path)
        base_path = path_join(&app->mem, app->data_dir,
                              g.is_accelwattch ? "cfg/tech/gpuwattch-qv100.csv"
                                               : "cfg/tech/gpuwattch-gtx480.csv");
    if (!gw_base_read(base_path, &app->mem, &base, &app->err))
        return EXIT_INPUT;
    if (clock_mhz == 0)
        clock_mhz = g.clock_mhz;
    if (n_sms == 0)
        n_sms = g.n_cores;
    if (clock_mhz == 0 || (g.is_accelwattch && n_sms == 0)) {
        err_add(&app->err, ERR_INPUT, AT_FILE(g.file),
                "leaves clock and SM count to the simulator: give --clock and --sms");
        return EXIT_INPUT;
    }
    if (samples == 0 && f.are_totals) {
        err_add(&app->err, ERR_INPUT, AT_FILE(o->words[1]),
                "holds totals: give --samples, the number of samples they were taken in");
        return EXIT_INPUT;
    }
    if (samples > 0 && !f.are_totals) {
        err_add(&app->err, ERR_INPUT, AT_FILE(o->words[1]),
                "holds counts of one sample: --samples would change nothing");
        return EXIT_INPUT;
    }
    /* an SM is idle at most once a sample: fewer samples than that have not been */
    double least = n_sms > 0 ? f.activity.n[GW_IDLE_CORE_N] / n_sms : 0;
    if (f.are_totals && samples < least * (1 - 1e-9)) {
        err_add(&app->err, ERR_INPUT, AT_FILE(o->words[1]),
                "--samples %g: %g idle SMs, of %g SMs, need at least %g samples", samples,
                f.activity.n[GW_IDLE_CORE_N], n_sms, ceil(least - 1e-9));
        return EXIT_INPUT;
    }
    f.activity.n_samples = f.are_totals ? samples : 1;
    f.activity.seconds = f.activity.n_samples * base.sample_cycles / (clock_mhz * 1e6);
    f.activity.class_scaled = g.is_accelwattch;
    f.activity.n_sms = n_sms;
    f.activity.category = gw_category(&f.activity);
    double power_w[GWL_COUNT], total_w;
    gpuwattch_report(&g, &base, &f.activity, power_w, &total_w);
    if (!isfinite(total_w)) {
        err_add(&app->err, ERR_INPUT, AT_FILE(o->words[1]),
                "counts and energies make a power that is not a number");
        return EXIT_INPUT;
    }
    print_report(app, o, &f, power_w, total_w);
    if (f.are_totals && !o->json)
        printf("over %g samples of %g cycles, %.4g us\n", samples, base.sample_cycles,
               1e6 * f.activity.seconds);
    return EXIT_DONE;
}

static const struct option_def options[] = {
    {"base", 0, "FILE", "energies before the coefficients; default: the table of the XML's GPU"},
    {"clock", 0, "MHZ", "core clock, where the XML has none"},
    {"sms", 0, "N", "number of SMs, where the XML has none"},
    {"samples", 0, "N", "how many samples the totals cover: all powers follow from it"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_power = {
    .name = "power",
    .args = "XML COUNTERS.csv",
    .meaning = "GPUWattch's or AccelWattch's report for a table of their counters",
    .text =
        "COUNTERS.csv has the columns kind (counter: per sample, total: over the kernel, power_W:\n"
        "what the tool printed), name and value.\n",
    .options = options,
    .least_words = 2,
    .most_words = 2,
    .reads_no_config = true,
    .run = run,
};
