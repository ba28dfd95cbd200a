/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/table.h"
#include "gen/explore/front_band.h"
#include "gen/explore/obstacles.h"
#include "gen/explore/outcome.h"
#include "gen/report/band_print.h"
#include "gen/report/page.h"
#include "gen/store/sources.h"

#define MOST_SHOWN 20000u   /* points; those that ran come first */
#define MOST_DESCRIBED 200u /* points of the front with all their keys; of others it says how */

/* ---- data ------------------------------------------------------------------------------------ */

static const double *shown_values(const struct explored *p, bool *is_short)
{
    *is_short = !(p->has[FIDELITY_FULL] && p->values[FIDELITY_FULL]);
    if (!*is_short)
        return p->values[FIDELITY_FULL];
    return p->has[FIDELITY_WINDOW] ? p->values[FIDELITY_WINDOW] : NULL;
}

static json_t *point_json(const struct space *s, const struct explored *p, bool is_front)
{
    bool is_short;
    const double *values = shown_values(p, &is_short);
    json_t *o = json_object(), *choices = json_array(), *objectives = json_array();
    for (size_t k = 0; k < s->n_keys; k++)
        json_array_append_new(choices, p->choice[k] == POINT_NONE ? json_null()
                                                                  : json_integer(p->choice[k]));
    for (size_t k = 0; k < s->n_objectives; k++)
        json_array_append_new(objectives,
                              values ? json_num(s->objectives[k].is_max ? -values[k] : values[k])
                                     : json_null());
    char hash[17];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)(p->hash ? p->hash : p->id));
    json_object_set_new(o, "c", choices);
    json_object_set_new(o, "o", objectives);
    json_object_set_new(o, "f", json_integer(is_front));
    json_object_set_new(o, "s", json_integer(values && is_short));
    json_object_set_new(o, "r", json_integer(p->round));
    json_object_set_new(o, "h", json_string(hash));
    if (p->error)
        json_object_set_new(o, "e", json_text(p->error));
    return o;
}

static json_t *keys_json(const struct space *s)
{
    json_t *list = json_array();
    for (size_t k = 0; k < s->n_keys; k++) {
        json_t *o = json_object(), *values = json_array();
        for (size_t v = 0; v < s->keys[k].n; v++)
            json_array_append_new(values, json_text(s->keys[k].values[v]));
        json_object_set_new(o, "path", json_text(s->keys[k].path));
        json_object_set_new(o, "ordered", json_boolean(s->keys[k].is_ordered));
        json_object_set_new(o, "values", values);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *objectives_json(const struct space *s)
{
    json_t *list = json_array();
    for (size_t k = 0; k < s->n_objectives; k++) {
        json_t *o = json_object();
        json_object_set_new(o, "text", json_text(s->objectives[k].text));
        json_object_set_new(o, "what", json_text(s->objectives[k].what));
        json_object_set_new(o, "is_max", json_boolean(s->objectives[k].is_max));
        json_array_append_new(list, o);
    }
    return list;
}

static bool is_among(const struct explored *p, struct explored *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i] == p)
            return true;
    }
    return false;
}

static json_t *data_json(const struct search *s, struct explored *const *front, size_t n_front,
                         struct arena *mem)
{
    json_t *o = json_object(), *points = json_array(), *descriptions = json_array();
    for (int is_rest = 0; is_rest < 2; is_rest++) {
        for (size_t i = 0; i < s->n && json_array_size(points) < MOST_SHOWN; i++) {
            const struct explored *p = &s->points[i];
            bool is_short, has_run = shown_values(p, &is_short) != NULL;
            if (has_run == (is_rest == 1))
                continue;
            bool is_front = is_among(p, front, n_front);
            json_t *one = point_json(s->space, p, is_front);
            if (is_front && json_array_size(descriptions) < MOST_DESCRIBED) {
                json_object_set_new(one, "d",
                                    json_integer((json_int_t)json_array_size(descriptions)));
                json_array_append_new(descriptions,
                                      json_text(evaluation_description(s->evaluation, p, mem)));
            }
            json_array_append_new(points, one);
        }
    }
    json_object_set_new(o, "keys", keys_json(s->space));
    json_object_set_new(o, "objectives", objectives_json(s->space));
    json_object_set_new(o, "points", points);
    json_object_set_new(o, "descriptions", descriptions);
    json_object_set_new(o, "n", json_integer((json_int_t)s->n));
    json_object_set_new(o, "file", json_text("results.sqlite"));
    return o;
}

/* Nothing in it may end the element that it stands in. */
static const char *for_script(json_t *j, struct arena *mem)
{
    struct buf b;
    char *text = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(9));
    if (!text)
        arena_exhausted();
    buf_init(&b, mem, BUF_NO_MAX);
    for (const char *at = text; *at; at++) {
        if (*at == '<')
            buf_add(&b, "\\u003c");
        else
            buf_putc(&b, *at);
    }
    free(text);
    json_decref(j);
    return b.data;
}

/* ---- the page -------------------------------------------------------------------------------- */

