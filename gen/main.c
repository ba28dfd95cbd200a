/* SPDX-License-Identifier: MIT
 *
 * The only file that exits. Finds the command, lets it run, prints the errors it collected. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/near.h"
#include "base/printable.h"
#include "base/vec.h"
#include "gen/command.h"
#include "gen/memory.h"
#include "gen/options.h"

/* For all arenas and, by gen/memory.c, for libraries. At once: another thread may be printing, and
 * half of a result must not go out. */
_Noreturn void arena_exhausted(void)
{
    fputs("crosswatt: out of memory\n", stderr);
    _exit(EXIT_MACHINE);
}

static bool holds_data(const char *dir, struct arena *mem)
{
    return file_exists(path_join(mem, dir, "cfg")) && file_exists(path_join(mem, dir, "templates"));
}

/* Where cfg/ and templates/ are: said by the environment, beside a program that was built in place,
 * in share/crosswatt beside its bin/, or where it was built to be installed. */
static void find_data_dir(struct app *app)
{
    struct arena *mem = &app->mem;
    const char *said = getenv("CROSSWATT_DATA");
    VEC(const char *) places = {0};
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (said && *said)
        vec_push(mem, &places, said);
    for (const char *dir = n > 0 ? arena_strndup(mem, self, (size_t)n) : "/";
         !(said && *said) && strcmp(dir, "/") != 0;) {
        dir = path_dir(mem, dir);
        vec_push(mem, &places, dir);
        vec_push(mem, &places, path_join(mem, dir, "share/crosswatt"));
    }
    if (!(said && *said))
        vec_push(mem, &places, CW_DATA_DIR);
    for (size_t i = 0; i < places.n; i++) {
        app->data_dir = places.at[i];
        if (holds_data(app->data_dir, mem))
            return;
        app->data_searched =
            arena_printf(mem, "%s%s%s", i ? app->data_searched : "", i ? ", " : "", places.at[i]);
    }
    app->data_is_missing = true;
}

/* As a word of the command line, or as the value of an option or a key. */
static bool is_named_by_user(const struct app *app, const char *file)
{
    for (int i = 1; i < app->argc; i++) {
        const char *word = app->argv[i], *equals = strrchr(word, '=');
        const char *value = equals ? equals + 1 + (equals[1] == '"') : "";
        size_t n = strlen(file);
        if (strcmp(word, file) == 0 || (strncmp(value, file, n) == 0 && strcspn(value, "\"") == n))
            return true;
    }
    return false;
}

static bool is_text(const char *text, size_t n)
{
    return n < 2 || (memchr(text, '\0', n) == NULL && memcmp(text, "\x1f\x8b", 2) != 0);
}

/* Tabs stay what they are. */
static void print_line(const char *text, size_t n, struct arena *mem)
{
    const char *end = text + n;
    for (const char *tab; (tab = memchr(text, '\t', (size_t)(end - text))); text = tab + 1)
        fprintf(stderr, "%s\t",
                printable_text(mem, arena_strndup(mem, text, (size_t)(tab - text))));
    fprintf(stderr, "%s\n", printable_text(mem, arena_strndup(mem, text, (size_t)(end - text))));
}

/* The line of the user's file that an error is about, as compilers show it. A file that is not what
 * it was taken for is the user's only if the user named it: a description may name any. */
static void print_source_line(const struct app *app, const struct err_entry *e, struct arena *mem)
{
    enum { LONGEST = 160 };
    struct err ignored;
    char *text;
    size_t n;
    if (!e->at.file || e->at.line <= 0 || (e->is_foreign && !is_named_by_user(app, e->at.file)))
        return;
    err_init(&ignored);
    if (file_read(e->at.file, 1 << 22, mem, &text, &n, &ignored) && is_text(text, n)) {
        for (int line = 1; line < e->at.line && text; line++) {
            text = strchr(text, '\n');
            text = text ? text + 1 : NULL;
        }
        size_t len = text ? strcspn(text, "\r\n") : 0;
        if (len > LONGEST) /* not in the middle of a character */
            for (len = LONGEST; len > LONGEST - 4 && (text[len] & 0xc0) == 0x80;)
                len--;
        if (text && *text) {
            fprintf(stderr, "%5d | ", e->at.line);
            print_line(text, len, mem);
        }
    }
    err_free(&ignored);
}

