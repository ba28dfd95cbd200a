/* SPDX-License-Identifier: MIT
 *
 * `crosswatt docs`: the manual page, the configuration reference and the bash completion, from the
 * tables of commands, options, keys and outputs; clocks beside what was built. A test runs `docs
 * --check`. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "gen/command.h"
#include "gen/config/keys.h"
#include "gen/emit/emit.h"
#include "gen/import/foreign.h"
#include "gen/out.h"
#include "gen/price/built.h"
#include "gen/price/technology.h"
#include "gen/template.h"
#include "noc/topology.h"

/* ---- escaping -------------------------------------------------------------------------------- */

/* In a cell of a Markdown table. */
static const char *markdown(const char *text, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, BUF_NO_MAX);
    for (; *text; text++) {
        if (strchr("|*<_", *text))
            buf_putc(&b, '\\');
        buf_putc(&b, *text);
    }
    return b.data;
}

/* In running text of a manual page; lines must not begin with a control character. */
static const char *mdoc(const char *text, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, BUF_NO_MAX);
    bool at_start = true;
    for (; *text; text++) {
        if (at_start && (*text == '.' || *text == '\''))
            buf_add(&b, "\\&");
        if (*text == '\\')
            buf_add(&b, "\\e");
        else if (*text == '"')
            buf_add(&b, "\\(dq");
        else
            buf_putc(&b, *text);
        at_start = *text == '\n';
    }
    return b.data;
}

/* ---- what the templates are given ------------------------------------------------------------ */

static const char *const section_meanings[][2] = {
    {"gpu", "The chip: SMs, clusters, clocks."},
    {"sm", "A streaming multiprocessor: contexts, schedulers, units."},
    {"l1", "The L1 data cache of an SM."},
    {"coalescer", "What merges memory accesses before the L1."},
    {"cluster", "What the SMs behind one network port share."},
    {"noc", "The networks. Each key may also be given for one network: `noc.request.vcs`, "
            "`noc.reply.vcs`."},
    {"llc", "The slices of the last-level cache."},
    {"dram", "Memory controllers and DRAM channels; times in cycles of the command clock."},
    {"cta", "Where thread blocks run."},
    {"compat", "What only imitates another simulator; nobody would choose it for hardware."},
    {"tech", "Technology, operating point, lengths and areas on the die."},
    {"energy", "Who prices what."},
    {"sim", "Running a simulation."},
};

static const char *meaning_of_section(const char *name)
{
    for (size_t i = 0; i < sizeof section_meanings / sizeof *section_meanings; i++) {
        if (strcmp(section_meanings[i][0], name) == 0)
            return section_meanings[i][1];
    }
    return "";
}

static void add_key(struct scope *section, const struct key *k, struct arena *mem)
{
    struct buf legal, def;
    buf_init(&legal, mem, 4096);
    buf_init(&def, mem, 4096);
    key_add_legal(k, &legal);
    key_add_default(k, &def);
    struct scope *o = scope_item(section, "keys");
    scope_text(o, "path", k->path);
    scope_text(o, "type", key_type_text(k));
    scope_text(o, "unit", k->unit);
    scope_text(o, "legal", legal.data);
    scope_text(o, "default", def.data);
    scope_text(o, "legal_md", markdown(legal.data, mem));
    scope_text(o, "default_md", markdown(def.data, mem));
    scope_text(o, "meaning_md", markdown(k->meaning, mem));
    scope_text(o, "legal_mdoc", mdoc(legal.data, mem));
    scope_text(o, "default_mdoc", mdoc(def.data, mem));
    scope_text(o, "meaning_mdoc", mdoc(k->meaning, mem));
    scope_text(o, "used_if", k->used_if ? k->used_if : "");
    scope_text(o, "used_if_md", k->used_if ? markdown(k->used_if, mem) : "");
    scope_list(o, "words");
    for (const struct key_word *w = k->words; w && w->word; w++) {
        struct scope *x = scope_item(o, "words");
        scope_text(x, "word", w->word);
        scope_text(x, "word_meaning", markdown(w->meaning, mem));
    }
}

static void add_keys(struct scope *s, struct arena *mem)
{
    char current[32] = "";
    struct scope *section = NULL;
    for (const struct key *k = keys; k < keys + n_keys; k++) {
        size_t n = strcspn(k->path, ".");
        if (!section || strlen(current) != n || strncmp(current, k->path, n) != 0) {
            snprintf(current, sizeof current, "%.*s", (int)n, k->path);
            section = scope_item(s, "sections");
            scope_text(section, "section", arena_strdup(mem, current));
            scope_text(section, "section_meaning", meaning_of_section(current));
        }
        add_key(section, k, mem);
    }
}

