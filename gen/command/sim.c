/* SPDX-License-Identifier: MIT
 *
 * `crosswatt sim`: one design on one or several programs. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/buf.h"
#include "base/draft.h"
#include "base/file.h"
#include "base/printable.h"
#include "base/table.h"
#include "gen/command.h"
#include "gen/config/keys.h"
#include "gen/config/read.h"
#include "gen/out.h"
#include "gen/plot.h"
#include "gen/price/assumptions.h"
#include "gen/price/bill_print.h"
#include "gen/price/scale.h"
#include "gen/progress.h"
#include "gen/run/dvfs.h"
#include "gen/run/first_screen.h"
#include "gen/workload/program.h"

struct watch {
    struct progress bar;
    struct arena *mem;
    double begun_s;
    /* --interval */
    struct stat_totals last;
    FILE *intervals;
    struct draft draft; /* of them */
    const struct sim_setup *setup;
    uint64_t (*counts)[EV_COUNT]; /* [component] at the end of the last interval */
    bool per_sm;
    double peak_w; /* largest mean power of an interval */
    struct err *err;
};

/* Power over the interval: of everything, of each group and, with --per-sm, of each SM. */
static void add_interval_power(struct watch *w, const struct gpu *g, double cycles, bool head,
                               struct buf *b)
{
    const struct priced *p = w->setup->priced;
    uint32_t n = p->design->n_components;
    uint64_t(*now)[EV_COUNT] = arena_array(w->mem, n, sizeof *now);
    uint64_t(*part)[EV_COUNT] = arena_array(w->mem, n, sizeof *part);
    struct run_energy e;
    struct result none = {0};
    double seconds = cycles / (1e3 * (double)p->timing.clock_khz[CLOCK_CORE]);
    run_counts(p, g, now);
    for (uint32_t i = 0; i < n; i++)
        for (int k = 0; k < EV_COUNT; k++)
            part[i][k] = now[i][k] - w->counts[i][k];
    /* the user's components are counted by statistics of the whole run */
    if (!run_account(p, (const uint64_t(*)[EV_COUNT])part, seconds, &none, w->mem, &e, w->err))
        return;
    if (head) {
        buf_add(b, ",power (W)");
        for (uint32_t i = 0; i < e.account.n_groups; i++)
            buf_printf(b, ",power.%s (W)", e.account.groups[i].name);
        for (uint32_t s = 0; w->per_sm && s < p->design->arch->gpu.n_sms; s++)
            buf_printf(b, ",power.sm%u (W)", s);
        return;
    }
    double watts = seconds > 0 ? e.account.total_j / seconds : 0;
    w->peak_w = watts > w->peak_w ? watts : w->peak_w;
    buf_printf(b, ",%.6g", watts);
    for (uint32_t i = 0; i < e.account.n_groups; i++)
        buf_printf(b, ",%.6g", e.account.groups[i].total_j / seconds);
    for (uint32_t s = 0; w->per_sm && s < p->design->arch->gpu.n_sms; s++)
        buf_printf(b, ",%.6g", run_sm_j(p, &e, s) / seconds);
    memcpy(w->counts, now, n * sizeof *now);
}

static double user_s(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_utime.tv_sec + 1e-6 * (double)u.ru_utime.tv_usec;
}

static bool tell(void *ctx, const struct gpu_progress *p)
{
    struct watch *w = ctx;
    double s = user_s() - w->begun_s;
    char text[96];
    snprintf(text, sizeof text, "%llu cycles, %.0f kwips", (unsigned long long)p->cycles,
             s > 0 ? (double)p->warp_insts / s * 1e-3 : 0);
    progress_tell(&w->bar, p->total_warp_insts ? (double)p->warp_insts : p->ctas, text);
    return true;
}

