/* SPDX-License-Identifier: MIT
 *
 * gen/report/page.h: one page of HTML that needs no other file: a body from a template, in the
 * frame of templates/page.html with style and script inlined, its plots beside it in plots/, and
 * its data. All files or none: a page never stands beside data that is not its own. The old page
 * goes before the first new file comes, and where one cannot be written the others are taken back.
 */
#ifndef CW_GEN_REPORT_PAGE_H
#define CW_GEN_REPORT_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "gen/plot.h"
#include "gen/template.h"

struct page {
    const char *dir, *plot_dir, *data_dir;
    struct arena *mem;
    struct err *err;
    struct scope *scope; /* of the template: for the caller to fill */
};

struct page_file {
    const char *name, *data;
    size_t n;
};

/* Makes `dir` and sees that it can be written, before anything runs. */
bool page_dir(const char *dir, struct err *err);
/* Removes the page of an earlier run. */
void page_remove(const char *dir, struct arena *mem);

/* Makes the folder of plots and an empty scope. */
bool page_begin(const char *dir, const char *data_dir, struct arena *mem, struct page *out,
                struct err *err);
/* Draws into plots/ and defines svg and name, both "" where nothing could be drawn. */
bool page_plot(const struct page *p, const struct plot *plot, struct scope *s);
/* An SVG picture of its own, for a src attribute: what is inside must not reach the page. */
const char *page_picture(const struct page *p, const char *svg);
/* report.html from the template `body`, and the files of data. */
bool page_write(const struct page *p, const char *body, const struct page_file *data, size_t n);

#endif
