/* SPDX-License-Identifier: MIT */
#include "sim/study/sharing.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sim/cta/partition.h"
#include "sim/study/dataflow.h"
#include "sim/study/line_table.h"
#include "sim/trace/trace.h"

#define WORDS (SHARING_LINE / 4)
#define SEVERAL UINT32_MAX
#define SAMPLES 64u                      /* SMs, or CTAs, that a set of bits stands for */
#define SECTOR 32u                       /* bytes: the least that memory moves */
#define IN_CONSTANTS ((uint64_t)1 << 57) /* numbers of lines of constant memory */

struct line {
    uint64_t number;               /* + 1; 0: empty */
    uint32_t reader[WORDS];        /* CTA + 1, or SEVERAL */
    uint32_t any, writer;          /* of the line: CTA + 1, or SEVERAL */
    uint64_t dealt, rows, columns; /* SMs (mod 64) that read it */
};

static void meet(uint32_t *who, uint32_t cta)
{
    *who = !*who || *who == cta + 1 ? cta + 1 : SEVERAL;
}

/* ---- one launch, looked at twice ---- */

struct walk {
    struct line_table lines;  /* of struct line */
    struct line_table before; /* written by earlier launches of the kernel; only `writer` is used */
    struct sharing *out;
    const struct trace_kernel *k;
    struct cta_partition parts;
    uint32_t cta, dealt, row, column; /* the CTA, and the SM it would be on */
    bool is_second;
    struct dataflow *flow;
};

static bool is_read(const struct trace_static *s)
{
    return s->cls == TC_LOAD && (s->space == TS_GLOBAL || s->space == TS_TEXTURE);
}

static bool is_constant(const struct trace_static *s)
{
    return s->cls == TC_LOAD && s->space == TS_CONST;
}

static bool is_written(const struct trace_static *s)
{
    return s->space == TS_GLOBAL &&
           (s->cls == TC_STORE || s->cls == TC_ATOMIC || s->cls == TC_REDUCE);
}

struct touched {
    uint64_t line;
    uint32_t words; /* bit set */
    uint8_t sectors;
};

static uint32_t touch(const uint64_t *a, uint32_t n, uint32_t bytes, struct touched *out)
{
    uint32_t n_lines = 0, n_words = bytes > 4 ? bytes / 4 : 1;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t w = 0; w < n_words; w++) {
            uint64_t at = a[i] + w * 4, line = at / SHARING_LINE;
            uint32_t k = n_lines, in = (uint32_t)(at % SHARING_LINE);
            while (k && out[k - 1].line != line)
                k--;
            if (!k) {
                out[n_lines++] = (struct touched){.line = line};
                k = n_lines;
            }
            out[k - 1].words |= 1u << (in / 4);
            out[k - 1].sectors |= (uint8_t)(1u << (in / 32));
        }
    return n_lines;
}

static void note_read(struct walk *w, struct line *l, const struct touched *t)
{
    for (uint32_t m = t->words; m; m &= m - 1)
        meet(&l->reader[__builtin_ctz(m)], w->cta);
    meet(&l->any, w->cta);
    l->dealt |= (uint64_t)1 << w->dealt % SAMPLES;
    l->rows |= (uint64_t)1 << w->row % SAMPLES;
    l->columns |= (uint64_t)1 << w->column % SAMPLES;
}

static void count_read(struct walk *w, const struct line *l, const struct touched *t, bool by_data)
{
    struct sharing *s = w->out;
    bool is_shared = false;
    for (uint32_t m = t->words; m; m &= m - 1)
        is_shared |= l->reader[__builtin_ctz(m)] == SEVERAL;
    s->accesses++;
    s->shared_lines += l->any == SEVERAL;
    s->shared_words += is_shared;
    const struct line *before = w->before.n ? line_table_find(&w->before, t->line) : NULL;
    uint32_t earlier = before && before->number ? before->writer : 0;
    s->written +=
        (l->writer && (is_shared || l->writer != w->cta + 1)) || (earlier && earlier != w->cta + 1);
    s->irregular += by_data;
}

