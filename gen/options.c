/* SPDX-License-Identifier: MIT */
#include "gen/options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/near.h"
#include "base/vec.h"

const struct option_def common_options[] = {
    {"set", 0, "KEY=VALUE", "set a configuration key, after all files; may be repeated"},
    {"allow-tools", 0, NULL,
     "run the programs that a description names (energy.dsent_path, energy.cacti_path)"},
    {"json", 0, NULL, "print the result as JSON"},
    {"quiet", 'q', NULL, "no progress and no remarks"},
    {"help", 'h', NULL, "this text"},
    {NULL, 0, NULL, NULL},
};

static const struct option_def *find(const struct command *cmd, const char *name, size_t n)
{
    const struct option_def *lists[] = {cmd->options, common_options};
    for (size_t l = 0; l < 2; l++) {
        for (const struct option_def *d = lists[l]; d && d->name; d++) {
            if (strlen(d->name) == n && strncmp(d->name, name, n) == 0)
                return d;
        }
    }
    return NULL;
}

static const struct option_def *find_letter(const struct command *cmd, char letter)
{
    const struct option_def *lists[] = {cmd->options, common_options};
    for (size_t l = 0; l < 2; l++) {
        for (const struct option_def *d = lists[l]; d && d->name; d++) {
            if (d->letter == letter)
                return d;
        }
    }
    return NULL;
}

static bool unknown(const struct command *cmd, const char *word, struct arena *mem, struct err *err)
{
    VEC(const char *) names = {0};
    for (const struct option_def *d = cmd->options; d && d->name; d++)
        vec_push(mem, &names, d->name);
    for (const struct option_def *d = common_options; d->name; d++)
        vec_push(mem, &names, d->name);
    const char *bare = word + strspn(word, "-");
    const char *near = near_best(arena_strndup(mem, bare, strcspn(bare, "=")), names.at, names.n);
    if (near)
        return err_add(err, ERR_INPUT, NOWHERE, "unknown option '%s'; did you mean '--%s'?", word,
                       near);
    return err_add(err, ERR_INPUT, NOWHERE, "unknown option '%s'; see 'crosswatt %s --help'", word,
                   cmd->name);
}

