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
#include "base/map.h"
#include "base/vec.h"

enum err_kind file_blame(int why)
{
    bool is_machine =
        why == ENOMEM || why == EMFILE || why == ENFILE || why == EIO || why == ESTALE;
    return is_machine ? ERR_MACHINE : ERR_INPUT;
}

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
        return err_add(err, file_blame(errno), AT_FILE(path), "cannot be opened: %s",
                       strerror(errno));
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
    errno = 0;
    char *target = realpath(path, NULL);
    if (!target && errno == ENOMEM) /* else the link itself would be replaced */
        arena_exhausted();
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

int file_open_new(const char *path, struct arena *mem, char **name)
{
    enum { TRIES = 100 };
    int fd = -1;
    for (int i = 0; i < TRIES && fd < 0; i++) {
        uint64_t random;
        if (getentropy(&random, sizeof random) != 0)
            return -1;
        *name = arena_printf(mem, "%s.%016llx.part", path, (unsigned long long)random);
        fd = open(*name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            return -1;
    }
    return fd;
}

bool file_sync(int fd)
{
    /* what cannot be synced (a pipe, some network disks) is as safe as it gets */
    return fsync(fd) == 0 || errno == EINVAL || errno == EROFS || errno == ENOSYS;
}

bool file_sync_folder_of(const char *path)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    int fd = open(path_dir(&mem, path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = fd >= 0 && file_sync(fd);
    int why = errno;
    if (fd >= 0)
        close(fd);
    arena_free(&mem);
    errno = why;
    return ok;
}

static bool write_and_rename(const char *path, const void *data, size_t n, bool to_last)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    const char *target = file_link_target(&mem, path);
    char *temporary = NULL;
    int fd = file_open_new(target, &mem, &temporary);
    bool ok = fd >= 0;
    if (ok) {
        ok = write_all(fd, data, n) && (!to_last || file_sync(fd));
        ok = close(fd) == 0 && ok;
        ok = ok && rename(temporary, target) == 0;
        if (!ok) {
            int why = errno;
            unlink(temporary);
            errno = why;
        }
        ok = ok && (!to_last || file_sync_folder_of(target));
    }
    int why = errno;
    arena_free(&mem);
    errno = why;
    return ok;
}

static bool write_file(const char *path, const void *data, size_t n, bool to_last, struct err *err)
{
    bool ok = file_is_replaceable(path) ? write_and_rename(path, data, n, to_last)
                                        : write_in_place(path, data, n);
    return ok || err_add(err, ERR_MACHINE, AT_FILE(path), "cannot be written: %s", strerror(errno));
}

bool file_write(const char *path, const void *data, size_t n, struct err *err)
{
    return write_file(path, data, n, false, err);
}

bool file_keep(const char *path, const void *data, size_t n, struct err *err)
{
    return write_file(path, data, n, true, err);
}

uint64_t file_hash(const char *path, uint64_t seed)
{
    char piece[1 << 16];
    struct stat st;
    ssize_t n = -1;
    uint64_t h = map_hash_bytes("file", 4, seed), random = 0; /* where the next one begins */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is_file = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    while (is_file && ((n = read(fd, piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR))) {
        if (n > 0)
            h = map_hash_bytes(piece, (size_t)n, h);
    }
    if (fd >= 0) {
        close(fd);
        if (!is_file && getentropy(&random, sizeof random) == 0)
            return map_hash_bytes(&random, sizeof random, h);
    }
    return n < 0 ? map_hash_bytes("unread", 6, h) : h;
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
        err_add(err, file_blame(errno), AT_FILE(dir), "cannot open: %s", strerror(errno));
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

const char *path_find(struct arena *mem, const char *dir, const char *name, const char *shared)
{
    const char *there = path_join(mem, dir, name);
    if (name[0] == '/' || name[0] == '.' || !shared || file_exists(there))
        return there;
    const char *other = path_join(mem, shared, name);
    return file_exists(other) ? other : there;
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
