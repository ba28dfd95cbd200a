/* SPDX-License-Identifier: MIT */
#include "gen/workload/trace_front.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "gen/store/sources.h"
#include "gen/workload/program.h"
#include "gen/workload/read_workload.h"
#include "gen/workload/suite.h"
#include "sim/trace/accelsim.h"
#include "sim/trace/format.h"

#define MAX_TEXT ((size_t)64 << 20)

const char *trace_cache_dir(struct arena *mem)
{
    const char *own = getenv("CROSSWATT_CACHE"), *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (own)
        return arena_strdup(mem, own);
    if (xdg && xdg[0])
        return path_join(mem, xdg, "crosswatt");
    if (home && home[0])
        return path_join(mem, home, ".cache/crosswatt");
    return "";
}

/* ---- the cache ------------------------------------------------------------------------------- */

static bool hash_file(const char *path, uint64_t *key, struct err *err)
{
    struct arena scratch;
    char *data;
    size_t n;
    arena_init(&scratch, NULL, NULL);
    bool ok = file_read(path, MAX_TEXT, &scratch, &data, &n, err);
    if (ok) {
        key[0] = map_hash_bytes(data, n, key[0]);
        key[1] = map_hash_bytes(data, n, key[1] ^ 0x9e3779b97f4a7c15u);
    }
    arena_free(&scratch);
    return ok;
}

static void hash_bytes(uint64_t *key, const void *data, size_t n)
{
    key[0] = map_hash_bytes(data, n, key[0]);
    key[1] = map_hash_bytes(data, n, key[1] ^ 0x9e3779b97f4a7c15u);
}

/* Everything that the trace depends on: the files, the parameters as they came out, and the sources
 * of the program that makes it. */
static bool cache_key(const struct workload *w, bool as_ptx, uint64_t key[2], struct err *err)
{
    const uint64_t makers[] = {TRACE_VERSION, sources_number(), as_ptx};
    key[0] = 1;
    key[1] = 2;
    hash_bytes(key, makers, sizeof makers);
    hash_bytes(key, w->name, strlen(w->name));
    if (!hash_file(w->file, key, err) || !hash_file(w->ptx, key, err))
        return false;
    for (size_t i = 0; i < w->n_more_ptx; i++)
        if (!hash_file(w->more_ptx[i], key, err))
            return false;
    for (size_t i = 0; i < w->n_buffers; i++)
        if (w->buffers[i].init == WI_FILE && !hash_file(w->buffers[i].file, key, err))
            return false;
    for (size_t i = 0; i < w->n_buffers; i++)
        if (w->buffers[i].expect && !hash_file(w->buffers[i].expect, key, err))
            return false;
    for (size_t i = 0; i < w->n_params; i++) {
        hash_bytes(key, w->params[i].name, strlen(w->params[i].name));
        hash_bytes(key, &w->params[i].integer, sizeof w->params[i].integer);
        hash_bytes(key, &w->params[i].real, sizeof w->params[i].real);
    }
    return true;
}

static bool run_to_file(const struct workload *w, bool as_ptx, const char *path, struct err *err)
{
    struct workload_stats stats;
    const struct workload_wishes wishes = {.as_ptx = as_ptx};
    struct trace_writer *writer = trace_writer_open(path, w->name, err);
    if (!writer)
        return false;
    struct trace_sink sink = trace_writer_sink(writer);
    if (workload_run(w, &wishes, &sink, &stats, err))
        return trace_writer_close(writer, err);
    trace_writer_abandon(writer);
    return false;
}

bool trace_front_run(const struct workload *w, bool as_ptx, struct trace_source *out,
                     struct err *err)
{
    struct workload_stats stats;
    const struct workload_wishes wishes = {.as_ptx = as_ptx};
    struct trace_memory *m = trace_memory_new(w->name);
    struct trace_sink sink = trace_memory_sink(m);
    if (!workload_run(w, &wishes, &sink, &stats, err)) {
        trace_memory_free(m);
        return false;
    }
    trace_memory_source(m, out);
    return true;
}

