/* SPDX-License-Identifier: MIT
 *
 * gen/silicon/silicon_facts.h: what is known of a card (cfg/silicon/cards/NAME.cfg): measured or
 * published figures, each with source, grade and, where it is judged, a tolerance. The same file
 * with ranges instead of values holds rules of plausibility for machines that nobody has measured.
 *
 * Grades: A measured and published, B the vendor's, C second hand, D recalled or derived. */
#ifndef CW_GEN_SILICON_SILICON_FACTS_H
#define CW_GEN_SILICON_SILICON_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct arena;

struct silicon_fact {
    const char *figure;
    double value;     /* NAN: a range alone */
    double low, high; /* what was seen or is believed; NAN: not said */
    double tolerance; /* in the figure's unit; NAN: none */
    double percent;   /* of the value; NAN: none. Within one of the two is within */
    double factor;    /* at most so many times more or less; NAN: none */
    const char *source, *grade;
    const char *remark; /* "" for none: shown under the table where the figure is off */
    struct where at;
};

struct silicon_source {
    const char *name, *text;
};

struct silicon_card {
    const char *file, *title;
    double core_clock_ghz; /* at which watts were measured; NAN: not said */
    const struct silicon_source *sources;
    size_t n_sources;
    const struct silicon_fact *facts;
    size_t n_facts;
};

/* `text` NULL: read from `file`. `figures` are the legal names, n of them. */
bool silicon_facts_read(const char *file, const char *text, const char *const *figures, size_t n,
                        struct arena *mem, struct silicon_card *out, struct err *err);

/* NULL: nothing is known. */
const struct silicon_fact *silicon_fact(const struct silicon_card *card, const char *figure);

enum silicon_verdict {
    SILICON_NONE,   /* nothing to hold it against, or nothing measured here */
    SILICON_SHOWN,  /* a figure without a tolerance */
    SILICON_WITHIN, /* of its tolerance, or of the range */
    SILICON_OFF,
};
enum silicon_verdict silicon_judge(const struct silicon_fact *fact, double ours);

#endif
