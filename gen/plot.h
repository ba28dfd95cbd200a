/* SPDX-License-Identifier: MIT
 *
 * gen/plot.h: plots by gnuplot. A plot is written as NAME.csv (its data), NAME-marks.csv (x and y
 * of its marks, if it has some), NAME.gp (its script, from templates/), and, where gnuplot is
 * installed, NAME.svg and NAME.pdf beside them; the SVG is also returned for embedding, with its
 * ink in the colour of the text around it. Without gnuplot the data and the script are written all
 * the same and a warning says how to draw them. */
#ifndef CW_GEN_PLOT_H
#define CW_GEN_PLOT_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;

enum plot_kind {
    PLOT_BARS,    /* bars side by side: a cluster for each category, a bar for each series */
    PLOT_STACKED, /* one bar for each category, the series on top of each other */
    PLOT_LINES,   /* y over x */
};

struct plot_line {
    const char *name;
    const double *x, *y;
    size_t n;
};

struct plot {
    enum plot_kind kind;
    const char *name;              /* of the files */
    const char *title;             /* also the text for those who cannot see it */
    const char *x_label, *y_label; /* with unit */
    /* bars and stacks */
    const char *const *categories;
    size_t n_categories;
    const char *const *series;
    size_t n_series;
    const double *values; /* [category * n_series + series]; NAN: absent */
    double baseline;      /* a line across at this height; NAN: none */
    bool last_is_mean;    /* of the categories: a line sets it apart */
    bool is_ordered;      /* the series are steps of one quantity: shades of one colour */
    /* a mark at each of these, beside the bar of the same place; NULL or NAN: none */
    const double *marks;
    const char *mark_name; /* for the key */
    /* lines */
    const struct plot_line *lines; /* the marks of line l are at marks[l * lines[0].n + i] */
    size_t n_lines;
    double y_max; /* cut off above; 0: none */
};

/* Writes the files into `dir`. `*svg` is "" where it could not be drawn (a warning is added). */
bool plot_write(const struct plot *plot, const char *dir, const char *data_dir, struct arena *mem,
                const char **svg, struct err *err);

/* The colour of the i-th series, as in the plots. */
const char *plot_colour(size_t i);

#endif