/* Two objectives: the front as a curve for papers. */
static bool add_plot(const struct search *s, const struct page *page, struct explored *const *front,
                     size_t n)
{
    const struct space *space = s->space;
    double *x = arena_many(page->mem, double, n), *y = arena_many(page->mem, double, n);
    if (space->n_objectives < 2 || n < 2)
        return true;
    for (size_t i = 0; i < n; i++) {
        const double *v = front[i]->values[FIDELITY_FULL];
        y[i] = space->objectives[0].is_max ? -v[0] : v[0];
        x[i] = space->objectives[1].is_max ? -v[1] : v[1];
    }
    const struct plot_line line = {"front", x, y, n};
    const struct plot plot = {.kind = PLOT_LINES,
                              .name = "front",
                              .title = "Pareto front",
                              .x_label = space->objectives[1].what,
                              .y_label = space->objectives[0].what,
                              .baseline = NAN,
                              .lines = &line,
                              .n_lines = 1};
    return page_plot(page, &plot, scope_item(page->scope, "plots"));
}

static const char *joined(struct arena *mem, const char *had, const char *more)
{
    return had[0] ? arena_printf(mem, "%s, %s", had, more) : more;
}

static void add_texts(const struct search *s, const struct outcome_page *q, size_t n_front,
                      const struct page *page)
{
    const struct space *space = s->space;
    struct arena *mem = page->mem;
    const char *objectives = "", *constraints = "", *workloads = "";
    for (size_t i = 0; i < space->n_objectives; i++)
        objectives = joined(mem, objectives, space->objectives[i].text);
    for (size_t i = 0; i < space->n_constraints; i++)
        constraints = joined(mem, constraints, space->constraints[i].text);
    for (size_t i = 0; i < space->n_workloads; i++)
        workloads = joined(mem, workloads, space->workloads[i]);
    size_t n_full = 0;
    for (size_t i = 0; i < s->n; i++)
        n_full += s->points[i].has[FIDELITY_FULL] && s->points[i].values[FIDELITY_FULL];
    scope_text(page->scope, "title", "Exploration");
    scope_format(page->scope, "subtitle", "%s: %zu points, %s", space->file, s->n, objectives);
    const char *assumed = outcome_assumptions(s, mem);
    scope_format(page->scope, "lead",
                 "%zu points of %zu%s are better than all others in some way; %zu of "
                 "%zu points meet the constraints on figures.%s%s%s%s",
                 n_front, n_full, space->n_workloads ? " that ran whole" : "", s->n_allowed, s->n,
                 *assumed ? " The figures assume " : "", assumed, *assumed ? "." : "",
                 n_front ? "" : obstacles_sentence(s, mem));
    scope_text(page->scope, "command_line", q->command_line);
    scope_text(page->scope, "version", q->version);
    scope_text(page->scope, "sources", sources_hash());
    scope_text(page->scope, "file", space->file);
    scope_text(page->scope, "objectives", objectives);
    scope_text(page->scope, "constraints", constraints[0] ? constraints : "none");
    scope_text(page->scope, "workloads", workloads[0] ? workloads : "none: figures alone");
    scope_format(page->scope, "counts",
                 "%zu%s of %.0f combinations; %zu cannot be made, %zu break a constraint on "
                 "figures, %s",
                 s->n, s->is_sampled ? " drawn" : "", s->combinations, s->n_broken, s->n_forbidden,
                 s->runs_all ? "all others ran" : "of the others a search chose");
}

static void add_band(const struct front_band *band, const struct page *page)
{
    scope_list(page->scope, "bands");
    scope_text(page->scope, "no_band",
               "Not looked at: it takes a front of two points or more, workloads, and runs "
               "(--assumptions each or all, without --no-run).");
    if (!band->is_there)
        return;
    struct scope *s = scope_item(page->scope, "bands");
    size_t n = band->band.n_designs;
    scope_format(s, "chosen",
                 n < band->n_front ? "%zu points spread over the front of %zu."
                                   : "The %zu points of the front.",
                 n, band->n_front);
    band_scope(&band->band, s, page->mem);
}

bool outcome_write_page(const struct search *s, const struct outcome_page *q, struct arena *mem,
                        struct err *err)
{
    struct page page;
    struct buf csv;
    size_t n, n_ran = 0;
    struct explored **front = search_front(s, mem, &n),
                    **ran = arena_many(mem, struct explored *, s->n);
    page_remove(q->dir, mem);
    if (!page_begin(q->dir, q->data_dir, mem, &page, err) ||
        !scope_file(page.scope, "explore_script", q->data_dir, "explore.js", err))
        return false;
    add_texts(s, q, n, &page);
    add_band(q->band, &page);
    scope_list(page.scope, "plots");
    if (!add_plot(s, &page, front, n))
        return false;
    scope_text(page.scope, "data", for_script(data_json(s, front, n, mem), mem));
    for (size_t i = 0; i < s->n; i++) {
        if (s->points[i].has[FIDELITY_FULL] && s->points[i].values[FIDELITY_FULL])
            ran[n_ran++] = &s->points[i];
    }
    buf_init(&csv, mem, BUF_NO_MAX);
    table_write_csv(outcome_table(s, ran, n_ran, mem), &csv);
    const struct page_file data[] = {{"points.csv", csv.data, csv.len}};
    return page_write(&page, "explore.html", data, 1);
}
