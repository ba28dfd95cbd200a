/* SPDX-License-Identifier: MIT
 *
 * `crosswatt reproduce`: a paper's claims beside what we measure. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/near.h"
#include "base/vec.h"
#include "gen/command.h"
#include "gen/price/assumptions.h"
#include "gen/report/describe.h"
#include "gen/report/page.h"
#include "gen/reproduce/reproduce.h"

typedef VEC(const char *) words_t;

static void split(const char *text, struct arena *mem, words_t *out)
{
    while (*text) {
        size_t n = strcspn(text, ",");
        if (n)
            vec_push(mem, out, arena_strndup(mem, text, n));
        text += n + (text[n] == ',');
    }
}

static bool has(const words_t *words, const char *word)
{
    for (size_t i = 0; i < words->n; i++) {
        if (strcmp(words->at[i], word) == 0)
            return true;
    }
    return false;
}

static bool refuse(struct err *err, const char *option, const char *word, const words_t *legal)
{
    const char *near = near_best(word, legal->at, legal->n);
    return err_add(err, ERR_INPUT, NOWHERE, "--%s: there is no '%s'%s%s%s", option, word,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Every word of the option must be legal. */
static bool take(struct app *app, const struct options *o, const char *option, const words_t *legal,
                 words_t *out)
{
    const char *text = option_get(o, option);
    bool ok = true;
    if (!text)
        return true;
    split(text, &app->mem, out);
    for (size_t i = 0; i < out->n; i++)
        ok &= has(legal, out->at[i]) || refuse(&app->err, option, out->at[i], legal);
    if (out->n == 0)
        return err_add(&app->err, ERR_INPUT, NOWHERE, "--%s needs a value", option);
    return ok;
}

/* The claims that the options ask for. */
static bool choose(struct app *app, const struct options *o, const struct experiment *e,
                   const struct claims *all, struct claims *out, words_t *want_figures)
{
    struct arena *mem = &app->mem;
    words_t ids = {0}, kinds = {0}, figures = {0}, want_ids = {0}, want_kinds = {0};
    for (size_t i = 0; i < all->n; i++) {
        const struct claim *c = &all->at[i];
        vec_push(mem, &ids, c->id);
        if (!has(&kinds, c->kind))
            vec_push(mem, &kinds, c->kind);
        for (const char *at = c->figure; *at;) {
            size_t n = strcspn(at, " ");
            const char *f = arena_strndup(mem, at, n);
            if (!has(&figures, f))
                vec_push(mem, &figures, f);
            at += n + (at[n] == ' ');
        }
    }
    for (size_t i = 0; i < e->n_figures; i++) {
        if (!has(&figures, e->figures[i].figure))
            vec_push(mem, &figures, e->figures[i].figure);
    }
    if (!take(app, o, "claims", &ids, &want_ids) || !take(app, o, "kind", &kinds, &want_kinds) ||
        !take(app, o, "figure", &figures, want_figures))
        return false;
    *out = (struct claims){.file = all->file, .at = arena_many(mem, struct claim, all->n)};
    for (size_t i = 0; i < all->n; i++) {
        const struct claim *c = &all->at[i];
        bool in_figure = want_figures->n == 0;
        for (size_t f = 0; f < want_figures->n; f++)
            in_figure |= claim_is_of_figure(c, want_figures->at[f]);
        if (in_figure && (want_ids.n == 0 || has(&want_ids, c->id)) &&
            (want_kinds.n == 0 || has(&want_kinds, c->kind)))
            out->at[out->n++] = *c;
    }
    bool is_whole = want_figures->n > 0 && want_ids.n == 0 && want_kinds.n == 0;
    return out->n > 0 || is_whole ||
           err_add(&app->err, ERR_INPUT, NOWHERE,
                   "no claim is both of that figure and of that kind");
}

static const char *command_line(const struct app *app, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, 1 << 16);
    for (int i = 0; i < app->argc; i++)
        buf_printf(&b, "%s%s", i ? " " : "", i ? app->argv[i] : path_base(app->argv[i]));
    return b.data;
}

