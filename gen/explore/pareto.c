/* SPDX-License-Identifier: MIT */
#include "gen/explore/pareto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

bool pareto_dominates(const double *a, const double *b, size_t m)
{
    bool is_better = false;
    for (size_t k = 0; k < m; k++) {
        if (a[k] > b[k])
            return false;
        is_better |= a[k] < b[k];
    }
    return is_better;
}

struct ordered {
    const double *row;
    size_t m, index;
};

static int by_values(const void *a, const void *b)
{
    const struct ordered *p = a, *q = b;
    for (size_t k = 0; k < p->m; k++) {
        if (p->row[k] != q->row[k])
            return p->row[k] < q->row[k] ? -1 : 1;
    }
    return p->index < q->index ? -1 : p->index > q->index;
}

/* In the order of their values a row is dominated by none behind it, so the front so far is enough
 * to look at. */
void pareto_front(const double *rows, size_t n, size_t m, bool *is_front)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    struct ordered *all = arena_many(&mem, struct ordered, n);
    size_t n_front = 0;
    for (size_t i = 0; i < n; i++)
        all[i] = (struct ordered){&rows[i * m], m, i};
    if (n)
        qsort(all, n, sizeof *all, by_values);
    for (size_t i = 0; i < n; i++) {
        bool is_best = true;
        for (size_t j = n_front; is_best && j-- > 0;)
            is_best = !pareto_dominates(all[j].row, all[i].row, m);
        is_front[all[i].index] = is_best;
        if (is_best)
            all[n_front++] = all[i];
    }
    arena_free(&mem);
}

static bool is_within(const double *row, size_t m, const double *worst)
{
    for (size_t k = 0; k < m; k++) {
        if (!(row[k] < worst[k]))
            return false;
    }
    return true;
}

/* Volume of one vector alone. */
static double box(const double *row, size_t m, const double *worst)
{
    double v = 1;
    for (size_t k = 0; k < m; k++)
        v *= worst[k] - row[k];
    return v;
}

/* Two values: a sum over the steps of the sorted front. */
struct pair {
    double x, y;
};

static int by_x(const void *a, const void *b)
{
    const struct pair *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

static double area(const double *rows, size_t n, const double *worst, struct arena *mem)
{
    struct pair *pairs = arena_many(mem, struct pair, n);
    for (size_t i = 0; i < n; i++)
        pairs[i] = (struct pair){rows[2 * i], rows[2 * i + 1]};
    qsort(pairs, n, sizeof *pairs, by_x);
    double sum = 0, y = worst[1];
    for (size_t i = 0; i < n; i++) {
        if (pairs[i].x < worst[0] && pairs[i].y < y) {
            sum += (worst[0] - pairs[i].x) * (y - pairs[i].y);
            y = pairs[i].y;
        }
    }
    return sum;
}

/* Each vector adds its box less what the later ones, limited to that box, have of it. */
static double volume(const double *rows, size_t n, size_t m, const double *worst, struct arena *mem)
{
    if (n == 0)
        return 0;
    if (m == 2)
        return area(rows, n, worst, mem);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const double *p = &rows[i * m];
        if (!is_within(p, m, worst))
            continue;
        struct arena_mark mark = arena_mark(mem);
        double *limited = arena_many(mem, double, (n - i) * m);
        size_t k = 0;
        for (size_t j = i + 1; j < n; j++) {
            double *q = &limited[k * m];
            for (size_t c = 0; c < m; c++)
                q[c] = fmax(rows[j * m + c], p[c]);
            bool is_needed = is_within(q, m, worst);
            for (size_t l = 0; l < k && is_needed; l++)
                is_needed = !(pareto_dominates(&limited[l * m], q, m) ||
                              memcmp(&limited[l * m], q, m * sizeof *q) == 0);
            k += is_needed;
        }
        sum += box(p, m, worst) - volume(limited, k, m, worst, mem);
        arena_rewind(mem, mark);
    }
    return sum;
}

double pareto_volume(const double *rows, size_t n, size_t m, const double *worst)
{
    struct arena mem;
    if (m == 1) {
        double best = worst[0];
        for (size_t i = 0; i < n; i++)
            best = fmin(best, rows[i]);
        return worst[0] - best;
    }
    arena_init(&mem, NULL, NULL);
    double v = volume(rows, n, m, worst, &mem);
    arena_free(&mem);
    return v;
}

double pareto_gain(const double *front, size_t n, size_t m, const double *worst, const double *row)
{
    struct arena mem;
    if (!is_within(row, m, worst))
        return 0;
    for (size_t i = 0; i < n; i++) {
        if (pareto_dominates(&front[i * m], row, m) ||
            memcmp(&front[i * m], row, m * sizeof *row) == 0)
            return 0;
    }
    arena_init(&mem, NULL, NULL);
    double *limited = arena_many(&mem, double, n *m);
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < m; c++)
            limited[i * m + c] = fmax(front[i * m + c], row[c]);
    }
    double gain = box(row, m, worst) - pareto_volume(limited, n, m, worst);
    arena_free(&mem);
    return gain;
}