static void write_interval(void *ctx, const struct gpu *g, uint64_t cycle)
{
    struct watch *w = ctx;
    struct stat_totals now, part;
    struct buf b;
    struct arena_mark mark = arena_mark(w->mem);
    stats_of_gpu(g, &now);
    stats_between(&w->last, &now, &part);
    buf_init(&b, w->mem, BUF_NO_MAX);
    if (w->last.cycles == 0) {
        buf_add(&b, "end");
        for (const struct stat_row *r = stat_rows; r->name; r++)
            buf_printf(&b, ",%s%s%s%s", r->name, r->unit[0] ? " (" : "", r->unit,
                       r->unit[0] ? ")" : "");
        if (w->counts)
            add_interval_power(w, g, part.cycles, true, &b);
        buf_add(&b, "\n");
    }
    buf_printf(&b, "%llu", (unsigned long long)cycle);
    for (const struct stat_row *r = stat_rows; r->name; r++) {
        double v = r->value(&part);
        buf_add(&b, ",");
        if (isfinite(v))
            buf_add_double(&b, v);
    }
    if (w->counts)
        add_interval_power(w, g, part.cycles, false, &b);
    buf_add(&b, "\n");
    fputs(b.data, w->intervals);
    w->last = now;
    arena_rewind(w->mem, mark);
}

static json_t *values_json(const struct stat_totals *t, bool sm_only)
{
    json_t *o = json_object();
    for (const struct stat_row *r = stat_rows; r->name; r++) {
        double v = r->value(t);
        if (!isfinite(v) || (sm_only && !r->per_sm))
            continue;
        bool is_whole = r->is_count && v == floor(v) && v < 9e15;
        json_t *value = is_whole ? json_integer((json_int_t)v) : json_real(v), *in = o;
        const char *dot = strchr(r->name, '.'); /* "a.b" is b of the object a */
        if (dot) {
            char group[64];
            snprintf(group, sizeof group, "%.*s", (int)(dot - r->name), r->name);
            if (!json_object_get(o, group))
                json_object_set_new(o, group, json_object());
            in = json_object_get(o, group);
        }
        json_object_set_new(in, dot ? dot + 1 : r->name, value);
    }
    return o;
}

static json_t *program_json(const struct gpu_program *p)
{
    return json_pack("{s:I, s:I, s:b, s:I}", "cycles", (json_int_t)p->cycles, "warp_insts",
                     (json_int_t)p->warp_insts, "is_done", p->is_done, "rounds",
                     (json_int_t)p->rounds);
}

struct ran { /* what is printed */
    const struct sim_setup *setup;
    const struct trace_source *const *programs;
    uint32_t n;
    const struct run_outcome *outcome;
    bool per_sm;
    double peak_w; /* 0: not known */
    struct first_screen screen;
};

/* How each of several programs did, alone too if that is known; requests by local crossbar. */
static void add_programs_json(const struct ran *r, json_t *out)
{
    const struct run_outcome *x = r->outcome;
    json_t *list = json_array(), *crossbars = json_array();
    for (uint32_t i = 0; i < r->n && r->n > 1; i++) {
        struct gpu_program p;
        gpu_program_result(x->gpu, i, &p);
        json_t *o = program_json(&p);
        json_object_set_new(o, "name", json_string(r->programs[i]->name));
        if (x->solo) {
            json_object_set_new(o, "solo", program_json(&x->solo[i].solo));
            json_object_set_new(o, "progress", json_real(x->solo[i].progress));
        }
        json_array_append_new(list, o);
    }
    if (r->n > 1)
        json_object_set(out, "programs", list);
    json_decref(list);
    for (uint32_t c = 0; c < gpu_crossbars(x->gpu); c++)
        json_array_append_new(crossbars,
                              json_integer((json_int_t)gpu_crossbar_requests(x->gpu, c)));
    json_object_set_new(out, "crossbar_requests", crossbars);
    if (x->totals.has_demand > 0)
        json_object_set_new(
            out, "noc_demand",
            json_string(x->totals.demand_percent > NOC_DEMAND_HIGH_PERCENT ? "high" : "low"));
}

static json_t *sms_json(const struct ran *r)
{
    json_t *a = json_array();
    for (uint32_t i = 0; i < (uint32_t)r->outcome->totals.n_sms; i++) {
        struct stat_totals one;
        stats_of_sm(r->outcome->gpu, i, &one);
        json_t *sm = values_json(&one, true);
        if (run_has_energy(r->setup))
            json_object_set_new(sm, "energy_j",
                                json_real(run_sm_j(r->setup->priced, &r->outcome->energy, i)));
        json_array_append_new(a, sm);
    }
    return a;
}

