/* SPDX-License-Identifier: MIT */
#include "energy/array/choice.h"

#include <string.h>

#include "base/bits.h"
#include "energy/array/small.h"

const char *const array_model_names[] = {"cacti65", "small", "auto"};

#define PLAIN_LIMIT 1.3 /* the two models are held to agree within 30 % */

static double mix(double a, double b, double share)
{
    return a + share * (b - a);
}

static void mix_side(const struct amodel_side *a, const struct amodel_side *b, double k,
                     struct amodel_side *o)
{
    *o = (struct amodel_side){.access_s = mix(a->access_s, b->access_s, k)};
    o->cycle_s = mix(a->cycle_s, b->cycle_s, k);
    o->read_j = mix(a->read_j, b->read_j, k);
    o->write_j = mix(a->write_j, b->write_j, k);
    o->leak.sub = mix(a->leak.sub, b->leak.sub, k);
    o->leak.gate = mix(a->leak.gate, b->leak.gate, k);
    o->area_um2 = mix(a->area_um2, b->area_um2, k);
    o->height_um = mix(a->height_um, b->height_um, k);
    o->width_um = o->area_um2 / o->height_um;
    o->efficiency = mix(a->efficiency, b->efficiency, k);
    o->t_compare = mix(a->t_compare, b->t_compare, k);
}

/* Between the neighbouring powers of two, in proportion to the ways: each way is a bank of tags and
 * data, read beside the others. */
static bool cost_between_ways(const struct amodel_in *in, const struct array_tables *tables,
                              struct arena *mem, struct array_answer *out)
{
    struct amodel_in a = *in, b = *in;
    a.assoc = (int64_t)1 << bits_flog2((uint64_t)in->assoc);
    b.assoc = 2 * a.assoc;
    struct err quiet;
    err_init(&quiet);
    struct amodel_out lo, hi, o = {.has_tag = true};
    bool ok = amodel_cost(&a, tables, NOWHERE, mem, &lo, &quiet) &&
              amodel_cost(&b, tables, NOWHERE, mem, &hi, &quiet);
    err_free(&quiet);
    if (!ok)
        return false;
    double k = (double)(in->assoc - a.assoc) / (double)a.assoc;
    mix_side(&lo.data, &hi.data, k, &o.data);
    mix_side(&lo.tag, &hi.tag, k, &o.tag);
    o.access_s = mix(lo.access_s, hi.access_s, k);
    o.cycle_s = mix(lo.cycle_s, hi.cycle_s, k);
    o.read_j = mix(lo.read_j, hi.read_j, k);
    o.write_j = mix(lo.write_j, hi.write_j, k);
    o.leak_w = mix(lo.leak_w, hi.leak_w, k);
    o.gate_leak_w = mix(lo.gate_leak_w, hi.gate_leak_w, k);
    o.area_um2 = mix(lo.area_um2, hi.area_um2, k);
    o.height_um = mix(lo.height_um, hi.height_um, k);
    o.width_um = o.area_um2 / o.height_um;
    out->cost = o;
    out->model = array_model_names[ARRAY_MODEL_SMALL];
    out->why = arena_printf(mem, "%lld ways are not a power of two: between CACTI's %lld and %lld",
                            (long long)in->assoc, (long long)a.assoc, (long long)b.assoc);
    return true;
}

static void cost_small(const struct amodel_in *in, const struct array_tables *tables,
                       struct arena *mem, const char *why, struct array_answer *out)
{
    small_cost(in, tables, mem, &out->cost);
    out->model = array_model_names[ARRAY_MODEL_SMALL];
    out->why = why;
}

/* The figure in which CACTI's layout compares worst with a plain block. */
static double worst_ratio(const struct amodel_out *cacti, const struct amodel_out *plain,
                          const char **what)
{
    const struct {
        const char *name;
        double ratio;
    } figures[] = {
        {"area", cacti->area_um2 / plain->area_um2},
        {"access time", cacti->access_s / plain->access_s},
        {"read energy", cacti->read_j / plain->read_j},
        {"write energy", cacti->write_j / plain->write_j},
        {"search energy", plain->search_j > 0 ? cacti->search_j / plain->search_j : 0},
    };
    size_t worst = 0;
    for (size_t i = 1; i < sizeof figures / sizeof *figures; i++)
        if (figures[i].ratio > figures[worst].ratio)
            worst = i;
    *what = figures[worst].name;
    return figures[worst].ratio;
}

static bool cost_auto(const struct amodel_in *in, const struct array_tables *tables,
                      struct where at, struct arena *mem, struct array_answer *out, struct err *err)
{
    struct amodel_in bytes = amodel_in_bytes(in);
    struct err quiet;
    struct amodel_out cacti, plain;

    if (in->forced) {
        out->model = array_model_names[ARRAY_MODEL_CACTI65];
        out->why = "an organisation is given";
        return amodel_cost(&bytes, tables, at, mem, &out->cost, err);
    }
    if (!small_check(in, tables, at, err))
        return false;
    if (in->type == AMODEL_CACHE && !bits_is_pow2((uint64_t)in->assoc) &&
        cost_between_ways(&bytes, tables, mem, out))
        return true;

    err_init(&quiet);
    bool can = amodel_cost(&bytes, tables, NOWHERE, mem, &cacti, &quiet);
    const char *reason =
        can ? NULL : arena_printf(mem, "CACTI cannot: %s", err_entry_text(quiet.first, mem));
    err_free(&quiet);
    if (!can) {
        cost_small(in, tables, mem, reason, out);
        return true;
    }
    out->cost = cacti;
    out->model = array_model_names[ARRAY_MODEL_CACTI65];
    out->why = "within CACTI's limits";
    if (in->type != AMODEL_CACHE && cacti.data.mats == 1) {
        small_cost(in, tables, mem, &plain);
        const char *what;
        double ratio = worst_ratio(&cacti, &plain, &what);
        if (ratio > PLAIN_LIMIT) {
            out->cost = plain;
            out->model = array_model_names[ARRAY_MODEL_SMALL];
            out->why = arena_printf(mem, "CACTI's layout has %.1f times the %s of a plain block",
                                    ratio, what);
            return true;
        }
        out->why = "within CACTI's limits; its layout is a plain one";
    }
    return true;
}

bool array_cost_native(const struct amodel_in *in, enum array_model model,
                       const struct array_tables *tables, struct where at, struct arena *mem,
                       struct array_answer *out, struct err *err)
{
    struct array_answer a = {.engine = "native", .why = "as asked"};
    struct amodel_in bytes = amodel_in_bytes(in);
    bool ok = false;
    switch (model) {
    case ARRAY_MODEL_CACTI65:
        a.model = array_model_names[model];
        ok = amodel_cost(&bytes, tables, at, mem, &a.cost, err);
        break;
    case ARRAY_MODEL_SMALL:
        ok = small_check(in, tables, at, err);
        if (ok)
            cost_small(in, tables, mem, a.why, &a);
        break;
    case ARRAY_MODEL_AUTO:
    case ARRAY_MODELS: ok = cost_auto(in, tables, at, mem, &a, err); break;
    }
    if (ok)
        *out = a;
    return ok;
}
