/* SPDX-License-Identifier: MIT
 *
 * gen/reproduce/figures.h: the paper's figures and tables as we measure them: rows and columns of
 * numbers (or texts), and beside each the paper's number where one of its claims gives it. As with
 * claims, a figure is asked twice: before lab_run it notes what must run. */
#ifndef CW_GEN_REPRODUCE_FIGURES_H
#define CW_GEN_REPRODUCE_FIGURES_H

#include "gen/reproduce/answer.h"

struct figure_cell {
    double value;        /* NAN: missing, or a text */
    const char *text;    /* where it is one */
    const char *why_not; /* NULL: there is a value or text */
    double paper;        /* in the same measure; NAN: the paper gives none as a plain number */
    const char *claim;   /* id of the claim that gives it, or NULL */
    const char *paper_text;
};

struct figure_answer {
    const struct ex_figure *figure;
    const char **rows, **columns;
    size_t n_rows, n_columns;
    bool has_mean;             /* the last row is the mean over the programs of the others */
    const char **programs;     /* behind every number */
    size_t n_programs;         /* 0: a fact of the design */
    struct figure_cell *cells; /* [row * n_columns + column] */
};

void figure_answer(struct lab *lab, const struct ex_figure *figure, const struct claims *claims,
                   struct figure_answer *out);

/* "Figure 3", "Table 1", or the word itself ("Networks") where the paper has no such figure. */
const char *figure_title(const char *figure, struct arena *mem);

#endif
