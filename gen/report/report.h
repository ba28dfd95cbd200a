/* SPDX-License-Identifier: MIT
 *
 * gen/report/report.h: designs on workloads, as a table for the terminal and as one self-contained
 * HTML page with its plots. The page needs no network: style, script and pictures are inside. */
#ifndef CW_GEN_REPORT_REPORT_H
#define CW_GEN_REPORT_REPORT_H

#include "gen/plot.h"
#include "gen/store/result.h"

struct band;
struct buf;

struct report_fact { /* a number of a design that no workload changes */
    const char *name, *unit;
    double value;
    int decimals;
};

struct report_picture {
    const char *title, *svg;
};

struct report_design {
    const char *name, *file, *hash;
    const char *machine; /* how it stands beside a card (`crosswatt silicon`); NULL: not said */
    const char *note;    /* what must be said with every result: "clock not limited by fmax", … */
    const char *const *notes; /* the same one by one */
    size_t n_notes;
    double area_mm2[8]; /* by part, see report.part_names */
    const struct report_fact *facts;
    size_t n_facts;
    const struct report_picture *pictures;
    size_t n_pictures;
    const char *engines; /* who priced what, at which technology */
};

struct report_key { /* a configuration key whose value is not the same everywhere */
    const char *path;
    const char **values; /* [design] */
};

struct report_terms {  /* widths that give a design what the first one has */
    uint32_t bytes[2]; /* of the channels, request and reply */
    double value;      /* what it has then */
    const char *unit;
};

#define REPORT_UNEQUAL 0.05 /* further from the first than this is said aloud */

struct report {
    const char *title, *subtitle;
    const char *command_line, *version;
    const struct report_design *designs;
    size_t n_designs; /* the first is what the others are normalised to */
    const char *const *workloads;
    size_t n_workloads;
    const struct result *results;      /* [design * n_workloads + workload] */
    const struct result *const *seeds; /* [n_seeds] further results, the first included; or none */
    size_t n_seeds;
    const bool *counted;              /* [workload] in the means (report_count); NULL: all are */
    const struct band *band;          /* under other assumptions; NULL: not asked for */
    const char *assumptions;          /* one line that belongs to every perf/W; NULL: not known */
    const char *equal;                /* on which terms the widths were chosen; NULL: on none */
    const struct report_terms *terms; /* [design], with `equal` */
    const char *const *part_names;    /* of areas */
    size_t n_parts;
    const struct report_key *keys;
    size_t n_keys;
    const struct plot_line *curves; /* load and latency; may be none */
    size_t n_curves;
    const char *curves_title;
};

/* What is compared: name of the value in a result, title, unit of the absolute value, whether more
 * is better. */
struct report_metric {
    const char *value, *id, *title, *short_title, *unit;
    double factor; /* from the value's unit to the one shown */
    bool more_is_better;
};
extern const struct report_metric report_metrics[];
extern const size_t n_report_metrics;

/* Value of a metric over that of the first design; NAN where one is missing. */
double report_ratio(const struct report *r, const struct report_metric *m, size_t design,
                    size_t workload);
/* Which workloads the means are over: those that every design finished that finished any, so that
 * no two means are of different programs. */
void report_count(struct report *r, struct arena *mem);
bool report_counts(const struct report *r, size_t workload);
/* "means over 2 of 3 workloads, which all designs finished: hs nn"; nothing where it is all. */
void report_counted_text(const struct report *r, struct buf *out);
/* Whether a design finished any workload: one that did not is the best at nothing. */
bool report_ran(const struct report *r, size_t design);
/* Geometric and arithmetic mean of the ratios over the workloads that count. */
double report_geomean(const struct report *r, const struct report_metric *m, size_t design);
double report_mean(const struct report *r, const struct report_metric *m, size_t design);
/* With several seeds: half the spread of a design's own mean over its middle. */
double report_noise(const struct report *r, const struct report_metric *m, size_t design);
double report_geomean_of_seed(const struct report *r, const struct report_metric *m, size_t design,
                              size_t seed);

const struct report_metric *report_metric(const char *id); /* or NULL */
double report_area_mm2(const struct report *r, size_t design);
/* The design with the most performance per Watt of the NoC; SIZE_MAX where none can be named. */
size_t report_best(const struct report *r);

/* "80-mesh: request 32 B, reply 32 B wide, 717 GB/s over the cut", a line each; nothing without
 * equal terms. */
void report_terms_text(const struct report *r, struct buf *out);

/* ---- the verdict (gen/report/verdict.c) ---- */

/* What a user may optimise. */
enum {
    REPORT_BY_PERFORMANCE,
    REPORT_BY_PERF_WATT_NOC,
    REPORT_BY_PERF_WATT_SYSTEM,
    REPORT_BY_EDP,
    REPORT_BY_AREA,
    REPORT_GOALS
};
struct report_win {
    const char *title;
    size_t best, next; /* SIZE_MAX: none; next is the first that is not equal */
    size_t *equal;     /* others that cannot be told from the best */
    size_t n_equal;
    double lead; /* of the best over the next */
};
struct report_win report_winner(const struct report *r, int goal, struct arena *mem);
/* With several seeds: the order changes from seed to seed. Else: within two percent. */
bool report_is_tie(const struct report *r, int goal, size_t a, size_t b);
void report_verdict_table(const struct report *r, struct arena *mem, struct buf *out);
/* "cdxbar wins on performance per Watt: … because …"; where it is slower than others, that too. */
void report_verdict(const struct report *r, struct buf *out);

/* One screen; ratios of every workload. */
void report_text(const struct report *r, struct arena *mem, struct buf *out);
void report_text_workloads(const struct report *r, struct arena *mem, struct buf *out);
void report_csv(const struct report *r, struct arena *mem, struct buf *out);
json_t *report_json(const struct report *r);
/* Writes report.html, results.csv, results.json and plots/ into `dir`. */
bool report_write(const struct report *r, const char *dir, const char *data_dir, struct arena *mem,
                  struct err *err);

#endif
