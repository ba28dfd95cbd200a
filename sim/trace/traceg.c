/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/file.h"
#include "base/rng.h"
#include "sim/trace/lines.h"
#include "sim/trace/spool.h"
#include "sim/trace/traceg_impl.h"

#define MOST_HEADER_LINES 10000

bool traceg_refuse(struct reader *r, const char *what)
{
    return err_add(r->err, ERR_INPUT, AT_LINE(r->file, lines_number(r->lines)), "%s", what);
}

void *traceg_grown(void *old, size_t *cap, size_t need, size_t size)
{
    if (need <= *cap)
        return old;
    size_t more = *cap ? *cap * 2 : 4096;
    while (more < need)
        more *= 2;
    void *fresh = realloc(old, more * size);
    if (fresh)
        *cap = more;
    return fresh;
}

/* ---- the header ---- */

static bool parse_dims(const char *text, struct trace_dim *out)
{
    int64_t v[3];
    const char *p = traceg_skip_blanks(text);
    if (*p++ != '(')
        return false;
    for (int i = 0; i < 3; i++) {
        p = traceg_skip_blanks(p);
        if (!traceg_dec(&p, &v[i]) || v[i] < 1 || v[i] > UINT32_MAX)
            return false;
        p = traceg_skip_blanks(p);
        if (*p++ != (i < 2 ? ',' : ')'))
            return false;
    }
    *out = (struct trace_dim){(uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]};
    return true;
}

static bool header_number(struct reader *r, const char *value, int64_t hi, int64_t *out)
{
    const char *p = value;
    if (!traceg_dec(&p, out) || *out < 0 || *out > hi)
        return traceg_refuse(r, "the value of this header line is not a number in its range");
    return true;
}

static bool header_line(struct reader *r, const char *key, const char *value)
{
    int64_t v;
    if (!strcmp(key, "kernel name")) {
        r->kernel.name = arena_strdup(r->mem, value);
    } else if (!strcmp(key, "grid dim")) {
        if (!parse_dims(value, &r->kernel.grid))
            return traceg_refuse(r, "expected three whole numbers above 0: grid dim = (x,y,z)");
        r->state.has_grid = true;
    } else if (!strcmp(key, "block dim")) {
        struct trace_dim *b = &r->kernel.block;
        if (!parse_dims(value, b))
            return traceg_refuse(r, "expected three whole numbers above 0: block dim = (x,y,z)");
        uint64_t limit = TRACE_LANES * TRACE_MAX_WARPS;
        if (b->x > limit || b->y > limit || b->z > limit || (uint64_t)b->x * b->y * b->z > limit)
            return traceg_refuse(r, "a block has more than 2048 threads");
        r->kernel.warps_per_cta =
            (uint32_t)bits_ceil_div((uint64_t)b->x * b->y * b->z, TRACE_LANES);
        r->state.has_block = true;
    } else if (!strcmp(key, "shmem")) {
        if (!header_number(r, value, UINT32_MAX, &v))
            return false;
        r->kernel.shared_bytes = (uint32_t)v;
    } else if (!strcmp(key, "nregs")) {
        if (!header_number(r, value, 65535, &v))
            return false;
        r->kernel.regs_per_thread = (uint32_t)v;
    } else if (!strcmp(key, "accelsim tracer version")) {
        if (!header_number(r, value, 1000, &v))
            return false;
        r->state.version = (int)v;
    } else if (!strcmp(key, "enable lineinfo")) {
        if (!header_number(r, value, 1, &v))
            return false;
        r->state.has_lineinfo = v != 0;
    } else if (!strcmp(key, "shmem base_addr") || !strcmp(key, "local mem base_addr")) {
        uint64_t a;
        const char *p = value;
        if (!traceg_hex(&p, &a))
            return traceg_refuse(r, "expected a hexadecimal address");
        *(key[0] == 's' ? &r->state.shared_base : &r->state.local_base) = a;
    }
    return true; /* other keys carry nothing about timing */
}

