/* SPDX-License-Identifier: MIT */
#include "sim/cta/order_file.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/vec.h"

#define MAX_BYTES ((size_t)256 << 20)
#define MAX_CTAS ((uint64_t)1 << 26) /* of all orders of a file */

struct number {
    uint32_t cta;
    int line;
};

struct section {
    const char *kernel; /* NULL: of kernels that are not named */
    int line;
    VEC(struct number) numbers;
};

struct cta_order_file {
    const char *path;
    VEC(struct section) sections;
    uint64_t n;
};

static bool add(struct cta_order_file *f, uint64_t from, uint64_t to, int line, struct arena *mem,
                struct err *err)
{
    struct section *s = &f->sections.at[f->sections.n - 1];
    uint64_t n = (from < to ? to - from : from - to) + 1;
    f->n += n;
    if (f->n > MAX_CTAS)
        return err_add(err, ERR_INPUT, AT_LINE(f->path, line), "more than %" PRIu64 " CTAs",
                       MAX_CTAS);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t cta = (uint32_t)(from < to ? from + i : from - i);
        vec_push(mem, &s->numbers, ((struct number){cta, line}));
    }
    return true;
}

static bool read_number(const char **p, uint64_t *out)
{
    char *end;
    if (!isdigit((unsigned char)**p))
        return false;
    *out = strtoull(*p, &end, 10);
    *p = end;
    return *out < UINT32_MAX;
}

static bool read_numbers(struct cta_order_file *f, const char *p, int line, struct arena *mem,
                         struct err *err)
{
    for (;;) {
        p += strspn(p, " \t\r,");
        if (!*p)
            return true;
        const char *word = p;
        uint64_t from = 0, to;
        bool ok = read_number(&p, &from);
        to = from;
        if (ok && *p == '-') {
            p++;
            ok = read_number(&p, &to);
        }
        if (!ok || (*p && !strchr(" \t\r,", *p)))
            return err_add(err, ERR_INPUT, AT_LINE(f->path, line),
                           "expected the number of a CTA or a range such as 0-15, found '%.*s'",
                           (int)strcspn(word, " \t\r,"), word);
        if (!add(f, from, to, line, mem, err))
            return false;
    }
}

static bool read_line(struct cta_order_file *f, char *text, int line, struct arena *mem,
                      struct err *err)
{
    text[strcspn(text, "#")] = 0;
    char *p = text + strspn(text, " \t\r");
    if (strncmp(p, "kernel", 6) != 0 || (p[6] && !strchr(" \t\r", p[6])))
        return read_numbers(f, p, line, mem, err);
    p += 6 + strspn(p + 6, " \t\r");
    p[strcspn(p, " \t\r")] = 0;
    if (!*p)
        return err_add(err, ERR_INPUT, AT_LINE(f->path, line), "expected the name of a kernel");
    for (size_t i = 0; i < f->sections.n; i++)
        if (f->sections.at[i].kernel && strcmp(f->sections.at[i].kernel, p) == 0)
            return err_add(err, ERR_INPUT, AT_LINE(f->path, line),
                           "kernel %s has an order already, in line %d", p, f->sections.at[i].line);
    vec_push(mem, &f->sections, ((struct section){.kernel = arena_strdup(mem, p), .line = line}));
    return true;
}

struct cta_order_file *cta_order_file_read(const char *path, struct arena *mem, struct err *err)
{
    struct cta_order_file *f = arena_new(mem, struct cta_order_file);
    char *text;
    size_t n;
    f->path = arena_strdup(mem, path);
    if (!file_read(path, MAX_BYTES, mem, &text, &n, err))
        return NULL;
    if (memchr(text, 0, n)) {
        err_add(err, ERR_INPUT, AT_FILE(f->path), "it is not a text");
        return NULL;
    }
    vec_push(mem, &f->sections, ((struct section){.line = 1}));
    bool ok = true;
    int line = 1;
    for (char *p = text; ok && p; line++) {
        char *end = strchr(p, '\n');
        if (end)
            *end = 0;
        ok = read_line(f, p, line, mem, err);
        p = end ? end + 1 : NULL;
    }
    if (ok && !f->n)
        ok = err_add(err, ERR_INPUT, AT_FILE(f->path), "it has no order of CTAs");
    return ok ? f : NULL;
}

static const struct section *section_of(const struct cta_order_file *f, const char *kernel)
{
    for (size_t i = 1; i < f->sections.n; i++)
        if (strcmp(f->sections.at[i].kernel, kernel) == 0)
            return &f->sections.at[i];
    return f->sections.at[0].numbers.n ? &f->sections.at[0] : NULL;
}

bool cta_order_file_find(const struct cta_order_file *f, const char *kernel, uint32_t n_ctas,
                         struct arena *mem, const uint32_t **out, struct err *err)
{
    const struct section *s = section_of(f, kernel);
    *out = NULL;
    if (!s)
        return true;
    uint32_t *order = arena_many(mem, uint32_t, n_ctas);
    int *seen = arena_many(mem, int, n_ctas);
    for (size_t i = 0; i < s->numbers.n; i++) {
        struct number v = s->numbers.at[i];
        struct where at = AT_LINE(f->path, v.line);
        if (v.cta >= n_ctas)
            return err_add(err, ERR_INPUT, at, "kernel %s has CTAs 0..%u, not %u", kernel,
                           n_ctas - 1, v.cta);
        if (seen[v.cta])
            return err_add(err, ERR_INPUT, at, "CTA %u of kernel %s stands in line %d already",
                           v.cta, kernel, seen[v.cta]);
        seen[v.cta] = v.line;
        order[i] = v.cta;
    }
    for (uint32_t c = 0; c < n_ctas; c++)
        if (!seen[c])
            return err_add(err, ERR_INPUT, AT_LINE(f->path, s->line),
                           "the order of kernel %s lacks CTA %u; it has %zu of %u", kernel, c,
                           s->numbers.n, n_ctas);
    *out = order;
    return true;
}