static void count_density(struct sharing *s, const struct touched *t, uint32_t n, uint32_t wanted)
{
    uint32_t words = 0, sectors = 0, pieces = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool goes_on = false; /* its first word follows the last of the line before */
        for (uint32_t k = 0; k < n && t[i].words & 1; k++)
            goes_on |= t[k].line + 1 == t[i].line && t[k].words >> (WORDS - 1);
        words += (uint32_t)__builtin_popcount(t[i].words);
        sectors += (uint32_t)__builtin_popcount(t[i].sectors);
        pieces += (uint32_t)__builtin_popcount(t[i].words & ~(t[i].words << 1)) - goes_on;
    }
    if (sectors < 2)
        return;
    s->bytes += 4 * words;
    s->sector_bytes += SECTOR * sectors;
    s->torn += 4 * words < SECTOR * pieces && wanted < SECTOR * sectors ? n : 0;
}

/* Constant memory has a cache of its own: no line of it is wanted in an L1. */
static bool visit_constants(struct walk *w, const struct touched *t, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct line *l = line_table_at(&w->lines, t[i].line | IN_CONSTANTS);
        bool is_shared = false;
        if (!l)
            return false;
        for (uint32_t m = t[i].words; m; m &= m - 1) {
            uint32_t *reader = &l->reader[__builtin_ctz(m)];
            is_shared |= *reader == SEVERAL;
            if (!w->is_second)
                meet(reader, w->cta);
        }
        w->out->constants += w->is_second && is_shared;
    }
    return true;
}

static bool visit(struct walk *w, const struct trace_static *s, const uint64_t *a, uint32_t n,
                  bool by_data)
{
    struct touched t[TRACE_LANES * 4];
    bool reads = is_read(s);
    if (w->is_second && !reads && !is_constant(s))
        return true;
    uint32_t n_lines = touch(a, n, s->access_bytes, t);
    if (is_constant(s))
        return visit_constants(w, t, n_lines);
    if (w->is_second)
        count_density(w->out, t, n_lines, n * s->access_bytes);
    for (uint32_t i = 0; i < n_lines; i++) {
        struct line *l = line_table_at(&w->lines, t[i].line);
        if (!l)
            return false;
        if (w->is_second)
            count_read(w, l, &t[i], by_data);
        else if (reads)
            note_read(w, l, &t[i]);
        else
            meet(&l->writer, w->cta);
    }
    return true;
}

static bool visit_inst(struct walk *w, const struct trace_cta *t, uint32_t warp,
                       const struct trace_inst *in)
{
    const struct trace_static *s = &w->k->statics[in->stat];
    bool by_data = dataflow_step(w->flow, warp, s, in) != 0;
    if (!in->n_addresses)
        return true;
    if (s->space == TS_SHARED && w->is_second) {
        w->out->scratch++;
        w->out->driven += by_data;
    }
    if (!is_read(s) && !is_written(s) && !is_constant(s))
        return true;
    return visit(w, s, t->addresses + in->first_address, in->n_addresses, by_data);
}

static bool walk_ctas(struct walk *w, const struct trace_source *src, uint32_t kernel,
                      struct err *err)
{
    uint32_t columns =
        w->k->grid.x && w->k->n_ctas % w->k->grid.x == 0 ? w->k->grid.x : w->k->n_ctas;
    uint32_t rows = w->k->n_ctas / columns;
    for (w->cta = 0; w->cta < w->k->n_ctas; w->cta++) {
        struct trace_cta t;
        bool ok = true;
        if (!src->load_cta(src, kernel, w->cta, &t, err))
            return false;
        w->dealt = w->cta % w->parts.m;
        w->row = cta_position_of(&w->parts, w->cta).i;
        w->column = cta_position_of(&w->parts, w->cta % columns * rows + w->cta / columns).i;
        for (uint32_t i = 0; i < t.n_warps; i++)
            w->out->insts += w->is_second ? t.warps[i].n_insts : 0;
        dataflow_begin_cta(w->flow, t.n_warps);
        for (uint32_t i = 0; i < t.n_warps; i++)
            for (uint32_t j = 0; j < t.warps[i].n_insts && ok; j++)
                ok = visit_inst(w, &t, i, &t.warps[i].insts[j]);
        src->free_cta(src, &t);
        if (!ok)
            return err_add(err, ERR_MACHINE, AT_FILE(src->file), "no memory to count its lines");
    }
    return true;
}

