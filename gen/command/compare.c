/* SPDX-License-Identifier: MIT
 *
 * `crosswatt compare`: several designs on several workloads, normalised to the first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/printable.h"
#include "gen/command.h"
#include "gen/config/keys.h"
#include "gen/config/variants.h"
#include "gen/price/assumptions.h"
#include "gen/report/band_print.h"
#include "gen/report/describe.h"
#include "gen/report/page.h"
#include "gen/report/pictures.h"
#include "gen/report/report.h"
#include "gen/run/equal.h"
#include "gen/run/pairs.h"
#include "gen/silicon/silicon_kept.h"

#define MOST_DESIGNS 1000

struct comparison {
    struct app *app;
    const struct options *o;
    size_t n;
    const char **names;
    const struct arch **archs;
    struct pairs_design *designs;
    struct report_design *described;
    struct report_terms *terms; /* --equal: the widths that were chosen; or NULL */
    const char *equal;          /* "bisection", … */
};

/* "80-cdxbar noc.vcs=2"; names stand in file names, too. */
static const char *variant_name(const struct variant *v, struct arena *mem)
{
    char *name = arena_printf(mem, "%s %s", path_stem(mem, v->file), v->values);
    for (char *at = name; *at; at++) {
        if (*at == '/')
            *at = '_';
    }
    return printable_text(mem, name);
}

static bool read_terms(struct comparison *c, enum equal_terms *out)
{
    const char *word = option_get(c->o, "equal");
    for (*out = 0; word && *out < EQUAL_COUNT; (*out)++)
        if (strcmp(word, equal_names[*out]) == 0)
            return true;
    *out = EQUAL_COUNT;
    return !word || err_add(&c->app->err, ERR_INPUT, NOWHERE,
                            "--equal: '%s' is not one of bisection, area, power, wires", word);
}

static void add_terms(struct comparison *c, size_t d, const struct arch *arch,
                      enum equal_terms terms, double value)
{
    static const char *const units[EQUAL_COUNT] = {"GB/s over the cut", "mm2 active",
                                                   "W at 0.1 flits a cycle", "mm2 of wires"};
    c->terms[d] = (struct report_terms){
        {arch->noc[0].params.width_bits / 8, arch->noc[1].params.width_bits / 8},
        value,
        units[terms]};
}

/* Widths that give a design what the first one has. */
static bool equal_terms_of(struct comparison *c, size_t d, struct arch *arch,
                           enum equal_terms terms, double target)
{
    double got;
    if (!equal_widths(arch, c->app->data_dir, terms, target, &c->app->mem, &got, &c->app->err))
        return false;
    add_terms(c, d, arch, terms, got);
    return true;
}

static bool read_designs(struct comparison *c)
{
    struct arena *mem = &c->app->mem;
    struct variant *designs;
    enum equal_terms terms;
    double target = 0;
    if (!read_terms(c, &terms))
        return false;
    bool ok = variants_read(c->app, c->o, VARIANTS_MANY, &designs, &c->n, &c->app->err);
    if (terms != EQUAL_COUNT) {
        c->equal = equal_names[terms];
        c->terms = arena_array(mem, c->n, sizeof *c->terms);
    }
    const char **files = arena_many(mem, const char *, c->n);
    for (size_t d = 0; d < c->n; d++)
        files[d] = designs[d].file;
    c->names = describe_names(files, c->n, mem);
    c->archs = arena_many(mem, const struct arch *, c->n);
    c->designs = arena_many(mem, struct pairs_design, c->n);
    c->described = arena_many(mem, struct report_design, c->n);
    for (size_t d = 0; d < c->n; d++) {
        struct arch *arch = designs[d].arch;
        struct sim_setup *setup = arena_new(mem, struct sim_setup);
        c->archs[d] = arch;
        if (ok && d > 0 && terms != EQUAL_COUNT && !equal_terms_of(c, d, arch, terms, target))
            return false;
        if (designs[d].values[0])
            c->names[d] = variant_name(&designs[d], mem);
        c->designs[d] = (struct pairs_design){c->names[d], setup, 0};
        if (!sim_setup_make(arch, c->app->data_dir, true, 0, mem, setup, &c->app->err)) {
            ok = false;
            continue;
        }
        describe_design(setup->priced, c->names[d], mem, &c->described[d]);
        if (d == 0 && terms != EQUAL_COUNT) {
            target = equal_measure(setup, terms, &c->app->err);
            add_terms(c, 0, arch, terms, target);
        }
        const char *known = silicon_recall(arch, c->app->data_dir, mem);
        c->described[d].machine = known ? known : "not measured (crosswatt silicon CFG does it)";
    }
    return ok;
}

/* A made-up kernel is the same for all designs, or nothing is compared. */
static bool same_synth(struct comparison *c)
{
    bool ok = true;
    for (const struct key *k = keys; k < keys + n_keys; k++) {
        for (size_t d = 1; strncmp(k->path, "synth.", 6) == 0 && d < c->n; d++) {
            if (key_equal(k, c->archs[0], 0, c->archs[d], 0))
                continue;
            struct where at = key_where(c->archs[d], k->path, 0);
            at.key = k->path;
            ok = err_add(&c->app->err, ERR_INPUT, at,
                         "%s and %s differ in it: a made-up kernel must be the same for all "
                         "designs",
                         c->names[0], c->names[d]);
            break;
        }
    }
    return ok;
}

