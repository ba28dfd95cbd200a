/* SPDX-License-Identifier: MIT */
#include "gen/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/csv.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "gen/draw.h"
#include "gen/template.h"

#define MOST_SVG ((size_t)8 << 20)

/* Eight hues that keep apart on white and on near-black and for most colour-blind readers. */
static const char *const colours[] = {"#4c78a8", "#f58518", "#54a24b", "#b279a2",
                                      "#e45756", "#72b7b2", "#c9a227", "#9d755d"};

const char *plot_colour(size_t i)
{
    return colours[i % (sizeof colours / sizeof *colours)];
}

/* Shades from light to dark, apart on white and on near-black. */
static const char *shade(struct arena *mem, size_t i, size_t n)
{
    static const int light[] = {0xa9, 0xcb, 0xee}, dark[] = {0x1d, 0x5f, 0xa8};
    int c[3];
    for (int k = 0; k < 3; k++)
        c[k] = n > 1 ? light[k] + (dark[k] - light[k]) * (int)i / (int)(n - 1) : dark[k];
    return arena_printf(mem, "#%02x%02x%02x", c[0], c[1], c[2]);
}

static void add_number(struct buf *out, double v)
{
    if (isfinite(v))
        buf_add_double(out, v);
}

/* x and y of the marks: in the middle of the bar they belong to. */
static size_t write_marks(const struct plot *p, struct buf *out)
{
    bool is_lines = p->kind == PLOT_LINES;
    size_t n_each = is_lines ? (p->n_lines ? p->lines[0].n : 0) : p->n_series,
           n = p->marks ? n_each * (is_lines ? p->n_lines : p->n_categories) : 0, n_marks = 0;
    for (size_t i = 0; i < n; i++) {
        double bar = (double)(i % n_each) - (double)(n_each - 1) / 2;
        double x = is_lines ? p->lines[i / n_each].x[i % n_each]
                            : (double)(i / n_each) + bar / ((double)n_each + 1);
        if (!isfinite(p->marks[i]))
            continue;
        buf_add_double(out, x);
        buf_putc(out, ',');
        buf_add_double(out, p->marks[i]);
        buf_putc(out, '\n');
        n_marks++;
    }
    return n_marks;
}

/* Bars: a row for each category. Lines: a block "series,x,y" each, apart by two blank lines. */
static void write_data(const struct plot *p, struct buf *out)
{
    if (p->kind == PLOT_LINES) {
        for (size_t l = 0; l < p->n_lines; l++) {
            buf_add(out, l ? "\n\n" : "");
            for (size_t i = 0; i < p->lines[l].n; i++) {
                csv_add_field(out, p->lines[l].name);
                buf_putc(out, ',');
                add_number(out, p->lines[l].x[i]);
                buf_putc(out, ',');
                add_number(out, p->lines[l].y[i]);
                buf_putc(out, '\n');
            }
        }
        return;
    }
    csv_add_field(out, p->x_label);
    for (size_t s = 0; s < p->n_series; s++) {
        buf_putc(out, ',');
        csv_add_field(out, p->series[s]);
    }
    buf_putc(out, '\n');
    for (size_t c = 0; c < p->n_categories; c++) {
        csv_add_field(out, p->categories[c]);
        for (size_t s = 0; s < p->n_series; s++) {
            buf_putc(out, ',');
            add_number(out, p->values[c * p->n_series + s]);
        }
        buf_putc(out, '\n');
    }
}

/* gnuplot's strings in single quotes double them; a control character has no place in a label. */
static const char *quoted(struct arena *mem, const char *text)
{
    struct buf b;
    buf_init(&b, mem, 1024);
    for (; *text; text++) {
        if (*text == '\'')
            buf_putc(&b, '\'');
        buf_putc(&b, (unsigned char)*text < ' ' ? ' ' : *text);
    }
    return b.data;
}

