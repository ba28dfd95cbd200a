/* SPDX-License-Identifier: MIT
 *
 * gen/emit/emit.h: writes one kind of output for a design. To add one: one file that defines a
 * `const struct emitter`, one line in gen/emit/emitters.c. Texts come from templates/
 * (gen/template.h). */
#ifndef CW_GEN_EMIT_EMIT_H
#define CW_GEN_EMIT_EMIT_H

#include "base/vec.h"
#include "gen/design/design.h"

struct buf;

struct emit {
    const struct design *design;
    const char *dir;      /* exists */
    const char *data_dir; /* where templates/ is */
    struct arena *mem;
    bool routes;             /* network.json with the routing rules */
    int cacti;               /* syntax: 6 or 7 */
    VEC(const char *) files; /* written so far, relative to dir */
};

struct emitter {
    const char *name, *meaning;
    /* Contract: writes below e->dir only, through emit_text or emit_name. */
    bool (*write)(struct emit *e, struct err *err);
};

extern const struct emitter *const emitters[]; /* NULL-terminated */

/* Writes dir/name and records it; name may have a folder. */
bool emit_text(struct emit *e, const char *name, const struct buf *text, struct err *err);
/* Renders a template into dir/name. */
struct scope;
bool emit_template(struct emit *e, const char *name, const char *template_name,
                   const struct scope *scope, struct err *err);

#endif
