/* SPDX-License-Identifier: MIT */
#include "gen/reproduce/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "gen/config/keys.h"

/* ---- one number of one machine on one program ------------------------------------------------ */

static double key_product(const struct arch *arch, const struct ex_texts *paths)
{
    double product = 1;
    for (size_t i = 0; i < paths->n; i++) {
        int net;
        const struct key *k = key_find(paths->at[i], &net);
        product *= k ? key_number(k, arch, net < 0 ? 0 : net) : NAN;
    }
    return product;
}

static double group_energy(const struct result *r, const char *name, bool is_prefix,
                           const char *part)
{
    double sum = 0;
    bool any = false;
    for (size_t i = 0; i < r->n_groups; i++) {
        const struct result_group *g = &r->groups[i];
        if (is_prefix ? strncmp(g->name, name, strlen(name)) != 0 : strcmp(g->name, name) != 0)
            continue;
        any = true;
        sum += !part || strcmp(part, "total") == 0 ? g->total_j
               : strcmp(part, "dynamic") == 0      ? g->dynamic_j
                                                   : g->leakage_j;
    }
    return any ? sum : NAN;
}

/* The metric of a result; NAN and the reason where it is not there. */
static double metric_of(struct lab *lab, const struct ex_metric *m,
                        const struct ex_configuration *conf, const struct result *r,
                        const char **why)
{
    struct arena *mem = &lab->app->mem;
    double v = NAN;
    if (m->has_groups) {
        const char *missing = m->groups.n ? m->groups.at[0] : conf->array ? conf->array : "";
        if (m->groups.n == 0 && conf->array)
            v = group_energy(r, conf->array, true, m->part);
        for (size_t i = 0; i < m->groups.n; i++) {
            double j = group_energy(r, m->groups.at[i], false, m->part);
            v = isnan(v) ? j : isnan(j) ? v : v + j;
        }
        if (isnan(v))
            *why = arena_printf(mem, "a result has no energy of '%s'", missing);
    } else {
        const char *name = conf->value ? conf->value : m->value;
        v = result_get(r, name);
        if (isnan(v))
            *why = arena_printf(mem, "a result has no '%s'", name);
    }
    if (m->over) {
        double o = result_get(r, m->over);
        if (isnan(o) && !isnan(v))
            *why = arena_printf(mem, "a result has no '%s'", m->over);
        v = o != 0 ? v / o : NAN;
    }
    if (m->per) {
        const struct arch *arch = lab_arch(lab, lab_machine(lab, conf));
        const struct ex_texts per = {(const char *[]){m->per}, 1};
        v /= arch ? key_product(arch, &per) : NAN;
    }
    return (m->is_inverse ? 1 / v : v) * m->times;
}

/* System throughput (sum of shared / solo speed) or mean turnaround (mean of solo / shared) of
 * programs that share a machine. Speed is instructions over cycles, to a program's end or to that
 * of a fixed window. */
static double programs_of(struct lab *lab, const struct ex_metric *m,
                          const struct ex_configuration *conf, const struct ex_workload *w,
                          const char *preset, const char **why)
{
    struct arena *mem = &lab->app->mem;
    const struct ex_configuration *alone =
        conf->solo ? experiment_configuration(lab->experiment, conf->solo, "", mem) : conf;
    const struct result *r = lab_result(lab, conf, w->file, preset);
    bool is_stp = strcmp(m->programs, "stp") == 0;
    double sum = 0;
    int n = 0;
    if (!alone) {
        *why = "the machine for programs alone is not in the experiment's list";
        return NAN;
    }
    for (const char *at = w->file; *at; n++) {
        size_t len = strcspn(at, "+");
        const char *name = arena_strndup(mem, at, len);
        const struct result *solo = lab_result(lab, alone, name, preset);
        at += len + (at[len] == '+');
        if (!r || !solo || r->error || solo->error) {
            *why = !r || !solo ? "has not run" : r->error ? r->error : solo->error;
            sum = NAN;
            continue;
        }
        double shared = result_get(r, arena_printf(mem, "program%d_insts", n + 1)) /
                        result_get(r, arena_printf(mem, "program%d_cycles", n + 1)),
               own = result_get(solo, "warp_insts") / result_get(solo, "cycles");
        sum += is_stp ? shared / own : own / shared;
    }
    return is_stp ? sum : sum / n;
}

/* Of the configurations that `conf` stands for, the one on which a program takes the fewest cycles.
 * NULL: one of them has not run. */
