/* SPDX-License-Identifier: MIT */
#include "gen/explore/gaussian.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"

static double kernel(double d2)
{
    double r = sqrt(5 * d2);
    return (1 + r + r * r / 3) * exp(-r);
}

static double distance2(const double *a, const double *b, const double *weights, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += weights[k] * (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}

/* K = L L^T into the lower triangle; false where it is not positive. */
static bool factorise(double *a, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        double d = a[j * n + j];
        for (size_t k = 0; k < j; k++)
            d -= a[j * n + k] * a[j * n + k];
        if (!(d > 0))
            return false;
        d = sqrt(d);
        a[j * n + j] = d;
        for (size_t i = j + 1; i < n; i++) {
            double s = a[i * n + j];
            const double *p = &a[i * n], *q = &a[j * n];
            for (size_t k = 0; k < j; k++)
                s -= p[k] * q[k];
            a[i * n + j] = s / d;
        }
    }
    return true;
}

static void solve_lower(const double *l, size_t n, double *b)
{
    for (size_t i = 0; i < n; i++) {
        double s = b[i];
        for (size_t k = 0; k < i; k++)
            s -= l[i * n + k] * b[k];
        b[i] = s / l[i * n + i];
    }
}

static void solve_upper(const double *l, size_t n, double *b)
{
    for (size_t i = n; i-- > 0;) {
        double s = b[i];
        for (size_t k = i + 1; k < n; k++)
            s -= l[k * n + i] * b[k];
        b[i] = s / l[i * n + i];
    }
}

/* Factor and alpha for the weights at hand; returns the log likelihood with the best scale, up to a
 * constant. */
static double refit(struct model *m, const double *y)
{
    size_t n = m->n;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++)
            m->factor[i * n + j] =
                kernel(distance2(&m->x[i * m->n_features], &m->x[j * m->n_features], m->weights,
                                 m->n_features)) +
                (i == j ? m->noise : 0);
    }
    if (!factorise(m->factor, n))
        return -INFINITY;
    memcpy(m->alpha, y, n * sizeof *y);
    solve_lower(m->factor, n, m->alpha);
    double fit = 0, logs = 0;
    for (size_t i = 0; i < n; i++) {
        fit += m->alpha[i] * m->alpha[i];
        logs += log(m->factor[i * n + i]);
    }
    solve_upper(m->factor, n, m->alpha);
    m->scale = fit / (double)n;
    return -0.5 * (double)n * log(fmax(m->scale, 1e-300)) - logs;
}

/* Each weight in turn, the likelihood decides; two rounds, the second in smaller steps. A large set
 * is fitted on every so many rows. */
static void choose_weights(struct model *m, const double *y)
{
    static const double steps[2][4] = {{1e-4, 0.1, 4, 20}, {0.25, 0.5, 2, 4}};
    double best = refit(m, y);
    for (int round = 0; round < 2; round++) {
        for (size_t k = 0; k < m->n_features; k++) {
            double start = m->weights[k], chosen = start;
            for (int s = 0; s < 4; s++) {
                m->weights[k] = start * steps[round][s];
                double l = refit(m, y);
                if (l > best + 1e-9) {
                    best = l;
                    chosen = m->weights[k];
                }
            }
            m->weights[k] = chosen;
        }
    }
}

enum { MOST_FITTED = 160 };

static void fit_on_some(const struct model *whole, const double *y, struct arena *mem)
{
    size_t step = (whole->n + MOST_FITTED - 1) / MOST_FITTED, n = 0, f = whole->n_features;
    struct model some = *whole;
    double *x = arena_many(mem, double, whole->n *f), *part = arena_many(mem, double, whole->n);
    for (size_t i = 0; i < whole->n; i += step, n++) {
        memcpy(&x[n * f], &whole->x[i * f], f * sizeof *x);
        part[n] = y[i];
    }
    some.n = n;
    some.x = x;
    some.factor = arena_many(mem, double, n *n);
    some.alpha = arena_many(mem, double, n);
    choose_weights(&some, part);
}

void model_fit(const double *x, const double *y, size_t n, size_t n_features, struct arena *mem,
               struct model *out)
{
    struct model m = {.n = n, .n_features = n_features, .x = x, .is_log = true, .noise = 1e-6};
    double *centred = arena_many(mem, double, n);
    for (size_t i = 0; i < n; i++)
        m.is_log &= y[i] > 0;
    for (size_t i = 0; i < n; i++) {
        centred[i] = m.is_log ? log(y[i]) : y[i];
        m.mean += centred[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        centred[i] -= m.mean;
    m.weights = arena_many(mem, double, n_features);
    for (size_t k = 0; k < n_features; k++)
        m.weights[k] = 0.5;
    m.factor = arena_many(mem, double, n *n);
    m.alpha = arena_many(mem, double, n);
    fit_on_some(&m, centred, mem); /* the weights are shared with the whole */
    for (m.noise = 1e-6; !isfinite(refit(&m, centred)) && m.noise < 1;)
        m.noise *= 10;
    *out = m;
}

void model_guess(const struct model *m, const double *x, double *work, double *mean,
                 double *deviation)
{
    double sum = 0, left = 1 + m->noise;
    for (size_t i = 0; i < m->n; i++) {
        work[i] = kernel(distance2(x, &m->x[i * m->n_features], m->weights, m->n_features));
        sum += work[i] * m->alpha[i];
    }
    solve_lower(m->factor, m->n, work);
    for (size_t i = 0; i < m->n; i++)
        left -= work[i] * work[i];
    *mean = m->mean + sum;
    *deviation = sqrt(fmax(left, 0) * m->scale);
}