static void print_json(const struct ran *r, struct arena *mem)
{
    const struct sim_setup *s = r->setup;
    const struct stat_totals *t = &r->outcome->totals;
    double host_s = user_s();
    json_t *o = values_json(t, false), *names = json_array();
    json_object_set_new(o, "limits", first_screen_limits(&r->screen, mem));
    if (run_has_energy(s)) {
        run_add_json(&r->outcome->result, &r->outcome->energy, o);
        if (r->peak_w > 0)
            json_object_set_new(json_object_get(o, "power"), "peak_w", json_real(r->peak_w));
        json_object_set_new(o, "noc_clock_limit", json_string(s->priced->clock.limit));
        json_object_set_new(o, "timing_mode", json_string(s->priced->clock.timing_mode));
        json_object_set_new(o, "fmax_by_mode_ghz", clock_modes_json(&s->priced->clock));
    }
    if (s->priced)
        json_object_set_new(o, "scaling", scale_json(s->priced));
    json_t *notes = json_array();
    for (uint32_t i = 0; s->priced && i < s->priced->n_notes; i++)
        json_array_append_new(notes, json_string(s->priced->notes[i]));
    json_object_set_new(o, "notes", notes);
    for (uint32_t i = 0; i < r->n; i++)
        json_array_append_new(names, json_string(r->programs[i]->name));
    add_programs_json(r, o);
    json_object_set_new(o, "config", json_string(s->arch->file));
    json_object_set_new(o, "workloads", names);
    json_object_set_new(o, "version", json_string(CW_VERSION));
    json_object_set_new(o, "seed", json_integer((json_int_t)s->arch->sim.seed));
    json_object_set_new(o, "network",
                        json_string(key_choice("gpu.network", s->config.gpu->network)));
    json_object_set_new(o, "stopped_early", json_boolean(gpu_stopped_early(r->outcome->gpu)));
    json_object_set_new(o, "host_user_s", json_real(host_s));
    if (host_s > 0)
        json_object_set_new(o, "host_kwips", json_real(t->warp_insts / host_s * 1e-3));
    if (r->per_sm)
        json_object_set_new(o, "sms", sms_json(r));
    out_json(o, 15);
}

/* Energy, power and area by component. */
static void add_energy_text(const struct run_energy *e, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {
        {"component", "", 0}, {"dynamic", "mJ", 5}, {"leakage", "mJ", 5}, {"energy", "mJ", 5},
        {"power", "W", 4},    {"share", "%", 1},    {"area", "mm2", 3}};
    const struct account *a = &e->account;
    struct table *t = table_new(mem, columns, 7);
    for (uint32_t i = 0; i <= a->n_groups; i++) {
        bool sum = i == a->n_groups;
        const struct account_group *g = &a->groups[sum ? 0 : i];
        double total = sum ? a->total_j : g->total_j;
        if (sum)
            table_rule(t);
        table_row(t);
        table_text(t, sum ? "total" : g->name);
        table_num(t, 1e3 * (sum ? a->dynamic_j : g->dynamic_j));
        table_num(t, 1e3 * (sum ? a->total_j - a->dynamic_j : g->leakage_j));
        table_num(t, 1e3 * total);
        table_num(t, e->input.seconds > 0 ? total / e->input.seconds : NAN);
        table_num(t, a->total_j > 0 ? 100 * total / a->total_j : NAN);
        table_num(t, sum ? e->chip_mm2 : g->area_mm2 > 0 ? g->area_mm2 : NAN); /* not known: - */
    }
    buf_putc(out, '\n');
    table_write_text(t, out);
}

static void add_sms_text(const struct ran *r, struct arena *mem, struct buf *out)
{
    static const struct table_column columns[] = {
        {"SM", "", -2},           {"warp_insts", "", -2},   {"ipc_warp", "", 4},
        {"l1d_accesses", "", -2}, {"l1d_miss_rate", "", 4}, {"occupancy", "", 3}};
    struct table *sms = table_new(mem, columns, 6);
    for (uint32_t i = 0; i < r->setup->arch->gpu.n_sms; i++) {
        struct stat_totals one;
        stats_of_sm(r->outcome->gpu, i, &one);
        table_row(sms);
        table_num(sms, i);
        for (uint32_t c = 1; c < 6; c++)
            for (const struct stat_row *row = stat_rows; row->name; row++)
                if (strcmp(row->name, columns[c].name) == 0)
                    table_num(sms, row->value(&one));
    }
    buf_add(out, "\n");
    table_write_text(sms, out);
}

