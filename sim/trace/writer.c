/* SPDX-License-Identifier: MIT
 *
 * Writes trace files: chunks of CTAs as they come, the table of contents at the end. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "base/arena.h"
#include "base/draft.h"
#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "sim/trace/content.h"
#include "sim/trace/cta_code.h"
#include "sim/trace/format.h"
#include "sim/trace/sink.h"
#include "sim/trace/trace.h"

struct trace_writer {
    struct arena mem;
    const char *path;
    struct draft draft;
    uint64_t at; /* bytes written */
    uint64_t identity;
    ZSTD_CCtx *zstd;
    struct trace_coder *coder;
    struct trace_bytes chunk;  /* CTAs not yet compressed */
    struct trace_bytes packed; /* room for the compressed form */
    struct trace_bytes table;  /* contents so far */
    uint32_t n_kernels;
    /* the kernel at hand */
    bool in_kernel;
    struct trace_bytes index; /* its chunks and CTAs */
    uint64_t n_chunks;
    uint32_t n_ctas, next_cta;
    uint32_t chunk_ctas;
    struct trace_bytes chunk_sizes; /* of the CTAs in the chunk */
    uint64_t warp_insts, thread_insts;
};

static bool no_memory(struct trace_writer *w, struct err *err)
{
    return err_add(err, ERR_MACHINE, AT_FILE(w->path), "no memory to write the trace");
}

static bool write_bytes(struct trace_writer *w, const void *data, size_t n, struct err *err)
{
    if (fwrite(data, 1, n, w->draft.file) != n)
        return err_add(err, ERR_MACHINE, AT_FILE(w->path), "cannot be written: %s",
                       strerror(errno));
    w->at += n;
    return true;
}

static void free_writer(struct trace_writer *w)
{
    ZSTD_freeCCtx(w->zstd);
    trace_coder_free(w->coder);
    free(w->chunk.at);
    free(w->packed.at);
    free(w->table.at);
    free(w->index.at);
    free(w->chunk_sizes.at);
    arena_free(&w->mem);
    free(w);
}

struct trace_writer *trace_writer_open(const char *path, const char *workload, struct err *err)
{
    static const uint8_t blank[TRACE_HEADER_BYTES];
    if (!file_is_replaceable(path)) {
        err_add(err, ERR_INPUT, AT_FILE(path), "a trace is written to a regular file");
        return NULL;
    }
    struct trace_writer *w = calloc(1, sizeof *w);
    if (!w) {
        err_add(err, ERR_MACHINE, AT_FILE(path), "no memory to write the trace");
        return NULL;
    }
    arena_init(&w->mem, NULL, NULL);
    w->path = arena_strdup(&w->mem, path);
    w->zstd = ZSTD_createCCtx();
    w->coder = trace_coder_new();
    if (!draft_open(&w->draft, path, &w->mem)) {
        err_add(err, ERR_MACHINE, AT_FILE(path), "cannot be written: %s", strerror(errno));
        free_writer(w);
        return NULL;
    }
    if (!w->zstd || !w->coder || !write_bytes(w, blank, sizeof blank, err)) {
        if (!w->zstd || !w->coder)
            no_memory(w, err);
        trace_writer_abandon(w);
        return NULL;
    }
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, TRACE_LEVEL);
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
    trace_put_uint(&w->table, strlen(workload));
    trace_put(&w->table, workload, strlen(workload));
    w->identity = trace_identity_begin(workload);
    return w;
}

/* Compresses and writes; *packed is the size in the file. */
static bool write_packed(struct trace_writer *w, const struct trace_bytes *raw, uint64_t *packed,
                         struct err *err)
{
    size_t bound = ZSTD_compressBound(raw->n);
    w->packed.n = 0;
    if (w->packed.cap < bound) {
        free(w->packed.at);
        w->packed.at = malloc(bound);
        w->packed.cap = w->packed.at ? bound : 0;
        if (!w->packed.at)
            return no_memory(w, err);
    }
    size_t n = ZSTD_compress2(w->zstd, w->packed.at, w->packed.cap, raw->at, raw->n);
    if (ZSTD_isError(n))
        return err_add(err, ERR_MACHINE, AT_FILE(w->path), "cannot compress: %s",
                       ZSTD_getErrorName(n));
    *packed = n;
    return write_bytes(w, w->packed.at, n, err);
}

static bool flush_chunk(struct trace_writer *w, struct err *err)
{
    uint64_t packed = 0, offset = w->at;
    if (w->chunk_ctas == 0)
        return true;
    if (!write_packed(w, &w->chunk, &packed, err))
        return false;
    trace_put_uint(&w->index, offset);
    trace_put_uint(&w->index, packed);
    trace_put_uint(&w->index, w->chunk.n);
    trace_put_uint(&w->index, w->chunk_ctas);
    trace_put(&w->index, w->chunk_sizes.at, w->chunk_sizes.n);
    w->n_chunks++;
    w->chunk_ctas = 0;
    w->chunk.n = 0;
    w->chunk_sizes.n = 0;
    return !(w->index.failed || w->chunk_sizes.failed) || no_memory(w, err);
}

