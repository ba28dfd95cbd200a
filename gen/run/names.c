/* SPDX-License-Identifier: MIT */
#include "gen/run/names.h"

#include "base/vec.h"
#include "gen/price/cost_figures.h"
#include "gen/run/energy.h"
#include "sim/gpu/stats.h"

const struct stat_name *stat_names(struct arena *mem, size_t *n)
{
    VEC(struct stat_name) all = {0};
    for (const struct stat_row *r = stat_rows; r->name; r++)
        vec_push(mem, &all, (struct stat_name){r->name, r->unit, r->meaning, r->formula, false});
    for (const struct energy_row *r = energy_rows; r->name; r++)
        vec_push(mem, &all, (struct stat_name){r->name, r->unit, r->meaning, r->formula, false});
    for (const struct figure *f = figures; f->name; f++)
        vec_push(mem, &all, (struct stat_name){f->name, f->unit, f->meaning, f->formula, true});
    *n = all.n;
    return all.at;
}