static const struct ex_configuration *fastest(struct lab *lab, const struct ex_configuration *conf,
                                              const struct ex_workload *w, const char *preset,
                                              const char **why)
{
    const struct ex_configuration *best = NULL;
    double least = INFINITY;
    bool is_complete = true;
    for (size_t i = 0; i < conf->best.n; i++) {
        const struct ex_configuration *c =
            experiment_configuration(lab->experiment, conf->best.at[i], w->name, &lab->app->mem);
        const struct result *r = c ? lab_result(lab, c, w->file, preset) : NULL;
        if (!r || r->error) {
            *why = !c   ? "a configuration of 'best' is not in the experiment's list"
                   : !r ? "has not run"
                        : r->error;
            is_complete = false;
            continue;
        }
        double cycles = result_get(r, "cycles");
        if (cycles < least) {
            least = cycles;
            best = c;
        }
    }
    return is_complete ? best : NULL;
}

static double measure(struct lab *lab, const struct ex_metric *m,
                      const struct ex_configuration *conf, const struct ex_workload *w,
                      const char *preset, const char **why)
{
    if (conf->best.n && w && !(conf = fastest(lab, conf, w, preset, why)))
        return NAN;
    if (conf->workload)
        w = experiment_workload(lab->experiment, conf->workload);
    if (!w) {
        *why = "its program is not in the experiment's list";
        return NAN;
    }
    if (m->trace)
        return lab_trace_number(lab, w->file, preset, m->trace, why) * m->times;
    if (m->programs)
        return programs_of(lab, m, conf, w, preset, why);
    const struct result *r = lab_result(lab, conf, w->file, preset);
    if (!r) {
        *why = "has not run";
        return NAN;
    }
    if (r->error) {
        *why = r->error;
        return NAN;
    }
    return metric_of(lab, m, conf, r, why);
}

/* ---- a claim on one program ------------------------------------------------------------------ */

struct terms {
    const struct ex_metric *metric, *base_metric;
    const struct ex_configuration *conf, *base, *third;
    const char *preset;
};

/* 1: ours is as the claim says; 0: it is not. */
static double order_of(struct lab *lab, const struct claim *c, const struct terms *t,
                       const struct ex_workload *w, const char **why)
{
    const struct ex_metric *list[4] = {t->metric};
    size_t n = 1;
    if (t->metric->both.n) {
        n = 0;
        for (size_t i = 0; i < t->metric->both.n && n < 4; i++)
            list[n++] = experiment_metric(lab->experiment, t->metric->both.at[i]);
    }
    bool holds = true, missing = false;
    for (size_t i = 0; i < n; i++) {
        if (!list[i]) {
            *why = "the experiment does not know the metric";
            return NAN;
        }
        double a = measure(lab, list[i], t->conf, w, t->preset, why),
               b = measure(lab, list[i], t->base, w, t->preset, why);
        bool more_is_better = !list[i]->better || strcmp(list[i]->better, "higher") == 0;
        bool wants_more = strcmp(c->value, "higher") == 0  ? true
                          : strcmp(c->value, "lower") == 0 ? false
                          : strcmp(c->value, "worse") == 0 ? !more_is_better
                                                           : more_is_better;
        missing |= isnan(a) || isnan(b);
        holds &= wants_more ? a > b : a < b;
    }
    return missing ? NAN : holds;
}

/* The number of a claim about `a` against the baseline's `b`; points are percent of `third`. */
static double compared(const struct claim *c, const struct terms *t, double a, double b,
                       double third)
{
    switch (c->measure) {
    case CLAIM_CHANGE: return 100 * (a / b - 1);
    case CLAIM_REDUCTION: return 100 * (1 - a / b);
    case CLAIM_PERCENT: return 100 * a / b;
    case CLAIM_RATIO: return a / b;
    case CLAIM_POINTS: return 100 * (a - b) / third;
    case CLAIM_COUNT: return isnan(a / b) ? NAN : 100 * (a - b) / b > t->metric->above;
    case CLAIM_EXACT:
    case CLAIM_VALUE:
    case CLAIM_ORDER:
    case CLAIM_MEASURES_COUNT: break;
    }
    return NAN;
}

static double claim_on(struct lab *lab, const struct claim *c, const struct terms *t,
                       const struct ex_workload *w, const char **why)
{
    if (c->measure == CLAIM_ORDER)
        return order_of(lab, c, t, w, why);
    double a = measure(lab, t->metric, t->conf, w, t->preset, why);
    if (!t->base || c->measure == CLAIM_VALUE)
        return a;
    double b = measure(lab, t->base_metric, t->base, w, t->preset, why);
    double third = t->third ? measure(lab, t->metric, t->third, w, t->preset, why) : 100;
    return compared(c, t, a, b, third);
}

/* ---- over the programs ----------------------------------------------------------------------- */

