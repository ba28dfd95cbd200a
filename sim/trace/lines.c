/* SPDX-License-Identifier: MIT */
#include "sim/trace/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/err.h"
#include "base/file.h"

#define IN_SIZE ((size_t)1 << 16)
#define OUT_SIZE (LINES_MAX_LENGTH * 4)

enum packing { PLAIN, GZIP, XZ };

struct lines {
    char *path;
    int fd;
    enum packing packing;
    bool at_eof;    /* of the file itself */
    bool at_end;    /* no more text */
    bool in_member; /* a compressed stream was begun and not finished */
    z_stream z;
    lzma_stream x;
    int number;
    uint32_t n_empty; /* lines in a row without anything in them */
    size_t in_first, in_n;
    size_t first, n; /* text not handed out yet: out[first .. n) */
    uint8_t in[IN_SIZE];
    char out[OUT_SIZE + 1];
};

static bool fill_in(struct lines *l, struct err *err)
{
    if (l->in_first < l->in_n || l->at_eof)
        return true;
    ssize_t got;
    do
        got = read(l->fd, l->in, IN_SIZE);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return err_add(err, ERR_MACHINE, AT_FILE(l->path), "cannot read: %s", strerror(errno));
    l->in_first = 0;
    l->in_n = (size_t)got;
    l->at_eof = got == 0;
    return true;
}

struct lines *lines_open(const char *path, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0) {
        err_add(err, file_blame(errno), AT_FILE(path), "cannot open: %s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    if (S_ISDIR(st.st_mode)) {
        err_add(err, ERR_INPUT, AT_FILE(path), "is a directory");
        close(fd);
        return NULL;
    }
    struct lines *l = malloc(sizeof *l);
    char *copy = strdup(path);
    if (!l || !copy) {
        err_add(err, ERR_MACHINE, AT_FILE(path), "out of memory");
        free(l);
        free(copy);
        close(fd);
        return NULL;
    }
    memset(l, 0, offsetof(struct lines, in));
    l->path = copy;
    l->fd = fd;
    if (!fill_in(l, err)) {
        lines_close(l);
        return NULL;
    }
    static const uint8_t xz_magic[6] = {0xfd, '7', 'z', 'X', 'Z', 0};
    if (l->in_n >= 2 && l->in[0] == 0x1f && l->in[1] == 0x8b)
        l->packing = GZIP;
    else if (l->in_n >= 6 && memcmp(l->in, xz_magic, 6) == 0)
        l->packing = XZ;
    bool ok = true;
    if (l->packing == GZIP)
        ok = inflateInit2(&l->z, 15 + 16) == Z_OK;
    if (l->packing == XZ) {
        l->x = (lzma_stream)LZMA_STREAM_INIT;
        ok = lzma_stream_decoder(&l->x, (uint64_t)256 << 20, LZMA_CONCATENATED) == LZMA_OK;
    }
    if (!ok) {
        err_add(err, ERR_MACHINE, AT_FILE(path), "cannot start decompression");
        l->packing = PLAIN;
        lines_close(l);
        return NULL;
    }
    return l;
}

void lines_close(struct lines *l)
{
    if (!l)
        return;
    if (l->packing == GZIP)
        inflateEnd(&l->z);
    if (l->packing == XZ)
        lzma_end(&l->x);
    close(l->fd);
    free(l->path);
    free(l);
}

static bool damaged(const struct lines *l, const char *what, struct err *err)
{
    return err_add(err, ERR_INPUT, AT_LINE(l->path, l->number + 1), "%s", what);
}

static bool no_memory(const struct lines *l, struct err *err)
{
    return err_add(err, ERR_MACHINE, AT_FILE(l->path), "no memory to decompress");
}

