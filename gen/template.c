/* SPDX-License-Identifier: MIT */
#include "gen/template.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/near.h"
#include "base/vec.h"

#define DEEPEST 16u

struct value {
    const char *name, *text; /* text NULL: a list */
    struct scope *first, *last;
    struct value *next;
};

struct scope {
    struct arena *mem;
    struct value *values;
    const struct scope *outer;
    struct scope *next; /* item behind it in its list */
};

/* ---- values ---------------------------------------------------------------------------------- */

struct scope *scope_new(struct arena *mem)
{
    struct scope *s = arena_new(mem, struct scope);
    s->mem = mem;
    return s;
}

static struct value *find_here(const struct scope *s, const char *name, size_t n)
{
    for (struct value *v = s->values; v; v = v->next) {
        if (strncmp(v->name, name, n) == 0 && v->name[n] == '\0')
            return v;
    }
    return NULL;
}

static struct value *define(struct scope *s, const char *name)
{
    struct value *v = find_here(s, name, strlen(name));
    if (!v) {
        v = arena_new(s->mem, struct value);
        v->name = arena_strdup(s->mem, name);
        v->next = s->values;
        s->values = v;
    }
    return v;
}

void scope_text(struct scope *s, const char *name, const char *value)
{
    define(s, name)->text = arena_strdup(s->mem, value);
}

void scope_format(struct scope *s, const char *name, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    define(s, name)->text = arena_vprintf(s->mem, fmt, ap);
    va_end(ap);
}

void scope_real(struct scope *s, const char *name, double value)
{
    struct buf b;
    buf_init(&b, s->mem, 64);
    buf_add_double(&b, value);
    define(s, name)->text = b.data;
}

void scope_int(struct scope *s, const char *name, long long value)
{
    scope_format(s, name, "%lld", value);
}

void scope_list(struct scope *s, const char *name)
{
    define(s, name);
}

struct scope *scope_item(struct scope *s, const char *name)
{
    struct value *v = define(s, name);
    struct scope *item = scope_new(s->mem);
    item->outer = s;
    if (v->last)
        v->last->next = item;
    else
        v->first = item;
    v->last = item;
    return item;
}

/* ---- rendering ------------------------------------------------------------------------------- */

struct render {
    const char *file, *text;
    size_t n;
    struct buf *out;
    struct err *err;
};

struct tag {
    size_t begin, end; /* of the braces; `end` is behind them */
    char form;         /* ' ' value, '&' escaped, '#', '^', '/' */
    const char *name;
    size_t n_name;
};

