/* SPDX-License-Identifier: MIT */
#include "energy/tool/dsent_run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/proc.h"
#include "energy/tool/tool.h"

enum { OUTPUT_MAX = 4 << 20, FILE_MAX = 16 << 20 };

/* ---- finding --------------------------------------------------------------------------------- */

static const char *full_path(const char *path, struct arena *mem)
{
    char *real = realpath(path, NULL);
    const char *copy = real ? arena_strdup(mem, real) : NULL;
    free(real);
    return copy;
}

static const char *find_program(const struct dsent_tool *tool, struct arena *mem, struct err *err)
{
    struct where at = {NULL, 0, "energy.dsent_path"};
    const char *found;
    if (tool->program && tool->program[0]) {
        bool is_path = strchr(tool->program, '/') != NULL;
        found = is_path ? tool->program : proc_find(tool->program, mem);
        if (found && access(found, X_OK) == 0)
            return full_path(found, mem);
        err_add(err, ERR_MACHINE, at, "'%s' is not a program that can be run", tool->program);
        return NULL;
    }
    found = proc_find("dsent", mem);
    if (!found)
        found = proc_find("dsent.exe", mem);
    if (!found) {
        err_add(err, ERR_MACHINE, at, "no 'dsent' in PATH; name the program, or use engine native");
        return NULL;
    }
    return full_path(found, mem);
}

bool dsent_find(const struct dsent_tool *tool, const char *tech, struct arena *mem,
                struct dsent_place *out, struct err *err)
{
    const char *program = find_program(tool, mem, err);
    if (!program)
        return false;
    const char *dir = path_dir(mem, program);
    const char *const roots[] = {dir, path_dir(mem, dir)};
    const char *file = NULL;
    for (int i = 0; i < 2 && !file; i++) {
        const char *try = arena_printf(mem, "%s/tech/tech_models/%s.model", roots[i], tech);
        if (file_exists(try))
            file = try;
    }
    if (!file)
        return err_add(
            err, ERR_MACHINE, NOWHERE,
            "%s: no technology file tech/tech_models/%s.model beside it or one folder up", program,
            tech);
    char *text;
    size_t n;
    if (!file_read(file, FILE_MAX, mem, &text, &n, err))
        return false;
    *out = (struct dsent_place){program, file,
                                strstr(text, "CharacterizedVdd") ? LEAK_2013 : LEAK_091};
    return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

bool dsent_value(const char *text, const char *name, double *out)
{
    size_t len = strlen(name);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, len) != 0 || strncmp(line + len, " = ", 3) != 0)
            continue;
        char *end;
        double v = strtod(line + len + 3, &end);
        /* a result goes on with " (unit * count)", a timing report ends */
        if (end == line + len + 3 || !isfinite(v) ||
            (*end != '\n' && *end != '\r' && strncmp(end, " (", 2) != 0))
            return false;
        if (*end == ' ') {
            const char *stop = line + strcspn(line, "\r\n");
            if (stop[-1] != ')')
                return false;
        }
        *out = v;
        return true;
    }
    return false;
}

bool dsent_warning(const char *warnings, const char *mark, const char *label, double *out)
{
    const char *line = strstr(warnings, mark);
    if (!line)
        return false;
    const char *end = line + strcspn(line, "\n"), *at = strstr(line, label);
    if (!at || at >= end)
        return false;
    char *stop;
    double v = strtod(at + strlen(label), &stop);
    if (stop == at + strlen(label) || !isfinite(v))
        return false;
    *out = v;
    return true;
}

/* ---- running --------------------------------------------------------------------------------- */

static const char *overwrite_of(const struct dsent_tool *tool, struct arena *mem)
{
    const char *vdd = tool->vdd > 0 ? arena_printf(mem, "Vdd=%.9g;", tool->vdd) : "";
    const char *temp =
        tool->temperature > 0 ? arena_printf(mem, "Temperature=%.9g;", tool->temperature) : "";
    char *both = arena_printf(mem, "%s %s", vdd, temp);
    size_t n = strlen(both);
    while (n > 0 && strchr(" ;", both[n - 1]))
        both[--n] = '\0';
    return both;
}

static const char *first_missing(const char *text, const char *const *needed, size_t n)
{
    double v;
    for (size_t i = 0; i < n; i++)
        if (!dsent_value(text, needed[i], &v))
            return needed[i];
    return NULL;
}

bool dsent_run(const struct dsent_tool *tool, const struct dsent_place *place,
               const struct dsent_input *in, struct arena *mem, struct dsent_output *out,
               struct err *err)
{
    static const char *const files[] = {"run.cfg", "stdout.txt", "stderr.txt", "dsent.log"};
    const char *overwrite = overwrite_of(tool, mem), *cached = NULL, *key = NULL;
    double timeout_s = tool->timeout_s > 0 ? tool->timeout_s : 600;
    if (tool->cache_dir && tool->cache_dir[0]) {
        key = arena_printf(mem, "%s\n%s\n%s\n%s", tool_file_identity(place->program, mem),
                           tool_file_identity(place->tech_file, mem), overwrite, in->config);
        cached = tool_cache_path("dsent", tool->cache_dir, key, mem);
        if (tool_cache_get("dsent", cached, key, mem, &out->text, &out->warnings) &&
            !first_missing(out->text, in->needed, in->n))
            return true;
    }
    const char *dir = tool_dir_make("dsent", mem, err);
    if (!dir || !file_write(path_join(mem, dir, "run.cfg"), in->config, strlen(in->config), err))
        return false;
    const char *argv[] = {place->program, "-cfg", "run.cfg", "-overwrite_tech", overwrite, NULL};
    if (!overwrite[0])
        argv[3] = NULL;
    struct proc_result r;
    if (!proc_run(argv, dir, timeout_s, OUTPUT_MAX, mem, &r, err))
        return false;
    const char *missing = first_missing(r.out, in->needed, in->n);
    if (r.timed_out || r.signal || r.status != 0 || missing)
        return tool_failed(&(struct tool_ending){"dsent", dir, &r, timeout_s},
                           r.status ? arena_printf(mem, "ended with status %d", r.status)
                                    : arena_printf(mem, "printed no value of %s", missing),
                           NOWHERE, mem, err);
    tool_dir_remove(dir, files, sizeof files / sizeof *files, mem);
    *out = (struct dsent_output){r.out, r.err};
    if (cached)
        tool_cache_put("dsent", cached, key, &r, mem);
    return true;
}
