/* SPDX-License-Identifier: MIT
 *
 * `crosswatt net`: the networks alone, under synthetic traffic. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/pool.h"
#include "base/table.h"
#include "gen/command.h"
#include "gen/config/variants.h"
#include "gen/net/alone.h"
#include "gen/net/booksim_csv.h"
#include "gen/net/booksim_files.h"
#include "gen/plot.h"

#define SWEEP_POINTS 16
#define SCREEN_ROWS 20

/* ---- results --------------------------------------------------------------------------------- */

static const struct table_column columns[] = {
    {"network", "", -1},
    {"offered", "flit/node/cycle", 4},
    {"accepted_avg", "flit/node/cycle", 4},
    {"accepted_min", "flit/node/cycle", 4},
    {"packet_latency_avg", "cycle", 2},
    {"packet_latency_ci95", "cycle", 2},
    {"packet_latency_min", "cycle", -2},
    {"packet_latency_p50", "cycle", -2},
    {"packet_latency_p95", "cycle", -2},
    {"packet_latency_p99", "cycle", -2},
    {"packet_latency_max", "cycle", -2},
    {"source_latency_avg", "cycle", 2},
    {"network_latency_avg", "cycle", 2},
    {"hops_avg", "", 3},
    {"vc_occupancy", "share", 4},
    {"packets", "", -2},
    {"flits_delivered", "", -2},
    {"flit_hops", "", -2},
    {"cycles", "", -2},
    {"state", "", -1},
};
#define N_COLUMNS (sizeof columns / sizeof *columns)

static void add_row(struct table *t, const char *name, double rate, const struct traffic_result *r,
                    bool steady)
{
    table_row(t);
    table_text(t, name);
    if (rate >= 0)
        table_num(t, rate);
    else
        table_none(t);
    const double values[] = {r->accepted_avg,      r->accepted_min,    r->packet_avg,
                             r->packet_half95,     r->packet_min,      r->packet_p50,
                             r->packet_p95,        r->packet_p99,      r->packet_max,
                             r->source_avg,        r->network_avg,     r->hops_avg,
                             r->vc_occupancy,      (double)r->packets, (double)r->flits_delivered,
                             (double)r->flit_hops, (double)r->cycles};
    /* what is a mean over packets has no value where none arrived */
    const size_t first_of_packets = 2, last_of_packets = 11;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (!r->packets && i >= first_of_packets && i <= last_of_packets)
            table_none(t);
        else
            table_num(t, values[i]);
    table_text(t, steady ? "steady" : "saturated");
}

/* For people: one value a line, with its unit. */
static void print_list(struct app *app, const struct table *t)
{
    json_t *all = table_json(t), *row;
    size_t i;
    json_array_foreach(all, i, row)
    {
        for (size_t c = 0; c < N_COLUMNS; c++) {
            const json_t *v = json_object_get(row, columns[c].name);
            if (!v)
                continue;
            if (json_is_string(v))
                printf("%-20s %s\n", columns[c].name, json_string_value(v));
            else
                printf("%-20s %.*f%s%s\n", columns[c].name,
                       columns[c].decimals > 0 ? columns[c].decimals : 0, json_number_value(v),
                       *columns[c].unit ? " " : "", columns[c].unit);
        }
        if (i + 1 < json_array_size(all))
            putchar('\n');
    }
    json_decref(all);
    (void)app;
}

