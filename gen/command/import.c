/* SPDX-License-Identifier: MIT
 *
 * `crosswatt import`: a description out of the files of GPGPU-Sim and Accel-Sim. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/printable.h"
#include "base/table.h"
#include "gen/command.h"
#include "gen/config/read.h"
#include "gen/design/design.h"
#include "gen/import/import.h"
#include "gen/out.h"
#include "gen/run/setup.h"

static const char *const fate_names[FATES] = {
    [FATE_UNSEEN] = "unseen",       [FATE_TRANSLATED] = "translated",
    [FATE_LEFT_OUT] = "left out",   [FATE_IRRELEVANT] = "irrelevant",
    [FATE_OVERRULED] = "overruled", [FATE_APPROXIMATE] = "approximate",
    [FATE_REFUSED] = "refused",
};

/* ---- the table of options ---- */

static int print_options(struct app *app, bool json)
{
    static const struct table_column columns[] = {{"option", "", -1},
                                                  {"what becomes of it", "", -1},
                                                  {"default", "", -1},
                                                  {"meaning", "", -1}};
    struct table *t = table_new(&app->mem, columns, 4);
    for (size_t i = 0; i < n_foreign_options; i++) {
        const struct foreign_option *o = &foreign_options[i];
        table_row(t);
        table_text(t, o->name);
        table_text(t, foreign_kind_name(o->kind));
        if (o->value)
            table_text(t, o->value);
        else
            table_none(t);
        table_text(t, o->kind == FOREIGN_ONLY
                          ? arena_printf(&app->mem, "%s; else refused: %s", o->legal, o->text)
                          : o->text);
    }
    out_table(t, json, OUT_ALL_DIGITS, &app->mem);
    return EXIT_DONE;
}

/* ---- the report ---- */

static json_t *report(const struct import *im, const char *out)
{
    json_t *j = json_object(), *all = json_array(), *counts = json_object(), *notes = json_array();
    for (int f = FATE_TRANSLATED; f < FATES; f++)
        json_object_set_new(counts, fate_names[f], json_integer((json_int_t)im->n_fates[f]));
    for (size_t i = 0; i < im->seen.n; i++) {
        const struct seen *s = &im->seen.at[i];
        if (!s->line)
            continue;
        json_t *o = json_object(), *keys = json_array();
        json_object_set_new(o, "option", json_text(s->said_as));
        json_object_set_new(o, "value", json_text(s->value));
        json_object_set_new(o, "file", json_text(s->file));
        json_object_set_new(o, "line", json_integer(s->line));
        json_object_set_new(o, "fate", json_text(fate_names[s->fate]));
        if (s->reason)
            json_object_set_new(o, "reason", json_text(s->reason));
        for (size_t k = 0; k < im->lines.n; k++)
            for (uint32_t f = 0; f < im->lines.at[k].n_from; f++)
                if (im->lines.at[k].from[f] == i)
                    json_array_append_new(keys, json_text(im->lines.at[k].key));
        json_object_set_new(o, "keys", keys);
        json_array_append_new(all, o);
    }
    for (size_t i = 0; i < im->notes.n; i++)
        json_array_append_new(notes, json_text(im->notes.at[i]));
    json_object_set_new(j, "written", out ? json_text(out) : json_null());
    json_object_set_new(j, "counts", counts);
    json_object_set_new(j, "notes", notes);
    json_object_set_new(j, "options", all);
    return j;
}

static void summary(const struct import *im, const char *out, struct arena *mem)
{
    size_t n = 0;
    for (int f = FATE_TRANSLATED; f < FATES; f++)
        n += im->n_fates[f];
    printf("%s: %zu options: %zu translated, %zu irrelevant with a reason, %zu left out, "
           "%zu overruled, %zu approximate, %zu refused; 0 ignored\n",
           printable_text(mem, out), n, im->n_fates[FATE_TRANSLATED], im->n_fates[FATE_IRRELEVANT],
           im->n_fates[FATE_LEFT_OUT], im->n_fates[FATE_OVERRULED], im->n_fates[FATE_APPROXIMATE],
           im->n_fates[FATE_REFUSED]);
    for (size_t i = 0; i < im->notes.n; i++)
        printf("  %s\n", printable_text(mem, im->notes.at[i]));
    for (size_t i = 0; i < im->seen.n; i++) {
        const struct seen *s = &im->seen.at[i];
        if (s->fate == FATE_APPROXIMATE)
            printf("  approximate: %s %s: %s\n", s->option->name,
                   printable_text(mem, s->value ? s->value : ""), s->reason);
    }
}

/* Before anything is written: what `check` would say of it. */
static bool is_accepted(struct app *app, const char *file, const char *text)
{
    struct read_request request = {.file = file, .text = text, .data_dir = app->data_dir};
    struct arch arch;
    struct design design;
    return arch_read(&request, &app->mem, &arch, &app->err) &&
           design_make(&arch, false, &app->mem, &design, &app->err) &&
           sim_setup_try(&arch, app->data_dir, false, &app->mem, &app->err);
}

static int run(struct app *app, const struct options *o)
{
    const char *out = option_get(o, "out");
    if (option_has(o, "options"))
        return print_options(app, o->json);
    if (!o->n_words || !out) {
        err_add(&app->err, ERR_INPUT, NOWHERE, "%s",
                o->n_words ? "import needs a file to write: -o F.cfg"
                           : "import needs a folder or files of GPGPU-Sim");
        return EXIT_INPUT;
    }
    struct import im;
    struct import_request request = {.files = o->words,
                                     .n_files = o->n_words,
                                     .with_launch_latency = option_has(o, "launch-latency"),
                                     .approximate = option_has(o, "approximate")};
    import_init(&im, &app->mem, &app->err);
    bool ok = import_read(&im, &request, &app->err);
    if (ok && !im_is_given(&im, F_N_CLUSTERS) && !im_is_given(&im, F_L2))
        ok = err_add(&app->err, ERR_INPUT, NOWHERE,
                     "no gpgpusim.config among the files: nothing says clusters or an L2");
    ok = ok && import_translate(&im);
    size_t n;
    const char *text = ok ? import_text(&im, app_command_line(app), &n) : NULL;
    ok = ok && is_accepted(app, out, text) && file_write(out, text, n, &app->err);
    if (o->json)
        out_json(report(&im, ok ? out : NULL), OUT_ALL_DIGITS);
    else if (ok && !o->quiet)
        summary(&im, out, &app->mem);
    return ok ? EXIT_DONE : exit_status_of(&app->err);
}

static const struct option_def options[] = {
    {"out", 'o', "F.cfg", "description to write; appears whole or not at all"},
    {"launch-latency", 0, NULL, "keep the latency of kernel launches (gpu.launch_cycles)"},
    {"approximate", 0, NULL, "the nearest for what would be refused, said in the file"},
    {"options", 0, NULL, "print the table of options instead, and what becomes of each"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_import = {
    .name = "import",
    .args = "DIR|FILE... -o F.cfg",
    .meaning = "a description from the files of GPGPU-Sim and Accel-Sim",
    .text =
        "Reads gpgpusim.config, trace.config and the network's file (*.icnt): of a folder, or\n"
        "named one by one; the network's file is found by -inter_config_file. What is said last\n"
        "counts. Every option is translated, or has a reason why it changes nothing, or is\n"
        "refused by name and line; nothing is ignored. docs/import.md has the table.\n",
    .options = options,
    .least_words = 0,
    .most_words = 64,
    .reads_no_config = true,
    .run = run,
};
