/* SPDX-License-Identifier: MIT
 *
 * The technology files of the logic model, cfg/tech/dsent-*.cfg and finfet-*.cfg. A value is a
 * group of value, low, high, grade and source; or a number in a file that says one source and one
 * spread for all of them. A value without source and range is an error. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "gen/config/read_tech.h"
#include "gen/config/setting.h"

struct field {
    const char *path;
    size_t offset;
    double unit, lo, hi; /* what can be meant, in the file's unit: beyond is another unit */
};

#define TECH(path, member, unit, lo, hi)                                                           \
    {                                                                                              \
        path, offsetof(struct logic_tech, member), unit, lo, hi                                    \
    }
static const struct field tech_fields[] = {
    TECH("node_nm", node_nm, 1, 1, 250),
    TECH("vdd_v", vdd, 1, 0.2, 3),
    TECH("temperature_k", temperature, 1, 200, 500),
    TECH("characterised_temperature_k", char_temperature, 1, 200, 500),
    TECH("characterised_vdd_v", char_vdd, 1, 0.2, 3),
    TECH("temperature_swing_k", temp_swing, 1, 10, 1000),
    TECH("gate_pitch_nm", gate_pitch, 1e-9, 10, 1000),
    TECH("min_width_nm", min_width, 1e-9, 5, 1000),
    TECH("gate_cap_nf_per_m", gate_cap, 1e-9, 0.05, 10),
    TECH("drain_cap_nf_per_m", drain_cap, 1e-9, 0.05, 10),
    TECH("nmos.resistance_mohm_m", nmos.resistance, 1e-3, 0.02, 20),
    TECH("nmos.stack_ratio", nmos.stack_ratio, 1, 0.1, 5),
    TECH("nmos.off_current_a_per_m", nmos.off_current, 1, 1e-7, 10),
    TECH("nmos.min_off_current_na", nmos.min_off, 1e-9, 1e-5, 1e4),
    TECH("nmos.swing_v", nmos.swing, 1, 0.03, 0.3),
    TECH("nmos.dibl", nmos.dibl, 1, 1e-3, 1),
    TECH("pmos.resistance_mohm_m", pmos.resistance, 1e-3, 0.02, 20),
    TECH("pmos.stack_ratio", pmos.stack_ratio, 1, 0.1, 5),
    TECH("pmos.off_current_a_per_m", pmos.off_current, 1, 1e-7, 10),
    TECH("pmos.min_off_current_na", pmos.min_off, 1e-9, 1e-5, 1e4),
    TECH("pmos.swing_v", pmos.swing, 1, 0.03, 0.3),
    TECH("pmos.dibl", pmos.dibl, 1, 1e-3, 1),
    TECH("tracks", tracks, 1, 3, 30),
    TECH("height_overhead", height_overhead, 1, 0.1, 10),
};
#define LAYER(path, member, unit, lo, hi)                                                          \
    {                                                                                              \
        path, offsetof(struct wire_layer, member), unit, lo, hi                                    \
    }
static const struct field layer_fields[] = {
    LAYER("width_nm", width, 1e-9, 5, 20000),
    LAYER("spacing_nm", spacing, 1e-9, 5, 20000),
    LAYER("resistivity_ohm_m", resistivity, 1, 5e-9, 1e-6),
    LAYER("thickness_nm", thickness, 1e-9, 5, 20000),
    LAYER("dielectric_nm", dielectric, 1e-9, 5, 20000),
    LAYER("permittivity", permittivity, 1, 1, 20),
};
enum {
    N_TECH_FIELDS = sizeof tech_fields / sizeof tech_fields[0],
    N_LAYER_FIELDS = sizeof layer_fields / sizeof layer_fields[0]
};

/* The file a value is read from, and whether it speaks for values that have no source. */
struct from {
    const char *file;
    bool has_source;
};

static double member_number(const config_setting_t *group, const char *name)
{
    const config_setting_t *s = config_setting_get_member(group, name);
    return s && setting_is_number(s) ? setting_number(s) : NAN;
}