static void add_options(struct scope *o, const char *list, const struct option_def *defs,
                        struct arena *mem)
{
    scope_list(o, list);
    for (const struct option_def *d = defs; d && d->name; d++) {
        struct scope *x = scope_item(o, list);
        scope_text(x, "option", d->name);
        scope_text(x, "letter", d->letter ? arena_printf(mem, "%c", d->letter) : "");
        scope_text(x, "arg", d->arg ? d->arg : "");
        scope_text(x, "option_meaning", mdoc(d->meaning, mem));
    }
}

static void add_commands(struct scope *s, struct arena *mem)
{
    for (const struct command *const *c = commands; *c; c++) {
        struct scope *o = scope_item(s, "commands");
        scope_text(o, "name", (*c)->name);
        scope_text(o, "args", mdoc((*c)->args, mem));
        scope_text(o, "meaning", mdoc((*c)->meaning, mem));
        size_t n = strlen((*c)->text);
        scope_text(
            o, "more",
            mdoc(arena_strndup(mem, (*c)->text, n && (*c)->text[n - 1] == '\n' ? n - 1 : n), mem));
        scope_text(o, "has_options", (*c)->options && (*c)->options->name ? "yes" : "");
        add_options(o, "options", (*c)->options, mem);
    }
    add_options(s, "common", common_options, mem);
}

static void add_tables(struct scope *s, struct arena *mem)
{
    for (const struct topology *const *t = noc_topologies; *t; t++) {
        struct scope *o = scope_item(s, "topologies");
        scope_text(o, "topology", (*t)->name);
        scope_text(o, "topology_meaning", markdown((*t)->meaning, mem));
        struct buf b;
        buf_init(&b, mem, 1024);
        for (const char *const *r = (*t)->routings; *r; r++)
            buf_printf(&b, "%s`%s`", r == (*t)->routings ? "" : ", ", *r);
        scope_text(o, "routings", b.data);
    }
    for (const struct emitter *const *e = emitters; *e; e++) {
        struct scope *o = scope_item(s, "outputs");
        scope_text(o, "output", (*e)->name);
        scope_text(o, "output_meaning", mdoc((*e)->meaning, mem));
    }
}

/* ---- clocks beside what was built ------------------------------------------------------------ */

static void add_built_row(struct scope *list, const char *kind, const struct built *b)
{
    struct scope *o = scope_item(list, kind);
    scope_text(o, "name", b->name);
    scope_text(o, "shape", b->shape);
    scope_text(o, "what", b->what);
    scope_text(o, "style", b->style);
    scope_text(o, "grade", b->grade);
    scope_format(o, "node", b->built_nm == b->model_nm ? "%g" : "%g → %g", b->built_nm,
                 b->model_nm);
    scope_format(o, "built", b->is_fo4 ? "%.0f FO4" : "%.3g GHz", b->value);
    static const char *const names[BUILT_MODES] = {"all", "ck", "stage", "area"};
    for (int m = 0; m < BUILT_MODES; m++)
        scope_format(o, names[m], b->is_fo4 ? "%.0f (%.2f)" : "%.3g (%.2f)", b->model[m],
                     b->ratio[m]);
}

static bool add_built(struct scope *s, struct app *app)
{
    struct built *rows;
    size_t n;
    if (!built_read(app->data_dir, &app->mem, &rows, &n, &app->err))
        return false;
    for (size_t i = 0; i < n; i++) {
        add_built_row(s,
                      rows[i].bound == 'S'   ? "exact"
                      : rows[i].bound == 'L' ? "bounds"
                                             : "memory",
                      &rows[i]);
        struct scope *o = scope_item(s, "sources");
        scope_text(o, "name", rows[i].name);
        scope_text(o, "source", rows[i].source);
    }
    for (int m = 0; m < BUILT_MODES; m++) {
        struct built_spread x = built_spread(rows, n, 'S', (enum built_mode)m);
        struct scope *o = scope_item(s, "spreads");
        scope_text(o, "mode", built_mode_names[m]);
        scope_int(o, "n", (long long)x.n);
        scope_format(o, "mean", "%.2f", x.mean);
        scope_format(o, "least", "%.2f", x.least);
        scope_format(o, "most", "%.2f", x.most);
        scope_format(o, "spread", "%.2f", x.most / x.least);
        if (m == BUILT_STAGE_AREA)
            continue;
        x = built_spread(rows, n, 'L', (enum built_mode)m);
        o = scope_item(s, "bound_spreads");
        scope_text(o, "mode", built_mode_names[m]);
        scope_int(o, "n", (long long)x.n);
        scope_format(o, "least", "%.2f", x.least);
        scope_int(o, "refuted", (long long)built_refuted(rows, n, (enum built_mode)m));
    }
    return true;
}

