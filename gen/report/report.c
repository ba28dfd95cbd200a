/* SPDX-License-Identifier: MIT */
#include "gen/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/stat.h"
#include "base/table.h"
#include "gen/report/band_print.h"
#include "gen/template.h"

const struct report_metric report_metrics[] = {
    {"performance_gips", "performance", "Performance", "Performance", "G instr/s", 1, true},
    {"perf_per_watt.noc", "perf-watt-noc", "Performance per Watt of the NoC", "Per Watt of the NoC",
     "G instr/s/W", 1e-9, true},
    {"perf_per_watt.system", "perf-watt-system", "Performance per Watt of GPU and DRAM",
     "Per Watt of the GPU", "G instr/s/W", 1e-9, true},
    {"noc_power_w", "noc-power", "NoC power", "NoC power", "W", 1, false},
    {"power_w", "power", "Power of GPU and DRAM", "Power", "W", 1, false},
    {"energy_j", "energy", "Energy of GPU and DRAM", "Energy", "mJ", 1e3, false},
    {"edp_js", "edp", "Energy-delay product", "EDP", "nJ s", 1e9, false},
};
const size_t n_report_metrics = sizeof report_metrics / sizeof *report_metrics;

/* ---- numbers --------------------------------------------------------------------------------- */

static const struct result *at(const struct report *r, size_t design, size_t workload)
{
    return &r->results[design * r->n_workloads + workload];
}

static double absolute(const struct report *r, const struct result *results,
                       const struct report_metric *m, size_t d, size_t w)
{
    const struct result *x = &results[d * r->n_workloads + w];
    return x->error ? NAN : result_get(x, m->value) * m->factor;
}

static const struct result *results_of(const struct report *r, size_t seed)
{
    return r->n_seeds ? r->seeds[seed] : r->results;
}

static double ratio_of(const struct report *r, const struct report_metric *m, size_t d, size_t w,
                       size_t seed)
{
    double base = absolute(r, results_of(r, seed), m, 0, w);
    return base > 0 ? absolute(r, results_of(r, seed), m, d, w) / base : NAN;
}

static bool has_finished(const struct report *r, size_t d, size_t w)
{
    bool ok = true;
    for (size_t s = 0; s < (r->n_seeds ? r->n_seeds : 1); s++)
        ok &= !results_of(r, s)[d * r->n_workloads + w].error;
    return ok;
}

bool report_ran(const struct report *r, size_t d)
{
    bool any = false;
    for (size_t w = 0; w < r->n_workloads && !any; w++)
        any = has_finished(r, d, w);
    return any;
}

void report_count(struct report *r, struct arena *mem)
{
    bool *counted = arena_array(mem, r->n_workloads, sizeof *counted);
    for (size_t w = 0; w < r->n_workloads; w++)
        counted[w] = true;
    for (size_t d = 0; d < r->n_designs; d++)
        for (size_t w = 0; report_ran(r, d) && w < r->n_workloads; w++)
            counted[w] &= has_finished(r, d, w);
    r->counted = counted;
}

bool report_counts(const struct report *r, size_t w)
{
    return !r->counted || r->counted[w];
}

/* Geometric mean over the seeds (all there are, or one) and over one workload or all of them. */
static double mean_ratio(const struct report *r, const struct report_metric *m, size_t d,
                         size_t first_w, size_t n_w, size_t first_seed, size_t n_seeds)
{
    double sum = 0;
    size_t n = 0;
    for (size_t s = first_seed; s < first_seed + n_seeds; s++)
        for (size_t w = first_w; w < first_w + n_w; w++) {
            double x = n_w == 1 || report_counts(r, w) ? ratio_of(r, m, d, w, s) : NAN;
            if (isfinite(x) && x > 0) {
                sum += log(x);
                n++;
            }
        }
    return n ? exp(sum / (double)n) : NAN;
}

static size_t n_seeds(const struct report *r)
{
    return r->n_seeds ? r->n_seeds : 1;
}

