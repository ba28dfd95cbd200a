/* SPDX-License-Identifier: MIT */
#include "energy/tool/tool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/map.h"
#include "base/proc.h"

/* ---- folders ---- */

const char *tool_dir_make(const char *tool, struct arena *mem, struct err *err)
{
    const char *base = getenv("TMPDIR");
    char *dir = arena_printf(mem, "%s/crosswatt-%s-XXXXXX", base && base[0] ? base : "/tmp", tool);
    if (!mkdtemp(dir)) {
        err_add(err, ERR_MACHINE, AT_FILE(dir), "%s", strerror(errno));
        return NULL;
    }
    return dir;
}

void tool_dir_remove(const char *dir, const char *const *names, size_t n, struct arena *mem)
{
    for (size_t i = 0; i < n; i++)
        unlink(path_join(mem, dir, names[i]));
    rmdir(dir);
}

/* ---- failures ---- */

static const char *last_line(const char *text, struct arena *mem)
{
    const char *end = text + strlen(text);
    while (end > text && strchr(" \t\r\n", end[-1]))
        end--;
    const char *start = end;
    while (start > text && start[-1] != '\n')
        start--;
    return arena_strndup(mem, start, (size_t)(end - start) < 300 ? (size_t)(end - start) : 300);
}

static void keep(const char *dir, const struct proc_result *r, struct arena *mem)
{
    struct err ignored;
    err_init(&ignored);
    file_write(path_join(mem, dir, "stdout.txt"), r->out, r->n_out, &ignored);
    file_write(path_join(mem, dir, "stderr.txt"), r->err, r->n_err, &ignored);
    err_free(&ignored);
}

bool tool_failed(const struct tool_ending *e, const char *otherwise, struct where at,
                 struct arena *mem, struct err *err)
{
    const struct proc_result *r = e->result;
    const char *why = last_line(r->err, mem), *sep = why[0] ? ": " : "";
    keep(e->dir, r, mem);
    if (r->timed_out)
        return err_add(err, ERR_MACHINE, at,
                       "%s did not end within %g s; its input and output are in %s", e->tool,
                       e->timeout_s, e->dir);
    if (r->signal)
        return err_add(err, ERR_MACHINE, at,
                       "%s was ended by signal %d%s%s; its input and output are in %s", e->tool,
                       r->signal, sep, why, e->dir);
    return err_add(err, ERR_MACHINE, at, "%s %s%s%s; its input and output are in %s", e->tool,
                   otherwise, sep, why, e->dir);
}

bool tool_fill(const char *data_dir, const char *template_name, const struct tool_words *words,
               struct arena *mem, const char **text, struct err *err)
{
    const char *path = arena_printf(mem, "%s/templates/%s", data_dir, template_name);
    char *from;
    size_t size;
    if (!file_read(path, TOOL_FILE_MAX, mem, &from, &size, err))
        return false;
    struct buf out;
    buf_init(&out, mem, TOOL_FILE_MAX);
    int line = 1;
    for (const char *p = from; *p;) {
        if (strncmp(p, "{{", 2) != 0) {
            line += *p == '\n';
            buf_putc(&out, *p++);
            continue;
        }
        size_t len = strcspn(p + 2, "}\n"), i = 0;
        while (i < words->n &&
               !(strlen(words->names[i]) == len && strncmp(words->names[i], p + 2, len) == 0))
            i++;
        if (i == words->n || strncmp(p + 2 + len, "}}", 2) != 0)
            return err_add(err, ERR_INPUT, AT_LINE(path, line), "unknown name '{{%.*s}}'", (int)len,
                           p + 2);
        buf_add(&out, words->values[i]);
        p += len + 4;
    }
    *text = out.data;
    return true;
}

/* ---- cache ---- */

const char *tool_file_identity(const char *path, struct arena *mem)
{
    return arena_printf(mem, "%s %016" PRIx64, path, file_hash(path, 0));
}

const char *tool_cache_path(const char *tool, const char *dir, const char *key, struct arena *mem)
{
    size_t n = strlen(key);
    return arena_printf(mem, "%s/%s-%016" PRIx64 "%016" PRIx64 ".txt", dir, tool,
                        map_hash_bytes(key, n, 1), map_hash_bytes(key, n, 2));
}

bool tool_cache_get(const char *tool, const char *path, const char *key, struct arena *mem,
                    const char **out, const char **errors)
{
    struct err ignored;
    char *text = NULL;
    size_t size = 0, n_key, n_out, n_err;
    int used = 0;
    const char *mark = arena_printf(mem, "crosswatt-%s-1", tool);
    err_init(&ignored);
    bool ok = file_exists(path) && file_read(path, TOOL_FILE_MAX, mem, &text, &size, &ignored);
    err_free(&ignored);
    if (!ok || strncmp(text, mark, strlen(mark)) != 0)
        return false;
    const char *sizes = text + strlen(mark);
    if (sscanf(sizes, " %zu %zu %zu%n", &n_key, &n_out, &n_err, &used) != 3 || sizes[used] != '\n')
        return false;
    const char *body = sizes + used + 1;
    if (n_key > size || n_out > size || n_err > size ||
        (size_t)(body - text) + n_key + n_out + n_err != size || n_key != strlen(key) ||
        memcmp(body, key, n_key) != 0)
        return false;
    *out = arena_strndup(mem, body + n_key, n_out);
    *errors = arena_strndup(mem, body + n_key + n_out, n_err);
    return true;
}

void tool_cache_put(const char *tool, const char *path, const char *key,
                    const struct proc_result *r, struct arena *mem)
{
    struct err ignored;
    if (memchr(r->out, '\0', r->n_out) || memchr(r->err, '\0', r->n_err))
        return;
    err_init(&ignored);
    const char *text = arena_printf(mem, "crosswatt-%s-1 %zu %zu %zu\n%s%s%s", tool, strlen(key),
                                    strlen(r->out), strlen(r->err), key, r->out, r->err);
    if (file_make_dirs(path_dir(mem, path), &ignored))
        file_write(path, text, strlen(text), &ignored);
    err_free(&ignored);
}