static double mean_of(const struct answer *a, const struct claim *c, enum ex_how how)
{
    double sum = 0, best = NAN;
    for (size_t i = 0; i < a->n_parts; i++) {
        double v = a->parts[i].value;
        if (isnan(v))
            continue;
        /* a change is averaged as the factor it stands for */
        double factor = c->measure == CLAIM_CHANGE ? 1 + v / 100 : v;
        sum += how == EX_GEOMEAN ? log(factor) : v;
        bool wants_less = strtod(c->value, NULL) < 0;
        if (isnan(best) || (wants_less ? v < best : v > best))
            best = v;
    }
    if (how == EX_EXTREME || a->n_have == 0)
        return best;
    sum /= (double)a->n_have;
    if (how != EX_GEOMEAN)
        return sum;
    return c->measure == CLAIM_CHANGE ? 100 * (exp(sum) - 1) : exp(sum);
}

static struct ex_texts split(const char *words, struct arena *mem)
{
    VEC(const char *) list = {0};
    while (*words) {
        size_t n = strcspn(words, ";");
        vec_push(mem, &list, arena_strndup(mem, words, n));
        words += n + (words[n] == ';');
    }
    return (struct ex_texts){list.at, list.n};
}

static void not_measured(struct answer *a, const char *why)
{
    a->state = ANSWER_NOT_MEASURED;
    a->text = "not measured";
    a->why = a->why ? a->why : why;
}

static void run_parts(struct lab *lab, const struct claim *c, const struct terms *t,
                      const struct ex_texts *workloads, struct answer *a)
{
    a->n_parts = workloads->n;
    a->parts = arena_many(&lab->app->mem, struct answer_part, workloads->n);
    for (size_t i = 0; i < workloads->n; i++) {
        struct answer_part *p = &a->parts[i];
        const struct ex_workload *w = experiment_workload(lab->experiment, workloads->at[i]);
        const char *why = "gives no number";
        p->workload = workloads->at[i];
        p->value = w ? claim_on(lab, c, t, w, &why) : NAN;
        if (!w)
            why = "there is no such program in the suite";
        if (!isfinite(p->value)) {
            p->value = NAN;
            p->why_not = why;
        } else {
            a->n_have++;
        }
    }
}

static void answer_by_runs(struct lab *lab, const struct claim *c, const struct terms *terms,
                           struct answer *a)
{
    struct arena *mem = &lab->app->mem;
    struct terms t = *terms;
    const struct ex_set *set = experiment_set(lab->experiment, c->workload);
    struct ex_texts list = set ? set->of : split(c->workload, mem);
    if (set && lab->quick && set->quick.n)
        list = set->quick;
    if (set)
        t.preset = set->preset;
    if (!set && list.n > 0 && !experiment_workload(lab->experiment, list.at[0])) {
        not_measured(a, arena_printf(mem, "no runs are set up for '%s'", c->workload));
        return;
    }
    run_parts(lab, c, &t, &list, a);
    if (a->n_have == 0) {
        not_measured(a, a->n_parts ? a->parts[0].why_not : "no programs");
        return;
    }
    if (c->measure == CLAIM_ORDER || c->measure == CLAIM_COUNT) {
        double n = 0;
        for (size_t i = 0; i < a->n_parts; i++)
            n += a->parts[i].value > 0 ? 1 : 0; /* NAN is not */
        a->value = n;
        a->text = arena_printf(mem, "%.0f of %zu", n, a->n_have);
        if (c->measure == CLAIM_ORDER)
            a->verdict = n == (double)a->n_parts ? VERDICT_HOLDS : VERDICT_FAILS;
        return;
    }
    a->value = mean_of(a, c, set ? set->how : EX_MEAN);
}

/* ---- by the design --------------------------------------------------------------------------- */

static struct design_answer ask(struct lab *lab, const struct ex_metric *m,
                                const struct ex_configuration *conf)
{
    if (m->design) {
        struct design_answer d = answer_from_design(lab, conf, m->design);
        d.value *= m->times;
        return d;
    }
    struct lab_machine *machine = lab_machine(lab, conf);
    const struct arch *arch = lab_arch(lab, machine);
    if (!arch)
        return (struct design_answer){.value = NAN, .why_not = machine->error};
    double v = key_product(arch, &m->keys) / key_product(arch, &m->keys_over) * m->times;
    return (struct design_answer){.value = v, .why_not = isnan(v) ? "no such keys" : NULL};
}

