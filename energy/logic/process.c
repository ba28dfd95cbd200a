/* SPDX-License-Identifier: MIT */
#include "energy/logic/process.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"

const struct wire_layer *logic_tech_layer(const struct logic_tech *tech, const char *name)
{
    for (size_t i = 0; i < tech->n_layers; i++)
        if (strcmp(tech->layers[i].name, name) == 0)
            return &tech->layers[i];
    return NULL;
}

struct quantity {
    const char *key;
    size_t offset;
};

#define OF(key, field)                                                                             \
    {                                                                                              \
        key, offsetof(struct logic_tech, field)                                                    \
    }
static const struct quantity quantities[] = {
    OF("vdd_v", vdd),
    OF("temperature_k", temperature),
    OF("characterised_temperature_k", char_temperature),
    OF("characterised_vdd_v", char_vdd),
    OF("temperature_swing_k", temp_swing),
    OF("gate_pitch_nm", gate_pitch),
    OF("min_width_nm", min_width),
    OF("gate_cap_nf_per_m", gate_cap),
    OF("drain_cap_nf_per_m", drain_cap),
    OF("nmos.resistance_mohm_m", nmos.resistance),
    OF("nmos.stack_ratio", nmos.stack_ratio),
    OF("nmos.off_current_a_per_m", nmos.off_current),
    OF("nmos.min_off_current_na", nmos.min_off),
    OF("nmos.swing_v", nmos.swing),
    OF("nmos.dibl", nmos.dibl),
    OF("pmos.resistance_mohm_m", pmos.resistance),
    OF("pmos.stack_ratio", pmos.stack_ratio),
    OF("pmos.off_current_a_per_m", pmos.off_current),
    OF("pmos.min_off_current_na", pmos.min_off),
    OF("pmos.swing_v", pmos.swing),
    OF("pmos.dibl", pmos.dibl),
    OF("tracks", tracks),
    OF("height_overhead", height_overhead),
};
#undef OF
enum { N_QUANTITIES = sizeof quantities / sizeof quantities[0] };

static double value_of(const struct logic_tech *tech, size_t offset)
{
    double v;
    memcpy(&v, (const char *)tech + offset, sizeof v);
    return v;
}

static bool usable(double v)
{
    return isfinite(v) && v > 0;
}

bool logic_tech_check(const struct logic_tech *tech, const char *file, struct err *err)
{
    bool ok = true;
    for (size_t i = 0; i < N_QUANTITIES; i++) {
        double v = value_of(tech, quantities[i].offset);
        if (!usable(v)) {
            struct where at = {file, 0, quantities[i].key};
            ok = err_add(err, ERR_INPUT, at, "%g is not a positive number", v);
        }
    }
    for (size_t i = 0; i < tech->n_layers; i++) {
        const struct wire_layer *l = &tech->layers[i];
        if (!usable(l->width) || !usable(l->spacing) || !usable(l->resistivity) ||
            !usable(l->thickness) || !usable(l->dielectric) || !usable(l->permittivity)) {
            struct where at = {file, 0, l->name};
            ok = err_add(err, ERR_INPUT, at, "a wire layer needs positive dimensions");
        }
    }
    const struct wire_layer *m1 = logic_tech_layer(tech, "Metal1");
    if (!m1)
        ok = err_add(err, ERR_INPUT, AT_FILE(file), "no wire layer 'Metal1'");
    else if (!(tech->gate_pitch > m1->width))
        ok = err_add(err, ERR_INPUT, AT_FILE(file), "gate pitch is not above the Metal1 width");
    if (!logic_tech_layer(tech, "Intermediate"))
        ok = err_add(err, ERR_INPUT, AT_FILE(file), "no wire layer 'Intermediate'");
    bool rising = tech->n_sizes > 0 && usable(tech->sizes[0]);
    for (size_t i = 1; i < tech->n_sizes && rising; i++)
        rising = isfinite(tech->sizes[i]) && tech->sizes[i] > tech->sizes[i - 1];
    if (!rising) {
        struct where at = {file, 0, "sizes"};
        ok = err_add(err, ERR_INPUT, at, "cell sizes must be positive and rising");
    }
    return ok;
}

static double mix(double a, double b, double t)
{
    return exp((1 - t) * log(a) + t * log(b));
}

bool logic_tech_between(const struct logic_tech *a, const struct logic_tech *b, double node_nm,
                        struct logic_tech *out, struct err *err)
{
    if (!(node_nm <= a->node_nm && node_nm >= b->node_nm && a->node_nm > b->node_nm))
        return err_add(err, ERR_INPUT, NOWHERE, "%g nm is not between %g and %g nm", node_nm,
                       a->node_nm, b->node_nm);
    double t = log(a->node_nm / node_nm) / log(a->node_nm / b->node_nm);
    struct logic_tech mixed = *a;
    snprintf(mixed.name, sizeof mixed.name, "%gnm", node_nm);
    mixed.node_nm = node_nm;
    for (size_t i = 0; i < N_QUANTITIES; i++) {
        size_t at = quantities[i].offset;
        double v = mix(value_of(a, at), value_of(b, at), t);
        memcpy((char *)&mixed + at, &v, sizeof v);
    }
    mixed.n_layers = 0;
    for (size_t i = 0; i < a->n_layers; i++) {
        const struct wire_layer *la = &a->layers[i], *lb = logic_tech_layer(b, la->name);
        if (!lb)
            continue;
        struct wire_layer *l = &mixed.layers[mixed.n_layers++];
        *l = *la;
        l->width = mix(la->width, lb->width, t);
        l->spacing = mix(la->spacing, lb->spacing, t);
        l->resistivity = mix(la->resistivity, lb->resistivity, t);
        l->thickness = mix(la->thickness, lb->thickness, t);
        l->dielectric = mix(la->dielectric, lb->dielectric, t);
        l->permittivity = mix(la->permittivity, lb->permittivity, t);
    }
    *out = mixed;
    return true;
}

struct logic_tech logic_tech_slower(const struct logic_tech *tech, double margin)
{
    struct logic_tech slower = *tech; /* every delay of a cell is its resistance times something */
    slower.nmos.resistance *= margin;
    slower.pmos.resistance *= margin;
    return slower;
}