/* A value with range, grade and source; `*v` NAN: an error was added. */
static bool read_sourced(config_setting_t *s, struct where at, double *v, struct err *err)
{
    const char *source = "", *grade = "";
    double low = member_number(s, "low"), high = member_number(s, "high");
    *v = member_number(s, "value");
    config_setting_lookup_string(s, "source", &source);
    config_setting_lookup_string(s, "grade", &grade);
    if (source[0] == '\0')
        return err_add(err, ERR_INPUT, at, "has no source");
    if (strlen(grade) != 1 || !strchr("ABCD", grade[0]))
        return err_add(err, ERR_INPUT, at, "grade '%s' is not A, B, C or D", grade);
    if (!(low <= *v && *v <= high && isfinite(low) && isfinite(high)))
        return err_add(err, ERR_INPUT, at, "needs value, low and high, and the value in its range");
    return true;
}

static bool read_fields(struct from from, config_setting_t *group, const struct field *fields,
                        size_t n, void *into, struct err *err)
{
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        config_setting_t *s = config_setting_lookup(group, fields[i].path);
        struct where at = {from.file, config_setting_source_line(s ? s : group), fields[i].path};
        double v = s && setting_is_number(s) ? setting_number(s) : NAN;
        bool is_name = strcmp(fields[i].path, "node_nm") == 0;
        if (!s)
            ok = err_add(err, ERR_INPUT, at, "missing");
        else if (config_setting_is_group(s) && !read_sourced(s, at, &v, err))
            ok = false;
        else if (!setting_is_number(s) && !config_setting_is_group(s))
            ok = err_add(err, ERR_INPUT, at, "expected a number, found %s", setting_type_name(s));
        else if (setting_is_number(s) && !from.has_source && !is_name)
            ok = err_add(err, ERR_INPUT, at,
                         "has no source and range: give value, low, high, grade and source, or "
                         "source and spread of the whole file");
        else if (!(isfinite(v) && v > 0))
            ok = err_add(err, ERR_INPUT, at, "%g is not a positive number", v);
        else if (v < fields[i].lo || v > fields[i].hi)
            ok = err_add(err, ERR_INPUT, at, "%g is not in %g..%g: another unit?", v, fields[i].lo,
                         fields[i].hi);
        else {
            v = fields[i].unit == 1 ? v : v * fields[i].unit;
            memcpy((char *)into + fields[i].offset, &v, sizeof v);
        }
    }
    return ok;
}

