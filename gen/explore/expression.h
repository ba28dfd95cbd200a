/* SPDX-License-Identifier: MIT
 *
 * gen/explore/expression.h: expressions over named numbers (gen/run/names.h), as constraints and
 * objectives are written:
 *
 *     noc.area_mm2 <= 6          perf_per_watt.system / noc.area_mm2          min(ipc_thread)
 *     power_w@mm                 mean(l2_miss_rate)                           2 * noc.leakage_w + 1
 *
 * Figures of a design are known before anything runs; statistics exist once for every workload. An
 * expression is worked out for each workload and, unless geomean, mean, min, max or sum says how,
 * their geometric mean is taken; where a value is not above zero that mean does not exist. NAME@W
 * is the statistic of workload W alone. */
#ifndef CW_GEN_EXPLORE_EXPRESSION_H
#define CW_GEN_EXPLORE_EXPRESSION_H

#include "base/err.h"
#include "gen/run/names.h"
#include "gen/store/result.h"

struct expr;

struct expr_names { /* what may be named */
    const struct stat_name *stats;
    size_t n_stats;
    const char *const *workloads;
    size_t n_workloads;
};

struct expr_values {              /* of one design */
    const double *figures;        /* [figure], as cost_figures_of gives them */
    const struct result *results; /* [workload]; NULL: it has not run */
    size_t n_workloads;
};

/* NULL and an error that shows where. */
struct expr *expr_parse(const char *text, const struct expr_names *names, struct where at,
                        struct arena *mem, struct err *err);
/* NaN where it has no value. */
double expr_value(const struct expr *e, const struct expr_values *values);
/* Known before anything runs. */
bool expr_is_figure(const struct expr *e);

enum expr_test { EXPR_LESS, EXPR_LESS_EQUAL, EXPR_MORE, EXPR_MORE_EQUAL };

struct expr_constraint { /* left test right */
    const char *text;
    struct expr *left, *right;
    enum expr_test test;
    bool is_figure;
};

bool expr_parse_constraint(const char *text, const struct expr_names *names, struct where at,
                           struct arena *mem, struct expr_constraint *out, struct err *err);
/* How far it is met: at least 0 where it is, in units of the larger side; NaN: no value. */
double expr_slack(const struct expr_constraint *c, const struct expr_values *values);

struct expr_objective {
    const char *text;
    const char *what; /* without max or min */
    struct expr *expr;
    bool is_max, is_figure;
};

bool expr_parse_objective(const char *text, const struct expr_names *names, struct where at,
                          struct arena *mem, struct expr_objective *out, struct err *err);

#endif