/* The line that belongs to every performance per Watt. */
static const char *assumptions_of(const struct comparison *c)
{
    const struct priced **priced = arena_many(&c->app->mem, const struct priced *, c->n);
    for (size_t d = 0; d < c->n; d++)
        priced[d] = c->designs[d].setup->priced;
    return assumptions_line(priced, c->names, c->n, &c->app->mem);
}

static bool write_all(struct comparison *c, struct report *report, const char *dir)
{
    struct app *app = c->app;
    page_remove(dir, &app->mem);
    for (size_t d = 0; d < c->n; d++) {
        const struct pictures_request q = {c->designs[d].setup->priced,
                                           &report->results[d * report->n_workloads],
                                           report->n_workloads, dir, app->data_dir};
        if (!pictures_of_design(&q, &app->mem, &c->described[d], &app->err))
            return false;
    }
    if (!option_has(c->o, "no-curves") && !pictures_curves(app, c->designs, c->n, report))
        return false;
    return report_write(report, dir, app->data_dir, &app->mem, &app->err);
}

/* Every design again from other starts (sim.start), priced as it is. */
static bool run_seeds(struct comparison *c, const struct pairs_request *pairs, size_t n,
                      const struct result *first, struct report *report)
{
    struct arena *mem = &c->app->mem;
    struct pairs_design *designs = arena_many(mem, struct pairs_design, c->n);
    const struct result **all = arena_many(mem, const struct result *, n);
    struct pairs_request runs = *pairs;
    runs.designs = designs;
    all[0] = first;
    for (size_t s = 1; s < n; s++) {
        struct result *results;
        for (size_t d = 0; d < c->n; d++) {
            struct arch *arch = arena_new(mem, struct arch);
            struct sim_setup *setup = arena_new(mem, struct sim_setup);
            *arch = *c->archs[d];
            arch->sim.start += (uint32_t)s;
            *setup = *c->designs[d].setup;
            setup->arch = arch;
            setup->config.sim = &arch->sim;
            designs[d] = (struct pairs_design){c->names[d], setup, 0};
        }
        if (!pairs_run(&runs, mem, &results, &c->app->err))
            return false;
        all[s] = results;
    }
    report->seeds = all;
    report->n_seeds = n;
    return true;
}

/* The same comparison under other assumptions. */
static bool make_band(struct comparison *c, const struct pairs_request *pairs, bool each,
                      struct report *report)
{
    struct arena *mem = &c->app->mem;
    struct band *band = arena_new(mem, struct band);
    struct pairs_request runs = *pairs;
    const struct band_request q = {
        .archs = c->archs, .names = c->names, .n_designs = c->n, .each = each, .pairs = &runs};
    const char *preset = option_get(c->o, "assumptions-preset");
    if (preset)
        runs.preset = preset;
    runs.cancel = pairs_watch_interrupt();
    bool ok = band_make(&q, mem, band, &c->app->err);
    pairs_unwatch_interrupt();
    band->preset = preset;
    report->band = band;
    return ok;
}