static bool read_header(struct reader *r)
{
    char *line;
    size_t n;
    int got;
    while ((got = lines_next(r->lines, &line, &n, r->err)) == 1) {
        char *p = (char *)traceg_skip_blanks(line);
        if (lines_number(r->lines) > MOST_HEADER_LINES)
            return traceg_refuse(r, "no line '#traces format' among the first 10000 lines");
        if (*p == '\0')
            continue;
        if (*p == '#') {
            if (strncmp(p, "#traces format", 14) == 0)
                break;
            if (strncmp(p, "#BEGIN_TB", 9) == 0)
                return traceg_refuse(r, "a thread block begins before the line '#traces format'");
            continue;
        }
        char *eq = strchr(p, '=');
        if (*p != '-' || !eq)
            return traceg_refuse(r, "expected a header line '-key = value' or '#traces format'");
        char *end = eq;
        while (end > p + 1 && (end[-1] == ' ' || end[-1] == '\t'))
            end--;
        *end = '\0';
        char *value = (char *)traceg_skip_blanks(eq + 1);
        for (size_t k = strlen(value); k && (value[k - 1] == ' ' || value[k - 1] == '\t'); k--)
            value[k - 1] = '\0';
        if (!header_line(r, p + 1, value))
            return false;
    }
    if (got < 0)
        return false;
    if (got == 0)
        return traceg_refuse(r, "the file ends before the line '#traces format'");
    if (!r->state.has_grid || !r->state.has_block)
        return traceg_refuse(r, "the header lacks 'grid dim' or 'block dim'");
    return true;
}
/* ---- blocks ---- */

/* The text behind "key =" if the line is one, else NULL. */
static const char *assigned(const char *line, const char *key)
{
    const char *p = traceg_skip_blanks(line);
    size_t n = strlen(key);
    if (strncmp(p, key, n) != 0)
        return NULL;
    p = traceg_skip_blanks(p + n);
    return *p == '=' ? traceg_skip_blanks(p + 1) : NULL;
}

static bool read_block_id(struct reader *r, const char *value)
{
    int64_t v[3];
    const struct trace_dim *g = &r->kernel.grid;
    const uint32_t most[3] = {g->x, g->y, g->z};
    for (int i = 0; i < 3; i++) {
        value = traceg_skip_blanks(value);
        if (!traceg_dec(&value, &v[i]) || (i < 2 && *value++ != ','))
            return traceg_refuse(r, "expected 'thread block = x,y,z'");
        if (v[i] < 0 || v[i] >= most[i])
            return traceg_refuse(r, "the thread block lies outside the grid");
    }
    uint64_t id =
        (uint64_t)v[0] + (uint64_t)g->x * ((uint64_t)v[1] + (uint64_t)g->y * (uint64_t)v[2]);
    if ((uint64_t)g->x * g->y > MAX_CTAS || (uint64_t)g->x * g->y * g->z > MAX_CTAS)
        return traceg_refuse(r, "the grid has more than 268435456 thread blocks");
    if (!r->is_there)
        r->is_there = calloc(((size_t)g->x * g->y * g->z + 7) / 8, 1);
    if (!r->is_there)
        return err_add(r->err, ERR_MACHINE, AT_FILE(r->file), "out of memory");
    if (r->is_there[id / 8] >> (id % 8) & 1)
        return traceg_refuse(r, "the thread block comes twice");
    r->is_there[id / 8] |= (uint8_t)(1u << (id % 8));
    r->cta.id = (uint32_t)id;
    return true;
}

static bool read_warp(struct reader *r, const char *value)
{
    int64_t v;
    char *line;
    size_t n;
    const char *p = value;
    if (!traceg_dec(&p, &v) || v != r->cta.n_warps)
        return traceg_refuse(r, "the warps of a thread block must be numbered 0, 1, 2, …");
    if (r->cta.n_warps == r->kernel.warps_per_cta)
        return traceg_refuse(r, "the thread block has more warps than its size asks for");
    int got = lines_next(r->lines, &line, &n, r->err);
    if (got < 0)
        return false;
    p = got ? assigned(line, "insts") : NULL;
    if (!p || !traceg_dec(&p, &v) || v < 0 || v > MAX_WARP_INSTS)
        return traceg_refuse(r, "expected 'insts = N' after 'warp = W'");
    r->last = NONE;
    for (int64_t i = 0; i < v; i++) {
        got = lines_next(r->lines, &line, &n, r->err);
        if (got < 0)
            return false;
        if (got == 0)
            return traceg_refuse(r, "the file ends inside a warp");
        if (n == 0 || line[0] == '#' || line[0] == 'w')
            return traceg_refuse(r, "the warp has fewer instructions than 'insts' promises");
        if (!traceg_instruction(r, line, n))
            return false;
    }
    r->kernel.n_warp_insts += (uint64_t)v;
    r->counts[r->cta.n_warps++] = (uint32_t)v;
    return true;
}

uint64_t traceg_hash(uint64_t h, const void *data, size_t n)
{
    const char *p = data;
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t w;
        memcpy(&w, p, 8);
        h = (h ^ w) * 0x9e3779b97f4a7c15u;
        h ^= h >> 32;
    }
    uint64_t rest = 0;
    if (n)
        memcpy(&rest, p, n);
    return rng_mix(h ^ rest);
}