static void add_statistics_text(const struct stat_totals *totals, struct arena *mem,
                                struct buf *out)
{
    static const struct table_column columns[] = {
        {"statistic", "", -1}, {"value", "", -1}, {"unit", "", -1}, {"meaning", "", -1}};
    struct table *table = table_new(mem, columns, 4);
    for (const struct stat_row *row = stat_rows; row->name; row++) {
        double v = row->value(totals);
        if (!isfinite(v))
            continue;
        table_row(table);
        table_text(table, row->name);
        table_text(table, arena_printf(mem, row->is_count ? "%.0f" : "%.4g", v));
        table_text(table, row->unit);
        table_text(table, row->meaning);
    }
    buf_putc(out, '\n');
    table_write_text(table, out);
}

/* The answer first; what it is made of if asked for. */
static void print_text(const struct ran *r, bool all, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, BUF_NO_MAX);
    first_screen_text(&r->screen, mem, &b);
    if (all) {
        add_statistics_text(&r->outcome->totals, mem, &b);
        if (run_has_energy(r->setup))
            add_energy_text(&r->outcome->energy, mem, &b);
    }
    if (r->per_sm)
        add_sms_text(r, mem, &b);
    if (!all)
        buf_add(&b, "every statistic and component: --all; for programs: --json\n");
    fputs(b.data, stdout);
}

/* A regular file is replaced when all rows are there; a pipe or a device gets them as they come. */
static bool open_intervals(struct watch *w, const char *file, struct err *err)
{
    if (!file)
        w->intervals = stderr;
    else if (!file_is_replaceable(file))
        w->intervals = fopen(file, "w");
    else
        w->intervals = draft_open(&w->draft, file, w->mem) ? w->draft.file : NULL;
    return w->intervals ||
           err_add(err, ERR_MACHINE, AT_FILE(file), "cannot be written: %s", strerror(errno));
}

/* Rows up to a run's wrong end are kept: they tell about it. The machine's failure ends a row
 * anywhere. */
static bool close_intervals(struct watch *w, const char *file, struct err *err)
{
    if (w->intervals == stderr)
        return true;
    if (w->draft.file && exit_status_of(err) == EXIT_MACHINE) {
        draft_drop(&w->draft);
        return true;
    }
    bool is_whole = !ferror(w->intervals);
    return (w->draft.file ? draft_keep(&w->draft) : fclose(w->intervals) == 0 && is_whole) ||
           err_add(err, ERR_MACHINE, AT_FILE(file), "cannot be written: %s", strerror(errno));
}

/* What stands behind "--": it finds the device that is simulated. */
static bool open_program(struct app *app, const struct options *o, const struct arch *arch,
                         struct trace_source *out)
{
    struct program_request q = {.argv = o->program, .output_to_stderr = true};
    runtime_settings_default(&q.settings);
    program_device(arch, &app->mem, &q.settings);
    return program_trace(&q, &app->mem, out, &app->err);
}

struct programs {
    struct trace_source *sources;
    const struct trace_source **list; /* [n] */
    uint32_t n;                       /* open ones */
    double warp_insts;                /* of all, as far as they know */
};

static bool open_programs(struct app *app, const struct options *o, const struct arch *arch,
                          struct programs *p)
{
    uint32_t n_words = (uint32_t)o->n_words - 1, n = n_words + (o->program != NULL);
    p->sources = arena_many(&app->mem, struct trace_source, n);
    p->list = arena_many(&app->mem, const struct trace_source *, n);
    for (; p->n < n; p->n++) {
        struct trace_source *s = &p->sources[p->n];
        if (!(p->n < n_words ? sim_source_open(app, o, arch, o->words[p->n + 1], s)
                             : open_program(app, o, arch, s)))
            return false;
        p->list[p->n] = s;
        for (uint32_t k = 0; k < s->n_kernels; k++)
            p->warp_insts += (double)s->kernels[k].n_warp_insts;
    }
    return true;
}

