/* SPDX-License-Identifier: MIT
 *
 * The description as text: groups in the order of the translation, each value with the options it
 * comes from; at the end what has no effect, with its reason. */
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "gen/import/import.h"

#define COLUMN 44u

static size_t part(const char *key, size_t from)
{
    return from + strcspn(key + from, ".");
}

static void add_source(const struct seen *s, struct buf *b)
{
    const char *value = s->value ? s->value : "";
    if (s->line)
        buf_printf(b, "%s:%d %s %.100s", path_base(s->file), s->line, s->said_as, value);
    else
        buf_printf(b, "%s %.100s, not said: %s", s->option->name, value,
                   s->is_assumed ? "assumed" : "the simulator's default");
    if (s->fate == FATE_APPROXIMATE)
        buf_printf(b, " (APPROXIMATE: %s)", s->reason);
}

static void add_comment(const struct import *im, const struct line *l, struct buf *b)
{
    for (uint32_t i = 0; i < l->n_from; i++) {
        buf_add(b, i ? ", " : "");
        add_source(&im->seen.at[l->from[i]], b);
    }
    if (l->remark)
        buf_printf(b, "%s%s", l->n_from ? "; " : "", l->remark);
}

/* Nothing in a comment may end it. */
static void add_line_comment(struct buf *out, const char *text)
{
    buf_add(out, "# ");
    for (; *text; text++)
        buf_putc(out, (unsigned char)*text < ' ' ? ' ' : *text);
    buf_putc(out, '\n');
}

/* Does it come from what the line before comes from? */
static bool is_as_above(const struct import *im, const struct line *l)
{
    if (l == im->lines.at || !l->n_from || l->remark || l[-1].n_from != l->n_from)
        return false;
    for (uint32_t i = 0; i < l->n_from; i++)
        if (l->from[i] != l[-1].from[i])
            return false;
    return strncmp(l->key, l[-1].key, part(l->key, 0) + 1) == 0;
}

static void add_simple(const struct import *im, const struct line *l, size_t at, struct buf *out)
{
    struct buf c;
    size_t start = out->len;
    buf_init(&c, im->mem, 4096);
    if (is_as_above(im, l))
        buf_add(&c, "as above");
    else
        add_comment(im, l, &c);
    buf_printf(out, "    %s = %s;", l->key + at, l->value);
    if (c.len) {
        size_t used = out->len - start;
        buf_pad(out, ' ', used < COLUMN ? COLUMN - used : 1);
        add_line_comment(out, c.data);
    } else {
        buf_putc(out, '\n');
    }
}

/* All of one inner group, in one line behind their sources. */
static void add_inner(const struct import *im, size_t first, struct buf *out, bool *done)
{
    const struct line *l = &im->lines.at[first];
    size_t outer = part(l->key, 0) + 1, inner = part(l->key, outer);
    struct buf c, body;
    buf_init(&c, im->mem, 4096);
    buf_init(&body, im->mem, 4096);
    for (size_t i = first; i < im->lines.n; i++) {
        const struct line *m = &im->lines.at[i];
        if (strncmp(m->key, l->key, inner + 1) != 0)
            continue;
        done[i] = true;
        buf_printf(&body, " %s = %s;", m->key + inner + 1, m->value);
        struct buf one;
        buf_init(&one, im->mem, 4096);
        add_comment(im, m, &one);
        if (one.len && !strstr(c.data, one.data))
            buf_printf(&c, "%s%s", c.len ? ", " : "", one.data);
    }
    if (c.len) {
        buf_add(out, "    ");
        add_line_comment(out, c.data);
    }
    buf_printf(out, "    %.*s: {%s };\n", (int)(inner - outer), l->key + outer, body.data);
}

static void add_group(const struct import *im, size_t first, struct buf *out, bool *done)
{
    const char *key = im->lines.at[first].key;
    size_t n = part(key, 0);
    buf_printf(out, "%.*s: {\n", (int)n, key);
    for (size_t i = first; i < im->lines.n; i++) {
        const struct line *l = &im->lines.at[i];
        if (done[i] || strncmp(l->key, key, n + 1) != 0)
            continue;
        if (l->key[part(l->key, n + 1)] == '.') {
            add_inner(im, i, out, done);
        } else {
            add_simple(im, l, n + 1, out);
            done[i] = true;
        }
    }
    buf_add(out, "};\n");
}

const char *import_text(const struct import *im, const char *command_line, size_t *n)
{
    struct buf out, line;
    bool *done = arena_many(im->mem, bool, im->lines.n + 1);
    buf_init(&out, im->mem, BUF_NO_MAX);
    buf_init(&line, im->mem, 1u << 16);
    buf_add(&line, "A machine of GPGPU-Sim and Accel-Sim, from");
    for (size_t i = 0; i < im->files.n; i++)
        buf_printf(&line, "%s %s", i ? "," : "", path_base(im->files.at[i]));
    add_line_comment(&out, line.data);
    add_line_comment(&out, command_line);
    add_line_comment(&out, "Behind each value: file and line of the option it comes from.");
    for (size_t i = 0; i < im->notes.n; i++)
        add_line_comment(&out, im->notes.at[i]);
    for (size_t i = 0; i < im->lines.n; i++)
        if (!done[i])
            add_group(im, i, &out, done);
    buf_add(&out, "\n# What the files say besides:\n");
    for (size_t i = 0; i < im->seen.n; i++) {
        const struct seen *s = &im->seen.at[i];
        bool is_listed = s->line && (s->fate != FATE_TRANSLATED || s->option->kind == FOREIGN_ONLY);
        if (!is_listed)
            continue;
        struct buf b;
        buf_init(&b, im->mem, 4096);
        buf_printf(&b, "%s:%d %s %.100s: %s", path_base(s->file), s->line, s->said_as,
                   s->value ? s->value : "", s->reason ? s->reason : "");
        add_line_comment(&out, b.data);
    }
    *n = out.len;
    return out.data;
}