static bool end_block(struct reader *r)
{
    if (r->cta.n_warps != r->kernel.warps_per_cta)
        return traceg_refuse(r, "the thread block has fewer warps than its size asks for");
    size_t heads = sizeof r->cta + r->cta.n_warps * sizeof r->counts[0];
    size_t insts = r->n_insts * sizeof *r->insts;
    size_t total = heads + insts + r->n_bytes;
    char *block = traceg_grown(r->block, &r->cap_block, total, 1);
    if (!block)
        return err_add(r->err, ERR_MACHINE, AT_FILE(r->file), "out of memory");
    r->block = block;
    r->cta.n_insts = (uint32_t)r->n_insts;
    r->cta.n_bytes = (uint32_t)r->n_bytes;
    memcpy(block, &r->cta, sizeof r->cta);
    memcpy(block + sizeof r->cta, r->counts, heads - sizeof r->cta);
    if (insts)
        memcpy(block + heads, r->insts, insts);
    if (r->n_bytes)
        memcpy(block + heads + insts, r->bytes, r->n_bytes);
    r->hash = traceg_hash(r->hash, block, total);
    r->kernel.n_ctas++;
    return spool_add(r->spool, block, total, r->err);
}

static bool read_block(struct reader *r)
{
    char *line;
    size_t n;
    int got;
    bool has_id = false;
    r->cta = (struct packed_cta){0};
    r->n_insts = r->n_bytes = 0;
    while ((got = lines_next(r->lines, &line, &n, r->err)) == 1) {
        const char *p = traceg_skip_blanks(line), *value;
        if (*p == '\0')
            continue;
        if (strncmp(p, "#END_TB", 7) == 0)
            return has_id ? end_block(r) : traceg_refuse(r, "the thread block has no number");
        if ((value = assigned(p, "thread block"))) {
            if (has_id)
                return traceg_refuse(r, "the thread block has two numbers");
            if (!read_block_id(r, value))
                return false;
            has_id = true;
        } else if ((value = assigned(p, "warp"))) {
            if (!read_warp(r, value))
                return false;
        } else if (strncmp(p, "#BEGIN_TB", 9) == 0) {
            return traceg_refuse(r, "a thread block begins inside another");
        } else if (*p != '#') {
            return traceg_refuse(r,
                                 "expected 'warp = W', '#END_TB' or 'thread block = x,y,z' "
                                 "(does the warp before have more instructions than it promises?)");
        }
    }
    return got < 0 ? false : traceg_refuse(r, "the file ends inside a thread block");
}

static bool read_blocks(struct reader *r)
{
    char *line;
    size_t n;
    int got;
    while ((got = lines_next(r->lines, &line, &n, r->err)) == 1) {
        const char *p = traceg_skip_blanks(line);
        if (strncmp(p, "#BEGIN_TB", 9) == 0) {
            if (!read_block(r))
                return false;
        } else if (*p != '\0' && *p != '#') {
            return traceg_refuse(r, "expected '#BEGIN_TB'");
        }
    }
    if (got < 0)
        return false;
    if (r->kernel.n_ctas == 0)
        return traceg_refuse(r, "the kernel has no thread block");
    uint64_t all = (uint64_t)r->kernel.grid.x * r->kernel.grid.y * r->kernel.grid.z;
    if (r->kernel.n_ctas < all)
        return err_add(r->err, ERR_INPUT, AT_LINE(r->file, lines_number(r->lines)),
                       "the file ends after %" PRIu64 " of the grid's %" PRIu64 " thread blocks",
                       (uint64_t)r->kernel.n_ctas, all);
    return true;
}

bool traceg_read(const char *path, struct arena *mem, struct spool *spool, uint64_t *hash,
                 struct trace_kernel *out, struct err *err)
{
    struct reader *r = calloc(1, sizeof *r);
    if (!r)
        return err_add(err, ERR_MACHINE, AT_FILE(path), "out of memory");
    arena_init(&r->scratch, NULL, NULL);
    r->file = path;
    r->mem = mem;
    r->err = err;
    r->spool = spool;
    r->hash = *hash;
    r->kernel.name = "";
    r->last = r->first = NONE;
    map_init(&r->warned, &r->scratch);
    for (uint32_t i = 0; i < PC_SLOTS; i++)
        r->by_pc[i] = r->memo[i] = NONE;
    r->lines = lines_open(path, err);
    bool ok = r->lines && read_header(r) && read_blocks(r);
    if (ok) {
        r->kernel.statics = r->statics.at;
        r->kernel.n_statics = (uint32_t)r->statics.n;
        r->hash = traceg_hash(r->hash, r->statics.at, r->statics.n * sizeof *r->statics.at);
        *hash = r->hash;
        *out = r->kernel;
    }
    lines_close(r->lines);
    arena_free(&r->scratch);
    free(r->insts);
    free(r->bytes);
    free(r->block);
    free(r->is_there);
    free(r);
    return ok;
}
