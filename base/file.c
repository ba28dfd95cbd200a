/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

static bool read_all(int fd, const char *path, size_t max, struct arena *mem, char **data,
                     size_t *n, struct err *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return err_add(err, ERR_MACHINE, AT_FILE(path), "cannot be read: %s", strerror(errno));
    if (S_ISDIR(st.st_mode))
        return err_add(err, ERR_INPUT, AT_FILE(path), "is a directory");
    if (st.st_size > 0 && (size_t)st.st_size > max)
        return err_add(err, ERR_INPUT, AT_FILE(path), "is larger than %zu bytes", max);

    size_t cap = st.st_size > 0 ? (size_t)st.st_size : 4096, got = 0;
    char *text = arena_alloc(mem, cap + 1);
    for (;;) {
        if (got == cap) {
            char probe;
            ssize_t more = read(fd, &probe, 1);
            if (more == 0)
                break;
            if (more > 0 && got + 1 > max)
                return err_add(err, ERR_INPUT, AT_FILE(path), "is larger than %zu bytes", max);
            if (more > 0) {
                char *larger = arena_alloc(mem, cap * 2 + 1);
                memcpy(larger, text, got);
                text = larger;
                cap *= 2;
                text[got++] = probe;
                continue;
            }
        }
        ssize_t r = read(fd, text + got, cap - got);
        if (r < 0 && errno == EINTR)
            continue;
        if (r < 0)
            return err_add(err, ERR_MACHINE, AT_FILE(path), "cannot be read: %s", strerror(errno));
        if (r == 0)
            break;
        got += (size_t)r;
    }
    text[got] = '\0';
    *data = text;
    *n = got;
    return true;
}

bool file_read(const char *path, size_t max, struct arena *mem, char **data, size_t *n,
               struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_add(err, ERR_INPUT, AT_FILE(path), "cannot be opened: %s", strerror(errno));
    bool ok = read_all(fd, path, max, mem, data, n, err);
    close(fd);
    return ok;
}

static bool write_all(int fd, const char *data, size_t n)
{
    while (n > 0) {
        ssize_t w = write(fd, data, n);
        if (w < 0 && errno == EINTR)
            continue;
        if (w < 0)
            return false;
        data += w;
        n -= (size_t)w;
    }
    return true;
}

bool file_is_replaceable(const char *path)
{
    struct stat st;
    return stat(path, &st) != 0 || S_ISREG(st.st_mode);
}

char *file_link_target(struct arena *mem, const char *path)
{
    char *target = realpath(path, NULL);
    char *kept = arena_strdup(mem, target ? target : path);
    free(target);
    return kept;
}

static bool write_in_place(const char *path, const void *data, size_t n)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ok = write_all(fd, data, n);
    return close(fd) == 0 && ok;
}

static bool write_and_rename(const char *path, const void *data, size_t n)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    const char *target = file_link_target(&mem, path);
    char *temporary = arena_printf(&mem, "%s.XXXXXX", target);
    int fd = mkstemp(temporary);
    bool ok = fd >= 0;
    if (ok) {
        mode_t mask = umask(0);
        umask(mask);
        ok = write_all(fd, data, n) && fchmod(fd, 0666 & ~mask) == 0;
        ok = close(fd) == 0 && ok;
        ok = ok && rename(temporary, target) == 0;
        if (!ok) {
            int why = errno;
            unlink(temporary);
            errno = why;
        }
    }
    int why = errno;
    arena_free(&mem);
    errno = why;
    return ok;
}

bool file_write(const char *path, const void *data, size_t n, struct err *err)
{
    bool ok =
        file_is_replaceable(path) ? write_and_rename(path, data, n) : write_in_place(path, data, n);
    return ok || err_add(err, ERR_MACHINE, AT_FILE(path), "cannot be written: %s", strerror(errno));
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool file_make_dirs(const char *path, struct err *err)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    char *part = arena_strdup(&mem, path);
    bool ok = true;
    for (char *p = part + 1; ok; p++) {
        if (*p != '/' && *p != '\0')
            continue;
        char kept = *p;
        *p = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            ok = err_add(err, ERR_MACHINE, AT_FILE(path), "cannot be created: %s", strerror(errno));
        *p = kept;
        if (kept == '\0')
            break;
    }
    struct stat st;
    if (ok && (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)))
        ok = err_add(err, ERR_INPUT, AT_FILE(path), "is not a directory");
    arena_free(&mem);
    return ok;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **file_names(const char *dir, struct arena *mem, struct err *err)
{
    VEC(const char *) names = {0};
    DIR *d = opendir(dir);
    if (!d) {
        err_add(err, ERR_INPUT, AT_FILE(dir), "cannot open: %s", strerror(errno));
        return NULL;
    }
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] != '.')
            vec_push(mem, &names, arena_strdup(mem, e->d_name));
    }
    closedir(d);
    if (names.n)
        qsort(names.at, names.n, sizeof *names.at, by_name);
    vec_push(mem, &names, NULL);
    return names.at;
}

const char *path_join(struct arena *mem, const char *dir, const char *name)
{
    if (name[0] == '/' || strcmp(dir, ".") == 0)
        return arena_strdup(mem, name);
    size_t n = strlen(dir);
    return arena_printf(mem, "%s%s%s", dir, n && dir[n - 1] == '/' ? "" : "/", name);
}

const char *path_dir(struct arena *mem, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return ".";
    return slash == path ? "/" : arena_strndup(mem, path, (size_t)(slash - path));
}

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *path_stem(struct arena *mem, const char *path)
{
    const char *base = path_base(path), *dot = strrchr(base, '.');
    return dot && dot != base ? arena_strndup(mem, base, (size_t)(dot - base))
                              : arena_strdup(mem, base);
}

bool path_ends_with(const char *path, const char *ending)
{
    size_t n = strlen(path), k = strlen(ending);
    return n >= k && strcmp(path + n - k, ending) == 0;
}