/* 0: it cannot be read. */
static uint64_t sum_of_file(const char *path)
{
    char piece[1 << 16];
    uint64_t sum = 1;
    size_t n;
    FILE *f = fopen(path, "rb");
    if (!f)
        return 0;
    while ((n = fread(piece, 1, sizeof piece, f)) > 0)
        sum = map_hash_bytes(piece, n, sum);
    bool ok = !ferror(f);
    fclose(f);
    return ok ? sum : 0;
}

/* PATH.sum: what a whole trace sums up to. */
static bool write_sum(const char *path, struct arena *mem, struct err *err)
{
    uint64_t sum = sum_of_file(path);
    if (sum == 0)
        return err_add(err, ERR_MACHINE, AT_FILE(path), "cannot be read back");
    const char *text = arena_printf(mem, "%016" PRIx64 "\n", sum);
    return file_write(arena_printf(mem, "%s.sum", path), text, strlen(text), err);
}

/* A trace in the cache that is not what was written there is made anew. */
static bool open_cached(const char *path, struct arena *mem, struct trace_source *out)
{
    struct err scrap;
    char *sum;
    size_t n;
    err_init(&scrap);
    bool ok = file_exists(path) &&
              file_read(arena_printf(mem, "%s.sum", path), 64, mem, &sum, &n, &scrap) &&
              strtoull(sum, NULL, 16) == sum_of_file(path) && trace_open(path, mem, out, &scrap);
    err_free(&scrap);
    return ok;
}

static bool open_workload(const struct trace_request *q, const char *file, struct arena *mem,
                          struct trace_source *out, struct err *err)
{
    struct workload_request request = {
        .file = file, .preset = q->preset, .sets = q->sets, .n_sets = q->n_sets};
    struct workload w;
    uint64_t key[2];
    if (!workload_read(&request, mem, &w, err))
        return false;
    const char *dir = q->cache_dir ? q->cache_dir : trace_cache_dir(mem);
    struct err scrap;
    err_init(&scrap);
    /* no folder to write to: then it is kept in memory, which is the same but for the next time */
    bool has_dir = dir[0] && file_make_dirs(dir, &scrap) && access(dir, W_OK) == 0;
    err_free(&scrap);
    if (!has_dir)
        return trace_front_run(&w, q->as_ptx, out, err);
    if (!cache_key(&w, q->as_ptx, key, err))
        return false;
    const char *path =
        arena_printf(mem, "%s/%s-%016" PRIx64 "%016" PRIx64 ".trace", dir, w.name, key[0], key[1]);
    if (open_cached(path, mem, out))
        return true;
    /* a full disk, or a workload that fails: without the file the reason is heard either way */
    err_init(&scrap);
    bool ok = run_to_file(&w, q->as_ptx, path, &scrap) && write_sum(path, mem, &scrap) &&
              trace_open(path, mem, out, &scrap);
    err_free(&scrap);
    return ok || trace_front_run(&w, q->as_ptx, out, err);
}

static bool no_parameters(const struct trace_request *q, struct err *err)
{
    if (!q->preset && !q->n_sets)
        return true;
    return err_add(err, ERR_INPUT, AT_FILE(q->workload),
                   "a trace has no presets and no parameters; they belong to workload files");
}

bool trace_front_open(const struct trace_request *q, struct arena *mem, struct trace_source *out,
                      struct err *err)
{
    const char *name = q->workload;
    if (program_is_command(name)) {
        struct runtime_settings settings;
        runtime_settings_default(&settings);
        settings.as_ptx = q->as_ptx;
        return no_parameters(q, err) && program_trace_word(name, &settings, mem, out, err);
    }
    if (path_ends_with(name, ".trace"))
        return no_parameters(q, err) && trace_open(name, mem, out, err);
    if (path_ends_with(name, ".g") || strstr(name, ".traceg"))
        return no_parameters(q, err) && trace_accelsim_open(name, mem, out, err);
    /* a trace under any other name */
    if (!file_exists(suite_path(name, q->data_dir, mem)) && file_exists(name))
        return no_parameters(q, err) && trace_open(name, mem, out, err);
    const char *file = suite_find(name, q->data_dir, mem, err);
    return file && open_workload(q, file, mem, out, err);
}
