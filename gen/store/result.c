/* SPDX-License-Identifier: MIT */
#include "gen/store/result.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/table.h"

double result_get(const struct result *r, const char *name)
{
    for (size_t i = 0; i < r->n_values; i++) {
        if (strcmp(r->values[i].name, name) == 0)
            return r->values[i].value;
    }
    return NAN;
}

const struct result_group *result_group(const struct result *r, const char *name)
{
    for (size_t i = 0; i < r->n_groups; i++) {
        if (strcmp(r->groups[i].name, name) == 0)
            return &r->groups[i];
    }
    return NULL;
}

json_t *result_json(const struct result *r)
{
    json_t *values = json_object(), *groups = json_array(), *links = json_array();
    for (size_t i = 0; i < r->n_values; i++) {
        json_t *v = json_object();
        json_object_set_new(v, "value", json_num(r->values[i].value));
        json_object_set_new(v, "unit", json_string(r->values[i].unit));
        json_object_set_new(values, r->values[i].name, v);
    }
    for (size_t i = 0; i < r->n_groups; i++) {
        const struct result_group *g = &r->groups[i];
        json_t *o = json_object();
        json_object_set_new(o, "name", json_string(g->name));
        json_object_set_new(o, "dynamic_j", json_real(g->dynamic_j));
        json_object_set_new(o, "leakage_j", json_real(g->leakage_j));
        json_object_set_new(o, "total_j", json_real(g->total_j));
        json_object_set_new(o, "area_mm2", json_real(g->area_mm2));
        json_object_set_new(o, "wire_area_mm2", json_real(g->wire_area_mm2));
        json_array_append_new(groups, o);
    }
    for (size_t i = 0; i < r->n_links; i++)
        json_array_append_new(links, json_num(r->link_use[i]));
    json_t *j = json_object();
    json_object_set_new(j, "design", json_string(r->design));
    json_object_set_new(j, "workload", json_string(r->workload));
    if (r->error)
        json_object_set_new(j, "error", json_string(r->error));
    json_object_set_new(j, "values", values);
    json_object_set_new(j, "groups", groups);
    json_object_set_new(j, "link_use", links);
    return j;
}

static double real(const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    return json_is_number(v) ? json_number_value(v) : NAN;
}

static const char *text(const json_t *o, const char *key, struct arena *mem)
{
    const json_t *v = json_object_get(o, key);
    return json_is_string(v) ? arena_strdup(mem, json_string_value(v)) : NULL;
}

bool result_from_json(const json_t *json, const char *file, struct arena *mem, struct result *out,
                      struct err *err)
{
    const json_t *values = json_object_get(json, "values"),
                 *groups = json_object_get(json, "groups"),
                 *links = json_object_get(json, "link_use");
    struct result r = {.design = text(json, "design", mem),
                       .workload = text(json, "workload", mem),
                       .error = text(json, "error", mem)};
    if (!r.design || !r.workload || !json_is_object(values) || !json_is_array(groups))
        return err_add(err, ERR_INPUT, AT_FILE(file), "is not a result of crosswatt");
    r.values = arena_many(mem, struct result_value, json_object_size(values));
    const char *name;
    json_t *item;
    json_object_foreach((json_t *)(uintptr_t)values, name, item)
    {
        const char *unit = text(item, "unit", mem);
        r.values[r.n_values++] =
            (struct result_value){arena_strdup(mem, name), unit ? unit : "", real(item, "value")};
    }
    r.groups = arena_many(mem, struct result_group, json_array_size(groups));
    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *g = json_array_get(groups, i);
        const char *group = text(g, "name", mem);
        if (!group)
            return err_add(err, ERR_INPUT, AT_FILE(file), "has a group without a name");
        r.groups[r.n_groups++] = (struct result_group){
            .name = group,
            .dynamic_j = real(g, "dynamic_j"),
            .leakage_j = real(g, "leakage_j"),
            .total_j = real(g, "total_j"),
            .area_mm2 = real(g, "area_mm2"),
            .wire_area_mm2 = real(g, "wire_area_mm2"),
        };
    }
    r.n_links = json_array_size(links);
    r.link_use = arena_many(mem, double, r.n_links);
    for (size_t i = 0; i < r.n_links; i++)
        r.link_use[i] = json_number_value(json_array_get(links, i));
    *out = r;
    return true;
}
