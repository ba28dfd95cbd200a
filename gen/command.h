/* SPDX-License-Identifier: MIT
 *
 * gen/command.h: the commands of the program. One file per command (gen/command/NAME.c) defines a
 * `const struct command cmd_NAME`; gen/commands.c lists them. Help, man page and bash completion
 * are loops over these tables. */
#ifndef CW_GEN_COMMAND_H
#define CW_GEN_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"

enum exit_status {
    EXIT_DONE = 0,
    EXIT_NO = 1,      /* the answer is "no": a check failed */
    EXIT_INPUT = 2,   /* the input is wrong */
    EXIT_MACHINE = 3, /* out of memory, disk, missing tool */
};

/* What every command is given; lives as long as the program. */
struct app {
    struct arena mem;
    struct err err;            /* printed by main after the command returns */
    const char *data_dir;      /* where cfg/ and templates/ are */
    const char *data_searched; /* folders that were tried before, or all */
    bool data_is_missing;      /* in all of them */
    int argc;                  /* the whole command line, for provenance */
    char **argv;
};

struct option_def {
    const char *name;    /* long name, without the dashes */
    char letter;         /* short form, or 0 */
    const char *arg;     /* name of its value in the help; NULL: a flag */
    const char *meaning; /* one line */
};

struct option_value {
    const char *name, *value;
};

/* A parsed command line. */
struct options {
    const struct option_value *values;
    size_t n_values;
    const char **words; /* what is not an option */
    size_t n_words;
    const char **program; /* NULL-terminated: a command line behind "--", or NULL */
    bool json, quiet;
};

/* Where a command's own options end. */
enum command_words {
    WORDS_ANYWHERE,  /* options stand between words, up to "--" */
    WORDS_PROGRAM,   /* the same; what stands behind "--" is a command line of the user's */
    WORDS_THEN_FREE, /* options stand before the first word */
    WORDS_ALL,       /* everything but --help is a word */
};

struct command {
    const char *name;
    const char *args;                 /* "CFG -o DIR" */
    const char *meaning;              /* one line */
    const char *text;                 /* more help, whole lines; "" for none */
    const struct option_def *options; /* ends with a NULL name; besides the common ones */
    size_t least_words, most_words;
    bool reads_no_config; /* --set has nothing to change */
    enum command_words word_rule;
    bool needs_no_data; /* works without cfg/ and templates/ */
    /* Prints its result on standard output and returns an exit status; errors go to app->err. */
    int (*run)(struct app *app, const struct options *options);
};

extern const struct command *const commands[]; /* NULL-terminated */
extern const struct option_def common_options[];

const char *option_get(const struct options *o, const char *name); /* last one given, or NULL */
bool option_has(const struct options *o, const char *name);
/* Numbers: the default where the option is absent; false and an error when malformed. */
bool option_real(const struct options *o, const char *name, double lo, double hi, double *value,
                 struct err *err);
bool option_int(const struct options *o, const char *name, long long lo, long long hi,
                long long *value, struct err *err);

/* The whole command line as one text, for provenance; the program by its name alone. */
const char *app_command_line(struct app *app);

/* The exit status that the collected errors ask for. */
int exit_status_of(const struct err *err);

#endif
