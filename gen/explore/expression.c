/* SPDX-License-Identifier: MIT */
#include "gen/explore/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/near.h"
#include "base/vec.h"

enum kind { NUMBER, FIGURE, STATISTIC, ADD, SUBTRACT, MULTIPLY, DIVIDE, NEGATE, OVER };
enum over { OVER_GEOMEAN, OVER_MEAN, OVER_MIN, OVER_MAX, OVER_SUM, OVERS };
static const char *const over_names[OVERS] = {"geomean", "mean", "min", "max", "sum"};

struct expr {
    enum kind kind;
    double number;
    size_t index;     /* of a figure; of the workload of a statistic, EVERY: the one at hand */
    const char *name; /* of a statistic */
    enum over over;
    struct expr *left, *right;
};

#define EVERY SIZE_MAX
enum { DEEPEST = 100 };

/* ---- reading --------------------------------------------------------------------------------- */

struct parser {
    const char *text, *at;
    const struct expr_names *names;
    struct where where;
    struct arena *mem;
    struct err *err;
    int depth;
};

static struct expr *parse_sum(struct parser *p);

static struct expr *refuse(struct parser *p, const char *what)
{
    err_add(p->err, ERR_INPUT, p->where, "'%s': %s at '%.20s'", p->text, what,
            *p->at ? p->at : "the end");
    return NULL;
}

static void skip(struct parser *p)
{
    p->at += strspn(p->at, " \t\n");
}

static bool takes(struct parser *p, char c)
{
    skip(p);
    if (*p->at != c)
        return false;
    p->at++;
    return true;
}

static struct expr *node(struct parser *p, enum kind kind, struct expr *left, struct expr *right)
{
    struct expr *e = arena_new(p->mem, struct expr);
    *e = (struct expr){.kind = kind, .left = left, .right = right, .index = EVERY};
    return e;
}

static struct expr *parse_over(struct parser *p, enum over over)
{
    struct expr *inner = parse_sum(p);
    if (!inner)
        return NULL;
    if (!takes(p, ')'))
        return refuse(p, "expected ')'");
    struct expr *e = node(p, OVER, inner, NULL);
    e->over = over;
    return e;
}

/* "@workload": which one. */
static bool parse_workload(struct parser *p, size_t *index)
{
    size_t n = strcspn(p->at, " \t\n)*/+<>=");
    for (size_t w = 0; w < p->names->n_workloads; w++) {
        if (strlen(p->names->workloads[w]) == n && strncmp(p->names->workloads[w], p->at, n) == 0) {
            *index = w;
            p->at += n;
            return true;
        }
    }
    const char *word = arena_strndup(p->mem, p->at, n);
    return err_add(p->err, ERR_INPUT, p->where, "'%s': '%s' is not one of the workloads%s", p->text,
                   word, near_hint(word, p->names->workloads, p->names->n_workloads, p->mem));
}

static struct expr *unknown_name(struct parser *p, const char *word)
{
    VEC(const char *) all = {0};
    for (size_t i = 0; i < p->names->n_stats; i++)
        vec_push(p->mem, &all, p->names->stats[i].name);
    err_add(p->err, ERR_INPUT, p->where, "'%s': there is no statistic '%s'%s", p->text, word,
            near_hint(word, all.at, all.n, p->mem));
    return NULL;
}

static struct expr *parse_name(struct parser *p)
{
    size_t n = 0, n_figures = 0;
    while (isalnum((unsigned char)p->at[n]) || p->at[n] == '_' || p->at[n] == '.')
        n++;
    const char *word = arena_strndup(p->mem, p->at, n);
    p->at += n;
    for (int o = 0; o < OVERS; o++) {
        if (strcmp(word, over_names[o]) == 0 && takes(p, '('))
            return parse_over(p, (enum over)o);
    }
    const struct stat_name *found = NULL;
    for (size_t i = 0; i < p->names->n_stats && !found; i++) {
        found = strcmp(p->names->stats[i].name, word) == 0 ? &p->names->stats[i] : NULL;
        n_figures += !found && p->names->stats[i].is_figure;
    }
    if (!found)
        return unknown_name(p, word);
    struct expr *e = node(p, found->is_figure ? FIGURE : STATISTIC, NULL, NULL);
    e->name = found->name;
    if (found->is_figure)
        e->index = n_figures;
    else if (*p->at == '@' && (p->at++, !parse_workload(p, &e->index)))
        return NULL;
    return e;
}

