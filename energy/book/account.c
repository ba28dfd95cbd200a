/* SPDX-License-Identifier: MIT */
#include "energy/book/account.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

#define J_PER_PJ 1e-12

static bool check_prices(const struct account_input *in, struct err *err)
{
    bool ok = true;
    for (uint32_t i = 0; i < in->n_components; i++) {
        const struct book_class *cls = &in->book->classes[in->class_of[i]];
        const struct cost *cost = &in->book->costs[in->class_of[i]];
        for (int e = 0; e < EV_COUNT; e++) {
            if (in->counts[i][e] == 0 || !isnan(cost->energy_pj[e]))
                continue;
            ok =
                err_add(err, ERR_INPUT, NOWHERE,
                        "'%s' counted %llu x %s, which has no price in the energy table", cls->name,
                        (unsigned long long)in->counts[i][e], event_id((enum sim_event)e));
        }
    }
    return ok;
}

static double dynamic_j(const struct cost *cost, enum sim_event e, uint64_t count)
{
    double j = count ? (double)count * cost->energy_pj[e] * J_PER_PJ : 0;
    return event_saves(e) ? -j : j;
}

double account_component_j(const struct account_input *in, uint32_t component)
{
    const struct cost *cost = &in->book->costs[in->class_of[component]];
    double sum = cost_leakage_w(cost) * in->seconds;
    for (int e = 0; e < EV_COUNT; e++)
        sum += dynamic_j(cost, (enum sim_event)e, in->counts[component][e]);
    return sum;
}

static struct account_group *group(struct account *a, const char *name)
{
    for (uint32_t i = 0; i < a->n_groups; i++) {
        if (strcmp(a->groups[i].name, name) == 0)
            return &a->groups[i];
    }
    a->groups[a->n_groups] = (struct account_group){.name = name};
    return &a->groups[a->n_groups++];
}

static void add_power(struct account *a, const char *name, double joules)
{
    if (joules > 0) {
        struct account_group *g = group(a, name);
        g->leakage_j += joules;
        g->total_j += joules;
    }
}

static void add_users(const struct account_input *in, struct account *a)
{
    for (uint32_t u = 0; u < in->n_users; u++) {
        const struct user_component *user = &in->users[u];
        struct account_group *g = group(a, user->name);
        uint32_t instances = user->instances ? user->instances : 1;
        double leakage = user->leakage_mw * 1e-3 * instances * in->seconds;
        double dynamic = in->user_counts[u] * user->energy_pj * J_PER_PJ;
        g->leakage_j += leakage;
        g->dynamic_j += dynamic;
        g->total_j += leakage + dynamic;
        g->area_mm2 += user->area_mm2 * instances;
        a->user_j[u] = leakage + dynamic;
    }
}

bool account_make(const struct account_input *in, struct arena *mem, struct account *out,
                  struct err *err)
{
    if (!check_prices(in, err))
        return false;
    uint32_t n = in->book->n_classes;
    struct account a = {
        .input = in,
        .lines = arena_many(mem, struct account_line, n),
        .user_j = arena_many(mem, double, in->n_users),
        .groups = arena_many(mem, struct account_group, n + in->n_users + 3),
    };
    uint64_t(*sums)[EV_COUNT] = arena_array(mem, n, sizeof *sums);
    for (uint32_t i = 0; i < in->n_components; i++) {
        for (int e = 0; e < EV_COUNT; e++)
            sums[in->class_of[i]][e] += in->counts[i][e];
    }
    for (uint32_t k = 0; k < n; k++) {
        const struct book_class *cls = &in->book->classes[k];
        const struct cost *cost = &in->book->costs[k];
        if (cls->kind == CK_USER)
            continue;
        struct account_line *line = &a.lines[k];
        struct account_group *g = group(&a, cls->group);
        line->leakage_j = cost_leakage_w(cost) * cls->instances * in->seconds;
        double dynamic = 0;
        for (int e = 0; e < EV_COUNT; e++) {
            line->dynamic_j[e] = dynamic_j(cost, (enum sim_event)e, sums[k][e]);
            dynamic += line->dynamic_j[e];
        }
        line->total_j = dynamic + line->leakage_j;
        g->dynamic_j += dynamic;
        g->leakage_j += line->leakage_j;
        g->total_j += line->total_j;
        g->area_mm2 += cost_area_um2(cost) * cls->instances * 1e-6;
        g->wire_area_mm2 += cost->wire_area_um2 * cls->instances * 1e-6;
    }
    add_users(in, &a);
    if (in->rest_mm2 > 0 || in->rest_w > 0) {
        struct account_group *g = group(&a, "rest of the die");
        g->area_mm2 = in->rest_mm2;
        g->leakage_j = g->total_j = in->rest_w * in->seconds;
    }
    a.static_j = in->static_w * in->seconds;
    a.constant_j = in->constant_w * in->seconds;
    add_power(&a, "static", a.static_j);
    add_power(&a, "constant", a.constant_j);
    for (uint32_t i = 0; i < a.n_groups; i++) {
        a.dynamic_j += a.groups[i].dynamic_j;
        a.leakage_j += a.groups[i].leakage_j;
        a.total_j += a.groups[i].total_j;
    }
    a.leakage_j -= a.static_j + a.constant_j;
    a.average_w = in->seconds > 0 ? a.total_j / in->seconds : 0;
    *out = a;
    return true;
}

double account_event_j(const struct account *a, const char *group, enum sim_event event)
{
    double sum = 0;
    const struct book *book = a->input->book;
    for (uint32_t k = 0; k < book->n_classes; k++) {
        if (strcmp(book->classes[k].group, group) == 0)
            sum += a->lines[k].dynamic_j[event];
    }
    return sum;
}
