/* SPDX-License-Identifier: MIT */
#include "energy/logic_tech_read.h"

#include <libconfig.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/near.h"

struct field {
    const char *path;
    size_t offset;
    double unit;
};

#define TECH(path, member, unit)                                                                   \
    {                                                                                              \
        path, offsetof(struct logic_tech, member), unit                                            \
    }
static const struct field tech_fields[] = {
    TECH("node_nm", node_nm, 1),
    TECH("vdd_v", vdd, 1),
    TECH("temperature_k", temperature, 1),
    TECH("characterised_temperature_k", char_temperature, 1),
    TECH("characterised_vdd_v", char_vdd, 1),
    TECH("temperature_swing_k", temp_swing, 1),
    TECH("gate_pitch_nm", gate_pitch, 1e-9),
    TECH("min_width_nm", min_width, 1e-9),
    TECH("gate_cap_nf_per_m", gate_cap, 1e-9),
    TECH("drain_cap_nf_per_m", drain_cap, 1e-9),
    TECH("nmos.resistance_mohm_m", nmos.resistance, 1e-3),
    TECH("nmos.stack_ratio", nmos.stack_ratio, 1),
    TECH("nmos.off_current_a_per_m", nmos.off_current, 1),
    TECH("nmos.min_off_current_na", nmos.min_off, 1e-9),
    TECH("nmos.swing_v", nmos.swing, 1),
    TECH("nmos.dibl", nmos.dibl, 1),
    TECH("pmos.resistance_mohm_m", pmos.resistance, 1e-3),
    TECH("pmos.stack_ratio", pmos.stack_ratio, 1),
    TECH("pmos.off_current_a_per_m", pmos.off_current, 1),
    TECH("pmos.min_off_current_na", pmos.min_off, 1e-9),
    TECH("pmos.swing_v", pmos.swing, 1),
    TECH("pmos.dibl", pmos.dibl, 1),
    TECH("tracks", tracks, 1),
    TECH("height_overhead", height_overhead, 1),
};
#define LAYER(path, member, unit)                                                                  \
    {                                                                                              \
        path, offsetof(struct wire_layer, member), unit                                            \
    }
static const struct field layer_fields[] = {
    LAYER("width_nm", width, 1e-9),
    LAYER("spacing_nm", spacing, 1e-9),
    LAYER("resistivity_ohm_m", resistivity, 1),
    LAYER("thickness_nm", thickness, 1e-9),
    LAYER("dielectric_nm", dielectric, 1e-9),
    LAYER("permittivity", permittivity, 1),
};
enum {
    N_TECH_FIELDS = sizeof tech_fields / sizeof tech_fields[0],
    N_LAYER_FIELDS = sizeof layer_fields / sizeof layer_fields[0]
};

static bool number_of(const config_setting_t *s, double *out)
{
    switch (config_setting_type(s)) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64: *out = (double)config_setting_get_int64(s); return true;
    case CONFIG_TYPE_FLOAT: *out = config_setting_get_float(s); return true;
    default: return false;
    }
}

static bool read_fields(const char *file, config_setting_t *group, const struct field *fields,
                        size_t n, void *into, struct err *err)
{
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        const config_setting_t *s = config_setting_lookup(group, fields[i].path);
        struct where at = {file, config_setting_source_line(s ? s : group), fields[i].path};
        double v;
        if (!s)
            ok = err_add(err, ERR_INPUT, at, "missing");
        else if (!number_of(s, &v))
            ok = err_add(err, ERR_INPUT, at, "expected a number");
        else if (!(isfinite(v) && v > 0))
            ok = err_add(err, ERR_INPUT, at, "%g is not a positive number", v);
        else {
            v = fields[i].unit == 1 ? v : v * fields[i].unit;
            memcpy((char *)into + fields[i].offset, &v, sizeof v);
        }
    }
    return ok;
}

static bool read_name(const char *file, config_setting_t *group, char out[LOGIC_NAME_MAX],
                      struct err *err)
{
    const char *name = NULL;
    struct where at = {file, config_setting_source_line(group), "name"};
    if (!config_setting_lookup_string(group, "name", &name) || strlen(name) >= LOGIC_NAME_MAX)
        return err_add(err, ERR_INPUT, at, "expected a name of at most %d characters",
                       LOGIC_NAME_MAX - 1);
    memcpy(out, name, strlen(name) + 1);
    return true;
}

static bool read_sizes(const char *file, config_setting_t *root, struct logic_tech *t,
                       struct err *err)
{
    config_setting_t *list = config_setting_get_member(root, "sizes");
    struct where at = {file, list ? (int)config_setting_source_line(list) : 0, "sizes"};
    int n = list && config_setting_is_aggregate(list) ? config_setting_length(list) : 0;
    if (n < 1 || n > LOGIC_SIZES_MAX)
        return err_add(err, ERR_INPUT, at, "expected 1..%d numbers", LOGIC_SIZES_MAX);
    t->n_sizes = (size_t)n;
    for (int i = 0; i < n; i++)
        if (!number_of(config_setting_get_elem(list, (unsigned)i), &t->sizes[i]))
            return err_add(err, ERR_INPUT, at, "expected numbers");
    return true;
}