static struct expr *parse_factor(struct parser *p)
{
    skip(p);
    if (++p->depth > DEEPEST)
        return refuse(p, "is nested too deeply");
    struct expr *e = NULL;
    if (takes(p, '-')) {
        struct expr *inner = parse_factor(p);
        e = inner ? node(p, NEGATE, inner, NULL) : NULL;
    } else if (takes(p, '(')) {
        e = parse_sum(p);
        if (e && !takes(p, ')'))
            e = refuse(p, "expected ')'");
    } else if (isdigit((unsigned char)*p->at) || *p->at == '.') {
        char *end;
        double v = strtod(p->at, &end);
        if (end == p->at || !isfinite(v))
            return refuse(p, "expected a number");
        e = node(p, NUMBER, NULL, NULL);
        e->number = v;
        p->at = end;
    } else if (isalpha((unsigned char)*p->at)) {
        e = parse_name(p);
    } else {
        e = refuse(p, "expected a number, a statistic or '('");
    }
    p->depth--;
    return e;
}

static struct expr *parse_product(struct parser *p)
{
    struct expr *e = parse_factor(p);
    while (e) {
        enum kind kind = takes(p, '*') ? MULTIPLY : takes(p, '/') ? DIVIDE : NUMBER;
        if (kind == NUMBER)
            return e;
        struct expr *right = parse_factor(p);
        e = right ? node(p, kind, e, right) : NULL;
    }
    return NULL;
}

static struct expr *parse_sum(struct parser *p)
{
    struct expr *e = parse_product(p);
    while (e) {
        enum kind kind = takes(p, '+') ? ADD : takes(p, '-') ? SUBTRACT : NUMBER;
        if (kind == NUMBER)
            return e;
        struct expr *right = parse_product(p);
        e = right ? node(p, kind, e, right) : NULL;
    }
    return NULL;
}

/* Holds a statistic of the workload at hand, which nobody has taken a mean of. */
static bool is_open(const struct expr *e)
{
    if (!e || e->kind == OVER)
        return false;
    return (e->kind == STATISTIC && e->index == EVERY) || is_open(e->left) || is_open(e->right);
}

static struct expr *parse_side(struct parser *p)
{
    struct expr *e = parse_sum(p);
    if (!e || !is_open(e))
        return e;
    struct expr *mean = node(p, OVER, e, NULL);
    mean->over = OVER_GEOMEAN;
    return mean;
}

struct expr *expr_parse(const char *text, const struct expr_names *names, struct where at,
                        struct arena *mem, struct err *err)
{
    struct parser p = {text, text, names, at, mem, err, 0};
    struct expr *e = parse_side(&p);
    skip(&p);
    return e && *p.at ? refuse(&p, "did not expect more") : e;
}

/* ---- values ---------------------------------------------------------------------------------- */

static double value_of(const struct expr *e, const struct expr_values *v, size_t workload);

static double value_over(const struct expr *e, const struct expr_values *v)
{
    double sum = 0, least = INFINITY, most = -INFINITY, logs = 0;
    for (size_t w = 0; w < v->n_workloads; w++) {
        double x = value_of(e->left, v, w);
        if (!isfinite(x))
            return NAN;
        sum += x;
        logs += x > 0 ? log(x) : NAN;
        least = fmin(least, x);
        most = fmax(most, x);
    }
    double n = (double)v->n_workloads;
    switch (e->over) {
    case OVER_GEOMEAN: return exp(logs / n);
    case OVER_MEAN: return sum / n;
    case OVER_MIN: return least;
    case OVER_MAX: return most;
    case OVER_SUM: return sum;
    case OVERS: break;
    }
    return NAN;
}

