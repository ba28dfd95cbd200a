/* SPDX-License-Identifier: MIT
 *
 * Initial contents of buffers. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/file.h"
#include "base/rng.h"
#include "sim/workload/workload.h"

static const struct {
    const char *name;
    uint32_t bytes;
    bool is_real;
} types[] = {
    [REF_U8] = {"u8", 1, false},   [REF_S8] = {"s8", 1, false},   [REF_U16] = {"u16", 2, false},
    [REF_S16] = {"s16", 2, false}, [REF_U32] = {"u32", 4, false}, [REF_S32] = {"s32", 4, false},
    [REF_U64] = {"u64", 8, false}, [REF_S64] = {"s64", 8, false}, [REF_F32] = {"f32", 4, true},
    [REF_F64] = {"f64", 8, true},
};

const char *workload_type_name(enum ref_type type)
{
    return types[type].name;
}

uint32_t workload_type_bytes(enum ref_type type)
{
    return types[type].bytes;
}

void workload_put(enum ref_type type, void *to, uint64_t index, struct workload_number v)
{
    if (type == REF_F32) {
        ((float *)to)[index] = (float)v.real;
    } else if (type == REF_F64) {
        ((double *)to)[index] = v.real;
    } else {
        /* a real number beside an integer buffer was refused by the reader */
        uint64_t bits = (uint64_t)v.integer;
        memcpy((uint8_t *)to + index * types[type].bytes, &bits, types[type].bytes);
    }
}

static struct workload_number whole(int64_t v)
{
    return (struct workload_number){.integer = v, .real = (double)v};
}

static struct workload_number real(double v)
{
    return (struct workload_number){.is_real = true, .real = v};
}

static void fill_iota(const struct workload_buffer *b, void *to)
{
    bool is_real = types[b->type].is_real;
    for (uint64_t i = 0; i < b->count; i++) {
        if (is_real) {
            workload_put(b->type, to, i, real(b->start.real + (double)i * b->step.real));
            continue;
        }
        uint64_t v = (uint64_t)b->start.integer + i * (uint64_t)b->step.integer;
        int64_t s = (int64_t)v;
        if (b->mod) {
            s %= b->mod;
            s += s < 0 ? b->mod : 0;
        }
        workload_put(b->type, to, i, whole(s));
    }
}

/* Uniform in 0..n-1 for any n (Lemire 2019 in 64 bits). */
static uint64_t below(struct rng *r, uint64_t n)
{
    unsigned __int128 m = (unsigned __int128)rng_u64(r) * n;
    if ((uint64_t)m < n)
        for (uint64_t floor = (0 - n) % n; (uint64_t)m < floor;)
            m = (unsigned __int128)rng_u64(r) * n;
    return (uint64_t)(m >> 64);
}

static void fill_random(const struct workload_buffer *b, void *to)
{
    struct rng r;
    rng_seed(&r, b->seed, b->name, 0);
    double low = b->low.real, width = b->high.real - low;
    uint64_t span = (uint64_t)b->high.integer - (uint64_t)b->low.integer;
    for (uint64_t i = 0; i < b->count; i++) {
        if (!types[b->type].is_real) {
            workload_put(b->type, to, i,
                         whole((int64_t)((uint64_t)b->low.integer + below(&r, span))));
            continue;
        }
        double v = low + width * rng_unit(&r);
        /* rounding may reach the upper end, which does not belong to the range */
        if ((b->type == REF_F32 ? (double)(float)v : v) >= b->high.real)
            v = low;
        workload_put(b->type, to, i, real(v));
    }
}

bool workload_fill_file(const struct workload_buffer *b, bool is_exact, void *to, struct err *err)
{
    size_t want = (size_t)b->count * types[b->type].bytes;
    FILE *f = fopen(b->file, "rb");
    if (!f)
        return err_add(err, file_blame(errno), b->at, "cannot open '%s': %s", b->file,
                       strerror(errno));
    errno = 0;
    size_t got = fread(to, 1, want, f);
    bool is_longer = got == want && is_exact && fgetc(f) != EOF;
    int why = ferror(f) ? errno : 0;
    fclose(f);
    if (why)
        return err_add(err, file_blame(why), b->at, "cannot read '%s': %s", b->file, strerror(why));
    if (is_longer)
        return err_add(err, ERR_INPUT, b->at, "'%s' has more than the %zu bytes of buffer '%s'",
                       b->file, want, b->name);
    if (got != want)
        return err_add(err, ERR_INPUT, b->at, "'%s' has %zu bytes, buffer '%s' needs %zu", b->file,
                       got, b->name, want);
    return true;
}

/* ---- graphs ---------------------------------------------------------------------------------- */

struct edges {
    uint32_t *from, *to;
    uint64_t n;
};

static void draw_uniform(struct edges *e, struct rng *r, uint32_t nodes)
{
    for (uint64_t i = 0; i < e->n; i++) {
        e->from[i] = rng_below(r, nodes);
        e->to[i] = rng_below(r, nodes);
    }
}

/* Chakrabarti, Zhan and Faloutsos 2004: each level of the matrix sends the edge to one quarter. */
static void draw_rmat(struct edges *e, struct rng *r, uint32_t nodes)
{
    uint32_t levels = bits_clog2(nodes);
    for (uint64_t i = 0; i < e->n; i++) {
        do {
            e->from[i] = e->to[i] = 0;
            for (uint32_t l = 0; l < levels; l++) {
                double u = rng_unit(r);
                e->from[i] = e->from[i] << 1 | (u >= 0.57 + 0.19);
                e->to[i] = e->to[i] << 1 | ((u >= 0.57 && u < 0.57 + 0.19) || u >= 0.57 + 2 * 0.19);
            }
        } while (e->from[i] >= nodes || e->to[i] >= nodes);
    }
}