static void count_lines(const struct walk *w)
{
    const struct line *lines = w->lines.slots;
    for (uint64_t i = 0; i < w->lines.n_slots; i++) {
        const struct line *l = &lines[i];
        if (!l->number || !l->any)
            continue;
        w->out->dealt += (uint32_t)__builtin_popcountll(l->dealt);
        w->out->rows += (uint32_t)__builtin_popcountll(l->rows);
        w->out->columns += (uint32_t)__builtin_popcountll(l->columns);
    }
}

/* What this launch wrote is before the next one of the kernel. */
static bool keep_written(const struct line_table *now, struct line_table *before)
{
    const struct line *lines = now->slots;
    for (uint64_t i = 0; i < now->n_slots; i++) {
        const struct line *l = &lines[i];
        if (!l->number || !l->writer)
            continue;
        struct line *kept = line_table_at(before, l->number - 1);
        if (!kept)
            return false;
        kept->writer = l->writer;
    }
    return true;
}

static bool study_launch(struct walk *w, const struct trace_source *src, uint32_t k,
                         struct line_table *before, struct err *err)
{
    bool ok = walk_ctas(w, src, k, err);
    w->is_second = true;
    ok = ok && walk_ctas(w, src, k, err);
    if (ok) {
        count_lines(w);
        bool has_next = k + 1 < src->n_kernels && strcmp(src->kernels[k + 1].name, w->k->name) == 0;
        if (has_next && !keep_written(&w->lines, before))
            ok = err_add(err, ERR_MACHINE, AT_FILE(src->file), "no memory to count its lines");
    }
    line_table_end(&w->lines);
    return ok;
}

static struct sharing *sharing_of(struct sharing *all, uint32_t *n, const char *kernel)
{
    for (uint32_t i = 0; i < *n; i++)
        if (strcmp(all[i].kernel, kernel) == 0)
            return &all[i];
    all[*n] = (struct sharing){.kernel = kernel};
    return &all[(*n)++];
}

bool study_sharing(const struct trace_source *src, uint32_t n_sms, struct sharing *out,
                   struct err *err)
{
    struct sharing *all = calloc(src->n_kernels + 1, sizeof *all);
    struct dataflow *flow = malloc(sizeof *flow);
    struct line_table before = {.entry_bytes = sizeof(struct line)};
    uint32_t n = 0;
    bool ok = all && flow;
    if (!ok)
        err_add(err, ERR_MACHINE, AT_FILE(src->file), "no memory to count its lines");
    for (uint32_t k = 0; k < src->n_kernels && ok; k++) {
        if (k && strcmp(src->kernels[k].name, src->kernels[k - 1].name) != 0)
            line_table_end(&before);
        struct walk w = {.lines = {.entry_bytes = sizeof(struct line)},
                         .out = sharing_of(all, &n, src->kernels[k].name),
                         .before = before,
                         .k = &src->kernels[k],
                         .flow = flow,
                         .parts = cta_partition_of(src->kernels[k].n_ctas, n_sms)};
        flow->in_shared = flow->in_local = false;
        ok = study_launch(&w, src, k, &before, err);
    }
    line_table_end(&before);
    if (ok) {
        uint64_t insts = 0;
        *out = (struct sharing){0};
        for (uint32_t i = 0; i < n; i++) {
            insts += all[i].insts;
            if (!i || all[i].insts > out->insts)
                *out = all[i];
        }
        out->all = insts;
    }
    free(flow);
    free(all);
    return ok;
}
