/* SPDX-License-Identifier: MIT
 *
 * Reads trace files. The table of contents is read and checked when the file is opened; CTAs are
 * read when they are asked for, one chunk at a time, with pread, so that several threads may read.
 */
#include "sim/trace/format.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>
#include <zstd_errors.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "sim/trace/cta_code.h"
#include "sim/trace/trace.h"

struct chunk {
    uint64_t offset;
    uint32_t packed, raw;
    uint32_t first_cta;
};

struct kernel_index {
    struct chunk *chunks;
    uint32_t n_chunks;
    uint32_t *cta_at; /* [cta]: where it begins in its chunk */
};

struct trace_file {
    const char *path;
    int fd;
    struct kernel_index *index; /* [kernel] */
};

static bool corrupt(const char *path, uint64_t offset, struct err *err, const char *why)
{
    return err_add(err, ERR_INPUT, AT_FILE(path), "the trace is damaged at byte %" PRIu64 ": %s",
                   offset, why);
}

/* ---- bytes of the file ----------------------------------------------------------------------- */

static bool read_at(const char *path, int fd, uint64_t offset, void *to, size_t n, struct err *err)
{
    uint8_t *p = to;
    while (n) {
        ssize_t got = pread(fd, p, n, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return err_add(err, ERR_MACHINE, AT_FILE(path), "cannot read: %s", strerror(errno));
        if (got == 0)
            return corrupt(path, offset, err, "the file ends here; it was cut off");
        p += got;
        n -= (size_t)got;
        offset += (uint64_t)got;
    }
    return true;
}

/* A compressed piece; free the result. */
static uint8_t *read_packed(const char *path, int fd, uint64_t offset, uint64_t packed,
                            uint64_t raw, struct err *err)
{
    uint8_t *in = malloc(packed + 1), *out = malloc(raw + 1);
    bool ok = in && out;
    if (!ok)
        err_add(err, ERR_MACHINE, AT_FILE(path), "no memory for %" PRIu64 " bytes of the trace",
                raw);
    ok = ok && read_at(path, fd, offset, in, packed, err);
    if (ok) {
        size_t n = ZSTD_decompress(out, raw, in, packed);
        if (ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation)
            ok = err_add(err, ERR_MACHINE, AT_FILE(path), "no memory to read the trace");
        else if (ZSTD_isError(n) || n != raw)
            ok = corrupt(path, offset, err,
                         ZSTD_isError(n) ? ZSTD_getErrorName(n) : "fewer bytes than stated");
    }
    free(in);
    if (!ok) {
        free(out);
        return NULL;
    }
    return out;
}

static uint64_t get_le(const uint8_t *p, size_t n)
{
    uint64_t v = 0;
    for (size_t i = n; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

/* ---- the table of contents ------------------------------------------------------------------- */

static const char *get_text(struct trace_reader *r, struct arena *mem)
{
    uint64_t n = trace_get_uint(r);
    const char *p = n < 65536 ? trace_get(r, n) : NULL;
    if (!p) {
        r->bad = true;
        return "";
    }
    return arena_strndup(mem, p, n);
}

static uint32_t get_u32(struct trace_reader *r)
{
    uint64_t v = trace_get_uint(r);
    r->bad |= v > UINT32_MAX;
    return (uint32_t)v;
}

static void get_static(struct trace_reader *r, struct trace_static *s)
{
    s->pc = trace_get_uint(r);
    const uint8_t *f = trace_get(r, 6);
    if (!f)
        return;
    s->cls = f[0];
    s->space = f[1];
    s->access_bytes = f[2];
    s->flags = f[3];
    s->n_dst = f[4];
    s->n_src = f[5];
    if (s->cls >= TC_COUNT || s->space >= TS_COUNT || s->n_dst > TRACE_MAX_DST ||
        s->n_src > TRACE_MAX_SRC || s->access_bytes > 16) {
        r->bad = true;
        return;
    }
    const void *dst = trace_get(r, s->n_dst), *src = dst ? trace_get(r, s->n_src) : NULL;
    if (!src)
        return;
    memcpy(s->dst, dst, s->n_dst);
    memcpy(s->src, src, s->n_src);
    s->line = (int32_t)trace_get_int(r);
}

static void get_index(struct trace_reader *r, struct trace_kernel *k, struct kernel_index *x,
                      uint64_t file_bytes, struct arena *mem)
{
    uint64_t n_chunks = trace_get_uint(r), n_bytes = trace_get_uint(r);
    /* every chunk takes bytes of the index, every CTA too: sizes are believed only so far */
    if (r->bad || n_bytes > (uint64_t)(r->end - r->at) || n_chunks > n_bytes ||
        k->n_ctas > n_bytes) {
        r->bad = true;
        return;
    }
    x->chunks = arena_many(mem, struct chunk, n_chunks + 1);
    x->n_chunks = (uint32_t)n_chunks;
    x->cta_at = arena_many(mem, uint32_t, (size_t)k->n_ctas + 1);
    uint32_t cta = 0;
    for (uint64_t i = 0; i < n_chunks && !r->bad; i++) {
        struct chunk *c = &x->chunks[i];
        c->offset = trace_get_uint(r);
        uint64_t packed = trace_get_uint(r), raw = trace_get_uint(r), n = trace_get_uint(r);
        if (r->bad || raw > TRACE_MAX_CHUNK || packed > file_bytes ||
            c->offset > file_bytes - packed || n > k->n_ctas - cta) {
            r->bad = true;
            return;
        }
        c->packed = (uint32_t)packed;
        c->raw = (uint32_t)raw;
        c->first_cta = cta;
        uint64_t at = 0;
        for (uint64_t j = 0; j < n && !r->bad; j++) {
            x->cta_at[cta++] = (uint32_t)at;
            at += trace_get_uint(r);
            r->bad |= at > raw;
        }
    }
    r->bad |= cta != k->n_ctas;
}

static void get_kernel(struct trace_reader *r, struct trace_kernel *k, struct kernel_index *x,
                       uint64_t file_bytes, struct arena *mem)
{
    k->name = get_text(r, mem);
    uint32_t *const dims[] = {&k->grid.x,  &k->grid.y,  &k->grid.z,
                              &k->block.x, &k->block.y, &k->block.z};
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++)
        *dims[i] = get_u32(r);
    k->n_ctas = get_u32(r);
    k->warps_per_cta = get_u32(r);
    k->regs_per_thread = get_u32(r);
    uint32_t how = get_u32(r);
    k->regs_estimated = how & 1;
    k->n_sms = how >> 1;
    k->shared_bytes = get_u32(r);
    uint64_t n = trace_get_uint(r);
    r->bad |= n > 65536 || n > (uint64_t)(r->end - r->at);
    r->bad |= k->warps_per_cta == 0 || k->warps_per_cta > TRACE_MAX_WARPS;
    if (r->bad)
        return;
    struct trace_static *statics = arena_many(mem, struct trace_static, n + 1);
    for (uint64_t i = 0; i < n && !r->bad; i++)
        get_static(r, &statics[i]);
    k->statics = statics;
    k->n_statics = (uint32_t)n;
    k->n_warp_insts = trace_get_uint(r);
    k->n_thread_insts = trace_get_uint(r);
    get_index(r, k, x, file_bytes, mem);
}

static bool get_table(struct trace_file *f, struct trace_reader r, uint64_t offset,
                      uint64_t file_bytes, struct arena *mem, struct trace_source *out,
                      struct err *err)
{
    uint64_t n = (uint64_t)(r.end - r.at), n_kernels = trace_get_uint(&r);
    out->name = get_text(&r, mem);
    if (r.bad || n_kernels > n)
        return corrupt(f->path, offset, err, "the table of contents is malformed");
    struct trace_kernel *kernels = arena_many(mem, struct trace_kernel, n_kernels + 1);
    f->index = arena_many(mem, struct kernel_index, n_kernels + 1);
    for (uint64_t i = 0; i < n_kernels && !r.bad; i++)
        get_kernel(&r, &kernels[i], &f->index[i], file_bytes, mem);
    if (r.bad || r.at != r.end)
        return corrupt(f->path, offset, err, "the table of contents is malformed");
    out->kernels = kernels;
    out->n_kernels = (uint32_t)n_kernels;
    return true;
}

/* ---- CTAs ------------------------------------------------------------------------------------ */

static bool load_cta(const struct trace_source *src, uint32_t kernel, uint32_t cta,
                     struct trace_cta *out, struct err *err)
{
    static const struct trace_limits limits = {TRACE_MAX_INSTS, TRACE_MAX_ADDRESSES};
    const struct trace_file *f = src->ctx;
    if (kernel >= src->n_kernels || cta >= src->kernels[kernel].n_ctas)
        return err_add(err, ERR_INPUT, AT_FILE(f->path), "there is no CTA %u of kernel %u", cta,
                       kernel);
    const struct trace_kernel *k = &src->kernels[kernel];
    const struct kernel_index *x = &f->index[kernel];
    uint32_t low = 0, high = x->n_chunks; /* the last chunk that begins at or before it */
    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;
        if (x->chunks[mid].first_cta <= cta)
            low = mid;
        else
            high = mid;
    }
    const struct chunk *c = &x->chunks[low];
    uint8_t *raw = read_packed(f->path, f->fd, c->offset, c->packed, c->raw, err);
    if (!raw)
        return false;
    const char *why;
    struct trace_coder *coder = trace_coder_new();
    struct trace_reader r = {.at = raw + x->cta_at[cta], .end = raw + c->raw};
    bool ok = coder && trace_decode_cta(coder, &r, k->n_statics, &limits, out, &why);
    if (ok && out->n_warps != k->warps_per_cta) {
        free(out->owner);
        *out = (struct trace_cta){0};
        why = "a CTA has other warps than its kernel says";
        ok = false;
    }
    if (!ok && (!coder || !why))
        err_add(err, ERR_MACHINE, AT_FILE(f->path), "no memory for CTA %u of kernel %s", cta,
                k->name);
    else if (!ok)
        corrupt(f->path, c->offset, err, why);
    else
        out->id = cta;
    trace_coder_free(coder);
    free(raw);
    return ok;
}

static void free_cta(const struct trace_source *src, struct trace_cta *cta)
{
    (void)src;
    free(cta->owner);
    *cta = (struct trace_cta){0};
}

static void close_file(struct trace_source *src)
{
    struct trace_file *f = src->ctx;
    if (f && f->fd >= 0)
        close(f->fd);
    src->ctx = NULL;
}

/* ---- opening --------------------------------------------------------------------------------- */

static bool check_header(const char *path, const uint8_t *h, uint64_t file_bytes, struct err *err)
{
    uint64_t offset = get_le(h + 16, 8), packed = get_le(h + 24, 8), raw = get_le(h + 32, 8);
    if (memcmp(h, TRACE_MAGIC, 8) != 0)
        return err_add(err, ERR_INPUT, AT_FILE(path), "this is not a crosswatt trace");
    if (get_le(h + 8, 4) != TRACE_VERSION)
        return err_add(err, ERR_INPUT, AT_FILE(path),
                       "the trace is of format %u; this program reads format %u",
                       (unsigned)get_le(h + 8, 4), TRACE_VERSION);
    if (get_le(h + 56, 8) != map_hash_bytes(h, 56, 0))
        return corrupt(path, 0, err, "the header's checksum is wrong");
    if (packed > file_bytes || offset > file_bytes - packed)
        return corrupt(path, file_bytes, err, "the file ends here; it was cut off");
    if (raw > TRACE_MAX_TABLE)
        return corrupt(path, 32, err, "the table of contents is too large");
    return true;
}

static bool open_checked(struct trace_file *f, struct arena *mem, struct trace_source *out,
                         struct err *err)
{
    uint8_t h[TRACE_HEADER_BYTES];
    struct stat st;
    if (fstat(f->fd, &st) != 0 || !S_ISREG(st.st_mode))
        return err_add(err, ERR_INPUT, AT_FILE(f->path), "not a regular file");
    uint64_t file_bytes = (uint64_t)st.st_size;
    if (file_bytes < sizeof h)
        return corrupt(f->path, file_bytes, err, "the file ends inside its header");
    if (!read_at(f->path, f->fd, 0, h, sizeof h, err) || !check_header(f->path, h, file_bytes, err))
        return false;
    uint64_t offset = get_le(h + 16, 8), raw = get_le(h + 32, 8);
    uint8_t *table = read_packed(f->path, f->fd, offset, get_le(h + 24, 8), raw, err);
    if (!table)
        return false;
    struct trace_reader r = {.at = table, .end = table + raw};
    bool ok = get_table(f, r, offset, file_bytes, mem, out, err);
    free(table);
    out->identity = get_le(h + 40, 8);
    return ok;
}

bool trace_open(const char *path, struct arena *mem, struct trace_source *out, struct err *err)
{
    struct trace_file *f = arena_new(mem, struct trace_file);
    struct trace_source src = {
        .ctx = f, .load_cta = load_cta, .free_cta = free_cta, .close = close_file};
    src.file = f->path = arena_strdup(mem, path);
    f->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (f->fd < 0)
        return err_add(err, file_blame(errno), AT_FILE(path), "cannot open: %s", strerror(errno));
    if (!open_checked(f, mem, &src, err)) {
        close(f->fd);
        return false;
    }
    *out = src;
    return true;
}