double report_ratio(const struct report *r, const struct report_metric *m, size_t d, size_t w)
{
    return n_seeds(r) == 1 ? ratio_of(r, m, d, w, 0) : mean_ratio(r, m, d, w, 1, 0, n_seeds(r));
}

double report_geomean(const struct report *r, const struct report_metric *m, size_t d)
{
    return mean_ratio(r, m, d, 0, r->n_workloads, 0, n_seeds(r));
}

double report_geomean_of_seed(const struct report *r, const struct report_metric *m, size_t d,
                              size_t seed)
{
    return mean_ratio(r, m, d, 0, r->n_workloads, seed, 1);
}

double report_noise(const struct report *r, const struct report_metric *m, size_t d)
{
    double least = INFINITY, most = 0;
    for (size_t s = 0; s < r->n_seeds; s++) {
        double sum = 0;
        size_t n = 0;
        for (size_t w = 0; w < r->n_workloads; w++) {
            double x = report_counts(r, w) ? absolute(r, r->seeds[s], m, d, w) : NAN;
            if (isfinite(x) && x > 0) {
                sum += log(x);
                n++;
            }
        }
        double mean = n ? exp(sum / (double)n) : NAN;
        least = fmin(least, mean);
        most = fmax(most, mean);
    }
    return (most - least) / (most + least);
}

double report_mean(const struct report *r, const struct report_metric *m, size_t d)
{
    struct stat_run s = {0};
    for (size_t w = 0; w < r->n_workloads; w++) {
        double x = report_counts(r, w) ? report_ratio(r, m, d, w) : NAN;
        if (isfinite(x))
            stat_add(&s, x);
    }
    return s.n ? s.mean : NAN;
}

const struct report_metric *report_metric(const char *id)
{
    for (size_t i = 0; i < n_report_metrics; i++) {
        if (strcmp(report_metrics[i].id, id) == 0)
            return &report_metrics[i];
    }
    return NULL;
}

