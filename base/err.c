/* SPDX-License-Identifier: MIT */
#include "base/err.h"

#include <string.h>

#include <stdarg.h>

#define MOST_KEPT 200 /* further errors are counted only */
/* A text longer than three of these loses its middle: files can say names and expressions of
 * megabytes, and what is wrong with them stands at the end. */
#define PIECE ((size_t)1 << 12)

void err_init(struct err *err)
{
    *err = (struct err){0};
    arena_init(&err->mem, NULL, NULL);
}

void err_free(struct err *err)
{
    arena_free(&err->mem);
    *err = (struct err){0};
}

static const char *cut(char *text)
{
    static const char gap[] = " ... ";
    size_t n = strlen(text), head = PIECE;
    if (n <= 3 * PIECE)
        return text;
    const char *tail = text + n - PIECE;
    while (((unsigned char)*tail & 0xc0) == 0x80) /* the middle of a character */
        tail++;
    while (head && ((unsigned char)text[head] & 0xc0) == 0x80)
        head--;
    memcpy(text + head, gap, sizeof gap - 1);
    memmove(text + head + sizeof gap - 1, tail, strlen(tail) + 1);
    return text;
}

static void append(struct err *err, enum err_kind kind, struct where at, const char *text)
{
    struct err_entry *e = arena_new(&err->mem, struct err_entry);
    *e = (struct err_entry){.kind = kind, .at = at, .text = text};
    if (at.file)
        e->at.file = arena_strdup(&err->mem, at.file);
    if (at.key)
        e->at.key = arena_strdup(&err->mem, at.key);
    if (err->last)
        err->last->next = e;
    else
        err->first = e;
    err->last = e;
}

static void count(struct err *err, enum err_kind kind)
{
    switch (kind) {
    case ERR_INPUT: err->n_errors++; break;
    case ERR_MACHINE: err->n_errors++, err->n_machine++; break;
    case ERR_WARNING: err->n_warnings++; break;
    case ERR_NOTE: break;
    }
}

bool err_add(struct err *err, enum err_kind kind, struct where at, const char *fmt, ...)
{
    count(err, kind);
    if (err->n_errors <= MOST_KEPT) {
        va_list ap;
        va_start(ap, fmt);
        append(err, kind, at, cut(arena_vprintf(&err->mem, fmt, ap)));
        va_end(ap);
    }
    return false;
}

void err_warn(struct err *err, struct where at, const char *fmt, ...)
{
    count(err, ERR_WARNING);
    if (err->n_warnings > MOST_KEPT)
        return;
    va_list ap;
    va_start(ap, fmt);
    append(err, ERR_WARNING, at, cut(arena_vprintf(&err->mem, fmt, ap)));
    va_end(ap);
}

void err_warn_once(struct err *err, struct where at, const char *text)
{
    for (const struct err_entry *e = err->first; e; e = e->next) {
        if (e->kind == ERR_WARNING && strcmp(e->text, text) == 0)
            return;
    }
    err_warn(err, at, "%s", text);
}

void err_note(struct err *err, struct where at, const char *fmt, ...)
{
    if (err->n_errors > MOST_KEPT)
        return;
    va_list ap;
    va_start(ap, fmt);
    append(err, ERR_NOTE, at, cut(arena_vprintf(&err->mem, fmt, ap)));
    va_end(ap);
}

bool err_is_foreign(struct err *err, struct err_entry *before)
{
    for (struct err_entry *e = before ? before->next : err->first; e; e = e->next)
        e->is_foreign = true;
    return false;
}

void err_join(struct err *err, const struct err *from)
{
    for (const struct err_entry *e = from->first; e; e = e->next) {
        if (err->n_errors < MOST_KEPT) {
            append(err, e->kind, e->at, arena_strdup(&err->mem, e->text));
            err->last->is_foreign = e->is_foreign;
        }
    }
    err->n_errors += from->n_errors;
    err->n_machine += from->n_machine;
    err->n_warnings += from->n_warnings;
}

bool err_any(const struct err *err)
{
    return err->n_errors > 0;
}

const char *err_entry_text(const struct err_entry *e, struct arena *mem)
{
    const char *place = "";
    if (e->at.file && e->at.line > 0)
        place = arena_printf(mem, "%s:%d: ", e->at.file, e->at.line);
    else if (e->at.file)
        place = arena_printf(mem, "%s: ", e->at.file);
    const char *kind = e->kind == ERR_WARNING ? "warning: " : e->kind == ERR_NOTE ? "note: " : "";
    if (e->at.key)
        return arena_printf(mem, "%s%s%s: %s", place, kind, e->at.key, e->text);
    return arena_printf(mem, "%s%s%s", place, kind, e->text);
}
