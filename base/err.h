/* SPDX-License-Identifier: MIT
 *
 * base/err.h: errors are values. Library code collects them here; only gen/ prints them and
 * chooses the exit status. A reader goes on after an error so that one run reports all of them.
 *
 * A function that can fail returns bool (or a pointer) and takes `struct err *err` last. True
 * means: outputs valid, nothing added. False means: at least one error added, outputs untouched.
 * Messages are lower case, without a full stop and without "error:"; values are quoted as the
 * user wrote them. Not thread-safe: one collector per thread, joined with err_join. */
#ifndef CW_BASE_ERR_H
#define CW_BASE_ERR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum err_kind {
    ERR_INPUT,   /* the user's file or option is wrong: exit status 2 */
    ERR_MACHINE, /* no memory, disk, program, or a tool failed: exit status 3 */
    ERR_WARNING, /* printed, changes no exit status */
    ERR_NOTE     /* belongs to the entry before it */
};

/* Where something was said. Any part may be missing: file NULL, line 0, key NULL. */
struct where {
    const char *file;
    int line;
    const char *key; /* config key path, CSV column name, … */
};

struct err_entry {
    enum err_kind kind;
    struct where at;
    const char *text;
    bool is_foreign; /* its file did not turn out to be of the kind that was asked for */
    struct err_entry *next;
};

struct err {
    struct arena mem;
    struct err_entry *first, *last;
    size_t n_errors; /* input + machine, also those beyond the limit that are not kept */
    size_t n_machine;
    size_t n_warnings;
};

void err_init(struct err *err);
void err_free(struct err *err);

/* Copies everything it is given. Returns false, so that reporting and leaving are one line. */
bool err_add(struct err *err, enum err_kind kind, struct where at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void err_warn(struct err *err, struct where at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same, unless the same text was said before. */
void err_warn_once(struct err *err, struct where at, const char *text);
void err_note(struct err *err, struct where at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* What was added after `before` (NULL: all) is about a file that could not be parsed: it may be any
 * file at all, and no line of it is shown unless the user named it. False. */
bool err_is_foreign(struct err *err, struct err_entry *before);

/* Appends copies of all entries of `from`. */
void err_join(struct err *err, const struct err *from);
bool err_any(const struct err *err); /* an error, not a mere warning */

/* "file:line: key: text", the form in which gen/ prints and tests compare. */
const char *err_entry_text(const struct err_entry *entry, struct arena *mem);

#define NOWHERE ((struct where){NULL, 0, NULL})
#define AT_FILE(f) ((struct where){(f), 0, NULL})
#define AT_LINE(f, l) ((struct where){(f), (l), NULL})

#endif