/* Bars begin at zero, on whichever side they lie. */
static void add_range(const struct plot *p, struct scope *s)
{
    bool any_above = false, any_below = false;
    for (size_t i = 0; p->kind != PLOT_LINES && i < p->n_categories * p->n_series; i++) {
        any_above |= p->values[i] > 0 || (p->marks && p->marks[i] > 0);
        any_below |= p->values[i] < 0 || (p->marks && p->marks[i] < 0);
    }
    scope_text(s, "y_range", !any_below ? "[0:*]" : any_above ? "[*:*]" : "[*:0]");
    scope_text(s, "has_negative", any_below ? "yes" : "");
}

static bool write_script(const struct plot *p, bool has_marks, const char *data_dir,
                         struct arena *mem, struct buf *out, struct err *err)
{
    static const char *const templates[] = {
        [PLOT_BARS] = "plot-bars.gp",
        [PLOT_STACKED] = "plot-stacked.gp",
        [PLOT_LINES] = "plot-lines.gp",
    };
    struct scope *s = scope_new(mem);
    size_t n = p->kind == PLOT_LINES ? p->n_lines : p->n_series;
    scope_text(s, "name", quoted(mem, p->name));
    scope_text(s, "title", quoted(mem, p->title));
    scope_text(s, "x_label", quoted(mem, p->x_label));
    scope_text(s, "y_label", quoted(mem, p->y_label));
    scope_text(s, "y_max", "");
    if (p->y_max > 0)
        scope_real(s, "y_max", p->y_max);
    scope_text(s, "baseline", "");
    if (p->kind != PLOT_LINES && isfinite(p->baseline) && p->baseline != 0)
        scope_real(s, "baseline", p->baseline);
    scope_text(s, "marks", has_marks ? quoted(mem, p->mark_name) : "");
    add_range(p, s);
    scope_format(s, "x_range", "[-0.65:%zu.65]", p->n_categories ? p->n_categories - 1 : 0);
    scope_text(s, "mean_from", "");
    if (p->last_is_mean && p->n_categories > 1)
        scope_real(s, "mean_from", (double)p->n_categories - 1.5);
    scope_text(s, "rotate", p->kind != PLOT_LINES && p->n_categories > 10 ? "yes" : "");
    scope_list(s, "series");
    for (size_t i = 0; i < n; i++) {
        struct scope *item = scope_item(s, "series");
        scope_int(item, "index", (long long)i);
        scope_int(item, "column", (long long)i + 2);
        scope_text(item, "colour", p->is_ordered ? shade(mem, i, n) : plot_colour(i));
        scope_text(item, "label",
                   quoted(mem, p->kind == PLOT_LINES ? p->lines[i].name : p->series[i]));
        scope_text(item, "more", i + 1 < n || has_marks ? "yes" : "");
    }
    return template_render_file(data_dir, templates[p->kind], s, mem, out, err);
}

/* Ink takes the colour of the text around it, so that one picture serves light and dark pages. */
static const char *themed(struct arena *mem, const char *svg)
{
    static const struct {
        const char *from, *to;
    } swaps[] = {
        {"color=\"black\"", ""}, /* what inherits it would be black on black */
        {"color='black'", ""},
        {"color='rgb(  0,   0,   0)'", ""},
        {"stroke='black'", "stroke='currentColor'"},
        {"fill=\"black\"", "fill=\"currentColor\""},
        {"fill='black'", "fill='currentColor'"},
        {"stroke=\"black\"", "stroke=\"currentColor\""},
        {"stroke='rgb(  0,   0,   0)'", "stroke='currentColor'"},
    };
    struct buf b;
    buf_init(&b, mem, MOST_SVG);
    const char *start = strstr(svg, "<svg");
    for (const char *c = start ? start : svg; *c;) {
        size_t i = 0;
        while (i < sizeof swaps / sizeof *swaps &&
               strncmp(c, swaps[i].from, strlen(swaps[i].from)) != 0)
            i++;
        if (i < sizeof swaps / sizeof *swaps) {
            buf_add(&b, swaps[i].to);
            c += strlen(swaps[i].from);
        } else {
            buf_putc(&b, *c++);
        }
    }
    return b.data;
}