/* ---- options of GPGPU-Sim ---- */

static void add_foreign(struct scope *s, struct arena *mem)
{
    for (const struct foreign_option *f = foreign_options; f < foreign_options + n_foreign_options;
         f++) {
        struct scope *o = scope_item(s, "foreign");
        struct buf text;
        buf_init(&text, mem, 4096);
        if (f->kind == FOREIGN_ONLY)
            buf_printf(&text, "%s; else: ", f->legal);
        buf_add(&text, f->text);
        for (char *p = text.data; *p; p++) /* a bar would end the column */
            *p = *p == '|' ? '/' : *p;
        scope_text(o, "name", f->name);
        scope_text(o, "kind", foreign_kind_name(f->kind));
        scope_text(o, "value", f->value ? f->value : "");
        scope_text(o, "text", text.data);
    }
}

/* ---- the files ------------------------------------------------------------------------------- */

static const char *const files[][2] = {
    {"configuration.md", "configuration.md"},
    {"crosswatt.1", "crosswatt.1"},
    {"crosswatt.bash", "crosswatt.bash"},
    {"clocks.md", "clocks.md"},
    {"import.md", "import.md"},
    {"technology.md", "technology.md"},
};

static bool is_same(const char *path, const struct buf *text, struct arena *mem)
{
    struct err ignored;
    char *data;
    size_t n;
    err_init(&ignored);
    bool same = file_read(path, 1 << 26, mem, &data, &n, &ignored) && n == text->len &&
                memcmp(data, text->data, n) == 0;
    err_free(&ignored);
    return same;
}

static int run(struct app *app, const struct options *options)
{
    const char *dir = option_get(options, "out") ? option_get(options, "out") : "docs";
    bool check = option_has(options, "check");
    struct scope *s = scope_new(&app->mem);
    scope_text(s, "version", CW_VERSION);
    add_keys(s, &app->mem);
    add_commands(s, &app->mem);
    add_tables(s, &app->mem);
    add_foreign(s, &app->mem);
    if (!add_built(s, app) || !technology_tables(s, app->data_dir, &app->mem, &app->err))
        return exit_status_of(&app->err);
    int status = EXIT_DONE;
    static const struct table_column columns[] = {{"file", "", -1}, {"state", "", -1}};
    struct table *all = table_new(&app->mem, columns, 2);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct buf text;
        buf_init(&text, &app->mem, BUF_NO_MAX);
        const char *path = path_join(&app->mem, dir, files[i][0]);
        if (!template_render_file(app->data_dir, files[i][1], s, &app->mem, &text, &app->err))
            return exit_status_of(&app->err);
        bool same = is_same(path, &text, &app->mem);
        table_row(all);
        table_text(all, path);
        table_text(all, same ? "up to date" : check ? "not up to date" : "written");
        if (same)
            continue;
        if (check) {
            if (!options->json)
                printf("%s is not up to date: run 'crosswatt docs'\n", path);
            status = EXIT_NO;
        } else if (!file_make_dirs(dir, &app->err) ||
                   !file_write(path, text.data, text.len, &app->err)) {
            return exit_status_of(&app->err);
        } else if (!options->quiet && !options->json) {
            printf("%s\n", path);
        }
    }
    if (options->json)
        out_table(all, true, OUT_ALL_DIGITS, &app->mem);
    return status;
}

static const struct option_def option_defs[] = {
    {"out", 'o', "DIR", "folder to write to (docs)"},
    {"check", 0, NULL, "write nothing; exit 1 if a file is not up to date"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_docs = {
    .name = "docs",
    .args = "[-o DIR] [--check]",
    .meaning = "write the pages that are made from tables: manual, configuration, completion, "
               "clocks, import, technology",
    .text = "",
    .options = option_defs,
    .least_words = 0,
    .most_words = 0,
    .reads_no_config = true,
    .run = run,
};
