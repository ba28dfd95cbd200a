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
};

/* On false at least one error is in `err`; warnings may be there in both cases. */
bool arch_read(const struct read_request *request, struct arena *mem, struct arch *out,
               struct err *err);

/* The same with file, --set options and data folder of a command. */
struct app;
/* The same of "FILE:key=value,…", the values after --set and before those of `more`. */
bool arch_read_with(struct app *app, const char *word, const struct options *options,
                    const char *const *more, size_t n_more, struct arch *out);
bool arch_read_options(struct app *app, const char *file, const struct options *options,
                       struct arch *out);

/* Derived values and contradictions (gen/config/validate.c). */
bool arch_complete(struct arch *arch, struct err *err);

#endif