static bool read_layers(const char *file, config_setting_t *root, struct logic_tech *t,
                        struct err *err)
{
    config_setting_t *list = config_setting_get_member(root, "layers");
    struct where at = {file, list ? (int)config_setting_source_line(list) : 0, "layers"};
    int n = list && config_setting_is_list(list) ? config_setting_length(list) : 0;
    if (n < 1 || n > LOGIC_LAYERS_MAX)
        return err_add(err, ERR_INPUT, at, "expected 1..%d layers", LOGIC_LAYERS_MAX);
    bool ok = true;
    t->n_layers = (size_t)n;
    for (int i = 0; i < n; i++) {
        config_setting_t *group = config_setting_get_elem(list, (unsigned)i);
        if (!config_setting_is_group(group))
            return err_add(err, ERR_INPUT, at, "expected groups");
        ok &= read_name(file, group, t->layers[i].name, err);
        ok &= read_fields(file, group, layer_fields, N_LAYER_FIELDS, &t->layers[i], err);
    }
    return ok;
}

bool logic_tech_read(const char *path, struct logic_tech *out, struct err *err)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    char *text;
    size_t n;
    bool ok = file_read(path, 1u << 20, &mem, &text, &n, err);
    config_t config;
    config_init(&config);
    struct logic_tech t;
    memset(&t, 0, sizeof t);
    if (ok && !config_read_string(&config, text))
        ok = err_add(err, ERR_INPUT, AT_LINE(path, config_error_line(&config)), "%s",
                     config_error_text(&config));
    if (ok) {
        config_setting_t *root = config_root_setting(&config);
        ok &= read_name(path, root, t.name, err);
        ok &= read_fields(path, root, tech_fields, N_TECH_FIELDS, &t, err);
        ok &= read_sizes(path, root, &t, err);
        ok &= read_layers(path, root, &t, err);
        ok = ok && logic_tech_check(&t, path, err);
    }
    config_destroy(&config);
    arena_free(&mem);
    if (ok)
        *out = t;
    return ok;
}

bool logic_techs_read(const char *data_dir, struct logic_techs *out, struct err *err)
{
    static const char *const names[] = {"dsent-45.cfg", "dsent-32.cfg", "dsent-22.cfg",
                                        "dsent-11.cfg"};
    struct logic_techs techs = {.n = 0};
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    bool ok = true;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *dir = path_join(&mem, data_dir, "cfg/tech");
        ok &= logic_tech_read(path_join(&mem, dir, names[i]), &techs.at[techs.n++], err);
    }
    arena_free(&mem);
    if (ok)
        *out = techs;
    return ok;
}

const struct logic_tech *logic_techs_named(const struct logic_techs *techs, const char *name)
{
    for (size_t i = 0; i < techs->n; i++)
        if (strcmp(techs->at[i].name, name) == 0)
            return &techs->at[i];
    return NULL;
}

bool logic_techs_node(const struct logic_techs *techs, double node_nm, struct logic_tech *out,
                      struct err *err)
{
    for (size_t i = 0; i < techs->n; i++)
        if (techs->at[i].node_nm == node_nm) {
            *out = techs->at[i];
            return true;
        }
    for (size_t i = 0; i + 1 < techs->n; i++)
        if (node_nm < techs->at[i].node_nm && node_nm > techs->at[i + 1].node_nm)
            return logic_tech_between(&techs->at[i], &techs->at[i + 1], node_nm, out, err);
    return err_add(err, ERR_INPUT, (struct where){NULL, 0, "tech.node"},
                   "%g nm is outside the modelled range %g..%g nm", node_nm,
                   techs->at[techs->n - 1].node_nm, techs->at[0].node_nm);
}

bool logic_techs_find(const struct logic_techs *techs, const char *text, struct where at,
                      struct logic_tech *out, struct err *err)
{
    const struct logic_tech *named = logic_techs_named(techs, text);
    if (named) {
        *out = *named;
        return true;
    }
    char *end;
    double node = strtod(text, &end);
    if (end != text && (*end == '\0' || strcmp(end, "nm") == 0 || strcmp(end, " nm") == 0) &&
        isfinite(node)) {
        if (node >= techs->at[techs->n - 1].node_nm && node <= techs->at[0].node_nm)
            return logic_techs_node(techs, node, out, err);
        return err_add(err, ERR_INPUT, at, "%g nm is outside the modelled range %g..%g nm", node,
                       techs->at[techs->n - 1].node_nm, techs->at[0].node_nm);
    }
    const char *names[8];
    for (size_t i = 0; i < techs->n; i++)
        names[i] = techs->at[i].name;
    const char *near = near_best(text, names, techs->n);
    if (near)
        return err_add(err, ERR_INPUT, at, "unknown technology '%s'; did you mean '%s'?", text,
                       near);
    return err_add(err, ERR_INPUT, at,
                   "unknown technology '%s'; known are %s, %s, %s, %s and nodes from 11 to 45 nm",
                   text, names[0], names[1], names[2], names[3]);
}
