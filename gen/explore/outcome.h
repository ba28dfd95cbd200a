/* SPDX-License-Identifier: MIT
 *
 * gen/explore/outcome.h: what an exploration leaves: front.csv, the table on the screen, the page
 * (gen/explore/outcome_page.c). */
#ifndef CW_GEN_EXPLORE_OUTCOME_H
#define CW_GEN_EXPLORE_OUTCOME_H

#include <jansson.h>

#include "gen/explore/space_search.h"

struct table;

/* Columns: the varied keys, the objectives as they were asked for, the design's hash. */
struct table *outcome_table(const struct search *s, struct explored *const *points, size_t n,
                            struct arena *mem);
bool outcome_write_front(const struct search *s, const char *dir, struct arena *mem,
                         struct err *err);

/* What the figures of the front assume, as assumptions_line has it; "" where there is no front. */
const char *outcome_assumptions(const struct search *s, struct arena *mem);

struct front_band;
struct outcome_page {
    const char *dir, *data_dir, *command_line, *version;
    const struct front_band *band; /* who wins under which assumption */
};
/* report.html, its data as CSV, and the front as a plot with data and script. */
bool outcome_write_page(const struct search *s, const struct outcome_page *page, struct arena *mem,
                        struct err *err);

/* Points of a CSV file whose columns are keys of the space; columns that are objectives (as
 * written, with or without max and min) hold values told from outside, NaN where there are none. */
struct outcome_told {
    struct explored *points;
    double (*values)[8]; /* [point][objective] */
    size_t n;
};
bool outcome_read_told(const struct space *space, const char *file, struct arena *mem,
                       struct outcome_told *out, struct err *err);

#endif