static const char *scaled_down(const struct lab *lab, struct arena *mem)
{
    if (lab->n_pairs == 0)
        return "";
    struct buf b;
    buf_init(&b, mem, 1 << 12);
    buf_printf(&b, "inputs: preset %s", lab->preset);
    if (strcmp(lab->preset, "paper") != 0)
        buf_add(&b, " of the workloads, smaller than the paper's");
    if (!lab->quick)
        return b.data;
    const struct experiment *e = lab->experiment;
    const char *between = "; --quick: fewer programs in the means (";
    for (size_t i = 0; i < e->n_sets; i++) {
        const struct ex_set *s = &e->sets[i];
        bool is_first = s->quick.n > 0;
        for (size_t k = 0; is_first && k < i; k++)
            is_first = e->sets[k].quick.at != s->quick.at; /* sets that are like another */
        if (!is_first)
            continue;
        buf_printf(&b, "%s%s: %zu of %zu", between, s->name, s->quick.n, s->of.n);
        between = ", ";
    }
    buf_putc(&b, ')');
    return b.data;
}

/* Whole figures are measured unless single claims or kinds are asked for. */
static size_t wanted_figures(const struct lab *lab, const words_t *figures,
                             const struct ex_figure **out)
{
    const struct experiment *e = lab->experiment;
    size_t n = 0;
    if (option_has(lab->options, "claims") || option_has(lab->options, "kind"))
        return 0;
    for (size_t i = 0; i < e->n_figures; i++) {
        if (figures->n == 0 || has(figures, e->figures[i].figure))
            out[n++] = &e->figures[i];
    }
    return n;
}

/* A description that cannot be read, or a --set that makes it wrong, is told before anything runs.
 */
static bool descriptions_are_fine(struct lab *lab)
{
    bool ok = true;
    for (size_t i = 0; i < lab->n_machines && ok; i++) {
        struct lab_machine *m = &lab->machines[i];
        ok = lab_arch(lab, m) ||
             err_add(&lab->app->err, ERR_INPUT, AT_FILE(m->file), "%s: %s", m->name, m->error);
    }
    return ok;
}

static size_t count_failed(const struct lab *lab)
{
    size_t n = 0;
    for (size_t i = 0; i < lab->n_pairs; i++)
        n += lab->pairs[i].result && lab->pairs[i].result->error;
    return n;
}

static const struct reproduction_machine *machines_of(struct lab *lab)
{
    struct arena *mem = &lab->app->mem;
    struct reproduction_machine *list =
        arena_many(mem, struct reproduction_machine, lab->n_machines);
    for (size_t i = 0; i < lab->n_machines; i++) {
        struct lab_machine *m = &lab->machines[i];
        const struct arch *arch = lab_arch(lab, m);
        struct buf sets;
        buf_init(&sets, mem, 1 << 12);
        for (size_t k = 0; k < m->sets.n; k++)
            buf_printf(&sets, "%s%s", k ? ", " : "", m->sets.at[k]);
        list[i] = (struct reproduction_machine){m->name, path_base(m->file), sets.data,
                                                arch ? arch_hash(arch, mem) : ""};
    }
    return list;
}

static bool is_per_watt(const struct lab *lab, const char *metric)
{
    const struct ex_metric *m = experiment_metric(lab->experiment, metric);
    return m && m->value && strncmp(m->value, "perf_per_watt", 13) == 0;
}

/* The line that belongs to every performance per Watt, of all machines that ran. */
static const char *assumptions_of(struct lab *lab, const struct reproduction *r)
{
    struct arena *mem = &lab->app->mem;
    bool any = false;
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        any |= is_per_watt(lab, r->answers[i].claim->metric);
    for (size_t i = 0; i < r->n_figures; i++)
        for (size_t k = 0; k < r->figures[i].figure->metrics.n; k++)
            any |= is_per_watt(lab, r->figures[i].figure->metrics.at[k]);
    const struct priced **priced = arena_many(mem, const struct priced *, lab->n_machines);
    const char **names = arena_many(mem, const char *, lab->n_machines);
    for (size_t i = 0; any && i < lab->n_machines; i++) {
        struct lab_machine *m = &lab->machines[i];
        if (!m->setup || !m->setup->priced)
            continue;
        priced[n] = m->setup->priced;
        names[n++] = m->name;
    }
    return n ? assumptions_line(priced, names, n, mem) : "";
}

