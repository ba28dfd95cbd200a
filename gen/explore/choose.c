/* SPDX-License-Identifier: MIT */
#include "gen/explore/choose.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "gen/explore/gaussian.h"
#include "gen/explore/pareto.h"
#include "gen/price/cost_figures.h"

/* ---- features -------------------------------------------------------------------------------- */

/* Figures that tell networks apart; logarithms, since ratios matter. */
static const char *const told_by[] = {"noc.area_mm2",  "noc.leakage_w",    "noc.dynamic_w",
                                      "noc.clock_ghz", "noc.mean_routers", "noc.bisection_gbs",
                                      "noc.wires_mm2", "noc.routers"};
enum { N_TOLD_BY = sizeof told_by / sizeof *told_by };

struct features {
    size_t n;  /* of a point */
    double *x; /* [point of the search * n] */
};

static size_t figure_index(const char *name)
{
    size_t i = 0;
    while (figures[i].name && strcmp(figures[i].name, name) != 0)
        i++;
    return i;
}

/* Choices of a key: an ordered one as a number from 0 to 1, others one column for each value. */
static size_t add_choices(const struct space *s, const point_choice *choice, double *x)
{
    size_t n = 0;
    for (size_t k = 0; k < s->n_keys; k++) {
        const struct space_key *key = &s->keys[k];
        if (key->is_ordered) {
            double last = key->n > 1 ? (double)(key->n - 1) : 1;
            x[n++] = choice[k] == POINT_NONE ? 0.5 : choice[k] / last;
            continue;
        }
        for (size_t v = 0; v < key->n && v < 16; v++)
            x[n++] = choice[k] == v;
    }
    return n;
}

/* Each column to mean 0 and deviation 1 over the points that may run; constant ones go. */
static void standardise(const struct search *s, struct features *f, size_t n_all)
{
    size_t kept = 0;
    for (size_t c = 0; c < n_all; c++) {
        double sum = 0, squares = 0, n = 0;
        for (size_t i = 0; i < s->n; i++) {
            if (!s->points[i].figures || !s->points[i].is_allowed)
                continue;
            double v = f->x[i * n_all + c];
            sum += v;
            squares += v * v;
            n++;
        }
        double mean = n > 0 ? sum / n : 0;
        double deviation = sqrt(fmax(n > 0 ? squares / n - mean * mean : 0, 0));
        if (!(deviation > 1e-9))
            continue;
        for (size_t i = 0; i < s->n; i++)
            f->x[i * n_all + kept] = (f->x[i * n_all + c] - mean) / deviation;
        kept++;
    }
    f->n = kept;
    for (size_t i = 0; i < s->n; i++) /* close the rows up */
        memmove(f->x + i * kept, f->x + i * n_all, kept * sizeof *f->x);
}

static void make_features(const struct search *s, struct arena *mem, struct features *out)
{
    size_t n = N_TOLD_BY;
    for (size_t k = 0; k < s->space->n_keys; k++) {
        size_t values = s->space->keys[k].n < 16 ? s->space->keys[k].n : 16;
        n += s->space->keys[k].is_ordered ? 1 : values;
    }
    out->x = arena_many(mem, double, s->n *n);
    for (size_t i = 0; i < s->n; i++) {
        const struct explored *p = &s->points[i];
        double *x = out->x + i * n;
        size_t at = add_choices(s->space, p->choice, x);
        for (size_t k = 0; k < N_TOLD_BY; k++) {
            double v = p->figures ? p->figures[figure_index(told_by[k])] : NAN;
            x[at + k] = v > 0 ? log(v) : 0;
        }
    }
    standardise(s, out, n);
}

static bool may_run(const struct explored *p, enum fidelity f)
{
    return p->figures && p->is_allowed && !p->has[f];
}

/* ---- the first round ------------------------------------------------------------------------- */

size_t choose_first_size(const struct search *s)
{
    size_t n = 4;
    for (size_t k = 0; k < s->space->n_keys; k++)
        n += s->space->keys[k].n;
    return n < 12 ? 12 : n > s->budget / 3 + 4 ? s->budget / 3 + 4 : n;
}

/* Farthest from all that are chosen, again and again (Gonzalez 1985); the first point begins. */
static void choose_apart(const struct search *s, enum fidelity f, size_t want,
                         struct explored **out, const char **why, size_t *n, struct arena *mem)
{
    struct features x;
    double *least = arena_many(mem, double, s->n);
    make_features(s, mem, &x);
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < s->n; i++) {
        least[i] = may_run(&s->points[i], f) ? INFINITY : -1;
        if (last == SIZE_MAX && least[i] > 0)
            last = i;
    }
    while (*n < want && last != SIZE_MAX) {
        why[*n] = "the first round: far from the others";
        out[(*n)++] = &s->points[last];
        least[last] = -1;
        size_t next = SIZE_MAX;
        for (size_t i = 0; i < s->n; i++) {
            double d = 0;
            for (size_t k = 0; least[i] > 0 && k < x.n; k++) {
                double e = x.x[i * x.n + k] - x.x[last * x.n + k];
                d += e * e;
            }
            if (least[i] > 0)
                least[i] = fmin(least[i], fmax(d, 1e-12));
            if (least[i] > 0 && (next == SIZE_MAX || least[i] > least[next]))
                next = i;
        }
        last = next;
    }
}