/* The file is closed and, where that or what went before failed, removed. */
static bool undated(const char *path, int fd, bool is_ok, struct err *err)
{
    is_ok = (fd < 0 || close(fd) == 0) && is_ok;
    int why = errno;
    if (is_ok)
        return true;
    remove(path);
    return err_add(err, ERR_MACHINE, AT_FILE(path), "cannot be written: %s", strerror(why));
}

/* cairo writes the time of drawing into a PDF, and listens to no SOURCE_DATE_EPOCH: the same
 * picture gets the same bytes by the same date. Its length stays, and so does the table of
 * contents. A picture that cannot get it is not left behind; nothing is allocated, since a failing
 * allocation would leave it. */
static bool undate(const char *path, struct err *err)
{
    static const char mark[] = "/CreationDate (D:", date[] = "19700101000000";
    enum { BLOCK = 1 << 14 };
    char block[BLOCK + sizeof mark + sizeof date];
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return !file_exists(path) || undated(path, fd, false, err);
    size_t n = 0, least = sizeof mark - 1 + sizeof date - 1;
    for (off_t at = 0;;) { /* `at`: of the block in the file */
        ssize_t got = read(fd, block + n, BLOCK);
        if (got <= 0)
            return undated(path, fd, got == 0, err);
        n += (size_t)got;
        for (size_t i = 0; i + least <= n; i++) {
            off_t from = at + (off_t)(i + sizeof mark - 1);
            if (block[i] != '/' || memcmp(block + i, mark, sizeof mark - 1) != 0)
                continue;
            if (pwrite(fd, date, sizeof date - 1, from) != (ssize_t)(sizeof date - 1))
                return undated(path, fd, false, err);
        }
        size_t rest = n < least ? n : least - 1; /* a mark may go on in the next block */
        memmove(block, block + n - rest, rest);
        at += (off_t)(n - rest);
        n = rest;
    }
}

static bool draw(const struct plot *p, const char *dir, struct arena *mem, const char **svg,
                 struct err *err)
{
    const char *script = arena_printf(mem, "%s.gp", p->name);
    const char *picture = path_join(mem, dir, arena_printf(mem, "%s.svg", p->name));
    const char *pdf = path_join(mem, dir, arena_printf(mem, "%s.pdf", p->name));
    const char *const argv[] = {"gnuplot", script, NULL};
    struct err inner;
    char *text;
    size_t n;
    remove(picture); /* of an earlier run */
    remove(pdf);
    if (!proc_find("gnuplot", mem)) {
        err_warn_once(err, AT_FILE(dir),
                      "plots are not drawn: gnuplot is not installed (Debian: apt-get install "
                      "gnuplot-nox); their data and scripts are there, for: gnuplot *.gp");
        return true;
    }
    if (!draw_run(argv, dir, 300, "plots are not drawn", mem, err)) {
        remove(picture); /* what it left is half of one */
        remove(pdf);
        return true;
    }
    if (!undate(pdf, err))
        return false;
    err_init(&inner);
    if (file_read(picture, MOST_SVG, mem, &text, &n, &inner))
        *svg = themed(mem, text);
    else
        err_warn_once(err, NOWHERE, "plots are not drawn: gnuplot wrote no picture");
    err_free(&inner);
    return true;
}

bool plot_write(const struct plot *p, const char *dir, const char *data_dir, struct arena *mem,
                const char **svg, struct err *err)
{
    struct buf data, script, marks;
    buf_init(&data, mem, MOST_SVG);
    buf_init(&marks, mem, MOST_SVG);
    buf_init(&script, mem, MOST_SVG);
    *svg = "";
    write_data(p, &data);
    bool has_marks = write_marks(p, &marks) > 0;
    if (!write_script(p, has_marks, data_dir, mem, &script, err))
        return false;
    const char *base = path_join(mem, dir, p->name);
    if (has_marks &&
        !file_write(arena_printf(mem, "%s-marks.csv", base), marks.data, marks.len, err))
        return false;
    if (!file_write(arena_printf(mem, "%s.csv", base), data.data, data.len, err) ||
        !file_write(arena_printf(mem, "%s.gp", base), script.data, script.len, err))
        return false;
    return draw(p, dir, mem, svg, err);
}
