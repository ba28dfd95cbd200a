/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/file.h"
#include "gen/emit/emit.h"
#include "gen/template.h"

/* clang-format off */
#define EMITTERS(X) \
    X(network)      \
    X(picture)      \
    X(floorplan)    \
    X(structures)   \
    X(booksim)      \
    X(cacti)        \
    X(dsent)        \
    X(gpuwattch)
/* clang-format on */

#define X(name) extern const struct emitter emit_##name;
EMITTERS(X)
#undef X

const struct emitter *const emitters[] = {
#define X(name) &emit_##name,
    EMITTERS(X)
#undef X
        NULL,
};

bool emit_text(struct emit *e, const char *name, const struct buf *text, struct err *err)
{
    const char *path = path_join(e->mem, e->dir, name);
    if (!file_make_dirs(path_dir(e->mem, path), err) ||
        !file_write(path, text->data, text->len, err))
        return false;
    vec_push(e->mem, &e->files, arena_strdup(e->mem, name));
    return true;
}

bool emit_template(struct emit *e, const char *name, const char *template_name,
                   const struct scope *scope, struct err *err)
{
    struct buf text;
    buf_init(&text, e->mem, BUF_NO_MAX);
    return template_render_file(e->data_dir, template_name, scope, e->mem, &text, err) &&
           emit_text(e, name, &text, err);
}
