/* SPDX-License-Identifier: MIT */
#include "energy/logic/range.h"

#include <math.h>

#include "base/near.h"
#include "energy/logic/process.h"

bool logic_check_fail(double v, const char *legal, const char *field, struct where at,
                      struct err *err)
{
    at.key = field;
    return err_add(err, ERR_INPUT, at, "%g is not %s", v, legal);
}

bool logic_check_range(double v, double lo, double hi, const char *field, struct where at,
                       struct err *err)
{
    at.key = field;
    if (!(v >= lo && v <= hi))
        return err_add(err, ERR_INPUT, at, "%g is not in %g..%g", v, lo, hi);
    return true;
}

bool logic_check_whole(double v, double lo, double hi, const char *field, struct where at,
                       struct err *err)
{
    at.key = field;
    if (!(v >= lo && v <= hi))
        return err_add(err, ERR_INPUT, at, "%.10g is not in %g..%g", v, lo, hi);
    if (v != floor(v))
        return err_add(err, ERR_INPUT, at, "%g is not a whole number", v);
    return true;
}

bool logic_check_layer(const struct logic_tech *tech, const char *layer, const char *field,
                       struct where at, struct err *err)
{
    if (logic_tech_layer(tech, layer))
        return true;
    const char *names[LOGIC_LAYERS_MAX];
    for (size_t i = 0; i < tech->n_layers; i++)
        names[i] = tech->layers[i].name;
    const char *near = near_hint(layer, names, tech->n_layers, &err->mem);
    at.key = field;
    return err_add(err, ERR_INPUT, at, "%s has no wire layer '%s'%s", tech->name, layer, near);
}
