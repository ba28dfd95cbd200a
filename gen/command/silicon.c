/* SPDX-License-Identifier: MIT
 *
 * `crosswatt silicon`: a machine's own figures, measured by microbenchmarks, beside those of a
 * card. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/near.h"
#include "gen/command.h"
#include "gen/config/read.h"
#include "gen/out.h"
#include "gen/price/assumptions.h"
#include "gen/run/pairs.h"
#include "gen/silicon/silicon_kept.h"
#include "gen/silicon/silicon_measure.h"
#include "gen/silicon/silicon_report.h"

#define DEFAULT_MACHINE "cfg/gpu/v100.cfg"
#define PLAUSIBLE "plausible"

struct asked {
    struct app *app;
    const struct options *o;
    bool *wanted; /* [figure]; NULL: all */
    unsigned n_threads;
    const char *name; /* of the machine, for what is kept */
    const atomic_bool *cancel;
};

/* --only a,b: figures by name or by the beginning of it. */
static bool choose(struct asked *a)
{
    const char *words = option_get(a->o, "only");
    struct arena *mem = &a->app->mem;
    if (!words)
        return true;
    a->wanted = arena_many(mem, bool, n_silicon_figures);
    for (const char *at = words; *at;) {
        size_t len = strcspn(at, ","), n = 0;
        for (size_t i = 0; i < n_silicon_figures; i++)
            if (len && strncmp(silicon_figures[i].id, at, len) == 0) {
                a->wanted[i] = true;
                n++;
            }
        const char *word = arena_strndup(mem, at, len);
        if (!n)
            return err_add(&a->app->err, ERR_INPUT, NOWHERE, "--only: there is no figure '%s'%s",
                           word,
                           near_hint(word, silicon_figure_names(mem), n_silicon_figures, mem));
        at += len + (at[len] == ',');
    }
    return true;
}

/* What the machine is held against: --card, else gpu.card, else rules of plausibility. */
static bool read_card(struct asked *a, const struct arch *arch, struct silicon_card *card,
                      bool *is_measured)
{
    struct app *app = a->app;
    const char *name = option_get(a->o, "card");
    if (!name)
        name = arch->gpu.card;
    *is_measured = name[0] != 0;
    if (!name[0])
        name = PLAUSIBLE;
    const char *file =
        strchr(name, '/') || path_ends_with(name, ".cfg")
            ? name
            : arena_printf(&app->mem, "%s/cfg/silicon/cards/%s.cfg", app->data_dir, name);
    return silicon_facts_read(file, NULL, silicon_figure_names(&app->mem), n_silicon_figures,
                              &app->mem, card, &app->err);
}

static bool measure(struct asked *a, const char *file, struct silicon_run *run,
                    struct silicon_report *report)
{
    struct app *app = a->app;
    struct arch *arch = arena_new(&app->mem, struct arch);
    struct sim_setup *setup = arena_new(&app->mem, struct sim_setup);
    struct silicon_card *card = arena_new(&app->mem, struct silicon_card);
    bool is_measured;
    if (!arch_read_options(app, file, a->o, arch) || !read_card(a, arch, card, &is_measured))
        return false;
    a->name = silicon_kept_name(arch, &app->mem);
    arch->cta.scheduler = CTA_global; /* CTA k runs on SM k */
    arch->energy.n_users = 0;         /* parts of the user's own are no card's */
    if (!sim_setup_make(arch, app->data_dir, true, a->n_threads, &app->mem, setup, &app->err))
        return false;
    const struct silicon_request q = {.setup = setup,
                                      .data_dir = app->data_dir,
                                      .wanted = a->wanted,
                                      .n_threads = a->n_threads,
                                      .quiet = a->o->quiet,
                                      .cancel = a->cancel};
    if (!silicon_measure(&q, &app->mem, run, &app->err))
        return false;
    const struct priced *priced = setup->priced;
    silicon_report_make(run, card, is_measured, a->wanted,
                        assumptions_line(&priced, NULL, 1, &app->mem), &app->mem, report);
    return true;
}

static int status_of(const struct silicon_report *r, bool is_strict)
{
    int status = is_strict && r->n_within < r->n_judged ? EXIT_NO : EXIT_DONE;
    for (size_t i = 0; i < r->run->n_benches; i++) {
        const struct microbench *b = &r->run->benches[i];
        if (b->error && status != EXIT_MACHINE)
            status = b->is_machine ? EXIT_MACHINE : EXIT_NO;
    }
    return status;
}

static int run(struct app *app, const struct options *o)
{
    struct asked a = {.app = app, .o = o};
    struct silicon_run measured;
    struct silicon_report report;
    struct buf text;
    long long threads = 0;
    if (!option_int(o, "threads", 1, 256, &threads, &app->err) || !choose(&a))
        return EXIT_INPUT;
    a.n_threads = (unsigned)threads;
    a.cancel = pairs_watch_interrupt();
    const char *file =
        o->n_words ? o->words[0] : path_join(&app->mem, app->data_dir, DEFAULT_MACHINE);
    if (!measure(&a, file, &measured, &report))
        return exit_status_of(&app->err);
    pairs_unwatch_interrupt();
    buf_init(&text, &app->mem, BUF_NO_MAX);
    if (o->json)
        out_json(silicon_report_json(&report), 15);
    else if (option_has(o, "csv"))
        silicon_report_csv(&report, &app->mem, &text);
    else if (option_has(o, "markdown"))
        silicon_report_markdown(&report, &app->mem, &text);
    else
        silicon_report_text(&report, &app->mem, &text);
    if (text.len)
        fputs(text.data, stdout);
    int status = status_of(&report, option_has(o, "strict"));
    for (size_t i = 0; i < measured.n_benches; i++) /* the table alone may be lost in a pipe */
        if (measured.benches[i].error && measured.benches[i].is_machine)
            err_add(&app->err, ERR_MACHINE, NOWHERE, "%s: %s", measured.benches[i].name,
                    measured.benches[i].error);
    const char *table = option_get(o, "record");
    if (!a.wanted && status != EXIT_MACHINE && !option_get(o, "card"))
        silicon_keep(&report, a.name, &app->mem);
    if (table && !silicon_record(&report, a.name, table, &app->mem, &app->err))
        status = exit_status_of(&app->err);
    silicon_release(&measured);
    return status;
}

static const struct option_def options[] = {
    {"card", 0, "NAME",
     "hold it against this card (cfg/silicon/cards, or a file) instead of gpu.card"},
    {"only", 0, "LIST", "these figures alone, by name or its beginning: latency,dram_read"},
    {"threads", 0, "N", "microbenchmarks at once; default: all cores"},
    {"strict", 0, NULL, "exit status 1 where a figure is off"},
    {"record", 0, "FILE",
     "put the verdict into this table (cfg/silicon/measured.csv), for compare"},
    {"csv", 0, NULL, "print the table as CSV"},
    {"markdown", 0, NULL, "print the table as Markdown"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_silicon = {
    .name = "silicon",
    .args = "[CFG]",
    .meaning = "latencies, rates, watts and mm2 of a machine beside measurements on cards",
    .text = "Runs the microbenchmarks of cfg/silicon on the machine (default " DEFAULT_MACHINE ")\n"
            "and prints each figure with the card's, its source and grade (A measured, B the\n"
            "vendor's, C second hand, D recalled or derived), the ratio, a verdict against the\n"
            "figure's tolerance, and the key that moves it. A machine of which no card is known\n"
            "(gpu.card) is held against ranges that are plausible.\n",
    .options = options,
    .least_words = 0,
    .most_words = 1,
    .run = run,
};
