/* SPDX-License-Identifier: MIT */
#include "sim/trace/accelsim.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/rng.h"
#include "base/vec.h"
#include "sim/trace/lines.h"
#include "sim/trace/spool.h"
#include "sim/trace/traceg.h"

#define MOST_KERNELS 1000000u
#define IN_MEMORY ((size_t)96 << 20) /* packed CTAs beyond this go to a temporary file */

struct source {
    struct spool *spool;
    uint32_t *first_block; /* [kernel] */
};

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* ---- the source ---- */

static void unpack_addresses(const uint8_t *p, const struct trace_inst *insts, uint32_t n_insts,
                             uint64_t *out)
{
    for (uint32_t i = 0; i < n_insts; i++) {
        uint32_t n = insts[i].n_addresses;
        if (!n)
            continue;
        uint64_t *to = out + insts[i].first_address;
        uint8_t kind = *p++;
        if (kind == PACKED_LIST) {
            memcpy(to, p, 8 * (size_t)n);
            p += 8 * (size_t)n;
            continue;
        }
        uint64_t at, step;
        memcpy(&at, p, 8);
        p += 8;
        if (kind == PACKED_STRIDE) {
            memcpy(&step, p, 8);
            p += 8;
            for (uint32_t k = 0; k < n; k++, at += step)
                to[k] = at;
            continue;
        }
        to[0] = at;
        for (uint32_t k = 1; k < n; k++, p += 8) {
            memcpy(&step, p, 8);
            at += step;
            to[k] = at;
        }
    }
}

static bool load_cta(const struct trace_source *src, uint32_t kernel, uint32_t cta,
                     struct trace_cta *out, struct err *err)
{
    const struct source *s = src->ctx;
    size_t block = (size_t)s->first_block[kernel] + cta;
    size_t size = spool_size(s->spool, block);
    struct packed_cta head;
    void *tmp = spool_in_memory(s->spool, block) ? NULL : malloc(size);
    const char *data = spool_get(s->spool, block, tmp, err);
    if (!data) {
        free(tmp);
        return false;
    }
    memcpy(&head, data, sizeof head);
    size_t n_warps = head.n_warps * sizeof(struct trace_warp);
    size_t n_addr = head.n_addresses * sizeof(uint64_t);
    size_t n_inst = head.n_insts * sizeof(struct trace_inst);
    void *room = malloc(n_warps + n_addr + n_inst + 1);
    if (!room) {
        free(tmp);
        return err_add(err, ERR_MACHINE, AT_FILE(src->file), "out of memory");
    }
    struct trace_warp *warps = room;
    uint64_t *addresses = (uint64_t *)((char *)room + n_warps);
    struct trace_inst *insts = (struct trace_inst *)((char *)addresses + n_addr);
    const char *counts = data + sizeof head;
    const char *packed = counts + head.n_warps * sizeof(uint32_t);
    memcpy(insts, packed, n_inst);
    uint32_t first = 0;
    for (uint32_t w = 0; w < head.n_warps; w++) {
        uint32_t n;
        memcpy(&n, counts + w * sizeof n, sizeof n);
        warps[w] = (struct trace_warp){insts + first, n};
        first += n;
    }
    unpack_addresses((const uint8_t *)packed + n_inst, insts, head.n_insts, addresses);
    free(tmp);
    *out = (struct trace_cta){.id = head.id,
                              .n_warps = head.n_warps,
                              .warps = warps,
                              .addresses = addresses,
                              .owner = room};
    return true;
}

static void free_cta(const struct trace_source *src, struct trace_cta *cta)
{
    (void)src;
    free(cta->owner);
    cta->owner = NULL;
}

static void close_source(struct trace_source *src)
{
    struct source *s = src->ctx;
    if (s) {
        spool_free(s->spool);
        s->spool = NULL;
    }
    src->ctx = NULL;
}

/* ---- the command list ---- */

struct list {
    VEC(const char *) files;
    VEC(struct trace_copy) copies;
};

