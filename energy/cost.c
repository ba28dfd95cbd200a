/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "energy/engine.h"

const char *cost_part_name(enum cost_part p)
{
    static const char *const names[] = {
        [PART_BUFFER] = "buffer", [PART_CROSSBAR] = "crossbar", [PART_ALLOCATOR] = "allocator",
        [PART_CLOCK] = "clock",   [PART_REPEATER] = "repeater", [PART_ARRAY] = "array",
        [PART_OTHER] = "other",
    };
    return names[p];
}

void cost_clear(struct cost *c)
{
    *c = (struct cost){.engine = "", .technology = "", .model = "", .note = "", .limit = ""};
    for (int e = 0; e < EV_COUNT; e++)
        c->energy_pj[e] = NAN;
    c->fmax_ghz = c->access_ns = c->cycle_ns = c->delay_ns = NAN;
    c->meets_timing = true;
    c->traversal_cycles = c->alloc_cycles = 1;
}

double cost_additions_pj(const struct cost *c)
{
    static const enum sim_event merge[] = {EV_MERGE_SEARCH, EV_MERGE_HOLD};
    double sum = c->energy_pj[EV_VC_ALLOC] - c->vc_alloc_pj;
    if (sum < 0) /* a table of the user's may be below */
        sum = 0;
    for (int i = 0; i < 2; i++) /* a table of the user's may not have them */
        sum += isnan(c->energy_pj[merge[i]]) ? 0 : c->energy_pj[merge[i]];
    return sum;
}

double cost_area_um2(const struct cost *c)
{
    double sum = 0;
    for (int p = 0; p < PART_COUNT; p++)
        sum += c->area_um2[p];
    return sum;
}

double cost_leakage_w(const struct cost *c)
{
    double sum = 0;
    for (int p = 0; p < PART_COUNT; p++)
        sum += c->leakage_w[p];
    return sum;
}