/* Every member is a field, its group, or one of `others`; the groups of values have their own. */
static bool check_members(const char *file, config_setting_t *group, const char *prefix,
                          const struct field *fields, size_t n, const char *const *others,
                          struct err *err)
{
    static const char *const of_value[] = {"value", "low", "high", "grade", "source", NULL};
    bool ok = true;
    for (int i = 0; i < config_setting_length(group); i++) {
        config_setting_t *s = config_setting_get_elem(group, (unsigned)i);
        const char *name = config_setting_name(s);
        struct where at = {file, (int)config_setting_source_line(s), name};
        size_t k = 0, o = 0, skip = strlen(prefix);
        while (k < n && !(strncmp(fields[k].path, prefix, skip) == 0 &&
                          strcmp(fields[k].path + skip, name) == 0))
            k++;
        while (others && others[o] && strcmp(others[o], name) != 0)
            o++;
        if (k == n && !(others && others[o]))
            ok = err_add(err, ERR_INPUT, at, "unknown name");
        else if (k < n && config_setting_is_group(s))
            ok &= check_members(file, s, "", NULL, 0, of_value, err);
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
    for (int i = 0; i < n; i++) {
        const config_setting_t *s = config_setting_get_elem(list, (unsigned)i);
        if (!setting_is_number(s))
            return err_add(err, ERR_INPUT, at, "expected numbers");
        t->sizes[i] = setting_number(s);
    }
    return true;
}

static bool read_layers(struct from from, config_setting_t *root, struct logic_tech *t,
                        struct err *err)
{
    const char *file = from.file;
    config_setting_t *list = config_setting_get_member(root, "layers");
    struct where at = {file, list ? (int)config_setting_source_line(list) : 0, "layers"};
    int n = list && config_setting_is_list(list) ? config_setting_length(list) : 0;
    if (n < 1 || n > LOGIC_LAYERS_MAX)
        return err_add(err, ERR_INPUT, at, "expected 1..%d layers", LOGIC_LAYERS_MAX);
    static const char *const others[] = {"name", NULL};
    bool ok = true;
    t->n_layers = (size_t)n;
    for (int i = 0; i < n; i++) {
        config_setting_t *group = config_setting_get_elem(list, (unsigned)i);
        if (!config_setting_is_group(group))
            return err_add(err, ERR_INPUT, at, "expected groups");
        ok &= read_name(file, group, t->layers[i].name, err);
        ok &= read_fields(from, group, layer_fields, N_LAYER_FIELDS, &t->layers[i], err);
        ok &= check_members(file, group, "", layer_fields, N_LAYER_FIELDS, others, err);
    }
    return ok;
}

/* `node`: what the file's name says, in nm; 0: anything. */
static bool read_file(const char *path, double node, struct logic_tech *out, struct err *err)
{
    static const char *const devices[] = {"nmos", "pmos"};
    static const char *const others[] = {"name", "source", "spread", "nmos",
                                         "pmos", "sizes",  "layers", NULL};
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    config_t config;
    struct logic_tech t;
    memset(&t, 0, sizeof t);
    bool ok = setting_read(path, &mem, &config, err);
    if (ok) {
        config_setting_t *root = config_root_setting(&config);
        ok &= read_name(path, root, t.name, err);
        struct from from = {path, setting_has_source(root)};
        ok &= read_fields(from, root, tech_fields, N_TECH_FIELDS, &t, err);
        ok &= read_sizes(path, root, &t, err);
        ok &= read_layers(from, root, &t, err);
        ok &= check_members(path, root, "", tech_fields, N_TECH_FIELDS, others, err);
        for (int i = 0; i < 2; i++) {
            config_setting_t *device = config_setting_get_member(root, devices[i]);
            if (device && config_setting_is_group(device))
                ok &= check_members(path, device, i ? "pmos." : "nmos.", tech_fields, N_TECH_FIELDS,
                                    NULL, err);
        }
        if (ok && node > 0 && t.node_nm != node) {
            config_setting_t *s = config_setting_lookup(root, "node_nm");
            struct where at = {path, (int)config_setting_source_line(s), "node_nm"};
            ok = err_add(err, ERR_INPUT, at, "%g nm in a file that is named after %g nm", t.node_nm,
                         node);
        }
        ok = ok && logic_tech_check(&t, path, err);
    }
    config_destroy(&config);
    arena_free(&mem);
    if (ok)
        *out = t;
    return ok;
}

bool logic_tech_read(const char *path, struct logic_tech *out, struct err *err)
{
    return read_file(path, 0, out, err);
}

/* Coarsest first; NULL ends a family. */
static const char *const families[LOGIC_FAMILY_COUNT][LOGIC_TECHS_MAX] = {
    [LOGIC_dsent] = {"dsent-45.cfg", "dsent-32.cfg", "dsent-22.cfg", "dsent-11.cfg"},
    [LOGIC_finfet] = {"finfet-16.cfg", "finfet-7.cfg", "finfet-5.cfg", "finfet-3.cfg"},
};

static const char *path_of(const char *data_dir, const char *name, struct arena *mem)
{
    return path_join(mem, path_join(mem, data_dir, "cfg/tech"), name);
}

bool logic_techs_read(const char *data_dir, enum logic_family family, struct logic_techs *out,
                      struct err *err)
{
    struct logic_techs techs = {.n = 0};
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    bool ok = true;
    for (; techs.n < LOGIC_TECHS_MAX && families[family][techs.n]; techs.n++) {
        const char *name = families[family][techs.n];
        ok &= read_file(path_of(data_dir, name, &mem), strtod(strchr(name, '-') + 1, NULL),
                        &techs.at[techs.n], err);
    }
    arena_free(&mem);
    if (ok)
        *out = techs;
    return ok;
}

uint64_t logic_techs_hash(const char *data_dir)
{
    struct arena mem;
    uint64_t h = 0;
    arena_init(&mem, NULL, NULL);
    for (int f = 0; f < LOGIC_FAMILY_COUNT; f++)
        for (size_t i = 0; i < LOGIC_TECHS_MAX && families[f][i]; i++)
            h = file_hash(path_of(data_dir, families[f][i], &mem), h);
    arena_free(&mem);
    return h;
}
