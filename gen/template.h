/* SPDX-License-Identifier: MIT
 *
 * gen/template.h: fills in the texts of templates/, so that a user can change an output without
 * compiling. Four forms:
 *
 *     {{name}}              the value as it is
 *     {{html name}}         the value with <, >, &, " and ' escaped
 *     {{#name}} … {{/name}} once for each item of a list; or once, if the value is not empty
 *     {{^name}} … {{/name}} if the list or value is empty
 *
 * Names are looked up in the item, then outwards. A name that nobody defined, a section that is not
 * closed, or an unknown form is an error with file and line. A section tag alone on its line leaves
 * no blank line behind. */
#ifndef CW_GEN_TEMPLATE_H
#define CW_GEN_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct buf;
struct err;

struct scope; /* names and their values */

struct scope *scope_new(struct arena *mem);
void scope_text(struct scope *s, const char *name, const char *value);
void scope_format(struct scope *s, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void scope_real(struct scope *s, const char *name, double value); /* shortest that reads back */
void scope_int(struct scope *s, const char *name, long long value);
void scope_list(struct scope *s, const char *name); /* an empty list, to be filled by scope_item */
/* Adds an item to a list (made if it is not there) and returns the item's own names. */
struct scope *scope_item(struct scope *s, const char *name);

/* `file` is for messages. */
bool template_render(const char *file, const char *text, size_t n, const struct scope *scope,
                     struct buf *out, struct err *err);
/* Defines `name` as the text of DATA_DIR/templates/FILE, as it is. */
bool scope_file(struct scope *s, const char *name, const char *data_dir, const char *file,
                struct err *err);

/* Reads DATA_DIR/templates/NAME and renders it. */
bool template_render_file(const char *data_dir, const char *name, const struct scope *scope,
                          struct arena *mem, struct buf *out, struct err *err);

#endif