static struct where at(const struct render *r, size_t offset)
{
    int line = 1;
    for (size_t i = 0; i < offset; i++)
        line += r->text[i] == '\n';
    return AT_LINE(r->file, line);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The next tag at or behind `from`. False at the end of the text or (error added) if it is broken.
 */
static bool next_tag(const struct render *r, size_t from, struct tag *t, bool *broken)
{
    *broken = false;
    const char *open = NULL;
    for (size_t i = from; i + 1 < r->n && !open; i++) {
        if (r->text[i] == '{' && r->text[i + 1] == '{')
            open = r->text + i;
    }
    if (!open)
        return false;
    t->begin = (size_t)(open - r->text);
    size_t i = t->begin + 2, close = i;
    while (close + 1 < r->n && !(r->text[close] == '}' && r->text[close + 1] == '}') &&
           r->text[close] != '\n')
        close++;
    if (close + 1 >= r->n || r->text[close] == '\n') {
        *broken = true;
        return err_add(r->err, ERR_INPUT, at(r, t->begin), "'{{' without '}}' on its line");
    }
    t->end = close + 2;
    t->form = ' ';
    if (strchr("#^/", r->text[i])) {
        t->form = r->text[i++];
    } else if (close - i > 5 && strncmp(r->text + i, "html ", 5) == 0) {
        t->form = '&';
        i += 5;
    }
    while (i < close && is_blank(r->text[i]))
        i++;
    while (close > i && is_blank(r->text[close - 1]))
        close--;
    t->name = r->text + i;
    t->n_name = close - i;
    if (t->n_name == 0 || t->n_name > 100) {
        *broken = true;
        return err_add(r->err, ERR_INPUT, at(r, t->begin), "a tag without a name");
    }
    return true;
}

static const struct value *look_up(const struct render *r, const struct scope *scope,
                                   const struct tag *t)
{
    struct arena *mem = scope->mem;
    assert(t->name);
    for (const struct scope *s = scope; s; s = s->outer) {
        const struct value *v = find_here(s, t->name, t->n_name);
        if (v)
            return v;
    }
    VEC(const char *) names = {0};
    for (const struct scope *s = scope; s; s = s->outer) {
        for (const struct value *v = s->values; v; v = v->next)
            vec_push(mem, &names, v->name);
    }
    const char *name = arena_strndup(mem, t->name, t->n_name);
    const char *near = near_hint(name, names.at, names.n, mem);
    err_add(r->err, ERR_INPUT, at(r, t->begin), "unknown name '%s'%s", name, near);
    return NULL;
}

static void add_escaped(struct buf *out, const char *s)
{
    for (; *s; s++) {
        switch (*s) {
        case '<': buf_add(out, "&lt;"); break;
        case '>': buf_add(out, "&gt;"); break;
        case '&': buf_add(out, "&amp;"); break;
        case '"': buf_add(out, "&quot;"); break;
        case '\'': buf_add(out, "&#39;"); break;
        default:
            if ((unsigned char)*s < ' ' && !strchr("\t\n\r", *s)) /* no XML may hold it */
                buf_printf(out, "\\x%02x", (unsigned char)*s);
            else
                buf_putc(out, *s);
        }
    }
}

/* A section tag that stands alone on its line takes the whole line with it. */
static void widen(const struct render *r, size_t *begin, size_t *end)
{
    size_t b = *begin, e = *end;
    while (b > 0 && is_blank(r->text[b - 1]))
        b--;
    while (e < r->n && (is_blank(r->text[e]) || r->text[e] == '\r'))
        e++;
    if ((b == 0 || r->text[b - 1] == '\n') && (e == r->n || r->text[e] == '\n')) {
        *begin = b;
        *end = e < r->n ? e + 1 : e;
    }
}

/* Finds the end tag of the section that `open` begins. */
static bool find_end(const struct render *r, const struct tag *open, struct tag *close)
{
    size_t from = open->end;
    unsigned depth = 1;
    bool broken;
    while (next_tag(r, from, close, &broken)) {
        if (close->n_name == open->n_name && strncmp(close->name, open->name, open->n_name) == 0) {
            depth += close->form == '#' || close->form == '^';
            depth -= close->form == '/';
            if (depth == 0)
                return true;
        }
        from = close->end;
    }
    if (!broken)
        err_add(r->err, ERR_INPUT, at(r, open->begin), "section '%.*s' is not closed",
                (int)open->n_name, open->name);
    return false;
}

static bool render_range(const struct render *r, size_t from, size_t to, const struct scope *scope,
                         unsigned depth);

static bool render_section(const struct render *r, const struct tag *open, const struct value *v,
                           size_t from, size_t to, const struct scope *scope, unsigned depth)
{
    bool is_empty = v->text ? v->text[0] == '\0' : v->first == NULL;
    if (open->form == '^')
        return !is_empty || render_range(r, from, to, scope, depth);
    if (is_empty)
        return true;
    if (v->text)
        return render_range(r, from, to, scope, depth);
    for (const struct scope *item = v->first; item; item = item->next) {
        if (!render_range(r, from, to, item, depth))
            return false;
    }
    return true;
}

static bool render_range(const struct render *r, size_t from, size_t to, const struct scope *scope,
                         unsigned depth)
{
    struct tag t = {0};
    bool broken = false;
    if (depth > DEEPEST)
        return err_add(r->err, ERR_INPUT, at(r, from), "sections are nested more than %u deep",
                       DEEPEST);
    while (next_tag(r, from, &t, &broken) && t.begin < to) {
        const struct value *v = t.form == '/' ? NULL : look_up(r, scope, &t);
        if (t.form == '/')
            return err_add(r->err, ERR_INPUT, at(r, t.begin), "'%.*s' is closed, but not open",
                           (int)t.n_name, t.name);
        if (!v)
            return false;
        if (t.form == '#' || t.form == '^') {
            struct tag close;
            if (!find_end(r, &t, &close))
                return false;
            size_t open_begin = t.begin, open_end = t.end;
            size_t close_begin = close.begin, close_end = close.end;
            widen(r, &open_begin, &open_end);
            widen(r, &close_begin, &close_end);
            buf_addn(r->out, r->text + from, open_begin - from);
            if (!render_section(r, &t, v, open_end, close_begin, scope, depth + 1))
                return false;
            from = close_end;
            continue;
        }
        buf_addn(r->out, r->text + from, t.begin - from);
        if (!v->text)
            return err_add(r->err, ERR_INPUT, at(r, t.begin), "'%.*s' is a list, not a value",
                           (int)t.n_name, t.name);
        if (t.form == '&')
            add_escaped(r->out, v->text);
        else
            buf_add(r->out, v->text);
        from = t.end;
    }
    if (broken)
        return false;
    if (to > from)
        buf_addn(r->out, r->text + from, to - from);
    return true;
}

bool template_render(const char *file, const char *text, size_t n, const struct scope *scope,
                     struct buf *out, struct err *err)
{
    struct render r = {file, text, n, out, err};
    return render_range(&r, 0, n, scope, 0);
}

bool scope_file(struct scope *s, const char *name, const char *data_dir, const char *file,
                struct err *err)
{
    const char *path = path_join(s->mem, path_join(s->mem, data_dir, "templates"), file);
    char *text;
    size_t n;
    if (!file_read(path, 1 << 22, s->mem, &text, &n, err))
        return false;
    define(s, name)->text = text;
    return true;
}

bool template_render_file(const char *data_dir, const char *name, const struct scope *scope,
                          struct arena *mem, struct buf *out, struct err *err)
{
    const char *path = path_join(mem, path_join(mem, data_dir, "templates"), name);
    char *text;
    size_t n;
    return file_read(path, 1 << 22, mem, &text, &n, err) &&
           template_render(path, text, n, scope, out, err);
}
