/* SPDX-License-Identifier: MIT
 *
 * energy/tool/dsent_run.h: one run of the real program: configuration text in, named numbers and
 * warnings out. */
#ifndef CW_ENERGY_TOOL_DSENT_RUN_H
#define CW_ENERGY_TOOL_DSENT_RUN_H

#include "energy/logic/cell.h"
#include "energy/tool/dsent.h"

struct arena;

struct dsent_place {
    const char *program;   /* full path */
    const char *tech_file; /* full path */
    enum leak_variant variant;
};

/* Finds the program and the technology file. */
bool dsent_find(const struct dsent_tool *tool, const char *tech, struct arena *mem,
                struct dsent_place *out, struct err *err);

struct dsent_input {
    const char *config;        /* text of the configuration */
    const char *const *needed; /* names of values that the output must hold */
    size_t n;
};

struct dsent_output {
    const char *text, *warnings; /* standard output and error */
};

/* Runs, or takes the result of an equal earlier run from the cache. `needed` (n names) must all be
 * in the output. */
bool dsent_run(const struct dsent_tool *tool, const struct dsent_place *place,
               const struct dsent_input *in, struct arena *mem, struct dsent_output *out,
               struct err *err);

/* The value of "NAME = VALUE …"; false if there is none or it is not a finite number. */
bool dsent_value(const char *text, const char *name, double *out);
/* The value after `label` ("Minimum Delay = ") in the first line that contains `mark`. */
bool dsent_warning(const char *warnings, const char *mark, const char *label, double *out);

#endif