static void answer_by_design(struct lab *lab, const struct claim *c, const struct terms *t,
                             struct answer *a)
{
    struct design_answer ours = ask(lab, t->metric, t->conf);
    if (ours.why_not) {
        not_measured(a, ours.why_not);
        return;
    }
    a->text = ours.text;
    a->value = ours.value;
    if (t->base && c->measure != CLAIM_VALUE && c->measure != CLAIM_EXACT) {
        struct design_answer base = ask(lab, t->base_metric, t->base), third = {.value = 100};
        if (t->third)
            third = ask(lab, t->metric, t->third);
        if (base.why_not || third.why_not)
            not_measured(a, base.why_not ? base.why_not : third.why_not);
        else
            a->value = compared(c, t, ours.value, base.value, third.value);
    }
}

/* ---- paper and ours -------------------------------------------------------------------------- */

/* Equal as the paper prints it: rounded or cut off at its decimals. */
static bool equal_as_printed(double ours, const char *paper)
{
    const char *point = strchr(paper, '.');
    int decimals = point ? (int)strspn(point + 1, "0123456789") : 0;
    double scale = pow(10, decimals), p = round(strtod(paper, NULL) * scale);
    return round(ours * scale) == p || trunc(ours * scale * (1 + 1e-12)) == p;
}

static void compare(const struct claim *c, struct answer *a, struct arena *mem)
{
    char sign;
    a->paper = claim_number(c->value, &sign);
    if (a->state != ANSWER_OURS || a->verdict != VERDICT_NONE)
        return;
    if (isnan(a->value)) {
        if (!a->text) {
            not_measured(a, "gives no number");
            return;
        }
        a->verdict = strcmp(a->text, c->value) == 0 ? VERDICT_EQUAL : VERDICT_DIFFERS;
        return;
    }
    if (!a->text)
        a->text = c->measure == CLAIM_EXACT ? arena_printf(mem, "%.7g", a->value)
                  : fabs(a->value) >= 1000  ? arena_printf(mem, "%.0f", a->value)
                  : fabs(a->value) >= 10    ? arena_printf(mem, "%.1f", a->value)
                                            : arena_printf(mem, "%.2f", a->value);
    if (isnan(a->paper))
        return;
    if (sign) {
        a->verdict = (sign == '<' ? a->value < a->paper : a->value > a->paper) ? VERDICT_HOLDS
                                                                               : VERDICT_FAILS;
        return;
    }
    a->difference = a->value - a->paper;
    if (c->measure == CLAIM_EXACT)
        a->verdict = equal_as_printed(a->value, c->value) ? VERDICT_EQUAL : VERDICT_DIFFERS;
}

static const struct ex_configuration *third_of(struct lab *lab, const struct claim *c)
{
    static const char of[] = "points of ";
    if (strncmp(c->unit, of, sizeof of - 1) != 0)
        return NULL;
    return experiment_configuration(lab->experiment, c->unit + sizeof of - 1, c->workload,
                                    &lab->app->mem);
}

void answer_claim(struct lab *lab, const struct claim *c, struct answer *out)
{
    const struct experiment *e = lab->experiment;
    struct arena *mem = &lab->app->mem;
    struct answer a = {.claim = c,
                       .value = NAN,
                       .paper = NAN,
                       .difference = NAN,
                       .why = experiment_note(e, c->id)};
    struct terms t = {
        .metric = experiment_metric(e, c->metric),
        .base_metric = experiment_metric(e, c->against ? c->against : c->metric),
        .conf = experiment_configuration(e, c->configuration, c->workload, mem),
        .base = experiment_configuration(e, c->baseline, c->workload, mem),
        .third = third_of(lab, c),
    };
    bool needs_base = c->measure != CLAIM_EXACT && c->measure != CLAIM_VALUE;
    const char *left_out = t.conf && t.conf->left_out                 ? t.conf->left_out
                           : needs_base && t.base && t.base->left_out ? t.base->left_out
                                                                      : NULL;
    if (left_out) {
        a.state = ANSWER_LEFT_OUT;
        a.text = "left out";
        a.why = left_out;
    } else if (!t.metric || !t.base_metric || !t.conf || (needs_base && !t.base)) {
        not_measured(&a, !t.metric        ? arena_printf(mem, "no metric '%s'", c->metric)
                         : !t.base_metric ? arena_printf(mem, "no metric '%s'", c->against)
                         : !t.conf ? arena_printf(mem, "no configuration '%s'", c->configuration)
                                   : arena_printf(mem, "no configuration '%s'", c->baseline));
    } else if (t.metric->design || t.metric->keys.n) {
        answer_by_design(lab, c, &t, &a);
    } else {
        answer_by_runs(lab, c, &t, &a);
    }
    compare(c, &a, mem);
    *out = a;
}

bool answer_is_wrong(const struct answer *a)
{
    return a->claim->measure == CLAIM_EXACT && a->verdict != VERDICT_EQUAL && !a->why;
}