/* Runs what is set up, under the eyes of `w`. */
static bool run_watched(struct app *app, const struct options *o, const struct programs *p,
                        long long interval, struct watch *w, struct run_outcome *out)
{
    const struct sim_setup *setup = w->setup;
    const char *file = option_get(o, "interval-file");
    if (interval && !open_intervals(w, file, &app->err))
        return false;
    if (interval && run_has_energy(setup) && setup->arch->energy.n_users == 0)
        w->counts = arena_array(&app->mem, setup->design->n_components, sizeof *w->counts);
    progress_begin(&w->bar, p->warp_insts, o->quiet);
    w->begun_s = user_s();
    const struct gpu_run r = {.programs = p->list,
                              .n_programs = p->n,
                              .progress = tell,
                              .at_interval = write_interval,
                              .ctx = w,
                              .interval = (uint64_t)interval,
                              .no_skip = option_has(o, "no-skip")};
    const struct run_request request = {.setup = setup,
                                        .run = &r,
                                        .design = path_stem(&app->mem, setup->arch->file),
                                        .workload = p->list[0]->name,
                                        .data_dir = app->data_dir,
                                        .want_solo = option_has(o, "solo"),
                                        .want_demand = option_has(o, "noc-demand")};
    bool ok = run_pair(&request, &app->mem, out, &app->err);
    progress_end(&w->bar);
    return close_intervals(w, file, &app->err) && ok;
}

/* "hs (tiny) on 80-cdxbar" */
static const char *title_of(struct app *app, const struct options *o, const struct arch *arch,
                            const struct programs *p)
{
    const char *preset = option_get(o, "preset");
    struct buf b;
    buf_init(&b, &app->mem, BUF_NO_MAX);
    for (uint32_t i = 0; i < p->n; i++)
        buf_printf(&b, "%s%s", i ? " + " : "", printable_text(&app->mem, p->list[i]->name));
    if (preset)
        buf_printf(&b, " (%s)", printable_text(&app->mem, preset));
    buf_printf(&b, " on %s", printable_text(&app->mem, path_stem(&app->mem, arch->file)));
    return b.data;
}

/* ---- several clocks ---- */

static json_t *dvfs_json(const struct dvfs *d)
{
    json_t *points = json_array();
    for (size_t i = 0; i < d->n; i++) {
        const struct dvfs_point *p = &d->points[i];
        json_t *o = json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}",
                              "core_clock_ghz", p->ghz, "supply_v", p->volt, "supply_ratio",
                              p->volt_ratio, "cycles", p->cycles, "seconds", p->seconds,
                              "performance_gips", p->gips, "power_w", p->power_w, "energy_j",
                              p->energy_j, "perf_per_watt", p->per_watt, "edp_js", p->edp_js);
        json_object_set(o, "power", json_object_get(p->parts, "power"));
        json_object_set(o, "energy", json_object_get(p->parts, "energy"));
        json_array_append_new(points, o);
    }
    return json_pack("{s:s, s:s, s:o, s:{s:f, s:f}}", "curve", d->curve, "moves", d->moves,
                     "points", points, "best_clock_ghz", "perf_per_watt",
                     d->points[d->best_per_watt].ghz, "edp", d->points[d->best_edp].ghz);
}

static void print_dvfs(const struct dvfs *d, const struct sim_setup *setup, const char *title,
                       struct arena *mem)
{
    static const struct table_column columns[] = {{"clock", "GHz", 3},
                                                  {"supply", "V", 3},
                                                  {"cycles", "", -1},
                                                  {"time", "us", 3},
                                                  {"performance", "G instr/s", 4},
                                                  {"power", "W", 4},
                                                  {"energy", "mJ", 4},
                                                  {"perf/W", "G instr/s/W", 4},
                                                  {"EDP", "nJ s", 4},
                                                  {"best", "", -1}};
    struct table *t = table_new(mem, columns, 10);
    struct buf b;
    for (size_t i = 0; i < d->n; i++) {
        const struct dvfs_point *p = &d->points[i];
        bool watt = i == d->best_per_watt, edp = i == d->best_edp;
        table_row(t);
        table_num(t, p->ghz);
        table_num(t, p->volt);
        table_text(t, arena_printf(mem, "%.0f", p->cycles));
        table_num(t, 1e6 * p->seconds);
        table_num(t, p->gips);
        table_num(t, p->power_w);
        table_num(t, 1e3 * p->energy_j);
        table_num(t, 1e-9 * p->per_watt);
        table_num(t, 1e9 * p->edp_js);
        table_text(t, watt && edp ? "perf/W, EDP" : watt ? "perf/W" : edp ? "EDP" : "");
    }
    buf_init(&b, mem, BUF_NO_MAX);
    buf_printf(&b, "%s, by core clock\n", title);
    table_write_text(t, &b);
    const struct dvfs_point *p = &d->points[d->best_per_watt];
    bool at_end = d->n > 1 && (d->best_per_watt == 0 || d->best_per_watt == d->n - 1);
    buf_printf(&b, "most perf/W at %.3g GHz, %.3f V%s\n", p->ghz, p->volt,
               at_end ? ": an end of the range, the optimum may lie beyond" : "");
    buf_printf(&b, "supply by %s\nmoves: %s; hardware as at the description's clock\n", d->curve,
               d->moves);
    const struct priced *const priced[] = {setup->priced};
    buf_printf(&b, "assumes %s\n", assumptions_line(priced, NULL, 1, mem));
    fputs(b.data, stdout);
}