static void draw_torus(struct edges *e, uint32_t nodes)
{
    uint32_t side = (uint32_t)lround(sqrt(nodes));
    for (uint32_t v = 0; v < nodes; v++) {
        uint32_t x = v % side, y = v / side;
        uint32_t to[4] = {y * side + (x + 1) % side, y * side + (x + side - 1) % side,
                          (y + 1) % side * side + x, (y + side - 1) % side * side + x};
        for (int k = 0; k < 4; k++) {
            e->from[4 * (uint64_t)v + (uint64_t)k] = v;
            e->to[4 * (uint64_t)v + (uint64_t)k] = to[k];
        }
    }
}

/* Stable counting sort of the edges by `key`. */
static void sort_by(const struct edges *in, const uint32_t *key, struct edges *out,
                    uint64_t *counts, uint32_t nodes)
{
    memset(counts, 0, ((size_t)nodes + 1) * sizeof *counts);
    for (uint64_t i = 0; i < in->n; i++)
        counts[key[i] + 1]++;
    for (uint32_t v = 0; v < nodes; v++)
        counts[v + 1] += counts[v];
    for (uint64_t i = 0; i < in->n; i++) {
        uint64_t at = counts[key[i]]++;
        out->from[at] = in->from[i];
        out->to[at] = in->to[i];
    }
}

static void put_part(const struct workload_buffer *b, const struct edges *sorted, uint32_t nodes,
                     void *to)
{
    uint64_t edge = 0;
    if (b->part == WP_EDGES) {
        for (uint64_t i = 0; i < sorted->n && i < b->count; i++)
            workload_put(b->type, to, i, whole(sorted->to[i]));
        return;
    }
    for (uint32_t v = 0; v <= nodes; v++) {
        uint64_t first = edge;
        if (b->part == WP_ROWS && v < b->count)
            workload_put(b->type, to, v, whole((int64_t)edge));
        while (v < nodes && edge < sorted->n && sorted->from[edge] == v)
            edge++;
        if (b->part == WP_DEGREES && v < nodes && v < b->count)
            workload_put(b->type, to, v, whole((int64_t)(edge - first)));
    }
}

static bool fill_graph(const struct workload_buffer *b, void *to, struct err *err)
{
    uint32_t nodes = (uint32_t)b->nodes;
    uint64_t n = (uint64_t)b->nodes * (uint64_t)b->degree;
    uint32_t *mem = calloc(n * 4 + 1, sizeof *mem);
    uint64_t *counts = calloc((size_t)nodes + 1, sizeof *counts);
    bool ok = mem && counts;
    if (ok) {
        struct edges drawn = {mem, mem + n, n}, other = {mem + 2 * n, mem + 3 * n, n};
        struct rng r;
        rng_seed(&r, b->seed, "graph", 0);
        if (b->graph == WG_UNIFORM)
            draw_uniform(&drawn, &r, nodes);
        else if (b->graph == WG_RMAT)
            draw_rmat(&drawn, &r, nodes);
        else
            draw_torus(&drawn, nodes);
        sort_by(&drawn, drawn.to, &other, counts, nodes);
        sort_by(&other, other.from, &drawn, counts, nodes);
        put_part(b, &drawn, nodes, to);
    } else {
        err_add(err, ERR_MACHINE, b->at, "no memory for a graph of %lld nodes",
                (long long)b->nodes);
    }
    free(mem);
    free(counts);
    return ok;
}

bool workload_fill(const struct workload_buffer *b, void *to, struct err *err)
{
    switch (b->init) {
    case WI_KEEP: return true;
    case WI_ZERO: memset(to, 0, (size_t)b->count * types[b->type].bytes); return true;
    case WI_VALUE:
        for (uint64_t i = 0; i < b->count; i++)
            workload_put(b->type, to, i, b->value);
        return true;
    case WI_IOTA: fill_iota(b, to); return true;
    case WI_RANDOM: fill_random(b, to); return true;
    case WI_VALUES:
        for (uint64_t i = 0; i < b->count; i++)
            workload_put(b->type, to, i, b->values[i % b->n_values]);
        return true;
    case WI_FILE: return workload_fill_file(b, false, to, err);
    case WI_GRAPH: return fill_graph(b, to, err);
    case WI_ADDRESSES:
    case WI_FORMULA: break; /* sim/workload/workload.c: they ask for other buffers */
    }
    return false;
}

double workload_get(enum ref_type type, const void *from, uint64_t index)
{
    const char *at = (const char *)from + index * workload_type_bytes(type);
    uint64_t bits = 0;
    float f;
    double d;
    memcpy(&bits, at, workload_type_bytes(type)); /* little-endian hosts: sim/ptx/launch.c */
    switch (type) {
    case REF_F32: memcpy(&f, at, sizeof f); return (double)f;
    case REF_F64: memcpy(&d, at, sizeof d); return d;
    case REF_S8: return (double)(int8_t)bits;
    case REF_S16: return (double)(int16_t)bits;
    case REF_S32: return (double)(int32_t)bits;
    case REF_S64: return (double)(int64_t)bits;
    default: return (double)bits;
    }
}

const char *workload_text(enum ref_type type, const void *from, uint64_t index, char text[32])
{
    int64_t v;
    if (type != REF_U64 && type != REF_S64) {
        snprintf(text, 32, "%.*g", type == REF_F64 ? 17 : 9, workload_get(type, from, index));
        return text;
    }
    memcpy(&v, (const char *)from + index * sizeof v, sizeof v);
    if (type == REF_U64)
        snprintf(text, 32, "%" PRIu64, (uint64_t)v);
    else
        snprintf(text, 32, "%" PRId64, v);
    return text;
}