/* One mistake may be met many times: a template that is read for each of many files. */
static void print_errors(struct app *app)
{
    struct map seen;
    size_t n_repeats = 0;
    bool is_repeat = false;
    map_init(&seen, &app->mem);
    for (const struct err_entry *e = app->err.first; e; e = e->next) {
        const char *text = err_entry_text(e, &app->mem);
        if (e->kind != ERR_NOTE) {
            is_repeat = !map_add(&seen, text, 0);
            n_repeats += is_repeat && e->kind != ERR_WARNING;
        }
        if (is_repeat)
            continue;
        fprintf(stderr, "%s%s\n", e->at.file ? "" : "crosswatt: ", printable_text(&app->mem, text));
        if (e->kind != ERR_NOTE)
            print_source_line(app, e, &app->mem);
    }
    if (app->err.n_errors - n_repeats > 1)
        fprintf(stderr, "%zu errors\n", app->err.n_errors - n_repeats);
}

static void print_help(void)
{
    printf("crosswatt " CW_VERSION
           ": area, power, speed and performance per Watt of GPU networks\n\n"
           "usage: crosswatt COMMAND …\n\n");
    for (const struct command *const *c = commands; *c; c++)
        printf("  %-14s %s\n", (*c)->name, (*c)->meaning);
    printf("\n'crosswatt COMMAND --help' tells more. Exit status: 0 done, 1 the answer is no,\n"
           "2 the input is wrong, 3 the machine let us down.\n");
}

static const struct command *find_command(struct app *app, const char *name)
{
    const char *names[64];
    size_t n = 0;
    for (const struct command *const *c = commands; *c; c++) {
        if (strcmp((*c)->name, name) == 0)
            return *c;
        names[n++] = (*c)->name;
    }
    const char *near = near_best(name, names, n);
    if (near)
        err_add(&app->err, ERR_INPUT, NOWHERE, "unknown command '%s'; did you mean '%s'?", name,
                near);
    else
        err_add(&app->err, ERR_INPUT, NOWHERE, "unknown command '%s'; see 'crosswatt --help'",
                name);
    return NULL;
}

static int run(struct app *app)
{
    const char *name = app->argc > 1 ? app->argv[1] : "--help";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help();
        return app->argc > 1 ? EXIT_DONE : EXIT_INPUT;
    }
    if (strcmp(name, "--version") == 0) {
        printf("crosswatt " CW_VERSION "\n");
        return EXIT_DONE;
    }
    const struct command *cmd = find_command(app, name);
    struct options options;
    if (!cmd || !options_parse(cmd, app->argc - 2, app->argv + 2, &app->mem, &options, &app->err))
        return EXIT_INPUT;
    if (option_has(&options, "help")) {
        options_help(cmd);
        return EXIT_DONE;
    }
    if (cmd->reads_no_config && option_has(&options, "set"))
        err_warn(&app->err, NOWHERE, "%s reads no description: --set changes nothing", cmd->name);
    if (app->data_is_missing && !cmd->needs_no_data) {
        err_add(&app->err, ERR_MACHINE, NOWHERE,
                "the folders cfg and templates that belong to the program are not there; looked in "
                "%s; CROSSWATT_DATA names another folder",
                app->data_searched);
        return EXIT_MACHINE;
    }
    return cmd->run(app, &options);
}

#ifdef __SANITIZE_ADDRESS__
/* libconfig 1.5 loses the last text token of a file with a syntax error; nothing of ours is hidden.
 */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libconfig";
}
#endif

/* A closed standard stream must not become the number of a file that is opened later: what is
 * printed would end up in that file. Opened for reading only, so that printing still fails. */
static void keep_standard_streams(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
}

int main(int argc, char **argv)
{
    keep_standard_streams();
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error, as a full disk is */
    struct app app = {.argc = argc, .argv = argv};
    memory_watch_libraries();
    arena_init(&app.mem, NULL, NULL);
    err_init(&app.err);
    find_data_dir(&app);

    int status = run(&app);
    if (fflush(stdout) != 0 || ferror(stdout))
        err_add(&app.err, ERR_MACHINE, NOWHERE, "standard output cannot be written");
    print_errors(&app);
    if (status == EXIT_DONE || app.err.n_machine)
        status = exit_status_of(&app.err) ? exit_status_of(&app.err) : status;
    err_free(&app.err);
    arena_free(&app.mem);
    return status;
}
