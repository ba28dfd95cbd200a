/* SPDX-License-Identifier: MIT
 *
 * gen/config/read.h: libconfig files -> arch. Reads the file and its bases (`base = "file.cfg"`,
 * relative to the file that says it), merges them key by key, later wins, applies --set last, then
 * derives and checks what concerns several keys. Goes on after an error, so that one run reports
 * all of them; only a file that does not parse stops its own reading.
 *
 * What libconfig 1.5 would do silently is caught here: integers that do not fit, whole numbers
 * where a real one is wanted, includes relative to the working directory, unknown keys. */
#ifndef CW_GEN_CONFIG_READ_H
#define CW_GEN_CONFIG_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "gen/config/arch.h"

struct options;

struct read_request {
    const char *file;        /* for messages, and to find bases */
    const char *text;        /* contents; NULL: read from `file` */
    const char *const *sets; /* "path=value" */
    size_t n_sets;
    const char *data_dir; /* where cfg/ is */
    bool no_files;        /* refuse base and @include (for texts from nowhere) */
    bool allow_tools;     /* it may name programs to run (gen/config/settings.h) */
    const char *said_in;  /* the file whose `base` this is: keys without effect are worth a word,
                             no error; NULL: it stands for itself */
    bool *has_effect;     /* [set], out: sets without effect are left out; NULL: they are errors */
};

/* On false at least one error is in `err`; warnings may be there in both cases. */
bool arch_read(const struct read_request *request, struct arena *mem, struct arch *out,
               struct err *err);

/* The two halves of arch_read. A draft holds what the files say; any number of descriptions can be
 * finished from it, each with its own sets, from several threads at once (each with its own `mem`
 * and `err`). A draft outlives what is made of it. */
bool arch_draft(const struct read_request *request, struct arena *mem, struct arch *out,
                struct err *err);
bool arch_finish(const struct arch *draft, const struct read_request *request, struct arena *mem,
                 struct arch *out, struct err *err);

/* "KEY=VALUE": the key, NULL and an error where there is none; what stands behind the '='. */
const struct key *arch_split_set(const char *set, struct arena *mem, const char **path, int *net,
                                 const char **value, struct err *err);

/* The same with file, --set options and data folder of a command. */
struct app;
bool arch_read_options(struct app *app, const char *file, const struct options *options,
                       struct arch *out);

/* Derived values and contradictions (gen/config/validate.c). */
bool arch_complete(struct arch *arch, struct err *err);

#endif