bool trace_writer_begin_kernel(struct trace_writer *w, const struct trace_kernel *k,
                               struct err *err)
{
    struct trace_bytes *t = &w->table;
    if (w->in_kernel)
        return err_add(err, ERR_INPUT, AT_FILE(w->path), "a kernel begins inside a kernel");
    w->in_kernel = true;
    size_t before = t->n;
    trace_put_kernel(t, k);
    w->n_ctas = k->n_ctas;
    w->next_cta = 0;
    w->index.n = 0;
    w->n_chunks = 0;
    w->warp_insts = w->thread_insts = 0;
    return trace_identity_add(&w->identity, t, before) || no_memory(w, err);
}

bool trace_writer_add_cta(struct trace_writer *w, const struct trace_cta *cta, struct err *err)
{
    const char *why;
    size_t before = w->chunk.n;
    if (!w->in_kernel || cta->id != w->next_cta || w->next_cta >= w->n_ctas)
        return err_add(err, ERR_INPUT, AT_FILE(w->path), "CTA %u comes out of order", cta->id);
    if (!trace_encode_cta(w->coder, cta, &w->chunk, &why))
        return why ? err_add(err, ERR_INPUT, AT_FILE(w->path), "%s", why) : no_memory(w, err);
    if (!trace_identity_add(&w->identity, &w->chunk, before))
        return no_memory(w, err);
    for (uint32_t i = 0; i < cta->n_warps; i++) {
        w->warp_insts += cta->warps[i].n_insts;
        for (uint32_t k = 0; k < cta->warps[i].n_insts; k++)
            w->thread_insts += trace_count_lanes(cta->warps[i].insts[k].mask);
    }
    trace_put_uint(&w->chunk_sizes, w->chunk.n - before);
    w->next_cta++;
    w->chunk_ctas++;
    return w->chunk.n < TRACE_CHUNK_BYTES || flush_chunk(w, err);
}

bool trace_writer_end_kernel(struct trace_writer *w, const struct trace_static *statics, uint32_t n,
                             struct err *err)
{
    struct trace_bytes *t = &w->table;
    if (!w->in_kernel || w->next_cta != w->n_ctas)
        return err_add(err, ERR_INPUT, AT_FILE(w->path), "a kernel ends with %u of %u CTAs",
                       w->next_cta, w->n_ctas);
    if (!flush_chunk(w, err))
        return false;
    size_t before = t->n;
    trace_put_statics(t, statics, n);
    if (!trace_identity_add(&w->identity, t, before))
        return no_memory(w, err);
    trace_put_uint(t, w->warp_insts);
    trace_put_uint(t, w->thread_insts);
    trace_put_uint(t, w->n_chunks);
    trace_put_uint(t, w->index.n);
    trace_put(t, w->index.at, w->index.n);
    w->n_kernels++;
    w->in_kernel = false;
    return !t->failed || no_memory(w, err);
}

static void put_le(uint8_t *to, uint64_t v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (uint8_t)(v >> (8 * i));
}

static bool finish(struct trace_writer *w, struct err *err)
{
    uint8_t header[TRACE_HEADER_BYTES] = {0};
    uint64_t packed = 0, offset = w->at;
    struct trace_bytes all = {0};

    /* the number of kernels is known only now, and stands first */
    trace_put_uint(&all, w->n_kernels);
    trace_put(&all, w->table.at, w->table.n);
    bool ok = !all.failed && write_packed(w, &all, &packed, err);
    if (all.failed)
        no_memory(w, err);
    if (ok) {
        memcpy(header, TRACE_MAGIC, 8);
        put_le(header + 8, TRACE_VERSION, 4);
        put_le(header + 16, offset, 8);
        put_le(header + 24, packed, 8);
        put_le(header + 32, all.n, 8);
        put_le(header + 40, w->identity, 8);
        put_le(header + 56, map_hash_bytes(header, 56, 0), 8);
        ok = fseek(w->draft.file, 0, SEEK_SET) == 0 ||
             err_add(err, ERR_MACHINE, AT_FILE(w->path), "cannot be written: %s", strerror(errno));
        ok = ok && write_bytes(w, header, sizeof header, err);
    }
    free(all.at);
    return ok;
}

bool trace_writer_close(struct trace_writer *w, struct err *err)
{
    bool ok = w->in_kernel
                  ? err_add(err, ERR_INPUT, AT_FILE(w->path), "the trace ends inside a kernel")
                  : finish(w, err);
    if (!ok) {
        trace_writer_abandon(w);
        return false;
    }
    ok = draft_keep(&w->draft) ||
         err_add(err, ERR_MACHINE, AT_FILE(w->path), "cannot be written: %s", strerror(errno));
    free_writer(w);
    return ok;
}

void trace_writer_abandon(struct trace_writer *w)
{
    if (!w)
        return;
    draft_drop(&w->draft);
    free_writer(w);
}

/* ---- as a sink ------------------------------------------------------------------------------- */

static bool sink_begin(void *ctx, const struct trace_kernel *kernel, struct err *err)
{
    return trace_writer_begin_kernel(ctx, kernel, err);
}
static bool sink_add(void *ctx, const struct trace_cta *cta, struct err *err)
{
    return trace_writer_add_cta(ctx, cta, err);
}
static bool sink_end(void *ctx, const struct trace_static *statics, uint32_t n, struct err *err)
{
    return trace_writer_end_kernel(ctx, statics, n, err);
}

struct trace_sink trace_writer_sink(struct trace_writer *w)
{
    return (struct trace_sink){w, sink_begin, sink_add, sink_end};
}