static const char **take_program(int n, char **argv, struct arena *mem)
{
    const char **program = arena_many(mem, const char *, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        program[i] = argv[i];
    return n ? program : NULL;
}

bool options_parse(const struct command *cmd, int argc, char **argv, struct arena *mem,
                   struct options *out, struct err *err)
{
    VEC(struct option_value) values = {0};
    VEC(const char *) words = {0};
    const char **program = NULL;
    bool only_words = false, ok = true;

    for (int i = 0; i < argc; i++) {
        char *word = argv[i];
        if (cmd->word_rule == WORDS_ALL && strcmp(word, "--help") != 0)
            only_words = true;
        if (only_words || word[0] != '-' || word[1] == '\0') {
            only_words = only_words || cmd->word_rule == WORDS_THEN_FREE;
            vec_push(mem, &words, word);
            continue;
        }
        if (strcmp(word, "--") == 0) {
            if (cmd->word_rule == WORDS_PROGRAM) {
                program = take_program(argc - i - 1, argv + i + 1, mem);
                break;
            }
            only_words = true;
            continue;
        }
        const struct option_def *def;
        const char *value = NULL;
        if (word[1] == '-') {
            size_t n = strcspn(word + 2, "=");
            def = find(cmd, word + 2, n);
            if (word[2 + n] == '=')
                value = word + 2 + n + 1;
        } else {
            def = find_letter(cmd, word[1]);
            if (word[2])
                value = word + 2;
        }
        if (!def) {
            ok = unknown(cmd, word, mem, err);
            continue;
        }
        if (!def->arg && value)
            ok = err_add(err, ERR_INPUT, NOWHERE, "option '--%s' takes no value", def->name);
        if (def->arg && !value) {
            if (i + 1 >= argc) {
                ok = err_add(err, ERR_INPUT, NOWHERE, "option '--%s' needs a value: %s", def->name,
                             def->arg);
                break;
            }
            value = argv[++i];
        }
        if (def->arg && !*value)
            ok = err_add(err, ERR_INPUT, NOWHERE, "option '--%s' needs a value: %s", def->name,
                         def->arg);
        vec_push(mem, &values, (struct option_value){def->name, value});
    }
    *out = (struct options){values.at, values.n, words.at, words.n, program, false, false};
    out->json = option_has(out, "json");
    out->quiet = option_has(out, "quiet");
    if (ok && !option_has(out, "help") && cmd->most_words > 2 && words.n > cmd->most_words)
        ok = err_add(err, ERR_INPUT, NOWHERE, "%s takes at most %zu files, not %zu", cmd->name,
                     cmd->most_words, words.n);
    if (ok && !option_has(out, "help") &&
        (words.n + (program != NULL) < cmd->least_words || words.n > cmd->most_words))
        ok = err_add(err, ERR_INPUT, NOWHERE, "usage: crosswatt %s %s", cmd->name, cmd->args);
    return ok;
}

bool option_has(const struct options *o, const char *name)
{
    for (size_t i = 0; i < o->n_values; i++) {
        if (strcmp(o->values[i].name, name) == 0)
            return true;
    }
    return false;
}

const char *option_get(const struct options *o, const char *name)
{
    for (size_t i = o->n_values; i-- > 0;) {
        if (strcmp(o->values[i].name, name) == 0)
            return o->values[i].value;
    }
    return NULL;
}

bool option_real(const struct options *o, const char *name, double lo, double hi, double *value,
                 struct err *err)
{
    const char *text = option_get(o, name);
    if (!text)
        return true;
    char *end;
    double v = strtod(text, &end);
    if (end == text || *end || !isfinite(v) || v < lo || v > hi)
        return err_add(err, ERR_INPUT, NOWHERE, "--%s: '%s' is not a number in %g..%g", name, text,
                       lo, hi);
    *value = v;
    return true;
}

bool option_int(const struct options *o, const char *name, long long lo, long long hi,
                long long *value, struct err *err)
{
    const char *text = option_get(o, name);
    if (!text)
        return true;
    char *end;
    errno = 0;
    long long v = strtoll(text, &end, 10);
    if (end == text || *end || errno || v < lo || v > hi)
        return err_add(err, ERR_INPUT, NOWHERE, "--%s: '%s' is not a whole number in %lld..%lld",
                       name, text, lo, hi);
    *value = v;
    return true;
}

int exit_status_of(const struct err *err)
{
    if (err->n_machine)
        return EXIT_MACHINE;
    return err->n_errors ? EXIT_INPUT : EXIT_DONE;
}

static void print_options(const struct option_def *defs)
{
    for (const struct option_def *d = defs; d && d->name; d++) {
        char left[64];
        snprintf(left, sizeof left, "%s%c%s --%s%s%s", d->letter ? "-" : " ",
                 d->letter ? d->letter : ' ', d->letter ? "," : " ", d->name, d->arg ? " " : "",
                 d->arg ? d->arg : "");
        printf("  %-30s %s\n", left, d->meaning);
    }
}

/* What every command takes; one whose words are another program's takes --help alone. */
static const struct option_def *common_of(const struct command *cmd)
{
    const struct option_def *d = common_options;
    while (cmd->word_rule == WORDS_ALL && strcmp(d->name, "help") != 0)
        d++;
    return d;
}

void options_help(const struct command *cmd)
{
    printf("crosswatt %s %s\n%s\n", cmd->name, cmd->args, cmd->meaning);
    if (cmd->text[0])
        printf("\n%s", cmd->text);
    printf("\noptions:\n");
    print_options(cmd->options);
    print_options(common_of(cmd));
}

const char *app_command_line(struct app *app)
{
    struct buf b;
    buf_init(&b, &app->mem, 1 << 16);
    for (int i = 0; i < app->argc; i++)
        buf_printf(&b, "%s%s", i ? " " : "", i ? app->argv[i] : path_base(app->argv[i]));
    return b.data;
}