static void print_table(struct app *app, const struct options *o, struct table *t, bool single)
{
    if (o->json) {
        json_t *j = table_json(t), *first = single ? json_array_get(j, 0) : j;
        json_dumpf(first, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
        putchar('\n');
        json_decref(j);
        return;
    }
    struct buf b;
    buf_init(&b, &app->mem, BUF_NO_MAX);
    table_write_text(t, &b);
    fputs(b.data, stdout);
}

/* ---- BookSim2's files ------------------------------------------------------------------------ */

static int run_table(struct app *app, const struct options *o, const struct net_request *q)
{
    struct buf out, packets;
    long long seeds = 1;
    buf_init(&out, &app->mem, BUF_NO_MAX);
    buf_init(&packets, &app->mem, BUF_NO_MAX);
    if (!option_int(o, "seeds", 1, 1000, &seeds, &app->err))
        return EXIT_INPUT;
    const char *file = option_get(o, "packets");
    struct bs_csv_options options = {.threads = (unsigned)q->jobs,
                                     .verify = q->verify,
                                     .general = q->general,
                                     .shuffle = (uint64_t)q->shuffle,
                                     .seeds = seeds,
                                     .packets = file ? &packets : NULL};
    if (!bs_csv_run(option_get(o, "booksim-csv"), &options, &app->mem, &out, &app->err))
        return exit_status_of(&app->err);
    if (file && !file_write(file, packets.data, packets.len, &app->err))
        return EXIT_MACHINE;
    fwrite(out.data, 1, out.len, stdout);
    return EXIT_DONE;
}

static int run_booksim(struct app *app, const struct options *o, const struct net_request *q)
{
    const char *file = option_get(o, "booksim");
    struct bs_config c;
    struct traffic_result r;
    struct bs_options b = {.verify = q->verify,
                           .general = q->general,
                           .shuffle = (uint64_t)q->shuffle,
                           .cycles = (uint64_t)q->cycles,
                           .warmup = (uint64_t)q->warmup};
    bs_defaults(&c);
    bool ok = bs_read(file, &app->mem, &c, &app->err);
    for (size_t i = 0; i < o->n_words; i++)
        ok = bs_set(o->words[i], &app->mem, &c, &app->err) && ok;
    if (!ok || !bs_run(&c, &b, &app->mem, &r, &app->err))
        return exit_status_of(&app->err);
    struct table *t = table_new(&app->mem, columns, N_COLUMNS);
    add_row(t, path_stem(&app->mem, file), -1, &r, r.converged);
    if (r.batch_cycles && !o->json)
        printf("batch of %llu packets: %llu cycles\n", (unsigned long long)r.packets,
               (unsigned long long)r.batch_cycles);
    if (o->json)
        print_table(app, o, t, true);
    else
        print_list(app, t);
    return EXIT_DONE;
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

struct sweep {
    const struct net_case *cases;
    const struct net_request *request;
    struct net_point *points; /* [case * per_case + i] */
    struct err *errs;
    struct arena *mems;
    bool *ok;
    size_t per_case;
};

static void sweep_job(void *ctx, size_t i)
{
    struct sweep *s = ctx;
    err_init(&s->errs[i]);
    arena_init(&s->mems[i], NULL, NULL);
    s->ok[i] = net_case_run(&s->cases[i / s->per_case], s->request, s->points[i].rate, false,
                            &s->mems[i], &s->points[i], &s->errs[i]);
}

/* Runs all points on all cores; each is a run of its own, so the number of cores changes nothing.
 */
static bool run_points(struct app *app, struct sweep *s, size_t n, unsigned jobs)
{
    s->errs = arena_array(&app->mem, n, sizeof *s->errs);
    s->mems = arena_array(&app->mem, n, sizeof *s->mems);
    s->ok = arena_array(&app->mem, n, sizeof *s->ok);
    pool_run(jobs, n, sweep_job, s, NULL);
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        ok = ok && s->ok[i];
        if (!s->ok[i] && !err_any(&app->err))
            err_join(&app->err, &s->errs[i]);
        err_free(&s->errs[i]);
        arena_free(&s->mems[i]);
    }
    return ok;
}

/* For each injecting node. */
static double accepted_of(const struct net_case *c, const struct net_point *p)
{
    return p->result.accepted_avg * c->traffic.nodes / (c->n_injecting ? c->n_injecting : 1);
}

/* What each network accepts when every source always has a packet, for each injecting node. */
static bool overload(struct app *app, const struct net_case *cases, size_t n,
                     const struct net_request *q, double *accepted)
{
    struct net_request over = *q;
    over.cycles = 4000;
    over.warmup = 1500;
    struct sweep s = {.cases = cases, .request = &over, .per_case = 1};
    s.points = arena_array(&app->mem, n, sizeof *s.points);
    for (size_t i = 0; i < n; i++)
        s.points[i].rate = cases[i].mean_flits;
    if (!run_points(app, &s, n, (unsigned)q->jobs))
        return false;
    for (size_t i = 0; i < n; i++)
        accepted[i] = accepted_of(&cases[i], &s.points[i]);
    return true;
}

static bool draw(struct app *app, const struct options *o, const struct net_case *cases, size_t n,
                 const struct sweep *s)
{
    const char *dir = option_get(o, "out"), *svg;
    struct plot_line *lines = arena_array(&app->mem, n, sizeof *lines);
    double lowest = INFINITY;
    for (size_t c = 0; c < n; c++) {
        double *x = arena_many(&app->mem, double, s->per_case);
        double *y = arena_many(&app->mem, double, s->per_case);
        size_t m = 0;
        for (size_t i = 0; i < s->per_case; i++) {
            const struct net_point *p = &s->points[c * s->per_case + i];
            x[m] = p->rate;
            y[m++] = p->result.packet_avg;
            lowest = p->result.packet_avg < lowest ? p->result.packet_avg : lowest;
            if (!p->is_steady)
                break;
        }
        lines[c] = (struct plot_line){cases[c].name, x, y, m};
    }
    struct plot plot = {.kind = PLOT_LINES,
                        .name = "load-latency",
                        .title = "Packet latency over offered load",
                        .x_label = "offered load (flits per injecting node and cycle)",
                        .y_label = "mean packet latency (cycles)",
                        .baseline = NAN,
                        .lines = lines,
                        .n_lines = n,
                        .y_max = 8 * lowest};
    return file_make_dirs(dir, &app->err) &&
           plot_write(&plot, dir, app->data_dir, &app->mem, &svg, &app->err);
}

static bool read_sweep(const struct options *o, double *lo, double *hi, long long *points,
                       struct err *err)
{
    const char *text = option_get(o, "range");
    *lo = *hi = 0;
    *points = SWEEP_POINTS;
    if (!text)
        return true;
    if (sscanf(text, "%lf:%lf:%lld", lo, hi, points) != 3 || !(*lo >= 0) || !(*hi > *lo) ||
        *points < 2 || *points > 1000)
        return err_add(err, ERR_INPUT, (struct where){NULL, 0, "--range"},
                       "'%s' is not FROM:TO:POINTS", text);
    return true;
}

static void print_curves(struct app *app, const struct net_case *cases, size_t n,
                         const struct sweep *s)
{
    static const struct table_column names[] = {{"network", "", -1},
                                                {"offered", "flit/node/cycle", 4},
                                                {"accepted", "flit/node/cycle", 4},
                                                {"latency", "cycle", 2},
                                                {"ci95", "cycle", 2},
                                                {"p99", "cycle", -2},
                                                {"in network", "cycle", 2},
                                                {"state", "", -1}};
    struct table *t = table_new(&app->mem, names, 8);
    for (size_t i = 0; i < n * s->per_case; i++) {
        const struct net_point *p = &s->points[i];
        const struct net_case *c = &cases[i / s->per_case];
        if (i && i % s->per_case == 0 && s->per_case > 1)
            table_rule(t);
        table_row(t);
        table_text(t, c->name);
        table_num(t, p->rate);
        table_num(t, accepted_of(c, p));
        table_num(t, p->result.packet_avg);
        table_num(t, p->result.packet_half95);
        table_num(t, p->result.packet_p99);
        table_num(t, p->result.network_avg);
        table_text(t, p->is_steady ? "steady" : "saturated");
    }
    struct buf b;
    buf_init(&b, &app->mem, BUF_NO_MAX);
    table_write_text(t, &b);
    fputs(b.data, stdout);
}

/* The load of a sweep up to which everything is steady; -1: none is. */
static size_t last_steady(const struct net_point *points, size_t n, bool *any)
{
    size_t i = 0;
    while (i < n && points[i].is_steady)
        i++;
    *any = i > 0;
    return i ? i - 1 : 0;
}

/* A row for each network: what its curve comes to. */
static void print_curves_short(struct app *app, const struct net_case *cases, size_t n,
                               const struct sweep *s)
{
    static const struct table_column names[] = {{"network", "", -1},
                                                {"lowest load", "flit/node/cycle", 4},
                                                {"latency", "cycle", 2},
                                                {"half-way latency", "cycle", 2},
                                                {"last steady load", "flit/node/cycle", 4},
                                                {"latency", "cycle", 2},
                                                {"most accepted", "flit/node/cycle", 4}};
    struct table *t = table_new(&app->mem, names, 7);
    for (size_t c = 0; c < n; c++) {
        const struct net_point *p = s->points + c * s->per_case;
        bool any;
        size_t last = last_steady(p, s->per_case, &any);
        double most = 0;
        for (size_t i = 0; i < s->per_case; i++)
            most = fmax(most, accepted_of(&cases[c], &p[i]));
        table_row(t);
        table_text(t, cases[c].name);
        table_num(t, p[0].rate);
        table_num(t, p[0].result.packet_avg);
        if (any) {
            table_num(t, p[last / 2].result.packet_avg);
            table_num(t, p[last].rate);
            table_num(t, p[last].result.packet_avg);
        } else {
            table_none(t);
            table_none(t);
            table_none(t);
        }
        table_num(t, most);
    }
    struct buf b;
    buf_init(&b, &app->mem, BUF_NO_MAX);
    table_write_text(t, &b);
    fputs(b.data, stdout);
}

static int run_sweep(struct app *app, const struct options *o, const struct net_request *q,
                     const struct net_case *cases, size_t n)
{
    double lo, hi, *most = arena_many(&app->mem, double, n);
    long long points;
    if (!read_sweep(o, &lo, &hi, &points, &app->err) ||
        (hi == 0 && !overload(app, cases, n, q, most)))
        return exit_status_of(&app->err);
    struct sweep s = {.cases = cases, .request = q, .per_case = (size_t)points};
    s.points = arena_array(&app->mem, n * s.per_case, sizeof *s.points);
    for (size_t c = 0; c < n; c++)
        for (size_t i = 0; i < s.per_case; i++)
            s.points[c * s.per_case + i].rate =
                hi > 0 ? lo + (hi - lo) * (double)i / (double)(points - 1)
                       : most[c] * 1.12 * (double)(i + 1) / (double)points;
    if (!run_points(app, &s, n * s.per_case, (unsigned)q->jobs))
        return exit_status_of(&app->err);
    struct table *t = table_new(&app->mem, columns, N_COLUMNS);
    for (size_t c = 0; c < n; c++) {
        for (size_t i = 0; i < s.per_case; i++) {
            const struct net_point *p = &s.points[c * s.per_case + i];
            add_row(t, cases[c].name, p->rate, &p->result, p->is_steady);
        }
        if (c + 1 < n)
            table_rule(t);
    }
    if (o->json) {
        print_table(app, o, t, false);
    } else if (n * s.per_case > SCREEN_ROWS && !option_has(o, "all")) {
        print_curves_short(app, cases, n, &s);
        printf("every load: --all; --range FROM:TO:N chooses them; -o DIR draws them\n");
    } else {
        print_curves(app, cases, n, &s);
    }
    if (option_get(o, "out")) {
        struct buf csv;
        buf_init(&csv, &app->mem, BUF_NO_MAX);
        table_write_csv(t, &csv);
        if (!draw(app, o, cases, n, &s) ||
            !file_write(path_join(&app->mem, option_get(o, "out"), "sweep.csv"), csv.data, csv.len,
                        &app->err))
            return exit_status_of(&app->err);
    }
    return EXIT_DONE;
}

/* ---- saturation ------------------------------------------------------------------------------ */

/* The highest load that is accepted, by bisection between 0 and what fits into the sources. */
static bool find_saturation(struct app *app, const struct net_case *c, const struct net_request *q,
                            double *steady, double *latency)
{
    double lo = 0, hi = 1;
    *latency = 0;
    for (int i = 0; i < 10; i++) {
        struct net_point p = {0};
        double rate = (lo + hi) / 2;
        if (!net_case_run(c, q, rate, false, &app->mem, &p, &app->err))
            return false;
        if (p.is_steady) {
            lo = rate;
            *latency = p.result.packet_avg;
        } else {
            hi = rate;
        }
    }
    *steady = lo;
    return true;
}

static int run_saturation(struct app *app, const struct options *o, const struct net_request *q,
                          const struct net_case *cases, size_t n)
{
    static const struct table_column names[] = {{"network", "", -1},
                                                {"saturation", "flit/node/cycle", 4},
                                                {"packet_latency_avg", "cycle", 2},
                                                {"overload_accepted", "flit/node/cycle", 4}};
    struct table *t = table_new(&app->mem, names, 4);
    double *most = arena_many(&app->mem, double, n);
    if (!overload(app, cases, n, q, most))
        return exit_status_of(&app->err);
    for (size_t c = 0; c < n; c++) {
        double steady, latency;
        if (!find_saturation(app, &cases[c], q, &steady, &latency))
            return exit_status_of(&app->err);
        table_row(t);
        table_text(t, cases[c].name);
        table_num(t, steady);
        table_num(t, latency);
        table_num(t, most[c]);
    }
    print_table(app, o, t, n == 1);
    return EXIT_DONE;
}

/* ---- one load -------------------------------------------------------------------------------- */

static bool write_out(struct app *app, const char *dir, const struct net_case *c,
                      const struct net_point *p)
{
    struct buf csv, svg;
    buf_init(&csv, &app->mem, BUF_NO_MAX);
    buf_init(&svg, &app->mem, BUF_NO_MAX);
    net_write_channels(c, p, &csv);
    net_write_heat(c, p, &svg);
    return file_make_dirs(dir, &app->err) &&
           file_write(path_join(&app->mem, dir, "channels.csv"), csv.data, csv.len, &app->err) &&
           file_write(path_join(&app->mem, dir, "heat.svg"), svg.data, svg.len, &app->err);
}

static int run_point(struct app *app, const struct options *o, const struct net_request *q,
                     const struct net_case *cases, size_t n)
{
    struct table *t = table_new(&app->mem, columns, N_COLUMNS);
    const char *dir = option_get(o, "out");
    struct net_point *points = arena_many(&app->mem, struct net_point, n);
    for (size_t c = 0; c < n; c++) {
        struct net_point p = {0};
        if (!net_case_run(&cases[c], q, q->rate, dir != NULL, &app->mem, &p, &app->err))
            return exit_status_of(&app->err);
        add_row(t, cases[c].name, q->trace ? -1 : q->rate, &p.result, p.is_steady);
        if (dir &&
            !write_out(
                app, n == 1 ? dir : path_join(&app->mem, dir, path_stem(&app->mem, cases[c].name)),
                &cases[c], &p))
            return exit_status_of(&app->err);
        if (!p.is_steady && !o->json)
            fprintf(stderr, "%s: saturated: %.4f flits per node and cycle offered, %.4f accepted\n",
                    cases[c].name, q->rate, accepted_of(&cases[c], &p));
        points[c] = p;
    }
    bool is_short = n > 1 && !q->trace && !option_has(o, "all");
    if (o->json) {
        print_table(app, o, t, n == 1);
    } else if (is_short) {
        const struct sweep one = {.cases = cases, .points = points, .per_case = 1};
        print_curves(app, cases, n, &one);
    } else {
        print_list(app, t);
    }
    if (!o->json && !o->quiet)
        printf("%s--sweep: the curve; --saturation: its end; -o DIR: every channel and a picture\n",
               is_short ? "--all: every number; " : "");
    return EXIT_DONE;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool read_request(struct app *app, const struct options *o, struct net_request *q)
{
    struct err *e = &app->err;
    const char *bursts = option_get(o, "bursts");
    *q = (struct net_request){.traffic = option_get(o, "traffic"),
                              .permutation = option_get(o, "permutation"),
                              .trace = option_get(o, "trace"),
                              .rate = 0.1,
                              .writes = 0.25,
                              .flits = 1,
                              .verify = option_has(o, "verify"),
                              .general = option_has(o, "general"),
                              .allow_cycles = option_has(o, "allow-cycles"),
                              .seed = 1};
    bool ok = option_real(o, "rate", 0, 64, &q->rate, e);
    ok = option_int(o, "flits", 1, NET_MAX_FLITS, &q->flits, e) && ok;
    ok = option_int(o, "cycles", 1, 1ll << 50, &q->cycles, e) && ok;
    ok = option_int(o, "warmup", 0, 1ll << 50, &q->warmup, e) && ok;
    ok = option_int(o, "seed", 0, 1ll << 50, &q->seed, e) && ok;
    ok = option_int(o, "outstanding", 0, 1 << 20, &q->outstanding, e) && ok;
    ok = option_real(o, "writes", 0, 1, &q->writes, e) && ok;
    ok = option_int(o, "shuffle", 0, 1ll << 50, &q->shuffle, e) && ok;
    ok = option_int(o, "jobs", 0, 1024, &q->jobs, e) && ok;
    if (ok && q->cycles && q->warmup >= q->cycles)
        ok = err_add(e, ERR_INPUT, (struct where){NULL, 0, "--warmup"},
                     "%lld is not less than --cycles %lld", q->warmup, q->cycles);
    const char *wires = option_get(o, "wires");
    q->model_wires = wires && !strcmp(wires, "model");
    if (wires && !q->model_wires && strcmp(wires, "one"))
        ok = err_add(e, ERR_INPUT, (struct where){NULL, 0, "--wires"}, "'%s' is not one or model",
                     wires);
    if (bursts) {
        q->bursts = true;
        if (sscanf(bursts, "%lf:%lf", &q->alpha, &q->beta) != 2 || !(q->alpha > 0) ||
            q->alpha > 1 || !(q->beta > 0) || q->beta > 1)
            ok = err_add(e, ERR_INPUT, (struct where){NULL, 0, "--bursts"},
                         "'%s' is not ON:OFF, two probabilities", bursts);
    }
    return ok;
}

static int run(struct app *app, const struct options *o)
{
    struct net_request q;
    if (!read_request(app, o, &q))
        return EXIT_INPUT;
    if (option_get(o, "booksim-csv"))
        return run_table(app, o, &q);
    if (option_get(o, "booksim"))
        return run_booksim(app, o, &q);
    if (!o->n_words) {
        err_add(&app->err, ERR_INPUT, NOWHERE,
                "net needs a configuration, --booksim F or --booksim-csv F");
        return EXIT_INPUT;
    }
    struct variant *designs;
    size_t n;
    bool ok = variants_read(app, o, VARIANTS_MANY | VARIANTS_COLON, &designs, &n, &app->err);
    struct net_case *cases = arena_array(&app->mem, n, sizeof *cases);
    for (size_t i = 0; i < n; i++) {
        const struct variant *v = &designs[i];
        const char *name =
            v->values[0] ? arena_printf(&app->mem, "%s %s", v->file, v->values) : v->file;
        ok = net_case_make(app, v->arch, name, &q, &cases[i]) && ok;
    }
    if (!ok)
        return exit_status_of(&app->err);
    if (option_has(o, "sweep"))
        return run_sweep(app, o, &q, cases, n);
    if (option_has(o, "saturation"))
        return run_saturation(app, o, &q, cases, n);
    return run_point(app, o, &q, cases, n);
}

static const struct option_def options[] = {
    {"rate", 'r', "R", "offered load, flits per injecting node and cycle (0.1)"},
    {"traffic", 't', "PATTERN",
     "uniform, transpose, bit_complement, bit_reverse, shuffle, tornado, neighbor, hotspot:NODES, "
     "many_to_few, few_to_many, request_reply"},
    {"flits", 0, "N", "packet size (1)"},
    {"cycles", 'c', "N", "run exactly N cycles instead of measuring until steady"},
    {"warmup", 0, "N", "leave the first N of them out"},
    {"sweep", 0, NULL, "the load-latency curve; with -o drawn, several configurations on one plot"},
    {"all", 0, NULL, "every number of several networks, every load of a long sweep"},
    {"range", 0, "FROM:TO:N", "loads of the sweep; default: up to just beyond saturation"},
    {"saturation", 0, NULL, "find the highest load that is accepted"},
    {"bursts", 0, "ON:OFF", "on/off sources: probability of a burst's beginning and end"},
    {"outstanding", 0, "N", "request_reply: requests a node may have open; 0: no limit"},
    {"writes", 0, "SHARE", "request_reply: share of writes (0.25)"},
    {"permutation", 0, "F", "one destination per source: CSV with src and dst"},
    {"trace", 0, "F", "packets from a file: CSV with cycle, src, dst and flits"},
    {"seed", 0, "N", "random numbers (1)"},
    {"out", 'o', "DIR", "write channels.csv and heat.svg; for a sweep its table and plot"},
    {"wires", 0, "one|model", "channels of one cycle, or as long as floorplan and clock make them"},
    {"allow-cycles", 0, NULL, "simulate a network that can deadlock"},
    {"booksim", 0, "F", "run a BookSim2 configuration; the words are key=value"},
    {"booksim-csv", 0, "F", "run every row of a table of BookSim2 runs"},
    {"packets", 0, "F", "with --booksim-csv: write one line per packet"},
    {"seeds", 0, "N", "with --booksim-csv: each row as the mean of N seeds"},
    {"jobs", 'j', "N", "threads; 0: as many as there are cores"},
    {"verify", 0, NULL, "check every invariant in every cycle"},
    {"general", 0, NULL, "evaluate routers by the general method"},
    {"shuffle", 0, "SEED", "visit routers in a shuffled order (changes no result)"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_net = {
    .name = "net",
    .args = "CFG[:key=value,…] …",
    .meaning = "network simulation alone: latency and throughput at a load or over a sweep",
    .text =
        "Patterns among equal nodes run on a network of plain nodes with the configuration's\n"
        "shape; many_to_few, few_to_many and request_reply on its request and reply networks.\n",
    .options = options,
    .least_words = 0,
    .most_words = 64,
    .run = run,
};
