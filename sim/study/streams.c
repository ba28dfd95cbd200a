/* SPDX-License-Identifier: MIT */
#include "sim/study/streams.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sim/study/line_table.h"
#include "sim/trace/trace.h"

/* Of a stream's accesses, so many may meet a line that is read again: the edges of tiles. */
#define MOST_REUSED 0.05

static bool is_load(const struct trace_static *s)
{
    return s->cls == TC_LOAD && s->space == TS_GLOBAL;
}

/* ---- how often lines are read ---- */

struct count {
    uint64_t line; /* + 1 */
    uint64_t n;
};

/* ---- the two walks ---- */

struct walk {
    struct line_table counts; /* of struct count */
    uint64_t *all, *reused;   /* [static] accesses of lines; null in the first walk */
    uint32_t line_bytes;
};

static bool visit(struct walk *w, const struct trace_inst *in, const uint64_t *addresses)
{
    uint64_t lines[TRACE_LANES];
    uint32_t n = 0;
    for (uint32_t i = 0; i < in->n_addresses; i++) {
        uint64_t line = addresses[i] / w->line_bytes;
        uint32_t k = n;
        while (k && lines[k - 1] != line)
            k--;
        if (!k)
            lines[n++] = line;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!w->all) {
            struct count *c = line_table_at(&w->counts, lines[i]);
            if (!c)
                return false;
            c->n++;
            continue;
        }
        w->all[in->stat]++;
        const struct count *c = line_table_find(&w->counts, lines[i]);
        w->reused[in->stat] += c->n > 1;
    }
    return true;
}

static bool walk(struct walk *w, const struct trace_source *src, uint32_t kernel, struct err *err)
{
    const struct trace_kernel *k = &src->kernels[kernel];
    for (uint32_t c = 0; c < k->n_ctas; c++) {
        struct trace_cta t;
        bool ok = true;
        if (!src->load_cta(src, kernel, c, &t, err))
            return false;
        for (uint32_t i = 0; i < t.n_warps; i++)
            for (uint32_t j = 0; j < t.warps[i].n_insts && ok; j++) {
                const struct trace_inst *in = &t.warps[i].insts[j];
                if (is_load(&k->statics[in->stat]))
                    ok = visit(w, in, t.addresses + in->first_address);
            }
        src->free_cta(src, &t);
        if (!ok)
            return err_add(err, ERR_MACHINE, AT_FILE(src->file), "no memory to count its lines");
    }
    return true;
}

static bool find_streams(const struct trace_source *src, uint32_t kernel, uint32_t line_bytes,
                         bool *marks, struct err *err)
{
    const struct trace_kernel *k = &src->kernels[kernel];
    struct walk w = {.line_bytes = line_bytes, .counts.entry_bytes = sizeof(struct count)};
    uint64_t *numbers = calloc(2 * (size_t)k->n_statics + 1, sizeof *numbers);
    bool ok = walk(&w, src, kernel, err);
    if (ok && !numbers)
        ok = err_add(err, ERR_MACHINE, AT_FILE(src->file), "no memory to count its lines");
    if (ok) {
        assert(numbers);
        w.all = numbers;
        w.reused = numbers + k->n_statics;
        ok = walk(&w, src, kernel, err);
    }
    for (uint32_t i = 0; ok && i < k->n_statics; i++)
        marks[i] = w.all[i] && (double)w.reused[i] <= MOST_REUSED * (double)w.all[i];
    line_table_end(&w.counts);
    free(numbers);
    return ok;
}

/* ---- a list ---- */

static bool has_kernel(const struct trace_source *src, const char *name, size_t n)
{
    for (uint32_t i = 0; i < src->n_kernels; i++)
        if (strlen(src->kernels[i].name) == n && memcmp(src->kernels[i].name, name, n) == 0)
            return true;
    return false;
}

static bool mark_one(const char *word, size_t n, const struct trace_source *src, uint32_t kernel,
                     bool *marks, struct err *err)
{
    const struct trace_kernel *k = &src->kernels[kernel];
    struct where at = {.file = src->file, .key = "l1.bypass_loads"};
    const char *colon = memchr(word, ':', n);
    for (const char *c = colon; c && c + 1 < word + n; c++)
        colon = c[1] == ':' ? c + 1 : colon; /* names may have colons */
    char *end = NULL;
    long line = colon && colon + 1 < word + n ? strtol(colon + 1, &end, 10) : 0;
    if (line < 1 || end != word + n)
        return err_add(err, ERR_INPUT, at, "expected \"streams\" or KERNEL:LINE, found '%.*s'",
                       (int)n, word);
    size_t name = (size_t)(colon - word);
    if (!has_kernel(src, word, name))
        return err_add(err, ERR_INPUT, at, "there is no kernel '%.*s'", (int)name, word);
    if (strlen(k->name) != name || memcmp(k->name, word, name) != 0)
        return true;
    bool any = false;
    for (uint32_t i = 0; i < k->n_statics; i++)
        if (k->statics[i].line == line && is_load(&k->statics[i]))
            any = marks[i] = true;
    return any ||
           err_add(err, ERR_INPUT, at, "line %ld of kernel %s is no global load", line, k->name);
}

bool study_bypass(const char *what, const struct trace_source *src, uint32_t kernel,
                  uint32_t line_bytes, bool *marks, struct err *err)
{
    if (strcmp(what, "streams") == 0)
        return find_streams(src, kernel, line_bytes, marks, err);
    for (const char *p = what;;) {
        p += strspn(p, " ,");
        size_t n = strcspn(p, " ,");
        if (!n)
            return true;
        if (!mark_one(p, n, src, kernel, marks, err))
            return false;
        p += n;
    }
}
