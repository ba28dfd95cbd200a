/* SPDX-License-Identifier: MIT */
#include "gen/workload/suite.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/near.h"
#include "gen/workload/read_workload.h"

const char *suite_path(const char *name, const char *data_dir, struct arena *mem)
{
    if (strchr(name, '/') || path_ends_with(name, ".cfg"))
        return path_find(mem, ".", name, data_dir);
    return arena_printf(mem, "%s/cfg/workloads/%s.cfg", data_dir, name);
}

const char *suite_find(const char *name, const char *data_dir, struct arena *mem, struct err *err)
{
    const char *file = suite_path(name, data_dir, mem);
    if (strcmp(file, name) == 0 || file_exists(file))
        return file;
    const char **names = suite_names(NULL, data_dir, mem, err), *near = "";
    size_t n = 0;
    while (names && names[n])
        n++;
    if (n)
        near = near_hint(name, names, n, mem);
    err_add(err, ERR_INPUT, NOWHERE, "there is no workload '%s'%s", name, near);
    return NULL;
}

static bool belongs(const char *file, const char *group, struct arena *mem, struct err *err)
{
    struct workload w;
    if (!workload_read(&(struct workload_request){.file = file}, mem, &w, err))
        return false;
    for (size_t i = 0; i < w.n_groups; i++)
        if (strcmp(w.groups[i], group) == 0)
            return true;
    return false;
}

const char **suite_names(const char *group, const char *data_dir, struct arena *mem,
                         struct err *err)
{
    const char *folder = path_join(mem, data_dir, "cfg/workloads");
    const char **names = file_names(folder, mem, err);
    size_t n = 0;
    if (!names)
        return NULL;
    if (group && group[0] == '@')
        group++;
    for (size_t i = 0; names[i]; i++) {
        if (path_ends_with(names[i], ".cfg") &&
            (!group || belongs(path_join(mem, folder, names[i]), group, mem, err)))
            names[n++] = path_stem(mem, names[i]);
    }
    names[n] = NULL;
    return names;
}