static bool more_gzip(struct lines *l, struct err *err)
{
    if (l->in_first == l->in_n) {
        if (l->in_member)
            return damaged(l, "the gzip stream is cut off", err);
        l->at_end = true;
        return true;
    }
    l->in_member = true;
    l->z.next_in = l->in + l->in_first;
    l->z.avail_in = (uInt)(l->in_n - l->in_first);
    l->z.next_out = (Bytef *)l->out + l->n;
    l->z.avail_out = (uInt)(OUT_SIZE - l->n);
    int r = inflate(&l->z, Z_NO_FLUSH);
    l->in_first = l->in_n - l->z.avail_in;
    l->n = OUT_SIZE - l->z.avail_out;
    if (r == Z_STREAM_END) { /* another member may follow */
        l->in_member = false;
        if (inflateReset(&l->z) != Z_OK)
            return damaged(l, "the gzip stream is damaged", err);
    } else if (r != Z_OK && r != Z_BUF_ERROR) {
        if (r == Z_MEM_ERROR)
            return no_memory(l, err);
        return damaged(l, "the gzip stream is damaged", err);
    }
    return true;
}

static bool more_xz(struct lines *l, struct err *err)
{
    l->x.next_in = l->in + l->in_first;
    l->x.avail_in = l->in_n - l->in_first;
    l->x.next_out = (uint8_t *)l->out + l->n;
    l->x.avail_out = OUT_SIZE - l->n;
    lzma_ret r = lzma_code(&l->x, l->at_eof ? LZMA_FINISH : LZMA_RUN);
    l->in_first = l->in_n - l->x.avail_in;
    l->n = OUT_SIZE - l->x.avail_out;
    if (r == LZMA_STREAM_END) {
        l->at_end = true;
        return true;
    }
    if (r == LZMA_OK)
        return true;
    if (r == LZMA_BUF_ERROR || (r == LZMA_DATA_ERROR && l->at_eof))
        return damaged(l, "the xz stream is cut off", err);
    if (r == LZMA_MEM_ERROR)
        return no_memory(l, err);
    return damaged(l, "the xz stream is damaged", err);
}

/* Adds text behind out[n]; there is room. */
static bool more(struct lines *l, struct err *err)
{
    if (!fill_in(l, err))
        return false;
    if (l->packing == GZIP)
        return more_gzip(l, err);
    if (l->packing == XZ)
        return more_xz(l, err);
    size_t n = l->in_n - l->in_first;
    if (n > OUT_SIZE - l->n)
        n = OUT_SIZE - l->n;
    memcpy(l->out + l->n, l->in + l->in_first, n);
    l->in_first += n;
    l->n += n;
    l->at_end = l->at_eof;
    return true;
}

int lines_next(struct lines *l, char **line, size_t *length, struct err *err)
{
    size_t seen = 0; /* text already searched for the end of the line */
    for (;;) {
        char *start = l->out + l->first;
        size_t have = l->n - l->first;
        char *end = memchr(start + seen, '\n', have - seen);
        size_t n = end ? (size_t)(end - start) : have;
        if (n > LINES_MAX_LENGTH) {
            damaged(l, "a line is longer than 65536 characters", err);
            return -1;
        }
        if (end || (l->at_end && have)) {
            l->first += n + (end ? 1 : 0);
            if (n && start[n - 1] == '\r')
                n--;
            start[n] = '\0';
            if (l->number < INT_MAX)
                l->number++;
            if (*start > ' ' || start[strspn(start, " \t")])
                l->n_empty = 0;
            else if (++l->n_empty > LINES_MOST_EMPTY) {
                damaged(l, "more than 100000 empty lines in a row", err);
                return -1;
            }
            *line = start;
            *length = n;
            return 1;
        }
        if (l->at_end)
            return 0;
        seen = have;
        if (l->first && l->n > OUT_SIZE - LINES_MAX_LENGTH) {
            memmove(l->out, start, have);
            l->first = 0;
            l->n = have;
        }
        if (!more(l, err))
            return -1;
    }
}

int lines_number(const struct lines *l)
{
    return l->number;
}