static bool read_command(const char *path, const char *line, int number, struct arena *mem,
                         struct list *out, struct err *err)
{
    struct where at = AT_LINE(path, number);
    if (strncmp(line, "kernel", 6) == 0) {
        if (strchr(line, '/'))
            return err_add(err, ERR_INPUT, at, "a kernel's file must lie beside its list");
        const char *file = path_join(mem, path_dir(mem, path), line);
        static const char *const endings[] = {"", ".gz", ".xz"};
        const char *found = NULL;
        for (size_t i = 0; i < 3 && !found; i++) {
            const char *name = arena_printf(mem, "%s%s", file, endings[i]);
            if (file_exists(name))
                found = name;
        }
        if (!found)
            return err_add(err, ERR_INPUT, at, "there is no file '%s' (nor with .gz or .xz)", file);
        if (out->files.n == MOST_KERNELS)
            return err_add(err, ERR_INPUT, at, "the list names more than %u kernels", MOST_KERNELS);
        vec_push(mem, &out->files, found);
        return true;
    }
    if (strncmp(line, "MemcpyHtoD,", 11) == 0) {
        const char *p = line + 11;
        uint64_t address;
        int64_t bytes;
        if (!traceg_hex(&p, &address) || *p++ != ',' || !traceg_field(&p, 0, INT64_MAX, &bytes))
            return err_add(err, ERR_INPUT, at, "expected 'MemcpyHtoD,0xADDRESS,BYTES'");
        struct trace_copy c = {(uint32_t)out->files.n, address, (uint64_t)bytes};
        vec_push(mem, &out->copies, c);
        return true;
    }
    if (strncmp(line, "Memcpy", 6) != 0)
        err_warn(err, at, "unknown command '%.40s' is left out", line);
    return true;
}

static bool read_list(const char *path, struct arena *mem, struct list *out, struct err *err)
{
    struct lines *l = lines_open(path, err);
    if (!l)
        return false;
    char *line;
    size_t n;
    int got;
    bool ok = true;
    while (ok && (got = lines_next(l, &line, &n, err)) != 0) {
        if (got < 0) {
            ok = false;
            break;
        }
        while (n && (line[n - 1] == ' ' || line[n - 1] == '\t'))
            line[--n] = '\0';
        const char *p = skip_blanks(line);
        if (*p)
            ok = read_command(path, p, lines_number(l), mem, out, err);
    }
    lines_close(l);
    if (ok && out->files.n == 0)
        return err_add(err, ERR_INPUT, AT_FILE(path), "the list names no kernel");
    return ok;
}

bool trace_accelsim_open(const char *path, struct arena *mem, struct trace_source *out,
                         struct err *err)
{
    struct list list = {0};
    const char *base = path_base(path);
    if (strstr(base, ".traceg"))
        vec_push(mem, &list.files, arena_strdup(mem, path));
    else if (!read_list(path, mem, &list, err))
        return false;

    struct source *s = arena_new(mem, struct source);
    struct trace_kernel *kernels = arena_many(mem, struct trace_kernel, list.files.n);
    s->first_block = arena_many(mem, uint32_t, list.files.n);
    s->spool = spool_new(IN_MEMORY);
    if (!s->spool)
        return err_add(err, ERR_MACHINE, AT_FILE(path), "out of memory");
    uint64_t hash = rng_mix(list.files.n);
    if (list.copies.n)
        hash = traceg_hash(hash, list.copies.at, list.copies.n * sizeof *list.copies.at);
    for (size_t k = 0; k < list.files.n; k++) {
        s->first_block[k] = (uint32_t)spool_count(s->spool);
        if (!traceg_read(list.files.at[k], mem, s->spool, &hash, &kernels[k], err)) {
            spool_free(s->spool);
            return false;
        }
    }
    const char *dir = path_dir(mem, path);
    *out = (struct trace_source){
        .name = strcmp(dir, ".") ? path_base(dir) : path_stem(mem, path),
        .file = arena_strdup(mem, path),
        .kernels = kernels,
        .n_kernels = (uint32_t)list.files.n,
        .copies = list.copies.at,
        .n_copies = (uint32_t)list.copies.n,
        .identity = hash,
        .load_cta = load_cta,
        .free_cta = free_cta,
        .close = close_source,
        .ctx = s,
    };
    return true;
}