static int run(struct app *app, const struct options *o)
{
    struct comparison c = {.app = app, .o = o};
    struct report report = {0};
    struct result *results;
    struct buf text;
    const char *words = option_get(o, "workloads"), *dir = option_get(o, "output");
    const char *how = option_get(o, "assumptions");
    long long threads = 0, seeds = 1;
    size_t n_workloads;
    if (how && strcmp(how, "all") != 0 && strcmp(how, "each") != 0) {
        err_add(&app->err, ERR_INPUT, NOWHERE, "--assumptions: '%s' is not one of all, each", how);
        return EXIT_INPUT;
    }
    if (!words) {
        err_add(&app->err, ERR_INPUT, NOWHERE, "give workloads with -w: names, groups or files");
        return EXIT_INPUT;
    }
    if (!option_int(o, "threads", 1, 256, &threads, &app->err) ||
        !option_int(o, "seeds", 1, 1000, &seeds, &app->err))
        return EXIT_INPUT;
    const char **workloads =
        pairs_workloads(words, app->data_dir, &app->mem, &n_workloads, &app->err);
    if (!workloads || !read_designs(&c))
        return exit_status_of(&app->err);
    if (pairs_has_synth(workloads, n_workloads) && !same_synth(&c))
        return EXIT_INPUT;
    if (dir && !page_dir(dir, &app->err))
        return EXIT_MACHINE;

    struct pairs_request request = {
        .designs = c.designs,
        .n_designs = c.n,
        .workloads = workloads,
        .n_workloads = n_workloads,
        .synth = &c.archs[0]->synth,
        .preset = option_get(o, "preset"),
        .data_dir = app->data_dir,
        .store = option_has(o, "fresh")
                     ? NULL
                     : pairs_user_store(app_command_line(app), &app->mem, &app->err),
        .n_threads = (unsigned)threads,
        .quiet = o->quiet,
        .cancel = pairs_watch_interrupt(),
    };
    /* where the machine lets one pair down the others are shown */
    bool ok =
        (pairs_run(&request, &app->mem, &results, &app->err) || !atomic_load(request.cancel)) &&
        (seeds < 2 || run_seeds(&c, &request, (size_t)seeds, results, &report));
    pairs_unwatch_interrupt();
    store_close(request.store);
    const char **labels = describe_names(workloads, n_workloads, &app->mem);
    report = (struct report){
        .seeds = report.seeds,
        .n_seeds = report.n_seeds,
        .title = "Comparison of GPU networks",
        .subtitle = arena_printf(&app->mem, "%zu designs on %zu workloads, preset %s", c.n,
                                 n_workloads, request.preset ? request.preset : "small"),
        .command_line = app_command_line(app),
        .version = CW_VERSION,
        .designs = c.described,
        .n_designs = c.n,
        .workloads = labels,
        .n_workloads = n_workloads,
        .results = results,
        .part_names = describe_parts,
        .n_parts = n_describe_parts,
    };
    if (ok)
        report_count(&report, &app->mem);
    report.assumptions = assumptions_of(&c);
    report.equal = c.equal;
    report.terms = c.terms;
    if (ok && how && !make_band(&c, &request, strcmp(how, "each") == 0, &report))
        return exit_status_of(&app->err);
    report.keys = describe_differences(c.archs, c.n, &app->mem, &report.n_keys);
    if (!ok) /* interrupted: no partial report */
        return exit_status_of(&app->err);
    size_t n_failed = 0;
    for (size_t i = 0; i < c.n * n_workloads; i++)
        n_failed += results[i].error != NULL;
    if (n_failed == c.n * n_workloads) {
        err_add(&app->err, ERR_INPUT, NOWHERE, "no pair ran: %s", results[0].error);
        return EXIT_INPUT;
    }
    if (dir && (app->err.n_machine || !write_all(&c, &report, dir)))
        return exit_status_of(&app->err);
    if (o->json) {
        json_t *j = report_json(&report);
        json_dumpf(j, stdout, JSON_INDENT(1));
        putchar('\n');
        json_decref(j);
        return n_failed ? EXIT_NO : EXIT_DONE;
    }
    buf_init(&text, &app->mem, BUF_NO_MAX);
    report_terms_text(&report, &text);
    report_text(&report, &app->mem, &text);
    if (report.band) {
        buf_putc(&text, '\n');
        band_text(report.band, &app->mem, &text);
        if (option_has(o, "all")) {
            buf_putc(&text, '\n');
            band_cases(report.band, BAND_NOC, &app->mem, &text);
        }
    }
    if (option_has(o, "all"))
        report_text_workloads(&report, &app->mem, &text);
    fputs(text.data, stdout);
    if (dir)
        printf("report: %s\n", path_join(&app->mem, dir, "report.html"));
    if (!option_has(o, "all"))
        printf(dir ? "every workload%s: in the report, or --all\n"
                   : "every workload%s: --all; a report: -o DIR\n",
               report.band ? " and every case" : "");
    return n_failed ? EXIT_NO : EXIT_DONE;
}

static const struct option_def options[] = {
    {"workloads", 'w', "LIST",
     "names, groups (@icc, @high, …), workload files, traces or made-up kernels (synth:stream, …), "
     "by commas"},
    {"output", 'o', "DIR", "write report.html, results.csv, results.json and plots there"},
    {"preset", 'p', "NAME", "problem size of the workloads: tiny, small or paper"},
    {"threads", 0, "N", "runs at once; default: all cores"},
    {"fresh", 0, NULL, "run every pair again, also those kept from before"},
    {"all", 0, NULL, "ratios of every workload too, and of every case of --assumptions"},
    {"equal", 0, "bisection|area|power|wires",
     "choose channel widths so that all networks have what the first one has"},
    {"seeds", 0, "N",
     "run everything from N starts (arbiters, placement, addresses): what differs less is equal"},
    {"assumptions", 0, "all|each",
     "price everything under all combinations of assumptions, or one at a time: how far the "
     "conclusion reaches"},
    {"assumptions-preset", 0, "NAME",
     "problem size of the runs under other assumptions, where it is not that of the comparison"},
    {"no-curves", 0, NULL, "no load-latency curves in the report"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_compare = {
    .name = "compare",
    .args = "CFG… -w WORKLOADS [-o DIR]",
    .meaning = "several designs on several workloads, normalised to the first, with a report",
    .text =
        "A pair that fails is a row with its error; the others finish, and the exit status is 1\n"
        "(3 where memory or disk was missing, or a run stuck).\n"
        "Ctrl-C keeps what is done, and the same command goes on from there.\n",
    .options = options,
    .least_words = 1,
    .most_words = MOST_DESIGNS,
    .run = run,
};
