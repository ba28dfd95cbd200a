/* SPDX-License-Identifier: MIT
 *
 * gen/reproduce/answer.h: our answer to a paper's claim. A number comes from the design (exact
 * counts, areas, clocks) or from runs of the programs behind it; what a result does not hold is not
 * measured, and the answer says so. */
#ifndef CW_GEN_REPRODUCE_ANSWER_H
#define CW_GEN_REPRODUCE_ANSWER_H

#include "gen/reproduce/lab.h"

struct design_answer {
    double value;        /* NAN where it is a text or missing */
    const char *text;    /* NULL where it is a number */
    const char *why_not; /* NULL: there is an answer */
};

/* A fact of the design behind a configuration (gen/reproduce/answer_design.c). */
struct design_answer answer_from_design(struct lab *lab, const struct ex_configuration *conf,
                                        const char *function);

struct answer_part { /* a program behind the claim */
    const char *workload;
    double value;        /* in the claim's unit; NAN: missing */
    const char *why_not; /* NULL: it is there */
};

enum answer_state {
    ANSWER_OURS,         /* there is a number or text of ours */
    ANSWER_NOT_MEASURED, /* no result holds it; `why` says what is missing */
    ANSWER_LEFT_OUT,     /* the configuration is not modelled */
};

enum answer_verdict { VERDICT_NONE, VERDICT_EQUAL, VERDICT_DIFFERS, VERDICT_HOLDS, VERDICT_FAILS };

struct answer {
    const struct claim *claim;
    enum answer_state state;
    enum answer_verdict verdict;
    const char *text;  /* ours, as shown */
    double value;      /* NAN where it is a text */
    double paper;      /* NAN where the paper's is a text */
    double difference; /* value - paper */
    const char *why;   /* not measured: what is missing; otherwise the experiment's note, or NULL */
    struct answer_part *parts;
    size_t n_parts, n_have;
};

/* Before lab_run: notes what must run, the answer is of no use. After it: the answer. */
void answer_claim(struct lab *lab, const struct claim *claim, struct answer *out);

/* An exact claim that differs and whose difference is not explained by the experiment's notes. */
bool answer_is_wrong(const struct answer *a);

#endif