static bool plot_dvfs(struct app *app, const struct dvfs *d, const char *title, const char *dir)
{
    double *ghz = arena_many(&app->mem, double, d->n), *y = arena_many(&app->mem, double, d->n);
    const char *svg;
    for (size_t i = 0; i < d->n; i++) {
        ghz[i] = d->points[i].ghz;
        y[i] = 1e-9 * d->points[i].per_watt;
    }
    const struct plot_line line = {"perf/W", ghz, y, d->n};
    const struct plot plot = {.kind = PLOT_LINES,
                              .name = "dvfs",
                              .title = arena_printf(&app->mem, "Performance per Watt: %s", title),
                              .x_label = "core clock (GHz)",
                              .y_label = "G instr/s/W",
                              .baseline = NAN,
                              .lines = &line,
                              .n_lines = 1};
    return file_make_dirs(dir, &app->err) &&
           plot_write(&plot, dir, app->data_dir, &app->mem, &svg, &app->err);
}

static void tell_point(void *ctx, size_t done, size_t n, double ghz)
{
    struct progress *bar = ctx;
    char text[64];
    snprintf(text, sizeof text, "%.3g GHz, %zu of %zu", ghz, done + 1, n);
    progress_tell(bar, (double)done, text);
}

static bool run_dvfs(struct app *app, const struct options *o, const struct sim_setup *setup,
                     const struct programs *p)
{
    static const char *const others[] = {"interval",   "per-sm",    "solo",
                                         "noc-demand", "no-energy", "all"};
    struct dvfs_range range;
    struct dvfs d;
    struct progress bar;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (option_has(o, others[i]))
            return err_add(&app->err, ERR_INPUT, NOWHERE, "--dvfs does not go with --%s",
                           others[i]);
    const struct gpu_run r = {
        .programs = p->list, .n_programs = p->n, .no_skip = option_has(o, "no-skip")};
    const struct run_request request = {.setup = setup,
                                        .run = &r,
                                        .design = path_stem(&app->mem, setup->arch->file),
                                        .workload = p->list[0]->name,
                                        .data_dir = app->data_dir};
    if (!dvfs_parse(option_get(o, "dvfs"), &range, &app->err))
        return false;
    progress_begin(&bar, floor((range.high_ghz - range.low_ghz) / range.step_ghz) + 1, o->quiet);
    bool ok = dvfs_run(&request, &range, o->json, tell_point, &bar, &app->mem, &d, &app->err);
    progress_end(&bar);
    if (!ok)
        return false;
    const char *title = title_of(app, o, setup->arch, p), *dir = option_get(o, "plot");
    ok = !dir || plot_dvfs(app, &d, title, dir);
    if (ok && o->json) {
        json_t *out = json_pack("{s:o, s:s, s:s}", "dvfs", dvfs_json(&d), "config",
                                setup->arch->file, "version", CW_VERSION);
        json_object_set_new(out, "scaling", scale_json(setup->priced));
        out_json(out, 15);
    } else if (ok) {
        print_dvfs(&d, setup, title, &app->mem);
    }
    dvfs_free(&d);
    return ok;
}