static int answer_all(struct lab *lab, const struct claims *all, const struct claims *chosen,
                      const words_t *want_figures, const char *dir)
{
    struct app *app = lab->app;
    const struct options *o = lab->options;
    struct answer *answers = arena_many(&app->mem, struct answer, chosen->n);
    for (size_t i = 0; i < chosen->n; i++)
        answer_claim(lab, &chosen->at[i], &answers[i]);
    const struct ex_figure **wanted =
        arena_many(&app->mem, const struct ex_figure *, lab->experiment->n_figures);
    size_t n_wanted = wanted_figures(lab, want_figures, wanted);
    struct figure_answer *figures = arena_many(&app->mem, struct figure_answer, n_wanted);
    for (size_t i = 0; i < n_wanted; i++)
        figure_answer(lab, wanted[i], all, &figures[i]);
    if (!descriptions_are_fine(lab) || (lab->n_pairs && !lab_run(lab)))
        return exit_status_of(&app->err);
    size_t n_failed = count_failed(lab);
    if (n_failed && n_failed == lab->n_pairs) {
        err_add(&app->err, ERR_INPUT, NOWHERE, "no pair ran: %s", lab->pairs[0].result->error);
        return EXIT_INPUT;
    }
    for (size_t i = 0; i < chosen->n && lab->n_pairs; i++)
        answer_claim(lab, &chosen->at[i], &answers[i]);
    for (size_t i = 0; i < n_wanted; i++)
        figure_answer(lab, wanted[i], all, &figures[i]);

    struct reproduction r = {.experiment = lab->experiment,
                             .answers = answers,
                             .n = chosen->n,
                             .figures = figures,
                             .n_figures = n_wanted,
                             .machines = machines_of(lab),
                             .n_machines = lab->n_machines,
                             .preset = lab->n_pairs ? lab->preset : "",
                             .scaled_down = scaled_down(lab, &app->mem),
                             .command_line = command_line(app, &app->mem),
                             .version = CW_VERSION};
    r.assumptions = assumptions_of(lab, &r);
    if (dir && !reproduce_write(&r, dir, app->data_dir, &app->mem, &app->err))
        return exit_status_of(&app->err);
    if (o->json) {
        json_t *j = reproduce_json(&r);
        json_dumpf(j, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
        putchar('\n');
        json_decref(j);
    } else {
        struct buf text;
        buf_init(&text, &app->mem, BUF_NO_MAX);
        reproduce_text(&r, &app->mem, &text);
        fputs(text.data, stdout);
        if (dir)
            printf("report: %s\n", path_join(&app->mem, dir, "report.html"));
    }
    for (size_t i = 0; i < r.n; i++) {
        if (answer_is_wrong(&answers[i]))
            return EXIT_NO;
    }
    return n_failed ? EXIT_NO : EXIT_DONE;
}

static int run(struct app *app, const struct options *o)
{
    struct experiment experiment;
    struct claims all, chosen;
    words_t figures = {0};
    const char *dir = option_get(o, "output"), *preset = option_get(o, "preset");
    if (!experiment_read(o->words[0], app->data_dir, &app->mem, &experiment, &app->err) ||
        !claims_read(app->data_dir, experiment.name, &app->mem, &all, &app->err) ||
        !choose(app, o, &experiment, &all, &chosen, &figures))
        return exit_status_of(&app->err);
    words_t presets = {0}, given = {0};
    split("tiny,small,paper", &app->mem, &presets);
    if (!take(app, o, "preset", &presets, &given))
        return EXIT_INPUT;
    if (dir && !page_dir(dir, &app->err))
        return EXIT_MACHINE;
    struct lab lab = {.app = app,
                      .options = o,
                      .experiment = &experiment,
                      .preset = preset ? preset : "small",
                      .quick = option_has(o, "quick")};
    return answer_all(&lab, &all, &chosen, &figures, dir);
}

static const struct option_def options[] = {
    {"figure", 0, "LIST", "only claims of these figures or tables: 10, T1"},
    {"claims", 0, "LIST", "only these claims, by their ids"},
    {"kind", 0, "LIST", "only claims of these kinds: exact, cost, simulated"},
    {"quick", 0, NULL, "means over fewer programs"},
    {"output", 'o', "DIR",
     "write report.html, claims.csv, workloads.csv, figures.csv, claims.json and plots there"},
    {"preset", 'p', "NAME", "problem size of the workloads: tiny, small (default) or paper"},
    {"threads", 0, "N", "runs at once; default: all cores"},
    {"fresh", 0, NULL, "run every pair again, also those kept from before"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_reproduce = {
    .name = "reproduce",
    .args = "PAPER [--figure N] [--quick] [-o DIR]",
    .meaning = "a paper's experiment: each claim, the paper's value, ours, and the difference",
    .text = "A paper is a folder of cfg/paper: claims.csv holds what it says, experiment.cfg the "
            "machines\n"
            "and programs it means; an unknown name prints the list. Exit status 1 says that an "
            "exact claim differs or a run\n"
            "failed; the other claims are answered all the same.\n"
            "Ctrl-C keeps what is done, and the same command goes on from there.\n",
    .options = options,
    .least_words = 1,
    .most_words = 1,
    .run = run,
};