double report_area_mm2(const struct report *r, size_t d)
{
    double sum = 0;
    for (size_t p = 0; p < r->n_parts; p++)
        sum += r->designs[d].area_mm2[p];
    return sum;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static struct table *summary(const struct report *r, struct arena *mem)
{
    static const struct table_column columns[] = {
        {"design", "", 0},         {"clock", "GHz", 3},   {"area", "mm2", 2},
        {"performance", "x", 3},   {"NoC power", "x", 3}, {"perf/W NoC", "x", 3},
        {"perf/W system", "x", 3}, {"EDP", "x", 3},       {"failed", "", -2},
        {"noise", "%", 2}};
    static const char *const ids[] = {"performance", "noc-power", "perf-watt-noc",
                                      "perf-watt-system", "edp"};
    struct table *t = table_new(mem, columns, r->n_seeds > 1 ? 10 : 9);
    for (size_t d = 0; d < r->n_designs; d++) {
        size_t failed = 0;
        for (size_t w = 0; w < r->n_workloads; w++)
            failed += at(r, d, w)->error != NULL;
        double clock = NAN;
        for (size_t i = 0; i < r->designs[d].n_facts; i++) {
            if (strcmp(r->designs[d].facts[i].name, "NoC clock") == 0)
                clock = r->designs[d].facts[i].value;
        }
        table_row(t);
        table_text(t, r->designs[d].name);
        table_num(t, clock);
        table_num(t, report_area_mm2(r, d));
        for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
            table_num(t, report_geomean(r, report_metric(ids[i]), d));
        table_num(t, (double)failed);
        if (r->n_seeds > 1)
            table_num(t, 100 * report_noise(r, report_metric("performance"), d));
    }
    return t;
}

static struct table *per_workload(const struct report *r, const struct report_metric *m,
                                  struct arena *mem)
{
    struct table_column *columns = arena_many(mem, struct table_column, r->n_designs + 1);
    columns[0] = (struct table_column){"workload", "", 0};
    for (size_t d = 0; d < r->n_designs; d++)
        columns[d + 1] = (struct table_column){r->designs[d].name, "x", 3};
    struct table *t = table_new(mem, columns, r->n_designs + 1);
    for (size_t w = 0; w < r->n_workloads; w++) {
        table_row(t);
        table_text(t, r->workloads[w]);
        for (size_t d = 0; d < r->n_designs; d++)
            table_num(t, report_ratio(r, m, d, w));
    }
    table_rule(t);
    table_row(t), table_text(t, "geometric mean");
    for (size_t d = 0; d < r->n_designs; d++)
        table_num(t, report_geomean(r, m, d));
    table_row(t), table_text(t, "arithmetic mean");
    for (size_t d = 0; d < r->n_designs; d++)
        table_num(t, report_mean(r, m, d));
    return t;
}

static bool has_note(const struct report_design *d, const char *note)
{
    for (size_t i = 0; i < d->n_notes; i++)
        if (strcmp(d->notes[i], note) == 0)
            return true;
    return false;
}

/* Each note once, behind the names of all designs it is about. */
static void report_notes(const struct report *r, struct buf *out)
{
    bool is_any = false;
    for (size_t d = 0; d < r->n_designs; d++)
        for (size_t i = 0; i < r->designs[d].n_notes; i++) {
            const char *note = r->designs[d].notes[i];
            bool is_said = false;
            for (size_t e = 0; e < d; e++)
                is_said |= has_note(&r->designs[e], note);
            if (is_said)
                continue;
            is_any = true;
            for (size_t e = d; e < r->n_designs; e++)
                if (has_note(&r->designs[e], note))
                    buf_printf(out, "%s%s", e == d ? "" : ", ", r->designs[e].name);
            buf_printf(out, ": %s\n", note);
        }
    if (is_any)
        buf_putc(out, '\n');
}

void report_counted_text(const struct report *r, struct buf *out)
{
    size_t n = 0, dead = 0;
    for (size_t w = 0; w < r->n_workloads; w++)
        n += report_counts(r, w);
    for (size_t d = 0; d < r->n_designs; d++)
        dead += !report_ran(r, d);
    if (n == r->n_workloads || dead == r->n_designs)
        return;
    const char *who = dead ? "all designs finished that finished any" : "all designs finished";
    if (!n) {
        buf_printf(out, "no means: there is no workload that %s\n", who);
        return;
    }
    buf_printf(out, "means over %zu of %zu workloads, those that %s:", n, r->n_workloads, who);
    for (size_t w = 0; w < r->n_workloads; w++)
        if (report_counts(r, w))
            buf_printf(out, " %s", r->workloads[w]);
    buf_putc(out, '\n');
}

static void add_failures(const struct report *r, struct buf *out)
{
    for (size_t i = 0; i < r->n_designs * r->n_workloads; i++) {
        if (r->results[i].error)
            buf_printf(out, "%s on %s failed: %s\n", r->results[i].design, r->results[i].workload,
                       r->results[i].error);
    }
    report_counted_text(r, out);
}

/* How the machines stand beside cards: once where it is the same for all. */
static void add_machines(const struct report *r, struct buf *out)
{
    bool is_same = true;
    for (size_t d = 1; d < r->n_designs; d++)
        is_same &= r->designs[d].machine && r->designs[0].machine &&
                   strcmp(r->designs[d].machine, r->designs[0].machine) == 0;
    for (size_t d = 0; d < r->n_designs && (d == 0 || !is_same); d++)
        if (r->designs[d].machine)
            buf_printf(out, "machine%s%s: %s\n", is_same ? "" : " of ",
                       is_same ? "" : r->designs[d].name, r->designs[d].machine);
}

static bool is_of_network(const char *path)
{
    static const char *const parts[] = {"noc.",        "gpu.clusters",   "cluster.",
                                        "tech.links.", "tech.tiles.noc", "gpu.card"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strncmp(path, parts[i], strlen(parts[i])) == 0)
            return true;
    return false;
}

/* Where designs differ in more than their networks, the networks are not what is compared. */
static void add_differences(const struct report *r, struct buf *out)
{
    enum { SHOWN = 6 };
    size_t n = 0;
    for (size_t k = 0; k < r->n_keys; k++) {
        if (is_of_network(r->keys[k].path))
            continue;
        if (n < SHOWN)
            buf_printf(out, "%s %s", n ? "," : "the designs differ in more than their networks:",
                       r->keys[k].path);
        n++;
    }
    if (n > SHOWN)
        buf_printf(out, " and %zu more keys", n - SHOWN);
    if (n)
        buf_putc(out, '\n');
}

void report_text(const struct report *r, struct arena *mem, struct buf *out)
{
    report_notes(r, out);
    buf_printf(out, "Geometric means over %s, area and clock of the networks\n",
               r->designs[0].name);
    table_write_text(summary(r, mem), out);
    if (r->assumptions)
        buf_printf(out, "assumes %s\n", r->assumptions);
    add_differences(r, out);
    add_machines(r, out);
    add_failures(r, out);
    buf_putc(out, '\n');
    report_verdict_table(r, mem, out);
    buf_putc(out, '\n');
    report_verdict(r, out);
    buf_putc(out, '\n');
}

void report_text_workloads(const struct report *r, struct arena *mem, struct buf *out)
{
    static const char *const ids[] = {"performance", "noc-power", "perf-watt-noc",
                                      "perf-watt-system"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        const struct report_metric *m = report_metric(ids[i]);
        buf_printf(out, "\n%s, over %s%s\n", m->title, r->designs[0].name,
                   m->more_is_better ? "" : " (less is better)");
        table_write_text(per_workload(r, m, mem), out);
        if (r->assumptions && strncmp(ids[i], "perf-watt", 9) == 0)
            buf_printf(out, "assumes %s\n", r->assumptions);
    }
}

void report_csv(const struct report *r, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {{"design", "", 0}, {"workload", "", 0},
                                                  {"name", "", 0},   {"value", "", -1},
                                                  {"unit", "", 0},   {"over_first", "", -1}};
    struct table *t = table_new(mem, columns, 6);
    for (size_t d = 0; d < r->n_designs; d++) {
        for (size_t w = 0; w < r->n_workloads; w++) {
            const struct result *x = at(r, d, w), *base = at(r, 0, w);
            if (x->error) {
                table_row(t), table_text(t, x->design), table_text(t, x->workload);
                table_text(t, "error"), table_text(t, x->error);
            }
            for (size_t i = 0; i < x->n_values; i++) {
                double b = base->error ? NAN : result_get(base, x->values[i].name);
                table_row(t), table_text(t, x->design), table_text(t, x->workload);
                table_text(t, x->values[i].name);
                table_num(t, x->values[i].value);
                table_text(t, x->values[i].unit);
                table_num(t, b != 0 ? x->values[i].value / b : NAN);
            }
        }
    }
    table_write_csv(t, out);
}

/* Who wins by what, with those that are equal. */
static json_t *best_json(const struct report *r, struct arena *mem)
{
    json_t *o = json_object();
    for (int g = 0; g < REPORT_GOALS; g++) {
        struct report_win w = report_winner(r, g, mem);
        if (w.best == SIZE_MAX)
            continue;
        json_t *one = json_object(), *designs = json_array();
        json_array_append_new(designs, json_text(r->designs[w.best].name));
        for (size_t i = 0; i < w.n_equal; i++)
            json_array_append_new(designs, json_text(r->designs[w.equal[i]].name));
        json_object_set_new(one, "designs", designs);
        if (w.next != SIZE_MAX)
            json_object_set_new(one, "next", json_text(r->designs[w.next].name));
        json_object_set_new(one, "lead", json_num(w.lead));
        json_object_set_new(o, w.title, one);
    }
    return o;
}

static json_t *terms_json(const struct report *r)
{
    json_t *o = json_object(), *designs = json_array();
    json_object_set_new(o, "terms", json_string(r->equal));
    for (size_t d = 0; d < r->n_designs; d++) {
        const struct report_terms *t = &r->terms[d];
        json_t *one = json_object();
        json_object_set_new(one, "design", json_text(r->designs[d].name));
        json_object_set_new(one, "request_bytes", json_integer(t->bytes[0]));
        json_object_set_new(one, "reply_bytes", json_integer(t->bytes[1]));
        json_object_set_new(one, "value", json_num(t->value));
        json_object_set_new(one, "unit", json_string(t->unit));
        json_object_set_new(one, "over_first", json_num(t->value / r->terms[0].value));
        json_array_append_new(designs, one);
    }
    json_object_set_new(o, "designs", designs);
    return o;
}

void report_terms_text(const struct report *r, struct buf *out)
{
    if (!r->equal)
        return;
    buf_printf(out, "Equal %s, by width:\n", r->equal);
    for (size_t d = 0; d < r->n_designs; d++) {
        const struct report_terms *t = &r->terms[d];
        double off = t->value / r->terms[0].value - 1;
        buf_printf(out, "%s: request %u B, reply %u B wide, %.4g %s", r->designs[d].name,
                   t->bytes[0], t->bytes[1], t->value, t->unit);
        if (d)
            buf_printf(out, " (%+.1f %%%s)", 100 * off,
                       fabs(off) > REPORT_UNEQUAL ? ", NOT EQUAL: no width comes nearer" : "");
        buf_putc(out, '\n');
    }
    buf_putc(out, '\n');
}

json_t *report_json(const struct report *r)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    json_t *j = json_object(), *designs = json_array(), *results = json_array(),
           *means = json_object();
    json_object_set_new(j, "version", json_string(r->version));
    json_object_set_new(j, "command_line", json_string(r->command_line));
    for (size_t d = 0; d < r->n_designs; d++) {
        json_t *o = json_object();
        json_object_set_new(o, "name", json_string(r->designs[d].name));
        json_object_set_new(o, "file", json_text(r->designs[d].file));
        json_object_set_new(o, "config_hash", json_string(r->designs[d].hash));
        json_object_set_new(o, "note", json_string(r->designs[d].note));
        if (r->designs[d].machine)
            json_object_set_new(o, "machine", json_text(r->designs[d].machine));
        json_object_set_new(o, "noc_area_mm2", json_num(report_area_mm2(r, d)));
        for (size_t i = 0; i < r->designs[d].n_facts; i++)
            json_object_set_new(o, r->designs[d].facts[i].name,
                                json_num(r->designs[d].facts[i].value));
        json_array_append_new(designs, o);
    }
    for (size_t i = 0; i < r->n_designs * r->n_workloads; i++)
        json_array_append_new(results, result_json(&r->results[i]));
    for (size_t i = 0; i < n_report_metrics; i++) {
        const struct report_metric *m = &report_metrics[i];
        json_t *o = json_object();
        for (size_t d = 0; d < r->n_designs; d++) {
            json_t *both = json_object();
            json_object_set_new(both, "geomean", json_num(report_geomean(r, m, d)));
            json_object_set_new(both, "mean", json_num(report_mean(r, m, d)));
            if (r->n_seeds > 1)
                json_object_set_new(both, "noise", json_num(report_noise(r, m, d)));
            json_object_set_new(o, r->designs[d].name, both);
        }
        json_object_set_new(means, m->value, o);
    }
    json_object_set_new(j, "designs", designs);
    json_object_set_new(j, "over_first", means);
    json_t *of = json_array();
    for (size_t w = 0; w < r->n_workloads; w++)
        if (report_counts(r, w))
            json_array_append_new(of, json_text(r->workloads[w]));
    json_object_set_new(j, "means_over", of);
    json_object_set_new(j, "results", results);
    struct buf verdict;
    buf_init(&verdict, &mem, 4096);
    report_verdict(r, &verdict);
    json_object_set_new(j, "verdict", json_string(verdict.data));
    json_object_set_new(j, "best", best_json(r, &mem));
    if (r->equal)
        json_object_set_new(j, "equal", terms_json(r));
    if (r->band)
        json_object_set_new(j, "band", band_json(r->band, &mem));
    if (r->assumptions)
        json_object_set_new(j, "assumptions", json_text(r->assumptions));
    arena_free(&mem);
    return j;
}