/* ---- later rounds ---------------------------------------------------------------------------- */

struct guesses {
    const struct search *search;
    enum fidelity f;
    struct features x;
    struct model *objectives;                   /* [objective]; not made for figures */
    struct model *constraints;                  /* [constraint]: of the slack */
    double low[PARETO_MOST], high[PARETO_MOST]; /* of the values seen */
};

static bool is_known(const struct explored *p, enum fidelity f)
{
    return p->has[f] && p->values[f] && p->slacks[f];
}

static void fit_one(const struct guesses *g, size_t index, bool is_constraint, struct arena *mem,
                    struct model *out)
{
    const struct search *s = g->search;
    double *x = arena_many(mem, double, s->n * g->x.n), *y = arena_many(mem, double, s->n);
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct explored *p = &s->points[i];
        if (!is_known(p, g->f))
            continue;
        double v = is_constraint ? p->slacks[g->f][index] : p->values[g->f][index];
        if (!isfinite(v))
            continue;
        if (!is_constraint && s->space->objectives[index].is_max)
            v = -v;
        memcpy(x + n * g->x.n, g->x.x + i * g->x.n, g->x.n * sizeof *x);
        y[n++] = v;
    }
    model_fit(x, y, n, g->x.n, mem, out);
}

static void fit_all(struct guesses *g, struct arena *mem)
{
    const struct space *s = g->search->space;
    g->objectives = arena_many(mem, struct model, s->n_objectives);
    g->constraints = arena_many(mem, struct model, s->n_constraints + 1);
    for (size_t i = 0; i < s->n_objectives; i++) {
        if (!s->objectives[i].is_figure)
            fit_one(g, i, false, mem, &g->objectives[i]);
    }
    for (size_t i = 0; i < s->n_constraints; i++) {
        if (!s->constraints[i].is_figure)
            fit_one(g, i, true, mem, &g->constraints[i]);
    }
    for (size_t k = 0; k < s->n_objectives; k++) {
        g->low[k] = INFINITY;
        g->high[k] = -INFINITY;
        for (size_t i = 0; i < g->search->n; i++) {
            const struct explored *p = &g->search->points[i];
            if (!is_known(p, g->f) || !isfinite(p->values[g->f][k]))
                continue;
            g->low[k] = fmin(g->low[k], p->values[g->f][k]);
            g->high[k] = fmax(g->high[k], p->values[g->f][k]);
        }
    }
}

struct guess {
    struct explored *point;
    double mean[PARETO_MOST], deviation[PARETO_MOST]; /* of the value or its logarithm */
    double feasible; /* probability that the constraints of runs hold */
};

static void guess_one(const struct guesses *g, size_t point, double *work, struct guess *out)
{
    const struct space *s = g->search->space;
    const struct explored *p = &g->search->points[point];
    const double *x = g->x.x + point * g->x.n;
    out->feasible = 1;
    for (size_t i = 0; i < s->n_objectives; i++) {
        if (!s->objectives[i].is_figure)
            model_guess(&g->objectives[i], x, work, &out->mean[i], &out->deviation[i]);
        else
            out->mean[i] = p->values[FIDELITY_PRICE][i], out->deviation[i] = 0;
    }
    for (size_t i = 0; i < s->n_constraints; i++) {
        double mean, deviation;
        if (s->constraints[i].is_figure || g->constraints[i].n == 0)
            continue;
        model_guess(&g->constraints[i], x, work, &mean, &deviation);
        if (g->constraints[i].is_log)
            continue; /* never broken so far */
        out->feasible *= 0.5 * erfc(-mean / (fmax(deviation, 1e-9) * sqrt(2)));
    }
}

/* `hope` deviations better than the mean, to the scale of the values seen. */
static void vector_of(const struct guesses *g, const struct guess *x, double hope, double *row)
{
    const struct space *s = g->search->space;
    for (size_t i = 0; i < s->n_objectives; i++) {
        const struct expr_objective *o = &s->objectives[i];
        double v = x->mean[i];
        if (!o->is_figure) {
            v += (o->is_max ? hope : -hope) * x->deviation[i];
            v = g->objectives[i].is_log ? exp(v) : v;
            v = o->is_max ? -v : v;
        }
        double range = g->high[i] - g->low[i];
        row[i] = range > 0 ? (v - g->low[i]) / range : 0;
    }
}

