/* SPDX-License-Identifier: MIT
 *
 * energy/tool/cacti.h: drives a real `cacti` (a program that the user may have; 6.5 or 7): writes
 * its input from templates/cacti-run.cfg, runs it in a folder of its own with a time limit,
 * requires the result lines (it exits with 0 on errors), reads them by name, and keeps results on
 * disk by content. Version 7 finds its tech_params folder beside the program.
 *
 * A shape that the tool refuses is an ERR_INPUT with the tool's own words, so that a caller may
 * fall back to the native models; a tool that is missing, hangs, crashes or prints something else
 * is an ERR_MACHINE, and its input and output are kept. */
#ifndef CW_ENERGY_TOOL_CACTI_H
#define CW_ENERGY_TOOL_CACTI_H

#include "energy/array/choice.h"

struct cacti_tool {
    const char *program;   /* path or name; NULL or "": "cacti" in PATH */
    const char *cache_dir; /* NULL or "": no cache */
    const char *data_dir;  /* where templates/ is */
    double timeout_s;      /* 0: two minutes */
};

bool cacti_cost(const struct cacti_tool *tool, const struct amodel_in *in, struct where at,
                struct arena *mem, struct array_answer *out, struct err *err);

/* The input that cacti_cost would write. */
bool cacti_input(const char *data_dir, const struct amodel_in *in, struct arena *mem,
                 const char **text, struct err *err);

enum cacti_says { CACTI_RESULT, CACTI_REFUSAL, CACTI_NONSENSE };

/* Reads what the program printed. A refusal's or the missing line's words are put in `*words`, the
 * version in `*version` ("6.5", "6.5 (first release)", "7.0.3DD Prerelease of Aug, 2012"). */
enum cacti_says cacti_read(const char *out, const char *errors, bool has_search, struct arena *mem,
                           struct amodel_out *answer, const char **version, const char **words);

#endif