static int run(struct app *app, const struct options *o)
{
    struct arch *arch = arena_new(&app->mem, struct arch);
    struct sim_setup setup;
    struct watch w = {.mem = &app->mem,
                      .intervals = stderr,
                      .setup = &setup,
                      .per_sm = option_has(o, "per-sm"),
                      .err = &app->err};
    struct programs programs = {0};
    struct run_outcome outcome;
    long long interval = 0;
    if (!option_int(o, "interval", 1, 1000000000000, &interval, &app->err) ||
        !arch_read_options(app, o->words[0], o, arch))
        return exit_status_of(&app->err);
    if (!interval && option_has(o, "interval-file")) {
        err_add(&app->err, ERR_INPUT, NOWHERE, "--interval-file needs --interval N");
        return EXIT_INPUT;
    }
    if (option_has(o, "plot") && !option_has(o, "dvfs")) {
        err_add(&app->err, ERR_INPUT, NOWHERE, "--plot needs --dvfs LOW:HIGH:STEP");
        return EXIT_INPUT;
    }
    if (option_has(o, "verify"))
        arch->sim.verify = true;
    bool wants_clocks = option_has(o, "dvfs");
    bool ok = open_programs(app, o, arch, &programs) &&
              sim_setup_make(arch, app->data_dir, !option_has(o, "no-energy"), 1, &app->mem, &setup,
                             &app->err) &&
              (wants_clocks ? run_dvfs(app, o, &setup, &programs)
                            : run_watched(app, o, &programs, interval, &w, &outcome));
    const struct ran ran = {
        .setup = &setup,
        .programs = programs.list,
        .n = programs.n,
        .outcome = &outcome,
        .per_sm = w.per_sm,
        .peak_w = w.peak_w,
        .screen = {.setup = &setup,
                   .outcome = &outcome,
                   .title = ok && !wants_clocks ? title_of(app, o, arch, &programs) : "",
                   .programs = programs.list,
                   .n_programs = programs.n}};
    if (ok && wants_clocks)
        ; /* printed */
    else if (ok && o->json)
        print_json(&ran, &app->mem);
    else if (ok)
        print_text(&ran, option_has(o, "all"), &app->mem);
    for (uint32_t i = 0; i < programs.n; i++)
        programs.sources[i].close(&programs.sources[i]);
    return ok ? EXIT_DONE : exit_status_of(&app->err);
}

static const struct option_def options[] = {
    {"preset", 'p', "NAME", "problem size of a workload: tiny, small, paper, …"},
    {"interval", 0, "N", "a CSV row of every statistic each N core cycles, on standard error"},
    {"interval-file", 0, "F", "write the rows of --interval to this file"},
    {"all", 0, NULL, "every statistic, and energy by component"},
    {"per-sm", 0, NULL, "statistics of every SM too"},
    {"solo", 0, NULL, "run each program alone too: STP and ANTT of several at once"},
    {"noc-demand", 0, NULL, "run again with channels of half the width: the IPC that costs"},
    {"verify", 0, NULL, "check every invariant in every cycle"},
    {"no-energy", 0, NULL,
     "no energy: the same cycles, and nothing is priced that timing does not need"},
    {"dvfs", 0, "LOW:HIGH:STEP",
     "perf/W over the core clock (GHz), each clock at the supply it needs, and its optimum"},
    {"plot", 0, "DIR", "with --dvfs: draw it into this folder"},
    {"no-skip", 0, NULL, "step through idle cycles: the same result, slowly"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_sim = {
    .name = "sim",
    .args = "CFG WORKLOAD|TRACE… | CFG -- PROG [ARGS…]",
    .meaning = "cycles, IPC, hit rates, traffic, energy by component and perf/W on real kernels",
    .text = "The first screen says how fast it was and what limits it, what it took, and on which\n"
            "assumptions that stands; --all prints every statistic.\n"
            "A trace is an Accel-Sim list (kernelslist.g) or kernel (.traceg, plain, .gz or .xz),\n"
            "a trace written by `crosswatt trace`, a workload, or a made-up kernel: synth:stream,\n"
            "synth:strided, synth:stencil, synth:table, synth:chase, synth:random. Several "
            "programs share the SMs as cta.share\n"
            "says. Behind -- stands a CUDA program (docs/cuda-programs.md), which is run first;\n"
            "what it prints goes to standard error. Every statistic is explained by\n"
            "`crosswatt stats`.\n",
    .options = options,
    .least_words = 2,
    .most_words = 16,
    .word_rule = WORDS_PROGRAM,
    .run = run,
};
