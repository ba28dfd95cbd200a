/* SPDX-License-Identifier: MIT
 *
 * `crosswatt gen`: writes everything that a design implies. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/near.h"
#include "gen/command.h"
#include "gen/config/read.h"
#include "gen/emit/emit.h"
#include "gen/out.h"

static bool is_listed(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = list; *p;) {
        size_t m = strcspn(p, ",");
        if (m == n && strncmp(p, name, n) == 0)
            return true;
        p += m + (p[m] == ',');
    }
    return false;
}

/* --only names emitters; an unknown one is an error with the nearest. */
static bool check_only(const char *list, struct arena *mem, struct err *err)
{
    bool ok = true;
    const char *names[64];
    size_t n = 0;
    for (const struct emitter *const *x = emitters; *x && n < 64; x++)
        names[n++] = (*x)->name;
    for (const char *p = list; *p;) {
        size_t m = strcspn(p, ",");
        const char *word = arena_strndup(mem, p, m);
        bool known = false;
        for (size_t i = 0; i < n; i++)
            known |= strcmp(names[i], word) == 0;
        if (!known) {
            const char *near = near_hint(word, names, n, mem);
            ok = err_add(err, ERR_INPUT, NOWHERE, "--only: there is no output '%s'%s", word, near);
        }
        p += m + (p[m] == ',');
    }
    return ok;
}

static void print_files(const char *dir, const struct emit *e)
{
    json_t *j = json_object(), *files = json_array();
    for (size_t i = 0; i < e->files.n; i++)
        json_array_append_new(files, json_text(e->files.at[i]));
    json_object_set_new(j, "folder", json_text(dir));
    json_object_set_new(j, "files", files);
    out_json(j, OUT_ALL_DIGITS);
}

static int run(struct app *app, const struct options *options)
{
    const char *dir = option_get(options, "out"), *only = option_get(options, "only");
    long long cacti = 6;
    if (!dir)
        err_add(&app->err, ERR_INPUT, NOWHERE, "gen needs a folder: -o DIR");
    if (!option_int(options, "cacti", 6, 7, &cacti, &app->err) ||
        (only && !check_only(only, &app->mem, &app->err)) || !dir)
        return EXIT_INPUT;
    struct arch arch;
    struct design design;
    if (!arch_read_options(app, options->words[0], options, &arch) ||
        !design_make(&arch, false, &app->mem, &design, &app->err) ||
        !file_make_dirs(dir, &app->err))
        return exit_status_of(&app->err);
    struct emit e = {
        .design = &design,
        .dir = dir,
        .data_dir = app->data_dir,
        .mem = &app->mem,
        .routes = option_has(options, "routes"),
        .cacti = (int)cacti,
    };
    bool ok = true;
    for (const struct emitter *const *x = emitters; *x; x++) {
        if (!only || is_listed(only, (*x)->name))
            ok &= (*x)->write(&e, &app->err);
    }
    if (options->json)
        print_files(dir, &e);
    for (size_t i = 0; !options->json && !options->quiet && i < e.files.n; i++)
        printf("%s\n", path_join(&app->mem, dir, e.files.at[i]));
    return ok ? EXIT_DONE : exit_status_of(&app->err);
}

static const struct option_def option_defs[] = {
    {"out", 'o', "DIR", "folder to write to; made if it is not there"},
    {"only", 0, "NAMES", "only these outputs, separated by commas: network, picture, …"},
    {"routes", 0, NULL, "network.json with the routing rules of every router"},
    {"cacti", 0, "VERSION", "syntax of the CACTI inputs: 6 (6.5, default) or 7"},
    {NULL, 0, NULL, NULL},
};

const struct command cmd_gen = {
    .name = "gen",
    .args = "CFG -o DIR",
    .meaning =
        "write what the design implies: network, pictures, structures, inputs of other tools",
    .text =
        "Outputs: network (network.json), picture (network.dot, network.svg), floorplan\n"
        "(floorplan.svg), structures (structures.csv), booksim, dsent, cacti, gpuwattch (inputs\n"
        "of these programs). Texts come from templates/, which may be changed; CROSSWATT_DATA "
        "names\n"
        "another folder that has cfg/ and templates/.\n",
    .options = option_defs,
    .least_words = 1,
    .most_words = 1,
    .run = run,
};
