/* SPDX-License-Identifier: MIT */
#include "sim/trace/spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/err.h"

#define CHUNK ((size_t)1 << 20)

struct block {
    const void *memory; /* NULL: in the file */
    uint64_t offset;
    size_t size, packed;
};

struct chunk {
    struct chunk *next;
    size_t fill, cap;
    uint64_t data[]; /* aligned for any record */
};

struct spool {
    size_t limit, in_memory;
    struct chunk *chunks;
    struct block *blocks;
    size_t n, cap;
    FILE *file;
    uint64_t file_end;
    void *packed;
    size_t packed_cap;
};

struct spool *spool_new(size_t memory_limit)
{
    struct spool *s = calloc(1, sizeof *s);
    if (s)
        s->limit = memory_limit;
    return s;
}

void spool_free(struct spool *s)
{
    if (!s)
        return;
    while (s->chunks) {
        struct chunk *next = s->chunks->next;
        free(s->chunks);
        s->chunks = next;
    }
    if (s->file)
        fclose(s->file);
    free(s->blocks);
    free(s->packed);
    free(s);
}

static bool no_memory(struct err *err)
{
    return err_add(err, ERR_MACHINE, NOWHERE, "out of memory");
}

static bool add_to_memory(struct spool *s, struct block *b, const void *data, size_t n,
                          struct err *err)
{
    size_t room = (n + 7) & ~(size_t)7;
    if (!s->chunks || s->chunks->cap - s->chunks->fill < room) {
        size_t cap = room > CHUNK ? room : CHUNK;
        struct chunk *c = malloc(sizeof *c + cap);
        if (!c)
            return no_memory(err);
        c->next = s->chunks;
        c->fill = 0;
        c->cap = cap;
        s->chunks = c;
    }
    char *place = (char *)s->chunks->data + s->chunks->fill;
    memcpy(place, data, n);
    s->chunks->fill += room;
    s->in_memory += room;
    b->memory = place;
    return true;
}

static bool add_to_file(struct spool *s, struct block *b, const void *data, size_t n,
                        struct err *err)
{
    if (!s->file && !(s->file = tmpfile()))
        return err_add(err, ERR_MACHINE, NOWHERE, "cannot make a temporary file: %s",
                       strerror(errno));
    size_t bound = ZSTD_compressBound(n);
    if (bound > s->packed_cap) {
        void *more = realloc(s->packed, bound);
        if (!more)
            return no_memory(err);
        s->packed = more;
        s->packed_cap = bound;
    }
    size_t packed = ZSTD_compress(s->packed, bound, data, n, 1);
    if (ZSTD_isError(packed))
        return err_add(err, ERR_MACHINE, NOWHERE, "cannot compress: %s", ZSTD_getErrorName(packed));
    for (size_t done = 0; done < packed;) {
        ssize_t wrote = pwrite(fileno(s->file), (char *)s->packed + done, packed - done,
                               (off_t)(s->file_end + done));
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return err_add(err, ERR_MACHINE, NOWHERE, "cannot write a temporary file: %s",
                           strerror(errno));
        done += (size_t)wrote;
    }
    b->offset = s->file_end;
    b->packed = packed;
    s->file_end += packed;
    return true;
}

bool spool_add(struct spool *s, const void *data, size_t n, struct err *err)
{
    if (s->n == s->cap) {
        size_t cap = s->cap ? s->cap * 2 : 64;
        struct block *more = realloc(s->blocks, cap * sizeof *more);
        if (!more)
            return no_memory(err);
        s->blocks = more;
        s->cap = cap;
    }
    struct block b = {.size = n};
    bool ok = s->in_memory + n <= s->limit ? add_to_memory(s, &b, data, n, err)
                                           : add_to_file(s, &b, data, n, err);
    if (ok)
        s->blocks[s->n++] = b;
    return ok;
}

size_t spool_size(const struct spool *s, size_t block)
{
    return s->blocks[block].size;
}

size_t spool_count(const struct spool *s)
{
    return s->n;
}

bool spool_in_memory(const struct spool *s, size_t block)
{
    return s->blocks[block].memory != NULL;
}

const void *spool_get(const struct spool *s, size_t block, void *room, struct err *err)
{
    const struct block *b = &s->blocks[block];
    if (b->memory)
        return b->memory;
    char *packed = malloc(b->packed ? b->packed : 1);
    if (!packed || !room) {
        free(packed);
        no_memory(err);
        return NULL;
    }
    size_t done = 0;
    while (done < b->packed) {
        ssize_t got =
            pread(fileno(s->file), packed + done, b->packed - done, (off_t)(b->offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    bool ok = done == b->packed && ZSTD_decompress(room, b->size, packed, b->packed) == b->size;
    free(packed);
    if (!ok) {
        err_add(err, ERR_MACHINE, NOWHERE, "cannot read a temporary file back");
        return NULL;
    }
    return room;
}
