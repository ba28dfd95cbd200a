/* SPDX-License-Identifier: MIT */
#include "gen/explore/obstacles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/table.h"

/* The best that is known of a point. */
static enum fidelity known(const struct explored *p)
{
    enum fidelity f = FIDELITY_FULL;
    while (f > FIDELITY_PRICE && !(p->has[f] && p->values[f]))
        f--;
    return f;
}

/* What is known of a constraint; NaN: nothing yet. */
static double slack_of(const struct space *s, const struct explored *p, size_t constraint)
{
    enum fidelity f = s->constraints[constraint].is_figure ? FIDELITY_PRICE : known(p);
    return p->slacks[f] ? p->slacks[f][constraint] : NAN;
}

static double left_of(const struct space *s, const struct explored *p, size_t constraint)
{
    enum fidelity f = s->constraints[constraint].is_figure ? FIDELITY_PRICE : known(p);
    return p->slacks[f] ? p->slacks[f][s->n_constraints + constraint] : NAN;
}

double obstacles_miss(const struct space *s, const struct explored *p)
{
    double miss = 0;
    if (!p->figures)
        return INFINITY;
    for (size_t c = 0; c < s->n_constraints; c++) {
        double slack = slack_of(s, p, c);
        if (slack < 0)
            miss -= slack;
    }
    return miss;
}

struct distance {
    struct explored *point;
    double miss;
};

static int by_miss(const void *a, const void *b)
{
    const struct distance *p = a, *q = b;
    if (p->miss != q->miss)
        return p->miss < q->miss ? -1 : 1;
    return p->point < q->point ? -1 : p->point > q->point; /* of one list: in its order */
}

struct explored **obstacles_closest(const struct search *s, size_t most, struct arena *mem,
                                    size_t *n)
{
    struct distance *all = arena_many(mem, struct distance, s->n);
    struct explored **out = arena_many(mem, struct explored *, most);
    size_t count = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->points[i].figures)
            all[count++] =
                (struct distance){&s->points[i], obstacles_miss(s->space, &s->points[i])};
    }
    if (count)
        qsort(all, count, sizeof *all, by_miss);
    for (*n = 0; *n < count && *n < most; (*n)++)
        out[*n] = all[*n].point;
    return out;
}

struct obstacle { /* a constraint: points for which it is known, who breaks it, its left side */
    size_t n, n_broken, n_alone;
    double least, most;
};

static struct obstacle obstacle_of(const struct search *s, size_t constraint)
{
    struct obstacle o = {.least = INFINITY, .most = -INFINITY};
    for (size_t i = 0; i < s->n; i++) {
        const struct explored *p = &s->points[i];
        double slack = p->figures ? slack_of(s->space, p, constraint) : NAN;
        if (isnan(slack))
            continue;
        double left = left_of(s->space, p, constraint);
        o.n++;
        o.least = fmin(o.least, left);
        o.most = fmax(o.most, left);
        o.n_broken += slack < 0;
        o.n_alone += slack < 0 && obstacles_miss(s->space, p) <= -slack;
    }
    return o;
}

struct table *obstacles_table(const struct search *s, struct arena *mem)
{
    static const struct table_column columns[] = {{"constraint", "", -1}, {"points", "", -2},
                                                  {"broken_by", "", -2},  {"by_it_alone", "", -2},
                                                  {"least", "", 3},       {"most", "", 3}};
    struct table *t = table_new(mem, columns, sizeof columns / sizeof *columns);
    for (size_t c = 0; c < s->space->n_constraints; c++) {
        struct obstacle o = obstacle_of(s, c);
        table_row(t);
        table_text(t, s->space->constraints[c].text);
        table_num(t, (double)o.n);
        table_num(t, (double)o.n_broken);
        table_num(t, (double)o.n_alone);
        table_num(t, o.n ? o.least : NAN);
        table_num(t, o.n ? o.most : NAN);
    }
    return t;
}

const char *obstacles_sentence(const struct search *s, struct arena *mem)
{
    const char *text = "";
    for (size_t c = 0; c < s->space->n_constraints; c++) {
        struct obstacle o = obstacle_of(s, c);
        if (o.n_broken)
            text = arena_printf(
                mem, "%s %s is broken by %zu of %zu (%zu by it alone; values from %.4g to %.4g).",
                text, s->space->constraints[c].text, o.n_broken, o.n, o.n_alone, o.least, o.most);
    }
    return text;
}

struct table *obstacles_points(const struct search *s, size_t most, struct arena *mem)
{
    const struct space *space = s->space;
    size_t n_columns = 0, n;
    struct explored **points = obstacles_closest(s, most, mem, &n);
    struct table_column *columns =
        arena_many(mem, struct table_column, space->n_keys + space->n_constraints);
    for (size_t k = 0; k < space->n_keys; k++)
        columns[n_columns++] = (struct table_column){space->keys[k].path, "", -1};
    for (size_t c = 0; c < space->n_constraints; c++)
        columns[n_columns++] = (struct table_column){space->constraints[c].text, "", 3};
    struct table *t = table_new(mem, columns, n_columns);
    for (size_t i = 0; i < n; i++) {
        table_row(t);
        for (size_t k = 0; k < space->n_keys; k++) {
            if (points[i]->choice[k] == POINT_NONE)
                table_none(t);
            else
                table_text(t, space->keys[k].values[points[i]->choice[k]]);
        }
        for (size_t c = 0; c < space->n_constraints; c++)
            table_num(t, left_of(space, points[i], c));
    }
    return t;
}

struct reason {
    const char *text;
    size_t n;
};

static int by_number(const void *a, const void *b)
{
    const struct reason *p = a, *q = b;
    return p->n != q->n ? (p->n > q->n ? -1 : 1) : strcmp(p->text, q->text);
}

struct table *obstacles_reasons(const struct search *s, size_t most, struct arena *mem)
{
    static const struct table_column columns[] = {{"points", "", -2}, {"why", "", -1}};
    struct table *t = table_new(mem, columns, 2);
    struct reason *reasons = arena_many(mem, struct reason, s->n);
    struct map seen;
    size_t n = 0;
    map_init(&seen, mem);
    for (size_t i = 0; i < s->n; i++) {
        const char *text = s->points[i].error;
        size_t at;
        if (!text)
            continue;
        if (!map_get(&seen, text, &at)) {
            at = n++;
            map_add(&seen, text, at);
            reasons[at] = (struct reason){text, 0};
        }
        reasons[at].n++;
    }
    if (n)
        qsort(reasons, n, sizeof *reasons, by_number);
    for (size_t i = 0; i < n && i < most; i++) {
        table_row(t);
        table_num(t, (double)reasons[i].n);
        table_text(t, reasons[i].text);
    }
    return t;
}
