/* SPDX-License-Identifier: MIT
 *
 * gen/silicon/silicon_report.h: the figures of a machine beside those of a card: one table, as
 * text, JSON, CSV or Markdown. */
#ifndef CW_GEN_SILICON_SILICON_REPORT_H
#define CW_GEN_SILICON_SILICON_REPORT_H

#include <jansson.h>

#include "gen/silicon/silicon_facts.h"
#include "gen/silicon/silicon_figures.h"

struct buf;

struct silicon_row {
    const struct silicon_figure *figure;
    const struct silicon_fact *fact; /* NULL: nothing is known */
    double ours;                     /* NAN: not measured */
    double ratio;                    /* ours / silicon */
    enum silicon_verdict verdict;
};

struct silicon_report {
    const char *config;              /* as named */
    const struct silicon_card *card; /* its facts, or the rules of plausibility */
    bool is_measured;                /* the card is a card */
    const char *clock_note;          /* why watts are not judged; "" for none */
    const char *assumptions;         /* what its prices stand on; "" where no figure is one */
    struct silicon_row *rows;
    size_t n_rows;
    size_t n_within, n_judged;
    const struct silicon_run *run;
};

/* `wanted` as given to silicon_measure, `assumptions` as assumptions_line has it. */
void silicon_report_make(const struct silicon_run *run, const struct silicon_card *card,
                         bool is_measured, const bool *wanted, const char *assumptions,
                         struct arena *mem, struct silicon_report *out);

void silicon_report_text(const struct silicon_report *r, struct arena *mem, struct buf *out);
void silicon_report_csv(const struct silicon_report *r, struct arena *mem, struct buf *out);
void silicon_report_markdown(const struct silicon_report *r, struct arena *mem, struct buf *out);
json_t *silicon_report_json(const struct silicon_report *r);

#endif
