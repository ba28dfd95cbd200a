/* SPDX-License-Identifier: MIT */
#include "gen/import/given.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"

#define VALUE_MAX 65536u

/* ---- GPGPU-Sim's options ---- */

struct word {
    const char *text;
    int line;
    bool is_quoted;
};

struct words {
    const char *file, *p, *end;
    int line;
};

static void skip(struct words *w)
{
    while (w->p < w->end) {
        if (*w->p == '#') {
            while (w->p < w->end && *w->p != '\n')
                w->p++;
        } else if (isspace((unsigned char)*w->p)) {
            w->line += *w->p++ == '\n';
        } else {
            return;
        }
    }
}

/* False: there is none, or an error. Line ends and runs of blanks in a quoted value are dropped, as
 * no value has a meaning for them. */
static bool next(struct words *w, struct arena *mem, struct word *out, struct err *err)
{
    skip(w);
    if (w->p == w->end)
        return false;
    struct buf b;
    buf_init(&b, mem, VALUE_MAX);
    *out = (struct word){.text = "", .line = w->line, .is_quoted = *w->p == '"'};
    if (out->is_quoted) {
        for (w->p++; w->p < w->end && *w->p != '"';) {
            if (*w->p == '#' || isspace((unsigned char)*w->p))
                skip(w);
            else
                buf_putc(&b, *w->p++);
        }
        if (w->p == w->end)
            return err_add(err, ERR_INPUT, AT_LINE(w->file, out->line), "'\"' is never closed");
        w->p++;
    } else {
        while (w->p < w->end && *w->p != '#' && !isspace((unsigned char)*w->p))
            buf_putc(&b, *w->p++);
    }
    if (b.overflowed || strlen(b.data) != b.len)
        return err_add(err, ERR_INPUT, AT_LINE(w->file, out->line), "the file is not text");
    out->text = b.data;
    return true;
}

static bool is_option(const struct word *w)
{
    return !w->is_quoted && w->text[0] == '-' && isalpha((unsigned char)w->text[1]);
}

static bool is_number(const char *text)
{
    char *end;
    strtol(text, &end, 10);
    return *text && !*end;
}

bool given_read_options(const char *file, const char *text, size_t n, given_is_switch *is_switch,
                        struct arena *mem, given_list *out, struct err *err)
{
    size_t errors = err->n_errors;
    if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* a mark of UTF-8 */
        text += 3;
        n -= 3;
    }
    struct words w = {.file = arena_strdup(mem, file), .p = text, .end = text + n, .line = 1};
    struct word word;
    bool has = next(&w, mem, &word, err);
    while (has) {
        if (!is_option(&word)) {
            err_add(err, ERR_INPUT, AT_LINE(w.file, word.line),
                    "'%.80s' stands where an option was expected", word.text);
            has = next(&w, mem, &word, err);
            continue;
        }
        struct given g = {.name = word.text, .file = w.file, .line = word.line};
        has = next(&w, mem, &word, err);
        bool takes = has && !is_option(&word) && (!is_switch(g.name) || is_number(word.text));
        if (takes) {
            g.value = word.text;
            has = next(&w, mem, &word, err);
        } else if (!is_switch(g.name)) {
            err_add(err, ERR_INPUT, (struct where){w.file, g.line, g.name}, "its value is missing");
        }
        vec_push(mem, out, g);
    }
    return err->n_errors == errors;
}

/* ---- the network's ---- */

static const char *trimmed(const char *from, const char *to, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, VALUE_MAX);
    for (const char *p = from; p < to; p++) {
        if (p[0] == '/' && p + 1 < to && p[1] == '/')
            while (p < to && *p != '\n')
                p++;
        if (p < to && !isspace((unsigned char)*p))
            buf_putc(&b, *p);
    }
    return b.data;
}

bool given_read_network(const char *file, const char *text, size_t n, struct arena *mem,
                        given_list *out, struct err *err)
{
    size_t errors = err->n_errors;
    const char *name_of_file = arena_strdup(mem, file), *end = text + n;
    int line = 1;
    if (strlen(text) != n)
        return err_add(err, ERR_INPUT, AT_FILE(name_of_file), "the file is not text");
    for (const char *p = text; p < end;) {
        if (isspace((unsigned char)*p)) {
            line += *p++ == '\n';
        } else if (p[0] == '/' && p[1] == '/') {
            while (p < end && *p != '\n')
                p++;
        } else {
            const char *from = p, *eq = NULL;
            struct where at = AT_LINE(name_of_file, line);
            for (; p < end && *p != ';'; p++) {
                if (p[0] == '/' && p[1] == '/') {
                    while (p + 1 < end && p[1] != '\n')
                        p++;
                    continue;
                }
                line += *p == '\n';
                if (*p == '=' && !eq)
                    eq = p;
            }
            if (p == end)
                return err_add(err, ERR_INPUT, at, "';' is missing");
            const char *name = trimmed(from, eq ? eq : p, mem);
            const char *value = eq ? trimmed(eq + 1, p, mem) : "";
            if (!*name || !*value)
                err_add(err, ERR_INPUT, at, "expected 'name = value', found '%.80s'", name);
            else
                vec_push(mem, out, (struct given){name, value, name_of_file, at.line});
            p++;
        }
    }
    return err->n_errors == errors;
}
