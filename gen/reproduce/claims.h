/* SPDX-License-Identifier: MIT
 *
 * gen/reproduce/claims.h: what a paper says, number by number (cfg/paper/PAPER/claims.csv). */
#ifndef CW_GEN_REPRODUCE_CLAIMS_H
#define CW_GEN_REPRODUCE_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct arena;

/* How a claim's number is made of the metric. */
#define CLAIM_MEASURES(X)                                                                          \
    X(EXACT, "exact")         /* of the design; equal to the last digit */                         \
    X(VALUE, "value")         /* the metric itself */                                              \
    X(CHANGE, "change")       /* against the baseline, in percent */                               \
    X(REDUCTION, "reduction") /* below the baseline, in percent */                                 \
    X(PERCENT, "percent")     /* of the baseline */                                                \
    X(RATIO, "ratio")         /* over the baseline */                                              \
    X(POINTS, "points")       /* percent of a third configuration, minus the baseline's */         \
    X(COUNT, "count")         /* workloads above a change */                                       \
    X(ORDER, "order")         /* which of two is better */

enum claim_measure {
#define X(id, name) CLAIM_##id,
    CLAIM_MEASURES(X)
#undef X
        CLAIM_MEASURES_COUNT
};

struct claim {
    const char *id, *section, *workload, *metric, *configuration, *baseline, *value, *unit, *kind;
    const char *figure; /* numbers separated by blanks; "T1": a table; "": text alone */
    enum claim_measure measure;
    int line;
    const char *against; /* metric of the baseline; NULL: the same */
};

struct claims {
    const char *file;
    struct claim *at;
    size_t n;
};

/* Those of a paper ("icc"). */
bool claims_read(const char *data_dir, const char *paper, struct arena *mem, struct claims *out,
                 struct err *err);

/* A measure by its name; an unknown one is refused with the nearest. */
bool claim_measure_read(const char *name, struct where at, struct arena *mem,
                        enum claim_measure *out, struct err *err);

bool claim_is_of_figure(const struct claim *c, const char *figure);

/* The paper's number: "14.5", "~600", "<1"; `*sign` becomes '<', '>' or 0. NAN: a text. */
double claim_number(const char *text, char *sign);

#endif
