/* SPDX-License-Identifier: MIT
 *
 * gen/reproduce/experiment.h: a paper's experiment as data (cfg/paper/PAPER/experiment.cfg): which
 * configuration, program and number of a result its claims mean by the names they use. A paper is a
 * folder of cfg/paper that holds such a file. */
#ifndef CW_GEN_REPRODUCE_EXPERIMENT_H
#define CW_GEN_REPRODUCE_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "gen/reproduce/claims.h"

struct arena;

struct ex_texts {
    const char **at;
    size_t n;
};

/* A machine, or a part of one. A name may end in " @ WORKLOAD": then it is meant only for claims
 * with that workload. */
struct ex_configuration {
    struct ex_texts names;
    const char *file; /* path of the description; NULL where it is left out */
    struct ex_texts sets;
    const char *left_out; /* why there is no such machine */
    const char *array;    /* structures that its costs speak of: how their names begin */
    const char *value;    /* number of a result, in place of the metric's */
    const char *workload; /* in place of the claim's */
    const char *like;     /* description that it must equal in something */
    struct ex_texts best; /* configurations of which it is, for each program, the fastest */
    const char *solo;     /* machine on which programs run alone, for stp and antt; NULL: this */
    int published;        /* of bill_published[]; -1: none */
    struct where at;
};

struct ex_workload {
    const char *name, *file; /* as the paper says it, as `sim` takes it */
};

enum ex_how { EX_MEAN, EX_GEOMEAN, EX_EXTREME };

struct ex_set { /* of programs */
    const char *name;
    enum ex_how how;
    const char *preset; /* NULL: the one of the run */
    struct ex_texts of, quick;
};

/* A number: a value of a result, energy of its groups, a fact of the design, or a product of keys.
 */
struct ex_metric {
    const char *name;
    const char *value, *over; /* names of values of a result; over may be NULL */
    bool has_groups;          /* energy of groups; none named: those of the configuration's array */
    struct ex_texts groups;
    const char *part;   /* "dynamic", "leakage", "total" */
    const char *per;    /* key by whose number it is divided; NULL: none */
    const char *design; /* a function of gen/reproduce/answer_design.c */
    struct ex_texts keys, keys_over;
    double times;
    bool is_inverse; /* 1 / value */
    double above; /* counts workloads whose change is above it, in percent; NAN: does not count */
    const char *trace;    /* a number of `trace --info`: of the program, whatever machine */
    const char *programs; /* "stp", "antt": of several programs at once */
    const char *better;   /* "higher", "lower": what "better" means */
    struct ex_texts both; /* metrics that must both be better */
};

struct ex_note { /* why a claim is not met, or not measured */
    const char *claim, *text;
};

enum ex_kind { EX_BARS, EX_STACKED, EX_LINES, EX_TABLE };

/* How the rows and columns of a figure come about. */
enum ex_rows {
    EX_BY_PROGRAM, /* a row for each program and their mean; columns: configurations, metrics */
    EX_BY_CONFIGURATION, /* a row for each configuration; columns: metrics; means over the programs
                          */
    EX_BY_OVER,          /* a row for each word of `over`; columns: configurations; the cell is
                            the configuration "COLUMN @ ROW" */
};

/* A figure or table of the paper, or a part of one, as we measure it. */
struct ex_figure {
    const char *figure, *title;
    const char *y; /* what the numbers are, with unit; "" for texts */
    enum ex_kind kind;
    enum ex_rows rows;
    const char *set;                        /* programs; "-": a fact of the design */
    struct ex_texts of, labels;             /* configurations; how they are called here */
    struct ex_texts over;                   /* rows of EX_BY_OVER */
    struct ex_texts metrics, metric_labels; /* likewise */
    struct ex_texts baselines;              /* none, one for all, or one for each of `of` */
    const char *against;                    /* metric of the baseline; NULL: the same */
    enum claim_measure measure;
    bool is_ordered; /* columns are steps of one quantity */
};

struct experiment {
    const char *file, *name, *title;
    struct ex_configuration *configurations;
    struct ex_workload *workloads;
    struct ex_set *sets;
    struct ex_metric *metrics;
    struct ex_note *notes;
    struct ex_figure *figures;
    size_t n_configurations, n_workloads, n_sets, n_metrics, n_notes, n_figures;
};

/* The papers of DATA_DIR/cfg/paper, ascending and NULL-terminated; NULL if it cannot be read. */
const char **experiment_names(const char *data_dir, struct arena *mem, struct err *err);

/* `name` is one of them; an unknown one is refused with the nearest. */
bool experiment_read(const char *name, const char *data_dir, struct arena *mem,
                     struct experiment *out, struct err *err);

const struct ex_configuration *experiment_configuration(const struct experiment *e,
                                                        const char *name, const char *workload,
                                                        struct arena *mem);
const struct ex_workload *experiment_workload(const struct experiment *e, const char *name);
const struct ex_set *experiment_set(const struct experiment *e, const char *name);
const struct ex_metric *experiment_metric(const struct experiment *e, const char *name);
const char *experiment_note(const struct experiment *e, const char *claim); /* or NULL */

#endif
