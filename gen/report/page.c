/* SPDX-License-Identifier: MIT */
#include "gen/report/page.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"

#define MOST_BYTES ((size_t)256 << 20)
#define PAGE "report.html"

bool page_dir(const char *dir, struct err *err)
{
    if (!file_make_dirs(dir, err))
        return false;
    return access(dir, W_OK | X_OK) == 0 ||
           err_add(err, ERR_MACHINE, AT_FILE(dir), "cannot be written: %s", strerror(errno));
}

void page_remove(const char *dir, struct arena *mem)
{
    unlink(path_join(mem, dir, PAGE));
}

bool page_begin(const char *dir, const char *data_dir, struct arena *mem, struct page *out,
                struct err *err)
{
    *out = (struct page){.dir = dir,
                         .plot_dir = path_join(mem, dir, "plots"),
                         .data_dir = data_dir,
                         .mem = mem,
                         .err = err,
                         .scope = scope_new(mem)};
    return file_make_dirs(out->plot_dir, err);
}

bool page_plot(const struct page *p, const struct plot *plot, struct scope *s)
{
    const char *svg;
    if (!plot_write(plot, p->plot_dir, p->data_dir, p->mem, &svg, p->err))
        return false;
    scope_text(s, "svg", svg);
    scope_text(s, "name", plot->name);
    return true;
}

const char *page_picture(const struct page *p, const char *svg)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *in = (const unsigned char *)svg;
    size_t n = strlen(svg), o = 0;
    char *out = arena_alloc(p->mem, 4 * ((n + 2) / 3) + 1);
    for (size_t i = 0; i < n; i += 3) {
        uint32_t v = (uint32_t)in[i] << 16;
        v |= i + 1 < n ? (uint32_t)in[i + 1] << 8 : 0;
        v |= i + 2 < n ? in[i + 2] : 0;
        out[o++] = digits[v >> 18 & 63];
        out[o++] = digits[v >> 12 & 63];
        out[o++] = i + 1 < n ? digits[v >> 6 & 63] : '=';
        out[o++] = i + 2 < n ? digits[v & 63] : '=';
    }
    return out;
}

static bool write_all(const struct page *p, const struct page_file *files, size_t n)
{
    size_t written = 0;
    while (written < n && file_keep(path_join(p->mem, p->dir, files[written].name),
                                    files[written].data, files[written].n, p->err))
        written++;
    if (written == n)
        return true;
    while (written--)
        unlink(path_join(p->mem, p->dir, files[written].name));
    return false;
}

bool page_write(const struct page *p, const char *body, const struct page_file *data, size_t n)
{
    struct buf inner, html;
    buf_init(&inner, p->mem, MOST_BYTES);
    buf_init(&html, p->mem, MOST_BYTES);
    if (!template_render_file(p->data_dir, body, p->scope, p->mem, &inner, p->err) ||
        !scope_file(p->scope, "style", p->data_dir, "page.css", p->err) ||
        !scope_file(p->scope, "script", p->data_dir, "page.js", p->err))
        return false;
    scope_text(p->scope, "body", inner.data);
    if (!template_render_file(p->data_dir, "page.html", p->scope, p->mem, &html, p->err))
        return false;
    struct page_file *files = arena_many(p->mem, struct page_file, n + 1);
    if (n)
        memcpy(files, data, n * sizeof *files);
    files[n] = (struct page_file){PAGE, html.data, html.len};
    return write_all(p, files, n + 1);
}
