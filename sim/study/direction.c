/* SPDX-License-Identifier: MIT */
#include "sim/study/direction.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "sim/trace/trace.h"

#define SAMPLES 4u /* along each side of the grid */

struct lines {
    uint64_t *at; /* ascending, each once */
    size_t n;
};

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool is_read(const struct trace_kernel *k, const struct trace_inst *in)
{
    const struct trace_static *s = &k->statics[in->stat];
    return s->cls == TC_LOAD && (s->space == TS_GLOBAL || s->space == TS_TEXTURE);
}

static size_t count_addresses(const struct trace_kernel *k, const struct trace_cta *cta)
{
    size_t n = 0;
    for (uint32_t w = 0; w < cta->n_warps; w++)
        for (uint32_t i = 0; i < cta->warps[w].n_insts; i++)
            if (is_read(k, &cta->warps[w].insts[i]))
                n += cta->warps[w].insts[i].n_addresses;
    return n;
}

static void keep_each_once(struct lines *l)
{
    size_t n = 0;
    qsort(l->at, l->n, sizeof *l->at, by_value);
    for (size_t i = 0; i < l->n; i++)
        if (n == 0 || l->at[n - 1] != l->at[i])
            l->at[n++] = l->at[i];
    l->n = n;
}

static bool lines_of(const struct trace_source *src, uint32_t kernel, uint32_t cta,
                     uint32_t line_bytes, struct arena *mem, struct lines *out, struct err *err)
{
    const struct trace_kernel *k = &src->kernels[kernel];
    struct trace_cta t;
    if (!src->load_cta(src, kernel, cta, &t, err))
        return false;
    *out = (struct lines){.at = arena_many(mem, uint64_t, count_addresses(k, &t) + 1)};
    for (uint32_t w = 0; w < t.n_warps; w++)
        for (uint32_t i = 0; i < t.warps[w].n_insts; i++) {
            const struct trace_inst *in = &t.warps[w].insts[i];
            if (!is_read(k, in))
                continue;
            for (uint32_t a = 0; a < in->n_addresses; a++)
                out->at[out->n++] = t.addresses[in->first_address + a] / line_bytes;
        }
    src->free_cta(src, &t);
    keep_each_once(out);
    return true;
}

static uint64_t in_common(const struct lines *a, const struct lines *b)
{
    uint64_t n = 0;
    for (size_t i = 0, j = 0; i < a->n && j < b->n;) {
        uint64_t x = a->at[i], y = b->at[j];
        n += x == y;
        i += x <= y;
        j += x >= y;
    }
    return n;
}

static bool look_at(const struct trace_source *src, uint32_t kernel, uint32_t columns, uint32_t cta,
                    uint32_t line_bytes, struct direction *d, struct err *err)
{
    uint32_t n_ctas = src->kernels[kernel].n_ctas;
    struct arena mem;
    struct lines own, beside = {0}, below = {0};
    arena_init(&mem, NULL, NULL);
    bool has_beside = cta % columns + 1 < columns, has_below = cta + columns < n_ctas;
    bool ok = lines_of(src, kernel, cta, line_bytes, &mem, &own, err);
    ok = ok && (!has_beside || lines_of(src, kernel, cta + 1, line_bytes, &mem, &beside, err));
    ok = ok && (!has_below || lines_of(src, kernel, cta + columns, line_bytes, &mem, &below, err));
    if (ok) {
        d->lines += own.n;
        d->row_lines += in_common(&own, &beside);
        d->column_lines += in_common(&own, &below);
    }
    arena_free(&mem);
    return ok;
}

bool study_direction(const struct trace_source *source, uint32_t kernel, uint32_t line_bytes,
                     struct direction *out, struct err *err)
{
    const struct trace_kernel *k = &source->kernels[kernel];
    bool is_whole = k->grid.x && k->n_ctas % k->grid.x == 0;
    uint32_t columns = is_whole ? k->grid.x : k->n_ctas, rows = k->n_ctas / columns;
    uint32_t nx = columns < SAMPLES ? columns : SAMPLES, ny = rows < SAMPLES ? rows : SAMPLES;
    struct direction d = {0};
    for (uint32_t y = 0; y < ny; y++)
        for (uint32_t x = 0; x < nx; x++) {
            uint32_t cta = (uint32_t)((uint64_t)y * rows / ny) * columns +
                           (uint32_t)((uint64_t)x * columns / nx);
            if (!look_at(source, kernel, columns, cta, line_bytes, &d, err))
                return false;
        }
    *out = d;
    return true;
}