/* The front of what ran, to the same scale; rows for `more` vectors behind it. */
static double *front_rows(const struct guesses *g, size_t more, struct arena *mem, size_t *n)
{
    const struct search *s = g->search;
    size_t m = s->space->n_objectives, k = 0;
    double *rows = arena_many(mem, double, (s->n + more) * m);
    bool *is_front = arena_many(mem, bool, s->n);
    for (size_t i = 0; i < s->n; i++) {
        const struct explored *p = &s->points[i];
        if (!is_known(p, g->f) || !p->meets[g->f])
            continue;
        for (size_t c = 0; c < m; c++) {
            double range = g->high[c] - g->low[c];
            rows[k * m + c] = range > 0 ? (p->values[g->f][c] - g->low[c]) / range : 0;
        }
        k++;
    }
    pareto_front(rows, k, m, is_front);
    *n = 0;
    for (size_t i = 0; i < k; i++) {
        if (is_front[i])
            memmove(rows + (*n)++ * m, rows + i * m, m * sizeof *rows);
    }
    return rows;
}

/* One after the other the point whose hope adds most room to the front; what it is believed to
 * reach joins the front. Some slots hope more than others. */
static void choose_promising(const struct search *s, enum fidelity f, size_t want,
                             struct explored **out, const char **why, size_t *n, struct arena *mem)
{
    static const double hopes[] = {0.5, 1, 0, 2};
    struct guesses g = {.search = s, .f = f};
    size_t m = s->space->n_objectives, n_front, n_guesses = 0;
    double worst[PARETO_MOST], row[PARETO_MOST], *work = arena_many(mem, double, s->n);
    make_features(s, mem, &g.x);
    fit_all(&g, mem);
    struct guess *guesses = arena_many(mem, struct guess, s->n);
    for (size_t i = 0; i < s->n; i++) {
        if (!may_run(&s->points[i], f))
            continue;
        guesses[n_guesses].point = &s->points[i];
        guess_one(&g, i, work, &guesses[n_guesses++]);
    }
    for (size_t k = 0; k < m; k++)
        worst[k] = 1.1;
    double *front = front_rows(&g, want, mem, &n_front);
    while (*n < want && n_guesses > 0) {
        double hope = hopes[*n % 4], best = -1;
        size_t chosen = 0;
        for (size_t i = 0; i < n_guesses; i++) {
            vector_of(&g, &guesses[i], hope, row);
            double gain = pareto_gain(front, n_front, m, worst, row) * guesses[i].feasible;
            if (gain > best) {
                best = gain;
                chosen = i;
            }
        }
        if (best <= 0) { /* nobody promises more: where least is known */
            double most = -1;
            for (size_t i = 0; i < n_guesses; i++) {
                double sum = 0;
                for (size_t k = 0; k < m; k++)
                    sum += guesses[i].deviation[k];
                if (sum > most) {
                    most = sum;
                    chosen = i;
                }
            }
        }
        why[*n] = best > 0 ? arena_printf(s->mem, "may add %.3g %% of room", 100 * best)
                           : "least is known about it";
        out[(*n)++] = guesses[chosen].point;
        vector_of(&g, &guesses[chosen], 0, front + n_front++ * m);
        guesses[chosen] = guesses[--n_guesses];
    }
}

void choose_next(const struct search *s, enum fidelity f, size_t want, struct explored **out,
                 const char **why, size_t *n)
{
    struct arena mem;
    size_t n_known = 0;
    *n = 0;
    for (size_t i = 0; i < s->n; i++)
        n_known += is_known(&s->points[i], f);
    arena_init(&mem, s->mem->out_of_memory, s->mem->ctx);
    if (s->round == 0 || n_known < 4)
        choose_apart(s, f, want, out, why, n, &mem);
    else
        choose_promising(s, f, want, out, why, n, &mem);
    arena_free(&mem);
}

/* ---- after short runs ------------------------------------------------------------------------ */

const struct explored *choose_better(const struct search *s, const struct explored *p)
{
    const double *mine = p->values[FIDELITY_WINDOW];
    for (size_t i = 0; i < s->space->n_constraints; i++) {
        if (p->slacks[FIDELITY_WINDOW][i] < -s->space->margin)
            return p; /* breaks a constraint by more than the margin */
    }
    for (size_t j = 0; j < s->n; j++) {
        const struct explored *q = &s->points[j];
        bool is_better = q != p && q->has[FIDELITY_WINDOW] && q->meets[FIDELITY_WINDOW];
        bool differs = false;
        for (size_t k = 0; is_better && k < s->space->n_objectives; k++) {
            double other = q->values[FIDELITY_WINDOW][k];
            if (s->space->objectives[k].is_figure) {
                is_better = other <= mine[k];
            } else {
                is_better = other < mine[k] - s->space->margin * fabs(mine[k]);
                differs = true;
            }
        }
        if (is_better && differs)
            return q;
    }
    return NULL;
}