static double value_of(const struct expr *e, const struct expr_values *v, size_t workload)
{
    switch (e->kind) {
    case NUMBER: return e->number;
    case FIGURE: return v->figures ? v->figures[e->index] : NAN;
    case STATISTIC: {
        size_t w = e->index == EVERY ? workload : e->index;
        return v->results && w < v->n_workloads && !v->results[w].error
                   ? result_get(&v->results[w], e->name)
                   : NAN;
    }
    case ADD: return value_of(e->left, v, workload) + value_of(e->right, v, workload);
    case SUBTRACT: return value_of(e->left, v, workload) - value_of(e->right, v, workload);
    case MULTIPLY: return value_of(e->left, v, workload) * value_of(e->right, v, workload);
    case DIVIDE: return value_of(e->left, v, workload) / value_of(e->right, v, workload);
    case NEGATE: return -value_of(e->left, v, workload);
    case OVER: return value_over(e, v);
    }
    return NAN;
}

double expr_value(const struct expr *e, const struct expr_values *v)
{
    double x = value_of(e, v, 0);
    return isfinite(x) ? x : NAN;
}

bool expr_is_figure(const struct expr *e)
{
    if (e->kind == STATISTIC)
        return false;
    return (!e->left || expr_is_figure(e->left)) && (!e->right || expr_is_figure(e->right));
}

/* Names a figure or a statistic, and so may differ between points. */
static bool names_something(const struct expr *e)
{
    return e && (e->kind == FIGURE || e->kind == STATISTIC || names_something(e->left) ||
                 names_something(e->right));
}

static bool is_constant(const char *text, struct where at, struct err *err)
{
    return !err_add(err, ERR_INPUT, at, "'%s': names no statistic and is the same at all points",
                    text);
}

/* ---- constraints and objectives -------------------------------------------------------------- */

bool expr_parse_constraint(const char *text, const struct expr_names *names, struct where at,
                           struct arena *mem, struct expr_constraint *out, struct err *err)
{
    struct parser p = {text, text, names, at, mem, err, 0};
    struct expr_constraint c = {.text = arena_strdup(mem, text), .left = parse_side(&p)};
    if (!c.left)
        return false;
    skip(&p);
    if (*p.at != '<' && *p.at != '>')
        return refuse(&p, "expected <=, >=, < or >") != NULL;
    bool is_less = *p.at++ == '<', is_equal = *p.at == '=';
    p.at += is_equal;
    c.test = is_less ? (is_equal ? EXPR_LESS_EQUAL : EXPR_LESS)
                     : (is_equal ? EXPR_MORE_EQUAL : EXPR_MORE);
    c.right = parse_side(&p);
    if (!c.right)
        return false;
    skip(&p);
    if (*p.at)
        return refuse(&p, "did not expect more") != NULL;
    if (!names_something(c.left) && !names_something(c.right))
        return !is_constant(text, at, err);
    c.is_figure = expr_is_figure(c.left) && expr_is_figure(c.right);
    *out = c;
    return true;
}

double expr_slack(const struct expr_constraint *c, const struct expr_values *v)
{
    double left = expr_value(c->left, v), right = expr_value(c->right, v);
    double scale = fmax(fmax(fabs(left), fabs(right)), 1e-300);
    if (!isfinite(left) || !isfinite(right))
        return NAN;
    switch (c->test) {
    case EXPR_LESS: return left == right ? -1e-300 : (right - left) / scale;
    case EXPR_LESS_EQUAL: return (right - left) / scale;
    case EXPR_MORE: return left == right ? -1e-300 : (left - right) / scale;
    case EXPR_MORE_EQUAL: return (left - right) / scale;
    }
    return NAN;
}

bool expr_parse_objective(const char *text, const struct expr_names *names, struct where at,
                          struct arena *mem, struct expr_objective *out, struct err *err)
{
    const char *from = text + strspn(text, " ");
    bool is_max = strncmp(from, "max ", 4) == 0;
    if (!is_max && strncmp(from, "min ", 4) != 0)
        return err_add(err, ERR_INPUT, at, "'%s': expected 'max …' or 'min …'", text);
    from += 4 + strspn(from + 4, " ");
    struct expr *e = expr_parse(from, names, at, mem, err);
    if (!e || (!names_something(e) && is_constant(text, at, err)))
        return false;
    *out = (struct expr_objective){.text = arena_strdup(mem, text),
                                   .what = arena_strdup(mem, from),
                                   .expr = e,
                                   .is_max = is_max,
                                   .is_figure = expr_is_figure(e)};
    return true;
}
