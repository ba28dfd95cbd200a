/* SPDX-License-Identifier: MIT
 *
 * energy/tool/tool.h: what the drivers of real programs (DSENT, CACTI) share: a folder of its own
 * for each run, kept with input and output when the program fails, and a cache of results by
 * content.
 */
#ifndef CW_ENERGY_TOOL_TOOL_H
#define CW_ENERGY_TOOL_TOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct arena;
struct proc_result;

enum { TOOL_FILE_MAX = 16 << 20 };

/* A new folder; NULL and an error where none can be made. `tool` is its name in messages: "dsent".
 */
const char *tool_dir_make(const char *tool, struct arena *mem, struct err *err);
/* Removes the files of that name and the folder. */
void tool_dir_remove(const char *dir, const char *const *names, size_t n, struct arena *mem);

/* The program ended badly, or printed something else: output is kept in `dir`, and the error says
 * how it ended or, where it ended well, `otherwise`. False. */
struct tool_ending {
    const char *tool, *dir;
    const struct proc_result *result;
    double timeout_s;
};
bool tool_failed(const struct tool_ending *e, const char *otherwise, struct where at,
                 struct arena *mem, struct err *err);

/* A template with {{name}} replaced; names[i] stands for values[i]. */
struct tool_words {
    const char *const *names, *const *values;
    size_t n;
};
bool tool_fill(const char *data_dir, const char *template_name, const struct tool_words *words,
               struct arena *mem, const char **text, struct err *err);

/* "path hash": changes with what is in the file. */
const char *tool_file_identity(const char *path, struct arena *mem);

/* One file per run: a header with the three lengths, then key, standard output, standard error. The
 * key holds everything the result depends on, and is compared in full. */
const char *tool_cache_path(const char *tool, const char *dir, const char *key, struct arena *mem);
/* A missing, foreign, cut or damaged file is not an error: the program is run again. */
bool tool_cache_get(const char *tool, const char *path, const char *key, struct arena *mem,
                    const char **out, const char **errors);
/* A cache that cannot be written costs time, nothing else. */
void tool_cache_put(const char *tool, const char *path, const char *key,
                    const struct proc_result *r, struct arena *mem);

#endif
